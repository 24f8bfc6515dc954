//! SQLite store: one file, one writer thread that commits in groups, and a pool of read connections.
//!
//! The file is in WAL mode with `synchronous=FULL`, so that commits survive a power cut. Write transactions begin with
//! `BEGIN IMMEDIATE`, so that several processes on one file wait for each other instead of failing.

mod archives;
mod blocks;
mod checkpointer;
mod copy;
mod documents;
pub(super) mod examine;
mod files;
mod house;
mod people;
mod read;
mod schema;
mod walk;
mod write;
mod writer;
mod writer_cache;

use super::encoding::{decode_time, unsigned};
use super::ends::{ENDS, NEWEST};
use super::house::{HouseRecord, SharedSigner};
use super::{
    AppendOutcome, BalanceMismatch, Batch, CheckpointRow, EventRow, HeadSigner, JournalRow, LogRow, OpenMode,
    PlayerRound, Store, StoreEnds, StoreError, StoreVisitor, StoredCommand, TableHead,
};
use crate::private_file;
use files::OpenedFiles;
use paigow_table::{Account, Actor, CommandId, PlayerId, TableId, Time};
use rusqlite::{Connection, OpenFlags};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use writer::Writer;

/// Store in one SQLite file. Clones share it.
#[derive(Clone)]
pub struct Sqlite {
    inner: Arc<Inner>,
}

struct Inner {
    path: PathBuf,
    files: Arc<OpenedFiles>,
    writer: Writer,
    /// Signs entries of the house log.
    signer: SharedSigner,
    /// Idle read connections. The pool grows on demand and never shrinks.
    idle_readers: Mutex<Vec<Connection>>,
    /// Limits concurrent reads.
    reader_permits: Arc<Semaphore>,
}

/// Minimum size of a database file.
const HEADER_BYTES: u64 = 512;
/// Maximum number of concurrent reads. More would not be faster, because each connection reads its own pages.
const READERS_MAX: usize = 8;
/// Page cache of the writer in KiB. It holds the last page of every table's log and the index pages of the players'
/// commands.
const WRITER_KIB: i64 = 24_576;
/// Page cache of each reader in KiB. It is small, because reads are scattered.
const READER_KIB: i64 = 512;
/// How long one process waits for a lock of another on the same file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

impl Sqlite {
    /// Opens the store in a file, which is created if it is missing.
    ///
    /// # Errors
    /// The file cannot be opened, or is not a store of this or an earlier version.
    pub fn open(path: &Path) -> Result<Sqlite, StoreError> {
        Sqlite::open_as(path, OpenMode::Create)
    }

    /// Opens the store in an existing file.
    ///
    /// # Errors
    /// The file is missing, cannot be opened, or is not a store of this or an earlier version.
    pub fn open_existing(path: &Path) -> Result<Sqlite, StoreError> {
        Sqlite::open_as(path, OpenMode::Existing)
    }

    pub(crate) fn open_as(path: &Path, mode: OpenMode) -> Result<Sqlite, StoreError> {
        // SQLite would treat a truncated file as an empty one.
        let is_truncated = std::fs::metadata(path).is_ok_and(|file| (1..HEADER_BYTES).contains(&file.len()));
        if is_truncated {
            return Err(StoreError::Foreign);
        }
        if mode.is_move() && path.exists() {
            copy::check_unused(path)?;
        }
        let path = files::prepare(path, mode.creates())?;
        let mut connection = connect(&path, OpenFlags::empty())?;
        schema::prepare(&mut connection, mode)?;
        let files = Arc::new(OpenedFiles::new(&path)?);
        connection.pragma_update(None, "cache_size", -WRITER_KIB)?;
        // The rows that a batch refers to are written with it or known to exist. An audit checks all foreign keys.
        connection.pragma_update(None, "foreign_keys", false)?;
        let signer = SharedSigner::default();
        let inner = Inner {
            writer: Writer::start(
                connection,
                connect(&path, OpenFlags::empty())?,
                files.clone(),
                signer.clone(),
            )?,
            path,
            files,
            signer,
            idle_readers: Mutex::default(),
            reader_permits: Arc::new(Semaphore::new(READERS_MAX)),
        };
        Ok(Sqlite { inner: Arc::new(inner) })
    }

    /// Copies a snapshot of the store into a new file, while the store stays in use.
    ///
    /// # Errors
    /// The copy failed, or the file exists. An existing file is not overwritten.
    pub async fn backup(&self, to: &Path) -> Result<(), StoreError> {
        let (from, to) = (self.inner.path.clone(), to.to_owned());
        blocking(move || {
            // `VACUUM INTO` accepts an empty file and refuses any other.
            let is_created = private_file::create_private(&to).is_ok();
            let file = to.to_string_lossy();
            let copied = connect(&from, OpenFlags::empty())
                .and_then(|connection| Ok(connection.execute("VACUUM INTO ?1", [file])?));
            if is_created && copied.is_err() {
                // The error of the copy is reported, not that of the removal.
                let _ = std::fs::remove_file(&to);
            }
            copied?;
            private_file::tighten(&to)?;
            // SQLite does not sync the new file to disk.
            std::fs::File::open(&to)?.sync_all()?;
            Ok(())
        })
        .await
    }

