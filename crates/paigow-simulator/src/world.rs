//! A small world under faults: processes of the server over one store, clients and viewers, all moved by one seed in virtual time.
//!
//! Everything runs on one thread and a clock that leaps to whatever is due next, so the same seed gives the same world again.

use crate::panics;
use crate::people::Client;
use crate::report::{Fault, Report};
use crate::shared::Shared;
use crate::tables::{self, CURRENCIES, Postings, named};
use crate::viewer::Watcher;
use paigow_server::{Library, Tip, audit};
use paigow_table::{Account, Actor, CommandId, Owner, Phase, PlayerId, Table, TableId, Viewer};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::time::Instant;

/// How long a table may go on once the faults have stopped, in milliseconds of the world's time, when everybody leaves. A round takes less
/// than 85 seconds by its clocks, the bank being offered to seven seats for eight seconds each; who leaves may have to wait for its end. Each
/// of its steps may come late by as much as two clocks are apart.
const LEAVING_MAX: u64 = 200_000;
/// The same when nobody does anything: after three rounds without a wager a seat sits out.
const CLOCK_ALONE_MAX: u64 = 5 * 170_000;
/// How long a deadline may be overdue by every clock while nobody asks for anything and some process runs: one that could not be fired is
/// tried again after a second, and a store is down for five at most. (Where many ask at once and the store is slow, a tick waits for its turn
/// at the table like every command.)
const OVERDUE_MAX: u64 = 15_000;
/// How long nobody asks for anything, in worlds in which there is such a time.
const LULL_SECONDS: u64 = 40;
/// How often the world is looked at.
const LOOK_MS: u64 = 100;
/// By then every viewer has heard of everything: processes poll the store every two seconds, and viewers come back within one.
const HEARD_MS: u64 = 6_000;

/// Who opens tables and hands out chips.
fn cashier() -> Actor {
    Actor::Operator(named("cashier"))
}

/// Runs the world of a seed to its end. What does not hold panics, in one of its tasks.
pub(crate) fn run(
    seed: u64,
    trace: bool,
    library: &Library,
    postings: Postings,
    report: Report,
) -> (Postings, Report) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let runtime = runtime.unwrap_or_else(|error| panic!("no runtime: {error}"));
    runtime.block_on(async {
        let shared = Arc::new(Shared::new(seed, trace, postings, report, library.clone()));
        let world = tokio::spawn(World::run(shared.clone()));
        // A panic of the world itself is noted like any other.
        let _ = world.await;
        shared.end()
    })
}

struct World {
    shared: Arc<Shared>,
    watchers: Vec<Arc<Watcher>>,
    tables: Vec<TableId>,
}

impl World {
    async fn run(shared: Arc<Shared>) {
        let (tables, clients, processes) = {
            let mut rng = shared.rng();
            (rng.between(2, 10), rng.between(8, 30), rng.between(1, 4))
        };
        for process in 0..processes {
            shared.add_process();
            shared.start(process as usize);
        }
        let mut world = World { shared, watchers: Vec::new(), tables: Vec::new() };
        for number in 0..tables {
            world.open(number).await;
        }
        for number in 0..clients {
            world.join(number).await;
        }
        world.watch(clients);
        world.under_faults().await;
        world.at_rest().await;
    }

    async fn open(&mut self, number: u64) {
        let config = tables::config(&mut self.shared.rng(), number, &mut self.shared.postings());
        let (table, process) = (config.table.clone(), self.shared.some_process());
        let Some(running) = self.shared.running(process) else { panic!("no process runs") };
        let opened = running.host.open(&cashier(), &named(&format!("open-{number}")), config).await;
        assert!(opened.is_ok(), "{table} is not opened: {opened:?}");
        self.tables.push(table);
        self.shared.report().tables += 1;
    }

