//! Commands: the requests that a table decides on.

use crate::{Commitment, PlayerId, SeatBytes, VoidReason};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// Originator of a command.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// A player.
    Player(PlayerId),
    /// An operator of the house, by name.
    Operator(PlayerId),
    /// The clock, which fires deadlines.
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

/// Color of cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // the names are self-explanatory
pub enum ColorName {
    Red,
    Black,
}

/// A wager that a player requests.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Stake {
    /// Name of the wager. `pai-gow` is the base game.
    pub wager: String,
    /// Amount in cents.
    pub cents: u64,
    /// Chosen color, for a wager on a color.
    #[serde(default)]
    pub color: Option<ColorName>,
}

/// A command to a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "WrittenCommand", into = "WrittenCommand")]
pub enum Command {
    /// Take a seat.
    Sit {
        /// Number of the seat, from 1.
        seat: u8,
    },
    /// Leave the seat: at once, or after the round if the seat has money at stake.
    Stand,
    /// Sit out: keep the seat without playing.
    SitOut,
    /// Return from sitting out.
    Return,
    /// Place a wager, or replace it.
    Wager {
        /// Name of the wager. `pai-gow` is the base game.
        wager: String,
        /// Amount in cents.
        cents: u64,
        /// Chosen color, for a wager on a color.
        color: Option<ColorName>,
    },
    /// Replace all wagers of the seat. The table accepts all of them or none.
    Wagers {
        /// Each wager at most once. Wagers already placed with the same amount and color stay. An empty list takes back
        /// all wagers.
        wagers: Vec<Stake>,
        /// Whether the seat is ready afterwards, as with [`Command::Ready`].
        ready: bool,
        /// Commitment to the bytes that the seat adds to the deal, as with [`Command::Commit`].
        commitment: Option<Commitment>,
    },
    /// Take back a wager.
    Clear {
        /// Name of the wager. If it is omitted or `pai-gow`, all wagers of the seat are taken back.
        wager: Option<String>,
    },
    /// Add bytes to the deal, in a round of protocol version 1.
    AddBytes {
        /// At most 32 bytes.
        bytes: SeatBytes,
    },
    /// Commit to the bytes that the seat adds to the deal, once a round.
    Commit {
        /// Digest of the bytes.
        commitment: Commitment,
    },
    /// Reveal the bytes that the seat has committed to, once wagers are closed.
    Reveal {
        /// All 32 bytes.
        bytes: SeatBytes,
    },
    /// Take the bank, or change the amount that it covers.
    TakeBank {
        /// Amount covered, in cents.
        cents: u64,
    },
    /// Pass the offered bank on to the next seat.
    PassBank,
    /// Give the bank back while wagers are open.
    GiveBankBack,
    /// Pick the pile that goes to the first seat. Only the banker may.
    PickPile {
        /// Number of the pile, from 1.
        pile: u8,
    },
    /// Declare the wagers of the seat complete. Wagers close early once all seats are ready.
    Ready,
    /// Ask for the next round, after a round. It opens early once all seats have asked.
    NextRound,
    /// Set the hand by choosing the low hand.
    Set {
        /// The two cards of the low hand.
        low: String,
    },
    /// Set the hand by positions in the packet. Commands are stored in this form while hands are hidden.
    SetPositions {
        /// Positions of the low hand's cards, from 1 to 7, in the order of the shuffle.
        positions: [u8; 2],
    },
    /// Have the hand set by the house way.
    HouseWay,
    /// A command at one of the player's seats: any of the above except `Sit`. In JSON it is that command with a `seat`.
    At {
        /// The seat.
        seat: u8,
        /// The command.
        command: Box<Command>,
    },
    /// Fire expired deadlines.
    Tick,
    /// Open no new rounds until `resume`.
    Pause,
    /// Open rounds again.
    Resume,
    /// Close the table after the current round.
    Close,
    /// Free a seat, as if its player sent `stand`.
    Vacate {
        /// Number of the seat.
        seat: u8,
    },
    /// Make a seat sit out, as if its player sent `sit_out`.
    Suspend {
        /// Number of the seat.
        seat: u8,
    },
    /// Void the round and return all money. A settled round can be voided until the next round opens.
    Void {
        /// The reason: an object with a code, a code as a string, or any other string, which becomes the text of
        /// `other`.
        reason: VoidReason,
    },
    /// Show a notice to every viewer of the table.
    Notice {
        /// Text of the notice.
        text: String,
    },
}

impl Command {
    /// Splits the command into the seat that it names, if any, and the command there.
    pub(crate) fn at_seat(&self) -> (Option<u8>, &Command) {
        match self {
            Command::At { seat, command } => (Some(*seat), command),
            command => (None, command),
        }
    }

    /// Returns whether only an operator may give the command.
    pub(crate) const fn is_operator_command(&self) -> bool {
        matches!(
            self,
            Command::Pause
                | Command::Resume
                | Command::Close
                | Command::Vacate { .. }
                | Command::Suspend { .. }
                | Command::Void { .. }
                | Command::Notice { .. }
        )
    }
}

