//! Read access to tables: views, subscriptions, and refreshing tables that other processes changed.

use super::{EventSource, Host, HostError, LOG_PAGE, LoadedTable};
use crate::host::deadlines::Deadlines;
use crate::host::store_rollback::StoreRollback;
use crate::live::{FeedEvent, Listener, ResumePoint};
use crate::{Environment, Store, StoreError, Tip};
use futures_util::future::join_all;
use paigow::TableRules;
use paigow_table::{Table, TableId, TableRefusal, View, Viewer};
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;

/// Number of tables refreshed at once. They are locked meanwhile.
const REFRESH_BATCH: usize = 64;

/// How long a closed table stays in memory after its last use. Clients that page through its rounds send the next
/// request soon.
const CLOSED_KEPT: Duration = Duration::from_secs(5);

/// First messages of a subscription.
pub(crate) enum Start {
    /// The current state of the table.
    Snapshot {
        /// Last event included in the view.
        tip: Tip,
        view: Box<View>,
        /// Whether the viewer has seen events that the store does not have, because it went back to an earlier state.
        rolled_back: bool,
    },
    /// The events that the viewer missed.
    Events(Vec<Arc<FeedEvent>>),
}

impl<S: Store, E: Environment> Host<S, E> {
    /// Sets the queue for hints about events that this process appends. Only the first call has an effect.
    pub(crate) fn set_hint_sender(&self, sender: mpsc::Sender<(TableId, u64)>) {
        let _ = self.hint_sender.set(sender);
    }

    /// Deadlines of the tables in memory.
    pub(crate) fn deadlines(&self) -> &Deadlines {
        &self.deadlines
    }

    /// Tables whose log in the store no longer matches memory.
    pub(crate) fn rollback(&self) -> &StoreRollback {
        &self.rollback
    }

    /// Sets the deadline of every table again. Needed after the time went back, because the old deadlines are then too
    /// far ahead.
    pub(crate) async fn reset_deadlines(&self) {
        let slots: Vec<_> = {
            let tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
            tables.values().cloned().collect()
        };
        for slot in slots {
            if let Some(loaded) = slot.lock().await.as_ref() {
                self.set_deadline(loaded, EventSource::Remote);
            }
        }
    }

    /// Number of tables in memory.
    pub(crate) fn loaded_count(&self) -> usize {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether a table is in memory.
    pub(crate) fn has(&self, table: &TableId) -> bool {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).contains_key(table)
    }

    /// Drops empty slots, and closed tables that have no listeners and were not used recently.
    pub(crate) fn evict_closed(&self) {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.retain(|_, slot| {
            // Another holder of the slot is using the table. With the map locked, no further holder can appear.
            Arc::strong_count(slot) > 1
                || slot.try_lock().map_or(true, |slot| {
                    slot.as_ref().is_some_and(|loaded| {
                        let in_use = loaded.feed.has_listeners() || loaded.last_used.elapsed() < CLOSED_KEPT;
                        in_use || !loaded.table.is_closed()
                    })
                })
        });
    }

    /// Loads a table, or returns an error if it does not exist.
    pub(crate) async fn ensure_loaded(&self, table: &TableId) -> Result<(), HostError> {
        let slot = self.slot(table);
        let mut slot = slot.lock().await;
        self.load(table, &mut slot).await.map(drop)
    }

    /// Returns the rules of a table, or a refusal if they differ from those it was opened with.
    pub(crate) async fn table_rules(&self, table: &TableId) -> Result<Arc<TableRules>, HostError> {
        let slot = self.slot(table);
        let mut slot = slot.lock().await;
        let table = &self.load(table, &mut slot).await?.table;
        if table.rules_have_changed() {
            return Err(HostError::from(TableRefusal::RulesChanged));
        }
        Ok(table.table_rules().clone())
    }

    /// Returns the current view of a table, and the sequence number of its last event.
    pub(crate) async fn view(&self, table: &TableId, viewer: &Viewer) -> Result<(u64, View), HostError> {
        let slot = self.slot(table);
        let mut slot = slot.lock().await;
        self.refresh(table, &mut slot).await?;
        let loaded = self.load(table, &mut slot).await?;
        Ok((loaded.tip.seq, loaded.table.view(viewer)))
    }

