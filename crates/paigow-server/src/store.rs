//! Storage of tables, money and command results: one transaction per command.
//!
//! A [`Batch`] contains all effects of one command: events at the expected position of a table's log, transfers, and
//! the answer under the command's id. It is committed as a whole or not at all. The key `(table, seq)` arbitrates
//! between processes: if two append at the same sequence number, one succeeds and the other gets
//! [`AppendOutcome::Conflict`]. A batch also names the hash of the event it follows, because a store that was restored to
//! an earlier state and moved on has other events under the same sequence numbers.

mod any_store;
mod archived;
mod block;
mod blocking;
mod chain;
mod encoding;
mod ends;
mod facts;
mod house;
mod idle;
mod layout;
#[cfg(feature = "simulation")]
mod memory;
mod merge;
mod plan;
mod postgres;
mod rows;
mod sealing;
mod sqlite;

pub use any_store::AnyStore;
pub use archived::{ArchiveCounts, ArchiveDigests, ArchiveRow, ArchivedBlock, ArchivedSums, CheckpointRow};
pub use block::{Block, BlockAccount, BlockHead, BlockIndex, NotSealable, SealedBlock};
pub use blocking::BlockingStore;
pub use ends::StoreEnds;
pub use house::{HeadSigner, HeadVerifier, HouseLogEntry};
pub use layout::{ColumnType, STORED_TABLES, StoredColumn, StoredTable};
#[cfg(feature = "simulation")]
pub use memory::{Memory, MemorySnapshot};
pub use postgres::Postgres;
pub use rows::{
    AccountRow, BalanceMismatch, CommandRow, EventRow, HoldRow, JournalRow, LogRow, PlayerRound,
    StoredCommand, TableHead, TableRows, Tip,
};
pub use sealing::{SealOutcome, SealRule};
pub use sqlite::Sqlite;

pub(crate) use archived::{BlockEnd, DigestBuilder, NewArchive};
pub(crate) use chain::{
    GENESIS, SignedMessage, act_hash, command_digest, event_hash, house_hash, house_head_message,
};
pub(crate) use encoding::encode_purpose;
pub(crate) use facts::StoreFacts;
pub(crate) use house::{HouseRecord, document_digest, name_digest};
pub(crate) use layout::{PROGRAMS, StoredRow};
pub(crate) use plan::shard;
pub(crate) use postgres::examine::{
    ConnectionSecurity, PostgresFacts, examine as examine_postgres, has_password,
};
pub(crate) use postgres::{CONNECTIONS_MAX, Hints};
pub(crate) use sqlite::examine::{SqliteFacts, examine as examine_sqlite};

use crate::settings::StoreLocation;
use crate::{OperatorAct, Person, Session, StoredDocument};
use paigow_table::{Account, Actor, CommandId, Commitment, LedgerRefusal, PlayerId, TableId, Time, Transfer};
use std::collections::BTreeMap;
use std::future::Future;
use std::path::PathBuf;

/// All effects of one command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Batch {
    /// Actor that gave the command.
    pub by: Actor,
    /// Id of the command, unique for the actor.
    pub id: CommandId,
    /// Time of the decision.
    pub at: Time,
    /// The command as JSON. A different command with the same id is refused.
    pub body: String,
    /// Table of the command, and the tip that its events follow. `None` if the command only transfers money.
    pub table: Option<(TableId, Tip)>,
    /// Events to append to the table's log.
    pub events: Vec<NewEvent>,
    /// Round that the transfers belong to.
    pub round: u64,
    /// Transfers of money.
    pub transfers: Vec<Transfer>,
    /// Answer to the command as JSON, also for retries.
    pub answer: String,
    /// Player's account, and the sequence number of its last transfer, which must not have changed. `None`: any transfers
    /// may precede the batch.
    pub follows: Option<(Account, u64)>,
}

/// An event to be appended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewEvent {
    /// Number of the current or last round after the event.
    pub round: u64,
    /// The event as JSON.
    pub json: String,
}

