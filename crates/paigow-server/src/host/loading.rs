//! Loading of tables from the store.

use super::loaded_table::{LoadedTable, TableSlot, TableSnapshot, advance, drop_if_invalid};
use super::{Host, HostError, ReplayError, integrity, replay};
use crate::{Environment, LogRow, Store, StoreError, Tip};
use paigow_table::{InvalidEvent, PlantedFault, Table, TableId, planted};
use std::sync::{Arc, PoisonError};
use tokio::time::Instant;

/// Number of events read at once, because a table's log may not fit in memory.
pub(super) const LOG_PAGE: u32 = 10_000;

/// Process that decided an event.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EventSource {
    /// This process.
    Local,
    /// Another process; this one read the event from the store.
    Remote,
}

/// Delay after a deadline if another process decided last, in milliseconds. That process fires the deadline first,
/// unless it has stopped.
const REMOTE_DELAY_MS: u64 = 400;

impl<S: Store, E: Environment> Host<S, E> {
    /// Returns the slot of a table, and creates an empty one if there is none.
    pub(super) fn slot(&self, table: &TableId) -> Arc<TableSlot> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.entry(table.clone()).or_default().clone()
    }

    /// Returns the table in its slot. Loads it from the store if the slot is empty.
    pub(super) async fn load<'s>(
        &self,
        id: &TableId,
        slot: &'s mut Option<LoadedTable>,
    ) -> Result<&'s mut LoadedTable, HostError> {
        if slot.is_none() {
            self.integrity.check(id)?;
            // The slot is filled only after the whole log has been read.
            let mut read = None;
            self.read(id, &mut read).await?;
            *slot = read;
        }
        if slot.is_none() {
            self.forget(id);
        }
        let loaded = slot.as_mut().ok_or_else(|| HostError::NoSuchTable(id.clone()))?;
        loaded.last_used = Instant::now();
        Ok(loaded)
    }

    /// Removes the slot of a table that does not exist, so that requests for unknown tables use no memory.
    pub(super) fn forget(&self, id: &TableId) {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// Reads events appended by other processes. Returns whether the table changed.
    pub(super) async fn refresh(
        &self,
        id: &TableId,
        slot: &mut Option<LoadedTable>,
    ) -> Result<bool, HostError> {
        self.load(id, slot).await?;
        self.read(id, slot).await
    }

    /// Reads the log from the last known event. Returns whether the table changed.
    pub(super) async fn read(&self, id: &TableId, slot: &mut Option<LoadedTable>) -> Result<bool, HostError> {
        let rows = self.next_page(id, slot.as_ref()).await;
        self.read_from(id, slot, rows).await
    }

    /// Applies one page of the log and all later pages. Returns whether the table changed.
    ///
    /// The page must start with the last known event. If it does not, the store went back to an earlier state. The host
    /// then drops the table and its feed and reloads the table.
    pub(super) async fn read_rows(
        &self,
        id: &TableId,
        slot: &mut Option<LoadedTable>,
        mut rows: Vec<LogRow>,
    ) -> Result<bool, HostError> {
        let mut changed = false;
        loop {
            if let Some(loaded) = slot
                && rows.first().map(LogRow::tip) != Some(loaded.tip)
                && !planted(PlantedFault::KeepStaleTable)
            {
                tracing::warn!(table = %id, seq = loaded.tip.seq, "the store went back to an earlier state");
                self.rollback.note_mismatch(id, loaded.tip.seq);
                loaded.feed.mark_rolled_back();
                *slot = None;
                self.deadlines.set(id, None);
                changed = true;
                rows = self.next_page(id, None).await?;
            }
            // Boxed, because few tables take this path and every command would carry its state.
            if slot.is_none() && Box::pin(self.restore_before(id, slot, &mut rows)).await? {
                changed = true;
                self.apply_rows(id, slot, &rows)?;
                if rows.len() < LOG_PAGE as usize {
                    break;
                }
                rows = self.next_page(id, slot.as_ref()).await?;
                continue;
            }
            let known = usize::from(slot.is_some());
            let new = rows.get(known..).unwrap_or_default();
            changed |= !new.is_empty();
            self.apply_rows(id, slot, new)?;
            if rows.len() < LOG_PAGE as usize {
                break;
            }
            rows = self.next_page(id, slot.as_ref()).await?;
        }
        self.rollback.note_reload(id, slot.as_ref().map(|loaded| loaded.tip.seq));
        if let Some(loaded) = slot
            && changed
        {
            self.set_deadline(loaded, EventSource::Remote);
        }
        Ok(changed)
    }

    /// Returns the next page of a table's log, starting with the last known event. Without one, starts with the first event
    /// that is not archived.
    pub(super) async fn next_page(
        &self,
        id: &TableId,
        slot: Option<&LoadedTable>,
    ) -> Result<Vec<LogRow>, HostError> {
        // Boxed, because few tables take this path and every command would carry its state.
        let Some(loaded) = slot else { return Box::pin(self.first_page(id)).await };
        match self.store.log(id, loaded.tip.reread_after(), LOG_PAGE).await {
            // This process was away for so long that the next events are in an archive. The table is loaded again.
            Err(StoreError::Archived { .. }) => Ok(Vec::new()),
            rows => Ok(rows?),
        }
    }

    /// Returns the first page of a table's log that is not archived.
    async fn first_page(&self, id: &TableId) -> Result<Vec<LogRow>, HostError> {
        match self.store.log(id, 0, LOG_PAGE).await {
            Err(StoreError::Archived { .. }) => {
                let after = self.store.checkpoint(id).await?.map_or(0, |checkpoint| checkpoint.seq);
                Ok(self.store.log(id, after, LOG_PAGE).await?)
            }
            rows => Ok(rows?),
        }
    }

    /// Fills an empty slot with the table at the checkpoint before a page. Returns whether it did.
    async fn restore_before(
        &self,
        id: &TableId,
        slot: &mut Option<LoadedTable>,
        rows: &mut Vec<LogRow>,
    ) -> Result<bool, HostError> {
        if self.restore(id, slot, rows.first()).await? {
            return Ok(true);
        }
        if rows.first().is_none_or(|row| row.seq == 1) {
            return Ok(false);
        }
        // Another archive was recorded since the page was read.
        *rows = self.next_page(id, None).await?;
        self.restore(id, slot, rows.first()).await
    }

    /// Fills an empty slot with the table at its newest checkpoint, if `first`, the first event that is read, is the one after
    /// it. Returns whether it did. Without a checkpoint, the table starts with its first event.
    async fn restore(
        &self,
        id: &TableId,
        slot: &mut Option<LoadedTable>,
        first: Option<&LogRow>,
    ) -> Result<bool, HostError> {
        let Some(first) = first.filter(|row| row.seq > 1) else { return Ok(false) };
        let snapshot = self.oldest(id).await?;
        let (Some(table), true) = (snapshot.table, snapshot.seq + 1 == first.seq) else { return Ok(false) };
        let invalid =
            |InvalidEvent(why)| ReplayError::InvalidEvent { table: id.clone(), seq: first.seq, why };
        let table = table.with_keys(Some(self.keys.clone())).map_err(invalid)?;
        *slot = Some(LoadedTable::new(table, Tip { seq: snapshot.seq, hash: snapshot.hash }));
        Ok(true)
    }

    /// Returns the last archived event and round of a table, or zeros.
    pub(super) async fn archived_until(&self, id: &TableId) -> Result<(u64, u64), HostError> {
        let snapshot = self.oldest(id).await?;
        Ok((snapshot.seq, snapshot.table.as_ref().map_or(0, Table::round_number)))
    }

    /// Returns the oldest state of a table that its log can be replayed from: its newest checkpoint, or no events.
    pub(super) async fn oldest(&self, id: &TableId) -> Result<TableSnapshot, HostError> {
        let Some(row) = self.store.checkpoint(id).await? else { return Ok(TableSnapshot::default()) };
        let first = replay::parse_event(id, 1, &row.opened)?;
        let table = replay::restored(id, row.seq, &first, &row.json, &self.rules_cache)?;
        Ok(TableSnapshot { table: Some(table), seq: row.seq, hash: row.hash })
    }

    /// Applies rows of the log. The first row of an empty slot must open the table.
    pub(super) fn apply_rows(
        &self,
        id: &TableId,
        slot: &mut Option<LoadedTable>,
        rows: &[LogRow],
    ) -> Result<(), HostError> {
        let advanced = rows.iter().try_for_each(|row| {
            integrity::verify(id, &Self::previous_hash(slot.as_ref()), row)?;
            let event = replay::parse_event(id, row.seq, &row.json)?;
            if let Some(loaded) = slot {
                return advance(loaded, row.tip(), row.at, &event);
            }
            let table = replay::opened(id, row.seq, &event, &self.rules_cache)?;
            let invalid =
                |InvalidEvent(why)| ReplayError::InvalidEvent { table: id.clone(), seq: row.seq, why };
            let table = table.with_keys(Some(self.keys.clone())).map_err(invalid)?;
            *slot = Some(LoadedTable::new(table, row.tip()));
            Ok(())
        });
        drop_if_invalid(slot, advanced)
    }

    /// Schedules the table's next deadline. `source` is the process that decided the last event.
    pub(super) fn set_deadline(&self, loaded: &LoadedTable, source: EventSource) {
        let delay = if source == EventSource::Local { 0 } else { REMOTE_DELAY_MS };
        let due = loaded.table.due_from(self.environment.now());
        self.deadlines.set(loaded.table.id(), due.map(|due| due.plus(delay)));
    }
}
