//! The hands that each clause of a house way decides, counted and drawn by kind.
//!
//! No house way can tell apart the hands of a kind (`worth_table.rs`), so a rare clause is found as fast as a common one:
//! a draw chooses a kind by its number of hands, and then the suits.

use crate::Census;
use crate::rank_pattern::RankPattern;
use crate::worth_table::{can_flush, kinds_of};
use paigow::{CardSet, Evaluator, HouseWay, Rank, Ranking, SevenCards};
use rayon::prelude::*;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Maximum number of house ways in memory, less than 1 MB each.
const CACHED_MAX: usize = 12;
/// Number of tries for suits without a flush. Less than a sixth of all suits make one.
const SUITS_TRIES: usize = 64;

/// The hands that each clause of a house way decides, under one ranking.
///
/// A hand is *contested* if the house way sets it differently without the clause that decides it. That includes every
/// hand that is set differently if the clause changes places with the next one, because the next clause then decides it
/// in both cases. A clause before it has no part in the hand.
pub struct DecidedHands {
    /// For each kind, the clause that decides, and whether its hands are contested.
    by_kind: Vec<(u16, bool)>,
    /// The clauses, in order.
    clauses: Vec<DecidedCount>,
}

/// Number of hands that a clause decides.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DecidedCount {
    /// Number of hands, out of 154,143,080.
    pub hands: u64,
    /// Number of these hands that are contested.
    pub contested: u64,
}

/// A hand that was drawn, with the clause that decides it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawnHand {
    /// The hand.
    pub hand: SevenCards,
    /// Index of the clause.
    pub clause: usize,
    /// Whether the hand is contested.
    pub contested: bool,
}

/// A kind of hands: its rank pattern, the ranks of the flush suit, and the number of hands.
struct HandKind {
    pattern: RankPattern,
    flush_ranks: u16,
    hands: u32,
}

/// All kinds of hands.
static KINDS: LazyLock<Vec<HandKind>> = LazyLock::new(|| {
    let kinds = RankPattern::all(7).into_iter().flat_map(|pattern| {
        let kinds = kinds_of(&pattern).into_iter();
        kinds.map(move |(flush_ranks, hands)| HandKind { pattern, flush_ranks, hands })
    });
    kinds.collect()
});

/// Key of decisions: the canonical form of the house way, and the ranking.
type Key = (String, Ranking);

/// Decisions of the house ways that were used last, the latest last.
static CACHE: Mutex<Vec<(Key, Arc<DecidedHands>)>> = Mutex::new(Vec::new());

impl DecidedHands {
    /// Decides a hand of every kind by a house way, or returns the decisions from memory.
    pub fn of(way: &HouseWay, ranking: Ranking) -> Arc<DecidedHands> {
        let key = (way.rules(), ranking);
        let cache = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = cache().iter().find(|(other, _)| *other == key) {
            return known.clone();
        }
        // Other threads need not wait. Two that compute the same decisions both succeed.
        let decided = Arc::new(DecidedHands::compute(way, ranking));
        let mut cache = cache();
        cache.retain(|(other, _)| *other != key);
        if cache.len() >= CACHED_MAX {
            cache.remove(0);
        }
        cache.push((key, decided.clone()));
        decided
    }

    fn compute(way: &HouseWay, ranking: Ranking) -> DecidedHands {
        let evaluator = Evaluator::of(ranking);
        let decide = |kind: &HandKind| {
            let hand = kind.pattern.hand(kind.flush_ranks);
            let decision = way.decide(hand, evaluator);
            let next = way.as_draft().decide_after(decision.clause, hand, evaluator);
            let strengths = (decision.setting.high_strength, decision.setting.low_strength);
            let is_other =
                |next: paigow::Decision| (next.setting.high_strength, next.setting.low_strength) != strengths;
            (decision.clause as u16, next.is_some_and(is_other))
        };
        let by_kind: Vec<(u16, bool)> = KINDS.par_iter().map(decide).collect();
        let mut clauses = vec![DecidedCount::default(); way.clauses().len()];
        for (kind, (clause, contested)) in KINDS.iter().zip(&by_kind) {
            let count = &mut clauses[usize::from(*clause)];
            count.hands += u64::from(kind.hands);
            count.contested += u64::from(kind.hands) * u64::from(*contested);
        }
        let hands: u64 = clauses.iter().map(|count| count.hands).sum();
        assert_eq!(hands, Census::HANDS, "the hands decided are not all hands");
        DecidedHands { by_kind, clauses }
    }

