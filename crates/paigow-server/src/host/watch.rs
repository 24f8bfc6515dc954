//! Looking at tables: one, or all of them, now or as it happens.

use super::{EventSource, Host, HostError, PART};
use crate::host::deadlines::Deadlines;
use crate::host::store_rollback::StoreRollback;
use crate::live::{Happened, Listener, ResumePoint};
use crate::{Environment, Store, Tip};
use futures_util::future::join_all;
use paigow::TableRules;
use paigow_table::{Table, TableId, TableRefusal, View, Viewer};
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;

/// How many tables are read on at once: nobody plays at them meanwhile.
const AT_ONCE: usize = 64;

/// How long a closed table is kept in memory after somebody was at it: whoever looks at its rounds asks again soon.
const KEPT: Duration = Duration::from_secs(5);

/// Where somebody who looks begins.
pub(crate) enum Start {
    /// With the table as it is.
    Snapshot {
        /// The last event in it.
        tip: Tip,
        view: Box<View>,
        /// The viewer has seen events that the store does not have: it went back to an earlier state.
        rolled_back: bool,
    },
    /// With what they have missed.
    Events(Vec<Arc<Happened>>),
}

impl<S: Store, W: Environment> Host<S, W> {
    /// Tells of everything that is decided here from now on.
    pub(crate) fn tell(&self, told: mpsc::Sender<(TableId, u64)>) {
        // There is one who tells.
        let _ = self.told.set(told);
    }

    /// When something is due at which table.
    pub(crate) fn deadlines(&self) -> &Deadlines {
        &self.deadlines
    }

    /// Tables that the store no longer has as this host had them.
    pub(crate) fn rollback(&self) -> &StoreRollback {
        &self.rollback
    }

    /// Sets the deadline of every table again: the time went back, and those that were set are too far away.
    pub(crate) async fn reset_deadlines(&self) {
        let places: Vec<_> = {
            let tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
            tables.values().cloned().collect()
        };
        for place in places {
            if let Some(loaded) = place.lock().await.as_ref() {
                self.set_deadline(loaded, EventSource::Remote);
            }
        }
    }

    /// How many tables are in memory.
    pub(crate) fn in_memory(&self) -> usize {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether a table is in memory.
    pub(crate) fn has(&self, table: &TableId) -> bool {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).contains_key(table)
    }

    /// Lets go of tables that are closed and that nobody has looked at for a while: whoever asks for one reads it again.
    pub(crate) fn let_go(&self) {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.retain(|_, place| {
            // Others than the map have it who are at it, and nobody comes to have it meanwhile.
            Arc::strong_count(place) > 1
                || place.try_lock().map_or(true, |place| {
                    place.as_ref().is_some_and(|loaded| {
                        let wanted = loaded.feed.is_heard() || loaded.used.elapsed() < KEPT;
                        wanted || !loaded.table.is_closed()
                    })
                })
        });
    }

    /// That there is such a table.
    pub(crate) async fn exists(&self, table: &TableId) -> Result<(), HostError> {
        let place = self.place(table);
        let mut place = place.lock().await;
        self.load(table, &mut place).await.map(drop)
    }

    /// The rules a table plays by. Where they are others than those it was opened with, it plays by none.
    pub(crate) async fn table_rules(&self, table: &TableId) -> Result<Arc<TableRules>, HostError> {
        let place = self.place(table);
        let mut place = place.lock().await;
        let table = &self.load(table, &mut place).await?.table;
        if table.rules_have_changed() {
            return Err(HostError::from(TableRefusal::RulesChanged));
        }
        Ok(table.table_rules().clone())
    }

    /// A table as somebody sees it now, and its last event.
    pub(crate) async fn view(&self, table: &TableId, viewer: &Viewer) -> Result<(u64, View), HostError> {
        let place = self.place(table);
        let mut place = place.lock().await;
        self.refresh(table, &mut place).await?;
        let loaded = self.load(table, &mut place).await?;
        Ok((loaded.tip.seq, loaded.table.view(viewer)))
    }

