//! PostgreSQL store, shared by any number of processes.
//!
//! Queued batches are written together in one transaction. Accounts whose balance matters are locked in one order.
//! Accounts that many tables use are split into shards, one for each table, so that tables do not wait for each other.
//! A transaction that the database aborts because of a conflict is retried.

mod archives;
mod blocks;
mod copy;
mod documents;
pub(super) mod examine;
mod hints;
mod house;
mod people;
mod read;
mod rows;
mod schema;
pub(super) mod tls;
mod write;
mod writer;

use super::encoding::{decode_time, unsigned};
use super::ends::{ENDS, NEWEST};
use super::house::SharedSigner;
use super::{
    AppendOutcome, BalanceMismatch, Batch, CheckpointRow, EventRow, HeadSigner, JournalRow, LogRow, OpenMode,
    PlayerRound, Store, StoreEnds, StoreError, StoreVisitor, StoredCommand, TableHead,
};
use crate::settings::StoreLocation;
use deadpool_postgres::{BuildError, Hook, HookError, Manager, ManagerConfig, Pool, RecyclingMethod};
pub(crate) use hints::Hints;
use paigow_table::{Account, Actor, CommandId, PlayerId, TableId, Time};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::Mutex;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Config, IsolationLevel};
use tokio_postgres_rustls::MakeRustlsConnect;
use writer::Writers;

/// Store in a PostgreSQL database. Clones share it.
#[derive(Clone)]
pub struct Postgres {
    /// For connections outside the pools.
    config: Arc<Config>,
    tls: MakeRustlsConnect,
    pool: Pool,
    writers: Arc<Writers>,
    /// Signs entries of the house log.
    signer: SharedSigner,
    /// Held while a write other than a batch appends to the house log.
    house_log_lock: Arc<Mutex<()>>,
}

/// Maximum number of read connections of a process. Together with the writers' connections there are 16.
const READERS_MAX: usize = 12;
/// Maximum number of connections of a process: readers, writers and one that listens for hints.
pub(crate) const CONNECTIONS_MAX: usize = READERS_MAX + Writers::MAX + 1;
/// Session settings of read connections.
///
/// A suspended or lost process must not keep its row locks, so the database aborts its transaction. When the process
/// resumes, it finds its connection closed and retries.
///
/// A generic plan may be made while the tables are empty and then cached. Read connections therefore plan each
/// execution.
const READER_SETUP: &str =
    "SET idle_in_transaction_session_timeout = '3s'; SET plan_cache_mode = force_custom_plan";
/// Session settings of write connections. Writers access rows only by key, so one generic plan without scans is always
/// right.
const WRITER_SETUP: &str = "SET idle_in_transaction_session_timeout = '3s'; SET plan_cache_mode = force_generic_plan; \
    SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off";

impl Postgres {
    /// Opens the store at an address such as `postgres://user@host/database`. Creates or migrates its tables.
    ///
    /// The options `sslmode` and `sslrootcert` of the address have the meaning they have in libpq.
    ///
    /// # Errors
    /// The address is invalid, the database cannot be reached, or it is not a store of this or an earlier version.
    pub async fn open(address: &str) -> Result<Postgres, StoreError> {
        Postgres::open_as(address, OpenMode::Create).await
    }

    pub(crate) async fn open_as(address: &str, mode: OpenMode) -> Result<Postgres, StoreError> {
        let invalid =
            |why: String| StoreError::Address { address: StoreLocation::from(address.to_owned()), why };
        let (config, tls) = tls::parse(address).map_err(invalid)?;
        let pool = |setup: &str, max_size| {
            let setup = format!("{setup}; {}", copy::use_lock(mode));
            connection_pool(&config, &tls, setup, max_size).map_err(|why| invalid(why.to_string()))
        };
        let readers = pool(READER_SETUP, if mode.is_move() { 1 } else { READERS_MAX })?;
        let writers = pool(WRITER_SETUP, Writers::MAX)?;
        let mut client =
            if mode.is_move() { copy::connect_alone(&readers).await? } else { readers.get().await? };
        schema::prepare(&mut client, mode).await?;
        drop(client);
        let signer = SharedSigner::default();
        let writers = Writers::new(writers, signer.clone());
        Ok(Postgres {
            config: Arc::new(config),
            tls,
            writers,
            pool: readers,
            signer,
            house_log_lock: Arc::default(),
        })
    }

    /// Sets the signer of new entries of the house log. The first signer stays.
    pub fn sign_heads(&self, signer: Arc<dyn HeadSigner>) {
        self.signer.set(signer);
    }

    /// Commits a write that changes nothing.
    ///
    /// # Errors
    /// The store cannot commit.
    pub async fn test_write(&self) -> Result<(), StoreError> {
        let client = self.pool.get().await?;
        schema::test_write(&client).await
    }

    /// Returns the last sequence numbers of the journal and of the operators' log.
    ///
    /// # Errors
    /// The store failed.
    pub async fn ends(&self) -> Result<StoreEnds, StoreError> {
        let client = self.pool.get().await?;
        let ends = read::all(&client, ENDS, &[], |row| {
            Ok(StoreEnds { journal: unsigned(row.get(0))?, acts: unsigned(row.get(1))? })
        });
        Ok(ends.await?.pop().unwrap_or_default())
    }

    /// Returns the time of the newest event or transfer.
    ///
    /// # Errors
    /// The store failed.
    pub async fn newest(&self) -> Result<Option<Time>, StoreError> {
        let client = self.pool.get().await?;
        let newest =
            read::all(&client, NEWEST, &[], |row| row.get::<_, Option<i64>>(0).map(decode_time).transpose());
        Ok(newest.await?.pop().flatten())
    }

