//! Store that is chosen at run time by its path or address.

use super::{BlockEnd, MoveMarker, NewArchive, OpenMode, StoredRow, StoredTable};
use crate::{
    AppendOutcome, ArchiveRow, ArchivedSums, BalanceMismatch, Batch, CheckpointRow, DocumentKey,
    DocumentKind, Documents, EventRow, HeadSigner, JournalRow, LogRow, NewAct, OperatorAct, People,
    PeopleChange, Person, PersonName, PlayerRound, Postgres, SealOutcome, SealRule, SealedBlock, Session,
    SessionOwner, Sqlite, Store, StoreCounts, StoreEnds, StoreError, StoreVisitor, StoredCommand,
    StoredDocument, TableHead,
};
use paigow_table::{Account, Actor, CommandId, Currency, KeyId, Owner, PlayerId, TableId, Time};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// SQLite or PostgreSQL store.
#[derive(Clone)]
pub enum AnyStore {
    /// An SQLite file.
    Sqlite(Sqlite),
    /// A PostgreSQL database.
    Postgres(Postgres),
}

impl AnyStore {
    /// Opens the store at an address `postgres://…`, or in a file, which is created if it is missing.
    ///
    /// # Errors
    /// The store cannot be opened.
    pub async fn open(location: &str) -> Result<AnyStore, StoreError> {
        AnyStore::open_as(location, OpenMode::Create).await
    }

    /// Opens the store at an address `postgres://…`, or in an existing file.
    ///
    /// # Errors
    /// The store cannot be opened.
    pub async fn open_existing(location: &str) -> Result<AnyStore, StoreError> {
        AnyStore::open_as(location, OpenMode::Existing).await
    }

    /// Sets the signer of new entries of the house log. The first signer stays. Exported heads are signed by the
    /// caller.
    pub fn sign_heads(&self, signer: Arc<dyn HeadSigner>) {
        match self {
            AnyStore::Sqlite(store) => store.sign_heads(signer),
            AnyStore::Postgres(store) => store.sign_heads(signer),
        }
    }

    pub(crate) async fn open_as(location: &str, mode: OpenMode) -> Result<AnyStore, StoreError> {
        if location.starts_with("postgres://") || location.starts_with("postgresql://") {
            return Ok(AnyStore::Postgres(Postgres::open_as(location, mode).await?));
        }
        Ok(AnyStore::Sqlite(Sqlite::open_as(Path::new(location), mode)?))
    }
}

/// Calls a method of the chosen store.
macro_rules! dispatch {
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
    /// The store cannot commit.
    pub async fn test_write(&self) -> Result<(), StoreError> {
        dispatch!(self, test_write())
    }

    /// Returns the last sequence numbers of the journal and of the operators' log.
    ///
    /// # Errors
    /// The store failed.
    pub async fn ends(&self) -> Result<StoreEnds, StoreError> {
        dispatch!(self, ends())
    }

    /// Returns the time of the newest event or transfer.
    ///
    /// # Errors
    /// The store failed.
    pub async fn newest(&self) -> Result<Option<Time>, StoreError> {
        dispatch!(self, newest())
    }

    /// Seals the oldest rounds of a table that the rule allows, at most one block.
    ///
    /// # Errors
    /// The store failed, or rows do not verify. Nothing has changed.
    pub async fn seal_next(&self, table: &TableId, rule: SealRule) -> Result<SealOutcome, StoreError> {
        dispatch!(self, seal_next(table, rule))
    }

    /// Size of the database on disk, in bytes.
    ///
    /// # Errors
    /// The store failed.
    pub async fn size(&self) -> Result<u64, StoreError> {
        dispatch!(self, size())
    }

    /// Releases the space of deleted rows. SQLite returns it to the disk, PostgreSQL to later rows.
    ///
    /// # Errors
    /// The store failed.
    pub async fn release_space(&self) -> Result<(), StoreError> {
        dispatch!(self, release_space())
    }

    /// Returns settings of the database with which a power cut loses commits, each with its value.
    ///
    /// # Errors
    /// The store failed.
    pub async fn unsafe_settings(&self) -> Result<Vec<(String, String)>, StoreError> {
        match self {
            // The program sets the durability settings of its own SQLite connections.
            AnyStore::Sqlite(_) => Ok(Vec::new()),
            AnyStore::Postgres(store) => store.unsafe_settings().await,
        }
    }
}

