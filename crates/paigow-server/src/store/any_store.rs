//! A store by its path or its address.

use crate::{
    AppendOutcome, BalanceMismatch, Batch, EventRow, HeadSigner, JournalRow, LogRow, NewAct, OperatorAct,
    People, Person, PersonName, Postgres, Session, SessionOf, Sqlite, Store, StoreCounts, StoreEnds,
    StoreError, StoreVisitor, StoredCommand, TableHead,
};
use paigow_table::{Account, Actor, CommandId, Currency, KeyId, PlayerId, TableId, Time};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

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

    /// Has entries of the house log signed from now on, and exported heads by the caller.
    pub fn sign_heads(&self, signer: Arc<dyn HeadSigner>) {
        match self {
            AnyStore::Sqlite(store) => store.sign_heads(signer),
            AnyStore::Postgres(store) => store.sign_heads(signer),
        }
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

impl AnyStore {
    /// Commits a write that changes nothing.
    ///
    /// # Errors
    /// Why a command could not be committed either.
    pub async fn test_write(&self) -> Result<(), StoreError> {
        ask!(self, test_write())
    }

    /// Where the journal and the operators' log end.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn ends(&self) -> Result<StoreEnds, StoreError> {
        ask!(self, ends())
    }

    /// The time of the newest event or transfer.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn newest(&self) -> Result<Option<Time>, StoreError> {
        ask!(self, newest())
    }

    /// Settings of the database that lose what was committed when the power fails, each with its value.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn unsafe_settings(&self) -> Result<Vec<(String, String)>, StoreError> {
        match self {
            // The program sets those of its own connections.
            AnyStore::Sqlite(_) => Ok(Vec::new()),
            AnyStore::Postgres(store) => store.unsafe_settings().await,
        }
    }
}

impl Store for AnyStore {
    async fn append(&self, batch: Batch) -> Result<AppendOutcome, StoreError> {
        ask!(self, append(batch))
    }

    async fn kept(&self, by: &Actor, id: &CommandId) -> Result<Option<StoredCommand>, StoreError> {
        ask!(self, kept(by, id))
    }

    async fn events(&self, table: &TableId, after: u64) -> Result<Vec<EventRow>, StoreError> {
        ask!(self, events(table, after))
    }

    async fn tables(&self) -> Result<Vec<TableHead>, StoreError> {
        ask!(self, tables())
    }

    async fn balances(&self, accounts: &[Account]) -> Result<BTreeMap<Account, i64>, StoreError> {
        ask!(self, balances(accounts))
    }

    async fn log(&self, table: &TableId, after: u64, limit: u32) -> Result<Vec<LogRow>, StoreError> {
        ask!(self, log(table, after, limit))
    }

    async fn logs(
        &self,
        tables: &[(TableId, u64)],
        limit: u32,
    ) -> Result<BTreeMap<TableId, Vec<LogRow>>, StoreError> {
        ask!(self, logs(tables, limit))
    }

    async fn misstated(&self, accounts: &[Account]) -> Result<Vec<BalanceMismatch>, StoreError> {
        ask!(self, misstated(accounts))
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

    async fn round_journal(&self, table: &TableId, round: u64) -> Result<Vec<JournalRow>, StoreError> {
        ask!(self, round_journal(table, round))
    }

    async fn rounds_of(&self, player: &PlayerId, limit: u32) -> Result<Vec<(TableId, u64)>, StoreError> {
        ask!(self, rounds_of(player, limit))
    }

    async fn walk<V: StoreVisitor>(&self, visit: V) -> Result<V, StoreError> {
        ask!(self, walk(visit))
    }

    async fn damage(&self) -> Result<Vec<String>, StoreError> {
        ask!(self, damage())
    }
}

impl People for AnyStore {
    async fn enrol(&self, person: Person) -> Result<bool, StoreError> {
        ask!(self, enrol(person))
    }

    async fn person(&self, id: &PlayerId) -> Result<Option<Person>, StoreError> {
        ask!(self, person(id))
    }

    async fn people(&self, ids: &[PlayerId]) -> Result<BTreeMap<PlayerId, Person>, StoreError> {
        ask!(self, people(ids))
    }

    async fn rename(&self, id: &PlayerId, name: &PersonName) -> Result<bool, StoreError> {
        ask!(self, rename(id, name))
    }

    async fn guests_after(
        &self,
        after: Option<&PlayerId>,
        limit: u32,
        before: Time,
        currency: &Currency,
    ) -> Result<Vec<(PlayerId, bool)>, StoreError> {
        ask!(self, guests_after(after, limit, before, currency))
    }

    async fn forget_guest(
        &self,
        id: &PlayerId,
        before: Time,
        currency: &Currency,
    ) -> Result<bool, StoreError> {
        ask!(self, forget_guest(id, before, currency))
    }

    async fn guests_since(&self, time: Time) -> Result<u64, StoreError> {
        ask!(self, guests_since(time))
    }

    async fn counts(&self, now: Time) -> Result<StoreCounts, StoreError> {
        ask!(self, counts(now))
    }

    async fn begin_session(&self, session: Session) -> Result<bool, StoreError> {
        ask!(self, begin_session(session))
    }

    async fn session(&self, digest: &[u8; 32], now: Time) -> Result<Option<Session>, StoreError> {
        ask!(self, session(digest, now))
    }

    async fn touch_session(&self, digest: &[u8; 32], seen: Time, until: Time) -> Result<bool, StoreError> {
        ask!(self, touch_session(digest, seen, until))
    }

    async fn end_session(&self, digest: &[u8; 32]) -> Result<bool, StoreError> {
        ask!(self, end_session(digest))
    }

    async fn end_sessions_of(&self, who: &SessionOf) -> Result<u64, StoreError> {
        ask!(self, end_sessions_of(who))
    }

    async fn forget_sessions(&self, before: Time) -> Result<u64, StoreError> {
        ask!(self, forget_sessions(before))
    }

    async fn claim_operator_secret(&self, digest: [u8; 32], at: Time) -> Result<bool, StoreError> {
        ask!(self, claim_operator_secret(digest, at))
    }

    async fn operator_secret(&self) -> Result<Option<[u8; 32]>, StoreError> {
        ask!(self, operator_secret())
    }

    async fn replace_operator_secret(&self, digest: [u8; 32], at: Time) -> Result<(), StoreError> {
        ask!(self, replace_operator_secret(digest, at))
    }

    async fn note_start(&self, key: KeyId, at: Time) -> Result<(), StoreError> {
        ask!(self, note_start(key, at))
    }

    async fn has_signatures(&self) -> Result<bool, StoreError> {
        ask!(self, has_signatures())
    }

    async fn log_act(&self, act: NewAct, at: Time) -> Result<OperatorAct, StoreError> {
        ask!(self, log_act(act, at))
    }

    async fn acts(&self, after: u64, limit: u32) -> Result<Vec<OperatorAct>, StoreError> {
        ask!(self, acts(after, limit))
    }
}
