//! Rebuilds a table from its stored events.

use super::rules_cache::LoadedRules;
use crate::RulesCache;
use paigow_table::{Checkpoint, ConfigFault, InvalidCheckpoint, InvalidEvent, Table, TableEvent, TableId};

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
    /// The checkpoint cannot be used.
    #[error("the checkpoint of table {table} at event {seq} cannot be used: {why}")]
    InvalidCheckpoint {
        /// Id of the table.
        table: TableId,
        /// Sequence number of the last event before the checkpoint.
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
    let rules = rules_of(id, first, rules_cache, invalid)?;
    let table = Table::open(first, rules.table_rules).map_err(|InvalidEvent(why)| invalid(why))?;
    Ok(table.with_rules_digest(&rules.digest))
}

/// Creates the table from its first event and the JSON of its checkpoint after event `seq`.
pub(crate) fn restored(
    id: &TableId,
    seq: u64,
    first: &TableEvent,
    checkpoint: &str,
    rules_cache: &RulesCache,
) -> Result<Table, ReplayError> {
    let invalid = |why: String| ReplayError::InvalidCheckpoint { table: id.clone(), seq, why };
    let faults = |InvalidCheckpoint(faults)| invalid(faults.join("; "));
    let rules = rules_of(id, first, rules_cache, invalid)?;
    let checkpoint = Checkpoint::from_json(checkpoint).map_err(faults)?;
    let table = Table::restore(first, rules.table_rules, &checkpoint).map_err(faults)?;
    Ok(table.with_rules_digest(&rules.digest))
}

/// Finds the rules of a table by its first event.
fn rules_of(
    id: &TableId,
    first: &TableEvent,
    rules_cache: &RulesCache,
    invalid: impl Fn(String) -> ReplayError,
) -> Result<LoadedRules, ReplayError> {
    let TableEvent::Opened { config, rules, form, .. } = first else {
        return Err(invalid("the first event of a table must open it".to_owned()));
    };
    if config.table != *id {
        return Err(invalid(format!("it opens table {}", config.table)));
    }
    let found = rules_cache.find(config, rules, *form);
    found.map_err(|why| ReplayError::Rules { table: id.clone(), why })
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
