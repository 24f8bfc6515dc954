//! One run: server processes on one store, clients and viewers, driven by one seed in virtual time.
//!
//! Everything runs on one thread with a clock that jumps to the next timer, so the same seed gives the same run.

use crate::client::Client;
use crate::panics;
use crate::report::{InjectedFault, RunReport};
use crate::shared::SimulationState;
use crate::tables::{self, CURRENCIES, ParsedRules, named};
use crate::viewer::SimulatedViewer;
use paigow_server::{RulesCache, Tip, audit};
use paigow_table::{Account, Actor, CommandId, Owner, PlayerId, Table, TableId, TablePhase, Viewer};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::time::Instant;

/// Maximum time until every table rests after the faults stop and every player leaves, in milliseconds of virtual time.
/// A round takes less than 85 seconds by its clocks, with the bank offered to seven seats for eight seconds each. A
/// player who leaves may have to wait for the end of the round. Each step may be late by the difference between two
/// clocks.
const LEAVING_MAX: u64 = 200_000;
/// Maximum time until every table rests if no client sends a command: after three rounds without a wager a seat sits
/// out.
const SCHEDULER_ALONE_MAX: u64 = 5 * 170_000;
/// Maximum time that a deadline may be overdue by every clock while no client sends commands and a process is running.
/// The scheduler retries a deadline after a second, and the store is down for at most five. (With many commands and a
/// slow store, a tick waits for the table's lock like every command.)
const OVERDUE_MAX: u64 = 15_000;
/// Length of the idle period, in runs that have one: no client sends a command.
const IDLE_SECONDS: u64 = 40;
/// Time between two checks whether the run rests.
const CHECK_INTERVAL_MS: u64 = 100;
/// Time until every viewer has every event: processes poll the store every two seconds, and viewers reconnect within
/// one.
const DELIVERED_MS: u64 = 6_000;

/// The operator who opens tables and issues chips.
fn cashier() -> Actor {
    Actor::Operator(named("cashier"))
}

/// Executes the run of a seed to its end. A failed check panics in one of its tasks.
pub(crate) fn run(
    seed: u64,
    trace: bool,
    book: Option<String>,
    rules_cache: &RulesCache,
    parsed_rules: ParsedRules,
    report: RunReport,
) -> (ParsedRules, RunReport) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let runtime = runtime.unwrap_or_else(|error| panic!("cannot build the runtime: {error}"));
    runtime.block_on(async {
        let shared =
            Arc::new(SimulationState::new(seed, trace, book, parsed_rules, report, rules_cache.clone()));
        let scenario = tokio::spawn(Scenario::run(shared.clone()));
        // The panic hook records a panic of this task too.
        let _ = scenario.await;
        shared.end()
    })
}

struct Scenario {
    shared: Arc<SimulationState>,
    viewers: Vec<Arc<SimulatedViewer>>,
    tables: Vec<TableId>,
}

impl Scenario {
    async fn run(shared: Arc<SimulationState>) {
        let (tables, clients, processes) = {
            let mut rng = shared.rng();
            (rng.between(2, 10), rng.between(8, 30), rng.between(1, 4))
        };
        for process in 0..processes {
            shared.add_process();
            shared.start(process as usize);
        }
        let mut scenario = Scenario { shared, viewers: Vec::new(), tables: Vec::new() };
        for number in 0..tables {
            scenario.open(number).await;
        }
        for number in 0..clients {
            scenario.join(number).await;
        }
        scenario.watch(clients);
        scenario.run_with_faults().await;
        scenario.run_without_faults().await;
    }

    async fn open(&mut self, number: u64) {
        let book = self.shared.book.as_deref();
        let config = tables::config(&mut self.shared.rng(), number, book, &mut self.shared.parsed_rules());
        let (table, process) = (config.table.clone(), self.shared.some_process());
        let Some(running) = self.shared.running(process) else { panic!("process {process} is not running") };
        let opened = running.host.open(&cashier(), &named(&format!("open-{number}")), config).await;
        assert!(opened.is_ok(), "{table} cannot be opened: {opened:?}");
        self.tables.push(table);
        self.shared.report().tables += 1;
    }

