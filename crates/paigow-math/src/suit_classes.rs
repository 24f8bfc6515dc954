//! Suit classes: hands that differ only by a relabeling of the suits.
//!
//! The ranking of hands does not depend on which suit is which. The 154,143,080 seven-card hands fall into 6,972,147
//! suit classes (6,009,159 without the joker, 962,988 with it). A class is an unordered collection of four sets of
//! ranks. The enumeration visits the representative with the larger sets first, together with the number of hands in
//! the class: 24, or fewer if some suits hold the same ranks.

use crate::progress::Progress;
use paigow::{Card, PartialHand, Suit};
use rayon::prelude::*;

/// Enumeration of the suit classes of hands of a given size, each with its weight.
pub struct SuitClasses {
    /// For each suit, the sets of ranks by their size.
    sets: [Vec<Vec<PartialHand>>; 4],
    branches: Vec<Branch>,
}

/// The classes that share the set of the first suit.
#[derive(Clone, Copy)]
struct Branch {
    joker: bool,
    /// Number of cards in each suit, in descending order.
    counts: [usize; 4],
    /// Index of the first suit's set among the sets of its size.
    first: usize,
}

impl SuitClasses {
    /// Number of classes of sets of 0 to 7 cards.
    pub(crate) const COUNTS: [u64; 8] = [1, 14, 182, 1_924, 18_187, 150_891, 1_097_447, 6_972_147];

    /// The classes of hands of `cards` cards, without and with the joker.
    pub fn of(cards: usize) -> SuitClasses {
        SuitClasses::within(13, cards)
    }

    /// The classes of hands of `cards` cards in a deck of the lowest `ranks` ranks.
    pub(crate) fn within(ranks: usize, cards: usize) -> SuitClasses {
        let sets = Suit::ALL.map(|suit| {
            (0..=cards)
                .map(|count| {
                    let masks = (0..1u16 << ranks).filter(|mask| mask.count_ones() as usize == count);
                    masks.map(|mask| PartialHand::of_suit(suit, mask)).collect()
                })
                .collect::<Vec<Vec<PartialHand>>>()
        });
        let mut branches = Vec::new();
        for joker in [false, true] {
            let Some(natural) = cards.checked_sub(usize::from(joker)) else { continue };
            for counts in suit_counts(natural) {
                let first = 0..sets[0][counts[0]].len();
                branches.extend(first.map(|first| Branch { joker, counts, first }));
            }
        }
        SuitClasses { sets, branches }
    }

    /// Visits one hand of every class, with the number of hands in the class.
    pub fn for_each(&self, mut visit: impl FnMut(PartialHand, u64)) {
        for &branch in &self.branches {
            self.visit(branch, &mut visit);
        }
    }

    /// Visits every class in parallel. Each part of the work starts from `identity`, and `join` combines the parts.
    pub fn fold<T: Send>(
        &self,
        identity: impl Fn() -> T + Send + Sync,
        visit: impl Fn(&mut T, PartialHand, u64) + Send + Sync,
        join: impl Fn(T, T) -> T + Send + Sync,
    ) -> T {
        self.fold_with_progress(identity, visit, join, &|_| {})
    }

    /// Like [`SuitClasses::fold`], but calls `progress(0)` before each part, so that the caller can cancel the work.
    pub(crate) fn fold_with_progress<T: Send>(
        &self,
        identity: impl Fn() -> T + Send + Sync,
        visit: impl Fn(&mut T, PartialHand, u64) + Send + Sync,
        join: impl Fn(T, T) -> T + Send + Sync,
        progress: Progress<'_>,
    ) -> T {
        self.branches
            .par_iter()
            .fold(&identity, |mut part, &branch| {
                progress(0);
                self.visit(branch, &mut |hand, weight| visit(&mut part, hand, weight));
                part
            })
            .reduce(&identity, join)
    }

    fn visit(&self, branch: Branch, visit: &mut impl FnMut(PartialHand, u64)) {
        let Branch { joker, counts, first } = branch;
        let sets: [&[PartialHand]; 4] = std::array::from_fn(|suit| &self.sets[suit][counts[suit]][..]);
        // Among suits with equally many cards, a later suit takes no set with a higher index than the previous one.
        // Suits that take the same set form a run, and a run of n equal suits divides the weight by n!.
        let bound = |suit: usize, before: usize| {
            if counts[suit] == counts[suit - 1] { before + 1 } else { sets[suit].len() }
        };
        let is_same =
            |suit: usize, before: usize, set: usize| counts[suit] == counts[suit - 1] && before == set;

        let start = if joker { PartialHand::EMPTY.with(Card::JOKER) } else { PartialHand::EMPTY };
        let a = start.and(sets[0][first]);
        for second in 0..bound(1, first) {
            let b = a.and(sets[1][second]);
            let run_b = if is_same(1, first, second) { 2 } else { 1 };
            let weight_b = 24 / run_b;
            for third in 0..bound(2, second) {
                let c = b.and(sets[2][third]);
                let run_c = if is_same(2, second, third) { run_b + 1 } else { 1 };
                let weight_c = weight_b / run_c;
                // Only the last set can equal the previous suit's, so the innermost loop uses a single weight.
                let last = bound(3, third);
                let new = if counts[3] == counts[2] { last - 1 } else { last };
                for &set in &sets[3][..new] {
                    visit(c.and(set), weight_c);
                }
                for &set in &sets[3][new..last] {
                    visit(c.and(set), weight_c / (run_c + 1));
                }
            }
        }
    }
}

/// The ways to distribute cards over four suits, in descending order of count.
fn suit_counts(cards: usize) -> Vec<[usize; 4]> {
    let mut ways = Vec::new();
    for a in 0..=cards.min(13) {
        for b in 0..=a.min(cards - a) {
            for c in 0..=b.min(cards - a - b) {
                let d = cards - a - b - c;
                if d <= c {
                    ways.push([a, b, c, d]);
                }
            }
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of classes is known, and the weights add up to C(53, n) hands.
    #[test]
    fn class_counts_and_weights_are_complete() {
        let expected = [1, 53, 1_378, 23_426, 292_825, 2_869_685, 22_957_480, 154_143_080];
        for (cards, (classes, hands)) in SuitClasses::COUNTS.into_iter().zip(expected).enumerate() {
            let mut counted = (0, 0);
            SuitClasses::of(cards).for_each(|hand, weight| {
                assert_eq!(hand.cards().len(), cards);
                counted.0 += 1;
                counted.1 += weight;
            });
            assert_eq!(counted, (classes, hands), "{cards} cards");
        }
    }

    #[test]
    fn parallel_fold_visits_every_class_once() {
        let classes = SuitClasses::of(7);
        let count = |part: &mut (u64, u64), hand: PartialHand, weight: u64| {
            part.0 += weight;
            part.1 += weight * u64::from(hand.cards().has_joker());
        };
        let join = |one: (u64, u64), other: (u64, u64)| (one.0 + other.0, one.1 + other.1);
        assert_eq!(classes.fold(|| (0, 0), count, join), (154_143_080, 20_358_520));
    }
}
