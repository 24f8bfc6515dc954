//! A store by its path or its address.

use crate::{
    Batch, EventRow, JournalRow, Kept, Outcome, Postgres, Sqlite, Store, StoreError, TableHead, Visit,
};
use paigow_table::{Account, Actor, CommandId, PlayerId, TableId};
use std::collections::BTreeMap;
use std::path::Path;

/// Whichever store it is.
#[derive(Clone)]
pub enum AnyStore {
    /// A file.
    Sqlite(Sqlite),
    /// A PostgreSQL database.
    Postgres(Postgres),
}

impl AnyStore {
    /// The store at an address `postgres://…`, or in a file, which is made if it is not there.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn open(place: &str) -> Result<AnyStore, StoreError> {
        AnyStore::open_as(place, Sqlite::open).await
    }

    /// The store at an address `postgres://…`, or in a file that is there.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn open_existing(place: &str) -> Result<AnyStore, StoreError> {
        AnyStore::open_as(place, Sqlite::open_existing).await
    }

    async fn open_as(
        place: &str,
        file: impl FnOnce(&Path) -> Result<Sqlite, StoreError>,
    ) -> Result<AnyStore, StoreError> {
        if place.starts_with("postgres://") || place.starts_with("postgresql://") {
            return Ok(AnyStore::Postgres(Postgres::open(place).await?));
        }
        Ok(AnyStore::Sqlite(file(Path::new(place))?))
    }
}

/// Asks whichever it is.
macro_rules! ask {
    ($self:ident, $method:ident($($value:expr),*)) => {
        match $self {
            AnyStore::Sqlite(store) => store.$method($($value),*).await,
            AnyStore::Postgres(store) => store.$method($($value),*).await,
        }
    };
}

impl Store for AnyStore {
    async fn append(&self, batch: Batch) -> Result<Outcome, StoreError> {
        ask!(self, append(batch))
    }

    async fn kept(&self, by: &Actor, id: &CommandId) -> Result<Option<Kept>, StoreError> {
        ask!(self, kept(by, id))
    }

    async fn events(&self, table: &TableId, after: u64) -> Result<Vec<EventRow>, StoreError> {
        ask!(self, events(table, after))
    }

    async fn round(&self, table: &TableId, round: u64) -> Result<Vec<EventRow>, StoreError> {
        ask!(self, round(table, round))
    }

    async fn tables(&self) -> Result<Vec<TableHead>, StoreError> {
        ask!(self, tables())
    }

    async fn balances(&self, accounts: &[Account]) -> Result<BTreeMap<Account, i64>, StoreError> {
        ask!(self, balances(accounts))
    }

    async fn trial_balance(&self) -> Result<BTreeMap<Account, i64>, StoreError> {
        ask!(self, trial_balance())
    }

    async fn journal(
        &self,
        of: Option<&Account>,
        after: u64,
        limit: u32,
    ) -> Result<Vec<JournalRow>, StoreError> {
        ask!(self, journal(of, after, limit))
    }

    async fn rounds_of(&self, player: &PlayerId, limit: u32) -> Result<Vec<(TableId, u64)>, StoreError> {
        ask!(self, rounds_of(player, limit))
    }

    async fn walk<V: Visit>(&self, visit: V) -> Result<V, StoreError> {
        ask!(self, walk(visit))
    }

    async fn damage(&self) -> Result<Vec<String>, StoreError> {
        ask!(self, damage())
    }
}
