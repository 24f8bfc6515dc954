//! A table made again from its stored events.

use crate::RulesCache;
use paigow_table::{ConfigFault, InvalidEvent, Table, TableEvent, TableId};

/// Why stored events make no table.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The text is no event.
    #[error("event {seq} of table {table} cannot be read: {why}")]
    Unreadable {
        /// Of which table.
        table: TableId,
        /// Which event.
        seq: u64,
        /// Why not.
        why: String,
    },
    /// The event does not fit those before it.
    #[error("event {seq} of table {table} does not fit those before it: {why}")]
    InvalidEvent {
        /// Of which table.
        table: TableId,
        /// Which event.
        seq: u64,
        /// Why not.
        why: String,
    },
    /// The event is not the one that was written: its hash does not fit.
    #[error("event {seq} of table {table} is not what was written: its hash does not fit")]
    Chain {
        /// Of which table.
        table: TableId,
        /// Which event.
        seq: u64,
    },
    /// The rules the table was opened with are not to be had.
    #[error("table {table} cannot be played by its rules: {why}")]
    Rules {
        /// Which table.
        table: TableId,
        /// Why not.
        why: ConfigFault,
    },
}

/// An event as it is stored, read.
pub(crate) fn event_of(table: &TableId, seq: u64, json: &str) -> Result<TableEvent, ReplayError> {
    let unreadable =
        |why: serde_json::Error| ReplayError::Unreadable { table: table.clone(), seq, why: why.to_string() };
    serde_json::from_str(json).map_err(unreadable)
}

/// The table of a first event.
pub(crate) fn opened(
    id: &TableId,
    seq: u64,
    first: &TableEvent,
    library: &RulesCache,
) -> Result<Table, ReplayError> {
    let misfit = |why: String| ReplayError::InvalidEvent { table: id.clone(), seq, why };
    let TableEvent::Opened { config, rules, form, .. } = first else {
        return Err(misfit("a table begins with being opened".to_owned()));
    };
    if config.table != *id {
        return Err(misfit(format!("it opens table {}", config.table)));
    }
    let rules =
        library.find(config, rules, *form).map_err(|why| ReplayError::Rules { table: id.clone(), why })?;
    let table = Table::open(first, rules.table_rules).map_err(|InvalidEvent(why)| misfit(why))?;
    Ok(table.held_to(&rules.digest))
}

/// Lets one more event happen at a table that may not be there yet.
pub(crate) fn step(
    table: &mut Option<Table>,
    id: &TableId,
    seq: u64,
    event: &TableEvent,
    library: &RulesCache,
) -> Result<(), ReplayError> {
    match table {
        None => *table = Some(opened(id, seq, event, library)?),
        Some(table) => {
            table.apply(event).map_err(|InvalidEvent(why)| ReplayError::InvalidEvent {
                table: id.clone(),
                seq,
                why,
            })?;
        }
    }
    Ok(())
}
