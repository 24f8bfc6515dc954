//! A table in memory.

use super::snapshots::Snapshots;
use super::{HostError, ReplayError};
use crate::Tip;
use crate::live::Feed;
use paigow_table::{Account, InvalidEvent, Table, TableEvent, Time};
use std::collections::BTreeSet;
use tokio::sync::Mutex as AsyncMutex;
use tokio::time::Instant;

/// In-memory state of a table; `None` until loaded.
pub(super) type TableSlot = AsyncMutex<Option<LoadedTable>>;

/// A table in memory. Its events are a prefix of the stored log.
pub(super) struct LoadedTable {
    pub(super) table: Table,
    pub(super) tip: Tip,
    /// Feed of events to viewers.
    pub(super) feed: Feed,
    /// State at the start of some of its rounds.
    pub(super) snapshots: Snapshots<TableSnapshot>,
    /// Time of the last access to the table.
    pub(super) last_used: Instant,
    /// Whether its escrow and the seated players' balances were verified against the store.
    pub(super) is_checked: bool,
    /// Players' accounts whose balance was verified against the journal.
    pub(super) verified: BTreeSet<Account>,
    /// Players' accounts logged because their balance is not the sum of their journal.
    pub(super) mismatched: BTreeSet<Account>,
}

/// State of a table after its first `seq` events.
#[derive(Clone, Default)]
pub(super) struct TableSnapshot {
    /// `None` before the first event.
    pub(super) table: Option<Table>,
    pub(super) seq: u64,
    /// Hash of the last event.
    pub(super) hash: [u8; 32],
}

impl LoadedTable {
    pub(super) fn new(table: Table, tip: Tip) -> LoadedTable {
        let (feed, snapshots, verified, mismatched) = Default::default();
        LoadedTable {
            table,
            tip,
            feed,
            snapshots,
            last_used: Instant::now(),
            is_checked: false,
            verified,
            mismatched,
        }
    }
}

/// Applies an event to a table in memory and publishes it to the feed.
///
/// Every event after the first is applied here exactly once and in order: local events after their commit, remote
/// events when they are read.
pub(super) fn advance(
    loaded: &mut LoadedTable,
    tip: Tip,
    at: Time,
    event: &TableEvent,
) -> Result<(), ReplayError> {
    let seq = tip.seq;
    let invalid =
        |table: &Table, why: String| ReplayError::InvalidEvent { table: table.id().clone(), seq, why };
    if seq != loaded.tip.seq + 1 {
        return Err(invalid(&loaded.table, format!("event {} is missing", loaded.tip.seq + 1)));
    }
    loaded.table.apply(event).map_err(|InvalidEvent(why)| invalid(&loaded.table, why))?;
    let previous_hash = std::mem::replace(&mut loaded.tip, tip).hash;
    if let TableEvent::RoundOpened { round, .. } = event {
        loaded.snapshots.begin(*round, || TableSnapshot {
            table: Some(loaded.table.clone()),
            seq,
            hash: tip.hash,
        });
    }
    loaded.feed.publish(&loaded.table, previous_hash, tip, at, event);
    Ok(())
}

/// Empties the slot if an event was invalid, because the table must not be used after that.
pub(super) fn drop_if_invalid(
    slot: &mut Option<LoadedTable>,
    advanced: Result<(), ReplayError>,
) -> Result<(), HostError> {
    if advanced.is_err() {
        *slot = None;
    }
    Ok(advanced?)
}
