//! Hands up to the names of the suits.
//!
//! Nothing in the ranking of hands asks which suit is which, so hands that differ only by relabelling suits
//! are alike. The 154,143,080 seven-card hands fall into 6,972,147 such classes (6,009,159 without the
//! joker, 962,988 with it). A class is four sets of ranks, in no order; we visit the one where the larger
//! sets come first, and give the number of hands it stands for: 24, less where suits hold the same ranks.

use crate::progress::Progress;
use paigow::{Card, PartialHand, Suit};
use rayon::prelude::*;

/// The classes of hands of a given size, each to be visited once with its weight.
pub struct SuitClasses {
    /// The sets of each number of ranks, for each suit.
    sets: [Vec<Vec<PartialHand>>; 4],
    branches: Vec<Branch>,
}

/// The classes that share the set of the first suit.
#[derive(Clone, Copy)]
struct Branch {
    joker: bool,
    /// How many cards each suit has, from the most down.
    counts: [usize; 4],
    /// Which of the sets of that size the first suit has.
    first: usize,
}

impl SuitClasses {
    /// How many classes there are of sets of 0 to 7 cards.
    pub(crate) const COUNTS: [u64; 8] = [1, 14, 182, 1_924, 18_187, 150_891, 1_097_447, 6_972_147];

    /// The classes of hands of so many cards, without and with the joker.
    pub fn of(cards: usize) -> SuitClasses {
        SuitClasses::within(13, cards)
    }

    /// The same in a deck of the lowest so many ranks.
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

    /// Visits every class: one of its hands, and how many hands it has.
    pub fn for_each(&self, mut visit: impl FnMut(PartialHand, u64)) {
        for &branch in &self.branches {
            self.visit(branch, &mut visit);
        }
    }

    /// Visits every class on all cores: each part of the work starts from `identity`, and `join` puts the
    /// parts together.
    pub fn fold<T: Send>(
        &self,
        identity: impl Fn() -> T + Send + Sync,
        visit: impl Fn(&mut T, PartialHand, u64) + Send + Sync,
        join: impl Fn(T, T) -> T + Send + Sync,
    ) -> T {
        self.fold_watched(identity, visit, join, &|_| {})
    }

    /// The same, telling before each part of the work that 0 more is done: the work can be stopped there.
    pub(crate) fn fold_watched<T: Send>(
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
        // Of suits with as many cards, the later takes no later set. A suit that takes the same set as the
        // one before makes a run, and a run of n equal suits stands for n! fewer hands.
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
                // All but perhaps the last set are new, so that the innermost loop has one weight.
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

/// The ways to share out cards among four suits, from the most down.
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

    /// How many sets of so many cards there are up to suits, and how many hands they stand for: C(53, n).
    #[test]
    fn as_many_classes_and_hands_as_there_are() {
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
    fn all_cores_visit_the_same_classes() {
        let classes = SuitClasses::of(7);
        let count = |part: &mut (u64, u64), hand: PartialHand, weight: u64| {
            part.0 += weight;
            part.1 += weight * u64::from(hand.cards().has_joker());
        };
        let join = |one: (u64, u64), other: (u64, u64)| (one.0 + other.0, one.1 + other.1);
        assert_eq!(classes.fold(|| (0, 0), count, join), (154_143_080, 20_358_520));
    }
}