    async fn join(&mut self, number: u64) {
        let player: PlayerId = named(&format!("p{number}"));
        for currency in CURRENCIES {
            // Balances differ, so that some players soon run out of chips.
            let cents = *self.shared.rng().pick(&[3_000, 20_000, 100_000, 1_000_000]);
            issue(&self.shared, &player, currency, cents, &named(&format!("{player}-{currency}"))).await;
        }
        let is_operator = number == 0;
        let tables = if is_operator {
            self.tables.clone()
        } else {
            let mut rng = self.shared.rng();
            (0..rng.between(1, 3)).map(|_| rng.pick(&self.tables).clone()).collect()
        };
        let client = Arc::new(Client::new(player, is_operator, tables));
        tokio::spawn(client.run(self.shared.clone()));
    }

    /// Starts viewers of every table: one watcher, and up to two players.
    fn watch(&mut self, clients: u64) {
        let mut rng = self.shared.rng();
        for table in &self.tables {
            let mut viewers = vec![Viewer::Watcher];
            for _ in 0..rng.between(0, 2) {
                viewers.push(Viewer::Player(named(&format!("p{}", rng.below(clients)))));
            }
            for viewer in viewers {
                let viewer = Arc::new(SimulatedViewer::new(table.clone(), viewer, self.viewers.len() as u64));
                self.viewers.push(viewer.clone());
                tokio::spawn(viewer.run(self.shared.clone()));
            }
        }
    }

    /// Runs with faults, and with the idle period if the run has one.
    async fn run_with_faults(&self) {
        let shared = &self.shared;
        let (seconds, idle) = {
            let mut rng = shared.rng();
            let seconds = rng.between(20, 120);
            let idle = if rng.chance(400) { rng.below(seconds) } else { seconds };
            (seconds, idle..idle + IDLE_SECONDS)
        };
        let seconds = if idle.start < seconds { seconds + IDLE_SECONDS } else { seconds };
        shared.set_calm(false);
        let mut overdue = BTreeMap::new();
        for second in 0..seconds {
            shared.sleep(1_000).await;
            if panics::has_panicked() {
                return;
            }
            self.check_deadlines(&mut overdue);
            shared.set_idle(idle.contains(&second));
            if second % 4 == 0 {
                shared.history().save_checkpoint();
            }
            self.inject_faults();
            if second % 2 == 0 {
                let (player, currency, cents) = {
                    let mut rng = shared.rng();
                    (format!("p{}", rng.below(8)), *rng.pick(&CURRENCIES), rng.between(1, 50_000))
                };
                let (shared, id) = (shared.clone(), named(&format!("pay-{second}")));
                tokio::spawn(async move { issue(&shared, &named(&player), currency, cents, &id).await });
            }
        }
        shared.set_calm(true);
        shared.set_idle(false);
    }

    /// Asserts that no deadline is forgotten. `overdue` maps each overdue table to its tip and the time it became
    /// overdue.
    fn check_deadlines(&self, overdue: &mut BTreeMap<TableId, (Tip, Instant)>) {
        let quiet = self.shared.is_idle() && self.shared.unanswered.load(Ordering::Relaxed) == 0;
        let Some(now) = self.shared.slowest_clock(u128::from(OVERDUE_MAX)).filter(|_| quiet) else {
            overdue.clear();
            return;
        };
        let history = self.shared.history();
        for table in history.tables() {
            let (id, tip) = (table.id(), history.tip(table.id()));
            if table.due().is_none_or(|due| now < due) || overdue.get(id).is_some_and(|(at, _)| *at != tip) {
                overdue.remove(id);
                continue;
            }
            let (_, since) = overdue.entry(id.clone()).or_insert((tip, Instant::now()));
            let late = since.elapsed().as_millis();
            assert!(late <= u128::from(OVERDUE_MAX), "{id}: a deadline is forgotten, {late} ms overdue");
        }
    }

    /// Injects the faults of one second.
    fn inject_faults(&self) {
        let shared = &self.shared;
        if shared.fault(InjectedFault::Crash, 150) {
            let process = shared.some_process();
            let time = shared.rng().below(1_000);
            let shared = shared.clone();
            tokio::spawn(async move {
                shared.sleep(time).await;
                shared.crash(process);
            });
        }
        if shared.fault(InjectedFault::StoreDown, 40) {
            let time = shared.rng().between(100, 5_000);
            shared.set_store_down(time);
        }
        if shared.fault(InjectedFault::ClockJump, 200) {
            if shared.rng().chance(500) {
                let time = shared.rng().below(15_000);
                shared.jump(time);
            } else {
                shared.set_clock(shared.some_process());
            }
        }
        if shared.fault(InjectedFault::StoreRestored, 60) {
            let checkpoints = shared.history().checkpoints();
            let to = shared.rng().below(checkpoints) as usize;
            shared.history().restore(to);
        }
    }