    /// Size of the database, in bytes.
    ///
    /// # Errors
    /// The store failed.
    pub async fn size(&self) -> Result<u64, StoreError> {
        self.read(|connection| {
            let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get(0));
            Ok(unsigned(pragma("page_count")?)? * unsigned(pragma("page_size")?)?)
        })
        .await
    }

    /// Returns the space of deleted rows to the disk. Writes wait meanwhile.
    ///
    /// # Errors
    /// The store failed, or another process writes.
    pub async fn release_space(&self) -> Result<(), StoreError> {
        let path = self.inner.path.clone();
        blocking(move || {
            let connection = connect(&path, OpenFlags::empty())?;
            connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")?;
            Ok(())
        })
        .await
    }

    /// Number of batches written, and of commits that wrote them.
    pub fn commits(&self) -> (u64, u64) {
        self.inner.writer.commits()
    }

    /// Commits a write that changes nothing, after the batches in the queue.
    ///
    /// # Errors
    /// The store cannot commit.
    pub async fn test_write(&self) -> Result<(), StoreError> {
        self.write(schema::rewrite_version).await
    }

    /// Returns the last sequence numbers of the journal and of the operators' log.
    ///
    /// # Errors
    /// The store failed.
    pub async fn ends(&self) -> Result<StoreEnds, StoreError> {
        self.read(|connection| {
            let (journal, acts) =
                connection.prepare_cached(ENDS)?.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(StoreEnds { journal: unsigned(journal)?, acts: unsigned(acts)? })
        })
        .await
    }

    /// Returns the time of the newest event or transfer.
    ///
    /// # Errors
    /// The store failed.
    pub async fn newest(&self) -> Result<Option<Time>, StoreError> {
        self.read(|connection| {
            let newest: Option<i64> = connection.query_row(NEWEST, [], |row| row.get(0))?;
            newest.map(decode_time).transpose()
        })
        .await
    }

    /// Sets the signer of new entries of the house log. The first signer stays.
    pub fn sign_heads(&self, signer: Arc<dyn HeadSigner>) {
        self.inner.signer.set(signer);
    }

    /// Writes rows and, in the same transaction, the entries of the house log that `write` returns.
    async fn write_logged<T: Send + 'static>(
        &self,
        at: Time,
        write: impl FnOnce(&Connection) -> Result<(T, Vec<HouseRecord>), StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let signer = self.inner.signer.clone();
        self.write(move |connection| {
            let (result, records) = write(connection)?;
            house::append(connection, &signer, at, &records)?;
            Ok(result)
        })
        .await
    }

    async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.inner.writer.write(write).await
    }

    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let inner = self.inner.clone();
        let permit = self.inner.reader_permits.clone().acquire_owned().await;
        blocking(move || {
            // Held until the read ends, even if the caller is gone.
            let _permit = permit;
            let idle = inner.idle_readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut connection = idle.map_or_else(|| connect_reader(&inner), Ok)?;
            let found = read(&mut connection);
            inner.idle_readers.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
            found
        })
        .await
    }
}

/// Opens a connection with the settings that all connections share.
fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let flags = flags | OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Opens a read-only connection.
fn connect_reader(inner: &Inner) -> Result<Connection, StoreError> {
    let connection = connect(&inner.path, OpenFlags::empty())?;
    // A file that replaced the first one has other content.
    inner.files.check()?;
    connection.pragma_update(None, "query_only", true)?;
    connection.pragma_update(None, "cache_size", -READER_KIB)?;
    Ok(connection)
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(StoreError::Stopped))
}

impl Store for Sqlite {
    async fn append(&self, batch: Batch) -> Result<AppendOutcome, StoreError> {
        self.inner.writer.append(batch).await
    }

    async fn stored_command(&self, by: &Actor, id: &CommandId) -> Result<Option<StoredCommand>, StoreError> {
        let (by, id) = (by.clone(), id.clone());
        self.read(move |connection| read::stored_command(connection, &by, &id)).await
    }

    async fn events(&self, table: &TableId, after: u64) -> Result<Vec<EventRow>, StoreError> {
        let table = table.clone();
        self.read(move |connection| read::events(connection, &table, after)).await
    }

    async fn log(&self, table: &TableId, after: u64, limit: u32) -> Result<Vec<LogRow>, StoreError> {
        let table = table.clone();
        self.read(move |connection| read::log(connection, &table, after, limit)).await
    }