/// Archives.
impl AnyStore {
    /// Returns all archives of the store, in the order of their numbers.
    ///
    /// # Errors
    /// The store failed.
    pub async fn archives(&self) -> Result<Vec<ArchiveRow>, StoreError> {
        dispatch!(self, archives())
    }

    /// Returns the sums of an owner's archived transfers, by archive and currency.
    ///
    /// # Errors
    /// The store failed.
    pub async fn archived_sums(&self, owner: &Owner) -> Result<Vec<ArchivedSums>, StoreError> {
        dispatch!(self, archived_sums(owner))
    }

    /// Returns the blocks whose rows are in the store, by table and sequence number.
    pub(crate) async fn block_ends(&self) -> Result<Vec<BlockEnd>, StoreError> {
        dispatch!(self, block_ends())
    }

    /// Returns a block of a table by its last event, or `None` if its rows are not in the store.
    pub(crate) async fn sealed_block(
        &self,
        table: &TableId,
        last_seq: u64,
    ) -> Result<Option<SealedBlock>, StoreError> {
        dispatch!(self, sealed_block(table, last_seq))
    }

    /// Records an archive and deletes the content of its blocks.
    pub(crate) async fn keep_archive(&self, archive: NewArchive) -> Result<(), StoreError> {
        dispatch!(self, keep_archive(archive))
    }
}

/// Copies of whole stores.
impl AnyStore {
    /// Keeps all processes from writing to an SQLite file until the returned connection is dropped. A PostgreSQL store
    /// that a move has opened is locked already.
    pub(crate) fn hold_writes(&self) -> Result<Option<Connection>, StoreError> {
        match self {
            AnyStore::Sqlite(store) => store.hold_writes().map(Some),
            AnyStore::Postgres(_) => Ok(None),
        }
    }

    /// Returns up to `limit` rows of a table after a key, in the order of the key.
    pub(crate) async fn copy_page(
        &self,
        table: &'static StoredTable,
        after: Option<StoredRow>,
        limit: usize,
    ) -> Result<Vec<StoredRow>, StoreError> {
        dispatch!(self, copy_page(table, after, limit))
    }

    /// Inserts rows in one transaction.
    pub(crate) async fn copy_rows(
        &self,
        table: &'static StoredTable,
        rows: Vec<StoredRow>,
    ) -> Result<(), StoreError> {
        dispatch!(self, copy_rows(table, rows))
    }

    /// Counts the rows of a table.
    pub(crate) async fn count_rows(&self, table: &'static StoredTable) -> Result<u64, StoreError> {
        dispatch!(self, count_rows(table))
    }

    /// Returns the hash of the first entry of the house log, which identifies a store.
    pub(crate) async fn origin(&self) -> Result<[u8; 32], StoreError> {
        dispatch!(self, origin())
    }

    /// Returns the marker of an unfinished move.
    pub(crate) async fn move_marker(&self) -> Result<Option<MoveMarker>, StoreError> {
        dispatch!(self, move_marker())
    }

    /// Deletes the rows of all tables and sets the marker of an unfinished move.
    pub(crate) async fn begin_move(&self, marker: MoveMarker) -> Result<(), StoreError> {
        dispatch!(self, begin_move(marker))
    }

    /// Removes the marker of an unfinished move. New rows follow the copied ones.
    pub(crate) async fn finish_move(&self) -> Result<(), StoreError> {
        dispatch!(self, finish_move())
    }
}

impl Store for AnyStore {
    async fn append(&self, batch: Batch) -> Result<AppendOutcome, StoreError> {
        dispatch!(self, append(batch))
    }

