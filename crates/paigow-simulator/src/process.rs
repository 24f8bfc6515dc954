//! Processes: each runs the server's host and scheduler, can crash at any time, and restarts with empty memory.

use crate::shared::SimulationState;
use crate::store::FaultyStore;
use paigow_server::simulation::run_scheduler;
use paigow_server::{Environment, Host};
use paigow_table::Time;
use paigow_testkit::Rng;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

pub(crate) type SimulatedHost = Host<FaultyStore, SimulatedEnvironment>;

/// Clock and entropy of one process.
pub(crate) struct SimulatedEnvironment {
    shared: Arc<SimulationState>,
    skew: Arc<AtomicI64>,
    secrets: Mutex<Rng>,
}

impl Environment for SimulatedEnvironment {
    fn now(&self) -> Time {
        self.shared.time(self.skew.load(Ordering::Relaxed))
    }

    fn entropy(&self) -> Result<[u8; 32], getrandom::Error> {
        Ok(self.secrets.lock().unwrap_or_else(PoisonError::into_inner).bytes())
    }
}

/// A running process.
#[derive(Clone)]
pub(crate) struct ProcessHandle {
    pub(crate) host: Arc<SimulatedHost>,
    /// Cancelled when the process crashes.
    pub(crate) crashed: CancellationToken,
    pub(crate) since: Instant,
}

/// A process, running or not.
pub(crate) struct Process {
    running: Option<ProcessHandle>,
    /// Its tasks; a crash aborts them.
    tasks: JoinSet<()>,
    skew: Arc<AtomicI64>,
}

impl SimulationState {
    /// Adds a process without starting it.
    pub(crate) fn add_process(&self) {
        let process = Process { running: None, tasks: JoinSet::new(), skew: Arc::default() };
        self.processes().push(process);
    }

    /// Starts a process.
    pub(crate) fn start(self: &Arc<Self>, process: usize) {
        let secrets = Mutex::new(Rng::new(self.rng().next()));
        self.set_clock(process);
        let mut processes = self.processes();
        let starting = &mut processes[process];
        let environment = SimulatedEnvironment { shared: self.clone(), skew: starting.skew.clone(), secrets };
        let store = FaultyStore { shared: self.clone(), process };
        let host = Arc::new(Host::new(store, environment, self.rules_cache.clone(), self.keys.clone()));
        starting.running = Some(ProcessHandle {
            host: host.clone(),
            crashed: CancellationToken::new(),
            since: Instant::now(),
        });
        let shared = self.clone();
        starting.tasks.spawn(async move {
            // A server that cannot list its tables exits, and a supervisor restarts it.
            while run_scheduler(host.clone()).await.is_err() {
                shared.sleep(500).await;
            }
        });
    }

    /// Sets the clock of a process to a random skew.
    pub(crate) fn set_clock(&self, process: usize) {
        let skew = self.rng().below(8_000).cast_signed() - 4_000;
        self.processes()[process].skew.store(skew, Ordering::Relaxed);
    }

    /// Kills a process and restarts it later.
    pub(crate) fn crash(self: &Arc<Self>, process: usize) {
        let mut processes = self.processes();
        let crashing = &mut processes[process];
        let Some(running) = crashing.running.take() else { return };
        running.crashed.cancel();
        crashing.tasks = JoinSet::new();
        drop(processes);
        let after = self.rng().between(50, 4_000);
        let shared = self.clone();
        tokio::spawn(async move {
            shared.sleep(after).await;
            shared.start(process);
        });
    }

    /// Returns the handle of a process, or `None` if it is not running.
    pub(crate) fn running(&self, process: usize) -> Option<ProcessHandle> {
        self.processes()[process].running.clone()
    }

    /// Returns the slowest clock of the running processes, if one of them has run for longer than `milliseconds`.
    pub(crate) fn slowest_clock(&self, milliseconds: u128) -> Option<Time> {
        let processes = self.processes();
        let running: Vec<&ProcessHandle> =
            processes.iter().filter_map(|process| process.running.as_ref()).collect();
        let steady = running.iter().any(|running| running.since.elapsed().as_millis() > milliseconds);
        running.iter().map(|running| running.host.environment().now()).min().filter(|_| steady)
    }

    /// Runs a task in a process, if the process is running.
    pub(crate) fn spawn_in(&self, process: usize, task: impl Future<Output = ()> + Send + 'static) {
        let mut processes = self.processes();
        let process = &mut processes[process];
        while process.tasks.try_join_next().is_some() {}
        if process.running.is_some() {
            process.tasks.spawn(task);
        }
    }
}
