//! The embedded store: one file, one writer thread that commits in groups, readers on connections of their own.
//!
//! The file is in WAL mode with `synchronous=FULL`: what was committed survives a power cut. Writing begins with `BEGIN IMMEDIATE`,
//! so that several processes on one file wait for each other instead of failing.

mod checkpointer;
mod files;
mod house;
mod people;
mod read;
mod schema;
mod walk;
mod write;
mod writer;
mod writer_cache;

use super::ends::{ENDS, NEWEST};
use super::house::{HouseRecord, SharedSigner};
use super::words::{to_time, unsigned};
use super::{
    AppendOutcome, BalanceMismatch, Batch, EventRow, HeadSigner, JournalRow, LogRow, Store, StoreEnds,
    StoreError, StoreVisitor, StoredCommand, TableHead,
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

/// A store in one file.
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
    /// Connections that read, as many as were ever needed at once.
    idle: Mutex<Vec<Connection>>,
    /// Who may read now.
    turns: Arc<Semaphore>,
}

/// No database has less.
const HEADER_BYTES: u64 = 512;
/// How many read at once. More would not be answered sooner: each reads pages of its own.
const READERS_MAX: usize = 8;
/// How much of the file the writer has in memory: the last page of every table, and where every player's commands are.
const WRITER_KIB: i64 = 24_576;
/// How much each reader has: they read here and there.
const READER_KIB: i64 = 512;
/// How long one process waits for another on the same file.
const BUSY: Duration = Duration::from_secs(10);

impl Sqlite {
    /// The store in a file, which is made if it is not there.
    ///
    /// # Errors
    /// Why there is none.
    pub fn open(path: &Path) -> Result<Sqlite, StoreError> {
        Sqlite::open_with(path, true)
    }

    /// The store in a file that is there.
    ///
    /// # Errors
    /// Why there is none.
    pub fn open_existing(path: &Path) -> Result<Sqlite, StoreError> {
        Sqlite::open_with(path, false)
    }

    fn open_with(path: &Path, make: bool) -> Result<Sqlite, StoreError> {
        // The database would take the rest of a file that was cut off for an empty one.
        let cut = std::fs::metadata(path).is_ok_and(|file| (1..HEADER_BYTES).contains(&file.len()));
        if cut {
            return Err(StoreError::Foreign);
        }
        let path = files::prepare(path, make)?;
        let mut connection = connect(&path, OpenFlags::empty())?;
        schema::prepare(&mut connection, make)?;
        let files = Arc::new(OpenedFiles::new(&path)?);
        connection.pragma_update(None, "cache_size", -WRITER_KIB)?;
        // What a batch points to is written with it or known to be there; an audit asks for all of it.
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
            idle: Mutex::default(),
            turns: Arc::new(Semaphore::new(READERS_MAX)),
        };
        Ok(Sqlite { inner: Arc::new(inner) })
    }

    /// Copies everything as it is at one moment into a new file, while work goes on.
    ///
    /// # Errors
    /// Why it could not be done. A file that is there already is not written over.
    pub async fn backup(&self, to: &Path) -> Result<(), StoreError> {
        let (from, to) = (self.inner.path.clone(), to.to_owned());
        blocking(move || {
            // The database fills an empty file and refuses any other.
            let made = private_file::create_private(&to).is_ok();
            let file = to.to_string_lossy();
            let copied = connect(&from, OpenFlags::empty())
                .and_then(|connection| Ok(connection.execute("VACUUM INTO ?1", [file])?));
            if made && copied.is_err() {
                // The first failure is the one to report.
                let _ = std::fs::remove_file(&to);
            }
            copied?;
            private_file::tighten(&to)?;
            // The database leaves it to the system when to write it down.
            std::fs::File::open(&to)?.sync_all()?;
            Ok(())
        })
        .await
    }

    /// How many batches were written, and with how many commits.
    pub fn commits(&self) -> (u64, u64) {
        self.inner.writer.commits()
    }

    /// Commits a write that changes nothing, behind the batches that wait.
    ///
    /// # Errors
    /// Why a command could not be committed either.
    pub async fn test_write(&self) -> Result<(), StoreError> {
        self.write(schema::rewrite_version).await
    }

    /// Where the journal and the operators' log end.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn ends(&self) -> Result<StoreEnds, StoreError> {
        self.read(|connection| {
            let (journal, acts) =
                connection.prepare_cached(ENDS)?.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(StoreEnds { journal: unsigned(journal)?, acts: unsigned(acts)? })
        })
        .await
    }

    /// The time of the newest event or transfer.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn newest(&self) -> Result<Option<Time>, StoreError> {
        self.read(|connection| {
            let newest: Option<i64> = connection.query_row(NEWEST, [], |row| row.get(0))?;
            newest.map(to_time).transpose()
        })
        .await
    }

    /// Has entries of the house log signed from now on.
    pub fn sign_heads(&self, signer: Arc<dyn HeadSigner>) {
        self.inner.signer.set(signer);
    }

    /// Writes something, and with it what the house log says of it: at what time, and how many entries follow from the result.
    async fn write_logged<T: Send + 'static>(
        &self,
        at: Time,
        write: impl FnOnce(&Connection) -> Result<(T, Vec<HouseRecord>), StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let signer = self.inner.signer.clone();
        self.write(move |connection| {
            let (done, records) = write(connection)?;
            house::append(connection, &signer, at, &records)?;
            Ok(done)
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
        let turn = self.inner.turns.clone().acquire_owned().await;
        blocking(move || {
            // Kept to the end, also where nobody waits for the answer any more.
            let _turn = turn;
            let idle = inner.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut connection = idle.map_or_else(|| reader(&inner), Ok)?;
            let found = read(&mut connection);
            inner.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
            found
        })
        .await
    }
}

