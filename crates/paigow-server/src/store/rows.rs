//! Rows of a store, as read back.

use super::{AppendOutcome, Batch, Block, GENESIS};
use paigow_table::{
    Account, Actor, CommandId, Hold, PlantedFault, TableId, Time, Transfer, TransferId, planted,
};

/// Stored event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventRow {
    /// Sequence number within the table, from 1.
    pub seq: u64,
    /// Number of the current or last round after the event.
    pub round: u64,
    /// The event as JSON.
    pub json: String,
    /// Time of the event.
    pub at: Time,
    /// Actor of the command that caused the event.
    pub by: Actor,
    /// Id of that command.
    pub command: CommandId,
    /// Hash of the event and of all events before it.
    pub hash: [u8; 32],
}

/// Rows of a table, or those that belong to no table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TableRows {
    /// Events in the order of their sequence numbers.
    pub events: Vec<EventRow>,
    /// Commands.
    pub commands: Vec<CommandRow>,
    /// Transfers in the order of the journal.
    pub journal: Vec<JournalRow>,
    /// Number of the first rows of `journal` that are in blocks. Their holds may have been deleted.
    pub sealed_transfers: usize,
}

impl TableRows {
    /// Adds the rows of blocks, which precede all others.
    pub(super) fn add_blocks(&mut self, blocks: Vec<Block>) {
        for block in blocks {
            self.events.extend(block.events);
            self.commands.extend(block.commands);
            self.journal.extend(block.journal);
        }
        self.sealed_transfers = self.journal.len();
    }
}

/// Stored event with only the columns needed for a replay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogRow {
    /// Sequence number within the table, from 1.
    pub seq: u64,
    /// Time of the event.
    pub at: Time,
    /// The event as JSON.
    pub json: String,
    /// Digest of its command, or zeros if the command is missing.
    pub command: [u8; 32],
    /// Hash of the event and of all events before it.
    pub hash: [u8; 32],
}

impl LogRow {
    /// Tip of a table whose last event this is.
    pub(crate) fn tip(&self) -> Tip {
        Tip { seq: self.seq, hash: self.hash }
    }
}

/// Sequence number and hash of a table's last event. The hash covers all events, so that equal tips mean equal
/// histories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tip {
    /// Sequence number of the last event, or 0 before the first.
    pub seq: u64,
    /// Hash of the last event.
    pub hash: [u8; 32],
}

impl Tip {
    /// Tip of a table without events.
    pub const START: Tip = Tip { seq: 0, hash: GENESIS };

    /// Stands for the tip of a table whose last event cannot be read. It equals no real tip.
    pub(crate) const UNREADABLE: Tip = Tip { seq: 0, hash: [0xff; 32] };

    /// Sequence number to read the log after, so that it starts with this event if the store still has it.
    pub(crate) const fn reread_after(self) -> u64 {
        self.seq.saturating_sub(1)
    }
}

/// Range of ids that contains exactly the transfers of a round of the table, both ends excluded. `0` follows `/` in
/// ASCII.
pub(super) fn transfer_ids_of_round(table: &TableId, round: u64) -> (String, String) {
    (format!("{table}/{round}/"), format!("{table}/{round}0"))
}

/// A table and its tip.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableHead {
    /// Id of the table.
    pub table: TableId,
    /// Sequence number and hash of its last event.
    pub tip: Tip,
    /// Whether the last event closed the table. No more events follow.
    pub closed: bool,
}

/// Body and answer of a stored command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredCommand {
    /// Table of the command, or `None` outside tables.
    pub table: Option<TableId>,
    /// The command as JSON.
    pub body: String,
    /// The answer as JSON.
    pub answer: String,
}

/// Stored command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandRow {
    /// Actor that gave the command.
    pub by: Actor,
    /// Id of the command, unique for the actor.
    pub id: CommandId,
    /// Time of the decision.
    pub at: Time,
    /// Table, body and answer.
    pub stored: StoredCommand,
    /// Digest of the command, its answer and its transfers.
    pub digest: [u8; 32],
}

/// A round that a player had money in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerRound {
    /// Table of the round.
    pub table: TableId,
    /// Number of the round.
    pub round: u64,
    /// Sequence number of the player's last wager of the round in the journal.
    pub seq: u64,
}

/// Stored transfer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JournalRow {
    /// Sequence number in the journal.
    pub seq: u64,
    /// The transfer.
    pub transfer: Transfer,
    /// Time of the decision.
    pub at: Time,
    /// Actor of the command that made the transfer.
    pub by: Actor,
    /// Id of that command.
    pub command: CommandId,
    /// Index among the transfers of the command, from 0.
    pub number: u64,
    /// Table of the transfer, or `None` outside tables.
    pub table: Option<TableId>,
    /// Round of the transfer.
    pub round: u64,
}

/// Stored shard of an account. Accounts that many tables use have one shard for each table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccountRow {
    /// The account.
    pub account: Account,
    /// Table of the shard, or empty if the account is not split.
    pub shard: String,
    /// Balance of the shard in cents.
    pub cents: i64,
}

/// A balance that is not the sum of its journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BalanceMismatch {
    /// The account.
    pub account: Account,
    /// Stored balance in cents.
    pub stored: i64,
    /// Sum of the account's journal in cents.
    pub journal: i64,
}

/// Stored hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HoldRow {
    /// Id of the transfer that made the hold.
    pub id: TransferId,
    /// The hold.
    pub hold: Hold,
}

impl StoredCommand {
    /// Outcome of a batch whose command is stored already.
    pub(super) fn outcome(self, batch: &Batch) -> AppendOutcome {
        if self.table.as_ref() == batch.table_id() && self.body == batch.body {
            let is_changed = planted(PlantedFault::ChangeRepeatedAnswer);
            AppendOutcome::AlreadyExecuted {
                answer: if is_changed { self.answer.replace("\"seq\":", "\"seq\":1") } else { self.answer },
            }
        } else {
            AppendOutcome::IdReused
        }
    }
}
