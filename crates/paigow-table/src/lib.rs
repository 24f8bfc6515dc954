//! A table over time, and its money.
//!
//! Pure: time, secrets and balances are arguments. [`Table::decide`] turns a command into events and transfers or a refusal,
//! [`Table::apply`] is the only thing that changes a table, and feeding stored events to a new table gives the same one again.

mod fair;
mod ledger;
mod names;
mod transfer;

pub use fair::{Commitment, FairDeal, HexFault, SeatBytes, Secret};
pub use ledger::{Hold, Ledger, LedgerRefusal, balances_of};
pub use names::{CommandId, Currency, NameFault, PlayerId, TableId, Time, TransferId};
pub use transfer::{Account, Kind, Owner, Purpose, Transfer};