// The serialized form of a command. Every variant has braces, even without fields: serde ignores unknown fields of unit
// variants. The API document shows the doc comment below.
/// A command to a table. A player with one seat may omit `seat`.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = Command)]
enum WrittenCommand {
    /// Take a seat.
    Sit {
        /// Number of the seat, from 1.
        seat: u8,
    },
    /// Leave the seat: at once, or after the round if the seat has money at stake.
    Stand {
        /// One of the player's seats. Optional if the player has only one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Sit out: keep the seat without playing.
    SitOut {
        /// One of the player's seats. Optional if the player has only one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Return from sitting out.
    Return {
        /// One of the player's seats. Optional if the player has only one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Place a wager, or replace it.
    Wager {
        /// Name of the wager. `pai-gow` is the base game.
        wager: String,
        /// Amount in cents.
        cents: u64,
        /// Chosen color, for a wager on a color.
        #[serde(default)]
        color: Option<ColorName>,
        /// One of the player's seats. Optional if the player has only one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Replace all wagers of the seat. The table accepts all of them or none.
    Wagers {
        /// Each wager at most once. Wagers already placed with the same amount and color stay. An empty list takes back
        /// all wagers.
        wagers: Vec<Stake>,
        /// Whether the seat is ready afterwards, as with `ready`.
        #[serde(default)]
        ready: bool,
        /// Commitment to the bytes that the seat adds to the deal, as with `commit`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        commitment: Option<Commitment>,
        /// One of the player's seats. Optional if the player has only one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Take back a wager.
    Clear {
        /// Name of the wager. If it is omitted or `pai-gow`, all wagers of the seat are taken back.
        #[serde(default)]
        wager: Option<String>,
        /// One of the player's seats. Optional if the player has only one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Add bytes to the deal, in a round of version 1 of the fair-deal protocol.
    AddBytes {
        /// At most 32 bytes.
        bytes: SeatBytes,
        /// One of the player's seats. Optional if the player has only one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Commit to the bytes that the seat adds to the deal, once a round.
    Commit {
        /// Digest of the bytes.
        commitment: Commitment,
        /// One of the player's seats. Optional if the player has only one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Reveal the bytes that the seat has committed to, once wagers are closed.
    Reveal {
        /// All 32 bytes.
        bytes: SeatBytes,
        /// One of the player's seats. Optional if the player has only one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Take the bank, or change the amount that it covers.
    TakeBank {
        /// Amount covered, in cents.
        cents: u64,
        /// One of the player's seats. Optional if the player has only one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Pass the offered bank on to the next seat.
    PassBank {
        /// One of the player's seats. Optional if the player has only one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Give the bank back while wagers are open.
    GiveBankBack {
        /// One of the player's seats. Optional if the player has only one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Pick the pile that goes to the first seat. Only the banker may.
    PickPile {
        /// Number of the pile, from 1.
        pile: u8,
        /// One of the player's seats. Optional if the player has only one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Declare the wagers of the seat complete. Wagers close early once all seats are ready.
    Ready {
        /// One of the player's seats. Optional if the player has only one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Ask for the next round, after a round. It opens early once all seats have asked.
    NextRound {
        /// One of the player's seats. Optional if the player has only one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Set the hand by choosing the low hand.
    Set {
        /// The two cards of the low hand.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        front: String,
        /// Positions of the two cards in the packet, from 1, in the order of the shuffle. An alternative to `front`,
        /// and the form in which commands are stored.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        positions: Option<[u8; 2]>,
        /// One of the player's seats. Optional if the player has only one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Have the hand set by the house way.
    HouseWay {
        /// One of the player's seats. Optional if the player has only one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Fire expired deadlines.
    Tick {},
    /// Open no new rounds until `resume`.
    Pause {},
    /// Open rounds again.
    Resume {},
    /// Close the table after the current round.
    Close {},
    /// Free a seat, as if its player sent `stand`.
    Vacate {
        /// Number of the seat.
        seat: u8,
    },
    /// Make a seat sit out, as if its player sent `sit_out`.
    Suspend {
        /// Number of the seat.
        seat: u8,
    },
    /// Void the round and return all money. A settled round can be voided until the next round opens.
    Void {
        /// The reason.
        reason: VoidReason,
    },
    /// Show a notice to every viewer of the table.
    Notice {
        /// Text of the notice.
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
            WrittenCommand::NextRound { seat } => (seat, Command::NextRound),
            WrittenCommand::Set { front, positions: Some(positions), seat } if front.is_empty() => {
                (seat, Command::SetPositions { positions })
            }
            WrittenCommand::Set { front, seat, .. } => (seat, Command::Set { low: front }),
            WrittenCommand::HouseWay { seat } => (seat, Command::HouseWay),
            WrittenCommand::Tick {} => (None, Command::Tick),
            WrittenCommand::Pause {} => (None, Command::Pause),
            WrittenCommand::Resume {} => (None, Command::Resume),
            WrittenCommand::Close {} => (None, Command::Close),
            WrittenCommand::Vacate { seat } => (None, Command::Vacate { seat }),
            WrittenCommand::Suspend { seat } => (None, Command::Suspend { seat }),
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
            // Only the innermost seat is kept.
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
            Command::NextRound => WrittenCommand::NextRound { seat },
            Command::Set { low } => WrittenCommand::Set { front: low, positions: None, seat },
            Command::SetPositions { positions } => {
                WrittenCommand::Set { front: String::new(), positions: Some(positions), seat }
            }
            Command::HouseWay => WrittenCommand::HouseWay { seat },
            Command::Tick => WrittenCommand::Tick {},
            Command::Pause => WrittenCommand::Pause {},
            Command::Resume => WrittenCommand::Resume {},
            Command::Close => WrittenCommand::Close {},
            Command::Vacate { seat } => WrittenCommand::Vacate { seat },
            Command::Suspend { seat } => WrittenCommand::Suspend { seat },
            Command::Void { reason } => WrittenCommand::Void { reason },
            Command::Notice { text } => WrittenCommand::Notice { text },
        }
    }
}

/// The schema of a command is the schema of its serialized form.
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
