//! Checks the rows of archived rounds in a store, and compares it with the house log and with files of archives.

use super::{AuditStart, Finding};
use crate::operations::archive::ArchiveReport;
use crate::store::{DigestBuilder, HouseRecord};
use crate::{ArchiveRow, ArchivedBlock, CheckpointRow, RulesCache, Tip};
use paigow_table::{Commitment, TableId};
use std::collections::BTreeMap;

/// Archived rows so far.
#[derive(Default)]
pub(super) struct ArchivesAudit {
    /// Archives of the store.
    pub(super) rows: Vec<ArchiveRow>,
    /// Digests of the rows of each archive, by its digest.
    kept: BTreeMap<[u8; 32], DigestBuilder>,
    /// Last archived event of the table that is visited next, and its round.
    tip: Option<(Tip, u64)>,
    /// Newest checkpoint of that table.
    newest: Option<CheckpointRow>,
    findings: Vec<Finding>,
}

fn archive_location(number: u64, file: &str) -> String {
    format!("archive {number} ({file})")
}

impl ArchivesAudit {
    /// Adds the next archived block of a table. Returns its number of rounds.
    pub(super) fn block(&mut self, block: &ArchivedBlock) -> u64 {
        let ArchivedBlock { head, digest, archive, index } = block;
        self.kept.entry(*archive).or_default().block(head, digest, index);
        let (before, round) = self.tip.unwrap_or((Tip::START, 0));
        if (before.seq + 1, before.hash) != (head.first_seq, head.before) {
            let location = format!("event {} of table {}", before.seq + 1, head.table);
            let message = format!("is missing: the next archived block starts with event {}", head.first_seq);
            self.findings.push(Finding::new("event_missing", location, message));
        }
        self.tip = Some((Tip { seq: head.last_seq, hash: head.hash }, head.last_round));
        head.last_round.saturating_sub(round)
    }

    /// Adds the next checkpoint of a table.
    pub(super) fn checkpoint(&mut self, row: CheckpointRow) {
        self.kept.entry(row.archive).or_default().checkpoint(&row);
        self.newest = Some(row);
    }

    /// Returns the state that a table starts with: its newest checkpoint, or no events.
    pub(super) fn start(&mut self, table: &TableId, rules_cache: &RulesCache) -> Result<AuditStart, Finding> {
        let location = || format!("checkpoint of table {table}");
        match (self.tip.take(), self.newest.take()) {
            (None, None) => Ok(AuditStart::first()),
            (Some((tip, _)), Some(row)) if row.tip() == tip => {
                AuditStart::restored(table, tip, (&row.opened, &row.json), rules_cache)
            }
            (Some((tip, _)), _) => {
                let message = format!("is missing after event {}, the last archived one", tip.seq);
                Err(Finding::new("checkpoint_missing", location(), message))
            }
            (None, Some(row)) => {
                let message = format!("is after event {}, but no event is archived", row.seq);
                Err(Finding::new("checkpoint_invalid", location(), message))
            }
        }
    }

    /// Compares the archives with their entries of the house log.
    pub(super) fn finish(&mut self, logged: &[HouseRecord]) -> Vec<Finding> {
        let mut findings = std::mem::take(&mut self.findings);
        let mut rows: BTreeMap<[u8; 32], &ArchiveRow> =
            self.rows.iter().map(|row| (row.digest, row)).collect();
        for record in logged {
            let HouseRecord::Archived { number, archive, file, older_than, counts, kept } = record else {
                continue;
            };
            let location = archive_location(*number, file);
            let Some(row) = rows.remove(&archive.0) else {
                let message = "is in the house log, but missing in the store";
                findings.push(Finding::new("archive_missing", location, message));
                continue;
            };
            if (row.number, &row.file, row.older_than, &row.counts) != (*number, file, *older_than, counts) {
                let message = "has another number, name, time or size than in the house log";
                findings.push(Finding::new("archive_changed", location.clone(), message));
            }
            let found = self.kept.get(&archive.0).cloned().unwrap_or_default().finish();
            for ((name, found), (_, logged)) in found.named().into_iter().zip(kept.named()) {
                if found != logged {
                    let message =
                        format!("was changed: the {name} that the store keeps differ from the house log");
                    findings.push(Finding::new("archive_changed", location.clone(), message));
                }
            }
        }
        for row in rows.into_values() {
            let message = "is in the store, but not in the house log";
            findings.push(Finding::new("archive_unlogged", archive_location(row.number, &row.file), message));
        }
        for archive in self.kept.keys().filter(|digest| self.rows.iter().all(|row| row.digest != **digest)) {
            let location = format!("archive {}", String::from(Commitment(*archive)));
            findings.push(Finding::new(
                "archive_missing",
                location,
                "has rows, but is not an archive of the store",
            ));
        }
        findings
    }

    /// Compares the file of an archive with the store.
    pub(super) fn compare(&self, file: &ArchiveReport) -> Vec<Finding> {
        let find = |message: String| Finding::new("archive_differs", "the file", message);
        if !self.rows.iter().any(|row| row.digest == file.digest.0) {
            return vec![find("is not an archive of this store".to_owned())];
        }
        let kept = self.kept.get(&file.digest.0).cloned().unwrap_or_default().finish();
        let pairs = kept.named().into_iter().zip(file.kept.named());
        let different = pairs.filter(|((_, stored), (_, found))| stored != found);
        different.map(|((name, _), _)| find(format!("has other {name} than the store"))).collect()
    }
}
