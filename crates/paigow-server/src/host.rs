//! Runs tables over a store: loads a table, lets it decide a command, appends the result, and acknowledges it.
//!
//! A host keeps loaded tables in memory, but a decision is valid only once the store has committed it. If another
//! process appended first, the host reads the appended events and retries the decision on the current state. It
//! acknowledges nothing before the commit.
//!
//! A store may go back to an earlier state: a backup is restored, or a stale replica takes over. The table in memory is
//! then not a prefix of the stored log. The host compares hashes whenever it reads or appends. If they differ, it drops
//! the table and reloads it.

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

/// Runs the tables of a store.
pub struct Host<S, W> {
    store: S,
    environment: W,
    library: RulesCache,
    keys: Arc<MasterKeys>,
    tables: Mutex<HashMap<TableId, Arc<TableSlot>>>,
    deadlines: Deadlines,
    rollback: StoreRollback,
    integrity: Integrity,
    /// Sends tables and their last sequence numbers to the task that notifies other processes.
    hint_sender: OnceLock<mpsc::Sender<(TableId, u64)>>,
}

/// In-memory state of a table; `None` until loaded.
type TableSlot = AsyncMutex<Option<LoadedTable>>;

/// A table in memory. Its events are a prefix of the stored log.
struct LoadedTable {
    table: Table,
    tip: Tip,
    /// Feed of events to viewers.
    feed: Feed,
    /// State at the start of some of its rounds.
    snapshots: Snapshots<TableSnapshot>,
    /// Time of the last access to the table.
    last_used: Instant,
    /// Whether its escrow and the seated players' balances were verified against the store.
    is_checked: bool,
    /// Players' accounts whose balance was verified against the journal.
    verified: BTreeSet<Account>,
    /// Players' accounts logged because their balance is not the sum of their journal.
    mismatched: BTreeSet<Account>,
}

/// State of a table after its first `seq` events.
#[derive(Clone, Default)]
struct TableSnapshot {
    /// `None` before the first event.
    table: Option<Table>,
    seq: u64,
    /// Hash of the last event.
    hash: [u8; 32],
}

impl LoadedTable {
    fn new(table: Table, tip: Tip) -> LoadedTable {
        let (feed, snapshots, verified, mismatched) = Default::default();
        LoadedTable {
            table,
            tip,
            feed,
            snapshots,
            last_used: Instant::now(),
            is_checked: false,
            verified,
            mismatched,
        }
    }
}

/// Process that decided an event.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EventSource {
    /// This process.
    Local,
    /// Another process; this one read the event from the store.
    Remote,
}

/// Delay after a deadline if another process decided last, in milliseconds. That process fires the deadline first,
/// unless it has stopped.
const REMOTE_DELAY_MS: u64 = 400;

/// Range of events that a command appended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandResult {
    /// Sequence number of the last event before the command.
    pub after: u64,
    /// Sequence number of the last event of the command.
    pub seq: u64,
}

