//! Deterministic simulation of the server's tables under injected faults.
//!
//! A seed determines a run (`scenario.rs`): processes that execute the server's own host, scheduler and feed
//! (`process.rs`) on an in-memory store (`store.rs`), with clients (`client.rs`) and viewers (`viewer.rs`), in virtual
//! time. Commands are lost, repeated and delayed. Processes crash at any moment. Commits are slow, fail, or succeed and
//! are reported as failed. Clocks jump, and the store is restored to an earlier state. The simulator audits every batch
//! that the store appends (`history.rs`, `auditor.rs`). Then the faults stop: every round must finish, every viewer
//! must see the stored table, and the server's audit must find nothing. The same seed gives the same run on every
//! machine.

mod auditor;
mod choices;
mod client;
mod fair;
mod history;
mod panics;
mod process;
mod report;
mod scenario;
mod shared;
mod store;
mod tables;
mod viewer;

pub use paigow_table::PlantedFault;
pub use report::{InjectedFault, RunReport};

use paigow::rulebook::BuiltIn;
use paigow_server::RulesCache;
use paigow_table::plant;
use std::fmt;
use std::time::{Duration, Instant};

/// Executes runs one after the other and caches the rules that they parse.
pub struct Simulator {
    parsed_rules: tables::ParsedRules,
    rules_cache: RulesCache,
    book: Option<String>,
    /// Counts over all runs.
    pub report: RunReport,
}

impl Default for Simulator {
    fn default() -> Simulator {
        let rules_cache = RulesCache::new(BuiltIn).unlocked();
        let (parsed_rules, report) = (tables::ParsedRules::new(), RunReport::default());
        Simulator { parsed_rules, rules_cache, book: None, report }
    }
}

impl Simulator {
    /// Creates a simulator whose tables all use one built-in book.
    pub fn with_book(book: &str) -> Simulator {
        Simulator { book: Some(book.to_owned()), ..Simulator::default() }
    }

    /// Executes the run of a seed to its end.
    ///
    /// # Errors
    /// An invariant did not hold.
    pub fn run(&mut self, seed: u64, trace: bool) -> Result<(), BrokenInvariant> {
        panics::start_recording();
        let (parsed_rules, report) =
            (std::mem::take(&mut self.parsed_rules), std::mem::take(&mut self.report));
        (self.parsed_rules, self.report) =
            scenario::run(seed, trace, self.book.clone(), &self.rules_cache, parsed_rules, report);
        panics::stop_recording().map_or(Ok(()), |message| Err(BrokenInvariant { seed, message }))
    }

    /// Executes runs with a fault planted in the server, from `seed` on, until an invariant breaks.
    ///
    /// # Errors
    /// No invariant broke within `patience`.
    pub fn find(
        &mut self,
        fault: PlantedFault,
        seed: u64,
        patience: Duration,
    ) -> Result<FaultFound, FaultNotFound> {
        let start = Instant::now();
        plant(Some(fault));
        let mut runs = 0;
        let mut broken = None;
        for seed in seed.. {
            runs += 1;
            broken = self.run(seed, false).err();
            if broken.is_some() || start.elapsed() >= patience {
                break;
            }
        }
        plant(None);
        let broken = broken.ok_or(FaultNotFound { fault, runs })?;
        Ok(FaultFound { runs, took: start.elapsed(), broken })
    }
}

/// A run in which an invariant did not hold.
#[derive(Debug)]
pub struct BrokenInvariant {
    /// The seed that reproduces it.
    pub seed: u64,
    /// The message of the first failed check, and its location.
    pub message: String,
}

impl BrokenInvariant {
    /// The first line of the message, without the prefix of `assert_eq!`.
    pub fn summary(&self) -> &str {
        let line = self.message.lines().next().unwrap_or_default();
        line.strip_prefix("assertion `left == right` failed: ").unwrap_or(line)
    }
}

impl fmt::Display for BrokenInvariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\ncargo xtask simulate --trace --seed {}", self.message, self.seed)
    }
}

/// A planted fault that the simulator found.
#[derive(Debug)]
pub struct FaultFound {
    /// Number of runs.
    pub runs: u64,
    /// Time until the fault was found.
    pub took: Duration,
    /// The run that found it.
    pub broken: BrokenInvariant,
}

/// A planted fault that no run found.
#[derive(Debug)]
pub struct FaultNotFound {
    /// The fault.
    pub fault: PlantedFault,
    /// Number of runs.
    pub runs: u64,
}
