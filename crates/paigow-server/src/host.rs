//! What drives tables over a store: load, decide, append, answer.
//!
//! A host keeps the tables it has seen in memory, but what it decides counts only where the store takes it. When another process was
//! quicker it reads what that one appended and decides again. Nothing is acknowledged before it is committed.
//!
//! A store may go back to an earlier state: a backup is restored, or a replica that was behind takes over. The table in memory is then not a
//! prefix of the stored log. The host compares hashes whenever it reads or appends; if they differ, it drops the table and loads it again.

mod deadlines;
pub(crate) mod hints;
mod integrity;
pub(crate) mod replay;
pub(crate) mod revealed_keys;
mod rounds;
mod rules_cache;
pub(crate) mod scheduler;
mod snapshots;
pub(crate) mod store_rollback;
mod watch;

pub use integrity::DamagedTable;
pub use replay::ReplayError;
pub(crate) use rounds::PastEvent;
pub use rounds::{SeenAt, SeenRound};
pub use rules_cache::RulesCache;
pub(crate) use watch::Start;

use crate::live::Feed;
use crate::{AppendOutcome, Batch, Environment, LogRow, NewEvent, Store, StoreError, Tip};
use deadlines::Deadlines;
use futures_util::FutureExt;
use integrity::Integrity;
use paigow_table::{
    Account, Actor, Command, CommandId, Config, ConfigFault, DecisionContext, Effects, Funds, InvalidEvent,
    LedgerRefusal, MasterKeys, Opening, Owner, PlantedFault, Purpose, RulesForm, Table, TableEvent, TableId,
    TableRefusal, Time, Transfer, TransferKind, planted,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use snapshots::Snapshots;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use store_rollback::StoreRollback;
use tokio::sync::{Mutex as AsyncMutex, mpsc};
use tokio::time::Instant;
use utoipa::ToSchema;

/// Tables over a store.
pub struct Host<S, W> {
    store: S,
    world: W,
    library: RulesCache,
    keys: Arc<MasterKeys>,
    tables: Mutex<HashMap<TableId, Arc<TableSlot>>>,
    deadlines: Deadlines,
    rollback: StoreRollback,
    integrity: Integrity,
    /// Who tells other processes how far a table has come.
    told: OnceLock<mpsc::Sender<(TableId, u64)>>,
}

/// Where a table is, if it has been read.
type TableSlot = AsyncMutex<Option<LoadedTable>>;

/// A table as far as it has been read: what is in the store, or the beginning of it.
struct LoadedTable {
    table: Table,
    tip: Tip,
    /// Those who look at it.
    feed: Feed,
    /// What it was when some of its rounds had just begun.
    snapshots: Snapshots<TableSnapshot>,
    /// When somebody was at it last.
    used: Instant,
    /// Whether its money was compared with the store's.
    is_checked: bool,
    /// Players' accounts whose balance was compared with the journal.
    proved: BTreeSet<Account>,
    /// Players' accounts that were logged because they are not the sum of their journal.
    misstated: BTreeSet<Account>,
}

/// A table as it was after so many events; before the first there was none.
#[derive(Clone, Default)]
struct TableSnapshot {
    table: Option<Table>,
    seq: u64,
    /// Hash of the last of them.
    hash: [u8; 32],
}

impl LoadedTable {
    fn new(table: Table, tip: Tip) -> LoadedTable {
        let (feed, snapshots, proved, misstated) = Default::default();
        LoadedTable {
            table,
            tip,
            feed,
            snapshots,
            used: Instant::now(),
            is_checked: false,
            proved,
            misstated,
        }
    }
}

/// Who an event comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EventSource {
    /// Decided here.
    Local,
    /// Read: another process decided it.
    Remote,
}

/// How long after a deadline we see to it if another process decided last: that one is nearer, unless it is gone.
const STAND_IN_MS: u64 = 400;

