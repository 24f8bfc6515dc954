//! What is kept, and how: one transaction a command.
//!
//! A [`Batch`] is all that one command does: events at the expected place of a table's log, transfers, and the answer under the command's
//! name. It is taken whole or not at all. The key `(table, seq)` arbitrates between processes: of two that decide at the same
//! place one appends, and the other gets [`AppendOutcome::Behind`]. A batch also names the hash of the event it follows: a store that
//! was restored to an earlier state and moved on has other events under the same numbers.

mod any_store;
mod chain;
mod ends;
mod house;
mod idle;
#[cfg(feature = "simulation")]
mod memory;
mod plan;
mod postgres;
mod rows;
mod sqlite;
mod words;

pub use any_store::AnyStore;
pub use ends::StoreEnds;
pub use house::{HeadSigner, HeadVerifier, HouseLogEntry};
#[cfg(feature = "simulation")]
pub use memory::{Memory, MemorySnapshot};
pub use postgres::Postgres;
pub use rows::{
    AccountRow, BalanceMismatch, CommandRow, EventRow, HoldRow, JournalRow, LogRow, StoredCommand, TableHead,
    Tip,
};
pub use sqlite::Sqlite;

pub(crate) use chain::{
    GENESIS, SignedMessage, act_hash, command_digest, event_hash, house_hash, house_head_message,
};
pub(crate) use house::{HouseRecord, name_digest};
pub(crate) use plan::shard;
pub(crate) use postgres::Hints;

use crate::settings::StoreLocation;
use crate::{OperatorAct, Person, Session};
use paigow_table::{Account, Actor, CommandId, LedgerRefusal, PlayerId, TableId, Time, Transfer};
use std::collections::BTreeMap;
use std::future::Future;
use std::path::PathBuf;

/// All that one command does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Batch {
    /// Who gave the command.
    pub by: Actor,
    /// What they call it. With who gave it, the name is used once.
    pub id: CommandId,
    /// When it was decided.
    pub at: Time,
    /// The command as it was given; another one under the same name is refused.
    pub body: String,
    /// At which table, after which of its events. Without one only money moves.
    pub table: Option<(TableId, Tip)>,
    /// What happens at the table.
    pub events: Vec<NewEvent>,
    /// The round the transfers belong to.
    pub round: u64,
    /// What happens to money.
    pub transfers: Vec<Transfer>,
    /// What is answered, now and whenever the command comes again.
    pub answer: String,
}

/// An event to be appended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewEvent {
    /// The round that goes on or was the last, the event included.
    pub round: u64,
    /// The event as text.
    pub json: String,
}

/// What came of a batch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AppendOutcome {
    /// It is kept, and will not be lost.
    Appended {
        /// The hash of each of its events.
        hashes: Vec<[u8; 32]>,
    },
    /// The table does not end with the event the batch follows: nothing is kept. The caller reads the table again and decides again.
    Behind,
    /// The command was answered before: nothing has changed, and this was the answer.
    Known {
        /// The answer.
        answer: String,
    },
    /// Another command has this name. Nothing has changed.
    Reused,
    /// The ledger refuses. Nothing has changed.
    Refused(LedgerRefusal),
}

/// Why a store does not answer. Whether a batch was kept is then not known; who offers it again learns it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite failed.
    #[error("the database: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// PostgreSQL failed.
    #[error("the database: {}", said_by(.0))]
    Postgres(#[from] tokio_postgres::Error),
    /// No connection is to be had.
    #[error("no connection to the database: {}", said_by_pool(.0))]
    Pool(#[from] deadpool_postgres::PoolError),
    /// The address of a database is none.
    #[error("no database can be reached at `{address}`: {why}")]
    Address {
        /// The address, its password not shown.
        address: StoreLocation,
        /// What is wrong with it.
        why: String,
    },
    /// The database was written by a newer program.
    #[error(
        "the database has version {found}, and this program knows versions up to {known}: use a newer program"
    )]
    Newer {
        /// Its version.
        found: i64,
        /// The newest this program knows.
        known: i64,
    },
    /// The file or database is somebody else's, or what is left of it is no store.
    #[error("this is no store of tables")]
    Foreign,
    /// What is stored cannot be read back.
    #[error("{place} cannot be read: {why}")]
    Unreadable {
        /// Where.
        place: String,
        /// Why not.
        why: String,
    },
    /// A file of the database is no longer the one that was opened. Nothing is written.
    #[error("{} is no longer the file that was opened: it was deleted or replaced; restart the server", .file.display())]
    Replaced {
        /// The file.
        file: PathBuf,
    },
    /// The store does not work any more.
    #[error("the store has stopped")]
    Stopped,
    /// Others were in the way too often.
    #[error("gave up after {tries} tries: others were in the way each time")]
    Contended {
        /// How often.
        tries: u32,
    },
    /// A file could not be written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

