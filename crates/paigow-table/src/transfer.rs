//! Accounts and the transfers between them.

use crate::{Currency, PlayerId, TableId, TransferId};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Owner of an account.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    /// A player.
    Player(PlayerId),
    /// Escrow of a table for the holds of a round. Its balance always equals the open holds of the table.
    Escrow(TableId),
    /// The house: its wins and losses at its tables.
    House,
    /// The operator's guarantee: it pays the debts of a banking player that the player cannot pay.
    /// Stored as `bank`, its name in the first release.
    #[serde(rename = "bank")]
    Guarantee,
    /// Commissions of the house.
    Commission,
    /// Collection fees of the house.
    Collection,
    /// Issuer of chips. Its debt is the amount issued.
    Issue,
}

impl Owner {
    /// Returns whether the balance may be negative. Balances of players and escrows never are.
    pub const fn may_owe(&self) -> bool {
        matches!(self, Owner::House | Owner::Guarantee | Owner::Issue)
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Owner::Player(player) => write!(f, "player:{player}"),
            Owner::Escrow(table) => write!(f, "escrow:{table}"),
            Owner::House => f.write_str("house"),
            Owner::Guarantee => f.write_str("bank"),
            Owner::Commission => f.write_str("commission"),
            Owner::Collection => f.write_str("collection"),
            Owner::Issue => f.write_str("issue"),
        }
    }
}

/// Account of an owner in one currency.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Account {
    /// Owner of the account.
    pub owner: Owner,
    /// Currency of the account.
    pub currency: Currency,
}

/// Kind of a transfer.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TransferKind {
    /// A transfer without a hold.
    Plain,
    /// A hold: money moves into an escrow and belongs to the holder until it is posted.
    Hold,
    /// Part or all of a hold moves to the credited account.
    Post(TransferId),
    /// Part or all of a hold returns to the holder.
    Void(TransferId),
}

/// A transfer of money between two accounts of one currency.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Transfer {
    /// Id of the transfer. The same transfer may be retried. A different transfer with the same id is refused.
    pub id: TransferId,
    /// Kind of the transfer.
    pub kind: TransferKind,
    /// Account that the money comes from.
    pub debit: Account,
    /// Account that the money goes to.
    pub credit: Account,
    /// Amount in cents.
    pub cents: u64,
    /// Purpose of the transfer, such as a wager, a win or a commission.
    pub purpose: Purpose,
}

/// Purpose of a transfer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // the names are self-explanatory
pub enum Purpose {
    Issue,
    Redeem,
    Wager,
    Cover,
    Lost,
    Returned,
    Won,
    Envy,
    Commission,
    Collection,
    Guarantee,
    Voided,
}
