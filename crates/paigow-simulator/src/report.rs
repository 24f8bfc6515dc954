//! What a run has been through.

use crate::auditor::Ends;
use std::collections::BTreeMap;
use std::fmt;

/// Counts of what has happened.
#[derive(Default, Debug)]
pub struct Report {
    /// Worlds that came to rest.
    pub worlds: u64,
    /// Tables in them.
    pub tables: u64,
    /// Commands of clients, each counted once.
    pub commands: u64,
    /// Things that happened, of any kind.
    pub steps: u64,
    /// Commits that were written.
    pub commits: u64,
    /// Commits that lost a race.
    pub conflicts: u64,
    pub(crate) dropped: u64,
    pub(crate) doubled: u64,
    pub(crate) repeated: u64,
    pub(crate) answers_lost: u64,
    pub(crate) ledger_refusals: u64,
    pub(crate) unheard: u64,
    pub(crate) crashes: Crashes,
    pub(crate) ends: Ends,
    pub(crate) refusals: BTreeMap<&'static str, u64>,
}

#[derive(Default, Debug)]
pub(crate) struct Crashes {
    pub(crate) all: u64,
    pub(crate) before: u64,
    pub(crate) inside: u64,
    pub(crate) after: u64,
}

impl Report {
    /// How many processes have died.
    pub fn crashes(&self) -> u64 {
        self.crashes.all
    }

    /// How many rounds were settled.
    pub fn settled(&self) -> u64 {
        self.ends.settled
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { worlds, tables, commands, steps, commits, conflicts, crashes, ends, .. } = self;
        writeln!(f, "{worlds} worlds, {tables} tables, {commands} commands, {steps} steps")?;
        writeln!(
            f,
            "{commits} commits ({} not heard of), {conflicts} races lost, {} refused by the ledger at commit",
            self.unheard, self.ledger_refusals
        )?;
        writeln!(
            f,
            "{} crashes: {} before a commit, {} inside, {} after",
            crashes.all, crashes.before, crashes.inside, crashes.after
        )?;
        writeln!(
            f,
            "{} commands dropped, {} doubled, {} answers lost, {} answers given again",
            self.dropped, self.doubled, self.answers_lost, self.repeated
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
        let refusals: Vec<String> =
            self.refusals.iter().map(|(code, count)| format!("{code} {count}")).collect();
        write!(f, "refused: {}", refusals.join(", "))
    }
}
