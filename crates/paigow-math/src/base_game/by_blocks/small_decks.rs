//! Tests of the sums on decks so small that every pair of hands can be listed.
//!
//! Hands get pseudorandom settings that are equal for equal numbers of cards of each block. The expected counts are
//! listed pair by pair over bit masks of single cards. They use neither the blocks nor the running sums.

use super::*;
use crate::progress::QUIET;
use crate::set_hand::SetHand;
use paigow::{HighStrength, Joker, LowStrength, Ranking, Wheel};
use paigow_testkit::Rng;

/// A deck of four suits and a joker. A hand is a bit mask of its cards, suit by suit and then the joker.
#[derive(Clone, Copy, Debug)]
struct SmallDeck {
    ranks: usize,
    hand: u32,
}

/// A hand with its cards by blocks.
struct ListedHand {
    cards: u32,
    hands: Hands,
}

impl SmallDeck {
    /// Number of cards of a rank in the suits that `in_suit` accepts.
    fn count(self, cards: u32, rank: usize, in_suit: impl Fn(usize) -> bool) -> u8 {
        let suits = (0..4).filter(|suit| in_suit(*suit));
        suits.map(|suit| (cards >> (suit * self.ranks + rank) & 1) as u8).sum()
    }

    fn joker(self, cards: u32) -> u64 {
        if cards >> (4 * self.ranks) & 1 == 1 { block::JOKER } else { 0 }
    }

    /// Cards of a hand, with one block for each rank.
    fn by_ranks(self, cards: u32) -> u64 {
        let ranks =
            (0..self.ranks).map(|rank| cards_of(block::of_rank(rank), self.count(cards, rank, |_| true)));
        ranks.sum::<u64>() + self.joker(cards)
    }

    /// Cards of a hand, with the blocks of a side that has a flush in a suit.
    fn by_suit(self, cards: u32, flush: usize) -> u64 {
        let ranks = (0..self.ranks).map(|rank| {
            let suited = cards_of(block::suited(rank), self.count(cards, rank, |suit| suit == flush));
            suited + cards_of(block::others(rank), self.count(cards, rank, |suit| suit != flush))
        });
        ranks.sum::<u64>() + self.joker(cards)
    }

    /// Lists all hands. `blocks` gives the cards by blocks, and the setting depends on `seen` only.
    fn list(
        self,
        blocks: impl Fn(u32) -> u64,
        seen: impl Fn(u32) -> u64,
        setting: impl Fn(u64) -> (SetHand, i32),
    ) -> Vec<ListedHand> {
        let all = 0u32..1 << (4 * self.ranks + 1);
        let hands = all.filter(|cards| cards.count_ones() == self.hand);
        let listed = |cards: u32| {
            let (set, count) = setting(seen(cards));
            ListedHand { cards, hands: Hands { set, count, cards: blocks(cards) } }
        };
        hands.map(listed).collect()
    }
}

/// A pseudorandom setting, counted once, twice, not at all or negatively.
///
/// Strengths are few, so that many are equal. They include the lowest, the highest and those around a pair.
fn setting(seed: u64, seen: u64, can_push: bool) -> (SetHand, i32) {
    let mut rng = Rng::new(Rng::new(seen).next() ^ seed);
    let mut pick = |count: usize| (rng.next() >> 20) as usize % count;
    let highs = [0, 1, 70, 500, 501, 1_276, 1_277, 1_278, 5_000, HighStrength::COUNT - 1];
    let lows = [0, 1, 45, LowStrength::COUNT - 2, LowStrength::COUNT - 1];
    let (high, low) = (highs[pick(highs.len())], lows[pick(lows.len())]);
    (SetHand::new(high, low, can_push && pick(4) == 0), [1, 2, 0, -1][pick(4)])
}

fn players(seen: u64) -> (SetHand, i32) {
    setting(1, seen, false)
}

fn dealers(seen: u64) -> (SetHand, i32) {
    setting(2, seen, true)
}

/// Compares the sum over blocks with the listed pairs.
fn check(deck: SmallDeck, blocks: &[SharedBlock], players: &[ListedHand], dealers: &[ListedHand]) {
    let ranking = Ranking { joker: Joker::SemiWild, wheel: Wheel::SecondHighest };
    let high_cards = HighCards::new(Evaluator::of(ranking));
    let mut expected = Pairs::default();
    for player in players {
        for dealer in dealers.iter().filter(|dealer| dealer.cards & player.cards == 0) {
            let weight = i128::from(player.hands.count * dealer.hands.count);
            expected.add_one(player.hands.set, dealer.hands.set, weight, &high_cards);
        }
    }
    let sorted = |listed: &[ListedHand]| {
        let mut hands: Vec<Hands> = listed.iter().map(|listed| listed.hands).collect();
        Hands::sort(&mut hands);
        hands
    };
    let sum = SharedCards { blocks, high_cards: &high_cards, progress: QUIET };
    assert_eq!(sum.disjoint_pairs(&sorted(players), &sorted(dealers)), expected, "{deck:?}");
    assert_ne!(expected, Pairs::default());
}

/// Decks on which listing every pair of hands is fast.
fn decks() -> impl Iterator<Item = SmallDeck> {
    let decks = [(2, 1..=4), (3, 1..=5), (4, 2..=4)];
    decks.into_iter().flat_map(|(ranks, hands)| hands.map(move |hand| SmallDeck { ranks, hand }))
}

/// One side is set by ranks. The other side's settings depend on suits too.
#[test]
fn sum_by_ranks_matches_listed_pairs() {
    for deck in decks() {
        let (by_ranks, by_suit) = (|cards| deck.by_ranks(cards), |cards| deck.by_suit(cards, 0));
        check(
            deck,
            &blocks_by_ranks(),
            &deck.list(by_ranks, by_ranks, players),
            &deck.list(by_ranks, by_suit, dealers),
        );
        check(
            deck,
            &blocks_by_ranks(),
            &deck.list(by_ranks, by_suit, players),
            &deck.list(by_ranks, by_ranks, dealers),
        );
    }
}

#[test]
fn sum_of_one_suit_matches_listed_pairs() {
    for deck in decks() {
        let by_suit = |cards| deck.by_suit(cards, 2);
        check(
            deck,
            &blocks_of_one_suit(),
            &deck.list(by_suit, by_suit, players),
            &deck.list(by_suit, by_suit, dealers),
        );
    }
}

#[test]
fn sum_of_two_suits_matches_listed_pairs() {
    for deck in decks() {
        let (players_suit, dealers_suit) = (|cards| deck.by_suit(cards, 3), |cards| deck.by_suit(cards, 1));
        check(
            deck,
            &blocks_of_two_suits(),
            &deck.list(players_suit, players_suit, players),
            &deck.list(dealers_suit, dealers_suit, dealers),
        );
    }
}

/// The true settings of a side are those by ranks with the corrections. They must hold every hand once.
#[test]
fn corrected_hands_are_all_hands() {
    let name = paigow::rulebook::BuiltIn::house_way_names().next().unwrap();
    let way = paigow::HouseWay::built_in(name).unwrap();
    let side = HandsInBlocks::of(&HouseWaySettings::of(&way, way.ranking(), &[]));
    let count = |hands: &[Hands]| hands.iter().map(|hands| i64::from(hands.count)).sum::<i64>();
    assert_eq!(count(&side.by_ranks), 154_143_080);
    assert_eq!([count(&side.flushes_by_ranks), count(&side.flushes)], [0, 0]);
    let mut all = [side.by_ranks, side.flushes_by_ranks].concat();
    Hands::sort(&mut all);
    assert!(all.iter().all(|hands| hands.count > 0));
}
