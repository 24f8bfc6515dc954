//! Choice of the rounds that are sealed next.

use paigow_table::Time;

/// Which rounds of a table are sealed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SealRule {
    /// Only events before this time are sealed.
    pub before: Time,
    /// Minimum number of rounds in a block of an open table. Small blocks take more space for each round.
    pub rounds_min: u64,
}

/// Outcome of sealing the oldest rounds of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SealOutcome {
    /// Events were sealed in a block. There may be more.
    Sealed {
        /// Number of events.
        events: u64,
        /// Number of rounds that end in the block.
        rounds: u64,
    },
    /// No events are old enough, too few rounds are, or another process seals them.
    Nothing,
}

/// Maximum number of rounds in a block. Reading one event opens its whole block.
const ROUNDS_MAX: u64 = 32;

/// Number of events that are read to find the end of a block.
pub(super) const WINDOW: u32 = 10_000;

/// Sequence number, round and time of an event, and whether it is the first event of its command.
pub(super) type EventPosition = (u64, u64, Time, bool);

impl SealRule {
    /// Default minimum number of rounds in a block of an open table.
    pub const ROUNDS_MIN: u64 = 16;

    /// Returns the last event of the next block and its number of rounds, or `None` if there is no block to seal.
    ///
    /// `rows` are the oldest events of a table that are not sealed, at most [`WINDOW`]. `is_closed` says whether the last one closed the
    /// table.
    pub(super) fn end(&self, rows: &[EventPosition], is_closed: bool) -> Option<(u64, u64)> {
        let (_, first_round, _, _) = *rows.first()?;
        let is_old = |(_, _, at, _): &EventPosition| *at < self.before;
        // A command may free seats and open a round. A block ends before the first event of such a command, so that a command
        // and its events are in one place.
        let before_command = |index: usize| {
            let first = rows.iter().take(index + 1).rposition(|(_, _, _, is_first)| *is_first)?;
            rows.get(first.checked_sub(1)?)
        };
        let starts_round = |index: &usize| rows[index - 1].1 < rows[*index].1;
        let ends = (1..rows.len())
            .filter(starts_round)
            .filter_map(|index| Some((before_command(index)?, rows[index].1 - first_round)));
        let end = ends.take_while(|(last, rounds)| is_old(last) && *rounds <= ROUNDS_MAX).last();
        let whole = rows.len().checked_sub(1).and_then(before_command).filter(|_| is_closed);
        let whole = whole
            .filter(|last| is_old(last) && last.1 - first_round < ROUNDS_MAX)
            .map(|last| (last.0, last.1 - first_round + 1));
        whole.or_else(|| {
            end.filter(|(_, rounds)| *rounds >= self.rounds_min || is_closed)
                .map(|((seq, _, _, _), rounds)| (*seq, rounds))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three events in each of `rounds` rounds after one event of round 0, a second apart.
    fn rows(rounds: u64) -> Vec<EventPosition> {
        let events = (1..=rounds).flat_map(|round| [round; 3]);
        std::iter::once(0)
            .chain(events)
            .zip(1..)
            .map(|(round, seq)| (seq, round, Time(seq * 1_000), true))
            .collect()
    }

    fn end(rounds: u64, is_closed: bool, before: u64, rounds_min: u64) -> Option<(u64, u64)> {
        SealRule { before: Time(before), rounds_min }.end(&rows(rounds), is_closed)
    }

    #[test]
    fn blocks_end_before_a_round() {
        assert_eq!(end(0, false, u64::MAX, 1), None);
        assert_eq!(end(1, false, u64::MAX, 1), Some((1, 1)), "the event before round 1");
        assert_eq!(end(3, false, u64::MAX, 1), Some((7, 3)));
        assert_eq!(end(3, false, u64::MAX, 4), None, "too few rounds");
        assert_eq!(end(3, false, 7_000, 1), Some((4, 2)), "event 7 is not older");
        assert_eq!(end(3, false, 1_000, 1), None);
        assert_eq!(end(100, false, u64::MAX, 16), Some((1 + 31 * 3, 32)));
    }

    #[test]
    fn last_event_of_a_closed_table_stays() {
        assert_eq!(end(3, true, u64::MAX, 16), Some((9, 4)));
        assert_eq!(end(3, true, 9_000, 16), Some((7, 3)), "event 9 is not older");
        assert_eq!(end(100, true, u64::MAX, 16), Some((1 + 31 * 3, 32)));
        assert_eq!(end(0, true, u64::MAX, 16), None, "its only event");
    }

    #[test]
    fn commands_are_not_split() {
        let rule = SealRule { before: Time(u64::MAX), rounds_min: 1 };
        // Event 5 frees a seat in the command that opens round 2 with event 6.
        let mut played = rows(2);
        (played[4].1, played[5].3) = (1, false);
        assert_eq!(rule.end(&played, false), Some((4, 2)));
        assert_eq!(rule.end(&played[4..], false), None, "there is no event before the command");
        // Events 6 and 7 are the last command of a closed table.
        played[6].3 = false;
        assert_eq!(rule.end(&played, true), Some((4, 2)));
    }
}