    /// Number of hands that each clause decides.
    pub fn clauses(&self) -> &[DecidedCount] {
        &self.clauses
    }

    /// Draws hands, each as likely as it is dealt, among those whose clause and whether they are contested is wanted.
    /// Returns an empty list if there are none.
    ///
    /// `below` returns random numbers below its argument. Equal numbers give equal hands.
    pub fn draw(
        &self,
        count: usize,
        wanted: impl Fn(usize, bool) -> bool,
        mut below: impl FnMut(u64) -> u64,
    ) -> Vec<DrawnHand> {
        let hands_of = |index: usize| {
            let (clause, contested) = self.by_kind[index];
            if wanted(usize::from(clause), contested) { u64::from(KINDS[index].hands) } else { 0 }
        };
        let total: u64 = (0..KINDS.len()).map(hands_of).sum();
        if total == 0 {
            return Vec::new();
        }
        let mut chosen: Vec<(u64, usize)> = (0..count).map(|draw| (below(total), draw)).collect();
        chosen.sort_unstable();
        let mut kinds = vec![0; count];
        let (mut next, mut passed) = (0, 0);
        for index in 0..KINDS.len() {
            passed += hands_of(index);
            while next < count && chosen[next].0 < passed {
                kinds[chosen[next].1] = index;
                next += 1;
            }
        }
        let hand = |index: usize| {
            let (clause, contested) = self.by_kind[index];
            DrawnHand { hand: KINDS[index].draw(&mut below), clause: clause.into(), contested }
        };
        kinds.into_iter().map(hand).collect()
    }
}

impl HandKind {
    /// Draws a hand of the kind. Every hand is equally likely.
    fn draw(&self, below: &mut impl FnMut(u64) -> u64) -> SevenCards {
        let HandKind { pattern, flush_ranks, .. } = self;
        if *flush_ranks != 0 {
            let flush_suit = below(4) as usize;
            let other_suits: Vec<usize> = (0..4).filter(|suit| *suit != flush_suit).collect();
            let mut masks = [0; 4];
            masks[flush_suit] = *flush_ranks;
            for (rank, count) in Rank::ALL.into_iter().zip(pattern.counts) {
                let others = usize::from(count) - usize::from(flush_ranks & rank.bit() != 0);
                add_suits(&mut masks, rank, &other_suits, others, below);
            }
            return hand_of(masks, pattern.joker).unwrap_or_else(|| pattern.hand(*flush_ranks));
        }
        let without_flush = (0..SUITS_TRIES).find_map(|_| {
            let mut masks = [0; 4];
            for (rank, count) in Rank::ALL.into_iter().zip(pattern.counts) {
                add_suits(&mut masks, rank, &[0, 1, 2, 3], usize::from(count), below);
            }
            let has_flush = masks.iter().any(|suit| can_flush(*suit, pattern.joker));
            hand_of(masks, pattern.joker).filter(|_| !has_flush)
        });
        without_flush.unwrap_or_else(|| pattern.hand(0))
    }
}

fn hand_of(masks: [u16; 4], joker: bool) -> Option<SevenCards> {
    SevenCards::new(CardSet::from_masks(masks, joker))
}

/// Adds cards of a rank in different suits.
fn add_suits(
    masks: &mut [u16; 4],
    rank: Rank,
    suits: &[usize],
    count: usize,
    below: &mut impl FnMut(u64) -> u64,
) {
    let mut left = suits.to_vec();
    for _ in 0..count {
        masks[left.swap_remove(below(left.len() as u64) as usize)] |= rank.bit();
    }
}
