//! What can be asked of a table.

use crate::{PlayerId, SeatBytes, VoidReason};
use serde::{Deserialize, Serialize};
use std::fmt;
use utoipa::ToSchema;

/// Who asks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// A player.
    Player(PlayerId),
    /// Somebody of the house, by name.
    Operator(PlayerId),
    /// The clock.
    Clock,
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Actor::Player(player) => write!(f, "{player}"),
            Actor::Operator(operator) => write!(f, "operator {operator}"),
            Actor::Clock => f.write_str("the clock"),
        }
    }
}

/// A colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // the names say it
pub enum ColorWord {
    Red,
    Black,
}

/// A wager as it is asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Stake {
    /// On what, by its name; `pai-gow` is the base game.
    pub wager: String,
    /// How much.
    pub cents: u64,
    /// On which colour.
    #[serde(default)]
    pub color: Option<ColorWord>,
}

/// What is to be done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "do", rename_all = "snake_case", from = "Written")]
pub enum Command {
    /// Sit down.
    Sit {
        /// Where.
        seat: u8,
    },
    /// Get up, at once or when the round is over.
    Stand,
    /// Let rounds pass.
    SitOut,
    /// Play again.
    Return,
    /// Place a wager, or change it.
    Wager {
        /// On what, by its name; `pai-gow` is the base game.
        wager: String,
        /// How much.
        cents: u64,
        /// On which colour.
        color: Option<ColorWord>,
    },
    /// Have these wagers and no others, all of them or none.
    Wagers {
        /// Each at most once. Those that lie as they are asked for stay; none takes back all.
        wagers: Vec<Stake>,
        /// Whether they are made, as by `Ready`.
        ready: bool,
    },
    /// Take a wager back.
    Clear {
        /// Which; all of them where left out.
        wager: Option<String>,
    },
    /// Add bytes to the deal.
    AddBytes {
        /// At most 32.
        bytes: SeatBytes,
    },
    /// Take the bank, or cover more or less with it.
    TakeBank {
        /// How much is covered.
        cents: u64,
    },
    /// Pass the bank on.
    PassBank,
    /// Give the bank back before hands are dealt.
    GiveBankBack,
    /// Pick the pile that goes to the first seat, as the one who banks.
    PickPile {
        /// Which, from 1.
        pile: u8,
    },
    /// Wagers are made.
    Ready,
    /// Set the hand.
    Set {
        /// The two cards in front.
        front: String,
    },
    /// Have the hand set the house way.
    HouseWay,
    /// Whatever is due.
    Tick,
    /// No new rounds.
    Pause,
    /// Rounds again.
    Resume,
    /// No more rounds after this one.
    Close,
    /// A seat is given up, as if its player got up.
    Vacate {
        /// Which.
        seat: u8,
    },
    /// The round is void: everything goes back. A settled round can be voided until the next one opens.
    Void {
        /// Why: an object with a code, a code as text, or any other text, which is then that of `other`.
        reason: VoidReason,
    },
    /// Something everybody at the table is told.
    Notice {
        /// What.
        text: String,
    },
}

impl Command {
    /// Whether it is the house's to give.
    pub(crate) const fn is_operators(&self) -> bool {
        matches!(
            self,
            Command::Pause
                | Command::Resume
                | Command::Close
                | Command::Vacate { .. }
                | Command::Void { .. }
                | Command::Notice { .. }
        )
    }
}

/// A command as it is written. All of its kinds have fields, if only none: for a kind without, what is not known would be passed over.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
enum Written {
    Sit {
        seat: u8,
    },
    Stand {},
    SitOut {},
    Return {},
    Wager {
        wager: String,
        cents: u64,
        #[serde(default)]
        color: Option<ColorWord>,
    },
    Wagers {
        wagers: Vec<Stake>,
        #[serde(default)]
        ready: bool,
    },
    Clear {
        #[serde(default)]
        wager: Option<String>,
    },
    AddBytes {
        bytes: SeatBytes,
    },
    TakeBank {
        cents: u64,
    },
    PassBank {},
    GiveBankBack {},
    PickPile {
        pile: u8,
    },
    Ready {},
    Set {
        front: String,
    },
    HouseWay {},
    Tick {},
    Pause {},
    Resume {},
    Close {},
    Vacate {
        seat: u8,
    },
    Void {
        reason: VoidReason,
    },
    Notice {
        text: String,
    },
}

impl From<Written> for Command {
    fn from(written: Written) -> Command {
        match written {
            Written::Sit { seat } => Command::Sit { seat },
            Written::Stand {} => Command::Stand,
            Written::SitOut {} => Command::SitOut,
            Written::Return {} => Command::Return,
            Written::Wager { wager, cents, color } => Command::Wager { wager, cents, color },
            Written::Wagers { wagers, ready } => Command::Wagers { wagers, ready },
            Written::Clear { wager } => Command::Clear { wager },
            Written::AddBytes { bytes } => Command::AddBytes { bytes },
            Written::TakeBank { cents } => Command::TakeBank { cents },
            Written::PassBank {} => Command::PassBank,
            Written::GiveBankBack {} => Command::GiveBankBack,
            Written::PickPile { pile } => Command::PickPile { pile },
            Written::Ready {} => Command::Ready,
            Written::Set { front } => Command::Set { front },
            Written::HouseWay {} => Command::HouseWay,
            Written::Tick {} => Command::Tick,
            Written::Pause {} => Command::Pause,
            Written::Resume {} => Command::Resume,
            Written::Close {} => Command::Close,
            Written::Vacate { seat } => Command::Vacate { seat },
            Written::Void { reason } => Command::Void { reason },
            Written::Notice { text } => Command::Notice { text },
        }
    }
}
