//! Tables and clients under faults, by a seed.
//!
//! A seed makes a world of some tables, clients and processes over one store (`world.rs`). Commands are lost, doubled, late and out of
//! order; processes die around commits, race each other, and their clocks leap. An auditor (`auditor.rs`) looks at every commit. Then
//! the faults stop, and every round must finish. The same seed gives the same world again, whatever it runs on.

mod auditor;
mod client;
mod fair;
mod report;
mod rng;
mod store;
mod world;

pub use report::Report;

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Worlds one after the other; rules that were read are kept.
#[derive(Default)]
pub struct Simulator {
    postings: world::Postings,
    /// What the worlds have been through.
    pub report: Report,
}

impl Simulator {
    /// Runs the world of a seed to its end.
    ///
    /// # Errors
    /// Something did not hold; the panic's own message says what.
    pub fn run(&mut self, seed: u64, trace: bool) -> Result<(), Broken> {
        let ended = catch_unwind(AssertUnwindSafe(|| {
            world::World::new(seed, trace, &mut self.postings, &mut self.report).run();
        }));
        self.report.worlds += u64::from(ended.is_ok());
        ended.map_err(|_| Broken { seed })
    }
}

/// A world in which something did not hold.
#[derive(Debug)]
pub struct Broken {
    /// It is had again by this seed.
    pub seed: u64,
}
