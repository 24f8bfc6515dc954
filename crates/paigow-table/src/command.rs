//! What can be asked of a table.

use crate::{Commitment, PlayerId, SeatBytes, VoidReason};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

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

/// A color.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // the names say it
pub enum ColorName {
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
    /// On which color.
    #[serde(default)]
    pub color: Option<ColorName>,
}

/// What is to be done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "WrittenCommand", into = "WrittenCommand")]
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
        /// On which color.
        color: Option<ColorName>,
    },
    /// Have these wagers and no others, all of them or none.
    Wagers {
        /// Each at most once. Those that lie as they are asked for stay; none takes back all.
        wagers: Vec<Stake>,
        /// Whether they are made, as by `Ready`.
        ready: bool,
        /// A commitment to the seat's bytes, as by `Commit`.
        commitment: Option<Commitment>,
    },
    /// Take a wager back.
    Clear {
        /// Which; all of them where left out.
        wager: Option<String>,
    },
    /// Add bytes to the deal of a round of version 1.
    AddBytes {
        /// At most 32.
        bytes: SeatBytes,
    },
    /// Commit to the bytes that the seat adds to the deal.
    Commit {
        /// The digest of the bytes.
        commitment: Commitment,
    },
    /// Reveal the bytes that the seat has committed to.
    Reveal {
        /// All 32.
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
        /// The two cards of the low hand.
        front: String,
    },
    /// Set the hand, the low hand by positions in the packet: the form in which commands are stored while hands are hidden.
    SetPositions {
        /// Two positions from 1 to 7, in the order of the shuffle.
        positions: [u8; 2],
    },
    /// Have the hand set the house way.
    HouseWay,
    /// What a player does at one of several seats: any command above but `Sit`. It is written as that command with a `seat`.
    At {
        /// Which.
        seat: u8,
        /// What.
        command: Box<Command>,
    },
    /// Fires expired deadlines.
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
    /// A notice to every viewer of the table.
    Notice {
        /// What.
        text: String,
    },
}

