//! Rank patterns: how many cards of each rank a hand has, and whether it has the joker.
//!
//! A house way's setting depends only on the rank pattern unless the hand can make a flush. There are 49,205 patterns
//! of seven natural cards and 18,395 of six natural cards and the joker.

use crate::hand_table::choose;
use paigow::{Card, CardSet, PartialHand, Rank, SevenCards, Suit};

/// Number of ranks.
pub(crate) const RANKS: usize = Rank::ALL.len();

/// Number of cards of each rank, and whether the joker is among the cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RankPattern {
    pub(crate) counts: [u8; RANKS],
    pub(crate) joker: bool,
}

/// `WAYS[r][n]` is the number of ways to choose how many cards of each rank from `r` up are among `n` cards.
const WAYS: [[u32; 8]; RANKS + 1] = {
    let mut ways = [[0; 8]; RANKS + 1];
    ways[RANKS][0] = 1;
    let mut rank = RANKS;
    while rank > 0 {
        rank -= 1;
        let mut cards = 0;
        while cards < 8 {
            let mut count = 0;
            while count <= 4 && count <= cards {
                ways[rank][cards] += ways[rank + 1][cards - count];
                count += 1;
            }
            cards += 1;
        }
    }
    ways
};

impl RankPattern {
    pub(crate) fn of(cards: CardSet) -> RankPattern {
        RankPattern { counts: Rank::ALL.map(|rank| cards.count(rank) as u8), joker: cards.has_joker() }
    }

    /// Lists the patterns of `cards` cards. Those of seven cards are in the order of [`RankPattern::index`].
    pub(crate) fn all(cards: u8) -> Vec<RankPattern> {
        let mut patterns = Vec::new();
        for joker in [false, true] {
            if let Some(natural) = cards.checked_sub(u8::from(joker)) {
                let mut pattern = RankPattern { counts: [0; RANKS], joker };
                add_patterns(&mut patterns, &mut pattern, 0, natural);
            }
        }
        patterns
    }

    /// Number of patterns of `cards` cards.
    pub(crate) const fn count(cards: usize) -> u64 {
        let with_joker = if cards == 0 { 0 } else { WAYS[0][cards - 1] };
        (WAYS[0][cards] + with_joker) as u64
    }

    /// Index of the pattern among those of seven cards.
    pub(crate) fn index(&self) -> usize {
        let mut cards = 7 - usize::from(self.joker);
        let mut index = if self.joker { WAYS[0][7] } else { 0 };
        for (rank, &count) in self.counts.iter().enumerate() {
            index += RankPattern::index_part(rank, usize::from(count), cards);
            cards -= usize::from(count);
        }
        index as usize
    }

    /// Number of patterns with fewer cards of this rank, if `cards` natural cards have this rank or a higher one.
    fn index_part(rank: usize, count: usize, cards: usize) -> u32 {
        (0..count).map(|fewer| WAYS[rank + 1][cards - fewer]).sum()
    }

    /// Mask of the ranks that occur.
    pub(crate) fn ranks(&self) -> u16 {
        self.counts.iter().enumerate().fold(0, |mask, (rank, count)| mask | u16::from(*count > 0) << rank)
    }

    /// Number of hands with this pattern, by the number of remaining cards of each rank.
    pub(crate) fn ways(&self, left: &[usize; RANKS]) -> u32 {
        let counts = self.counts.iter().map(|count| usize::from(*count));
        left.iter().zip(counts).map(|(left, count)| choose(*left, count)).product()
    }

    /// Returns a hand of this pattern with these ranks of one suit. The other cards have other suits.
    ///
    /// With no ranks of one suit, no suit has more than two cards, so the hand cannot make a flush.
    pub(crate) fn hand(&self, of_one_suit: u16) -> SevenCards {
        let mut hand = PartialHand::of_suit(Suit::ALL[0], of_one_suit);
        if self.joker {
            hand = hand.with(Card::JOKER);
        }
        let first = usize::from(of_one_suit != 0);
        let mut suits = Suit::ALL[first..].iter().cycle();
        for (rank, count) in Rank::ALL.into_iter().zip(self.counts) {
            let others = usize::from(count) - usize::from(of_one_suit & rank.bit() != 0);
            for suit in suits.by_ref().take(others) {
                hand = hand.with(Card::new(rank, *suit));
            }
        }
        hand.complete()
    }

