//! Refusals of a table: those of the rules, of the ledger and its own, with stable codes.

use crate::{LedgerRefusal, PlayerId};
use paigow::Amount;

/// Reason that a command is refused. A refused command changes nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages explain the variants
pub enum TableRefusal {
    #[error("{0}")]
    Rules(#[from] paigow::Refusal),
    #[error("{0}")]
    Ledger(#[from] LedgerRefusal),
    #[error("the table is closed")]
    Closed,
    #[error(
        "this table takes no new commands: its rules differ from those it was opened with, or cannot be compared with them; the house may void the round and close it"
    )]
    RulesChanged,
    #[error("only the house may do that")]
    OperatorsOnly,
    #[error("only a player may do that")]
    PlayersOnly,
    #[error("there is no seat {seat}")]
    NoSuchSeat { seat: u8 },
    #[error("seat {seat} is taken")]
    SeatTaken { seat: u8 },
    #[error("seat {seat} is empty")]
    EmptySeat { seat: u8 },
    #[error("{player} already has a seat at this table")]
    AlreadySeated { player: PlayerId },
    #[error("{player} has no seat at this table")]
    NotSeated { player: PlayerId },
    #[error("{player} has several seats at this table: name one as `seat`")]
    WhichSeat { player: PlayerId },
    #[error("seat {seat} is not a seat of {player}")]
    NotYourSeat { seat: u8, player: PlayerId },
    #[error("the seat is sitting out")]
    SittingOut,
    #[error("the seat is not sitting out")]
    NotSittingOut,
    #[error("the seat is leaving")]
    Leaving,
    #[error("this is not possible at this point of the round")]
    NotNow,
    #[error("the seat has no wager `{wager}`")]
    NoSuchWager { wager: String },
    #[error("the banker's position is not offered to this seat")]
    BankNotOffered,
    #[error("only the banker may do that")]
    NotTheBanker,
    #[error("other players have wagered against this banker")]
    BankInUse,
    #[error("the banker covers {}, but the wagers need {}", dollars(.covers), dollars(.needed))]
    CoverExceeded { covers: u64, needed: u64 },
    #[error("too many wagers: at most {max}")]
    TooManyWagers { max: usize },
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Several(Vec<TableRefusal>),
    #[error("too many changes: a player may make at most {max} from one round to the next")]
    TooManyChanges { max: u16 },
    #[error("the amount must be more than $0 and at most {}", dollars(.max))]
    BadAmount { max: u64 },
    #[error("the low hand must be two cards: {faults}")]
    BadLowHand { faults: String },
    #[error("a text must have 1 to {max} characters and no control characters")]
    BadText { max: usize },
    #[error("the input is too long: at most {max} bytes")]
    InputTooLong { max: usize },
    #[error("the table is paused already")]
    AlreadyPaused,
    #[error("the table is not paused")]
    NotPaused,
    #[error("the table is closing already")]
    AlreadyClosing,
    #[error("there is no round to void")]
    NoRound,
    #[error("the round cannot be voided: {player} lacks {} of the amount to return", dollars(.cents))]
    VoidShortfall { player: PlayerId, cents: u64 },
    #[error("no deadline has expired")]
    NothingDue,
    #[error("the seat has committed to other bytes in this round")]
    AlreadyCommitted,
    #[error("the seat has not committed to bytes in this round")]
    NotCommitted,
    #[error("the bytes are not the 32 bytes that the seat has committed to")]
    RevealDiffers,
    #[error("this round takes bytes by `commit` and `reveal`")]
    CommitFirst,
    #[error("the master key of the round is not available; the house may void the round")]
    KeyMissing,
}

/// Formats cents as dollars.
#[allow(clippy::trivially_copy_pass_by_ref)] // the error messages pass their fields by reference
pub(crate) fn dollars(cents: &u64) -> String {
    format!("${:#}", Amount::from_cents(*cents))
}

impl TableRefusal {
    /// Combines several refusals into one. Returns `Ok` if there are none.
    pub(crate) fn all(mut refusals: Vec<TableRefusal>) -> Result<(), TableRefusal> {
        match refusals.len() {
            0 => Ok(()),
            1 => Err(refusals.remove(0)),
            _ => Err(TableRefusal::Several(refusals)),
        }
    }

    /// Stable code of the refusal.
    pub fn code(&self) -> &'static str {
        match self {
            TableRefusal::Rules(refusal) => refusal.code(),
            TableRefusal::Ledger(refusal) => refusal.code(),
            TableRefusal::Closed => "table_closed",
            TableRefusal::RulesChanged => "rules_changed",
            TableRefusal::OperatorsOnly => "operators_only",
            TableRefusal::PlayersOnly => "players_only",
            TableRefusal::NoSuchSeat { .. } => "no_such_seat",
            TableRefusal::SeatTaken { .. } => "seat_taken",
            TableRefusal::EmptySeat { .. } => "empty_seat",
            TableRefusal::AlreadySeated { .. } => "already_seated",
            TableRefusal::NotSeated { .. } => "not_seated",
            TableRefusal::WhichSeat { .. } => "which_seat",
            TableRefusal::NotYourSeat { .. } => "not_your_seat",
            TableRefusal::SittingOut => "sitting_out",
            TableRefusal::NotSittingOut => "not_sitting_out",
            TableRefusal::Leaving => "leaving",
            TableRefusal::NotNow => "not_now",
            TableRefusal::NoSuchWager { .. } => "no_such_wager",
            TableRefusal::BankNotOffered => "bank_not_offered",
            TableRefusal::NotTheBanker => "not_the_banker",
            TableRefusal::BankInUse => "bank_in_use",
            TableRefusal::CoverExceeded { .. } => "cover_exceeded",
            TableRefusal::TooManyWagers { .. } => "too_many_wagers",
            // The first refusal determines the code.
            TableRefusal::Several(all) => all.first().map_or("refused", TableRefusal::code),
            TableRefusal::TooManyChanges { .. } => "too_many_changes",
            TableRefusal::BadAmount { .. } => "bad_amount",
            TableRefusal::BadLowHand { .. } => "bad_front",
            TableRefusal::BadText { .. } | TableRefusal::InputTooLong { .. } => "bad_text",
            TableRefusal::AlreadyPaused => "already_paused",
            TableRefusal::NotPaused => "not_paused",
            TableRefusal::AlreadyClosing => "already_closing",
            TableRefusal::NoRound => "no_round",
            TableRefusal::VoidShortfall { .. } => "void_shortfall",
            TableRefusal::NothingDue => "nothing_due",
            TableRefusal::AlreadyCommitted => "already_committed",
            TableRefusal::NotCommitted => "not_committed",
            TableRefusal::RevealDiffers => "reveal_differs",
            TableRefusal::CommitFirst => "commit_first",
            TableRefusal::KeyMissing => "key_missing",
        }
    }
}