    async fn tables(&self) -> Result<Vec<TableHead>, StoreError> {
        self.read(|connection| read::tables(connection)).await
    }

    async fn balances(&self, accounts: &[Account]) -> Result<BTreeMap<Account, i64>, StoreError> {
        let accounts = accounts.to_vec();
        self.read(move |connection| read::balances(connection, &accounts)).await
    }

    async fn mismatched_balances(&self, accounts: &[Account]) -> Result<Vec<BalanceMismatch>, StoreError> {
        let accounts = accounts.to_vec();
        self.read(move |connection| {
            let snapshot = connection.transaction()?;
            read::mismatched_balances(&snapshot, &accounts)
        })
        .await
    }

    async fn trial_balance(&self) -> Result<BTreeMap<Account, i64>, StoreError> {
        self.read(|connection| read::trial_balance(connection)).await
    }

    async fn journal(
        &self,
        account: Option<&Account>,
        after: u64,
        limit: u32,
    ) -> Result<Vec<JournalRow>, StoreError> {
        let account = account.cloned();
        self.read(move |connection| read::journal(connection, account.as_ref(), after, limit)).await
    }

    async fn round_journal(&self, table: &TableId, round: u64) -> Result<Vec<JournalRow>, StoreError> {
        let table = table.clone();
        self.read(move |connection| read::round_journal(connection, &table, round)).await
    }

    async fn rounds_of(
        &self,
        player: &PlayerId,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<PlayerRound>, StoreError> {
        let player = player.clone();
        self.read(move |connection| read::rounds_of(connection, &player, before, limit)).await
    }

    async fn walk<V: StoreVisitor>(&self, visit: V) -> Result<V, StoreError> {
        self.read(move |connection| walk::walk(connection, visit)).await
    }

    async fn checkpoint(&self, table: &TableId) -> Result<Option<CheckpointRow>, StoreError> {
        let table = table.clone();
        self.read(move |connection| archives::checkpoint(connection, &table)).await
    }

    async fn damage(&self) -> Result<Vec<String>, StoreError> {
        let path = self.inner.path.clone();
        self.read(move |connection| read::damage(connection, &path)).await
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a panic fails the test

    use super::*;
    use crate::{People, Person, PersonKind};
    use rusqlite::ErrorCode;
    use tempfile::TempDir;

    fn store() -> (TempDir, Sqlite) {
        let folder = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&folder.path().join("paigow.db")).unwrap();
        (folder, store)
    }

    /// Sets a pragma of the writer's connection.
    async fn set(store: &Sqlite, name: &'static str, value: i64) {
        // The pragma takes effect even if the surrounding transaction cannot be committed.
        let _ = store.write(move |connection| Ok(connection.pragma_update(None, name, value)?)).await;
    }

    async fn enrol(store: &Sqlite, number: usize) -> Result<bool, StoreError> {
        let (id, name) = (format!("g{number}").parse().unwrap(), "Guest".parse().unwrap());
        store.enrol(Person { id, name, kind: PersonKind::Guest, since: Time(1) }).await
    }

    fn code(error: &StoreError) -> Option<ErrorCode> {
        let StoreError::Sqlite(error) = error else { return None };
        error.sqlite_error_code()
    }

    #[tokio::test]
    async fn read_only_database_refuses_writes() {
        let (_folder, store) = store();
        store.test_write().await.unwrap();
        set(&store, "query_only", 1).await;
        assert_eq!(code(&store.test_write().await.unwrap_err()), Some(ErrorCode::ReadOnly));
        assert_eq!(code(&enrol(&store, 1).await.unwrap_err()), Some(ErrorCode::ReadOnly));
    }

    #[tokio::test]
    async fn full_database_keeps_acknowledged_writes_and_recovers() {
        let (_folder, store) = store();
        // SQLite raises the limit to the current number of pages.
        set(&store, "max_page_count", 1).await;
        let mut enrolled = 0;
        let full = loop {
            match enrol(&store, enrolled).await {
                Ok(_) => enrolled += 1,
                Err(error) => break error,
            }
            assert!(enrolled < 10_000, "the database does not fill up");
        };
        assert_eq!(code(&full), Some(ErrorCode::DiskFull));
        set(&store, "max_page_count", 1_000_000).await;
        assert!(enrol(&store, enrolled).await.unwrap(), "the failed write was kept");
        assert_eq!(store.counts(Time(1)).await.unwrap().people, enrolled as u64 + 1);
    }

    #[tokio::test]
    async fn test_write_refuses_a_store_of_another_version() {
        let (_folder, store) = store();
        set(&store, "user_version", 1_000).await;
        assert!(matches!(store.test_write().await, Err(StoreError::Newer { found: 1_000, .. })));
        set(&store, "user_version", 1).await;
        assert!(matches!(store.test_write().await, Err(StoreError::Foreign)));
    }
}
