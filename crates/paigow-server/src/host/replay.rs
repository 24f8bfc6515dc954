//! Rebuilds a table from its stored events.

use crate::RulesCache;
use paigow_table::{ConfigFault, InvalidEvent, Table, TableEvent, TableId};

/// Why a table cannot be rebuilt from its stored events.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The stored text is not a valid event.
    #[error("event {seq} of table {table} cannot be read: {why}")]
    Unreadable {
        /// Id of the table.
        table: TableId,
        /// Sequence number of the event.
        seq: u64,
        /// Error of the parser.
        why: String,
    },
    /// The event cannot follow the events before it.
    #[error("event {seq} of table {table} is invalid after the events before it: {why}")]
    InvalidEvent {
        /// Id of the table.
        table: TableId,
        /// Sequence number of the event.
        seq: u64,
        /// Reason.
        why: String,
    },
    /// The hash of the event does not match: the event, its command or the log before it was changed.
    #[error("the log is damaged at event {seq} of table {table}: its hash does not match")]
    Chain {
        /// Id of the table.
        table: TableId,
        /// Sequence number of the event.
        seq: u64,
    },
    /// The rules the table was opened with are not available.
    #[error("the rules of table {table} are not available: {why}")]
    Rules {
        /// Id of the table.
        table: TableId,
        /// Fault of the table's configuration.
        why: ConfigFault,
    },
}

/// Parses a stored event.
pub(crate) fn parse_event(table: &TableId, seq: u64, json: &str) -> Result<TableEvent, ReplayError> {
    let unreadable =
        |why: serde_json::Error| ReplayError::Unreadable { table: table.clone(), seq, why: why.to_string() };
    serde_json::from_str(json).map_err(unreadable)
}

/// Creates the table from its first event, which must be `Opened`.
pub(crate) fn opened(
    id: &TableId,
    seq: u64,
    first: &TableEvent,
    rules_cache: &RulesCache,
) -> Result<Table, ReplayError> {
    let invalid = |why: String| ReplayError::InvalidEvent { table: id.clone(), seq, why };
    let TableEvent::Opened { config, rules, form, .. } = first else {
        return Err(invalid("the first event of a table must open it".to_owned()));
    };
    if config.table != *id {
        return Err(invalid(format!("it opens table {}", config.table)));
    }
    let rules = rules_cache
        .find(config, rules, *form)
        .map_err(|why| ReplayError::Rules { table: id.clone(), why })?;
    let table = Table::open(first, rules.table_rules).map_err(|InvalidEvent(why)| invalid(why))?;
    Ok(table.with_rules_digest(&rules.digest))
}

/// Applies one event. Creates the table if the event is its first.
pub(crate) fn step(
    table: &mut Option<Table>,
    id: &TableId,
    seq: u64,
    event: &TableEvent,
    rules_cache: &RulesCache,
) -> Result<(), ReplayError> {
    match table {
        None => *table = Some(opened(id, seq, event, rules_cache)?),
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
