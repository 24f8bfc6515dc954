//! Audit of an archive file without its store.
//!
//! Each table starts at its checkpoint, which the archive before it proves, or with its first event. Every command is
//! decided again, block by block, and the state after the last block must be the checkpoint that the file ends with.

use super::format::{ArchiveEnd, ArchiveHeader, TableEnd, TableStart};
use super::read::{ArchivePart, ArchiveReader, InvalidArchive};
use super::sums::{account_sums, add_sums, open_hold};
use crate::operations::audit::{AuditStart, Finding, TableAuditor, order};
use crate::store::{DigestBuilder, HeadVerifier, SealedBlock};
use crate::{
    ArchiveCounts, ArchiveDigests, BlockAccount, BlockIndex, CheckpointRow, FINDINGS_MAX, RulesCache,
    StoreError, Tip,
};
use paigow_table::{Account, Checkpoint, Commitment, MasterKeys, Table, TableId};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Result of the audit of an archive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ArchiveReport {
    /// Digest of the archive, which the house log of its store has.
    pub digest: Commitment,
    /// Origin of the archive.
    pub header: ArchiveHeader,
    /// Whether a given key made the signature. `null` if no key was given: the signature then shows only that the file is
    /// complete.
    pub signed: Option<bool>,
    /// Numbers of rows.
    pub counts: ArchiveCounts,
    /// Range of each table.
    pub tables: Vec<ArchivedRange>,
    /// Digests of everything that the store keeps of the archive.
    pub kept: ArchiveDigests,
    /// Tables whose digest of rules cannot be compared with any rules.
    pub rules_unverified: Vec<TableId>,
    /// Findings in the order of discovery, at most [`FINDINGS_MAX`].
    pub findings: Vec<Finding>,
}

/// Events of a table in an archive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ArchivedRange {
    /// Id of the table.
    pub table: TableId,
    /// Sequence number of the event before the first one, or 0.
    pub after: u64,
    /// Hash of that event, or zeros.
    pub before: Commitment,
    /// Sequence number of the last event.
    pub seq: u64,
    /// Hash of the last event.
    pub hash: Commitment,
    /// First round that opens in the archive.
    pub first_round: u64,
    /// Last round of the archive.
    pub last_round: u64,
}

/// Audits an archive without its store. With keys, it also checks who signed it, and the signatures of rounds.
///
/// # Errors
/// The file cannot be read, or is not an archive. Changed content is a finding and no error.
pub fn audit_archive(
    path: &Path,
    rules: &RulesCache,
    keys: Option<&Arc<MasterKeys>>,
    verifier: Option<&dyn HeadVerifier>,
) -> Result<ArchiveReport, InvalidArchive> {
    let verifier = verifier.or(keys.map(|keys| &**keys as &dyn HeadVerifier));
    audit_file(path, FileAuditOptions { rules, keys, verifier, event: &mut |_, _, _| {} })
}

/// Rules and keys of the audit of a file.
pub(in crate::operations) struct FileAuditOptions<'a> {
    pub(in crate::operations) rules: &'a RulesCache,
    /// Master keys, with which the signatures of rounds are checked.
    pub(in crate::operations) keys: Option<&'a Arc<MasterKeys>>,
    /// Verifies the signature of the archive.
    pub(in crate::operations) verifier: Option<&'a dyn HeadVerifier>,
    /// Called with the sequence number and hash of every event.
    pub(in crate::operations) event: &'a mut dyn FnMut(&TableId, u64, [u8; 32]),
}

