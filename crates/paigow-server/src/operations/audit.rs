//! Audit: verifies a whole store from its first event.
//!
//! The hash chains prove that the stored events are those that were written. The replay proves that they follow from
//! the rules: it decides every command again at the same table, with the stored time and secret, and compares the
//! events and transfers. This derives every deal from its secret and settles every round again. Finally the audit
//! computes every balance and every hold from the journal alone. It reports every difference as a [`Finding`].

mod archives;
mod bank;
mod heads;
mod house;
mod log;
mod money;
pub(super) mod order;
mod table;

pub use heads::{Heads, LogHead};
pub(super) use table::{AuditStart, TableAuditor};

use super::archive::{FileAuditOptions, audit_file};
use crate::store::StoreVisitor;
use crate::{
    AccountRow, ArchiveRow, ArchivedBlock, CheckpointRow, HeadVerifier, HoldRow, HouseLogPart, OperatorAct,
    RulesCache, Store, StoreError, TableRows,
};
use archives::ArchivesAudit;
use heads::ExpectedHeads;
use house::HouseAudit;
use money::Money;
use paigow_table::{Commitment, MasterKeys, TableId};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Counts, heads and findings of an audit.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[allow(missing_docs)] // the fields are named after the items they count
pub struct AuditReport {
    pub tables: u64,
    pub events: u64,
    pub rounds: u64,
    pub commands: u64,
    pub transfers: u64,
    pub accounts: u64,
    pub holds: u64,
    pub operator_acts: u64,
    /// Tables of version 0.0.0 whose digest cannot be compared with any rules. The audit uses the earliest
    /// edition of their book.
    pub rules_unverified: Vec<TableId>,
    /// Number of open rounds whose deal was not checked, because the secret is not revealed yet and the key is not
    /// available.
    pub rounds_not_shown: u64,
    /// Number of archives of the store.
    pub archives: u64,
    /// Number of rounds in archives. They are not among `rounds`.
    pub archived_rounds: u64,
    /// Number of archives whose file was compared with the store.
    pub archives_compared: u64,
    /// Number of heads to compare that are among archived events and were not compared, because no file of their archive
    /// was given.
    pub heads_archived: u64,
    /// Last hash of every table. A copy outside the store shows later whether the end of a table was removed.
    pub heads: Vec<ChainHead>,
    /// Last hash of the operators' log, for the same purpose.
    pub operator_log_hash: Option<String>,
    /// Last entry of the house log, for the same purpose.
    pub house_log: Option<LogHead>,
    /// Findings in the order of discovery, at most [`FINDINGS_MAX`].
    pub findings: Vec<Finding>,
}

/// Last event of a table's hash chain.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct ChainHead {
    pub table: TableId,
    pub seq: u64,
    pub hash: String,
}

impl AuditReport {
    /// Returns the heads of all chains, to be kept outside the store.
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

/// Data outside the store that an audit compares it with.
#[derive(Clone, Default)]
pub struct AuditOptions {
    /// Heads that were kept outside the store.
    pub against: Option<Heads>,
    /// Master keys. With them the audit also checks the house's signatures and the deals that are not revealed yet.
    pub keys: Option<Arc<MasterKeys>>,
    /// Verifies the signatures of the house log and of archives. Default: the master keys.
    pub verifier: Option<Arc<dyn HeadVerifier>>,
    /// Files of archives. The audit checks each and compares it with the store.
    pub archives: Vec<PathBuf>,
}

/// A fault in the store.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// Stable code for programs.
    pub code: &'static str,
    /// Location of the fault, such as an event or a transfer.
    pub place: String,
    /// Description of the fault, which continues a sentence that begins with the location.
    pub says: String,
}

impl Finding {
    pub(super) fn new(
        code: &'static str,
        location: impl Into<String>,
        message: impl Into<String>,
    ) -> Finding {
        Finding { code, place: location.into(), says: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.says)
    }
}

/// Maximum number of findings in a report.
pub const FINDINGS_MAX: usize = 100;

/// Audits a store. The rules cache provides the rule books of the tables.
///
/// # Errors
/// The store is not available. Content that cannot be read is a finding and no error.
pub async fn audit<S: Store>(store: &S, rules_cache: RulesCache) -> Result<AuditReport, StoreError> {
    audit_with(store, rules_cache, AuditOptions::default()).await
}

/// Audits a store and compares it with data outside the store.
///
/// # Errors
/// The store is not available. Content that cannot be read is a finding and no error.
pub async fn audit_with<S: Store>(
    store: &S,
    rules_cache: RulesCache,
    options: AuditOptions,
) -> Result<AuditReport, StoreError> {
    let mut damage: Vec<Finding> = Vec::new();
    match store.damage().await {
        Ok(messages) => damage.extend(
            messages.into_iter().map(|message| Finding::new("file_damaged", "the database", message)),
        ),
        Err(error) => damage.push(unreadable(error)?),
    }
    let by_keys = options.keys.clone().map(|keys| keys as Arc<dyn HeadVerifier>);
    let verifier = options.verifier.or(by_keys);
    let auditor = Auditor {
        rules_cache,
        keys: options.keys,
        verifier: verifier.clone(),
        files: options.archives,
        report: AuditReport::default(),
        money: Money::default(),
        house: HouseAudit::new(verifier),
        archives: ArchivesAudit::default(),
        expected: options.against.map(ExpectedHeads::new).unwrap_or_default(),
    };
    let mut report = match store.walk(auditor).await {
        Ok(auditor) => {
            tokio::task::spawn_blocking(|| auditor.finish()).await.map_err(|_| StoreError::Stopped)?
        }
        Err(error) => {
            damage.push(unreadable(error)?);
            AuditReport::default()
        }
    };
    report.findings.splice(0..0, damage);
    report.findings.truncate(FINDINGS_MAX);
    Ok(report)
}

