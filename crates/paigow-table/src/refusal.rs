//! What a table says no to: the rules' refusals and its own, with codes that do not change.

use crate::{LedgerRefusal, PlayerId};
use paigow::Amount;

/// Why a command is refused. Nothing has changed when one is given.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
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
    #[error("nobody sits at seat {seat}")]
    EmptySeat { seat: u8 },
    #[error("{player} sits here already")]
    AlreadySeated { player: PlayerId },
    #[error("{player} does not sit here")]
    NotSeated { player: PlayerId },
    #[error("{player} has several seats here: name one of them as `seat`")]
    WhichSeat { player: PlayerId },
    #[error("seat {seat} is not a seat of {player}")]
    NotYourSeat { seat: u8, player: PlayerId },
    #[error("the seat sits out")]
    SittingOut,
    #[error("the seat plays already")]
    NotSittingOut,
    #[error("the seat is leaving")]
    Leaving,
    #[error("this is not possible at this point of the round")]
    NotNow,
    #[error("no wager `{wager}` lies there")]
    NoSuchWager { wager: String },
    #[error("the banker's position is not offered to this seat")]
    BankNotOffered,
    #[error("only the banker may do that")]
    NotTheBanker,
    #[error("other players have wagered against this banker")]
    BankInUse,
    #[error("the banker covers {}, and the wagers would come to {}", dollars(.covers), dollars(.needed))]
    CoverExceeded { covers: u64, needed: u64 },
    #[error("there are no more than {most} wagers")]
    TooManyWagers { most: usize },
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Several(Vec<TableRefusal>),
    #[error("a player may change at most {most} things between one round's beginning and the next")]
    TooManyChanges { most: u16 },
    #[error("an amount is more than $0 and at most {}", dollars(.most))]
    BadAmount { most: u64 },
    #[error("the low hand is two cards: {faults}")]
    BadFront { faults: String },
    #[error("a text has 1 to {most} characters, and no control characters")]
    BadText { most: usize },
    #[error("the table is paused already")]
    AlreadyPaused,
    #[error("the table is not paused")]
    NotPaused,
    #[error("the table is closing already")]
    AlreadyClosing,
    #[error("there is no round to void")]
    NoRound,
    #[error("the round cannot be voided: {player} is {} short of what must be returned", dollars(.cents))]
    VoidShortfall { player: PlayerId, cents: u64 },
    #[error("nothing is due")]
    NothingDue,
    #[error("the seat has committed to other bytes in this round")]
    AlreadyCommitted,
    #[error("the seat has not committed to bytes in this round")]
    NotCommitted,
    #[error("the bytes are not the 32 bytes that the seat has committed to")]
    RevealDiffers,
    #[error("bytes are added to this round by `commit` and `reveal`")]
    CommitFirst,
    #[error("the master key that the round was opened with is not at hand; the house may void the round")]
    KeyMissing,
}

/// Cents as a sentence has them.
#[allow(clippy::trivially_copy_pass_by_ref)] // the messages have their fields by reference
pub(crate) fn dollars(cents: &u64) -> String {
    format!("${:#}", Amount::from_cents(*cents))
}

impl TableRefusal {
    /// One refusal of everything that was found; none where nothing was.
    pub(crate) fn all(mut found: Vec<TableRefusal>) -> Result<(), TableRefusal> {
        match found.len() {
            0 => Ok(()),
            1 => Err(found.remove(0)),
            _ => Err(TableRefusal::Several(found)),
        }
    }

    /// The code for programs. It does not change.
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
            // What was found first stands for all.
            TableRefusal::Several(all) => all.first().map_or("refused", TableRefusal::code),
            TableRefusal::TooManyChanges { .. } => "too_many_changes",
            TableRefusal::BadAmount { .. } => "bad_amount",
            TableRefusal::BadFront { .. } => "bad_front",
            TableRefusal::BadText { .. } => "bad_text",
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
