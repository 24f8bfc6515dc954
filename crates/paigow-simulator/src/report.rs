//! What a run has been through.

use crate::auditor::Ends;
use paigow_server::Outcome;
use std::collections::BTreeMap;
use std::fmt;

/// Something that goes wrong in a world.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fault {
    /// A process dies at some moment.
    Crash,
    /// A process dies when it has given the store a batch, which may or may not arrive.
    CrashAtCommit,
    /// A command is lost on its way.
    CommandLost,
    /// A command arrives several times, at any process.
    CommandRepeated,
    /// An answer is lost on its way.
    AnswerLost,
    /// A commit or a reading takes long.
    SlowStore,
    /// A commit fails, and nothing is kept.
    CommitFailed,
    /// A commit is kept, and reported as failed.
    CommitUnheard,
    /// A reading fails.
    ReadFailed,
    /// The store answers nobody for a while.
    StoreDown,
    /// The store goes back to an earlier state.
    WentBack,
    /// The clock of a process, or of all, jumps.
    ClockJump,
    /// A viewer's connection breaks.
    ViewerLost,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 13] = [
        Fault::Crash,
        Fault::CrashAtCommit,
        Fault::CommandLost,
        Fault::CommandRepeated,
        Fault::AnswerLost,
        Fault::SlowStore,
        Fault::CommitFailed,
        Fault::CommitUnheard,
        Fault::ReadFailed,
        Fault::StoreDown,
        Fault::WentBack,
        Fault::ClockJump,
        Fault::ViewerLost,
    ];
}

/// Counts of what has happened.
#[derive(Default, Debug)]
pub struct Report {
    /// Worlds that came to rest.
    pub worlds: u64,
    /// Tables in them.
    pub tables: u64,
    /// Commands of clients, each counted once.
    pub commands: u64,
    /// Batches that the store took.
    pub commits: u64,
    /// Batches that were decided on what was not the table's end any more.
    pub conflicts: u64,
    /// Messages that viewers were sent.
    pub messages: u64,
    /// Commands that were answered as they had been before.
    pub(crate) repeated: u64,
    pub(crate) ledger_refusals: u64,
    /// What went wrong, by kind.
    pub faults: BTreeMap<Fault, u64>,
    pub(crate) ends: Ends,
    pub(crate) refusals: BTreeMap<&'static str, u64>,
}

impl Report {
    /// How many rounds were settled.
    pub fn settled(&self) -> u64 {
        self.ends.settled
    }

    pub(crate) fn outcome(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Appended { .. } => self.commits += 1,
            Outcome::Behind => self.conflicts += 1,
            Outcome::Known { .. } => self.repeated += 1,
            Outcome::Refused(_) => self.ledger_refusals += 1,
            Outcome::Reused => panic!("a name stands for two commands"),
        }
    }

    pub(crate) fn fault(&mut self, fault: Fault) {
        *self.faults.entry(fault).or_default() += 1;
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { worlds, tables, commands, commits, conflicts, ends, messages, .. } = self;
        writeln!(f, "{worlds} worlds, {tables} tables, {commands} commands, {messages} messages to viewers")?;
        writeln!(
            f,
            "{commits} batches taken, {conflicts} behind, {} known before, {} refused by the ledger",
            self.repeated, self.ledger_refusals
        )?;
        writeln!(
            f,
            "{} rounds settled ({} with the guarantee), {} void, {} abandoned",
            ends.settled, ends.guaranteed, ends.voided, ends.abandoned
        )?;
        writeln!(
            f,
            "{} banks taken or covered anew, {} given back, {} piles picked",
            ends.banked, ends.given_back, ends.picked
        )?;
        let counted = |counts: Vec<(String, u64)>| -> String {
            let counts: Vec<String> =
                counts.into_iter().map(|(what, count)| format!("{what} {count}")).collect();
            counts.join(", ")
        };
        let faults = self.faults.iter().map(|(fault, count)| (format!("{fault:?}"), *count)).collect();
        writeln!(f, "faults: {}", counted(faults))?;
        let refusals = self.refusals.iter().map(|(code, count)| ((*code).to_owned(), *count)).collect();
        write!(f, "refused: {}", counted(refusals))
    }
}
