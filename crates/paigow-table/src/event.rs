//! Events of a table. A table is stored as its events, and only events change it.
//!
//! `declare_events!` declares each event once. It generates the stored form, how it is read back, the form that viewers
//! see, and the conversion of events that look the same in both.

#[macro_use]
mod declare;
mod read;

use crate::command::ColorName;
use crate::view::is_false;
use crate::{
    Actor, BankView, Commitment, Config, Derivation, HandView, KeyId, LastBankView, LineRecord, LineView,
    PlayerId, SeatBytes, Secret, Signature, StepView, TableFacts, TableId, Time, TransferId, VoidReason,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

declare_events! {
    $
    // Every viewer sees these events as they are stored.
    same {
        /// A player took a seat.
        Sat { seat: u8, player: PlayerId }
        /// A player will leave the seat when the round is over.
        Leaving { seat: u8 }
        /// A seat became free.
        Stood { seat: u8 }
        /// A seat sits out. `by` is the clock after several rounds without a base wager.
        SatOut { seat: u8, by: Actor }
        /// A seat returned from sitting out.
        Returned { seat: u8 }
        /// The bank was offered to a seat.
        BankOffered { seat: u8, until: Time }
        /// A seat passed the bank, or its time to take it ran out.
        BankPassed { seat: u8, by: Actor }
        /// A seat gave the bank back, to the dealer or to be offered on. No seat is ready afterwards.
        BankGivenBack { seat: u8 }
        /// The banking seat picked the pile that goes to the first seat.
        PilePicked { seat: u8, pile: u8 }
        /// Wagers opened.
        WagersOpened { until: Time }
        /// A seat added bytes to the deal (protocol version 1).
        BytesAdded { seat: u8, bytes: SeatBytes }
        /// A seat committed to its bytes (protocol version 2).
        Committed { seat: u8, commitment: Commitment }
        /// Wagers closed. `commitments` has the playing seats that committed; they may reveal their bytes until `until`
        /// (protocol version 2).
        WagersClosed { commitments: BTreeMap<u8, Commitment>, signature: Signature, until: Time }
        /// A seat revealed its bytes (protocol version 2).
        Revealed { seat: u8, bytes: SeatBytes }
        /// A seat declared its wagers complete, or asked for the next round after a round.
        Ready { seat: u8 }
        /// The round ended without a deal, because no seat wagered or none took the bank. Its secret was revealed.
        RoundAbandoned { secret: Secret, until: Time }
        /// The table waits: it is paused, or has too few players for the next round.
        Rested
        /// The table was paused and opens no new rounds.
        Paused { by: Actor }
        /// The table resumed.
        Resumed { by: Actor }
        /// The table will close after the current round.
        Closing { by: Actor }
        /// The table closed.
        Closed
        /// An operator sent a notice to all viewers.
        Noticed { text: String, by: Actor }
    }
    // Viewers see these events with other fields than are stored.
    different {
        /// The table was opened. `rules` is the digest of its rules, `form` is the form that was hashed, and `version` is
        /// the program's.
        Opened {
            config: Config,
            rules: String,
            #[serde(default, skip_serializing_if = "RulesForm::is_sentences")]
            form: RulesForm,
            version: String,
        }
        /// The table was opened.
        seen { table: TableId, book: String, currency: String, facts: TableFacts }

        /// A round opened. Version 1 of the fair-deal protocol stores its secret, version 2 stores how the secret is
        /// derived.
        RoundOpened {
            round: u64,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            secret: Option<Secret>,
            commitment: Commitment,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            derived: Option<Derivation>,
        }
        /// A round opened. Only an auditor gets the secret. Version 1 of the fair-deal protocol has no time, key and
        /// signature.
        seen {
            round: u64,
            /// Version of the fair-deal protocol: 1 or 2.
            protocol: u8,
            commitment: Commitment,
            #[serde(skip_serializing_if = "Option::is_none")]
            opened_at: Option<Time>,
            #[serde(skip_serializing_if = "Option::is_none")]
            key: Option<KeyId>,
            #[serde(skip_serializing_if = "Option::is_none")]
            signature: Option<Signature>,
            #[serde(skip_serializing_if = "Option::is_none")]
            secret: Option<Secret>,
        }

        /// A seat took the bank, or changed the amount that it covers.
        BankTaken {
            seat: u8,
            cents: u64,
            /// Cents held with the cover for collection fees. Omitted if 0.
            #[serde(default, skip_serializing_if = "is_zero")]
            fee_cents: u64,
            hold: TransferId,
        }
        /// A seat took the bank, or changed the amount that it covers. Includes the resulting bank.
        seen {
            seat: u8,
            cents: u64,
            #[serde(skip_serializing_if = "Option::is_none")]
            bank: Option<BankView>,
        }

        /// A seat placed a wager, or replaced it.
        Wagered {
            seat: u8,
            wager: String,
            cents: u64,
            /// Cents held with the stake for the collection fee. Omitted if 0.
            #[serde(default, skip_serializing_if = "is_zero")]
            fee_cents: u64,
            color: Option<ColorName>,
            hold: TransferId,
        }
        /// A seat placed a wager, or replaced it. Includes the resulting bank if a seat has it.
        seen {
            seat: u8,
            wager: String,
            cents: u64,
            #[schema(required)]
            color: Option<ColorName>,
            /// Whether the wager gets an Envy button. Omitted if false.
            #[serde(skip_serializing_if = "is_false")]
            button: bool,
            #[serde(skip_serializing_if = "Option::is_none")]
            bank: Option<BankView>,
        }

        /// A seat took back a wager.
        Cleared { seat: u8, wager: String }
        /// A seat took back a wager. Includes the resulting bank if a seat has it.
        seen {
            seat: u8,
            wager: String,
            #[serde(skip_serializing_if = "Option::is_none")]
            bank: Option<BankView>,
        }

        /// Hands were dealt. Only protocol version 1 stores the cards.
        Dealt {
            #[serde(default, skip_serializing_if = "String::is_empty")]
            cards: String,
            dice: u8,
            until: Time,
        }
        /// Hands were dealt to `seats`. `hands` and `dealer` have only the cards that the viewer may see. The `silent`
        /// seats committed to bytes and did not reveal them.
        seen {
            dice: u8,
            until: Time,
            seats: Vec<u8>,
            #[serde(skip_serializing_if = "Vec::is_empty")]
            silent: Vec<u8>,
            #[serde(skip_serializing_if = "BTreeMap::is_empty")]
            hands: BTreeMap<u8, String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            dealer: Option<String>,
        }

        /// A hand was set. Protocol version 1 stores the cards of the low hand, version 2 their positions in the packet.
        HandSet {
            seat: u8,
            #[serde(rename = "front", default, skip_serializing_if = "String::is_empty")]
            low: String,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            positions: Option<[u8; 2]>,
            by: SetBy,
        }
        /// A hand was set. Only its player and an auditor get the low hand and the high hand.
        seen {
            seat: u8,
            by: SetBy,
            #[serde(skip_serializing_if = "Option::is_none")]
            low: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            high: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            foul: Option<bool>,
        }

        /// The round was settled, and its secret revealed.
        Settled { secret: Secret, settlement: Vec<LineRecord>, until: Time }
        /// The round was settled. Includes all hands, the secret and the last banker.
        seen {
            secret: Secret,
            settlement: Vec<LineView>,
            settled_at: Time,
            steps: Vec<StepView>,
            until: Time,
            hands: BTreeMap<u8, HandView>,
            #[schema(required)]
            dealer: Option<HandView>,
            net_cents: BTreeMap<u8, i64>,
            #[schema(required)]
            last_bank: Option<LastBankView>,
        }

        /// The round was voided, and its secret revealed unless the key is lost.
        RoundVoided {
            #[serde(default, skip_serializing_if = "Option::is_none")]
            secret: Option<Secret>,
            reason: VoidReason,
            by: Actor,
            until: Time,
        }
        /// The round was voided. Includes all hands dealt so far. `last_bank` is the value before the round.
        seen {
            #[schema(required)]
            secret: Option<Secret>,
            reason: VoidReason,
            by: Actor,
            until: Time,
            hands: BTreeMap<u8, HandView>,
            #[schema(required)]
            dealer: Option<HandView>,
            #[schema(required)]
            last_bank: Option<LastBankView>,
        }
    }
}

/// Omits a fee of 0, as releases without held fees did.
#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
const fn is_zero(cents: &u64) -> bool {
    *cents == 0
}

/// How a hand was set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SetBy {
    /// By the player.
    Player,
    /// By the house way, at the player's request.
    HouseWay,
    /// By the house way, because the deadline passed.
    Clock,
}

/// Form of a table's rules that its digest was computed from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RulesForm(pub u32);

impl RulesForm {
    /// Sentences and citations, hashed by version 0.0.0. Events omit this form, because that version did not write it.
    pub const SENTENCES: RulesForm = RulesForm(0);
    /// The canonical form ([`paigow::TableRules::canonical`]).
    pub const CANONICAL: RulesForm = RulesForm(paigow::TableRules::CANONICAL_FORM);

    #[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
    const fn is_sentences(&self) -> bool {
        self.0 == RulesForm::SENTENCES.0
    }
}

impl TableEvent {
    /// Returns whether a stored event equals this event, which was decided again. Sentences that version 0.0.0 stored
    /// instead of reasons are not compared.
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