/// Outcome of appending a batch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AppendOutcome {
    /// The batch is committed and durable.
    Appended {
        /// Hash of each of its events.
        hashes: Vec<[u8; 32]>,
    },
    /// Conflict: the table's tip is not the one the batch follows. Nothing has changed; the caller reads the table and
    /// retries.
    Conflict,
    /// The account of `follows` has later transfers. Nothing has changed; the caller decides again with them.
    OtherTransfers,
    /// The command was executed before. Nothing has changed.
    AlreadyExecuted {
        /// The stored answer.
        answer: String,
    },
    /// Another command has this id. Nothing has changed.
    IdReused,
    /// The ledger refused a transfer. Nothing has changed.
    Refused(LedgerRefusal),
}

/// Failure of a store. After a failed append the batch may or may not be committed; a retry returns its outcome.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite failed.
    #[error("database error: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// PostgreSQL failed.
    #[error("database error: {}", postgres_message(.0))]
    Postgres(#[from] tokio_postgres::Error),
    /// The connection pool has no connection.
    #[error("no connection to the database: {}", pool_message(.0))]
    Pool(#[from] deadpool_postgres::PoolError),
    /// The address of the database is invalid.
    #[error("invalid database address `{address}`: {why}")]
    Address {
        /// The address, displayed without its password.
        address: StoreLocation,
        /// Why it is invalid.
        why: String,
    },
    /// The database was written by a newer program.
    #[error(
        "the database has version {found}, and this program supports versions up to {known}: use a newer program"
    )]
    Newer {
        /// Version of the database.
        found: i64,
        /// Newest version that this program supports.
        known: i64,
    },
    /// The file or database belongs to another program, or is truncated.
    #[error("the file or database is not a paigow store")]
    Foreign,
    /// A stored value cannot be decoded.
    #[error("{location} cannot be read: {why}")]
    Unreadable {
        /// The value, such as a column or a name.
        location: String,
        /// Why it cannot be decoded.
        why: String,
    },
    /// A file of the database is no longer the one that was opened. Nothing is written.
    #[error("{} is no longer the file that was opened: it was deleted or replaced; restart the server", .file.display())]
    Replaced {
        /// The file.
        file: PathBuf,
    },
    /// The store has shut down.
    #[error("the store has stopped")]
    Stopped,
    /// Every attempt conflicted with other writers.
    #[error("gave up after {attempts} attempts, all in conflict with other writers")]
    Contended {
        /// Number of attempts.
        attempts: u32,
    },
    /// A document does not have the version that a change expects, or a person is unknown. The change is rolled back.
    #[error("a document has changed since it was read")]
    Outdated,
    /// A backup of a PostgreSQL database was requested.
    #[error("back up PostgreSQL with its own tools, such as pg_dump")]
    PostgresBackup,
    /// The store is the target of a move that is not complete.
    #[error(
        "the store is the target of an unfinished move from {origin}: finish it with `paigow move --from {origin} --to` and this store"
    )]
    UnfinishedMove {
        /// Source of the move, without a password.
        origin: String,
    },
    /// Rows cannot be sealed. They stay as they are.
    #[error("rows cannot be sealed: {0}")]
    NotSealable(#[from] NotSealable),
    /// Rows were changed while they were sealed. They stay as they are.
    #[error("table {table}: rows changed while they were sealed")]
    SealConflict {
        /// Table of the rows.
        table: TableId,
    },
    /// The rows are in an archive and not in the store.
    #[error(
        "rounds {} to {} of table {} are in the archive {file} (digest {})",
        .head.first_round, .head.last_round, .head.table, String::from(Commitment(*.archive))
    )]
    Archived {
        /// Block of the rows.
        head: Box<BlockHead>,
        /// Digest of the archive.
        archive: [u8; 32],
        /// Name of the archive's file when it was written.
        file: String,
    },
    /// The store does not have the rows of an archive that is to be recorded. They may be in another archive. Nothing has
    /// changed.
    #[error(
        "the rounds of the archive are no longer in the store: another process archived them, or the store was restored; run the command again"
    )]
    ArchiveConflict,
    /// Another process has the store open, and a move needs it alone.
    #[error("the store is in use by another process, such as a server: stop it first")]
    InUse,
    /// A file could not be read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