    /// Visits the patterns of seven cards that contain this one, by their index. `visit` also receives the number of
    /// hands with that pattern that contain given cards of this pattern, and the number of sets of cards with this
    /// pattern in a hand with that pattern.
    pub(crate) fn for_each_superset(&self, visit: &mut impl FnMut(u32, u32, u32)) {
        let natural = self.counts.iter().sum::<u8>();
        for joker in [false, true] {
            if joker || !self.joker {
                let cards = 7 - u8::from(joker);
                if let Some(free) = cards.checked_sub(natural) {
                    let index = if joker { WAYS[0][7] } else { 0 };
                    self.extend(0, usize::from(free), usize::from(cards), (index, 1, 1), visit);
                }
            }
        }
    }

    fn extend(
        &self,
        rank: usize,
        free: usize,
        cards: usize,
        (index, hands, sets): (u32, u32, u32),
        visit: &mut impl FnMut(u32, u32, u32),
    ) {
        if rank == RANKS {
            if free == 0 {
                visit(index, hands, sets);
            }
            return;
        }
        let held = usize::from(self.counts[rank]);
        for more in 0..=free.min(4 - held) {
            let count = held + more;
            let next = (
                index + RankPattern::index_part(rank, count, cards),
                hands * choose(4 - held, more),
                sets * choose(count, held),
            );
            self.extend(rank + 1, free - more, cards - count, next, visit);
        }
    }
}

/// Adds every pattern that extends this one with cards of the ranks from `rank` up.
fn add_patterns(patterns: &mut Vec<RankPattern>, pattern: &mut RankPattern, rank: usize, cards: u8) {
    if rank == RANKS {
        if cards == 0 {
            patterns.push(*pattern);
        }
        return;
    }
    for count in 0..=cards.min(4) {
        pattern.counts[rank] = count;
        add_patterns(patterns, pattern, rank + 1, cards - count);
    }
    pattern.counts[rank] = 0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_follow_the_order_of_the_list() {
        let patterns = RankPattern::all(7);
        assert_eq!(patterns.len(), 67_600);
        for cards in 0..=7 {
            assert_eq!(
                RankPattern::all(cards).len() as u64,
                RankPattern::count(cards.into()),
                "{cards} cards"
            );
        }
        for (index, pattern) in patterns.iter().enumerate() {
            assert_eq!(pattern.index(), index, "{pattern:?}");
            assert_eq!(RankPattern::of(pattern.hand(0).cards()), *pattern);
        }
        let hands: u64 = patterns.iter().map(|pattern| u64::from(pattern.ways(&[4; RANKS]))).sum();
        assert_eq!(hands, 154_143_080);
    }

    /// Every pattern is visited from each smaller one that it contains, with counts that agree with plain products.
    #[test]
    fn supersets_are_visited_with_their_counts() {
        let patterns = RankPattern::all(7);
        for small in [RankPattern::all(2), RankPattern::all(5)].concat().into_iter().step_by(97) {
            let contains = |pattern: &RankPattern| {
                (pattern.joker || !small.joker)
                    && pattern.counts.iter().zip(small.counts).all(|(count, held)| *count >= held)
            };
            let expected: Vec<(u32, u32, u32)> = patterns
                .iter()
                .enumerate()
                .filter(|(_, pattern)| contains(pattern))
                .map(|(index, pattern)| {
                    let pairs = || small.counts.iter().zip(pattern.counts);
                    let hands =
                        pairs().map(|(held, count)| choose(4 - *held as usize, (count - held) as usize));
                    let sets = pairs().map(|(held, count)| choose(count as usize, *held as usize));
                    (index as u32, hands.product(), sets.product())
                })
                .collect();
            let mut visited = Vec::new();
            small.for_each_superset(&mut |index, hands, sets| visited.push((index, hands, sets)));
            assert_eq!(visited, expected, "{small:?}");
        }
    }
}