impl StoreError {
    /// Whether the store answered, and what it has is damaged.
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

    /// The same, with the table that was being read.
    fn within(self, table: Option<&TableId>) -> StoreError {
        match (self, table) {
            (StoreError::Unreadable { place, why }, Some(table)) => {
                StoreError::Unreadable { place: format!("table {table}: {place}"), why }
            }
            (other, _) => other,
        }
    }
}

/// PostgreSQL's own words, where it said something: the library's are only "db error".
fn said_by(error: &tokio_postgres::Error) -> String {
    error.as_db_error().map_or_else(|| error.to_string(), ToString::to_string)
}

fn said_by_pool(error: &deadpool_postgres::PoolError) -> String {
    use deadpool_postgres::{HookError, PoolError};
    match error {
        PoolError::Backend(error) | PoolError::PostCreateHook(HookError::Backend(error)) => said_by(error),
        other => other.to_string(),
    }
}

/// Where tables, money and answers are kept.
pub trait Store: Send + Sync {
    /// Takes a batch: all of it, or nothing. It is durable when this says so.
    ///
    /// Asked in this order: was the command answered before, are the events at their place, does the ledger agree.
    fn append(&self, batch: Batch) -> impl Future<Output = Result<AppendOutcome, StoreError>> + Send;

    /// What is kept of a command.
    fn kept(
        &self,
        by: &Actor,
        id: &CommandId,
    ) -> impl Future<Output = Result<Option<StoredCommand>, StoreError>> + Send;

    /// The events of a table after so many of them.
    fn events(
        &self,
        table: &TableId,
        after: u64,
    ) -> impl Future<Output = Result<Vec<EventRow>, StoreError>> + Send;

    /// As much of the events of a table after so many of them as is needed to have them happen again, at most so many.
    fn log(
        &self,
        table: &TableId,
        after: u64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<LogRow>, StoreError>> + Send;

    /// The same of several tables, each after so many of its events, and at most so many of each. One that has nothing new is not in it.
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

    /// All tables, and how many events each has.
    fn tables(&self) -> impl Future<Output = Result<Vec<TableHead>, StoreError>> + Send;

    /// What these accounts have. Those that never moved have nothing.
    fn balances(
        &self,
        accounts: &[Account],
    ) -> impl Future<Output = Result<BTreeMap<Account, i64>, StoreError>> + Send;

    /// Those of these accounts whose balance is not the sum of their journal, as both are at one moment. Players have an index for it; of other
    /// accounts the whole journal may be read.
    fn misstated(
        &self,
        accounts: &[Account],
    ) -> impl Future<Output = Result<Vec<BalanceMismatch>, StoreError>> + Send;

    /// What every account has. All of one currency come to zero.
    fn trial_balance(&self) -> impl Future<Output = Result<BTreeMap<Account, i64>, StoreError>> + Send;

    /// Transfers in the order they were written, after a place, of one account or of all.
    fn journal(
        &self,
        of: Option<&Account>,
        after: u64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<JournalRow>, StoreError>> + Send;

    /// The transfers of a table's round in the order they were written.
    fn round_journal(
        &self,
        table: &TableId,
        round: u64,
    ) -> impl Future<Output = Result<Vec<JournalRow>, StoreError>> + Send;

    /// The rounds a player had money in, the latest first.
    fn rounds_of(
        &self,
        player: &PlayerId,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<(TableId, u64)>, StoreError>> + Send;

    /// Shows everything as it was at one moment: table after table, then what belongs to none, then accounts and holds, then what
    /// operators did, then the house log and what it covers.
    fn walk<V: StoreVisitor>(&self, visit: V) -> impl Future<Output = Result<V, StoreError>> + Send;

    /// What the database finds wrong with itself.
    fn damage(&self) -> impl Future<Output = Result<Vec<String>, StoreError>> + Send;
}

/// Who is shown everything.
pub trait StoreVisitor: Send + 'static {
    /// A table, or with none what belongs to no table.
    fn table(
        &mut self,
        table: Option<&TableId>,
        events: Vec<EventRow>,
        commands: Vec<CommandRow>,
        journal: Vec<JournalRow>,
    );

    /// All accounts and holds.
    fn money(&mut self, accounts: Vec<AccountRow>, holds: Vec<HoldRow>);

    /// What operators did.
    fn acts(&mut self, acts: Vec<OperatorAct>);

    /// The house log and what it covers, part by part: the whole log, then all people, then operators.
    fn house(&mut self, part: HouseLogPart);
}

/// A part of what is kept of the house.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HouseLogPart {
    /// The next entries of the house log.
    Log(Vec<HouseLogEntry>),
    /// The next people, by id.
    People(Vec<Person>),
    /// Operators.
    Operators {
        /// Their sessions.
        sessions: Vec<Session>,
        /// The digest of their secret.
        secret: Option<[u8; 32]>,
    },
}
