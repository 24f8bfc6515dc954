//! What is stored, read back.

use super::{AppendOutcome, Batch, GENESIS};
use paigow_table::{
    Account, Actor, CommandId, Hold, PlantedFault, TableId, Time, Transfer, TransferId, planted,
};

/// An event as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventRow {
    /// The how-manieth of its table, from 1.
    pub seq: u64,
    /// The round that went on or was the last.
    pub round: u64,
    /// The event as text.
    pub json: String,
    /// When it happened.
    pub at: Time,
    /// Whose command made it happen.
    pub by: Actor,
    /// Which one.
    pub command: CommandId,
    /// The hash of it and of everything before it.
    pub hash: [u8; 32],
}

/// As much of an event as is needed to have it happen again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogRow {
    /// The how-manieth of its table, from 1.
    pub seq: u64,
    /// When it happened.
    pub at: Time,
    /// The event as text.
    pub json: String,
    /// Digest of its command; zeros if the command is missing.
    pub command: [u8; 32],
    /// The hash of it and of everything before it.
    pub hash: [u8; 32],
}

impl LogRow {
    /// Where a table ends whose last event this is.
    pub(crate) fn tip(&self) -> Tip {
        Tip { seq: self.seq, hash: self.hash }
    }
}

/// The last event of a table: its sequence number and its hash, which covers every event before it. Two tables with the same tip have
/// the same history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tip {
    /// Sequence number of the last event; 0 before the first.
    pub seq: u64,
    /// Hash of the last event.
    pub hash: [u8; 32],
}

impl Tip {
    /// The tip of a table without events.
    pub const START: Tip = Tip { seq: 0, hash: GENESIS };

    /// The tip of a table whose last event cannot be read. It is the tip of no table.
    pub(crate) const UNREADABLE: Tip = Tip { seq: 0, hash: [0xff; 32] };

    /// Sequence number after which to read the log so that it begins with this event, if the store still has it.
    pub(crate) const fn reread_after(self) -> u64 {
        self.seq.saturating_sub(1)
    }
}

/// Names between which lie those of a round's transfers, and no others of its table: 0 comes after / in the order of bytes.
pub(super) fn names_of_round(table: &TableId, round: u64) -> (String, String) {
    (format!("{table}/{round}/"), format!("{table}/{round}0"))
}

/// A table, and how many events it has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableHead {
    /// Which.
    pub table: TableId,
    /// Its last event.
    pub tip: Tip,
    /// Whether that one closed it: there will be no more.
    pub closed: bool,
}

/// What is kept of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredCommand {
    /// At which table.
    pub table: Option<TableId>,
    /// The command as it was given.
    pub body: String,
    /// What was answered.
    pub answer: String,
}

/// A command as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandRow {
    /// Who gave it.
    pub by: Actor,
    /// What they call it.
    pub id: CommandId,
    /// When it was decided.
    pub at: Time,
    /// What is kept of it.
    pub kept: StoredCommand,
    /// The digest of it, its answer and its transfers.
    pub digest: [u8; 32],
}

/// A transfer as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JournalRow {
    /// Its place among all.
    pub place: u64,
    /// The transfer.
    pub transfer: Transfer,
    /// When it was decided.
    pub at: Time,
    /// Whose command moved it.
    pub by: Actor,
    /// Which one.
    pub command: CommandId,
    /// The how-manieth of its command, from 0.
    pub number: u64,
    /// At which table.
    pub table: Option<TableId>,
    /// In which round.
    pub round: u64,
}

/// A part of an account as it is stored: what the tables have made of the house's money is kept table by table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccountRow {
    /// Which account.
    pub account: Account,
    /// The table whose part it is; empty where the account is whole.
    pub shard: String,
    /// How much.
    pub cents: i64,
}

/// A balance that is not the sum of its journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BalanceMismatch {
    /// Which account.
    pub account: Account,
    /// Its balance as it is stored, in cents.
    pub stored: i64,
    /// What its journal comes to, in cents.
    pub journal: i64,
}

/// A hold as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HoldRow {
    /// The transfer that made it.
    pub id: TransferId,
    /// The hold.
    pub hold: Hold,
}

impl StoredCommand {
    /// What comes of a batch whose command was kept before.
    pub(super) fn outcome(self, batch: &Batch) -> AppendOutcome {
        if self.table.as_ref() == batch.table_id() && self.body == batch.body {
            let changed = planted(PlantedFault::ChangeRepeatedAnswer);
            AppendOutcome::Known {
                answer: if changed { self.answer.replace("\"seq\":", "\"seq\":1") } else { self.answer },
            }
        } else {
            AppendOutcome::Reused
        }
    }
}
