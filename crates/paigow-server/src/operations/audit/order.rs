//! Checks the order of a table's transfers, which must be that of their commands.

use super::Finding;
use crate::{EventRow, JournalRow};
use std::collections::HashMap;

/// Returns the first transfer out of order. Journal positions are not hashed, but the order of the events determines
/// their order.
pub(in crate::operations) fn check(events: &[EventRow], journal: &[JournalRow]) -> Option<Finding> {
    let mut order: HashMap<(String, &str), u64> = HashMap::new();
    for row in events {
        order.entry((format!("{:?}", row.by), row.command.as_str())).or_insert(row.seq);
    }
    // Transfers whose command has no event are reported elsewhere.
    let ordered = journal.iter().filter_map(|row| {
        let seq = order.get(&(format!("{:?}", row.by), row.command.as_str()))?;
        Some((row, (*seq, row.number)))
    });
    let mut last = None;
    for (row, key) in ordered {
        if last.is_some_and(|last| last >= key) {
            let message = format!("is at position {} of the journal, after a later transfer", row.seq);
            return Some(Finding::new("journal_order", format!("transfer {}", row.transfer.id), message));
        }
        last = Some(key);
    }
    None
}
