//! Rows that a store keeps of archived rounds.

mod digests;

pub use digests::ArchiveDigests;
pub(crate) use digests::DigestBuilder;

use super::house::HouseRecord;
use super::{BlockHead, BlockIndex, Tip};
use paigow_table::{Commitment, Currency, TableId, Time};
use serde::{Deserialize, Serialize};

/// Checkpoint of a table after its last archived event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckpointRow {
    /// Id of the table.
    pub table: TableId,
    /// Sequence number of the last archived event.
    pub seq: u64,
    /// Hash of that event.
    pub hash: [u8; 32],
    /// JSON of the first event of the table, which is in an archive.
    pub opened: String,
    /// JSON of the [`Checkpoint`](paigow_table::Checkpoint).
    pub json: String,
    /// Digest of the archive that ends with the event.
    pub archive: [u8; 32],
}

impl CheckpointRow {
    /// Last archived event.
    pub(crate) fn tip(&self) -> Tip {
        Tip { seq: self.seq, hash: self.hash }
    }
}

/// An archive of a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArchiveRow {
    /// Number among the archives of the store, from 1.
    pub number: u64,
    /// Digest of the file, which identifies the archive.
    pub digest: [u8; 32],
    /// Name of the file when it was written, without its folder.
    pub file: String,
    /// Time at which the rounds left the store.
    pub at: Time,
    /// Every event of the archive is older than this time.
    pub older_than: Time,
    /// Numbers of rows.
    pub counts: ArchiveCounts,
}

/// Sums of an owner's transfers in an archive, in one currency.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ArchivedSums {
    /// Name of the archive's file.
    pub file: String,
    /// Every event of the archive is older than this time.
    pub older_than: Time,
    /// Currency of the account.
    pub currency: Currency,
    /// Sum of the transfers from the account.
    pub debit_cents: u64,
    /// Sum of the transfers to the account.
    pub credit_cents: u64,
}

/// Query for the [`ArchivedSums`] of the owner `$1`, in the order of their fields.
pub(super) const ARCHIVED_SUMS: &str = "SELECT file, older_than, currency, \
    CAST(sum(debit_cents) AS BIGINT), CAST(sum(credit_cents) AS BIGINT) \
    FROM block_accounts JOIN blocks ON blocks.id = block JOIN archives ON archives.digest = archive \
    WHERE owner = $1 GROUP BY number, file, older_than, currency ORDER BY number, currency";

/// Numbers of rows of an archive, or of a table in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // the fields are named after the rows they count
pub struct ArchiveCounts {
    pub tables: u64,
    pub blocks: u64,
    pub rounds: u64,
    pub events: u64,
    pub commands: u64,
    pub transfers: u64,
}

impl ArchiveCounts {
    pub(crate) fn add(&mut self, other: &ArchiveCounts) {
        self.tables += other.tables;
        self.blocks += other.blocks;
        self.rounds += other.rounds;
        self.events += other.events;
        self.commands += other.commands;
        self.transfers += other.transfers;
    }

    /// Counts in the order of the columns of `archives`.
    pub(super) fn columns(&self) -> [u64; 6] {
        [self.tables, self.blocks, self.rounds, self.events, self.commands, self.transfers]
    }

    pub(super) fn of_columns(
        [tables, blocks, rounds, events, commands, transfers]: [u64; 6],
    ) -> ArchiveCounts {
        ArchiveCounts { tables, blocks, rounds, events, commands, transfers }
    }
}

/// A block whose rows are in an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArchivedBlock {
    /// Range of the rows.
    pub head: BlockHead,
    /// SHA-256 of the content.
    pub digest: [u8; 32],
    /// Digest of the archive.
    pub archive: [u8; 32],
    /// Keys of the commands, and sums by account.
    pub index: BlockIndex,
}

/// A block in the store, without its content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BlockEnd {
    pub(crate) table: TableId,
    pub(crate) last_seq: u64,
    pub(crate) last_at: Time,
    pub(crate) digest: [u8; 32],
}

/// Everything that changes in a store when rounds leave it for an archive.
#[derive(Clone, Debug)]
pub(crate) struct NewArchive {
    pub(crate) row: ArchiveRow,
    pub(crate) digests: ArchiveDigests,
    /// Checkpoint of each table in the archive.
    pub(crate) checkpoints: Vec<CheckpointRow>,
    /// Blocks in the archive.
    pub(crate) blocks: Vec<BlockEnd>,
}

impl NewArchive {
    /// Record for the house log.
    pub(super) fn record(&self) -> HouseRecord {
        let ArchiveRow { number, digest, file, older_than, counts, .. } = &self.row;
        HouseRecord::Archived {
            number: *number,
            archive: Commitment(*digest),
            file: file.clone(),
            older_than: *older_than,
            counts: *counts,
            kept: self.digests,
        }
    }
}
