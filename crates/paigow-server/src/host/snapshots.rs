//! Snapshots of a table's past states, from which its log can be replayed.
//!
//! Clients mostly ask for recent rounds. Without snapshots every such request would replay the whole log of the table.

/// Number of rounds between the most recent snapshots.
const INTERVAL: u64 = 16;
/// How long a snapshot is kept, as a multiple of its spacing.
///
/// With 4, a round that was `n` rounds ago is replayed from a snapshot at most `2n/3` rounds before it, and a million
/// rounds have fewer than fifty snapshots.
const KEPT_SPACINGS: u64 = 4;

/// States of a table at the start of some of its rounds. Older snapshots are further apart.
pub(super) struct Snapshots<T>(Vec<(u64, T)>);

impl<T> Default for Snapshots<T> {
    fn default() -> Snapshots<T> {
        Snapshots(Vec::new())
    }
}

impl<T> Snapshots<T> {
    /// Records that a round begins. Calls `snapshot` only if a snapshot of this round is kept.
    pub(super) fn begin(&mut self, round: u64, snapshot: impl FnOnce() -> T) {
        if round.is_multiple_of(INTERVAL) {
            self.0.retain(|(kept, _)| round - kept <= KEPT_SPACINGS * spacing(*kept));
            self.0.push((round, snapshot()));
        }
    }

    /// Returns the last snapshot before a round.
    pub(super) fn before(&self, round: u64) -> Option<&T> {
        self.0.iter().rev().find(|(kept, _)| *kept < round).map(|(_, snapshot)| snapshot)
    }
}

/// Largest power of two that divides the round: the spacing of the rounds that it is kept with.
const fn spacing(round: u64) -> u64 {
    1 << round.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_to_a_snapshot_is_bounded_by_the_age_of_the_round() {
        let mut snapshots = Snapshots::default();
        for current in 1..=3_000_u64 {
            snapshots.begin(current, || current);
            for round in 1..=current {
                let from = snapshots.before(round).copied().unwrap_or(0);
                assert!(from < round);
                let ago = current - round;
                let distance_max = (2 * ago / 3).max(INTERVAL);
                assert!(
                    round - from <= distance_max,
                    "in round {current} round {round} is replayed from {from}"
                );
            }
        }
    }

    #[test]
    fn number_of_snapshots_stays_below_fifty() {
        let mut snapshots = Snapshots::default();
        for current in 1..=1_000_000_u64 {
            snapshots.begin(current, || current);
            assert!(snapshots.0.len() < 50, "{} snapshots in round {current}", snapshots.0.len());
        }
    }
}