impl Command {
    /// The seat it is for, where it says one, and what is to be done there.
    pub(crate) fn at_seat(&self) -> (Option<u8>, &Command) {
        match self {
            Command::At { seat, command } => (Some(*seat), command),
            command => (None, command),
        }
    }

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

// A command as it is written. All of its kinds have fields, if only none: serde ignores unknown fields of a kind without. The document of
// the API shows the line below.
/// What is to be done. A player with one seat may leave out `seat`.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = Command)]
enum WrittenCommand {
    /// Sit down.
    Sit {
        /// Where.
        seat: u8,
    },
    /// Get up, at once or when the round is over.
    Stand {
        /// Which of the player's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Let rounds pass.
    SitOut {
        /// Which of the player's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Play again.
    Return {
        /// Which of the player's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Place a wager, or change it.
    Wager {
        /// On what, by its name; `pai-gow` is the base game.
        wager: String,
        /// How much.
        cents: u64,
        /// On which color.
        #[serde(default)]
        color: Option<ColorName>,
        /// Which of the player's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Have these wagers and no others, all of them or none.
    Wagers {
        /// Each at most once. Those that lie as they are asked for stay; none takes back all.
        wagers: Vec<Stake>,
        /// Whether they are made, as by `Ready`.
        #[serde(default)]
        ready: bool,
        /// A commitment to the bytes that the seat adds to the deal, as by `commit`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        commitment: Option<Commitment>,
        /// Which of the player's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Take a wager back.
    Clear {
        /// Which; all of them where left out.
        #[serde(default)]
        wager: Option<String>,
        /// Which of the player's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Add bytes to the deal of a round of version 1 of fair deals.
    AddBytes {
        /// At most 32.
        bytes: SeatBytes,
        /// Which of the player's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Commit to the bytes that the seat adds to the deal, once a round.
    Commit {
        /// The digest of the bytes.
        commitment: Commitment,
        /// Which of the player's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Reveal the bytes that the seat has committed to, once wagers are closed.
    Reveal {
        /// All 32.
        bytes: SeatBytes,
        /// Which of the player's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Take the bank, or cover more or less with it.
    TakeBank {
        /// How much is covered.
        cents: u64,
        /// Which of the player's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Pass the bank on.
    PassBank {
        /// Which of the player's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Give the bank back before hands are dealt.
    GiveBankBack {
        /// Which of the player's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Pick the pile that goes to the first seat, as the one who banks.
    PickPile {
        /// Which, from 1.
        pile: u8,
        /// Which of the player's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Wagers are made.
    Ready {
        /// Which of the player's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Set the hand.
    Set {
        /// The two cards of the low hand.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        front: String,
        /// In place of the cards: their positions in the packet, from 1, in the order of the shuffle. Commands are stored in this form.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        positions: Option<[u8; 2]>,
        /// Which of the player's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Have the hand set the house way.
    HouseWay {
        /// Which of the player's seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Fires expired deadlines.
    Tick {},
    /// No new rounds.
    Pause {},
    /// Rounds again.
    Resume {},
    /// No more rounds after this one.
    Close {},
    /// A seat is given up, as if its player got up.
    Vacate {
        /// Which.
        seat: u8,
    },
    /// Voids the round, or the settled one until the next opens: everything is returned.
    Void {
        /// Why.
        reason: VoidReason,
    },
    /// A notice to every viewer of the table.
    Notice {
        /// What.
        text: String,
    },
}

impl From<WrittenCommand> for Command {
    fn from(written: WrittenCommand) -> Command {
        let (seat, command) = match written {
            WrittenCommand::Sit { seat } => (None, Command::Sit { seat }),
            WrittenCommand::Stand { seat } => (seat, Command::Stand),
            WrittenCommand::SitOut { seat } => (seat, Command::SitOut),
            WrittenCommand::Return { seat } => (seat, Command::Return),
            WrittenCommand::Wager { wager, cents, color, seat } => {
                (seat, Command::Wager { wager, cents, color })
            }
            WrittenCommand::Wagers { wagers, ready, commitment, seat } => {
                (seat, Command::Wagers { wagers, ready, commitment })
            }
            WrittenCommand::Clear { wager, seat } => (seat, Command::Clear { wager }),
            WrittenCommand::AddBytes { bytes, seat } => (seat, Command::AddBytes { bytes }),
            WrittenCommand::Commit { commitment, seat } => (seat, Command::Commit { commitment }),
            WrittenCommand::Reveal { bytes, seat } => (seat, Command::Reveal { bytes }),
            WrittenCommand::TakeBank { cents, seat } => (seat, Command::TakeBank { cents }),
            WrittenCommand::PassBank { seat } => (seat, Command::PassBank),
            WrittenCommand::GiveBankBack { seat } => (seat, Command::GiveBankBack),
            WrittenCommand::PickPile { pile, seat } => (seat, Command::PickPile { pile }),
            WrittenCommand::Ready { seat } => (seat, Command::Ready),
            WrittenCommand::Set { front, positions: Some(positions), seat } if front.is_empty() => {
                (seat, Command::SetPositions { positions })
            }
            WrittenCommand::Set { front, seat, .. } => (seat, Command::Set { front }),
            WrittenCommand::HouseWay { seat } => (seat, Command::HouseWay),
            WrittenCommand::Tick {} => (None, Command::Tick),
            WrittenCommand::Pause {} => (None, Command::Pause),
            WrittenCommand::Resume {} => (None, Command::Resume),
            WrittenCommand::Close {} => (None, Command::Close),
            WrittenCommand::Vacate { seat } => (None, Command::Vacate { seat }),
            WrittenCommand::Void { reason } => (None, Command::Void { reason }),
            WrittenCommand::Notice { text } => (None, Command::Notice { text }),
        };
        match seat {
            Some(seat) => Command::At { seat, command: Box::new(command) },
            None => command,
        }
    }
}

impl From<Command> for WrittenCommand {
    fn from(command: Command) -> WrittenCommand {
        let (seat, command) = match command {
            Command::At { seat, command } => (Some(seat), *command),
            command => (None, command),
        };
        match command {
            // One seat is enough: the one that is said last.
            Command::At { .. } => WrittenCommand::from(command),
            Command::Sit { seat } => WrittenCommand::Sit { seat },
            Command::Stand => WrittenCommand::Stand { seat },
            Command::SitOut => WrittenCommand::SitOut { seat },
            Command::Return => WrittenCommand::Return { seat },
            Command::Wager { wager, cents, color } => WrittenCommand::Wager { wager, cents, color, seat },
            Command::Wagers { wagers, ready, commitment } => {
                WrittenCommand::Wagers { wagers, ready, commitment, seat }
            }
            Command::Clear { wager } => WrittenCommand::Clear { wager, seat },
            Command::AddBytes { bytes } => WrittenCommand::AddBytes { bytes, seat },
            Command::Commit { commitment } => WrittenCommand::Commit { commitment, seat },
            Command::Reveal { bytes } => WrittenCommand::Reveal { bytes, seat },
            Command::TakeBank { cents } => WrittenCommand::TakeBank { cents, seat },
            Command::PassBank => WrittenCommand::PassBank { seat },
            Command::GiveBankBack => WrittenCommand::GiveBankBack { seat },
            Command::PickPile { pile } => WrittenCommand::PickPile { pile, seat },
            Command::Ready => WrittenCommand::Ready { seat },
            Command::Set { front } => WrittenCommand::Set { front, positions: None, seat },
            Command::SetPositions { positions } => {
                WrittenCommand::Set { front: String::new(), positions: Some(positions), seat }
            }
            Command::HouseWay => WrittenCommand::HouseWay { seat },
            Command::Tick => WrittenCommand::Tick {},
            Command::Pause => WrittenCommand::Pause {},
            Command::Resume => WrittenCommand::Resume {},
            Command::Close => WrittenCommand::Close {},
            Command::Vacate { seat } => WrittenCommand::Vacate { seat },
            Command::Void { reason } => WrittenCommand::Void { reason },
            Command::Notice { text } => WrittenCommand::Notice { text },
        }
    }
}

/// The schema of a command is that of its written form.
impl PartialSchema for Command {
    fn schema() -> RefOr<Schema> {
        WrittenCommand::schema()
    }
}

impl ToSchema for Command {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Command")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        WrittenCommand::schemas(schemas);
    }
}
