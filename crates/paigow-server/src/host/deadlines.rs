//! When something is due at which table.

use paigow_table::{TableId, Time};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The deadlines of all tables in memory.
#[derive(Default)]
pub(crate) struct Deadlines(Mutex<Dues>);

#[derive(Default)]
struct Dues {
    of: HashMap<TableId, Time>,
    in_order: BTreeSet<(Time, TableId)>,
}

impl Dues {
    fn set(&mut self, table: &TableId, due: Option<Time>) {
        let before = match due {
            Some(due) => self.of.insert(table.clone(), due),
            None => self.of.remove(table),
        };
        if before == due {
            return;
        }
        if let Some(before) = before {
            self.in_order.remove(&(before, table.clone()));
        }
        if let Some(due) = due {
            self.in_order.insert((due, table.clone()));
        }
    }
}

impl Deadlines {
    fn dues(&self) -> MutexGuard<'_, Dues> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says when something is due at a table, if anything is.
    pub(crate) fn set(&self, table: &TableId, due: Option<Time>) {
        self.dues().set(table, due);
    }

    /// Says when what could not be seen to is to be tried again, unless another deadline has come since.
    pub(crate) fn again(&self, table: &TableId, at: Time) {
        let mut dues = self.dues();
        if !dues.of.contains_key(table) {
            dues.set(table, Some(at));
        }
    }

    /// Takes out what is due.
    pub(crate) fn take_due(&self, now: Time) -> Vec<(TableId, Time)> {
        let mut dues = self.dues();
        let mut taken = Vec::new();
        while let Some((due, table)) = dues.in_order.first().cloned().filter(|(due, _)| *due <= now) {
            dues.set(&table, None);
            taken.push((table, due));
        }
        taken
    }

    /// When the next one is due.
    pub(crate) fn next_due(&self) -> Option<Time> {
        self.dues().in_order.first().map(|(due, _)| *due)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str) -> TableId {
        name.parse().unwrap_or_else(|_| panic!("{name}"))
    }

    #[test]
    fn what_is_due_comes_in_order_and_once_and_a_deadline_that_moved_counts_anew() {
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
        deadlines.again(&table("a"), Time(50));
        deadlines.again(&table("c"), Time(45));
        assert_eq!(deadlines.take_due(Time(100)), [(table("c"), Time(40)), (table("a"), Time(50))]);
        assert_eq!(deadlines.next_due(), None);
    }
}