/// Why a command was not executed.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The table or the ledger refused the command. Nothing has changed.
    #[error("{message}")]
    Refused {
        /// The refusal.
        refusal: TableRefusal,
        /// The refusal in the terms of the table's book.
        message: String,
    },
    /// The table does not exist.
    #[error("there is no table {0}")]
    NoSuchTable(TableId),
    /// A table with this id exists.
    #[error("table {0} already exists")]
    TableExists(TableId),
    /// The table's configuration is invalid.
    #[error("{0}")]
    Config(#[from] ConfigFault),
    /// The id belongs to another command of the same actor.
    #[error("command id {0} was already used for another command")]
    Reused(CommandId),
    /// The table's stored records are damaged, so it is closed to play.
    #[error("table {table} is closed to play, because its records are damaged: {why}")]
    Damaged {
        /// The table.
        table: TableId,
        /// Description of the damage.
        why: String,
    },
    /// The table cannot be rebuilt from its stored events.
    #[error("{0}")]
    Replay(#[from] ReplayError),
    /// The store failed. The command may or may not be committed; a retry with the same id returns its result.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The operating system has no random bytes.
    #[error("cannot generate a secret: {0}")]
    Entropy(#[from] getrandom::Error),
    /// A command or its result could not be serialized or parsed.
    #[error("{0}")]
    Text(#[from] serde_json::Error),
}

/// For refusals that need no terms of a table's book.
impl From<TableRefusal> for HostError {
    fn from(refusal: TableRefusal) -> HostError {
        HostError::Refused { message: refusal.to_string(), refusal }
    }
}

impl HostError {
    /// Stable code for programs.
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

/// Number of events read at once, because a table's log may not fit in memory.
const LOG_PAGE: u32 = 10_000;
/// Number of attempts to decide and append a command before the host reports contention.
const ATTEMPTS_MAX: u32 = 64;
/// Maximum wait before another attempt after a conflict, in milliseconds.
const WAIT_MS_MAX: u64 = 100;

/// Balances and transfers loaded for a decision.
#[derive(Default)]
struct LoadedFunds {
    balances: BTreeMap<Account, i64>,
    /// Transfers of the table's last round.
    round: Option<Vec<Transfer>>,
}

impl LoadedFunds {
    fn is_empty(&self) -> bool {
        self.balances.is_empty() && self.round.is_none()
    }
}

/// Balances and transfers that a decision needs and that are not loaded yet.
#[derive(Default)]
struct MissingFunds {
    accounts: BTreeSet<Account>,
    round: Option<u64>,
}

/// Loaded funds for a decision. Records requests for funds that are not loaded.
struct FundsSnapshot<'a> {
    known: &'a LoadedFunds,
    missing: RefCell<MissingFunds>,
}

impl Funds for FundsSnapshot<'_> {
    fn cents(&self, account: &Account) -> i64 {
        self.known.balances.get(account).copied().unwrap_or_else(|| {
            self.missing.borrow_mut().accounts.insert(account.clone());
            0
        })
    }

    fn round_transfers(&self, _: &TableId, round: u64) -> Vec<Transfer> {
        self.known.round.clone().unwrap_or_else(|| {
            self.missing.borrow_mut().round = Some(round);
            Vec::new()
        })
    }
}

impl<S: Store, W: Environment> Host<S, W> {
    /// Creates a host over a store. It takes rule books from the rules cache and derives secrets of rounds from the keys.
    pub fn new(store: S, environment: W, library: RulesCache, keys: Arc<MasterKeys>) -> Host<S, W> {
        Host {
            store,
            environment,
            library,
            keys,
            tables: Mutex::default(),
            deadlines: Deadlines::default(),
            rollback: StoreRollback::default(),
            integrity: Integrity::default(),
            hint_sender: OnceLock::new(),
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

    /// Source of time and random bytes.
    pub fn environment(&self) -> &W {
        &self.environment
    }

    /// Opens a table, with the book's defaults for settings that are not given.
    ///
    /// # Errors
    /// The configuration is invalid, the table exists, or the store failed.
    pub async fn open_with_defaults(
        &self,
        by: &Actor,
        id: &CommandId,
        opening: Opening,
    ) -> Result<CommandResult, HostError> {
        self.open(by, id, self.library.config(opening)?).await
    }

    /// Whether a table's rules are the current rules of its book.
    pub(crate) fn is_current(&self, table: &Table) -> bool {
        self.library.is_current(table)
    }

    /// Opens a table.
    ///
    /// # Errors
    /// The configuration is invalid, the table exists, or the store failed.
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
            at: self.environment.now(),
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

    /// Transfers money outside a round, to issue or redeem chips.
    ///
    /// # Errors
    /// The ledger refused the transfer, the id was used for another command, or the store failed.
    pub async fn transfer(
        &self,
        by: &Actor,
        id: &CommandId,
        (debit, credit): (Account, Account),
        cents: u64,
        purpose: Purpose,
    ) -> Result<CommandResult, HostError> {
        let transfer_id = derive_transfer_id(by, id, purpose)?;
        let transfer = Transfer { id: transfer_id, kind: TransferKind::Plain, debit, credit, cents, purpose };
        let done = CommandResult { after: 0, seq: 0 };
        let batch = Batch {
            by: by.clone(),
            id: id.clone(),
            at: self.environment.now(),
            body: serde_json::to_string(&[&transfer])?,
            table: None,
            events: Vec::new(),
            round: 0,
            transfers: vec![transfer],
            answer: serde_json::to_string(&done)?,
        };
        match self.store.append(batch).await? {
            AppendOutcome::Appended { .. } => Ok(done),
            // A batch without a table cannot conflict with other events.
            AppendOutcome::Behind => Err(HostError::Store(StoreError::Contended { attempts: 1 })),
            AppendOutcome::Known { answer } => Ok(serde_json::from_str(&answer)?),
            AppendOutcome::Reused => Err(HostError::Reused(id.clone())),
            AppendOutcome::Refused(refusal) => Err(HostError::from(TableRefusal::from(refusal))),
        }
    }

    /// Issues chips to an account.
    ///
    /// # Errors
    /// As for [`Host::transfer`].
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

    /// Executes a command at a table. A retry with the same id returns the first result.
    ///
    /// # Errors
    /// The table refused the command, it cannot be loaded, or the store failed.
    pub async fn command(
        &self,
        table: &TableId,
        by: &Actor,
        id: &CommandId,
        command: &Command,
    ) -> Result<CommandResult, HostError> {
        let slot = self.slot(table);
        let mut slot = slot.lock().await;
        self.load(table, &mut slot).await?;
        self.drive(table, &mut slot, by, |_| id.clone(), command).await
    }

    /// Fires a table's deadline if it has expired. Returns `None` if nothing was due or the table cannot continue.
    ///
    /// # Errors
    /// The table cannot be loaded, or the store failed.
    ///
    /// # Panics
    /// The table's id is too long for the id of a tick, which [`TableId`] rules out.
    pub async fn tick(&self, table: &TableId) -> Result<Option<CommandResult>, HostError> {
        let slot = self.slot(table);
        let mut slot = slot.lock().await;
        // The id contains the sequence number of the event that the tick follows. If several processes fire the same
        // deadline, exactly one succeeds, and no two ticks of a history share an id.
        let id = |tip: Tip| {
            let id = format!("t:{table}:{}", tip.seq);
            id.parse().unwrap_or_else(|_| panic!("invalid id of a tick: {id}"))
        };
        match self.drive(table, &mut slot, &Actor::Clock, id, &Command::Tick).await {
            Ok(done) => Ok(Some(done)),
            Err(HostError::Refused { refusal: TableRefusal::NothingDue, .. }) => {
                // The deadline fired before it was due, so it is set again.
                if let Some(due) = slot.as_ref().and_then(|loaded| loaded.table.due()) {
                    self.deadlines.retry_at(table, due);
                }
                Ok(None)
            }
            // The damage was logged when it was found.
            Err(
                HostError::Damaged { .. }
                | HostError::Refused { refusal: TableRefusal::Closed | TableRefusal::RulesChanged, .. },
            ) => Ok(None),
            Err(HostError::Refused { refusal: TableRefusal::KeyMissing, .. }) => {
                tracing::error!(%table, "the master key of the open round is missing from the key file");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the current state of a table in the store, and its number of events.
    ///
    /// # Errors
    /// The table does not exist or cannot be loaded.
    pub async fn table(&self, table: &TableId) -> Result<(Table, u64), HostError> {
        let slot = self.slot(table);
        let mut slot = slot.lock().await;
        if slot.is_some() {
            self.refresh(table, &mut slot).await?;
        }
        let loaded = self.load(table, &mut slot).await?;
        Ok((loaded.table.clone(), loaded.tip.seq))
    }

    /// Returns the slot of a table, and creates an empty one if there is none.
    fn slot(&self, table: &TableId) -> Arc<TableSlot> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.entry(table.clone()).or_default().clone()
    }

    /// Returns the table in its slot. Loads it from the store if the slot is empty.
    async fn load<'s>(
        &self,
        id: &TableId,
        slot: &'s mut Option<LoadedTable>,
    ) -> Result<&'s mut LoadedTable, HostError> {
        if slot.is_none() {
            self.integrity.check(id)?;
            // The slot is filled only after the whole log has been read.
            let mut read = None;
            self.read(id, &mut read).await?;
            *slot = read;
        }
        if slot.is_none() {
            self.forget(id);
        }
        let loaded = slot.as_mut().ok_or_else(|| HostError::NoSuchTable(id.clone()))?;
        loaded.last_used = Instant::now();
        Ok(loaded)
    }

    /// Removes the slot of a table that does not exist, so that requests for unknown tables use no memory.
    fn forget(&self, id: &TableId) {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// Reads events appended by other processes. Returns whether the table changed.
    async fn refresh(&self, id: &TableId, slot: &mut Option<LoadedTable>) -> Result<bool, HostError> {
        self.load(id, slot).await?;
        self.read(id, slot).await
    }

    /// Reads the log from the last known event. Returns whether the table changed.
    async fn read(&self, id: &TableId, slot: &mut Option<LoadedTable>) -> Result<bool, HostError> {
        let rows = self.next_page(id, slot.as_ref()).await;
        self.read_from(id, slot, rows).await
    }

    /// Applies one page of the log and all later pages. Returns whether the table changed.
    ///
    /// The page must start with the last known event. If it does not, the store went back to an earlier state. The host
    /// then drops the table and its feed and reloads the table.
    async fn read_rows(
        &self,
        id: &TableId,
        slot: &mut Option<LoadedTable>,
        mut rows: Vec<LogRow>,
    ) -> Result<bool, HostError> {
        let mut changed = false;
        loop {
            if let Some(loaded) = slot
                && rows.first().map(LogRow::tip) != Some(loaded.tip)
                && !planted(PlantedFault::KeepStaleTable)
            {
                tracing::warn!(table = %id, seq = loaded.tip.seq, "the store went back to an earlier state");
                self.rollback.note_mismatch(id, loaded.tip.seq);
                loaded.feed.mark_rolled_back();
                *slot = None;
                self.deadlines.set(id, None);
                changed = true;
                rows = self.next_page(id, None).await?;
            }
            let known = usize::from(slot.is_some());
            let new = rows.get(known..).unwrap_or_default();
            changed |= !new.is_empty();
            self.apply_rows(id, slot, new)?;
            if rows.len() < LOG_PAGE as usize {
                break;
            }
            rows = self.next_page(id, slot.as_ref()).await?;
        }
        self.rollback.note_reload(id, slot.as_ref().map(|loaded| loaded.tip.seq));
        if let Some(loaded) = slot
            && changed
        {
            self.set_deadline(loaded, EventSource::Remote);
        }
        Ok(changed)
    }

    /// Returns the next page of a table's log, starting with the last known event.
    async fn next_page(&self, id: &TableId, slot: Option<&LoadedTable>) -> Result<Vec<LogRow>, HostError> {
        Ok(self.store.log(id, slot.map_or(0, |loaded| loaded.tip.reread_after()), LOG_PAGE).await?)
    }

    /// Applies rows of the log. The first row of an empty slot must open the table.
    fn apply_rows(
        &self,
        id: &TableId,
        slot: &mut Option<LoadedTable>,
        rows: &[LogRow],
    ) -> Result<(), HostError> {
        let advanced = rows.iter().try_for_each(|row| {
            integrity::verify(id, &Self::previous_hash(slot.as_ref()), row)?;
            let event = replay::parse_event(id, row.seq, &row.json)?;
            if let Some(loaded) = slot {
                return advance(loaded, row.tip(), row.at, &event);
            }
            let table = replay::opened(id, row.seq, &event, &self.library)?;
            let invalid =
                |InvalidEvent(why)| ReplayError::InvalidEvent { table: id.clone(), seq: row.seq, why };
            let table = table.with_keys(Some(self.keys.clone())).map_err(invalid)?;
            *slot = Some(LoadedTable::new(table, row.tip()));
            Ok(())
        });
        drop_if_invalid(slot, advanced)
    }

    /// Schedules the table's next deadline. `source` is the process that decided the last event.
    fn set_deadline(&self, loaded: &LoadedTable, source: EventSource) {
        let delay = if source == EventSource::Local { 0 } else { REMOTE_DELAY_MS };
        let due = loaded.table.due_from(self.environment.now());
        self.deadlines.set(loaded.table.id(), due.map(|due| due.plus(delay)));
    }

    /// Decides a command and appends its effects, with retries after conflicts. `id` makes the command's id from the
    /// current tip.
    async fn drive(
        &self,
        table_id: &TableId,
        slot: &mut Option<LoadedTable>,
        by: &Actor,
        id: impl Fn(Tip) -> CommandId,
        command: &Command,
    ) -> Result<CommandResult, HostError> {
        let mut known = LoadedFunds::default();
        for attempt in 0..ATTEMPTS_MAX {
            let loaded = self.load(table_id, slot).await?;
            let id = id(loaded.tip);
            let form = loaded.table.stored_form(by, command);
            // After the round, the table no longer knows the positions of the cards.
            let is_as_given = matches!(form, Cow::Borrowed(_));
            let body = serde_json::to_string(&form)?;
            let now = self.environment.now();
            let entropy = self.environment.entropy()?;
            let (decided, missing) = decide(&loaded.table, by, command, now, entropy, &known);
            if let Some(round) = missing.round {
                // The decision depends on the transfers of the round: load them and retry.
                let rows = self.store.round_journal(table_id, round).await?;
                known.round = Some(rows.into_iter().map(|row| row.transfer).collect());
                continue;
            }
            if !missing.accounts.is_empty() {
                // Also after a stale balance was dropped.
                self.check_balances(table_id, loaded, missing.accounts.iter().cloned()).await?;
                let accounts: Vec<Account> = missing.accounts.into_iter().collect();
                known.balances.extend(self.store.balances(&accounts).await?);
                continue;
            }
            let effects = match decided {
                Ok(effects) => effects,
                Err(refusal) => {
                    let message = loaded.table.table_rules().book().with_book_terms(&refusal.to_string());
                    // The command may be a retry of one already executed, or be refused only because the state is
                    // stale.
                    if let Some(stored) = self.store.stored_command(by, &id).await? {
                        let same_body =
                            stored.body == body || (is_as_given && is_same_command(&stored.body, command));
                        let is_retry = same_body && stored.table.as_ref() == Some(table_id);
                        let answer = is_retry.then_some(stored.answer).ok_or(HostError::Reused(id))?;
                        return Ok(serde_json::from_str(&answer)?);
                    }
                    if self.refresh(table_id, slot).await? {
                        continue;
                    }
                    return Err(HostError::Refused { refusal, message });
                }
            };
            let Effects { events, transfers } = effects;
            // A balance that is not the sum of its journal must not be spent.
            let debited = transfers.iter().map(|transfer| transfer.debit.clone());
            self.check_balances(table_id, loaded, debited).await?;
            let (batch, done) = batch(loaded, (by, &id, &body), now, &events, transfers)?;
            // If the append fails, the batch may or may not be committed. The table in memory is still a prefix of the
            // log, and the next command reads the rest.
            let appending = self.store.append(batch);
            if planted(PlantedFault::AcknowledgeBeforeCommit) {
                // Started, but not awaited.
                let _ = appending.now_or_never();
                return Ok(done);
            }
            match appending.await? {
                AppendOutcome::Appended { hashes } => {
                    let tips = (done.after + 1..).zip(hashes).map(|(seq, hash)| Tip { seq, hash });
                    let mut appended = tips.zip(&events);
                    let advanced = appended.try_for_each(|(tip, event)| advance(loaded, tip, now, event));
                    self.set_deadline(loaded, EventSource::Local);
                    if let Some(hints) = self.hint_sender.get() {
                        // If the queue is full, other processes find the events by polling.
                        let _ = hints.try_send((table_id.clone(), done.seq));
                    }
                    return drop_if_invalid(slot, advanced).map(|()| done);
                }
                AppendOutcome::Known { answer } => return Ok(serde_json::from_str(&answer)?),
                AppendOutcome::Reused => return Err(HostError::Reused(id)),
                AppendOutcome::Behind => {
                    // Random back-off, so that processes in conflict do not retry at the same moment.
                    let wait = u64::from(entropy[31]) * u64::from(attempt) / 64;
                    tokio::time::sleep(Duration::from_millis(wait.min(WAIT_MS_MAX))).await;
                    self.refresh(table_id, slot).await?;
                    known = LoadedFunds::default();
                }
                // The loaded balance is stale: the player spent it at another table.
                AppendOutcome::Refused(LedgerRefusal::InsufficientFunds { .. }) if !known.is_empty() => {
                    known = LoadedFunds::default();
                }
                AppendOutcome::Refused(refusal) => return Err(HostError::from(TableRefusal::from(refusal))),
            }
        }
        Err(HostError::Store(StoreError::Contended { attempts: ATTEMPTS_MAX }))
    }
}

/// Decides a command. Also returns the funds that the decision needs and that are not loaded.
fn decide(
    table: &Table,
    by: &Actor,
    command: &Command,
    now: Time,
    entropy: [u8; 32],
    known: &LoadedFunds,
) -> (Result<Effects, TableRefusal>, MissingFunds) {
    let funds = FundsSnapshot { known, missing: RefCell::default() };
    let decided = table.decide(by, command, &DecisionContext { now, entropy, funds: &funds });
    (decided, funds.missing.into_inner())
}

/// Whether a stored command is this one in its stored form, where the cards of a set hand are positions.
fn is_same_command(stored: &str, command: &Command) -> bool {
    serde_json::from_str::<Command>(stored).is_ok_and(|stored| stored.may_be_stored_form_of(command))
}

/// Applies an event to a table in memory and publishes it to the feed.
///
/// Every event after the first is applied here exactly once and in order: local events after their commit, remote
/// events when they are read.
fn advance(loaded: &mut LoadedTable, tip: Tip, at: Time, event: &TableEvent) -> Result<(), ReplayError> {
    let seq = tip.seq;
    let invalid =
        |table: &Table, why: String| ReplayError::InvalidEvent { table: table.id().clone(), seq, why };
    if seq != loaded.tip.seq + 1 {
        return Err(invalid(&loaded.table, format!("event {} is missing", loaded.tip.seq + 1)));
    }
    loaded.table.apply(event).map_err(|InvalidEvent(why)| invalid(&loaded.table, why))?;
    let previous_hash = std::mem::replace(&mut loaded.tip, tip).hash;
    if let TableEvent::RoundOpened { round, .. } = event {
        loaded.snapshots.begin(*round, || TableSnapshot {
            table: Some(loaded.table.clone()),
            seq,
            hash: tip.hash,
        });
    }
    loaded.feed.publish(&loaded.table, previous_hash, tip, at, event);
    Ok(())
}

/// Empties the slot if an event was invalid, because the table must not be used after that.
fn drop_if_invalid(
    slot: &mut Option<LoadedTable>,
    advanced: Result<(), ReplayError>,
) -> Result<(), HostError> {
    if advanced.is_err() {
        *slot = None;
    }
    Ok(advanced?)
}

/// Makes the batch of a decided command, and the result to return after its commit.
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
        // Transfers belong to the current round, even if an event opens the next one.
        round: loaded.table.round_number(),
        transfers,
        answer: serde_json::to_string(&done)?,
    };
    Ok((batch, done))
}

/// Derives the id of a transfer outside a table from the command's id, which may be too long for a transfer id.
fn derive_transfer_id(
    by: &Actor,
    id: &CommandId,
    purpose: Purpose,
) -> Result<paigow_table::TransferId, HostError> {
    let digest = Sha256::digest(serde_json::to_string(&(by, id))?);
    let digits: Vec<String> = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let purpose = serde_json::to_string(&purpose)?;
    let id = format!("{}/{}", purpose.trim_matches('"'), digits.concat());
    Ok(id.parse().unwrap_or_else(|_| panic!("invalid id of a transfer: {id}")))
}
