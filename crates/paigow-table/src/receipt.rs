//! Receipts: signed records of a round with all inputs of its deal, verifiable without the server.
//!
//! The payload is a JSON string, and the signature is over its bytes, so a receipt is verified as received.
//! `docs/fairness.md` describes what a receipt proves.

mod check;

pub use check::{ReceiptCheck, ReceiptStep, contradict};

use crate::table::BASE_GAME;
use crate::{
    Commitment, KeyId, MasterKeys, PublicKey, RoundKeys, SeatBytes, Secret, Signature, Table, TableId, Time,
    VoidReason, receipt_statement,
};
use paigow::rulebook::{DealerHandPosition, Direction, FirstHand, Spots};
use paigow::{DealingRules, Round, Seat};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A signed receipt of a round.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// Name of the format: `paigow receipt 1`.
    pub receipt: String,
    /// Payload as a JSON string: table, round, commitments, secret, cards, hands and settlement.
    pub payload: String,
    /// Id of the signing key.
    pub key: KeyId,
    /// Public key of the signing key.
    pub public_key: PublicKey,
    /// Signature of the payload.
    pub signature: Signature,
}

/// Payload of a receipt: a round and all inputs of its deal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // the fields are named for what they hold
pub struct ReceiptPayload {
    pub table: TableId,
    pub round: u64,
    pub book: String,
    /// Digest of the table's rules.
    pub rules: String,
    /// Version of the fair-deal protocol.
    pub protocol: u8,
    pub opened: ReceiptOpening,
    /// Set once wagers are closed.
    pub closed: Option<ReceiptClosing>,
    pub revealed: BTreeMap<u8, SeatBytes>,
    /// Seats that committed to bytes and did not reveal them.
    pub silent: Vec<u8>,
    /// Set once the round is over.
    pub secret: Option<Secret>,
    /// `open`, `settled`, `voided` or `abandoned`.
    pub outcome: String,
    /// Reason for the void.
    pub reason: Option<VoidReason>,
    pub dealing: ReceiptDealing,
    pub playing: Vec<u8>,
    pub banker: Option<u8>,
    pub pile: Option<u8>,
    pub dice: Option<u8>,
    /// All 53 cards in the order of the shuffle, once the round is over.
    pub cards: Option<String>,
    pub hands: BTreeMap<u8, String>,
    pub dealer: Option<String>,
    /// Lines of the settlement.
    pub settlement: Vec<serde_json::Value>,
    pub net_cents: BTreeMap<u8, i64>,
}

/// Opening of a round.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct ReceiptOpening {
    pub at: Time,
    pub commitment: Commitment,
    pub key: KeyId,
    /// `None` if the server no longer has the key.
    pub public_key: Option<PublicKey>,
    pub signature: Signature,
}

/// Commitments of seats when wagers closed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct ReceiptClosing {
    pub commitments: BTreeMap<u8, Commitment>,
    pub signature: Signature,
}

/// Values of the book that determine the order in which packets are dealt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct ReceiptDealing {
    pub seats: u8,
    pub dealer_hand_dealt: bool,
    pub order: String,
    pub spots: String,
    pub first: String,
    pub dealer_hand: String,
    pub action_pile: bool,
}

impl From<DealingRules> for ReceiptDealing {
    fn from(rules: DealingRules) -> ReceiptDealing {
        ReceiptDealing {
            seats: rules.seats,
            dealer_hand_dealt: rules.dealer_has_hand,
            order: rules.order.name().to_owned(),
            spots: rules.spots.name().to_owned(),
            first: rules.first.name().to_owned(),
            dealer_hand: rules.dealer_hand.name().to_owned(),
            action_pile: rules.action_pile,
        }
    }
}