/// What was answered to a command: it is done, and these events came of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandResult {
    /// The events after this one,
    pub after: u64,
    /// up to this one.
    pub seq: u64,
}

/// Why a command is not done.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// It is refused. Nothing has changed.
    #[error("{says}")]
    Refused {
        /// Why.
        refusal: TableRefusal,
        /// Why, in the words of the table's book.
        says: String,
    },
    /// There is no such table.
    #[error("there is no table {0}")]
    NoSuchTable(TableId),
    /// There is one of this name.
    #[error("there is a table {0} already")]
    TableExists(TableId),
    /// The table cannot be opened.
    #[error("{0}")]
    Config(#[from] ConfigFault),
    /// Another command was given under this name.
    #[error("another command was given under the name {0}")]
    Reused(CommandId),
    /// What is stored of the table is damaged: it is closed to play.
    #[error("table {table} is closed to play, because its records are damaged: {why}")]
    Damaged {
        /// Which table.
        table: TableId,
        /// What is damaged.
        why: String,
    },
    /// What is stored makes no table.
    #[error("{0}")]
    Replay(#[from] ReplayError),
    /// The store failed. Whether the command was done is not known: whoever gives it again learns it.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// There is no entropy.
    #[error("no secret can be drawn: {0}")]
    Entropy(#[from] getrandom::Error),
    /// An answer or a command could not be written or read.
    #[error("{0}")]
    Text(#[from] serde_json::Error),
}

/// A refusal that has nothing to do with the rules of a table.
impl From<TableRefusal> for HostError {
    fn from(refusal: TableRefusal) -> HostError {
        HostError::Refused { says: refusal.to_string(), refusal }
    }
}

impl HostError {
    /// The code for programs. It does not change.
    pub fn code(&self) -> &'static str {
        match self {
            HostError::Refused { refusal, .. } => refusal.code(),
            HostError::NoSuchTable(_) => "no_such_table",
            HostError::TableExists(_) => "table_exists",
            HostError::Config(fault) => fault.code(),
            HostError::Reused(_) => "command_reused",
            HostError::Replay(ReplayError::Rules { .. }) => "rules_missing",
            HostError::Replay(_) | HostError::Damaged { .. } => "damaged",
            HostError::Store(_) | HostError::Entropy(_) | HostError::Text(_) => "unavailable",
        }
    }
}

/// How many events are read at once: a table may have more than there is memory for.
const PART: u32 = 10_000;
/// How often a command is decided again before we say that others are in the way.
const TRIES_MAX: u32 = 64;
/// The longest wait before one of them.
const WAIT_MS_MAX: u64 = 100;

/// Money as far as it was read for a decision.
#[derive(Default)]
struct LoadedFunds {
    balances: BTreeMap<Account, i64>,
    /// The transfers of the table's last round.
    round: Option<Vec<Transfer>>,
}

impl LoadedFunds {
    fn is_empty(&self) -> bool {
        self.balances.is_empty() && self.round.is_none()
    }
}

/// Money that a decision asked for and that was not read yet.
#[derive(Default)]
struct MissingFunds {
    accounts: BTreeSet<Account>,
    round: Option<u64>,
}

/// What is known for a decision; what else it asks for is noted.
struct FundsSnapshot<'a> {
    known: &'a LoadedFunds,
    asked: RefCell<MissingFunds>,
}

impl Funds for FundsSnapshot<'_> {
    fn cents(&self, account: &Account) -> i64 {
        self.known.balances.get(account).copied().unwrap_or_else(|| {
            self.asked.borrow_mut().accounts.insert(account.clone());
            0
        })
    }

    fn of_round(&self, _: &TableId, round: u64) -> Vec<Transfer> {
        self.known.round.clone().unwrap_or_else(|| {
            self.asked.borrow_mut().round = Some(round);
            Vec::new()
        })
    }
}

