//! Replays a round of an archive file.

use super::read::{ArchivePart, ArchiveReader, InvalidArchive};
use crate::host::replay::{self, ReplayError};
use crate::operations::Recorder;
use crate::operations::round_record::restored;
use crate::{CheckpointRow, RoundEntry, RoundRecord, RulesCache, StoreError, described_events};
use paigow_table::{Table, TableId};
use std::path::Path;

/// A round of an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArchivedRound {
    /// Record of the round.
    pub record: RoundRecord,
    /// Events of the round.
    pub events: Vec<RoundEntry>,
}

/// Reason that a round of an archive cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveReplayError {
    /// The file is not a valid archive.
    #[error("{0}")]
    Invalid(#[from] InvalidArchive),
    /// The file was changed.
    #[error("the archive was changed: its signature does not match its content")]
    Changed,
    /// The archive does not have the round.
    #[error("the archive does not have round {round} of table {table}")]
    NoRound {
        /// Id of the table.
        table: TableId,
        /// Number of the round.
        round: u64,
    },
    /// A block was changed.
    #[error("{0}")]
    Block(#[from] StoreError),
    /// The events do not replay.
    #[error("{0}")]
    Replay(#[from] ReplayError),
}

/// Replays a round of an archive. The file must be unchanged; [`audit_archive`](super::audit_archive) checks who signed it.
///
/// # Errors
/// The file is not an unchanged archive, or does not have the round.
pub fn archived_round(
    path: &Path,
    id: &TableId,
    round: u64,
    rules: &RulesCache,
) -> Result<ArchivedRound, ArchiveReplayError> {
    let mut reader = ArchiveReader::open(path)?;
    if !reader.is_intact() {
        return Err(ArchiveReplayError::Changed);
    }
    let mut table: Option<Table> = None;
    let mut opened = None;
    while let Some(part) = reader.next_part()? {
        match part {
            ArchivePart::TableStart(start) if start.table == *id => {
                table = match start.checkpoint {
                    None => None,
                    Some(json) => Some(restored(
                        &CheckpointRow {
                            table: start.table,
                            seq: start.seq,
                            hash: start.hash.0,
                            opened: start.opened.clone(),
                            json,
                            archive: [0; 32],
                        },
                        rules,
                    )?),
                };
                opened = Some(start.opened);
            }
            ArchivePart::Block(block) if block.head.table == *id => {
                let (events, has_round) = (block.open()?.events, block.head.last_round >= round);
                let mut recorder = Recorder::new(table.take());
                for row in &events {
                    let event = replay::parse_event(id, row.seq, &row.json)?;
                    recorder.apply(id, row.seq, row.at, &event, rules)?;
                }
                let (records, state) = recorder.end();
                table = state;
                if !has_round {
                    continue;
                }
                let record = records.into_iter().find(|record| record.round == round);
                let Some(record) = record else { break };
                let mut events = described_events(id, opened.as_deref(), &events, rules)?;
                events.retain(|entry| (record.first_seq..=record.last_seq).contains(&entry.seq));
                return Ok(ArchivedRound { record, events });
            }
            _ => {}
        }
    }
    Err(ArchiveReplayError::NoRound { table: id.clone(), round })
}
