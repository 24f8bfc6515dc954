//! The order of the journal at a table: transfers come in the order of the commands that moved them.

use super::Finding;
use crate::{EventRow, JournalRow};
use std::collections::HashMap;

/// Returns the first transfer out of order. Positions are not hashed; the order of events fixes them.
pub(super) fn check(events: &[EventRow], journal: &[JournalRow]) -> Option<Finding> {
    let mut order: HashMap<(String, &str), u64> = HashMap::new();
    for row in events {
        order.entry((format!("{:?}", row.by), row.command.as_str())).or_insert(row.seq);
    }
    // Transfers of commands without an event are named elsewhere.
    let placed = journal.iter().filter_map(|row| {
        let seq = order.get(&(format!("{:?}", row.by), row.command.as_str()))?;
        Some((row, (*seq, row.number)))
    });
    let mut last = None;
    for (row, at) in placed {
        if last.is_some_and(|last| last >= at) {
            return Some(Finding {
                code: "journal_order",
                place: format!("transfer {}", row.transfer.id),
                says: format!("is at place {} of the journal, after one that moved later", row.place),
            });
        }
        last = Some(at);
    }
    None
}
