//! The embedded store: one file, one writer thread that commits in groups, readers on connections of their own.
//!
//! The file is in WAL mode with `synchronous=FULL`: what was committed survives a power cut. Writing begins with `BEGIN IMMEDIATE`,
//! so that several processes on one file wait for each other instead of failing.

mod checkpointer;
mod house;
mod known;
mod people;
mod read;
mod schema;
mod walk;
mod write;
mod writer;

use super::house::{HouseRecord, SharedSigner};
use super::{
    Batch, EventRow, HeadSigner, JournalRow, Kept, LogRow, Misstatement, Outcome, Store, StoreError,
    TableHead, Visit,
};
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
        let flags = if make { OpenFlags::SQLITE_OPEN_CREATE } else { OpenFlags::empty() };
        let mut connection = connect(path, flags)?;
        schema::prepare(&mut connection, make)?;
        connection.pragma_update(None, "cache_size", -WRITER_KIB)?;
        // What a batch points to is written with it or known to be there; an audit asks for all of it.
        connection.pragma_update(None, "foreign_keys", false)?;
        let signer = SharedSigner::default();
        let inner = Inner {
            path: path.to_owned(),
            writer: Writer::start(connection, connect(path, OpenFlags::empty())?, signer.clone())?,
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
            let file = to.to_string_lossy();
            connect(&from, OpenFlags::empty())?.execute("VACUUM INTO ?1", [file])?;
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
            let mut connection = idle.map_or_else(|| reader(&inner.path), Ok)?;
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

fn reader(path: &Path) -> Result<Connection, StoreError> {
    let connection = connect(path, OpenFlags::empty())?;
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
    async fn append(&self, batch: Batch) -> Result<Outcome, StoreError> {
        self.inner.writer.append(batch).await
    }

    async fn kept(&self, by: &Actor, id: &CommandId) -> Result<Option<Kept>, StoreError> {
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

    async fn misstated(&self, accounts: &[Account]) -> Result<Vec<Misstatement>, StoreError> {
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

    async fn walk<V: Visit>(&self, visit: V) -> Result<V, StoreError> {
        self.read(move |connection| walk::walk(connection, visit)).await
    }

    async fn damage(&self) -> Result<Vec<String>, StoreError> {
        let path = self.inner.path.clone();
        self.read(move |connection| read::damage(connection, &path)).await
    }
}
