//! Looking at tables: one, or all of them, now or as it happens.

use super::{Host, HostError};
use crate::deadlines::Deadlines;
use crate::live::Happened;
use crate::lobby::LobbyTable;
use crate::{Store, World};
use paigow::Posting;
use paigow_table::{Table, TableId, View, Viewer};
use std::sync::{Arc, PoisonError};
use tokio::sync::{broadcast, mpsc};

/// Where somebody who looks begins.
pub(crate) enum Start {
    /// With the table as it is.
    Snapshot {
        /// The last event in it.
        seq: u64,
        view: Box<View>,
    },
    /// With what they have missed.
    Events(Vec<Arc<Happened>>),
}

impl<S: Store, W: World> Host<S, W> {
    /// Tells of everything that is decided here from now on.
    pub(crate) fn tell(&self, told: mpsc::Sender<(TableId, u64)>) {
        // There is one who tells.
        let _ = self.told.set(told);
    }

    /// When something is due at which table.
    pub(crate) fn deadlines(&self) -> &Deadlines {
        &self.deadlines
    }

    /// How many tables are in memory.
    pub(crate) fn in_memory(&self) -> usize {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// That there is such a table.
    pub(crate) async fn exists(&self, table: &TableId) -> Result<(), HostError> {
        let place = self.place(table);
        let mut place = place.lock().await;
        self.load(table, &mut place).await.map(drop)
    }

    /// The rules a table plays by.
    pub(crate) async fn posting(&self, table: &TableId) -> Result<Arc<Posting>, HostError> {
        let place = self.place(table);
        let mut place = place.lock().await;
        Ok(self.load(table, &mut place).await?.table.posting().clone())
    }

    /// A table as somebody sees it now, and its last event.
    pub(crate) async fn view(&self, table: &TableId, viewer: &Viewer) -> Result<(u64, View), HostError> {
        let place = self.place(table);
        let mut place = place.lock().await;
        self.refresh(table, &mut place).await?;
        let loaded = self.load(table, &mut place).await?;
        Ok((loaded.seq, loaded.table.view(viewer)))
    }

    /// Looks at a table from now on; what was missed since an event, where that is known, or else the whole.
    pub(crate) async fn watch(
        &self,
        table: &TableId,
        viewer: &Viewer,
        from: Option<u64>,
    ) -> Result<(Start, broadcast::Receiver<Arc<Happened>>), HostError> {
        let place = self.place(table);
        let mut place = place.lock().await;
        // Somebody who comes from another process may have seen what we have not.
        self.refresh(table, &mut place).await?;
        let loaded = self.load(table, &mut place).await?;
        let missed = from.and_then(|from| loaded.feed.since(from, loaded.seq));
        let snapshot = || Start::Snapshot { seq: loaded.seq, view: Box::new(loaded.table.view(viewer)) };
        Ok((missed.map_or_else(snapshot, Start::Events), loaded.feed.listen()))
    }

    /// Reads on at a table that is said to have come so far, unless somebody is at it right now: they will see for themselves.
    pub(crate) async fn refresh_to(&self, table: &TableId, seq: u64) -> Result<(), HostError> {
        let place = self.place(table);
        let Ok(mut place) = place.try_lock() else { return Ok(()) };
        if self.load(table, &mut place).await?.seq < seq {
            self.refresh(table, &mut place).await?;
        }
        Ok(())
    }

    /// Something of every table in memory that is not closed.
    pub(crate) async fn each<T>(&self, mut of: impl FnMut(&Table, u64) -> T) -> Vec<T> {
        let places: Vec<_> = {
            let tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
            tables.values().cloned().collect()
        };
        let mut all = Vec::with_capacity(places.len());
        for place in places {
            let place = place.lock().await;
            let open = place.as_ref().filter(|loaded| !loaded.table.is_closed());
            all.extend(open.map(|loaded| of(&loaded.table, loaded.seq)));
        }
        all
    }

    /// The tables that are open, by name.
    pub(crate) async fn lobby(&self) -> Vec<LobbyTable> {
        let mut tables = self.each(|table, _| LobbyTable::of(table)).await;
        tables.sort_by(|one, other| one.table.cmp(&other.table));
        tables
    }
}
