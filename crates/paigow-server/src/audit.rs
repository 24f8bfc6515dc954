//! Everything that is stored, checked again from the start.
//!
//! The chain of hashes says that what is stored is what was written. Replay says that what was written follows from the rules: every
//! command is decided anew by the same table, with the stored time and secret, and must make the same events and the same transfers.
//! That derives every deal from its secret and settles every round again. Last, every balance and every hold is added up from
//! the journal alone. What is off is named, the first thing first.

mod bank;
mod log;
mod money;
mod table;

use crate::store::Visit;
use crate::{AccountRow, CommandRow, EventRow, HoldRow, JournalRow, Library, OperatorAct, Store, StoreError};
use money::Money;
use paigow_table::{Commitment, MasterKeys, TableId};
use serde::Serialize;
use std::fmt;
use std::sync::Arc;

/// What an audit looked at, and what it found.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[allow(missing_docs)] // the fields are named for what they count
pub struct Report {
    pub tables: u64,
    pub events: u64,
    pub rounds: u64,
    pub commands: u64,
    pub transfers: u64,
    pub accounts: u64,
    pub holds: u64,
    pub operator_acts: u64,
    /// Tables of version 0.0.0 whose digest cannot be compared with any rules. They are audited by the rules of today.
    pub rules_unverified: Vec<TableId>,
    /// Open rounds whose deal was not checked, because its secret is not shown yet and its key is not at hand.
    pub rounds_not_shown: u64,
    /// The last hash of every table: who keeps it elsewhere will see if a table's end is cut off.
    pub heads: Vec<Head>,
    /// The last hash of the operators' log, for the same reason.
    pub operator_log_hash: Option<String>,
    /// What is off, the first thing first, up to [`FINDINGS_MAX`].
    pub findings: Vec<Finding>,
}

/// Where the chain of a table ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Head {
    pub table: TableId,
    pub seq: u64,
    pub hash: String,
}

/// Something that is off.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// The code for programs. It does not change.
    pub code: &'static str,
    /// Where.
    pub place: String,
    /// What is off there.
    pub says: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.says)
    }
}

/// What is off beyond these is no news.
pub const FINDINGS_MAX: usize = 100;

/// Checks everything a store has. Rule books that tables name come from the library.
///
/// # Errors
/// The store cannot be asked. What it has and cannot be read is a finding.
pub async fn audit<S: Store>(store: &S, library: Library) -> Result<Report, StoreError> {
    audit_with_keys(store, library, None).await
}

/// Checks everything a store has. With the master keys it also checks the house's signatures, and deals that are not shown yet.
///
/// # Errors
/// As [`audit`].
pub async fn audit_with_keys<S: Store>(
    store: &S,
    library: Library,
    keys: Option<Arc<MasterKeys>>,
) -> Result<Report, StoreError> {
    let mut damaged: Vec<Finding> = Vec::new();
    match store.damage().await {
        Ok(said) => damaged.extend(said.into_iter().map(|says| Finding {
            code: "file_damaged",
            place: "the database".to_owned(),
            says,
        })),
        Err(error) => damaged.push(unreadable(error)?),
    }
    let auditor = Auditor { library, keys, report: Report::default(), money: Money::default() };
    let mut report = match store.walk(auditor).await {
        Ok(auditor) => auditor.report,
        Err(error) => {
            damaged.push(unreadable(error)?);
            Report::default()
        }
    };
    report.findings.splice(0..0, damaged);
    report.findings.truncate(FINDINGS_MAX);
    Ok(report)
}

/// What cannot be read is a finding; that nobody answers is none.
fn unreadable(error: StoreError) -> Result<Finding, StoreError> {
    let (place, says) = match error {
        StoreError::Unreadable { place, why } => (place, format!("cannot be read: {why}")),
        StoreError::Sqlite(error) => ("the database".to_owned(), format!("cannot be read: {error}")),
        other => return Err(other),
    };
    Ok(Finding { code: "unreadable", place, says })
}

struct Auditor {
    library: Library,
    keys: Option<Arc<MasterKeys>>,
    report: Report,
    money: Money,
}

impl Visit for Auditor {
    fn table(
        &mut self,
        table: Option<&TableId>,
        events: Vec<EventRow>,
        commands: Vec<CommandRow>,
        journal: Vec<JournalRow>,
    ) {
        let report = &mut self.report;
        report.events += events.len() as u64;
        report.commands += commands.len() as u64;
        report.transfers += journal.len() as u64;
        if let Some(table) = table {
            report.tables += 1;
            if let Some(last) = events.last() {
                let hash = Commitment(last.hash).into();
                report.heads.push(Head { table: table.clone(), seq: last.seq, hash });
            }
        }
        let audited =
            table::Audit::new(table, &commands, &journal).run(&events, &self.library, self.keys.as_ref());
        report.rounds += audited.rounds;
        report.rounds_not_shown += u64::from(audited.not_shown);
        report.rules_unverified.extend(table.filter(|_| audited.unverified).cloned());
        report.findings.extend(audited.findings);
        self.money.add(table, audited.open_holds, journal);
    }

    fn money(&mut self, accounts: Vec<AccountRow>, holds: Vec<HoldRow>) {
        self.report.accounts += accounts.len() as u64;
        self.report.holds += holds.len() as u64;
        self.report.findings.extend(self.money.check(&accounts, &holds));
    }

    fn acts(&mut self, acts: Vec<OperatorAct>) {
        self.report.operator_acts = acts.len() as u64;
        self.report.operator_log_hash = acts.last().map(|act| Commitment(act.hash).into());
        self.report.findings.extend(log::check(&acts));
    }
}