impl ReceiptDealing {
    /// Parses the values. Returns `None` if a keyword is unknown, or if there are more spots than a deck has hands.
    fn rules(&self) -> Option<DealingRules> {
        let spots = usize::from(self.seats) + usize::from(self.dealer_hand_dealt);
        if self.seats == 0 || spots > Seat::COUNT_MAX {
            return None;
        }
        Some(DealingRules {
            seats: self.seats,
            dealer_has_hand: self.dealer_hand_dealt,
            order: Direction::from_name(&self.order)?,
            spots: Spots::from_name(&self.spots)?,
            first: FirstHand::from_name(&self.first)?,
            dealer_hand: DealerHandPosition::from_name(&self.dealer_hand)?,
            action_pile: self.action_pile,
        })
    }
}

impl Table {
    /// Returns the payload for the current or last round, or `None` if there is none or it is of protocol version 1.
    pub fn receipt_payload(&self, keys: &MasterKeys) -> Option<ReceiptPayload> {
        let round = self.round.as_ref()?;
        let derived = round.derived?;
        let over = round.over;
        let outcome = match (over, &round.voided, &round.lines) {
            (false, ..) => "open",
            (true, Some(_), _) => "voided",
            (true, None, Some(_)) => "settled",
            (true, None, None) => "abandoned",
        };
        let settled = outcome == "settled";
        let lines = round.lines.as_ref().filter(|_| settled).map(|lines| self.lines(lines));
        let lines = lines.unwrap_or_default().into_iter().filter_map(|line| serde_json::to_value(line).ok());
        let deal = round.dealt.as_ref().and_then(Round::deal).filter(|_| over);
        let seats = 1..=self.table_rules.book().seats.players;
        let bank = round.bank.as_ref().map(|bank| bank.seat);
        let wagers = |seat: &u8| round.wagers.contains_key(&(*seat, BASE_GAME.to_owned()));
        let hand = |(seat, hand): (u8, Option<paigow::SevenCards>)| Some((seat, hand?.to_string()));
        Some(ReceiptPayload {
            table: self.id().clone(),
            round: round.number,
            book: self.table_rules.book().id.clone(),
            rules: self.opening_rules_digest().to_owned(),
            protocol: round.protocol(),
            opened: ReceiptOpening {
                at: derived.at,
                commitment: round.commitment,
                key: derived.key,
                public_key: keys.public_key(&derived.key),
                signature: derived.signature,
            },
            closed: round
                .closed
                .map(|signature| ReceiptClosing { commitments: round.commitments.clone(), signature }),
            revealed: round.bytes.clone(),
            silent: round.silent(),
            secret: round.secret.filter(|_| over),
            outcome: outcome.to_owned(),
            reason: round.voided.clone(),
            dealing: DealingRules::from(&**self.table_rules.book()).into(),
            playing: seats.filter(|seat| wagers(seat) || bank == Some(*seat)).collect(),
            banker: bank,
            pile: self.picked(round),
            dice: Some(round.dice).filter(|dice| *dice > 0),
            cards: round.shuffle.as_ref().filter(|_| over).map(|shuffle| crate::table::cards_of(shuffle)),
            hands: deal.map(|deal| (1..).zip(deal.hands).filter_map(hand).collect()).unwrap_or_default(),
            dealer: deal.and_then(|deal| deal.dealer).map(|hand| hand.to_string()),
            settlement: lines.collect(),
            net_cents: crate::view::nets_of(round).filter(|_| settled).unwrap_or_default(),
        })
    }
}

impl Receipt {
    /// Name of the format.
    pub const FORM: &'static str = "paigow receipt 1";

    /// Signs a payload with the key for new rounds. Returns `None` if it cannot be serialized.
    pub fn sign(payload: &ReceiptPayload, keys: &MasterKeys) -> Option<Receipt> {
        let payload = serde_json::to_string(payload).ok()?;
        let key = keys.current();
        let signature = keys.sign(&key, &receipt_statement(&payload))?;
        let public_key = keys.public_key(&key)?;
        Some(Receipt { receipt: Receipt::FORM.to_owned(), payload, key, public_key, signature })
    }
}
