//! Corrections for the opponent's hands that a flush sets differently, suit by suit.
//!
//! Let P hold the ranks m in a suit, and d(r) cards of each rank r in the other suits. An opponent's hand that makes a
//! flush in this suit has at least five of its cards, where the joker counts as one, so it has at most two cards of other
//! suits. It shares no card with P if its cards of the suit are not in m and its other cards are free. There are 3 − d(a)
//! free cards of rank a in the other suits. So the number of hands with the same cards in the suit and other cards of the
//! ranks a and b is (3 − d(a))·(3 − d(b)), or 3 − 2·d(a) + C(d(a), 2) if a = b. This is a polynomial in d. The wins and
//! losses are counted once for each m and each term of the polynomial, and every pattern that contains m combines them.

use super::build::{Queries, signed_sum};
use crate::dominance::Dominance;
use crate::hand_table::choose;
use crate::house_way_settings::{FlushSetting, NO_RANK, SuitedCards};
use crate::progress::Progress;
use crate::rank_pattern::{RANKS, RankPattern};
use crate::set_hand::SetHand;
use paigow::rulebook::CopyWinner;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Corrections of all queries, for each set of ranks that a hand of the query's pattern may hold in a suit.
pub(super) struct SuitSums {
    /// Index of each pattern's first sum.
    first: Vec<usize>,
    sums: Vec<AtomicU64>,
}

/// Number of terms of the polynomial: 1, d(a), and d(a)·d(b) or C(d(a), 2).
const TERMS: usize = 1 + RANKS + RANKS * (RANKS + 1) / 2;

/// Index of the term of one rank.
const fn single(rank: usize) -> usize {
    1 + rank
}

/// Index of the term of two ranks, the lower first.
const fn double(low: usize, high: usize) -> usize {
    1 + RANKS + high * (high + 1) / 2 + low
}

/// Work that [`SuitSums::of`] reports: the sets of ranks that a hand may hold in a suit, with the joker or without, each as this
/// many classes of hands, by the measured time.
pub(super) const WORK: u64 = HELD_SETS * HELD_WORK;
const HELD_SETS: u64 = 9_908;
const HELD_WORK: u64 = 2_300;

impl SuitSums {
    /// Sums over the opponent's hands in `suited`.
    pub(super) fn of(
        queries: &Queries,
        patterns: &[RankPattern],
        suited: &[SuitedCards],
        copies: CopyWinner,
        progress: Progress<'_>,
    ) -> SuitSums {
        let mut first = Vec::with_capacity(patterns.len());
        let mut count = 0;
        for (index, pattern) in patterns.iter().enumerate() {
            first.push(count);
            count += queries.of_pattern(index).len() << pattern.ranks().count_ones();
        }
        let sums = std::iter::repeat_with(|| AtomicU64::new(0)).take(count).collect();
        let all = SuitSums { first, sums };
        let held: Vec<(u16, bool)> = (0..1 << RANKS)
            .flat_map(|ranks: u16| [(ranks, false), (ranks, true)])
            .filter(|(ranks, joker)| ranks.count_ones() + u32::from(*joker) <= 7)
            .collect();
        assert_eq!(held.len() as u64, HELD_SETS, "the sets of ranks are not all sets");
        held.par_iter().for_each_init(Worker::new, |worker, &(ranks, joker)| {
            progress(HELD_WORK);
            let free = 7 - ranks.count_ones() as usize - usize::from(joker);
            worker.count(suited, ranks, joker, free);
            let mut others = RankPattern { counts: [0; RANKS], joker };
            worker.visit(&mut others, 0, free, &mut |worker, others| {
                all.add(queries, worker, ranks, others, copies);
            });
        });
        all
    }

    /// Computes the sums of the pattern that holds these ranks in the suit and these cards in other suits.
    fn add(&self, queries: &Queries, worker: &Worker, ranks: u16, others: &RankPattern, copies: CopyWinner) {
        let mut pattern = *others;
        for (rank, count) in pattern.counts.iter_mut().enumerate() {
            *count += (ranks >> rank & 1) as u8;
        }
        let index = pattern.index();
        let range = self.range(queries, index, pattern.ranks(), ranks);
        let (terms, count) = worker.terms(others);
        for (query, sum) in queries.of_pattern(index).zip(&self.sums[range]) {
            let setting = queries.settings[query];
            let add = |total: i64, (term, times): &(usize, i64)| {
                let counted = signed_sum(worker.terms[*term].wins_and_losses(setting, copies));
                total.wrapping_add(counted.wrapping_mul(*times))
            };
            sum.store(terms[..count].iter().fold(0, add).cast_unsigned(), Ordering::Relaxed);
        }
    }

