//! Counts over the runs of a simulator.

use crate::auditor::RoundCounts;
use paigow_server::AppendOutcome;
use std::collections::BTreeMap;
use std::fmt;

/// A fault that the simulator injects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum InjectedFault {
    /// A process crashes.
    Crash,
    /// A process crashes after it sent a batch to the store, which may or may not commit it.
    CrashAtCommit,
    /// A command is lost in transit.
    CommandLost,
    /// A command arrives several times, each time at a random process.
    CommandRepeated,
    /// An answer is lost in transit.
    AnswerLost,
    /// A commit or a read is slow.
    SlowStore,
    /// A commit fails, and the store writes nothing.
    CommitFailed,
    /// The store commits a batch and reports that the commit failed.
    CommitReportedFailed,
    /// A read fails.
    ReadFailed,
    /// The store is unavailable for up to five seconds.
    StoreDown,
    /// The store is restored to an earlier state.
    StoreRestored,
    /// The clock of a process, or of all, jumps.
    ClockJump,
    /// A viewer's connection breaks.
    ViewerLost,
}

impl InjectedFault {
    /// All faults.
    pub const ALL: [InjectedFault; 13] = [
        InjectedFault::Crash,
        InjectedFault::CrashAtCommit,
        InjectedFault::CommandLost,
        InjectedFault::CommandRepeated,
        InjectedFault::AnswerLost,
        InjectedFault::SlowStore,
        InjectedFault::CommitFailed,
        InjectedFault::CommitReportedFailed,
        InjectedFault::ReadFailed,
        InjectedFault::StoreDown,
        InjectedFault::StoreRestored,
        InjectedFault::ClockJump,
        InjectedFault::ViewerLost,
    ];
}

/// Counts over the runs of a simulator.
#[derive(Default, Debug)]
pub struct RunReport {
    /// Runs that finished.
    pub runs: u64,
    /// Tables in all runs.
    pub tables: u64,
    /// Commands of clients, each counted once.
    pub commands: u64,
    /// Batches that the store appended.
    pub commits: u64,
    /// Batches that the store rejected because their state was stale.
    pub conflicts: u64,
    /// Messages sent to viewers.
    pub messages: u64,
    /// Repeated commands that received the stored answer.
    pub(crate) repeated: u64,
    pub(crate) ledger_refusals: u64,
    /// Injected faults by kind.
    pub faults: BTreeMap<InjectedFault, u64>,
    pub(crate) rounds: RoundCounts,
    pub(crate) refusals: BTreeMap<&'static str, u64>,
}

impl RunReport {
    /// Number of settled rounds.
    pub fn settled(&self) -> u64 {
        self.rounds.settled
    }

    /// Number of settled rounds in which a bank could not pay every wager.
    pub fn spent(&self) -> u64 {
        self.rounds.spent
    }

    /// Number of settled rounds in which one player had several hands.
    pub fn several_hands(&self) -> u64 {
        self.rounds.several_hands
    }

    pub(crate) fn add_outcome(&mut self, outcome: &AppendOutcome) {
        match outcome {
            AppendOutcome::Appended { .. } => self.commits += 1,
            AppendOutcome::Conflict => self.conflicts += 1,
            AppendOutcome::AlreadyExecuted { .. } => self.repeated += 1,
            AppendOutcome::Refused(_) => self.ledger_refusals += 1,
            AppendOutcome::OtherTransfers => panic!("no command of the simulation has a limit"),
            AppendOutcome::IdReused => panic!("two commands have the same id"),
        }
    }

    pub(crate) fn add_fault(&mut self, fault: InjectedFault) {
        *self.faults.entry(fault).or_default() += 1;
    }
}

impl fmt::Display for RunReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RunReport { runs, tables, commands, commits, conflicts, rounds, messages, .. } = self;
        writeln!(f, "{runs} runs, {tables} tables, {commands} commands, {messages} messages to viewers")?;
        writeln!(
            f,
            "{commits} batches appended, {conflicts} stale, {} repeated, {} refused by the ledger",
            self.repeated, self.ledger_refusals
        )?;
        writeln!(
            f,
            "{} rounds settled ({} by a bank that could not pay every wager, {} with several hands of one player), {} void ({} of them settled before), {} abandoned",
            rounds.settled,
            rounds.spent,
            rounds.several_hands,
            rounds.voided,
            rounds.voided_settled,
            rounds.abandoned
        )?;
        writeln!(
            f,
            "{} banks taken or changed, {} given back, {} piles picked",
            rounds.banked, rounds.given_back, rounds.picked
        )?;
        let counted = |counts: Vec<(String, u64)>| -> String {
            let counts: Vec<String> =
                counts.into_iter().map(|(name, count)| format!("{name} {count}")).collect();
            counts.join(", ")
        };
        let faults = self.faults.iter().map(|(fault, count)| (format!("{fault:?}"), *count)).collect();
        writeln!(f, "faults: {}", counted(faults))?;
        let refusals = self.refusals.iter().map(|(code, count)| ((*code).to_owned(), *count)).collect();
        write!(f, "refused: {}", counted(refusals))
    }
}