/// Converts an error about unreadable content into a finding. Returns other errors, such as a lost connection.
fn unreadable(error: StoreError) -> Result<Finding, StoreError> {
    let (location, message) = match error {
        StoreError::Unreadable { location, why } => (location, format!("cannot be read: {why}")),
        StoreError::Sqlite(error) => ("the database".to_owned(), format!("cannot be read: {error}")),
        other => return Err(other),
    };
    Ok(Finding::new("unreadable", location, message))
}

struct Auditor {
    rules_cache: RulesCache,
    keys: Option<Arc<MasterKeys>>,
    verifier: Option<Arc<dyn HeadVerifier>>,
    /// Files of archives.
    files: Vec<PathBuf>,
    report: AuditReport,
    money: Money,
    house: HouseAudit,
    archives: ArchivesAudit,
    expected: ExpectedHeads,
}

impl Auditor {
    fn finish(mut self) -> AuditReport {
        self.report.findings.append(&mut self.house.findings);
        let logged = std::mem::take(&mut self.house.archived);
        self.report.findings.extend(self.archives.finish(&logged));
        for file in std::mem::take(&mut self.files) {
            self.compare(&file);
        }
        self.report.heads_archived = self.expected.not_compared();
        let tip = self.house.tip;
        self.report.house_log = tip.map(|(seq, hash)| LogHead { seq, hash: Commitment(hash) });
        self.report.findings.extend(self.expected.finish(tip.map_or(0, |(seq, _)| seq)));
        self.report
    }

    /// Audits a file of an archive and compares it with the store.
    fn compare(&mut self, file: &Path) {
        let location = format!("archive {}", file.display());
        let mut found = |findings: Vec<Finding>| {
            let located = findings.into_iter().map(|finding| {
                let place = format!("{location}: {}", finding.place);
                Finding { place, ..finding }
            });
            self.report.findings.extend(located);
        };
        let mut in_heads = Vec::new();
        let options = FileAuditOptions {
            rules: &self.rules_cache,
            keys: self.keys.as_ref(),
            verifier: self.verifier.as_deref(),
            event: &mut |table, seq, hash| in_heads.extend(self.expected.archived(table, seq, hash)),
        };
        match audit_file(file, options) {
            Err(error) => found(vec![Finding::new("archive_unreadable", "the file", error.to_string())]),
            Ok(report) => {
                let compared = self.archives.compare(&report);
                self.report.archives_compared += u64::from(compared.is_empty());
                found(report.findings);
                found(compared);
                found(in_heads);
            }
        }
    }
}

impl StoreVisitor for Auditor {
    fn table(&mut self, table: Option<&TableId>, rows: TableRows) {
        let TableRows { events, commands, journal, sealed_transfers } = rows;
        let started = match table {
            Some(table) => self.archives.start(table, &self.rules_cache),
            None => Ok(AuditStart::first()),
        };
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
        let start = match started {
            Ok(start) => start,
            // Without its checkpoint, a table cannot be replayed. Its transfers still count.
            Err(finding) => {
                report.findings.push(finding);
                return self.money.add(table, None, journal, sealed_transfers);
            }
        };
        let archived = start.tip.seq;
        let audited = TableAuditor::new(table, &commands, &journal).run(
            &events,
            start,
            &self.rules_cache,
            self.keys.as_ref(),
        );
        report.rounds += audited.rounds;
        report.rounds_not_shown += u64::from(audited.unrevealed);
        report.rules_unverified.extend(table.filter(|_| audited.unverified).cloned());
        report.findings.extend(audited.findings);
        match table {
            Some(table) => {
                report.findings.extend(order::check(&events, &journal));
                let hashes = events.iter().map(|row| (row.seq, row.hash));
                report.findings.extend(self.expected.table(table, archived, hashes));
            }
            None => self.house.outside(&commands, &journal),
        }
        self.money.add(table, audited.open_holds, journal, sealed_transfers);
    }

    fn archived_block(&mut self, block: ArchivedBlock) {
        let ArchivedBlock { head, index, .. } = &block;
        self.money.add_archived(&head.table, &index.accounts);
        self.report.archived_rounds += self.archives.block(&block);
    }

    fn checkpoint(&mut self, row: CheckpointRow) {
        self.archives.checkpoint(row);
    }

    fn archives(&mut self, rows: Vec<ArchiveRow>) {
        self.report.archives = rows.len() as u64;
        self.archives.rows = rows;
    }

    fn damage(&mut self, message: String) {
        self.report.findings.push(Finding::new("block_damaged", "the database", message));
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
        self.report.findings.extend(self.expected.operator_log(&hashes));
    }

    fn house(&mut self, part: HouseLogPart) {
        if let HouseLogPart::Log(entries) = &part {
            for entry in entries {
                self.expected.house_entry(entry.seq, entry.hash);
            }
        }
        self.house.part(part);
    }
}
