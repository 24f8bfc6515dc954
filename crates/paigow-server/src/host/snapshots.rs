//! Places in a table's past from which it can be read on. The last rounds are asked for again and again: reading all the others before
//! them each time would make a table slower the longer it is open.

/// How many rounds the nearest snapshots are apart.
const APART: u64 = 16;
/// How many times as far back as it is apart from its like a snapshot is kept. Then a round so many rounds ago is read from a snapshot that is at
/// most two thirds as many rounds before it, and the snapshots of a million rounds are fewer than fifty.
const KEPT: u64 = 4;

/// What a table was at the beginning of some of its rounds: of fewer the longer ago.
pub(super) struct Snapshots<T>(Vec<(u64, T)>);

impl<T> Default for Snapshots<T> {
    fn default() -> Snapshots<T> {
        Snapshots(Vec::new())
    }
}

impl<T> Snapshots<T> {
    /// A round begins; what is to be kept of it, if this one is.
    pub(super) fn begin(&mut self, round: u64, snapshot: impl FnOnce() -> T) {
        if round.is_multiple_of(APART) {
            self.0.retain(|(marked, _)| round - marked <= KEPT * apart(*marked));
            self.0.push((round, snapshot()));
        }
    }

    /// The last snapshot before a round.
    pub(super) fn before(&self, round: u64) -> Option<&T> {
        self.0.iter().rev().find(|(marked, _)| *marked < round).map(|(_, snapshot)| snapshot)
    }
}

/// How far a round is apart from those with as many twos in them.
const fn apart(round: u64) -> u64 {
    1 << round.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_round_is_near_a_mark_for_how_long_ago_it_was() {
        let mut snapshots = Snapshots::default();
        for now in 1..=3_000_u64 {
            snapshots.begin(now, || now);
            for round in 1..=now {
                let from = snapshots.before(round).copied().unwrap_or(0);
                assert!(from < round);
                let ago = now - round;
                let most = (2 * ago / 3).max(APART);
                assert!(round - from <= most, "in round {now} round {round} is read from {from}");
            }
        }
    }

    #[test]
    fn there_are_few_marks_however_long_a_table_is_open() {
        let mut snapshots = Snapshots::default();
        for now in 1..=1_000_000_u64 {
            snapshots.begin(now, || now);
            assert!(snapshots.0.len() < 50, "{} snapshots in round {now}", snapshots.0.len());
        }
    }
}
