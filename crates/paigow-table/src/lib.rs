//! State machine of a pai gow poker table, and the ledger of its money.
//!
//! The crate is pure: time, secrets and balances are arguments. [`Table::decide`] turns a command into events and
//! transfers, or into a refusal. Only [`Table::apply`] changes a table. Applying the stored events to a new table
//! restores its state.

mod command;
mod config;
mod decide;
mod event;
mod facts;
mod fair;
mod ledger;
mod legacy;
mod line_record;
mod line_view;
mod names;
mod opening;
mod payout;
mod planted;
mod receipt;
mod refusal;
mod seen;
mod step_view;
mod table;
mod table_books;
mod transfer;
mod view;
mod void_reason;

pub use command::{Actor, ColorName, Command, Stake};
pub use config::{Clocks, Config, ConfigFault};
pub use decide::{DecisionContext, Effects};
pub use event::{RulesForm, SeenEvent, SetBy, TableEvent};
pub use facts::{BankingFacts, DealingFacts, TableFacts, TermFacts, WagerFacts};
pub use fair::{
    Commitment, Contributions, Derivation, FairDeal, HexFault, KeyId, MasterKeys, Nonce, PublicKey,
    RoundKeys, SeatBytes, Secret, Signature, closed_statement, opened_statement, receipt_statement,
};
pub use ledger::{Hold, Ledger, LedgerRefusal, balances_of};
pub use line_record::{ComparedCode, HandCode, LineRecord, ReasonCode};
pub use line_view::LineView;
pub use names::{CommandId, Currency, NameFault, PlayerId, TableId, Time, TransferId};
pub use opening::Opening;
pub use payout::Funds;
#[cfg(feature = "planted")]
pub use planted::plant;
pub use planted::{PlantedFault, planted};
pub use receipt::{
    Receipt, ReceiptCheck, ReceiptClosing, ReceiptDealing, ReceiptOpening, ReceiptPayload, ReceiptStep,
    contradict,
};
pub use refusal::TableRefusal;
pub use step_view::{ButtonView, StepPartCode, StepView, UnreconciledView};
pub use table::{Checkpoint, InvalidCheckpoint, InvalidEvent, RulesMatch, Table, TablePhase};
pub use table_books::TableBooks;
pub use transfer::{Account, Owner, Purpose, Transfer, TransferKind};
pub use view::{BankView, HandView, LastBankView, PhaseName, RoundView, SeatView, View, Viewer, WagerView};
pub use void_reason::VoidReason;
