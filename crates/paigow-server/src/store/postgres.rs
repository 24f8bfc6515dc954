//! The store beyond one machine: any number of processes over one PostgreSQL.
//!
//! Batches that wait are taken together, in one transaction. Accounts that decide are locked in one order; what many tables move is kept in
//! parts, one for each table, so that tables do not wait for each other. A transaction that the database gave up for another's sake
//! is tried again.

mod hints;
mod house;
mod people;
mod read;
mod rows;
mod schema;
mod write;
mod writer;

use super::ends::{ENDS, NEWEST};
use super::house::SharedSigner;
use super::words::{to_time, unsigned};
use super::{
    AppendOutcome, BalanceMismatch, Batch, EventRow, HeadSigner, JournalRow, LogRow, Store, StoreEnds,
    StoreError, StoreVisitor, StoredCommand, TableHead,
};
use crate::settings::StoreLocation;
use deadpool_postgres::{BuildError, Hook, HookError, Manager, ManagerConfig, Pool, RecyclingMethod};
pub(crate) use hints::Hints;
use paigow_table::{Account, Actor, CommandId, PlayerId, TableId, Time};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::Mutex;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Config, IsolationLevel, NoTls};
use writer::Writers;

/// A store in a PostgreSQL database.
#[derive(Clone)]
pub struct Postgres {
    /// For a connection beside the pool's.
    config: Arc<Config>,
    pool: Pool,
    writers: Arc<Writers>,
    /// Signs entries of the house log.
    signer: SharedSigner,
    /// Held while something other than a batch appends to the house log.
    house_turn: Arc<Mutex<()>>,
}

/// How many connections that read a process has at most; with those that write they are 16.
const READERS_MAX: usize = 12;
/// What every connection is told. A process that sleeps, or whose machine is gone, must not keep others from the rows it had locked: the
/// database gives its transaction up. One that wakes finds its connection closed, and decides again.
///
/// A plan that is made when a statement is first used may be made for empty tables, and kept: those who read have one made each time.
const SET_UP: &str =
    "SET idle_in_transaction_session_timeout = '3s'; SET plan_cache_mode = force_custom_plan";
/// What those that write are told instead. All they do is by key: with that one plan is right for ever.
const SET_UP_WRITER: &str = "SET idle_in_transaction_session_timeout = '3s'; SET plan_cache_mode = force_generic_plan; \
    SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off";

impl Postgres {
    /// The store at an address such as `postgres://user@host/database`. What is missing there is made.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn open(address: &str) -> Result<Postgres, StoreError> {
        let refused =
            |why: String| StoreError::Address { address: StoreLocation::from(address.to_owned()), why };
        let config: Config =
            address.parse().map_err(|why: tokio_postgres::Error| refused(why.to_string()))?;
        let pool = |set_up, most| connections(&config, set_up, most).map_err(|why| refused(why.to_string()));
        let (readers, writers) = (pool(SET_UP, READERS_MAX)?, pool(SET_UP_WRITER, Writers::MAX)?);
        schema::prepare(&mut readers.get().await?).await?;
        let signer = SharedSigner::default();
        let writers = Writers::new(writers, signer.clone());
        Ok(Postgres { config: Arc::new(config), writers, pool: readers, signer, house_turn: Arc::default() })
    }

    /// Has entries of the house log signed from now on.
    pub fn sign_heads(&self, signer: Arc<dyn HeadSigner>) {
        self.signer.set(signer);
    }

    /// Commits a write that changes nothing.
    ///
    /// # Errors
    /// Why a command could not be committed either.
    pub async fn test_write(&self) -> Result<(), StoreError> {
        let client = self.pool.get().await?;
        schema::test_write(&client).await
    }

    /// Where the journal and the operators' log end.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn ends(&self) -> Result<StoreEnds, StoreError> {
        let client = self.pool.get().await?;
        let ends = read::all(&client, ENDS, &[], |row| {
            Ok(StoreEnds { journal: unsigned(row.get(0))?, acts: unsigned(row.get(1))? })
        });
        Ok(ends.await?.pop().unwrap_or_default())
    }

    /// The time of the newest event or transfer.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn newest(&self) -> Result<Option<Time>, StoreError> {
        let client = self.pool.get().await?;
        let newest =
            read::all(&client, NEWEST, &[], |row| row.get::<_, Option<i64>>(0).map(to_time).transpose());
        Ok(newest.await?.pop().flatten())
    }

    /// Settings of the database that lose what was committed when the power fails, each with its value.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn unsafe_settings(&self) -> Result<Vec<(String, String)>, StoreError> {
        // Asked on a connection like those that write: a role or a database may have settings of its own.
        let question = "SELECT name, setting FROM pg_settings WHERE setting = 'off' \
            AND name IN ('fsync', 'full_page_writes', 'synchronous_commit') ORDER BY name";
        read::all(&self.pool.get().await?, question, &[], |row| Ok((row.get(0), row.get(1)))).await
    }

    /// How many batches were written, and with how many transactions.
    pub fn commits(&self) -> (u64, u64) {
        self.writers.commits()
    }
}