impl<S: Store, W: Environment> Host<S, W> {
    /// A host over a store. Rule books that tables name come from the library, secrets of rounds from the keys.
    pub fn new(store: S, world: W, library: RulesCache, keys: Arc<MasterKeys>) -> Host<S, W> {
        Host {
            store,
            world,
            library,
            keys,
            tables: Mutex::default(),
            deadlines: Deadlines::default(),
            rollback: StoreRollback::default(),
            integrity: Integrity::default(),
            told: OnceLock::new(),
        }
    }

    /// The store.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// The master keys.
    pub fn keys(&self) -> &Arc<MasterKeys> {
        &self.keys
    }

    /// The time and chance it goes by.
    pub fn world(&self) -> &W {
        &self.world
    }

    /// Opens a table with the defaults of its book.
    ///
    /// # Errors
    /// Why it is not opened.
    pub async fn open_with_defaults(
        &self,
        by: &Actor,
        id: &CommandId,
        opening: Opening,
    ) -> Result<CommandResult, HostError> {
        self.open(by, id, self.library.config(opening)?).await
    }

    /// Whether a table has the rules that its book has today.
    pub(crate) fn is_current(&self, table: &Table) -> bool {
        self.library.is_current(table)
    }

    /// Opens a table.
    ///
    /// # Errors
    /// Why it is not opened.
    pub async fn open(&self, by: &Actor, id: &CommandId, config: Config) -> Result<CommandResult, HostError> {
        let rules = self.library.read(&config)?.digest.to_string();
        let table = config.table.clone();
        let body = serde_json::to_string(&config)?;
        let opened = TableEvent::Opened {
            config,
            rules,
            form: RulesForm::CANONICAL,
            version: crate::PROGRAM.to_owned(),
        };
        let done = CommandResult { after: 0, seq: 1 };
        let batch = Batch {
            by: by.clone(),
            id: id.clone(),
            at: self.world.now(),
            body,
            table: Some((table.clone(), Tip::START)),
            events: vec![NewEvent { round: 0, json: serde_json::to_string(&opened)? }],
            round: 0,
            transfers: Vec::new(),
            answer: serde_json::to_string(&done)?,
        };
        match self.store.append(batch).await? {
            AppendOutcome::Appended { .. } => Ok(done),
            AppendOutcome::Known { answer } => Ok(serde_json::from_str(&answer)?),
            AppendOutcome::Behind => Err(HostError::TableExists(table)),
            AppendOutcome::Reused => Err(HostError::Reused(id.clone())),
            AppendOutcome::Refused(refusal) => Err(HostError::from(TableRefusal::from(refusal))),
        }
    }

    /// Moves money outside a round: chips are issued, or taken back.
    ///
    /// # Errors
    /// Why it is not moved.
    pub async fn transfer(
        &self,
        by: &Actor,
        id: &CommandId,
        (debit, credit): (Account, Account),
        cents: u64,
        purpose: Purpose,
    ) -> Result<CommandResult, HostError> {
        let id_of_transfer = transfer_name(by, id, purpose)?;
        let transfer =
            Transfer { id: id_of_transfer, kind: TransferKind::Plain, debit, credit, cents, purpose };
        let done = CommandResult { after: 0, seq: 0 };
        let batch = Batch {
            by: by.clone(),
            id: id.clone(),
            at: self.world.now(),
            body: serde_json::to_string(&[&transfer])?,
            table: None,
            events: Vec::new(),
            round: 0,
            transfers: vec![transfer],
            answer: serde_json::to_string(&done)?,
        };
        match self.store.append(batch).await? {
            AppendOutcome::Appended { .. } => Ok(done),
            // Nothing is behind where there is no table; a store that says so was not asked this.
            AppendOutcome::Behind => Err(HostError::Store(StoreError::Contended { tries: 1 })),
            AppendOutcome::Known { answer } => Ok(serde_json::from_str(&answer)?),
            AppendOutcome::Reused => Err(HostError::Reused(id.clone())),
            AppendOutcome::Refused(refusal) => Err(HostError::from(TableRefusal::from(refusal))),
        }
    }

