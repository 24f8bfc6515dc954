//! Comparison of two lists of hands, both in the order of their settings.
//!
//! The players' hands are visited from the lowest high hand to the highest. Running sums hold the dealers' hands that
//! were passed, by their low hand.

use super::pairs::{HighCards, Pairs};
use super::shared_cards::Hands;
use crate::dominance::{ANY_LOW, WIDTH};

/// Compares every player's hand with every dealer's hand.
///
/// Both lists are ordered by [`Hands::set`], and no player's hand is flagged to make wagers push.
pub(super) fn pairs(players: &[Hands], dealers: &[Hands], high_cards: &HighCards) -> Pairs {
    // Hands that make wagers push are at the end of the list.
    let (dealers, pushing) = dealers.split_at(dealers.partition_point(|hands| !hands.set.pushes()));
    let all = count(players);
    let mut sweep =
        Sweep { dealers, lower: [0; WIDTH], all, higher: all, high_cards, pairs: Pairs::default() };
    sweep.pairs.pushes = i128::from(all * count(pushing));
    for same_high in players.chunk_by(|one, other| one.set.high() == other.set.high()) {
        let high = same_high[0].set.high();
        sweep.pass(high);
        sweep.compare(same_high, 0);
        sweep.higher -= count(same_high);
        sweep.pass(high + 1);
        sweep.compare(same_high, 1);
    }
    sweep.pass(usize::MAX);
    sweep.compare(players, 2);
    sweep.pairs
}

fn count(hands: &[Hands]) -> i64 {
    hands.iter().map(|hands| i64::from(hands.count)).sum()
}

struct Sweep<'a> {
    /// Dealers' hands that were not yet passed.
    dealers: &'a [Hands],
    /// For each low-hand strength, the number of passed hands with a lower low hand.
    lower: [i32; WIDTH],
    /// Number of players' hands.
    all: i64,
    /// Number of players' hands with a higher high hand than the next dealers' hand.
    higher: i64,
    high_cards: &'a HighCards,
    pairs: Pairs,
}

impl Sweep<'_> {
    /// Passes the dealers' hands whose high hand is below a strength.
    fn pass(&mut self, high: usize) {
        while let [next, rest @ ..] = self.dealers
            && next.set.high() < high
        {
            self.lower[next.set.low() + 1..].iter_mut().for_each(|lower| *lower += next.count);
            if let Some(rank) = self.high_cards.ranks.get(next.set.high()) {
                let pairs = &mut self.pairs.no_pair[rank.index()];
                pairs.deals += i128::from(i64::from(next.count) * self.all);
                pairs.beaten += i128::from(i64::from(next.count) * self.higher);
            }
            self.dealers = rest;
        }
    }

    /// Compares players' hands with the dealers' hands that were passed. Adds the pairs to a row of the counts.
    fn compare(&mut self, players: &[Hands], row: usize) {
        let mut sums = [0i64; 3];
        for hands in players {
            let low = hands.set.low();
            for (sum, low) in sums.iter_mut().zip([low, low + 1, ANY_LOW]) {
                *sum += i64::from(hands.count) * i64::from(self.lower[low]);
            }
        }
        for (total, sum) in self.pairs.cumulative[row].iter_mut().zip(sums) {
            *total += i128::from(sum);
        }
    }
}
