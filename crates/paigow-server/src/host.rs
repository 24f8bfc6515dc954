//! Runs tables over a store: loads a table, lets it decide a command, appends the result, and acknowledges it.
//!
//! A host keeps loaded tables in memory, but a decision is valid only once the store has committed it. If another
//! process appended first, the host reads the appended events and retries the decision on the current state. It
//! acknowledges nothing before the commit.
//!
//! A store may go back to an earlier state: a backup is restored, or a stale replica takes over. The table in memory is
//! then not a prefix of the stored log. The host compares hashes whenever it reads or appends. If they differ, it drops
//! the table and reloads it.

mod command;
mod deadlines;
mod error;
mod funds;
pub(crate) mod hints;
mod integrity;
mod loaded_table;
mod loading;
pub(crate) mod replay;
pub(crate) mod revealed_keys;
mod rounds;
mod rules_cache;
pub(crate) mod scheduler;
mod snapshots;
pub(crate) mod store_rollback;
mod transfers;
mod watch;

use command::check_stake;
pub use command::{CommandResult, StakeMax};
pub use error::HostError;
pub use integrity::DamagedTable;
pub use replay::ReplayError;
pub(crate) use rounds::PastEvent;
pub use rounds::{SeenAt, SeenRound};
pub use rules_cache::RulesCache;
pub(crate) use watch::Start;

use crate::operations::money::MoneyCounts;
use crate::{AppendOutcome, Batch, Environment, NewEvent, Store, Tip};
use deadlines::Deadlines;
use integrity::Integrity;
use loaded_table::{LoadedTable, TableSlot, TableSnapshot};
use loading::{EventSource, LOG_PAGE};
use paigow::Ranking;
use paigow_table::{
    Actor, Command, CommandId, Config, Effects, MasterKeys, Opening, RulesForm, Table, TableEvent, TableId,
    TableRefusal,
};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};
use store_rollback::StoreRollback;
use tokio::sync::mpsc;

/// Rounds that a void applies to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum VoidScope {
    /// A round that is not settled.
    Unsettled,
    /// This round, which is settled. A second operator has approved the void.
    Settled { round: u64 },
}

impl VoidScope {
    fn check(self, table: &Table) -> Result<(), HostError> {
        let current = table.round_number();
        match self {
            VoidScope::Unsettled if table.is_settled() => Err(HostError::NeedsApproval { round: current }),
            VoidScope::Settled { round } if current != round || !table.is_settled() => {
                Err(HostError::RoundGone { round })
            }
            VoidScope::Unsettled | VoidScope::Settled { .. } => Ok(()),
        }
    }
}

/// Runs the tables of a store.
pub struct Host<S, E> {
    store: S,
    environment: E,
    rules_cache: RulesCache,
    keys: Arc<MasterKeys>,
    tables: Mutex<HashMap<TableId, Arc<TableSlot>>>,
    deadlines: Deadlines,
    rollback: StoreRollback,
    integrity: Integrity,
    money: MoneyCounts,
    /// Sends tables and their last sequence numbers to the task that notifies other processes.
    hint_sender: OnceLock<mpsc::Sender<(TableId, u64)>>,
}

impl<S: Store, E: Environment> Host<S, E> {
    /// Creates a host over a store. It takes rule books from the rules cache and derives secrets of rounds from the keys.
    pub fn new(store: S, environment: E, rules_cache: RulesCache, keys: Arc<MasterKeys>) -> Host<S, E> {
        Host {
            store,
            environment,
            rules_cache,
            keys,
            tables: Mutex::default(),
            deadlines: Deadlines::default(),
            rollback: StoreRollback::default(),
            integrity: Integrity::default(),
            money: MoneyCounts::default(),
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

    /// Counters of the money that this process has moved.
    pub(crate) fn money(&self) -> &MoneyCounts {
        &self.money
    }

    /// Source of time and random bytes.
    pub fn environment(&self) -> &E {
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
        self.open(by, id, self.rules_cache.config(opening)?).await
    }

    /// Returns the ranking of hands at a table that is to be opened.
    ///
    /// # Errors
    /// The configuration is invalid.
    pub(crate) fn ranking_of(&self, opening: Opening) -> Result<Ranking, HostError> {
        let rules = self.rules_cache.read(&self.rules_cache.config(opening)?)?;
        Ok(rules.table_rules.evaluator().ranking())
    }

    /// Whether a table's rules are the current rules of its book.
    pub(crate) fn is_current(&self, table: &Table) -> bool {
        self.rules_cache.is_current(table)
    }

    /// Opens a table.
    ///
    /// # Errors
    /// The configuration is invalid, the table exists, or the store failed.
    pub async fn open(&self, by: &Actor, id: &CommandId, config: Config) -> Result<CommandResult, HostError> {
        let rules = self.rules_cache.read(&config)?.digest.to_string();
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
            follows: None,
        };
        match self.store.append(batch).await.map_err(HostError::of_command)? {
            AppendOutcome::Appended { .. } => Ok(done),
            AppendOutcome::AlreadyExecuted { answer } => Ok(serde_json::from_str(&answer)?),
            AppendOutcome::Conflict => Err(HostError::TableExists(table)),
            AppendOutcome::OtherTransfers => Err(HostError::OtherTransfers),
            AppendOutcome::IdReused => Err(HostError::Reused(id.clone())),
            AppendOutcome::Refused(refusal) => Err(HostError::from(TableRefusal::from(refusal))),
        }
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
        self.command_within(table, by, id, command, None).await
    }

    /// Executes a command at a table, which may add a limited stake.
    ///
    /// # Errors
    /// As for [`Host::command`], or the command adds more, or the account has other transfers than the limit considers.
    pub async fn command_within(
        &self,
        table: &TableId,
        by: &Actor,
        id: &CommandId,
        command: &Command,
        stake: Option<&StakeMax>,
    ) -> Result<CommandResult, HostError> {
        let slot = self.slot(table);
        let mut slot = slot.lock().await;
        self.load(table, &mut slot).await?;
        let within = |_: &Table, effects: &Effects| match stake {
            Some(stake) => check_stake(by, effects, stake.cents).map(|()| stake.follows.clone()),
            None => Ok(None),
        };
        self.drive(table, &mut slot, by, |_| id.clone(), command, within).await
    }

    /// Voids the round of a table if it is in scope. The scope is checked in the state that the void is decided in, so
    /// a round that is settled meanwhile is not voided by mistake.
    pub(crate) async fn void(
        &self,
        table: &TableId,
        by: &Actor,
        id: &CommandId,
        command: &Command,
        scope: VoidScope,
    ) -> Result<CommandResult, HostError> {
        let slot = self.slot(table);
        let mut slot = slot.lock().await;
        self.load(table, &mut slot).await?;
        self.drive(
            table,
            &mut slot,
            by,
            |_| id.clone(),
            command,
            |table, _| scope.check(table).map(|()| None),
        )
        .await
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
        match self.drive(table, &mut slot, &Actor::Clock, id, &Command::Tick, |_, _| Ok(None)).await {
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
}