    /// Issues chips to a player.
    ///
    /// # Errors
    /// Why none are issued.
    pub async fn issue(
        &self,
        by: &Actor,
        id: &CommandId,
        to: Account,
        cents: u64,
    ) -> Result<CommandResult, HostError> {
        let from = Account { owner: Owner::Issue, currency: to.currency.clone() };
        self.transfer(by, id, (from, to), cents, Purpose::Issue).await
    }

    /// Gives a table a command.
    ///
    /// # Errors
    /// Why it is not done.
    pub async fn command(
        &self,
        table: &TableId,
        by: &Actor,
        id: &CommandId,
        command: &Command,
    ) -> Result<CommandResult, HostError> {
        let place = self.place(table);
        let mut place = place.lock().await;
        self.load(table, &mut place).await?;
        self.drive(table, &mut place, by, |_| id.clone(), command).await
    }

    /// Has the clock see to what is due at a table, if something is.
    ///
    /// # Errors
    /// Why it could not.
    ///
    /// # Panics
    /// If a table's name is longer than names of tables are: then we are wrong.
    pub async fn tick(&self, table: &TableId) -> Result<Option<CommandResult>, HostError> {
        let place = self.place(table);
        let mut place = place.lock().await;
        // The name contains the sequence number of the event that the tick follows: of all processes with the same deadline exactly one
        // succeeds, and no two ticks of a history share a name.
        let id = |tip: Tip| {
            let name = format!("t:{table}:{}", tip.seq);
            name.parse().unwrap_or_else(|_| panic!("no name for a tick: {name}"))
        };
        match self.drive(table, &mut place, &Actor::Clock, id, &Command::Tick).await {
            Ok(done) => Ok(Some(done)),
            Err(HostError::Refused { refusal: TableRefusal::NothingDue, .. }) => {
                // Whoever asked may have thought it later than it is: what is due later is not forgotten.
                if let Some(due) = place.as_ref().and_then(|loaded| loaded.table.due()) {
                    self.deadlines.again(table, due);
                }
                Ok(None)
            }
            // A damaged table was logged when it was found.
            Err(
                HostError::Damaged { .. }
                | HostError::Refused { refusal: TableRefusal::Closed | TableRefusal::RulesChanged, .. },
            ) => Ok(None),
            Err(HostError::Refused { refusal: TableRefusal::KeyMissing, .. }) => {
                tracing::error!(%table, "the master key that the open round was opened with is not at hand");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// A table as it is now in the store, and how many events it has.
    ///
    /// # Errors
    /// Why it cannot be had.
    pub async fn table(&self, table: &TableId) -> Result<(Table, u64), HostError> {
        let place = self.place(table);
        let mut place = place.lock().await;
        if place.is_some() {
            self.refresh(table, &mut place).await?;
        }
        let loaded = self.load(table, &mut place).await?;
        Ok((loaded.table.clone(), loaded.tip.seq))
    }

    fn place(&self, table: &TableId) -> Arc<TableSlot> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.entry(table.clone()).or_default().clone()
    }

    /// The table in its place, read from the store if it is not there.
    async fn load<'p>(
        &self,
        id: &TableId,
        place: &'p mut Option<LoadedTable>,
    ) -> Result<&'p mut LoadedTable, HostError> {
        if place.is_none() {
            self.integrity.check(id)?;
            // Put there when all of it has been read.
            let mut read = None;
            self.read(id, &mut read).await?;
            *place = read;
        }
        if place.is_none() {
            self.forget(id);
        }
        let loaded = place.as_mut().ok_or_else(|| HostError::NoSuchTable(id.clone()))?;
        loaded.used = Instant::now();
        Ok(loaded)
    }

