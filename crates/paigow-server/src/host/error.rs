//! Errors of the host.

use super::ReplayError;
use crate::StoreError;
use paigow_table::{CommandId, ConfigFault, TableId, TableRefusal};

/// Why a command was not executed.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The table or the ledger refused the command. Nothing has changed.
    #[error("{message}")]
    Refused {
        /// The refusal.
        refusal: TableRefusal,
        /// The refusal in the terms of the table's book.
        message: String,
    },
    /// The table does not exist.
    #[error("there is no table {0}")]
    NoSuchTable(TableId),
    /// A table with this id exists.
    #[error("table {0} already exists")]
    TableExists(TableId),
    /// The command adds more to what its player has at stake than the caller allows.
    #[error("the command puts {added} more cents at stake, and the maximum is {max}")]
    StakeLimit {
        /// Cents that the command adds.
        added: u64,
        /// Maximum that the caller allows.
        max: u64,
    },
    /// The player's account has transfers that the limit of the stake does not consider. Nothing has changed.
    #[error("the player has moved money at the same time; retry")]
    OtherTransfers,
    /// The table's configuration is invalid.
    #[error("{0}")]
    Config(#[from] ConfigFault),
    /// The id belongs to another command of the same actor.
    #[error("command id {0} was already used for another command")]
    Reused(CommandId),
    /// The round is settled, so a second operator must approve its void.
    #[error("round {round} is settled: a second operator must approve the void")]
    NeedsApproval {
        /// The round.
        round: u64,
    },
    /// The round whose void was approved is no longer the settled round of the table.
    #[error("round {round} can no longer be voided, because the next round has begun or it is void")]
    RoundGone {
        /// The round.
        round: u64,
    },
    /// The round is in an archive and not in the store.
    #[error("round {round} of table {table} is archived in {file}: `paigow replay --archive` shows it")]
    Archived {
        /// The table.
        table: TableId,
        /// The round.
        round: u64,
        /// Name of the archive's file.
        file: String,
    },
    /// The command was executed in a round that is in an archive, so its answer is no longer known.
    #[error("the command was executed in a round that is archived in {file}: it is not executed again")]
    CommandArchived {
        /// Name of the archive's file.
        file: String,
    },
    /// The table's stored records are damaged, so it is closed to play.
    #[error("table {table} is closed to play, because its records are damaged: {why}")]
    Damaged {
        /// The table.
        table: TableId,
        /// Description of the damage.
        why: String,
    },
    /// The table cannot be rebuilt from its stored events.
    #[error("{0}")]
    Replay(#[from] ReplayError),
    /// The store failed. The command may or may not be committed; a retry with the same id returns its result.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The operating system has no random bytes.
    #[error("cannot generate a secret: {0}")]
    Entropy(#[from] getrandom::Error),
    /// A command or its result could not be serialized or parsed.
    #[error("{0}")]
    Text(#[from] serde_json::Error),
}

impl HostError {
    /// Returns the error of a store that looked up or appended a command.
    pub(super) fn of_command(error: StoreError) -> HostError {
        match error {
            StoreError::Archived { file, .. } => HostError::CommandArchived { file },
            other => HostError::Store(other),
        }
    }
}

/// For refusals that need no terms of a table's book.
impl From<TableRefusal> for HostError {
    fn from(refusal: TableRefusal) -> HostError {
        HostError::Refused { message: refusal.to_string(), refusal }
    }
}

impl HostError {
    /// Stable code for programs.
    pub fn code(&self) -> &'static str {
        match self {
            HostError::Refused { refusal, .. } => refusal.code(),
            HostError::NoSuchTable(_) => "no_such_table",
            HostError::TableExists(_) => "table_exists",
            HostError::StakeLimit { .. } => "stake_limit",
            HostError::OtherTransfers => "other_transfers",
            HostError::Config(fault) => fault.code(),
            HostError::Reused(_) => "command_reused",
            HostError::NeedsApproval { .. } => "needs_approval",
            HostError::RoundGone { .. } => "round_gone",
            HostError::Archived { .. }
            | HostError::CommandArchived { .. }
            | HostError::Store(StoreError::Archived { .. }) => "archived",
            HostError::Replay(ReplayError::Rules { .. }) => "rules_missing",
            HostError::Replay(_) | HostError::Damaged { .. } => "damaged",
            HostError::Store(_) | HostError::Entropy(_) | HostError::Text(_) => "unavailable",
        }
    }
}
