//! The server's tables under faults, by a seed.
//!
//! A seed makes a world (`world.rs`): processes that run the server's own host, clock and feed (`process.rs`) over a store in memory
//! (`store.rs`), clients (`client.rs`) and viewers (`viewer.rs`), in virtual time. Commands are lost, repeated and late; processes die at any moment; commits
//! are slow, fail, or are kept and reported as failed; clocks jump; the store is restored to an earlier state. Every batch the store takes is audited
//! (`history.rs`, `auditor.rs`). Then the faults stop: every round must finish, every viewer must see what is stored, and the server's audit must find
//! nothing. The same seed gives the same world again, whatever it runs on.

mod auditor;
mod choices;
mod client;
mod fair;
mod history;
mod panics;
mod process;
mod report;
mod rng;
mod shared;
mod store;
mod tables;
mod viewer;
mod world;

pub use paigow_table::PlantedFault;
pub use report::{InjectedFault, RunReport};

use paigow::rulebook::BuiltIn;
use paigow_server::RulesCache;
use paigow_table::plant;
use std::fmt;
use std::time::{Duration, Instant};

/// Worlds one after the other; rules that were read are kept.
pub struct Simulator {
    postings: tables::Postings,
    library: RulesCache,
    book: Option<String>,
    /// Counts over all worlds.
    pub report: RunReport,
}

impl Default for Simulator {
    fn default() -> Simulator {
        let library = RulesCache::new(BuiltIn).unlocked();
        let (postings, report) = (tables::Postings::new(), RunReport::default());
        Simulator { postings, library, book: None, report }
    }
}

impl Simulator {
    /// A simulator of worlds whose tables all play by one built-in book.
    pub fn of_book(book: &str) -> Simulator {
        Simulator { book: Some(book.to_owned()), ..Simulator::default() }
    }

    /// Runs the world of a seed to its end.
    ///
    /// # Errors
    /// Something did not hold.
    pub fn run(&mut self, seed: u64, trace: bool) -> Result<(), BrokenInvariant> {
        panics::listen();
        let (postings, report) = (std::mem::take(&mut self.postings), std::mem::take(&mut self.report));
        (self.postings, self.report) =
            world::run(seed, trace, self.book.clone(), &self.library, postings, report);
        panics::stop_listening().map_or(Ok(()), |what| Err(BrokenInvariant { seed, what }))
    }

    /// Runs worlds with a fault planted in the server until one breaks, from a seed on.
    ///
    /// # Errors
    /// No world broke within `patience`.
    pub fn find(
        &mut self,
        fault: PlantedFault,
        seed: u64,
        patience: Duration,
    ) -> Result<FaultFound, FaultNotFound> {
        let start = Instant::now();
        plant(Some(fault));
        let mut worlds = 0;
        let mut broken = None;
        for seed in seed.. {
            worlds += 1;
            broken = self.run(seed, false).err();
            if broken.is_some() || start.elapsed() >= patience {
                break;
            }
        }
        plant(None);
        let broken = broken.ok_or(FaultNotFound { fault, worlds })?;
        Ok(FaultFound { worlds, took: start.elapsed(), broken })
    }
}

/// A world in which something did not hold.
#[derive(Debug)]
pub struct BrokenInvariant {
    /// The seed that reproduces it.
    pub seed: u64,
    /// The message of the first failed check, and its location.
    pub what: String,
}

impl BrokenInvariant {
    /// The first line of the message, without the prefix of `assert_eq!`.
    pub fn summary(&self) -> &str {
        let line = self.what.lines().next().unwrap_or_default();
        line.strip_prefix("assertion `left == right` failed: ").unwrap_or(line)
    }
}

impl fmt::Display for BrokenInvariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\ncargo xtask simulate --trace --seed {}", self.what, self.seed)
    }
}

/// How a planted fault was found.
#[derive(Debug)]
pub struct FaultFound {
    /// Number of worlds run.
    pub worlds: u64,
    /// Time until it was found.
    pub took: Duration,
    /// The world that found it.
    pub broken: BrokenInvariant,
}

/// A planted fault that no world found.
#[derive(Debug)]
pub struct FaultNotFound {
    /// The fault.
    pub fault: PlantedFault,
    /// Number of worlds run.
    pub worlds: u64,
}