pub(in crate::operations) fn audit_file(
    path: &Path,
    options: FileAuditOptions<'_>,
) -> Result<ArchiveReport, InvalidArchive> {
    let mut reader = ArchiveReader::open(path)?;
    let mut audit = FileAudit::new(options);
    if !reader.is_intact() {
        audit.find("archive_changed", "the file", "was changed: its signature does not match its content");
    }
    let signed = audit.options.verifier.map(|verifier| reader.is_signed_by(verifier));
    if signed == Some(false) {
        audit.find("signature_differs", "the file", "has a signature that none of the given keys made");
    }
    loop {
        match reader.next_part() {
            Ok(Some(part)) => audit.part(part),
            Ok(None) => break,
            // The rest cannot be read.
            Err(InvalidArchive::Io(error)) => return Err(error.into()),
            Err(damage) => {
                audit.find("archive_unreadable", "the file", damage.to_string());
                break;
            }
        }
    }
    Ok(audit.finish(&reader, signed))
}

struct FileAudit<'a> {
    options: FileAuditOptions<'a>,
    table: Option<TableInFile>,
    kept: DigestBuilder,
    counts: ArchiveCounts,
    tables: Vec<ArchivedRange>,
    unverified: Vec<TableId>,
    findings: Vec<Finding>,
}

/// State of the table that is read.
struct TableInFile {
    start: TableStart,
    /// State after the last block, or `None` if it cannot be replayed.
    state: Option<AuditStart>,
    tip: Tip,
    counts: ArchiveCounts,
    /// Round of the last event, or of the event before the archive.
    round: u64,
    first_round: u64,
    sums: BTreeMap<Account, BlockAccount>,
    is_unverified: bool,
}