/// Connections that are told something first.
fn connections(config: &Config, set_up: &'static str, most: usize) -> Result<Pool, BuildError> {
    let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let manager = Manager::from_config(config.clone(), NoTls, recycling);
    let set_up = Hook::async_fn(move |client, _| {
        Box::pin(async move { client.batch_execute(set_up).await.map_err(HookError::Backend) })
    });
    Pool::builder(manager).max_size(most).post_create(set_up).build()
}

/// Whether a transaction may go through if it is tried again.
fn is_passing(error: &StoreError) -> bool {
    let StoreError::Postgres(error) = error else { return false };
    let passing = [
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        // A name that was free a moment ago is taken: the next try finds out by whom, and what that means.
        SqlState::UNIQUE_VIOLATION,
        // Another statement of the same transaction has failed and was not heard first.
        SqlState::IN_FAILED_SQL_TRANSACTION,
    ];
    error.code().is_some_and(|code| passing.contains(code))
}

impl Store for Postgres {
    async fn append(&self, batch: Batch) -> Result<AppendOutcome, StoreError> {
        self.writers.append(batch).await
    }

    async fn kept(&self, by: &Actor, id: &CommandId) -> Result<Option<StoredCommand>, StoreError> {
        read::kept(&self.pool.get().await?, by, id).await
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

    async fn misstated(&self, accounts: &[Account]) -> Result<Vec<BalanceMismatch>, StoreError> {
        read::misstated(&self.pool.get().await?, accounts).await
    }

    async fn trial_balance(&self) -> Result<BTreeMap<Account, i64>, StoreError> {
        read::trial_balance(&self.pool.get().await?).await
    }

    async fn journal(
        &self,
        of: Option<&Account>,
        after: u64,
        limit: u32,
    ) -> Result<Vec<JournalRow>, StoreError> {
        read::journal(&self.pool.get().await?, of, after, limit).await
    }

    async fn round_journal(&self, table: &TableId, round: u64) -> Result<Vec<JournalRow>, StoreError> {
        read::round_journal(&self.pool.get().await?, table, round).await
    }

    async fn rounds_of(&self, player: &PlayerId, limit: u32) -> Result<Vec<(TableId, u64)>, StoreError> {
        read::rounds_of(&self.pool.get().await?, player, limit).await
    }

    async fn walk<V: StoreVisitor>(&self, visit: V) -> Result<V, StoreError> {
        let mut client = self.pool.get().await?;
        let moment =
            client.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true);
        read::walk(&moment.start().await?, visit).await
    }

    async fn damage(&self) -> Result<Vec<String>, StoreError> {
        // PostgreSQL checks its pages as it reads them, where it was set up to; a walk reads them all.
        Ok(Vec::new())
    }
}