/// A connection as all of them are.
fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let flags = flags | OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

fn reader(inner: &Inner) -> Result<Connection, StoreError> {
    let connection = connect(&inner.path, OpenFlags::empty())?;
    // A file that took the place of the first one has other tables in it.
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

    async fn kept(&self, by: &Actor, id: &CommandId) -> Result<Option<StoredCommand>, StoreError> {
        let (by, id) = (by.clone(), id.clone());
        self.read(move |connection| read::kept(connection, &by, &id)).await
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

    async fn misstated(&self, accounts: &[Account]) -> Result<Vec<BalanceMismatch>, StoreError> {
        let accounts = accounts.to_vec();
        self.read(move |connection| {
            let moment = connection.transaction()?;
            read::misstated(&moment, &accounts)
        })
        .await
    }

    async fn trial_balance(&self) -> Result<BTreeMap<Account, i64>, StoreError> {
        self.read(|connection| read::trial_balance(connection)).await
    }

    async fn journal(
        &self,
        of: Option<&Account>,
        after: u64,
        limit: u32,
    ) -> Result<Vec<JournalRow>, StoreError> {
        let of = of.cloned();
        self.read(move |connection| read::journal(connection, of.as_ref(), after, limit)).await
    }

    async fn round_journal(&self, table: &TableId, round: u64) -> Result<Vec<JournalRow>, StoreError> {
        let table = table.clone();
        self.read(move |connection| read::round_journal(connection, &table, round)).await
    }

    async fn rounds_of(&self, player: &PlayerId, limit: u32) -> Result<Vec<(TableId, u64)>, StoreError> {
        let player = player.clone();
        self.read(move |connection| read::rounds_of(connection, &player, limit)).await
    }

    async fn walk<V: StoreVisitor>(&self, visit: V) -> Result<V, StoreError> {
        self.read(move |connection| walk::walk(connection, visit)).await
    }

    async fn damage(&self) -> Result<Vec<String>, StoreError> {
        let path = self.inner.path.clone();
        self.read(move |connection| read::damage(connection, &path)).await
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test that expects wrongly has failed

    use super::*;
    use crate::{People, Person, PersonKind};
    use rusqlite::ErrorCode;
    use tempfile::TempDir;

    fn store() -> (TempDir, Sqlite) {
        let folder = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&folder.path().join("paigow.db")).unwrap();
        (folder, store)
    }

    /// Changes a setting of the connection that writes.
    async fn set(store: &Sqlite, name: &'static str, value: i64) {
        // A setting is changed also where the transaction around it cannot be committed.
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
    async fn a_read_only_database_takes_neither_a_test_write_nor_a_person() {
        let (_folder, store) = store();
        store.test_write().await.unwrap();
        set(&store, "query_only", 1).await;
        assert_eq!(code(&store.test_write().await.unwrap_err()), Some(ErrorCode::ReadOnly));
        assert_eq!(code(&enrol(&store, 1).await.unwrap_err()), Some(ErrorCode::ReadOnly));
    }

    #[tokio::test]
    async fn a_full_database_keeps_what_it_acknowledged_and_goes_on_when_there_is_room() {
        let (_folder, store) = store();
        // The least there may be is what there is.
        set(&store, "max_page_count", 1).await;
        let mut came = 0;
        let full = loop {
            match enrol(&store, came).await {
                Ok(_) => came += 1,
                Err(error) => break error,
            }
            assert!(came < 10_000, "it does not fill up");
        };
        assert_eq!(code(&full), Some(ErrorCode::DiskFull));
        set(&store, "max_page_count", 1_000_000).await;
        assert!(enrol(&store, came).await.unwrap(), "it was not kept before");
        assert_eq!(store.counts(Time(1)).await.unwrap().people, came as u64 + 1);
    }

    #[tokio::test]
    async fn a_test_write_leaves_a_store_of_another_version_alone() {
        let (_folder, store) = store();
        set(&store, "user_version", 1_000).await;
        assert!(matches!(store.test_write().await, Err(StoreError::Newer { found: 1_000, .. })));
        set(&store, "user_version", 1).await;
        assert!(matches!(store.test_write().await, Err(StoreError::Foreign)));
    }
}