impl StoreError {
    /// Whether the failure shows that stored data is damaged.
    pub(crate) fn is_damage(&self) -> bool {
        use rusqlite::ErrorCode;
        use tokio_postgres::error::SqlState;
        match self {
            StoreError::Unreadable { .. } => true,
            StoreError::Sqlite(error) => matches!(
                error.sqlite_error_code(),
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
            ),
            StoreError::Postgres(error) => error
                .code()
                .is_some_and(|code| [SqlState::DATA_CORRUPTED, SqlState::INDEX_CORRUPTED].contains(code)),
            _ => false,
        }
    }

    /// Adds the table that was being read to the location of an unreadable value.
    fn within(self, table: Option<&TableId>) -> StoreError {
        match (self, table) {
            (StoreError::Unreadable { location, why }, Some(table)) => {
                StoreError::Unreadable { location: format!("table {table}: {location}"), why }
            }
            (other, _) => other,
        }
    }
}

/// Message of the PostgreSQL server, if it sent one, or the reason of a failed TLS handshake. The client library displays
/// only "db error" and "error performing TLS handshake".
fn postgres_message(error: &tokio_postgres::Error) -> String {
    let message = error.as_db_error().map(ToString::to_string);
    message.or_else(|| postgres::tls::handshake_failure(error)).unwrap_or_else(|| error.to_string())
}

fn pool_message(error: &deadpool_postgres::PoolError) -> String {
    use deadpool_postgres::{HookError, PoolError};
    match error {
        PoolError::Backend(error) | PoolError::PostCreateHook(HookError::Backend(error)) => {
            postgres_message(error)
        }
        other => other.to_string(),
    }
}

/// Purpose for which a store is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OpenMode {
    /// Use of a store, which is created if it is missing.
    Create,
    /// Use of an existing store.
    Existing,
    /// Read the store in a move. No other process may have it open.
    MoveSource,
    /// Write the store in a move. It is created if it is missing, and may be unfinished. No other process may have it
    /// open.
    MoveTarget,
}

impl OpenMode {
    /// Whether a missing store is created.
    fn creates(self) -> bool {
        matches!(self, OpenMode::Create | OpenMode::MoveTarget)
    }

    /// Whether the store is opened by a move.
    fn is_move(self) -> bool {
        matches!(self, OpenMode::MoveSource | OpenMode::MoveTarget)
    }

    /// Refuses an unfinished store, unless a move writes it.
    fn check(self, marker: Option<MoveMarker>) -> Result<(), StoreError> {
        match marker {
            Some(marker) if self != OpenMode::MoveTarget => {
                Err(StoreError::UnfinishedMove { origin: marker.source })
            }
            _ => Ok(()),
        }
    }
}

/// Row of a store that is the target of an unfinished move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MoveMarker {
    /// Location of the source, without a password.
    pub(crate) source: String,
    /// First hash of the source's house log, which identifies the source.
    pub(crate) origin: [u8; 32],
}

/// Storage of tables, money and command results.
pub trait Store: Send + Sync {
    /// Appends a batch as a whole or not at all. An appended batch is durable.
    ///
    /// Checks in this order: whether the command was executed before, whether the events follow the table's tip,
    /// whether the transfers follow the last one of the account in `follows`, whether the ledger accepts them.
    fn append(&self, batch: Batch) -> impl Future<Output = Result<AppendOutcome, StoreError>> + Send;

    /// Returns a stored command with its answer.
    fn stored_command(
        &self,
        by: &Actor,
        id: &CommandId,
    ) -> impl Future<Output = Result<Option<StoredCommand>, StoreError>> + Send;

    /// Returns the events of a table after a sequence number.
    fn events(
        &self,
        table: &TableId,
        after: u64,
    ) -> impl Future<Output = Result<Vec<EventRow>, StoreError>> + Send;