    async fn stored_command(&self, by: &Actor, id: &CommandId) -> Result<Option<StoredCommand>, StoreError> {
        dispatch!(self, stored_command(by, id))
    }

    async fn events(&self, table: &TableId, after: u64) -> Result<Vec<EventRow>, StoreError> {
        dispatch!(self, events(table, after))
    }

    async fn tables(&self) -> Result<Vec<TableHead>, StoreError> {
        dispatch!(self, tables())
    }

    async fn balances(&self, accounts: &[Account]) -> Result<BTreeMap<Account, i64>, StoreError> {
        dispatch!(self, balances(accounts))
    }

    async fn log(&self, table: &TableId, after: u64, limit: u32) -> Result<Vec<LogRow>, StoreError> {
        dispatch!(self, log(table, after, limit))
    }

    async fn logs(
        &self,
        tables: &[(TableId, u64)],
        limit: u32,
    ) -> Result<BTreeMap<TableId, Vec<LogRow>>, StoreError> {
        dispatch!(self, logs(tables, limit))
    }

    async fn mismatched_balances(&self, accounts: &[Account]) -> Result<Vec<BalanceMismatch>, StoreError> {
        dispatch!(self, mismatched_balances(accounts))
    }

    async fn trial_balance(&self) -> Result<BTreeMap<Account, i64>, StoreError> {
        dispatch!(self, trial_balance())
    }

    async fn journal(
        &self,
        account: Option<&Account>,
        after: u64,
        limit: u32,
    ) -> Result<Vec<JournalRow>, StoreError> {
        dispatch!(self, journal(account, after, limit))
    }

    async fn round_journal(&self, table: &TableId, round: u64) -> Result<Vec<JournalRow>, StoreError> {
        dispatch!(self, round_journal(table, round))
    }

    async fn rounds_of(
        &self,
        player: &PlayerId,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<PlayerRound>, StoreError> {
        dispatch!(self, rounds_of(player, before, limit))
    }

    async fn walk<V: StoreVisitor>(&self, visit: V) -> Result<V, StoreError> {
        dispatch!(self, walk(visit))
    }

    async fn checkpoint(&self, table: &TableId) -> Result<Option<CheckpointRow>, StoreError> {
        dispatch!(self, checkpoint(table))
    }

    async fn damage(&self) -> Result<Vec<String>, StoreError> {
        dispatch!(self, damage())
    }
}

impl People for AnyStore {
    async fn enrol(&self, person: Person) -> Result<bool, StoreError> {
        dispatch!(self, enrol(person))
    }

    async fn person(&self, id: &PlayerId) -> Result<Option<Person>, StoreError> {
        dispatch!(self, person(id))
    }

    async fn people(&self, ids: &[PlayerId]) -> Result<BTreeMap<PlayerId, Person>, StoreError> {
        dispatch!(self, people(ids))
    }

    async fn people_like(
        &self,
        part: &str,
        after: Option<&PlayerId>,
        limit: u32,
    ) -> Result<Vec<Person>, StoreError> {
        dispatch!(self, people_like(part, after, limit))
    }

    async fn balances_of(&self, owner: &Owner) -> Result<BTreeMap<Currency, i64>, StoreError> {
        dispatch!(self, balances_of(owner))
    }

