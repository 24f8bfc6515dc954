//! The store that processes use: the server's in-memory store with injected faults.

use crate::report::InjectedFault;
use crate::shared::SimulationState;
use paigow_server::simulation::Memory;
use paigow_server::{
    AppendOutcome, BalanceMismatch, Batch, EventRow, JournalRow, LogRow, PlayerRound, Store, StoreError,
    StoreVisitor, StoredCommand, TableHead,
};
use paigow_table::{Account, Actor, CommandId, PlayerId, TableId};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::oneshot;

/// The store of one process.
pub(crate) struct FaultyStore {
    pub(crate) shared: Arc<SimulationState>,
    pub(crate) process: usize,
}

fn failed() -> StoreError {
    StoreError::Io(std::io::Error::other("fault injected by the simulator"))
}

impl FaultyStore {
    /// Sleeps for a random latency.
    async fn simulate_latency(&self) {
        let slow = self.shared.fault(InjectedFault::SlowStore, 40);
        let delay = self.shared.rng().below(if slow { 1_000 } else { 3 });
        self.shared.sleep(delay).await;
    }

    /// Reads at some time between the request and the response.
    async fn read<T>(
        &self,
        read: impl AsyncFnOnce(Memory) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.simulate_latency().await;
        if self.shared.is_store_down() || self.shared.fault(InjectedFault::ReadFailed, 25) {
            return Err(failed());
        }
        let memory = self.shared.history().memory.clone();
        let found = read(memory).await;
        self.simulate_latency().await;
        found
    }
}

/// Faults and latencies of one commit.
struct CommitFault {
    before: u64,
    after: u64,
    fails: bool,
    reported_failed: bool,
    /// Whether the batch is lost if its process has crashed before the commit.
    lost_if_crashed: bool,
}

impl CommitFault {
    fn of(shared: &SimulationState) -> CommitFault {
        let slow = |shared: &SimulationState| {
            let slow = shared.fault(InjectedFault::SlowStore, 40);
            shared.rng().below(if slow { 1_500 } else { 4 })
        };
        CommitFault {
            before: slow(shared),
            after: slow(shared),
            fails: shared.fault(InjectedFault::CommitFailed, 30),
            reported_failed: shared.fault(InjectedFault::CommitReportedFailed, 30),
            lost_if_crashed: shared.rng().chance(500),
        }
    }
}

/// Commits a batch, even if its process has crashed.
async fn write(
    shared: Arc<SimulationState>,
    batch: Batch,
    fault: CommitFault,
    answer: oneshot::Sender<Result<AppendOutcome, StoreError>>,
) {
    shared.sleep(fault.before).await;
    if fault.fails || shared.is_store_down() || (answer.is_closed() && fault.lost_if_crashed) {
        let _ = answer.send(Err(failed()));
        return;
    }
    let outcome = shared.history().append(&batch, &mut shared.parsed_rules());
    shared.report().add_outcome(&outcome);
    shared.sleep(fault.after).await;
    // The process may have crashed.
    let _ = answer.send(if fault.reported_failed { Err(failed()) } else { Ok(outcome) });
}

impl Store for FaultyStore {
    async fn append(&self, batch: Batch) -> Result<AppendOutcome, StoreError> {
        let (answer, answered) = oneshot::channel();
        let fault = CommitFault::of(&self.shared);
        tokio::spawn(write(self.shared.clone(), batch, fault, answer));
        if self.shared.fault(InjectedFault::CrashAtCommit, 8) {
            let delay = self.shared.rng().below(8);
            self.shared.sleep(delay).await;
            self.shared.crash(self.process);
        }
        answered.await.unwrap_or_else(|_| Err(failed()))
    }

    async fn stored_command(&self, by: &Actor, id: &CommandId) -> Result<Option<StoredCommand>, StoreError> {
        self.read(async |store| Store::stored_command(&store, by, id).await).await
    }

    async fn events(&self, table: &TableId, after: u64) -> Result<Vec<EventRow>, StoreError> {
        self.read(async |store| Store::events(&store, table, after).await).await
    }

    async fn log(&self, table: &TableId, after: u64, limit: u32) -> Result<Vec<LogRow>, StoreError> {
        self.read(async |store| store.log(table, after, limit).await).await
    }

    async fn tables(&self) -> Result<Vec<TableHead>, StoreError> {
        self.read(async |store| store.tables().await).await
    }

    async fn balances(&self, accounts: &[Account]) -> Result<BTreeMap<Account, i64>, StoreError> {
        self.read(async |store| Store::balances(&store, accounts).await).await
    }

    async fn mismatched_balances(&self, accounts: &[Account]) -> Result<Vec<BalanceMismatch>, StoreError> {
        self.read(async |store| store.mismatched_balances(accounts).await).await
    }

    async fn trial_balance(&self) -> Result<BTreeMap<Account, i64>, StoreError> {
        self.read(async |store| store.trial_balance().await).await
    }

    async fn journal(
        &self,
        of: Option<&Account>,
        after: u64,
        limit: u32,
    ) -> Result<Vec<JournalRow>, StoreError> {
        self.read(async |store| store.journal(of, after, limit).await).await
    }

    async fn round_journal(&self, table: &TableId, round: u64) -> Result<Vec<JournalRow>, StoreError> {
        self.read(async |store| store.round_journal(table, round).await).await
    }

    async fn rounds_of(
        &self,
        player: &PlayerId,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<PlayerRound>, StoreError> {
        self.read(async |store| store.rounds_of(player, before, limit).await).await
    }

    async fn walk<V: StoreVisitor>(&self, visit: V) -> Result<V, StoreError> {
        self.read(async |store| store.walk(visit).await).await
    }

    async fn damage(&self) -> Result<Vec<String>, StoreError> {
        self.read(async |store| store.damage().await).await
    }
}