    async fn join(&mut self, number: u64) {
        let player: PlayerId = named(&format!("p{number}"));
        for currency in CURRENCIES {
            // Some are rich, and some soon have nothing left.
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
        tokio::spawn(client.live(self.shared.clone()));
    }

    /// Somebody looks at every table: anybody, and some of those who may sit there.
    fn watch(&mut self, clients: u64) {
        let mut rng = self.shared.rng();
        for table in &self.tables {
            let mut viewers = vec![Viewer::Watcher];
            for _ in 0..rng.between(0, 2) {
                viewers.push(Viewer::Player(named(&format!("p{}", rng.below(clients)))));
            }
            for viewer in viewers {
                let watcher = Arc::new(Watcher::new(table.clone(), viewer, self.watchers.len() as u64));
                self.watchers.push(watcher.clone());
                tokio::spawn(watcher.live(self.shared.clone()));
            }
        }
    }

    /// Lets things go wrong for a while.
    async fn under_faults(&self) {
        let shared = &self.shared;
        let (seconds, lull) = {
            let mut rng = shared.rng();
            let seconds = rng.between(20, 120);
            let lull = if rng.chance(400) { rng.below(seconds) } else { seconds };
            (seconds, lull..lull + LULL_SECONDS)
        };
        let seconds = if lull.start < seconds { seconds + LULL_SECONDS } else { seconds };
        shared.set_calm(false);
        let mut overdue = BTreeMap::new();
        for second in 0..seconds {
            shared.sleep(1_000).await;
            if panics::is_broken() {
                return;
            }
            self.look_at_deadlines(&mut overdue);
            shared.set_lull(lull.contains(&second));
            if second % 4 == 0 {
                shared.history().keep();
            }
            self.goes_wrong();
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
        shared.set_lull(false);
    }

    /// No deadline is forgotten. Keeps since when each is overdue, and at which event.
    fn look_at_deadlines(&self, overdue: &mut BTreeMap<TableId, (Tip, Instant)>) {
        let quiet = self.shared.is_lull() && self.shared.unanswered.load(Ordering::Relaxed) == 0;
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

    /// What may go wrong within a second.
    fn goes_wrong(&self) {
        let shared = &self.shared;
        if shared.fault(Fault::Crash, 150) {
            let process = shared.some_process();
            let time = shared.rng().below(1_000);
            let shared = shared.clone();
            tokio::spawn(async move {
                shared.sleep(time).await;
                shared.crash(process);
            });
        }
        if shared.fault(Fault::StoreDown, 40) {
            let time = shared.rng().between(100, 5_000);
            shared.take_store_down(time);
        }
        if shared.fault(Fault::ClockJump, 200) {
            if shared.rng().chance(500) {
                let time = shared.rng().below(15_000);
                shared.jump(time);
            } else {
                shared.set_clock(shared.some_process());
            }
        }
        if shared.fault(Fault::WentBack, 60) {
            let pasts = shared.history().pasts();
            let to = shared.rng().below(pasts) as usize;
            shared.history().go_back(to);
        }
    }

    /// Without faults every round finishes, every table comes to rest, and everybody sees the same.
    async fn at_rest(&self) {
        let shared = &self.shared;
        // Now and then nobody does anything any more: the clock alone must bring every table to rest.
        if shared.rng().chance(500) {
            self.rest_by(CLOCK_ALONE_MAX, |table| table.phase() == Phase::Waiting).await;
        }
        shared.set_leave();
        let rests = |table: &Table| {
            table.players().next().is_none()
                && matches!(table.phase(), Phase::Waiting | Phase::Between { .. })
        };
        self.rest_by(LEAVING_MAX, rests).await;
        // A table that rests may still free its seats, or close.
        self.rest_by(LEAVING_MAX, |table| table.phase() == Phase::Waiting).await;
        shared.sleep(HEARD_MS).await;
        if panics::is_broken() {
            return;
        }
        shared.history().look_at_all();
        for table in &self.tables {
            self.look_at(table).await;
        }
        for watcher in &self.watchers {
            watcher.look(shared);
        }
        let memory = shared.history().memory.clone();
        let report = audit(&memory, shared.library.clone()).await;
        let findings = report.map(|report| report.findings);
        let findings = findings.unwrap_or_else(|error| panic!("no audit: {error}"));
        assert!(findings.is_empty(), "the audit finds {findings:?}");
        let ends = shared.history().ends;
        shared.report().ends += ends;
        shared.report().worlds += 1;
    }

    /// That every process has of a table what is stored, and nothing is held there.
    async fn look_at(&self, id: &TableId) {
        let shared = &self.shared;
        let processes = shared.processes().len();
        for process in 0..processes {
            let Some(running) = shared.running(process) else {
                panic!("process {process} does not run again")
            };
            let (table, seq) = running.host.table(id).await.unwrap_or_else(|error| panic!("{id}: {error}"));
            let history = shared.history();
            assert_eq!(seq, history.tip(id).seq, "{id}: process {process} is elsewhere");
            assert!(table == *history.table(id), "{id}: process {process} has another table");
        }
        let history = shared.history();
        let table = history.table(id);
        let escrow = Account { owner: Owner::Escrow(id.clone()), currency: table.config().currency.clone() };
        assert_eq!(history.memory.balance(&escrow), 0, "{id} holds money at rest");
    }

    /// Goes on without faults until every command is answered and every table rests; that must not take too long.
    async fn rest_by(&self, milliseconds: u64, rests: fn(&Table) -> bool) {
        let shared = &self.shared;
        for _ in 0..milliseconds / LOOK_MS {
            shared.sleep(LOOK_MS).await;
            if panics::is_broken() {
                return;
            }
            let answered = shared.unanswered.load(Ordering::Relaxed) == 0;
            let history = shared.history();
            if answered && history.tables().all(|table| rests(table) && table.open_holds().next().is_none()) {
                return;
            }
        }
        let history = shared.history();
        let moving = history.tables().filter(|table| !rests(table) || table.open_holds().next().is_some());
        let moving: Vec<String> =
            moving.map(|table| format!("{} is {:?}", table.id(), table.phase())).collect();
        let unanswered = shared.unanswered.load(Ordering::Relaxed);
        panic!("no faults, and no rest: {unanswered} commands are not answered, {}", moving.join(", "));
    }
}

/// Chips from the cashier, who asks again until there is an answer.
async fn issue(shared: &Arc<Shared>, player: &PlayerId, currency: &str, cents: u64, id: &CommandId) {
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