    /// Subscribes a viewer. Returns the missed events if the feed has them, else a snapshot; the listener; and the tip.
    pub(crate) async fn watch(
        &self,
        table: &TableId,
        viewer: &Viewer,
        from: Option<&ResumePoint>,
    ) -> Result<(Start, Listener, Tip), HostError> {
        let place = self.place(table);
        let mut place = place.lock().await;
        // Somebody who comes from another process may have seen what we have not.
        self.refresh(table, &mut place).await?;
        let loaded = self.load(table, &mut place).await?;
        let missed = from.and_then(|from| loaded.feed.since(from, loaded.tip));
        let start = match (missed, from) {
            (Some(missed), _) => Start::Events(missed),
            (None, from) => {
                let rolled_back = match from {
                    Some(from) => self.is_no_history(table, from, loaded.tip).await?,
                    None => false,
                };
                Start::Snapshot { tip: loaded.tip, view: Box::new(loaded.table.view(viewer)), rolled_back }
            }
        };
        Ok((start, loaded.feed.listen(), loaded.tip))
    }

    /// Whether the event that a client has seen last is not in the table's history.
    async fn is_no_history(&self, table: &TableId, from: &ResumePoint, tip: Tip) -> Result<bool, HostError> {
        if from.seq == 0 || from.seq > tip.seq {
            return Ok(from.seq > 0);
        }
        let stored = self.store.log(table, from.seq - 1, 1).await?;
        Ok(!stored.first().is_some_and(|event| from.fits(&event.hash)))
    }

    /// The tables in memory that are not in `heads`.
    pub(crate) fn loaded_except<H>(&self, heads: &BTreeMap<TableId, H>) -> Vec<TableId> {
        let tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.keys().filter(|table| !heads.contains_key(table)).cloned().collect()
    }

    /// Reloads tables whose tip differs. Returns those that another task has locked; that task or the next poll reloads them.
    pub(crate) async fn refresh_all<H: Copy>(
        &self,
        heads: &BTreeMap<TableId, H>,
        is_news: impl Fn(Tip, H) -> bool,
    ) -> BTreeMap<TableId, H> {
        let mut busy = BTreeMap::new();
        let heads: Vec<(&TableId, &H)> = heads.iter().collect();
        for some in heads.chunks(AT_ONCE) {
            let mut behind = Vec::new();
            for (table, head) in some {
                // A damaged table was logged, and is read again after a while.
                if self.integrity.check(table).is_err() {
                    continue;
                }
                if let Ok(place) = self.place(table).try_lock_owned() {
                    let known = place.as_ref().map_or(Tip::START, |loaded| loaded.tip);
                    if is_news(known, **head) {
                        behind.push(((*table).clone(), known.reread_after(), place));
                    }
                } else {
                    busy.insert((*table).clone(), **head);
                }
            }
            let asked: Vec<_> = behind.iter().map(|(table, after, _)| (table.clone(), *after)).collect();
            let mut logs = self.store.logs(&asked, PART).await;
            for (table, _, mut place) in behind {
                let read = match &mut logs {
                    Ok(logs) => {
                        let rows = logs.remove(&table).unwrap_or_default();
                        self.read_from(&table, &mut place, Ok(rows)).await
                    }
                    // One that cannot be read is no reason not to read the others.
                    Err(_) => self.refresh(&table, &mut place).await,
                };
                if let Err(error) = read
                    && !matches!(error, HostError::Damaged { .. })
                {
                    tracing::warn!(%table, %error, "a table could not be read again");
                }
                if place.is_none() {
                    self.forget(&table);
                }
            }
        }
        busy
    }

    /// Something of every table in memory that is not closed.
    pub(crate) async fn each<T>(&self, of: impl Fn(&Table, u64) -> T) -> Vec<T> {
        let places: Vec<_> = {
            let tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
            tables.values().cloned().collect()
        };
        // Those where somebody waits for the disk are waited for together.
        let looks = places.iter().map(async |place| {
            let place = place.lock().await;
            let open = place.as_ref().filter(|loaded| !loaded.table.is_closed());
            open.map(|loaded| of(&loaded.table, loaded.tip.seq))
        });
        join_all(looks).await.into_iter().flatten().collect()
    }
}