    /// Returns up to `limit` rows of a table's log after a sequence number, with the columns needed for a replay.
    fn log(
        &self,
        table: &TableId,
        after: u64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<LogRow>, StoreError>> + Send;

    /// Returns the logs of several tables, each after a sequence number, with up to `limit` rows each. Tables without
    /// new rows are left out.
    fn logs(
        &self,
        tables: &[(TableId, u64)],
        limit: u32,
    ) -> impl Future<Output = Result<BTreeMap<TableId, Vec<LogRow>>, StoreError>> + Send {
        async move {
            let mut logs = BTreeMap::new();
            for (table, after) in tables {
                let log = self.log(table, *after, limit).await?;
                if !log.is_empty() {
                    logs.insert(table.clone(), log);
                }
            }
            Ok(logs)
        }
    }

    /// Lists all tables with their tips.
    fn tables(&self) -> impl Future<Output = Result<Vec<TableHead>, StoreError>> + Send;

    /// Returns the balances of accounts. An unused account has 0.
    fn balances(
        &self,
        accounts: &[Account],
    ) -> impl Future<Output = Result<BTreeMap<Account, i64>, StoreError>> + Send;

    /// Returns the accounts whose balance is not the sum of their journal, both read in one snapshot.
    ///
    /// Players' accounts have an index for this. For other accounts the whole journal may be read.
    fn mismatched_balances(
        &self,
        accounts: &[Account],
    ) -> impl Future<Output = Result<Vec<BalanceMismatch>, StoreError>> + Send;

    /// Returns the balance of every account. The balances of each currency sum to zero.
    fn trial_balance(&self) -> impl Future<Output = Result<BTreeMap<Account, i64>, StoreError>> + Send;

    /// Returns up to `limit` transfers after a sequence number of the journal, of one account or of all.
    fn journal(
        &self,
        account: Option<&Account>,
        after: u64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<JournalRow>, StoreError>> + Send;

    /// Returns the transfers of a table's round in the order of the journal.
    fn round_journal(
        &self,
        table: &TableId,
        round: u64,
    ) -> impl Future<Output = Result<Vec<JournalRow>, StoreError>> + Send;

    /// Returns up to `limit` rounds that a player had money in, the latest first. With `before`, only rounds whose `seq`
    /// is less.
    fn rounds_of(
        &self,
        player: &PlayerId,
        before: Option<u64>,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<PlayerRound>, StoreError>> + Send;

    /// Passes one snapshot of the whole store to a visitor.
    ///
    /// The order is: each table, the commands and transfers outside tables, accounts and holds, the operators' log, the
    /// house log and the rows it covers.
    fn walk<V: StoreVisitor>(&self, visit: V) -> impl Future<Output = Result<V, StoreError>> + Send;

    /// Returns the newest checkpoint of a table, or `None` if none of its rounds are archived.
    fn checkpoint(
        &self,
        _table: &TableId,
    ) -> impl Future<Output = Result<Option<CheckpointRow>, StoreError>> + Send {
        async { Ok(None) }
    }

    /// Runs the integrity checks of the database. Returns the damage found.
    fn damage(&self) -> impl Future<Output = Result<Vec<String>, StoreError>> + Send;
}

/// Receives the content of a store from [`Store::walk`].
pub trait StoreVisitor: Send + 'static {
    /// Visits a table, or with `None` the rows that belong to no table.
    fn table(&mut self, table: Option<&TableId>, rows: TableRows);

    /// Visits the next archived block of the table that is visited next.
    fn archived_block(&mut self, _block: ArchivedBlock) {}

    /// Visits the next checkpoint of the table that is visited next, after its archived blocks.
    fn checkpoint(&mut self, _row: CheckpointRow) {}

    /// Visits all archives, before the house log.
    fn archives(&mut self, _rows: Vec<ArchiveRow>) {}

    /// Visits a description of damaged data.
    fn damage(&mut self, message: String);

    /// Visits all accounts and holds.
    fn money(&mut self, accounts: Vec<AccountRow>, holds: Vec<HoldRow>);

    /// Visits the operators' log.
    fn acts(&mut self, acts: Vec<OperatorAct>);

    /// Visits the house log and the rows it covers, in parts: the whole log, all people, all documents, then operators.
    fn house(&mut self, part: HouseLogPart);
}

/// Part of the house log and of the rows it covers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HouseLogPart {
    /// The next entries of the house log.
    Log(Vec<HouseLogEntry>),
    /// The next people, by id.
    People(Vec<Person>),
    /// The next documents, by kind and id.
    Documents(Vec<StoredDocument>),
    /// Sessions and secret of the operators.
    Operators {
        /// Sessions of operators.
        sessions: Vec<Session>,
        /// Digest of the operator secret.
        secret: Option<[u8; 32]>,
    },
}
