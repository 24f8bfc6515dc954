//! What survives a crash: logs, the ledger, and the answers given. One commit is all of its parts or none of them.

use paigow_table::{CommandId, Event, Funds, Ledger, LedgerRefusal, TableId, Transfer};
use std::collections::BTreeMap;

/// What a client is told of a command, the first time and every time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// It is done: these places of the log are its events.
    Done { from: usize, to: usize },
    /// It is refused, by this code.
    Refused(&'static str),
}

/// An event as it is stored: text, and the command that made it happen.
pub(crate) struct Entry {
    pub(crate) command: Option<CommandId>,
    pub(crate) event: String,
}

/// What is to be committed.
#[derive(Clone)]
pub(crate) struct Batch {
    pub(crate) table: TableId,
    /// How long the log was when this was decided.
    pub(crate) expected: usize,
    pub(crate) command: Option<CommandId>,
    pub(crate) events: Vec<Event>,
    pub(crate) transfers: Vec<Transfer>,
    /// A refusal, which is kept like any answer.
    pub(crate) refused: Option<&'static str>,
}

/// What came of a commit.
pub(crate) enum Commit {
    Written(Answer),
    /// The command was answered before.
    Again(Answer),
    /// Somebody else has written to the table since.
    Conflict,
    Refused(LedgerRefusal),
}

#[derive(Default)]
pub(crate) struct Store {
    pub(crate) logs: BTreeMap<TableId, Vec<Entry>>,
    pub(crate) ledger: Ledger,
    pub(crate) journal: Vec<Transfer>,
    pub(crate) answers: BTreeMap<CommandId, Answer>,
}

impl Funds for Store {
    fn cents(&self, account: &paigow_table::Account) -> i64 {
        self.ledger.balance(account)
    }
}

impl Store {
    pub(crate) fn length(&self, table: &TableId) -> usize {
        self.logs.get(table).map_or(0, Vec::len)
    }

    pub(crate) fn commit(&mut self, batch: &Batch) -> Commit {
        if let Some(answer) = batch.command.as_ref().and_then(|id| self.answers.get(id)) {
            return Commit::Again(answer.clone());
        }
        let from = self.length(&batch.table);
        if from != batch.expected {
            return Commit::Conflict;
        }
        match self.ledger.take(&batch.transfers) {
            Ok(taken) => {
                assert_eq!(taken, batch.transfers, "a transfer of a new commit was taken before");
                self.journal.extend(taken);
            }
            Err(refusal) => return Commit::Refused(refusal),
        }
        let log = self.logs.entry(batch.table.clone()).or_default();
        for event in &batch.events {
            let Ok(event) = serde_json::to_string(event) else { panic!("no text of {event:?}") };
            log.push(Entry { command: batch.command.clone(), event });
        }
        let answer = batch.refused.map_or(Answer::Done { from, to: log.len() }, Answer::Refused);
        if let Some(id) = &batch.command {
            self.answers.insert(id.clone(), answer.clone());
        }
        Commit::Written(answer)
    }

    /// A commit during which the process dies: the work is done, and lost.
    pub(crate) fn lose(&self, batch: &Batch) {
        drop(self.ledger.clone().take(&batch.transfers));
    }
}
