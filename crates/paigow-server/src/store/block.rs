//! Blocks: old rounds of a table, in one compressed value.
//!
//! A block holds consecutive events of one table, the commands that caused them and the transfers of these commands. It
//! starts with event 1 or with the first event of the command that opens a round, and ends before such a command, or before
//! the command that closes the table. So a command, its events and its transfers are in one block, and a round too.
//!
//! [`Block::seal`] refuses rows that do not verify, so that a block never hides damage. The hashes of events and the
//! digests of commands are not stored in a block. [`SealedBlock::open`] computes them again, and they must end with the
//! stored hash of the last event. `encode.rs` has the format of the content.

mod bytes;
mod encode;
mod index;

pub(super) use index::command_key;
pub use index::{BlockAccount, BlockIndex};

use super::chain::{command_digest, event_hash};
use super::{CommandRow, EventRow, JournalRow, LogRow, StoreError, StoredCommand, Tip};
use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use paigow_table::{Actor, CommandId, TableId, Time};
use sha2::{Digest, Sha256};
use std::io::Read;

/// Maximum length of the content of a block before compression, in bytes. It bounds the memory that a damaged block can
/// take.
const CONTENT_MAX: u64 = 64 << 20;

/// Rows of consecutive events of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Table of all rows.
    pub table: TableId,
    /// Event before the first one.
    pub before: Tip,
    /// Events in the order of their sequence numbers.
    pub events: Vec<EventRow>,
    /// Commands of the events, in the order of the events.
    pub commands: Vec<CommandRow>,
    /// Transfers of the commands, in the order of the commands.
    pub journal: Vec<JournalRow>,
}

/// Columns of a block that are stored beside its content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockHead {
    /// Table of all rows.
    pub table: TableId,
    /// Sequence number of the first event.
    pub first_seq: u64,
    /// Sequence number of the last event.
    pub last_seq: u64,
    /// Round of the first event.
    pub first_round: u64,
    /// Round of the last event.
    pub last_round: u64,
    /// First sequence number in the journal, or 0 without transfers.
    pub first_place: u64,
    /// Last sequence number in the journal, or 0 without transfers.
    pub last_place: u64,
    /// Time of the last event.
    pub last_at: Time,
    /// Hash of the event before the first one.
    pub before: [u8; 32],
    /// Hash of the last event.
    pub hash: [u8; 32],
}

/// A block with its rows compressed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SealedBlock {
    /// Range of the rows.
    pub head: BlockHead,
    /// SHA-256 of `content`.
    pub digest: [u8; 32],
    /// Encoded and compressed rows.
    pub content: Vec<u8>,
}

/// Reason why rows cannot be sealed. They stay as they are.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("table {table}: {why}")]
pub struct NotSealable {
    /// Table of the rows.
    pub table: TableId,
    /// Reason that names the first row that does not verify.
    pub why: String,
}

impl Block {
    /// Verifies the rows, encodes and compresses them.
    ///
    /// # Errors
    /// A row is missing or was changed, or rows do not belong together.
    pub fn seal(&self) -> Result<SealedBlock, NotSealable> {
        let fault = |why: String| NotSealable { table: self.table.clone(), why };
        let encoded = encode::encode(self).map_err(fault)?;
        if encoded.len() as u64 >= CONTENT_MAX {
            return Err(fault(format!("the rows take {} bytes, more than a block may have", encoded.len())));
        }
        // Decoding computes digests and hashes. Equal rows therefore verify, and the block opens to them.
        let decoded = encode::decode(&encoded).map_err(fault)?;
        if decoded != *self {
            return Err(fault(first_difference(self, &decoded)));
        }
        let head = self.head().ok_or_else(|| fault("there are no events".to_owned()))?;
        let mut content = Vec::new();
        let mut encoder = DeflateEncoder::new(&encoded[..], Compression::best());
        encoder.read_to_end(&mut content).map_err(|error| fault(error.to_string()))?;
        Ok(SealedBlock { head, digest: Sha256::digest(&content).into(), content })
    }