    /// Subscribes a viewer. Returns the missed events if the feed has them, or else a snapshot, with the listener and
    /// the tip.
    pub(crate) async fn watch(
        &self,
        table: &TableId,
        viewer: &Viewer,
        from: Option<&ResumePoint>,
    ) -> Result<(Start, Listener, Tip), HostError> {
        let slot = self.slot(table);
        let mut slot = slot.lock().await;
        // A viewer who was connected to another process may have seen events that this process has not read.
        self.refresh(table, &mut slot).await?;
        let loaded = self.load(table, &mut slot).await?;
        let missed = from.and_then(|from| loaded.feed.since(from, loaded.tip));
        let start = match (missed, from) {
            (Some(missed), _) => Start::Events(missed),
            (None, from) => {
                let rolled_back = match from {
                    Some(from) => self.is_not_in_log(table, from, loaded.tip).await?,
                    None => false,
                };
                Start::Snapshot { tip: loaded.tip, view: Box::new(loaded.table.view(viewer)), rolled_back }
            }
        };
        Ok((start, loaded.feed.listen(), loaded.tip))
    }

    /// Whether the table's log does not contain the last event that a client has seen.
    async fn is_not_in_log(&self, table: &TableId, from: &ResumePoint, tip: Tip) -> Result<bool, HostError> {
        if from.seq == 0 || from.seq > tip.seq {
            return Ok(from.seq > 0);
        }
        let stored = match self.store.log(table, from.seq - 1, 1).await {
            // The client gets a snapshot. The audit of the archive shows whether it had the event.
            Err(StoreError::Archived { .. }) => return Ok(false),
            stored => stored?,
        };
        Ok(!stored.first().is_some_and(|event| from.fits(&event.hash)))
    }

    /// Lists the tables in memory that are not in `heads`.
    pub(crate) fn loaded_except<H>(&self, heads: &BTreeMap<TableId, H>) -> Vec<TableId> {
        let tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.keys().filter(|table| !heads.contains_key(table)).cloned().collect()
    }

    /// Refreshes the tables whose tip in memory is stale compared with their head. Returns the tables that another task
    /// has locked.
    pub(crate) async fn refresh_all<H: Copy>(
        &self,
        heads: &BTreeMap<TableId, H>,
        is_stale: impl Fn(Tip, H) -> bool,
    ) -> BTreeMap<TableId, H> {
        let mut busy = BTreeMap::new();
        let heads: Vec<(&TableId, &H)> = heads.iter().collect();
        for chunk in heads.chunks(REFRESH_BATCH) {
            let mut stale = Vec::new();
            for (table, head) in chunk {
                // The damage was logged. The table is read again after a minute.
                if self.integrity.check(table).is_err() {
                    continue;
                }
                if let Ok(slot) = self.slot(table).try_lock_owned() {
                    let known = slot.as_ref().map_or(Tip::START, |loaded| loaded.tip);
                    if is_stale(known, **head) {
                        stale.push(((*table).clone(), known.reread_after(), slot));
                    }
                } else {
                    busy.insert((*table).clone(), **head);
                }
            }
            let positions: Vec<_> = stale.iter().map(|(table, after, _)| (table.clone(), *after)).collect();
            let mut logs = self.store.logs(&positions, LOG_PAGE).await;
            for (table, _, mut slot) in stale {
                let read = match &mut logs {
                    Ok(logs) => {
                        let rows = logs.remove(&table).unwrap_or_default();
                        self.read_from(&table, &mut slot, Ok(rows)).await
                    }
                    // One unreadable table fails the whole read, so each table is read separately.
                    Err(_) => self.refresh(&table, &mut slot).await,
                };
                if let Err(error) = read
                    && !matches!(error, HostError::Damaged { .. })
                {
                    tracing::warn!(%table, %error, "cannot refresh a table");
                }
                if slot.is_none() {
                    self.forget(&table);
                }
            }
        }
        busy
    }

    /// Applies a function to every table in memory that is not closed, and to its last sequence number. Returns the
    /// results.
    pub(crate) async fn map_open<T>(&self, f: impl Fn(&Table, u64) -> T) -> Vec<T> {
        self.map_loaded(|loaded| f(&loaded.table, loaded.tip.seq)).await
    }

    /// Applies a function to every table in memory that is not closed, and to its number of viewers in this process.
    /// Returns the results.
    pub(crate) async fn map_watched<T>(&self, f: impl Fn(&Table, usize) -> T) -> Vec<T> {
        self.map_loaded(|loaded| f(&loaded.table, loaded.feed.listeners())).await
    }

    async fn map_loaded<T>(&self, f: impl Fn(&LoadedTable) -> T) -> Vec<T> {
        let slots: Vec<_> = {
            let tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
            tables.values().cloned().collect()
        };
        // Locks are awaited concurrently, because a holder may be waiting for the disk.
        let results = slots.iter().map(async |slot| {
            let slot = slot.lock().await;
            let open = slot.as_ref().filter(|loaded| !loaded.table.is_closed());
            open.map(&f)
        });
        join_all(results).await.into_iter().flatten().collect()
    }
}