    async fn latest_transfers(
        &self,
        account: &Account,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<JournalRow>, StoreError> {
        dispatch!(self, latest_transfers(account, before, limit))
    }

    async fn rename(&self, id: &PlayerId, name: &PersonName) -> Result<bool, StoreError> {
        dispatch!(self, rename(id, name))
    }

    async fn guests_after(
        &self,
        after: Option<&PlayerId>,
        limit: u32,
        before: Time,
        currency: &Currency,
    ) -> Result<Vec<(PlayerId, bool)>, StoreError> {
        dispatch!(self, guests_after(after, limit, before, currency))
    }

    async fn forget_guest(
        &self,
        id: &PlayerId,
        before: Time,
        currency: &Currency,
    ) -> Result<bool, StoreError> {
        dispatch!(self, forget_guest(id, before, currency))
    }

    async fn guests_since(&self, time: Time) -> Result<u64, StoreError> {
        dispatch!(self, guests_since(time))
    }

    async fn counts(&self, now: Time) -> Result<StoreCounts, StoreError> {
        dispatch!(self, counts(now))
    }

    async fn begin_session(&self, session: Session) -> Result<bool, StoreError> {
        dispatch!(self, begin_session(session))
    }

    async fn session(&self, digest: &[u8; 32], now: Time) -> Result<Option<Session>, StoreError> {
        dispatch!(self, session(digest, now))
    }

    async fn sessions_of(&self, who: &SessionOwner, now: Time) -> Result<Vec<Session>, StoreError> {
        dispatch!(self, sessions_of(who, now))
    }

    async fn touch_session(&self, digest: &[u8; 32], seen: Time, until: Time) -> Result<bool, StoreError> {
        dispatch!(self, touch_session(digest, seen, until))
    }

    async fn end_session(&self, digest: &[u8; 32]) -> Result<bool, StoreError> {
        dispatch!(self, end_session(digest))
    }

    async fn end_sessions_of(&self, who: &SessionOwner) -> Result<u64, StoreError> {
        dispatch!(self, end_sessions_of(who))
    }

    async fn forget_sessions(&self, before: Time) -> Result<u64, StoreError> {
        dispatch!(self, forget_sessions(before))
    }

    async fn claim_operator_secret(&self, digest: [u8; 32], at: Time) -> Result<bool, StoreError> {
        dispatch!(self, claim_operator_secret(digest, at))
    }

    async fn operator_secret(&self) -> Result<Option<[u8; 32]>, StoreError> {
        dispatch!(self, operator_secret())
    }

    async fn replace_operator_secret(&self, digest: [u8; 32], at: Time) -> Result<(), StoreError> {
        dispatch!(self, replace_operator_secret(digest, at))
    }

    async fn note_start(&self, key: KeyId, at: Time) -> Result<(), StoreError> {
        dispatch!(self, note_start(key, at))
    }

    async fn has_signatures(&self) -> Result<bool, StoreError> {
        dispatch!(self, has_signatures())
    }

    async fn log_act(&self, act: NewAct, at: Time) -> Result<OperatorAct, StoreError> {
        dispatch!(self, log_act(act, at))
    }

    async fn acts(&self, after: u64, limit: u32) -> Result<Vec<OperatorAct>, StoreError> {
        dispatch!(self, acts(after, limit))
    }
}

impl Documents for AnyStore {
    async fn document(&self, key: &DocumentKey) -> Result<Option<StoredDocument>, StoreError> {
        dispatch!(self, document(key))
    }

    async fn documents(
        &self,
        kind: DocumentKind,
        after: Option<&str>,
        limit: u32,
    ) -> Result<Vec<StoredDocument>, StoreError> {
        dispatch!(self, documents(kind, after, limit))
    }

    async fn newest_documents(
        &self,
        kind: DocumentKind,
        limit: u32,
    ) -> Result<Vec<StoredDocument>, StoreError> {
        dispatch!(self, newest_documents(kind, limit))
    }

    async fn change_people(&self, change: PeopleChange, at: Time) -> Result<bool, StoreError> {
        dispatch!(self, change_people(change, at))
    }

    async fn put_ceremony(&self, id: [u8; 32], json: String, until: Time) -> Result<(), StoreError> {
        dispatch!(self, put_ceremony(id, json, until))
    }

    async fn take_ceremony(&self, id: &[u8; 32], now: Time) -> Result<Option<String>, StoreError> {
        dispatch!(self, take_ceremony(id, now))
    }

    async fn forget_ceremonies(&self, before: Time) -> Result<u64, StoreError> {
        dispatch!(self, forget_ceremonies(before))
    }
}