    /// Returns the columns that are stored beside the content, or `None` without events.
    pub fn head(&self) -> Option<BlockHead> {
        let (first, last) = (self.events.first()?, self.events.last()?);
        let places = || self.journal.iter().map(|row| row.seq);
        Some(BlockHead {
            table: self.table.clone(),
            first_seq: first.seq,
            last_seq: last.seq,
            first_round: first.round,
            last_round: last.round,
            first_place: places().min().unwrap_or(0),
            last_place: places().max().unwrap_or(0),
            last_at: last.at,
            before: self.before.hash,
            hash: last.hash,
        })
    }

    /// Returns the events with the columns needed for a replay.
    pub(super) fn log(self) -> impl Iterator<Item = LogRow> {
        let mut commands = self.commands.into_iter().peekable();
        self.events.into_iter().map(move |row| {
            while commands.next_if(|command| !command.causes(&row)).is_some() {}
            let command = commands.peek().map_or([0; 32], |command| command.digest);
            LogRow { seq: row.seq, at: row.at, command, json: row.json, hash: row.hash }
        })
    }

    /// Returns a command with its answer.
    pub(super) fn command(self, by: &Actor, id: &CommandId) -> Option<StoredCommand> {
        self.commands.into_iter().find(|row| row.by == *by && row.id == *id).map(|row| row.stored)
    }
}

impl CommandRow {
    /// Whether an event belongs to the command.
    fn causes(&self, event: &EventRow) -> bool {
        self.by == event.by && self.id == event.command
    }

    /// Whether a transfer belongs to the command.
    fn moves(&self, row: &JournalRow) -> bool {
        self.by == row.by && self.id == row.command
    }
}

impl SealedBlock {
    /// Reads the rows and verifies them: the digest of the content, the range, and the chain of hashes.
    ///
    /// # Errors
    /// The block was changed.
    pub fn open(&self) -> Result<Block, StoreError> {
        let BlockHead { table, first_seq, last_seq, .. } = &self.head;
        let fault = |why: &str| StoreError::Unreadable {
            location: format!("the block of events {first_seq} to {last_seq} of table {table}"),
            why: why.to_owned(),
        };
        if <[u8; 32]>::from(Sha256::digest(&self.content)) != self.digest {
            return Err(fault("it was changed: its digest does not match"));
        }
        let mut encoded = Vec::new();
        let mut decoder = DeflateDecoder::new(&self.content[..]).take(CONTENT_MAX);
        decoder.read_to_end(&mut encoded).map_err(|error| fault(&error.to_string()))?;
        let block = encode::decode(&encoded).map_err(|why| fault(&why))?;
        if block.head().as_ref() != Some(&self.head) {
            return Err(fault("its rows are not those of its range, or their hashes do not match"));
        }
        Ok(block)
    }
}

/// Computes the digests of the commands and the hashes of the events from the other columns.
fn compute_hashes(block: &mut Block) {
    let Block { table, before, events, commands, journal } = block;
    let mut transfers = journal.iter().peekable();
    for command in commands.iter_mut() {
        let mut own = Vec::new();
        while let Some(row) = transfers.next_if(|row| command.moves(row)) {
            own.push(&row.transfer);
        }
        let CommandRow { by, id, at, stored, .. } = &*command;
        let answered = (stored.body.as_str(), stored.answer.as_str());
        command.digest = command_digest((by, id), *at, Some(table), answered, own);
    }
    let mut hash = before.hash;
    let mut commands = commands.iter().peekable();
    for event in events {
        // The events of a command are consecutive.
        while commands.next_if(|command| !command.causes(event)).is_some() {}
        let digest = commands.peek().map_or([0; 32], |row| row.digest);
        hash = event_hash(&hash, table, event.seq, &digest, &event.json);
        event.hash = hash;
    }
}

/// Describes the first row that does not verify.
fn first_difference(stored: &Block, computed: &Block) -> String {
    let event = stored.events.iter().zip(&computed.events).find(|(stored, computed)| stored != computed);
    let command =
        stored.commands.iter().zip(&computed.commands).find(|(stored, computed)| stored != computed);
    match (command, event) {
        (Some((row, _)), _) => format!("command {} of {} does not match its digest", row.id, row.by),
        (None, Some((row, _))) => format!("the hash of event {} does not match", row.seq),
        (None, None) => "a transfer does not match its command".to_owned(),
    }
}
