//! Shared state of a run: the random generator, the store's history, the processes, and the rate of faults.

use crate::history::History;
use crate::process::Process;
use crate::report::{InjectedFault, RunReport};
use crate::tables::ParsedRules;
use paigow_server::RulesCache;
use paigow_table::{MasterKeys, Time};
use paigow_testkit::Rng;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Start time of every run, in milliseconds since 1970.
const START_MS: u64 = 1_700_000_000_000;

pub(crate) struct SimulationState {
    rng: Mutex<Rng>,
    history: Mutex<History>,
    parsed_rules: Mutex<ParsedRules>,
    report: Mutex<RunReport>,
    pub(crate) rules_cache: RulesCache,
    /// The master key of all processes.
    pub(crate) keys: Arc<MasterKeys>,
    /// The book of all tables, or `None` for a random book per table.
    pub(crate) book: Option<String>,
    pub(crate) processes: Mutex<Vec<Process>>,
    start: Instant,
    /// Sum of the jumps of all clocks, in milliseconds.
    jumped: AtomicI64,
    /// End of the store's outage.
    down_until: Mutex<Instant>,
    /// Rate of faults, from 1 to 10. It varies between runs because frequent faults leave few rounds to check.
    roughness: u64,
    /// Faults that this run does not inject: some bugs show only without certain faults.
    not_injected: Vec<InjectedFault>,
    calm: AtomicBool,
    idle: AtomicBool,
    players_leave: AtomicBool,
    /// Number of commands that have no answer yet.
    pub(crate) unanswered: AtomicUsize,
}

/// Returns the master key of every run.
pub(crate) fn master_keys() -> Arc<MasterKeys> {
    let keys = MasterKeys::new(&[[9; 32]]);
    Arc::new(keys.unwrap_or_else(|| unreachable!("the list has one key")))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SimulationState {
    pub(crate) fn new(
        seed: u64,
        trace: bool,
        book: Option<String>,
        parsed_rules: ParsedRules,
        report: RunReport,
        rules_cache: RulesCache,
    ) -> SimulationState {
        let mut rng = Rng::new(seed);
        let roughness = *rng.pick(&[1, 2, 5, 10]);
        let not_injected = InjectedFault::ALL.into_iter().filter(|_| rng.chance(400)).collect();
        SimulationState {
            rng: Mutex::new(rng),
            history: Mutex::new(History::new(trace)),
            parsed_rules: Mutex::new(parsed_rules),
            report: Mutex::new(report),
            rules_cache,
            keys: master_keys(),
            book,
            processes: Mutex::default(),
            start: Instant::now(),
            jumped: AtomicI64::new(0),
            down_until: Mutex::new(Instant::now()),
            roughness,
            not_injected,
            calm: AtomicBool::new(true),
            idle: AtomicBool::new(false),
            players_leave: AtomicBool::new(false),
            unanswered: AtomicUsize::new(0),
        }
    }

    pub(crate) fn rng(&self) -> MutexGuard<'_, Rng> {
        lock(&self.rng)
    }

    pub(crate) fn history(&self) -> MutexGuard<'_, History> {
        lock(&self.history)
    }

    pub(crate) fn parsed_rules(&self) -> MutexGuard<'_, ParsedRules> {
        lock(&self.parsed_rules)
    }

    pub(crate) fn report(&self) -> MutexGuard<'_, RunReport> {
        lock(&self.report)
    }

    pub(crate) fn processes(&self) -> MutexGuard<'_, Vec<Process>> {
        lock(&self.processes)
    }

    /// Returns the parsed rules and the report for the next run.
    pub(crate) fn end(&self) -> (ParsedRules, RunReport) {
        (std::mem::take(&mut *self.parsed_rules()), std::mem::take(&mut *self.report()))
    }

    /// Returns the time of a clock with this skew.
    pub(crate) fn time(&self, skew: i64) -> Time {
        let passed = self.start.elapsed().as_millis() as u64;
        Time((START_MS + passed).saturating_add_signed(skew + self.jumped.load(Ordering::Relaxed)))
    }

    /// Advances all clocks, as after a suspend.
    pub(crate) fn jump(&self, milliseconds: u64) {
        self.jumped.fetch_add(milliseconds.cast_signed(), Ordering::Relaxed);
    }

    /// Disables or enables faults.
    pub(crate) fn set_calm(&self, calm: bool) {
        self.calm.store(calm, Ordering::Relaxed);
    }

    pub(crate) fn is_calm(&self) -> bool {
        self.calm.load(Ordering::Relaxed)
    }

    /// Stops or resumes clients while faults continue.
    pub(crate) fn set_idle(&self, idle: bool) {
        self.idle.store(idle, Ordering::Relaxed);
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed)
    }

    /// Makes all players stand up.
    pub(crate) fn make_players_leave(&self) {
        self.players_leave.store(true, Ordering::Relaxed);
    }

    pub(crate) fn players_leave(&self) -> bool {
        self.players_leave.load(Ordering::Relaxed)
    }

    /// Returns whether a fault happens now, and counts it. `per_mille` is its rate at the highest roughness.
    pub(crate) fn fault(&self, fault: InjectedFault, per_mille: u64) -> bool {
        let happens = self.is_possible(fault) && self.rng().chance_in(per_mille * self.roughness, 10_000);
        if happens {
            self.report().add_fault(fault);
        }
        happens
    }

    /// Whether a fault may happen now.
    pub(crate) fn is_possible(&self, fault: InjectedFault) -> bool {
        !self.is_calm() && !self.not_injected.contains(&fault)
    }

    pub(crate) async fn sleep(&self, milliseconds: u64) {
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    }

    /// Sleeps for the transit time of a message.
    pub(crate) async fn travel(&self) {
        let time = {
            let mut rng = self.rng();
            let slow = !self.is_calm() && rng.chance(20 * self.roughness);
            let max = if slow { *rng.pick(&[2_000, 12_000]) } else { 60 };
            rng.below(max)
        };
        self.sleep(time).await;
    }

    /// Makes the store unavailable for `milliseconds`.
    pub(crate) fn set_store_down(&self, milliseconds: u64) {
        *lock(&self.down_until) = Instant::now() + Duration::from_millis(milliseconds);
    }

    pub(crate) fn is_store_down(&self) -> bool {
        !self.is_calm() && Instant::now() < *lock(&self.down_until)
    }

    /// Returns a random process, running or not.
    pub(crate) fn some_process(self: &Arc<Self>) -> usize {
        let count = self.processes().len() as u64;
        self.rng().below(count) as usize
    }
}
