//! Deadlines of tables, ordered by time.

use paigow_table::{TableId, Time};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Deadlines of the tables in memory, at most one for each.
#[derive(Default)]
pub(crate) struct Deadlines(Mutex<State>);

#[derive(Default)]
struct State {
    by_table: HashMap<TableId, Time>,
    by_time: BTreeSet<(Time, TableId)>,
}

impl State {
    fn set(&mut self, table: &TableId, due: Option<Time>) {
        let before = match due {
            Some(due) => self.by_table.insert(table.clone(), due),
            None => self.by_table.remove(table),
        };
        if before == due {
            return;
        }
        if let Some(before) = before {
            self.by_time.remove(&(before, table.clone()));
        }
        if let Some(due) = due {
            self.by_time.insert((due, table.clone()));
        }
    }
}

impl Deadlines {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets or clears the deadline of a table.
    pub(crate) fn set(&self, table: &TableId, due: Option<Time>) {
        self.state().set(table, due);
    }

    /// Schedules a retry at a table, unless the table has a deadline.
    pub(crate) fn retry_at(&self, table: &TableId, at: Time) {
        let mut state = self.state();
        if !state.by_table.contains_key(table) {
            state.set(table, Some(at));
        }
    }

    /// Removes and returns the expired deadlines, in the order of their times.
    pub(crate) fn take_due(&self, now: Time) -> Vec<(TableId, Time)> {
        let mut state = self.state();
        let mut expired = Vec::new();
        while let Some((due, table)) = state.by_time.first().cloned().filter(|(due, _)| *due <= now) {
            state.set(&table, None);
            expired.push((table, due));
        }
        expired
    }

    /// Time of the earliest deadline.
    pub(crate) fn next_due(&self) -> Option<Time> {
        self.state().by_time.first().map(|(due, _)| *due)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str) -> TableId {
        name.parse().unwrap_or_else(|_| panic!("{name}"))
    }

    #[test]
    fn expired_deadlines_are_taken_once_in_order_of_time() {
        let deadlines = Deadlines::default();
        deadlines.set(&table("a"), Some(Time(30)));
        deadlines.set(&table("b"), Some(Time(10)));
        deadlines.set(&table("c"), Some(Time(20)));
        deadlines.set(&table("c"), Some(Time(40)));
        deadlines.set(&table("d"), Some(Time(5)));
        deadlines.set(&table("d"), None);
        assert_eq!(deadlines.next_due(), Some(Time(10)));
        let due = deadlines.take_due(Time(30));
        assert_eq!(due, [(table("b"), Time(10)), (table("a"), Time(30))]);
        assert_eq!(deadlines.take_due(Time(30)), []);
        deadlines.retry_at(&table("a"), Time(50));
        deadlines.retry_at(&table("c"), Time(45));
        assert_eq!(deadlines.take_due(Time(100)), [(table("c"), Time(40)), (table("a"), Time(50))]);
        assert_eq!(deadlines.next_due(), None);
    }
}