    /// Runs without faults: every round must finish, every table rest, and every viewer see the stored table.
    async fn run_without_faults(&self) {
        let shared = &self.shared;
        // In half of the runs clients send no more commands: the scheduler alone must bring every table to rest.
        if shared.rng().chance(500) {
            self.wait_for_rest(SCHEDULER_ALONE_MAX, |table| table.phase() == TablePhase::Waiting).await;
        }
        shared.make_players_leave();
        let is_resting = |table: &Table| {
            table.players().next().is_none()
                && matches!(table.phase(), TablePhase::Waiting | TablePhase::Between { .. })
        };
        self.wait_for_rest(LEAVING_MAX, is_resting).await;
        // A table that rests may still free its seats, or close.
        self.wait_for_rest(LEAVING_MAX, |table| table.phase() == TablePhase::Waiting).await;
        shared.sleep(DELIVERED_MS).await;
        if panics::has_panicked() {
            return;
        }
        shared.history().check_at_rest();
        for table in &self.tables {
            self.check_table(table).await;
        }
        for viewer in &self.viewers {
            viewer.check_view(shared);
        }
        let memory = shared.history().memory.clone();
        let report = audit(&memory, shared.rules_cache.clone()).await;
        let findings = report.map(|report| report.findings);
        let findings = findings.unwrap_or_else(|error| panic!("the audit failed: {error}"));
        assert!(findings.is_empty(), "the audit finds {findings:?}");
        let rounds = shared.history().rounds;
        shared.report().rounds += rounds;
        shared.report().runs += 1;
    }

    /// Asserts that every process has the stored table, and that the table's escrow is empty.
    async fn check_table(&self, id: &TableId) {
        let shared = &self.shared;
        let processes = shared.processes().len();
        for process in 0..processes {
            let Some(running) = shared.running(process) else {
                panic!("process {process} was not restarted")
            };
            let (table, seq) = running.host.table(id).await.unwrap_or_else(|error| panic!("{id}: {error}"));
            let history = shared.history();
            assert_eq!(seq, history.tip(id).seq, "{id}: process {process} has another tip");
            assert!(table == *history.table(id), "{id}: process {process} has another table");
        }
        let history = shared.history();
        let table = history.table(id);
        let escrow = Account { owner: Owner::Escrow(id.clone()), currency: table.config().currency.clone() };
        assert_eq!(history.memory.balance(&escrow), 0, "{id} holds money at rest");
    }

    /// Runs without faults until every command has an answer and every table rests; panics after `milliseconds`.
    async fn wait_for_rest(&self, milliseconds: u64, is_resting: fn(&Table) -> bool) {
        let shared = &self.shared;
        for _ in 0..milliseconds / CHECK_INTERVAL_MS {
            shared.sleep(CHECK_INTERVAL_MS).await;
            if panics::has_panicked() {
                return;
            }
            let answered = shared.unanswered.load(Ordering::Relaxed) == 0;
            let history = shared.history();
            if answered
                && history.tables().all(|table| is_resting(table) && table.open_holds().next().is_none())
            {
                return;
            }
        }
        let history = shared.history();
        let unsettled =
            history.tables().filter(|table| !is_resting(table) || table.open_holds().next().is_some());
        let unsettled: Vec<String> =
            unsettled.map(|table| format!("{} is {:?}", table.id(), table.phase())).collect();
        let unanswered = shared.unanswered.load(Ordering::Relaxed);
        panic!(
            "tables do not rest without faults: {unanswered} commands have no answer, {}",
            unsettled.join(", ")
        );
    }
}

/// Issues chips to a player. The cashier retries until the command succeeds.
async fn issue(shared: &Arc<SimulationState>, player: &PlayerId, currency: &str, cents: u64, id: &CommandId) {
    let to = Account { owner: Owner::Player(player.clone()), currency: named(currency) };
    loop {
        let process = shared.some_process();
        if let Some(running) = shared.running(process)
            && let Ok(done) = running.host.issue(&cashier(), id, to.clone(), cents).await
        {
            shared.history().acknowledge(&cashier(), id, &done);
            return;
        }
        shared.sleep(300).await;
    }
}