    /// Keeps no place for a table that is not there: asking for such fills no memory.
    fn forget(&self, id: &TableId) {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// Reads events appended by other processes. Returns whether the table changed.
    async fn refresh(&self, id: &TableId, place: &mut Option<LoadedTable>) -> Result<bool, HostError> {
        self.load(id, place).await?;
        self.read(id, place).await
    }

    /// Reads the log from the last known event. Returns whether the table changed.
    async fn read(&self, id: &TableId, place: &mut Option<LoadedTable>) -> Result<bool, HostError> {
        let rows = self.next_part(id, place.as_ref()).await;
        self.read_from(id, place, rows).await
    }

    /// Applies one part of the log and every later part. Returns whether the table changed.
    ///
    /// The part must begin with the last known event. If it does not, the store went back to an earlier state: the host drops the table and
    /// its feed and loads the table again.
    async fn read_rows(
        &self,
        id: &TableId,
        place: &mut Option<LoadedTable>,
        mut rows: Vec<LogRow>,
    ) -> Result<bool, HostError> {
        let mut changed = false;
        loop {
            if let Some(loaded) = place
                && rows.first().map(LogRow::tip) != Some(loaded.tip)
                && !planted(PlantedFault::KeepStaleTable)
            {
                tracing::warn!(table = %id, seq = loaded.tip.seq, "the store went back to an earlier state");
                self.rollback.noticed(id, loaded.tip.seq);
                loaded.feed.mark_rolled_back();
                *place = None;
                self.deadlines.set(id, None);
                changed = true;
                rows = self.next_part(id, None).await?;
            }
            let known = usize::from(place.is_some());
            let new = rows.get(known..).unwrap_or_default();
            changed |= !new.is_empty();
            self.happen(id, place, new)?;
            if rows.len() < PART as usize {
                break;
            }
            rows = self.next_part(id, place.as_ref()).await?;
        }
        self.rollback.read_again(id, place.as_ref().map(|loaded| loaded.tip.seq));
        if let Some(loaded) = place
            && changed
        {
            self.set_deadline(loaded, EventSource::Remote);
        }
        Ok(changed)
    }

    /// The next part of a table's log, beginning with the last known event.
    async fn next_part(&self, id: &TableId, place: Option<&LoadedTable>) -> Result<Vec<LogRow>, HostError> {
        Ok(self.store.log(id, place.map_or(0, |loaded| loaded.tip.reread_after()), PART).await?)
    }

    /// Lets what was read happen, at a table that may not be there yet.
    fn happen(
        &self,
        id: &TableId,
        place: &mut Option<LoadedTable>,
        rows: &[LogRow],
    ) -> Result<(), HostError> {
        let advanced = rows.iter().try_for_each(|row| {
            integrity::verify(id, &Self::hash_before(place.as_ref()), row)?;
            let event = replay::event_of(id, row.seq, &row.json)?;
            if let Some(loaded) = place {
                return advance(loaded, row.tip(), row.at, &event);
            }
            let table = replay::opened(id, row.seq, &event, &self.library)?;
            let misfit =
                |InvalidEvent(why)| ReplayError::InvalidEvent { table: id.clone(), seq: row.seq, why };
            let table = table.with_keys(Some(self.keys.clone())).map_err(misfit)?;
            *place = Some(LoadedTable::new(table, row.tip()));
            Ok(())
        });
        unless_damaged(place, advanced)
    }

    /// Says when the clock is to see to the table.
    fn set_deadline(&self, loaded: &LoadedTable, from: EventSource) {
        let wait = if from == EventSource::Local { 0 } else { STAND_IN_MS };
        let due = loaded.table.due_from(self.world.now());
        self.deadlines.set(loaded.table.id(), due.map(|due| due.plus(wait)));
    }

    async fn drive(
        &self,
        id_of_table: &TableId,
        place: &mut Option<LoadedTable>,
        by: &Actor,
        id: impl Fn(Tip) -> CommandId,
        command: &Command,
    ) -> Result<CommandResult, HostError> {
        let mut known = LoadedFunds::default();
        for tries in 0..TRIES_MAX {
            let loaded = self.load(id_of_table, place).await?;
            let id = id(loaded.tip);
            let form = loaded.table.stored_form(by, command);
            // A table that is past the round no longer knows at which positions the cards were.
            let as_given = matches!(form, Cow::Borrowed(_));
            let body = serde_json::to_string(&form)?;
            let now = self.world.now();
            let entropy = self.world.entropy()?;
            let (decided, asked) = decide(&loaded.table, by, command, now, entropy, &known);
            if let Some(round) = asked.round {
                // What is decided depends on what the round has moved: read that, and decide again.
                let rows = self.store.round_journal(id_of_table, round).await?;
                known.round = Some(rows.into_iter().map(|row| row.transfer).collect());
                continue;
            }
            if !asked.accounts.is_empty() {
                // A stale balance is read again, too.
                self.check_balances(id_of_table, loaded, asked.accounts.iter().cloned()).await?;
                let accounts: Vec<Account> = asked.accounts.into_iter().collect();
                known.balances.extend(self.store.balances(&accounts).await?);
                continue;
            }
            let effects = match decided {
                Ok(effects) => effects,
                Err(refusal) => {
                    let says = loaded.table.table_rules().book().in_its_terms(&refusal.to_string());
                    // It may have been done before, or be refused only because we are behind.
                    if let Some(kept) = self.store.kept(by, &id).await? {
                        let again = kept.body == body || (as_given && is_again(&kept.body, command));
                        let same = again && kept.table.as_ref() == Some(id_of_table);
                        let answer = same.then_some(kept.answer).ok_or(HostError::Reused(id))?;
                        return Ok(serde_json::from_str(&answer)?);
                    }
                    if self.refresh(id_of_table, place).await? {
                        continue;
                    }
                    return Err(HostError::Refused { refusal, says });
                }
            };
            let Effects { events, transfers } = effects;
            // A balance that no transfers add up to is not spent.
            let purses = transfers.iter().map(|transfer| transfer.debit.clone());
            self.check_balances(id_of_table, loaded, purses).await?;
            let (batch, done) = batch(loaded, (by, &id, &body), now, &events, transfers)?;
            // Where this fails, whether it was taken is not known. What we have of the table is then still the beginning of it: the next
            // command finds out.
            let appending = self.store.append(batch);
            if planted(PlantedFault::AcknowledgeBeforeCommit) {
                // Begun, and not waited for.
                let _ = appending.now_or_never();
                return Ok(done);
            }
            match appending.await? {
                AppendOutcome::Appended { hashes } => {
                    let tips = (done.after + 1..).zip(hashes).map(|(seq, hash)| Tip { seq, hash });
                    let mut happened = tips.zip(&events);
                    let advanced = happened.try_for_each(|(tip, event)| advance(loaded, tip, now, event));
                    self.set_deadline(loaded, EventSource::Local);
                    if let Some(told) = self.told.get() {
                        // One that does not fit is found by looking.
                        let _ = told.try_send((id_of_table.clone(), done.seq));
                    }
                    return unless_damaged(place, advanced).map(|()| done);
                }
                AppendOutcome::Known { answer } => return Ok(serde_json::from_str(&answer)?),
                AppendOutcome::Reused => return Err(HostError::Reused(id)),
                AppendOutcome::Behind => {
                    // Not all at once again: whoever was unlucky waits a little, each for another while.
                    let wait = u64::from(entropy[31]) * u64::from(tries) / 64;
                    tokio::time::sleep(Duration::from_millis(wait.min(WAIT_MS_MAX))).await;
                    self.refresh(id_of_table, place).await?;
                    known = LoadedFunds::default();
                }
                // Somebody spent at another table what we thought was there.
                AppendOutcome::Refused(LedgerRefusal::InsufficientFunds { .. }) if !known.is_empty() => {
                    known = LoadedFunds::default();
                }
                AppendOutcome::Refused(refusal) => return Err(HostError::from(TableRefusal::from(refusal))),
            }
        }
        Err(HostError::Store(StoreError::Contended { tries: TRIES_MAX }))
    }
}

/// What a command makes happen, and what was asked for and not known.
fn decide(
    table: &Table,
    by: &Actor,
    command: &Command,
    now: Time,
    entropy: [u8; 32],
    known: &LoadedFunds,
) -> (Result<Effects, TableRefusal>, MissingFunds) {
    let purses = FundsSnapshot { known, asked: RefCell::default() };
    let decided = table.decide(by, command, &DecisionContext { now, entropy, funds: &purses });
    (decided, purses.asked.into_inner())
}

/// Whether a stored command is this one, though it was stored in another form: the cards of a set hand are stored as positions.
fn is_again(stored: &str, command: &Command) -> bool {
    serde_json::from_str::<Command>(stored).is_ok_and(|stored| stored.may_store(command))
}

/// Lets an event happen at a table in memory. All that happens there after it was read comes by here, in order and once: what we
/// decided when it is committed, and what others did when it is read.
fn advance(place: &mut LoadedTable, tip: Tip, at: Time, event: &TableEvent) -> Result<(), ReplayError> {
    let seq = tip.seq;
    let misfit =
        |table: &Table, why: String| ReplayError::InvalidEvent { table: table.id().clone(), seq, why };
    if seq != place.tip.seq + 1 {
        return Err(misfit(&place.table, format!("event {} is missing", place.tip.seq + 1)));
    }
    place.table.apply(event).map_err(|InvalidEvent(why)| misfit(&place.table, why))?;
    let follows = std::mem::replace(&mut place.tip, tip).hash;
    if let TableEvent::RoundOpened { round, .. } = event {
        place.snapshots.begin(*round, || TableSnapshot {
            table: Some(place.table.clone()),
            seq,
            hash: tip.hash,
        });
    }
    place.feed.tell(&place.table, follows, tip, at, event);
    Ok(())
}

/// Lets go of a table that something did not fit: it is not to be used.
fn unless_damaged(
    place: &mut Option<LoadedTable>,
    advanced: Result<(), ReplayError>,
) -> Result<(), HostError> {
    if advanced.is_err() {
        *place = None;
    }
    Ok(advanced?)
}

/// What is to be appended, and what is answered.
fn batch(
    loaded: &LoadedTable,
    (by, id, body): (&Actor, &CommandId, &str),
    at: Time,
    events: &[TableEvent],
    transfers: Vec<Transfer>,
) -> Result<(Batch, CommandResult), HostError> {
    let mut round = loaded.table.round_number();
    let mut new = Vec::with_capacity(events.len());
    for event in events {
        if let TableEvent::RoundOpened { round: next, .. } = event {
            round = *next;
        }
        new.push(NewEvent { round, json: serde_json::to_string(event)? });
    }
    let Tip { seq: after, .. } = loaded.tip;
    let done = CommandResult { after, seq: after + events.len() as u64 };
    let batch = Batch {
        by: by.clone(),
        id: id.clone(),
        at,
        body: body.to_owned(),
        table: Some((loaded.table.id().clone(), loaded.tip)),
        events: new,
        // Money moves before another round begins.
        round: loaded.table.round_number(),
        transfers,
        answer: serde_json::to_string(&done)?,
    };
    Ok((batch, done))
}

/// The name of a transfer that no table made: it follows from the command's, which may be longer than such a name can be.
fn transfer_name(
    by: &Actor,
    id: &CommandId,
    purpose: Purpose,
) -> Result<paigow_table::TransferId, HostError> {
    let digest = Sha256::digest(serde_json::to_string(&(by, id))?);
    let digits: Vec<String> = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let word = serde_json::to_string(&purpose)?;
    let name = format!("{}/{}", word.trim_matches('"'), digits.concat());
    Ok(name.parse().unwrap_or_else(|_| panic!("no name for a transfer: {name}")))
}
