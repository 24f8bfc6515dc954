//! What has happened at a table: all that is stored of it, and all that changes it.

mod read;

use crate::command::ColorWord;
use crate::table::BASE_GAME;
use crate::{Actor, Commitment, Config, PlayerId, SeatBytes, Secret, Time, TransferId};
use paigow::{Line, Party, Showdown, WagerRef};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Something that has happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(missing_docs)] // the fields are named for what they hold
pub enum Event {
    /// The table is there. The digest is of the rules as they were then, the version that of the program.
    Opened { config: Config, rules: String, version: String },
    /// A player has sat down.
    Sat { seat: u8, player: PlayerId },
    /// A player will get up when the round is over.
    Leaving { seat: u8 },
    /// A seat is free again.
    Stood { seat: u8 },
    /// A seat lets rounds pass; by the clock where it wagered nothing for some rounds.
    SatOut { seat: u8, by: Actor },
    /// A seat plays again.
    Returned { seat: u8 },
    /// A round begins. The secret is stored before anything is shown that depends on it.
    RoundOpened { round: u64, secret: Secret, commitment: Commitment },
    /// The bank is offered to a seat.
    BankOffered { seat: u8, until: Time },
    /// It does not take it.
    BankPassed { seat: u8, by: Actor },
    /// It takes it, or covers more or less with it.
    BankTaken { seat: u8, cents: u64, hold: TransferId },
    /// It gives it back: to the dealer, or to be offered on. Nobody is ready any more.
    BankGivenBack { seat: u8 },
    /// The seat that banks has picked the pile that goes to the first seat.
    PilePicked { seat: u8, pile: u8 },
    /// Wagers are open.
    WagersOpened { until: Time },
    /// A wager lies.
    Wagered { seat: u8, wager: String, cents: u64, color: Option<ColorWord>, hold: TransferId },
    /// A wager was taken back.
    Cleared { seat: u8, wager: String },
    /// A seat has added bytes.
    BytesAdded { seat: u8, bytes: SeatBytes },
    /// A seat has made its wagers.
    Ready { seat: u8 },
    /// Hands are dealt.
    Dealt { cards: String, dice: u8, until: Time },
    /// A hand is set.
    HandSet { seat: u8, front: String, by: Setter },
    /// The round is settled and the secret shown. The digest is of the settlement, so that a replay can be held against it.
    Settled { secret: Secret, settlement: Vec<LineRecord>, until: Time },
    /// The round is void, and the secret shown.
    RoundVoided { secret: Secret, reason: String, by: Actor, until: Time },
    /// Nobody wagered, or nobody banked; the secret is shown.
    RoundAbandoned { secret: Secret, until: Time },
    /// There is nobody to play the next round with.
    Rested,
    /// No new rounds.
    Paused { by: Actor },
    /// Rounds again.
    Resumed { by: Actor },
    /// No more rounds.
    Closing { by: Actor },
    /// The table is closed.
    Closed,
    /// Something everybody is told.
    Noticed { text: String, by: Actor },
}

/// How a hand came to be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Setter {
    /// By the player.
    Player,
    /// The house way, as the player asked or the rules demand.
    HouseWay,
    /// The house way, because time ran out.
    Clock,
}

/// A line of a settlement as it is stored.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // as in `paigow::Line`
pub struct LineRecord {
    pub who: String,
    pub wager: String,
    pub stake_cents: u64,
    pub outcome: String,
    pub net_cents: i64,
    pub fee_cents: u64,
    pub against: String,
    pub because: String,
    pub cite: String,
}

impl LineRecord {
    pub(crate) fn of(line: &Line, showdown: &Showdown<'_>) -> LineRecord {
        let posting = showdown.posting();
        let party = |party: Party| match party {
            Party::Seat(seat) => format!("seat-{}", seat.number()),
            Party::Dealer => "dealer".to_owned(),
            Party::Banker => "banker".to_owned(),
            Party::House => "house".to_owned(),
        };
        LineRecord {
            who: party(line.who),
            wager: match line.wager {
                WagerRef::PaiGow => BASE_GAME.to_owned(),
                WagerRef::Side(place) => posting.wager(usize::from(place)).name.clone(),
            },
            stake_cents: line.stake.cents(),
            outcome: line.outcome.name().to_owned(),
            net_cents: line.net.cents(),
            fee_cents: line.fee.cents(),
            against: party(line.against),
            because: line.because(showdown),
            cite: line.cite(showdown).to_owned(),
        }
    }
}
