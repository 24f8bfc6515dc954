//! Accounts and what moves between them.

use crate::{Currency, PlayerId, TableId, TransferId};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Whose money it is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    /// A player.
    Player(PlayerId),
    /// What is held at a table until a round is over. It is as much as the open holds of the table, always.
    Escrow(TableId),
    /// The house: what it wins and loses at its own tables.
    House,
    /// The operator's guarantee: it pays what a player who banks owes and does not have.
    Bank,
    /// Commissions.
    Commission,
    /// Fees.
    Collection,
    /// Where chips come from: it owes what has been issued.
    Issue,
}

impl Owner {
    /// Whether the account may owe: a player never does, and neither does an escrow.
    pub const fn may_owe(&self) -> bool {
        matches!(self, Owner::House | Owner::Bank | Owner::Issue)
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Owner::Player(player) => write!(f, "player:{player}"),
            Owner::Escrow(table) => write!(f, "escrow:{table}"),
            Owner::House => f.write_str("house"),
            Owner::Bank => f.write_str("bank"),
            Owner::Commission => f.write_str("commission"),
            Owner::Collection => f.write_str("collection"),
            Owner::Issue => f.write_str("issue"),
        }
    }
}

/// An account: an owner's money of one currency.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Account {
    /// Whose.
    pub owner: Owner,
    /// Of what.
    pub currency: Currency,
}

/// What a transfer is.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TransferKind {
    /// Money moves.
    Plain,
    /// Money is held: it moves into an escrow, and stays the holder's until it is posted.
    Hold,
    /// Some or all of a hold goes to whoever it is credited to.
    Post(TransferId),
    /// Some or all of a hold goes back to the holder.
    Void(TransferId),
}

/// A movement of money between two accounts of one currency.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Transfer {
    /// Its name. The same transfer may be offered again; another one of the same name is refused.
    pub id: TransferId,
    /// What it is.
    pub kind: TransferKind,
    /// From which account.
    pub debit: Account,
    /// To which.
    pub credit: Account,
    /// How much.
    pub cents: u64,
    /// What it is for, in a word: a wager, a win, a commission.
    pub purpose: Purpose,
}

/// What money moves for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // the names say it
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
