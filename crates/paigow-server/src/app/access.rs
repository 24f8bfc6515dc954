//! Access to tables whose seats are for invited players only.

use super::App;
use crate::people::{TableAccess, Versioned, load};
use crate::{ApiProblem, StoreError};
use axum::http::StatusCode;
use paigow_table::{PlayerId, TableId};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Time for which the lobby uses a document that it has read.
const CACHE_SECONDS: u64 = 5;
/// Number of tables whose documents are kept in memory.
const CACHE_MAX: usize = 10_000;

/// A document that the lobby has read.
struct CachedAccess {
    read: Instant,
    /// `None` if anyone may sit at the table.
    access: Option<TableAccess>,
}

/// Documents that the lobby has read, by table. Clients request it often, and a table that appears seconds late does no harm.
#[derive(Default)]
pub(crate) struct AccessCache {
    tables: Mutex<HashMap<TableId, CachedAccess>>,
}

impl AccessCache {
    fn tables(&self) -> MutexGuard<'_, HashMap<TableId, CachedAccess>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns an answer about the document of a table, or `None` if the document must be read again.
    fn with_recent<T>(&self, table: &TableId, answer: impl Fn(Option<&TableAccess>) -> T) -> Option<T> {
        let tables = self.tables();
        let cached = tables.get(table)?;
        let is_recent = cached.read.elapsed() < Duration::from_secs(CACHE_SECONDS);
        is_recent.then(|| answer(cached.access.as_ref()))
    }

    fn put(&self, table: &TableId, cached: CachedAccess) {
        let mut tables = self.tables();
        if tables.len() >= CACHE_MAX {
            tables.clear();
        }
        tables.insert(table.clone(), cached);
    }

    /// Drops the document of a table that this process has changed.
    pub(crate) fn forget(&self, table: &TableId) {
        self.tables().remove(table);
    }
}

impl App {
    /// Returns who may sit at a table, or `None` if anyone may.
    pub(crate) async fn access(&self, table: &TableId) -> Result<Option<Versioned<TableAccess>>, StoreError> {
        load(self.store(), table.as_str()).await
    }

    /// Refuses a player who is not invited to a table.
    pub(super) async fn check_invited(&self, player: &PlayerId, table: &TableId) -> Result<(), ApiProblem> {
        let access = self.access(table).await?;
        if access.is_none_or(|access| access.value.admits(player)) {
            return Ok(());
        }
        let detail = "the seats of this table are for invited players: ask for an invitation";
        Err(ApiProblem::new(StatusCode::CONFLICT, "not_invited", detail))
    }

    /// Whether a table has seats for a player as an invited one. The answer may be seconds old.
    pub(crate) async fn is_member(&self, table: &TableId, player: &PlayerId) -> Result<bool, StoreError> {
        self.recent_access(table, |access| access.is_some_and(|access| access.admits(player))).await
    }

    /// Whether operators invite the players of a table. The answer may be seconds old.
    pub(crate) async fn is_by_invitation_of_house(&self, table: &TableId) -> Result<bool, StoreError> {
        self.recent_access(table, |access| access.is_some_and(|access| access.opened_by.is_none())).await
    }

    /// Answers a question about the document of a table, which may be seconds old.
    async fn recent_access<T>(
        &self,
        table: &TableId,
        answer: impl Fn(Option<&TableAccess>) -> T,
    ) -> Result<T, StoreError> {
        if let Some(known) = self.access_cache.with_recent(table, &answer) {
            return Ok(known);
        }
        let access = self.access(table).await?.map(|access| access.value);
        let found = answer(access.as_ref());
        self.access_cache.put(table, CachedAccess { read: Instant::now(), access });
        Ok(found)
    }
}
