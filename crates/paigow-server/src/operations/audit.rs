//! Everything that is stored, checked again from the start.
//!
//! The chain of hashes says that what is stored is what was written. Replay says that what was written follows from the rules: every
//! command is decided anew by the same table, with the stored time and secret, and must make the same events and the same transfers.
//! That derives every deal from its secret and settles every round again. Last, every balance and every hold is added up from
//! the journal alone. What is off is named, the first thing first.

mod bank;
mod heads;
mod house;
mod log;
mod money;
mod order;
mod table;

pub use heads::{Heads, LogHead};

use crate::store::StoreVisitor;
use crate::{
    AccountRow, CommandRow, EventRow, HeadVerifier, HoldRow, HouseLogPart, JournalRow, OperatorAct,
    RulesCache, Store, StoreError,
};
use heads::ExpectedHeads;
use house::HouseAudit;
use money::Money;
use paigow_table::{Commitment, MasterKeys, TableId};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// What an audit looked at, and what it found.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[allow(missing_docs)] // the fields are named for what they count
pub struct AuditReport {
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
    pub heads: Vec<ChainHead>,
    /// The last hash of the operators' log, for the same reason.
    pub operator_log_hash: Option<String>,
    /// The last entry of the house log, for the same reason.
    pub house_log: Option<LogHead>,
    /// What is off, the first thing first, up to [`FINDINGS_MAX`].
    pub findings: Vec<Finding>,
}

/// Where the chain of a table ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct ChainHead {
    pub table: TableId,
    pub seq: u64,
    pub hash: String,
}

impl AuditReport {
    /// The heads of all chains, to be kept outside the store.
    pub fn exported_heads(&self) -> Heads {
        let operator_log = self.operator_log_hash.clone().and_then(|hash| Commitment::try_from(hash).ok());
        Heads {
            format: Heads::FORMAT,
            tables: self.heads.clone(),
            operator_log: operator_log.map(|hash| LogHead { seq: self.operator_acts, hash }),
            house_log: self.house_log,
            signature: None,
        }
    }
}

/// What an audit compares a store with, besides the store itself.
#[derive(Clone, Default)]
pub struct AuditOptions {
    /// Heads that were kept outside the store.
    pub against: Option<Heads>,
    /// The master keys: with them the audit also checks the house's signatures, and deals that are not shown yet.
    pub keys: Option<Arc<MasterKeys>>,
    /// Verifies the signatures of the house log; the master keys do if there is none.
    pub verifier: Option<Arc<dyn HeadVerifier>>,
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
pub async fn audit<S: Store>(store: &S, library: RulesCache) -> Result<AuditReport, StoreError> {
    audit_with(store, library, AuditOptions::default()).await
}

/// Checks everything a store has, and compares it with what was kept outside.
///
/// # Errors
/// The store cannot be asked. What it has and cannot be read is a finding.
pub async fn audit_with<S: Store>(
    store: &S,
    library: RulesCache,
    options: AuditOptions,
) -> Result<AuditReport, StoreError> {
    let mut damaged: Vec<Finding> = Vec::new();
    match store.damage().await {
        Ok(said) => damaged.extend(said.into_iter().map(|says| Finding {
            code: "file_damaged",
            place: "the database".to_owned(),
            says,
        })),
        Err(error) => damaged.push(unreadable(error)?),
    }
    let by_keys = options.keys.clone().map(|keys| keys as Arc<dyn HeadVerifier>);
    let auditor = Auditor {
        library,
        keys: options.keys,
        report: AuditReport::default(),
        money: Money::default(),
        house: HouseAudit::new(options.verifier.or(by_keys)),
        kept: options.against.map(ExpectedHeads::new).unwrap_or_default(),
    };
    let mut report = match store.walk(auditor).await {
        Ok(auditor) => auditor.end(),
        Err(error) => {
            damaged.push(unreadable(error)?);
            AuditReport::default()
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
    library: RulesCache,
    keys: Option<Arc<MasterKeys>>,
    report: AuditReport,
    money: Money,
    house: HouseAudit,
    kept: ExpectedHeads,
}

impl Auditor {
    fn end(mut self) -> AuditReport {
        self.report.findings.extend(self.house.findings);
        let tip = self.house.tip;
        self.report.house_log = tip.map(|(seq, hash)| LogHead { seq, hash: Commitment(hash) });
        self.report.findings.extend(self.kept.end(tip.map_or(0, |(seq, _)| seq)));
        self.report
    }
}

impl StoreVisitor for Auditor {
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
                report.heads.push(ChainHead { table: table.clone(), seq: last.seq, hash });
            }
        }
        let audited =
            table::Audit::new(table, &commands, &journal).run(&events, &self.library, self.keys.as_ref());
        report.rounds += audited.rounds;
        report.rounds_not_shown += u64::from(audited.not_shown);
        report.rules_unverified.extend(table.filter(|_| audited.unverified).cloned());
        report.findings.extend(audited.findings);
        match table {
            Some(table) => {
                report.findings.extend(order::check(&events, &journal));
                let hashes = events.iter().map(|row| (row.seq, row.hash));
                report.findings.extend(self.kept.table(table, hashes));
            }
            None => self.house.outside(&commands, &journal),
        }
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
        self.house.acts(&acts);
        let hashes: Vec<[u8; 32]> = acts.iter().map(|act| act.hash).collect();
        self.report.findings.extend(self.kept.operator_log(&hashes));
    }

    fn house(&mut self, part: HouseLogPart) {
        if let HouseLogPart::Log(entries) = &part {
            for entry in entries {
                self.kept.house_entry(entry.seq, entry.hash);
            }
        }
        self.house.part(part);
    }
}
