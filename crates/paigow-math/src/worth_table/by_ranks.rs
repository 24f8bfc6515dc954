//! Wins and losses against the opponent's hands, as if none of them could make a flush.
//!
//! The number of opponent's hands that share no card with a hand P and lose to a setting is the sum over S ⊆ P of
//! (−1)^|S| times the number of losing hands among those that contain S. Without flushes, this number depends only on
//! the rank pattern of S, so the sum runs over the patterns that the pattern of P contains.

use super::build::{Queries, signed_sum};
use crate::dominance::Dominance;
use crate::progress::Progress;
use crate::rank_pattern::RankPattern;
use crate::set_hand::SetHand;
use paigow::rulebook::CopyWinner;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Work that [`sums`] reports: the rank patterns of sets of up to seven cards, each as this many classes of hands, by the
/// measured time.
pub(super) const WORK: u64 = {
    let (mut sets, mut cards) = (0, 0);
    while cards <= 7 {
        sets += RankPattern::count(cards);
        cards += 1;
    }
    sets * SET_WORK
};
const SET_WORK: u64 = 20;

/// Returns the sums of all queries. `opponent` has the setting of each pattern.
pub(super) fn sums(
    queries: &Queries,
    opponent: &[SetHand],
    copies: CopyWinner,
    progress: Progress<'_>,
) -> Vec<u64> {
    let sums: Vec<AtomicU64> = queries.settings.iter().map(|_| AtomicU64::new(0)).collect();
    let sets: Vec<(u8, RankPattern)> =
        (0..=7).flat_map(|cards| RankPattern::all(cards).into_iter().map(move |set| (cards, set))).collect();
    sets.par_iter().for_each_init(
        || (Dominance::new(), Vec::new()),
        |(below, supersets), (cards, set)| {
            progress(SET_WORK);
            supersets.clear();
            set.for_each_superset(&mut |pattern, hands, sets| {
                supersets.push((pattern as usize, hands, sets));
            });
            let hands = || supersets.iter().map(|(pattern, hands, _)| (opponent[*pattern], *hands));
            let hands = || hands().filter(|(set, _)| !set.pushes());
            below.clear_for(hands().map(|(set, _)| set));
            hands().for_each(|(set, hands)| below.add(set, hands));
            below.compute_sums();
            for (pattern, _, sets) in &*supersets {
                let times = if cards % 2 == 0 { i64::from(*sets) } else { -i64::from(*sets) };
                for query in queries.of_pattern(*pattern) {
                    let sum = signed_sum(below.wins_and_losses(queries.settings[query], copies));
                    sums[query].fetch_add(sum.wrapping_mul(times).cast_unsigned(), Ordering::Relaxed);
                }
            }
        },
    );
    sums.into_iter().map(AtomicU64::into_inner).collect()
}