    /// Returns settings of the database with which a power cut loses commits, each with its value.
    ///
    /// # Errors
    /// The store failed.
    pub async fn unsafe_settings(&self) -> Result<Vec<(String, String)>, StoreError> {
        // Read on a connection of the same role and database, which may have their own settings.
        let query = "SELECT name, setting FROM pg_settings WHERE setting = 'off' \
            AND name IN ('fsync', 'full_page_writes', 'synchronous_commit') ORDER BY name";
        read::all(&self.pool.get().await?, query, &[], |row| Ok((row.get(0), row.get(1)))).await
    }

    /// Size of the database on disk, in bytes.
    ///
    /// # Errors
    /// The store failed.
    pub async fn size(&self) -> Result<u64, StoreError> {
        let size =
            self.pool.get().await?.query_one("SELECT pg_database_size(current_database())", &[]).await?;
        unsigned(size.try_get(0)?)
    }

    /// Makes the space of deleted rows available to later rows.
    ///
    /// # Errors
    /// The store failed.
    pub async fn release_space(&self) -> Result<(), StoreError> {
        let client = self.pool.get().await?;
        Ok(client.batch_execute("VACUUM (ANALYZE)").await?)
    }

    /// Number of batches written, and of transactions that wrote them.
    pub fn commits(&self) -> (u64, u64) {
        self.writers.commits()
    }
}

/// Creates a connection pool. Each new connection runs `setup` first.
fn connection_pool(
    config: &Config,
    tls: &MakeRustlsConnect,
    setup: String,
    max_size: usize,
) -> Result<Pool, BuildError> {
    let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let manager = Manager::from_config(config.clone(), tls.clone(), recycling);
    let setup = Hook::async_fn(move |client, _| {
        let setup = setup.clone();
        Box::pin(async move { client.batch_execute(&setup).await.map_err(HookError::Backend) })
    });
    Pool::builder(manager).max_size(max_size).post_create(setup).build()
}

/// Whether a retry of the transaction may succeed.
fn is_retryable(error: &StoreError) -> bool {
    let StoreError::Postgres(error) = error else { return false };
    let retryable = [
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        // Another transaction inserted the same key concurrently. The retry reads its row and decides on it.
        SqlState::UNIQUE_VIOLATION,
        // Another statement of the same transaction failed, and its error was not read first.
        SqlState::IN_FAILED_SQL_TRANSACTION,
    ];
    error.code().is_some_and(|code| retryable.contains(code))
}

impl Store for Postgres {
    async fn append(&self, batch: Batch) -> Result<AppendOutcome, StoreError> {
        self.writers.append(batch).await
    }

    async fn stored_command(&self, by: &Actor, id: &CommandId) -> Result<Option<StoredCommand>, StoreError> {
        read::stored_command(&self.pool.get().await?, by, id).await
    }

    async fn events(&self, table: &TableId, after: u64) -> Result<Vec<EventRow>, StoreError> {
        read::events(&self.pool.get().await?, table, after).await
    }

    async fn log(&self, table: &TableId, after: u64, limit: u32) -> Result<Vec<LogRow>, StoreError> {
        read::log(&self.pool.get().await?, table, after, limit).await
    }

    async fn logs(
        &self,
        tables: &[(TableId, u64)],
        limit: u32,
    ) -> Result<BTreeMap<TableId, Vec<LogRow>>, StoreError> {
        read::logs(&self.pool.get().await?, tables, limit).await
    }

    async fn tables(&self) -> Result<Vec<TableHead>, StoreError> {
        read::tables(&self.pool.get().await?).await
    }

    async fn balances(&self, accounts: &[Account]) -> Result<BTreeMap<Account, i64>, StoreError> {
        read::balances(&self.pool.get().await?, accounts).await
    }

    async fn mismatched_balances(&self, accounts: &[Account]) -> Result<Vec<BalanceMismatch>, StoreError> {
        read::mismatched_balances(&self.pool.get().await?, accounts).await
    }

    async fn trial_balance(&self) -> Result<BTreeMap<Account, i64>, StoreError> {
        read::trial_balance(&self.pool.get().await?).await
    }

    async fn journal(
        &self,
        account: Option<&Account>,
        after: u64,
        limit: u32,
    ) -> Result<Vec<JournalRow>, StoreError> {
        read::journal(&self.pool.get().await?, account, after, limit).await
    }

    async fn round_journal(&self, table: &TableId, round: u64) -> Result<Vec<JournalRow>, StoreError> {
        read::round_journal(&self.pool.get().await?, table, round).await
    }

    async fn rounds_of(
        &self,
        player: &PlayerId,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<PlayerRound>, StoreError> {
        read::rounds_of(&self.pool.get().await?, player, before, limit).await
    }

    async fn walk<V: StoreVisitor>(&self, visit: V) -> Result<V, StoreError> {
        let mut client = self.pool.get().await?;
        let snapshot =
            client.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true);
        let snapshot = snapshot.start().await?;
        // A visitor may take long for a table, and a transaction that only reads locks no rows.
        snapshot.batch_execute("SET LOCAL idle_in_transaction_session_timeout = 0").await?;
        read::walk(&snapshot, visit).await
    }

    async fn checkpoint(&self, table: &TableId) -> Result<Option<CheckpointRow>, StoreError> {
        archives::checkpoint(&self.pool.get().await?, table).await
    }

    async fn damage(&self) -> Result<Vec<String>, StoreError> {
        // With data checksums enabled, PostgreSQL verifies pages when it reads them, and `walk` reads all of them.
        Ok(Vec::new())
    }
}