    fn range(&self, queries: &Queries, pattern: usize, ranks: u16, held: u16) -> std::ops::Range<usize> {
        let count = queries.of_pattern(pattern).len();
        let start = self.first[pattern] + subset_index(held, ranks) * count;
        start..start + count
    }

    /// Returns the sums of a pattern's queries, for a hand that holds these ranks in the suit. `ranks` are all ranks of
    /// the pattern.
    pub(super) fn get(&self, queries: &Queries, pattern: usize, ranks: u16, held: u16) -> &[AtomicU64] {
        &self.sums[self.range(queries, pattern, ranks, held)]
    }
}

/// Index of a subset of these ranks, with one bit for each of the ranks.
fn subset_index(subset: u16, ranks: u16) -> usize {
    let (mut index, mut bit, mut left) = (0, 1, ranks);
    while left != 0 {
        if subset & left & left.wrapping_neg() != 0 {
            index |= bit;
        }
        bit <<= 1;
        left &= left - 1;
    }
    index
}

/// Counts of one worker thread, for one set of ranks held in a suit.
struct Worker {
    terms: Vec<Dominance>,
    /// Hands of each term, with their signed number.
    hands: Vec<Vec<(SetHand, u32)>>,
}

impl Worker {
    fn new() -> Worker {
        Worker {
            terms: std::iter::repeat_with(Dominance::new).take(TERMS).collect(),
            hands: vec![Vec::new(); TERMS],
        }
    }

    /// Counts the opponent's hands without these cards. Terms with more ranks than `free` are not needed.
    fn count(&mut self, suited: &[SuitedCards], held: u16, joker: bool, free: usize) {
        self.hands.iter_mut().for_each(Vec::clear);
        let possible = suited.iter().filter(|suited| suited.ranks & held == 0 && !(suited.joker && joker));
        for FlushSetting { others, set, by_ranks } in possible.flat_map(|suited| &suited.settings) {
            let mut add = |term: usize, hands: i32| {
                if !set.pushes() {
                    self.hands[term].push((*set, hands.cast_unsigned()));
                }
                if !by_ranks.pushes() {
                    self.hands[term].push((*by_ranks, (-hands).cast_unsigned()));
                }
            };
            match others.map(usize::from) {
                [NONE, _] => add(0, 1),
                [one, NONE] => {
                    add(0, 3);
                    add(single(one), -1);
                }
                [one, other] => {
                    let (all, without, both) = if one == other { (3, -2, 1) } else { (9, -3, 1) };
                    add(0, all);
                    add(single(one), without);
                    if one != other {
                        add(single(other), without);
                    }
                    if free > 1 {
                        add(double(one, other), both);
                    }
                }
            }
        }
        for (term, hands) in self.terms.iter_mut().zip(&self.hands) {
            if hands.is_empty() {
                continue;
            }
            term.clear_for(hands.iter().map(|(set, _)| *set));
            for (set, hands) in hands {
                term.add(*set, *hands);
            }
            term.compute_sums();
        }
    }

    /// Visits every way to hold `free` cards of other suits, of the ranks from `rank` up.
    fn visit(
        &self,
        others: &mut RankPattern,
        rank: usize,
        free: usize,
        visit: &mut impl FnMut(&Worker, &RankPattern),
    ) {
        if rank == RANKS {
            if free == 0 {
                visit(self, others);
            }
            return;
        }
        for count in 0..=free.min(3) {
            others.counts[rank] = count as u8;
            self.visit(others, rank + 1, free - count, visit);
        }
        others.counts[rank] = 0;
    }

    /// Terms that are not zero for these cards of other suits, with their factors.
    fn terms(&self, others: &RankPattern) -> ([(usize, i64); 1 + 7 + 28], usize) {
        let (mut terms, mut count) = ([(0, 0); 1 + 7 + 28], 0);
        let mut add = |term: usize, times: i64| {
            if times != 0 && !self.hands[term].is_empty() {
                terms[count] = (term, times);
                count += 1;
            }
        };
        add(0, 1);
        for (high, held) in others.counts.iter().enumerate().filter(|(_, held)| **held > 0) {
            add(single(high), i64::from(*held));
            add(double(high, high), i64::from(choose(usize::from(*held), 2)));
            for (low, lower) in others.counts[..high].iter().enumerate() {
                add(double(low, high), i64::from(*held) * i64::from(*lower));
            }
        }
        (terms, count)
    }
}

/// [`NO_RANK`] as an index.
const NONE: usize = NO_RANK as usize;
