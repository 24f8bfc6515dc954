//! What has happened at a table: all that is stored of it, and all that changes it.

mod read;

use crate::command::ColorName;
use crate::{
    Actor, Commitment, Config, Derivation, LineRecord, PlayerId, SeatBytes, Secret, Signature, Time,
    TransferId, VoidReason,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Something that has happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(missing_docs)] // the fields are named for what they hold
pub enum TableEvent {
    /// A table was opened. `rules` is the digest of its rules, `form` the form that was hashed, `version` the program.
    Opened {
        config: Config,
        rules: String,
        #[serde(skip_serializing_if = "RulesForm::is_sentences")]
        form: RulesForm,
        version: String,
    },
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
    /// A round begins. Its secret is stored in version 1 of fair deals alone; in version 2 the event says how it is derived.
    RoundOpened {
        round: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        secret: Option<Secret>,
        commitment: Commitment,
        #[serde(skip_serializing_if = "Option::is_none")]
        derived: Option<Derivation>,
    },
    /// The bank is offered to a seat.
    BankOffered { seat: u8, until: Time },
    /// It does not take it.
    BankPassed { seat: u8, by: Actor },
    /// It takes it, or covers more or less with it.
    BankTaken {
        seat: u8,
        cents: u64,
        /// Held beside it for the house's fees; left out where nothing is.
        #[serde(skip_serializing_if = "is_zero")]
        fee_cents: u64,
        hold: TransferId,
    },
    /// It gives it back: to the dealer, or to be offered on. Nobody is ready any more.
    BankGivenBack { seat: u8 },
    /// The seat that banks has picked the pile that goes to the first seat.
    PilePicked { seat: u8, pile: u8 },
    /// Wagers are open.
    WagersOpened { until: Time },
    /// A wager lies.
    Wagered {
        seat: u8,
        wager: String,
        cents: u64,
        /// Held beside the stake for the house's fee; left out where nothing is.
        #[serde(skip_serializing_if = "is_zero")]
        fee_cents: u64,
        color: Option<ColorName>,
        hold: TransferId,
    },
    /// A wager was taken back.
    Cleared { seat: u8, wager: String },
    /// A seat has added bytes (version 1).
    BytesAdded { seat: u8, bytes: SeatBytes },
    /// A seat has committed to its bytes (version 2).
    Committed { seat: u8, commitment: Commitment },
    /// Wagers are closed; seats that have committed reveal their bytes until then (version 2).
    WagersClosed { commitments: BTreeMap<u8, Commitment>, signature: Signature, until: Time },
    /// A seat has revealed its bytes (version 2).
    Revealed { seat: u8, bytes: SeatBytes },
    /// A seat has made its wagers.
    Ready { seat: u8 },
    /// Hands are dealt. The cards are stored in version 1 alone.
    Dealt {
        #[serde(skip_serializing_if = "String::is_empty")]
        cards: String,
        dice: u8,
        until: Time,
    },
    /// A hand is set. The two cards of the low hand are stored as cards in version 1, in version 2 as positions in the packet.
    HandSet {
        seat: u8,
        #[serde(skip_serializing_if = "String::is_empty")]
        front: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        positions: Option<[u8; 2]>,
        by: SetBy,
    },
    /// The round is settled and the secret shown.
    Settled { secret: Secret, settlement: Vec<LineRecord>, until: Time },
    /// The round is void, and the secret shown, unless its key is lost.
    RoundVoided {
        #[serde(skip_serializing_if = "Option::is_none")]
        secret: Option<Secret>,
        reason: VoidReason,
        by: Actor,
        until: Time,
    },
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

/// Events without a fee are written as they were before fees were held.
#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
const fn is_zero(cents: &u64) -> bool {
    *cents == 0
}

/// How a hand came to be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SetBy {
    /// By the player.
    Player,
    /// The house way, as the player asked or the rules demand.
    HouseWay,
    /// The house way, because time ran out.
    Clock,
}

/// What the digest of a table's rules was made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RulesForm(pub u32);

impl RulesForm {
    /// Sentences and citations, as version 0.0.0 hashed them. Not written, because that version did not.
    pub const SENTENCES: RulesForm = RulesForm(0);
    /// The canonical form ([`paigow::TableRules::canonical`]).
    pub const CANONICAL: RulesForm = RulesForm(paigow::TableRules::CANONICAL_FORM);

    #[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
    const fn is_sentences(&self) -> bool {
        self.0 == RulesForm::SENTENCES.0
    }
}

impl TableEvent {
    /// Whether a stored event is what this one, decided anew, says. At a table of version 0.0.0, sentences that were stored in
    /// place of reasons are not compared.
    pub fn agrees_with(&self, stored: &TableEvent, form: RulesForm) -> bool {
        match (self, stored) {
            (
                TableEvent::Settled { secret, settlement, until },
                TableEvent::Settled { secret: stored_secret, settlement: stored, until: stored_until },
            ) => {
                (secret, until) == (stored_secret, stored_until)
                    && LineRecord::all_agree(settlement, stored, form)
            }
            _ => self == stored,
        }
    }
}
