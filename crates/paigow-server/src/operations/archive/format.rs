//! Format of an archive file.
//!
//! A file is the 16 bytes `paigow archive 1` and records. A record is a letter, the length of its content as eight bytes,
//! big-endian, and its content. The records are, in this order:
//!
//! - `H`: the [`ArchiveHeader`] as JSON.
//! - For each table, in the order of their ids as bytes:
//!   - `T`: the [`TableStart`] as JSON.
//!   - For each block, in the order of events: `B`, the [`BlockEntry`] as JSON, and `D`, the content of the block.
//!   - `C`: the [`TableEnd`] as JSON.
//! - `Z`: the [`ArchiveEnd`] as JSON.
//! - `S`: 64 bytes, the Ed25519 signature of `paigow archive 1` ‖ length ‖ digest, in the form of the messages of
//!   `chain.rs`. The length is the number of bytes before `S`, and the digest is their SHA-256. It identifies the archive.

use crate::store::{ArchiveCounts, ArchiveDigests, BlockHead, SealedBlock, SignedMessage};
use paigow_table::{Commitment, Currency, PublicKey, TableId, Time};
use serde::{Deserialize, Serialize};

/// First bytes of a file.
pub(super) const MAGIC: &[u8; 16] = b"paigow archive 1";
/// Version of the format.
pub(super) const FORMAT: u32 = 1;
/// Length of a record without its content.
pub(super) const RECORD_BYTES: u64 = 9;
/// Length of a signature.
pub(super) const SIGNATURE_BYTES: u64 = 64;
/// Maximum length of the content of a record. It bounds the memory that a damaged file can take.
pub(super) const CONTENT_MAX: u64 = 256 << 20;

/// Kind of a record: its letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RecordKind {
    Header,
    TableStart,
    Block,
    Content,
    TableEnd,
    End,
    Signature,
}

impl RecordKind {
    const ALL: [RecordKind; 7] = [
        RecordKind::Header,
        RecordKind::TableStart,
        RecordKind::Block,
        RecordKind::Content,
        RecordKind::TableEnd,
        RecordKind::End,
        RecordKind::Signature,
    ];

    pub(super) const fn letter(self) -> u8 {
        match self {
            RecordKind::Header => b'H',
            RecordKind::TableStart => b'T',
            RecordKind::Block => b'B',
            RecordKind::Content => b'D',
            RecordKind::TableEnd => b'C',
            RecordKind::End => b'Z',
            RecordKind::Signature => b'S',
        }
    }

    pub(super) fn of(letter: u8) -> Option<RecordKind> {
        RecordKind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }
}

/// Origin of an archive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArchiveHeader {
    /// Version of the format: 1.
    pub format: u32,
    /// Hash of the first entry of the house log, which identifies the store.
    pub origin: Commitment,
    /// Number of the archive among those of the store, from 1.
    pub number: u64,
    /// Digest of the archive before it, or `null` for the first.
    pub previous: Option<Commitment>,
    /// Time at which the archive was written.
    pub at: Time,
    /// Every event of the archive is older than this time.
    pub older_than: Time,
    /// Program that wrote the archive.
    pub program: String,
    /// Public key of the signature.
    pub key: PublicKey,
}

/// State of a table before its first block of an archive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableStart {
    /// Id of the table.
    pub table: TableId,
    /// JSON of the first event of the table, as stored.
    pub opened: String,
    /// Sequence number of the event before the first block, or 0.
    pub seq: u64,
    /// Hash of that event, or zeros.
    pub hash: Commitment,
    /// JSON of the checkpoint after that event, or `null` if the first block starts with the first event.
    pub checkpoint: Option<String>,
}

/// Range and digest of a block.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BlockEntry {
    first_seq: u64,
    last_seq: u64,
    first_round: u64,
    last_round: u64,
    first_place: u64,
    last_place: u64,
    last_at: Time,
    before: Commitment,
    hash: Commitment,
    digest: Commitment,
}

/// State of a table after its last block of an archive, and the sums of all its blocks in the archive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableEnd {
    /// Sequence number of the last event.
    pub seq: u64,
    /// Hash of the last event.
    pub hash: Commitment,
    /// JSON of the checkpoint after the last event.
    pub checkpoint: String,
    /// Numbers of rows.
    pub counts: ArchiveCounts,
    /// Sums of the transfers of each account, by owner and currency.
    pub accounts: Vec<AccountSum>,
}

/// Sums of the transfers of an account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccountSum {
    /// Owner of the account, as in the journal.
    pub owner: String,
    /// Currency of the account.
    pub currency: Currency,
    /// Sum of the transfers from the account, in cents.
    pub debit_cents: u64,
    /// Sum of the transfers to the account, in cents.
    pub credit_cents: u64,
}

/// Numbers of rows, and digests of everything that the store keeps of the archive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ArchiveEnd {
    pub(super) counts: ArchiveCounts,
    pub(super) digests: ArchiveDigests,
}

impl BlockEntry {
    pub(super) fn of(SealedBlock { head, digest, .. }: &SealedBlock) -> BlockEntry {
        BlockEntry {
            first_seq: head.first_seq,
            last_seq: head.last_seq,
            first_round: head.first_round,
            last_round: head.last_round,
            first_place: head.first_place,
            last_place: head.last_place,
            last_at: head.last_at,
            before: Commitment(head.before),
            hash: Commitment(head.hash),
            digest: Commitment(*digest),
        }
    }

    /// Returns the block of a table with this content.
    pub(super) fn with_content(self, table: &TableId, content: Vec<u8>) -> SealedBlock {
        let head = BlockHead {
            table: table.clone(),
            first_seq: self.first_seq,
            last_seq: self.last_seq,
            first_round: self.first_round,
            last_round: self.last_round,
            first_place: self.first_place,
            last_place: self.last_place,
            last_at: self.last_at,
            before: self.before.0,
            hash: self.hash.0,
        };
        SealedBlock { head, digest: self.digest.0, content }
    }
}

/// Message that is signed.
pub(super) fn signed_message(length: u64, digest: &[u8; 32]) -> Vec<u8> {
    SignedMessage::new("paigow archive 1").number(length).hash(digest).bytes()
}