impl<'a> FileAudit<'a> {
    fn new(options: FileAuditOptions<'a>) -> FileAudit<'a> {
        FileAudit {
            options,
            table: None,
            kept: DigestBuilder::default(),
            counts: ArchiveCounts::default(),
            tables: Vec::new(),
            unverified: Vec::new(),
            findings: Vec::new(),
        }
    }

    fn find(&mut self, code: &'static str, location: impl Into<String>, message: impl Into<String>) {
        self.findings.push(Finding::new(code, location, message));
    }

    fn part(&mut self, part: ArchivePart) {
        match part {
            ArchivePart::TableStart(start) => self.start(*start),
            ArchivePart::Block(block) => self.block(&block),
            ArchivePart::TableEnd(end) => self.end(&end),
        }
    }

    fn start(&mut self, start: TableStart) {
        let tip = Tip { seq: start.seq, hash: start.hash.0 };
        let started = match &start.checkpoint {
            None if tip == Tip::START => Ok(AuditStart::first()),
            Some(checkpoint) if tip.seq > 0 => {
                AuditStart::restored(&start.table, tip, (&start.opened, checkpoint), self.options.rules)
            }
            _ => Err(Finding::new(
                "checkpoint_invalid",
                format!("checkpoint of table {} at event {}", start.table, tip.seq),
                "must be there exactly if events precede the archive",
            )),
        };
        let state = started.map_err(|finding| self.findings.push(finding)).ok();
        let rounds = state.as_ref().and_then(AuditStart::table).map_or(0, Table::round_number);
        self.table = Some(TableInFile {
            state,
            tip,
            counts: ArchiveCounts { tables: 1, ..ArchiveCounts::default() },
            round: rounds,
            first_round: rounds + 1,
            sums: BTreeMap::new(),
            is_unverified: false,
            start,
        });
    }

    fn block(&mut self, sealed: &SealedBlock) {
        let Some(table) = &mut self.table else { return };
        let (id, head) = (&table.start.table, &sealed.head);
        let location = format!("events {} to {} of table {id}", head.first_seq, head.last_seq);
        let before = std::mem::replace(&mut table.tip, Tip { seq: head.last_seq, hash: head.hash });
        if (before.seq + 1, before.hash) != (head.first_seq, head.before) {
            table.state = None;
            let message = format!("do not follow event {}", before.seq);
            self.findings.push(Finding::new("event_missing", location.clone(), message));
        }
        let block = match sealed.open() {
            Ok(block) => block,
            Err(error) => {
                table.state = None;
                self.kept.block(head, &sealed.digest, &BlockIndex::default());
                let why = match error {
                    StoreError::Unreadable { why, .. } => why,
                    other => other.to_string(),
                };
                self.findings.push(Finding::new("block_damaged", location, why));
                return;
            }
        };
        for row in &block.events {
            (self.options.event)(id, row.seq, row.hash);
        }
        if block.before.seq == 0 && block.events.first().is_none_or(|first| first.json != table.start.opened)
        {
            let message = "differs from the first event in the table's header";
            self.findings.push(Finding::new("event_differs", format!("event 1 of table {id}"), message));
        }
        let index = block.index();
        self.kept.block(head, &sealed.digest, &index);
        add_sums(&mut table.sums, &index);
        table.counts.add(&ArchiveCounts {
            tables: 0,
            blocks: 1,
            rounds: head.last_round.saturating_sub(table.round),
            events: block.events.len() as u64,
            commands: block.commands.len() as u64,
            transfers: block.journal.len() as u64,
        });
        table.round = head.last_round;
        self.findings.extend(order::check(&block.events, &block.journal));
        self.findings.extend(open_hold(&block));
        let Some(state) = table.state.take() else { return };
        let auditor = TableAuditor::new(Some(id), &block.commands, &block.journal);
        let audited = auditor.run(&block.events, state, self.options.rules, self.options.keys);
        table.is_unverified |= audited.unverified;
        self.findings.extend(audited.findings);
        table.state = audited.end;
    }

    fn end(&mut self, end: &TableEnd) {
        let Some(table) = self.table.take() else { return };
        let TableInFile { start, state, tip, counts, first_round, sums, is_unverified, .. } = table;
        let id = &start.table;
        let location = format!("table {id}");
        if counts.blocks == 0 {
            self.find("event_missing", location.clone(), "has no events in the archive");
        }
        if (end.seq, end.hash.0) != (tip.seq, tip.hash) {
            self.find("event_missing", location.clone(), format!("does not end with event {}", end.seq));
        }
        if end.counts != counts {
            self.find("archive_differs", location.clone(), "has other numbers of rows than its end says");
        }
        if end.accounts != account_sums(&sums) {
            self.find("balance_differs", location.clone(), "has other sums by account than its end says");
        }
        if let Some(state) = &state {
            let expected = state.table().and_then(Table::checkpoint).map(|checkpoint| checkpoint.to_json());
            if expected.as_deref() != Some(end.checkpoint.as_str()) {
                let message = "does not follow from the archived events";
                self.find(
                    "checkpoint_differs",
                    format!("checkpoint of table {id} at event {}", end.seq),
                    message,
                );
            }
        }
        let row = CheckpointRow {
            table: id.clone(),
            seq: end.seq,
            hash: end.hash.0,
            opened: start.opened.clone(),
            json: end.checkpoint.clone(),
            archive: [0; 32],
        };
        self.kept.checkpoint(&row);
        self.counts.add(&counts);
        self.unverified.extend(is_unverified.then(|| id.clone()));
        self.tables.push(ArchivedRange {
            table: id.clone(),
            after: start.seq,
            before: start.hash,
            seq: end.seq,
            hash: end.hash,
            first_round,
            last_round: Checkpoint::from_json(&end.checkpoint).map_or(0, |checkpoint| checkpoint.rounds()),
        });
    }

    fn finish(mut self, reader: &ArchiveReader, signed: Option<bool>) -> ArchiveReport {
        let kept = self.kept.clone().finish();
        if let Some(ArchiveEnd { counts, digests }) = reader.end()
            && (*counts, *digests) != (self.counts, kept)
        {
            self.find("archive_differs", "the file", "has other rows than its end says");
        }
        self.findings.truncate(FINDINGS_MAX);
        ArchiveReport {
            digest: Commitment(reader.digest()),
            header: reader.header().clone(),
            signed,
            counts: self.counts,
            tables: self.tables,
            kept,
            rules_unverified: self.unverified,
            findings: self.findings,
        }
    }
}
