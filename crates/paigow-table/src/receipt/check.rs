//! Verification of receipts, step by step.

use super::{Receipt, ReceiptPayload};
use crate::table::cards_of;
use crate::{Contributions, FairDeal, closed_statement, opened_statement, receipt_statement};
use paigow::{Deal, Seat};
use serde::Serialize;
use std::collections::BTreeMap;

/// Step of the verification of a receipt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReceiptStep {
    /// The format is known and the payload is valid.
    Form,
    /// The receipt is signed with its public key.
    Receipt,
    /// The opening is signed.
    Opening,
    /// The commitments of the seats are signed.
    Closing,
    /// The secret matches the commitment.
    Secret,
    /// The revealed bytes match the commitments of their seats.
    Reveals,
    /// Exactly the seats that committed and did not reveal are listed as silent.
    Silent,
    /// The dice are derived from the secret and the bytes.
    Dice,
    /// The cards are derived from the secret and the bytes.
    Cards,
    /// Every hand is the packet that the rules deal to its seat.
    Hands,
}

/// Result of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ReceiptCheck {
    /// The step.
    pub step: ReceiptStep,
    /// Whether the step holds. `None` if it could not be checked.
    pub holds: Option<bool>,
}

impl ReceiptStep {
    /// Returns the statement that the step verifies.
    pub const fn description(self) -> &'static str {
        match self {
            ReceiptStep::Form => "the receipt can be read",
            ReceiptStep::Receipt => "the receipt is signed with the public key that it names",
            ReceiptStep::Opening => "the opening and its commitment are signed with the key of the round",
            ReceiptStep::Closing => "the commitments of the seats are signed with the key of the round",
            ReceiptStep::Secret => "the secret is the one committed to",
            ReceiptStep::Reveals => "the bytes that seats revealed are those they had committed to",
            ReceiptStep::Silent => "the seats listed as silent are those that did not reveal",
            ReceiptStep::Dice => "the dice follow from the secret and the bytes",
            ReceiptStep::Cards => "the cards follow from the secret and the bytes",
            ReceiptStep::Hands => "every hand is the packet that the rules give to its seat",
        }
    }
}

impl Receipt {
    /// Verifies the receipt. Also returns the payload, if it is valid.
    pub fn check(&self) -> (Vec<ReceiptCheck>, Option<ReceiptPayload>) {
        let payload: Option<ReceiptPayload> = serde_json::from_str(&self.payload).ok();
        let payload = payload.filter(ReceiptPayload::is_complete);
        let check = |step, holds| ReceiptCheck { step, holds: Some(holds) };
        let form = self.receipt == Receipt::FORM && payload.is_some();
        let signed = self.public_key.verifies(&receipt_statement(&self.payload), &self.signature);
        let mut checks = vec![check(ReceiptStep::Form, form), check(ReceiptStep::Receipt, signed)];
        checks.extend(payload.iter().flat_map(ReceiptPayload::check));
        (checks, payload)
    }
}

impl ReceiptPayload {
    /// Returns whether the payload has the parts that its outcome requires. A round that was dealt must have the inputs
    /// of the deal, and an open round must not reveal the deal.
    fn is_complete(&self) -> bool {
        let is_digest = self.rules.len() == 64 && self.rules.bytes().all(|byte| byte.is_ascii_hexdigit());
        let dealt = self.outcome == "settled"
            || self.dice.is_some()
            || self.cards.is_some()
            || self.dealer.is_some()
            || !self.hands.is_empty();
        let shown = self.secret.is_some()
            || self.cards.is_some()
            || self.dealer.is_some()
            || !self.hands.is_empty()
            || !self.settlement.is_empty();
        self.protocol == 2
            && is_digest
            && self.dealing.rules().is_some()
            && (!dealt || (self.dice.is_some() && self.closed.is_some()))
            && !(self.outcome == "open" && shown)
    }

    fn check(&self) -> Vec<ReceiptCheck> {
        let mut checks = Vec::new();
        let mut record = |step, holds| checks.push(ReceiptCheck { step, holds });
        let opened = &self.opened;
        let signed = |statement: &[u8], signature| {
            opened.public_key.map(|public| public.verifies(statement, signature))
        };
        let statement = opened_statement(&self.table, self.round, &self.rules, &opened.commitment, opened.at);
        record(ReceiptStep::Opening, signed(&statement, &opened.signature));
        let none = BTreeMap::new();
        let commitments = self.closed.as_ref().map_or(&none, |closed| &closed.commitments);
        if let Some(closed) = &self.closed {
            let statement = closed_statement(&self.table, self.round, &opened.commitment, commitments);
            record(ReceiptStep::Closing, signed(&statement, &closed.signature));
        }
        let matches = |(seat, bytes): (&u8, &crate::SeatBytes)| {
            bytes.is_full_length()
                && commitments.get(seat) == Some(&bytes.commitment(&self.table, self.round, *seat))
        };
        record(ReceiptStep::Reveals, Some(self.revealed.iter().all(matches)));
        if self.dice.is_some() {
            let silent = commitments.keys().filter(|seat| !self.revealed.contains_key(seat));
            record(ReceiptStep::Silent, Some(silent.eq(self.silent.iter())));
        }
        let Some(secret) = self.secret else {
            // A void round whose key is lost has no secret. An open round does not reveal it yet.
            if self.outcome != "open" {
                record(ReceiptStep::Secret, Some(false));
            }
            return checks;
        };
        let seats = Contributions::Committed { rules: &self.rules, commitments, revealed: &self.revealed };
        let deal = FairDeal { secret, table: &self.table, round: self.round, seats };
        record(ReceiptStep::Secret, Some(deal.commitment() == opened.commitment));
        let Some(dice) = self.dice else { return checks };
        // At most as many spots as a deck has hands: see `is_complete`.
        let spots = self.dealing.seats + u8::from(self.dealing.dealer_hand_dealt);
        record(ReceiptStep::Dice, Some(deal.dice(spots) == dice));
        let shuffle = deal.shuffle();
        record(ReceiptStep::Cards, Some(self.cards.as_ref() == Some(&cards_of(&shuffle))));
        record(ReceiptStep::Hands, Some(self.hands_follow(&shuffle, dice)));
        checks
    }

    fn hands_follow(&self, shuffle: &paigow::Shuffle, dice: u8) -> bool {
        let Some(rules) = self.dealing.rules() else { return false };
        let plays = std::array::from_fn(|index| self.playing.contains(&(index as u8 + 1)));
        let banker = self.banker.and_then(Seat::new);
        let Ok(deal) = Deal::with_rules(rules, shuffle, dice, self.pile, plays, banker) else { return false };
        let hands = (1_u8..).zip(deal.hands).filter_map(|(seat, hand)| Some((seat, hand?.to_string())));
        hands.collect::<BTreeMap<_, _>>() == self.hands
            && deal.dealer.map(|hand| hand.to_string()) == self.dealer
    }
}

/// Returns whether two receipts contradict each other: the same round with two commitments of the house, two lists of
/// commitments of seats or two secrets, or the same rules with two orders of dealing. The contradiction is a proof only
/// if both receipts are signed.
pub fn contradict(one: &ReceiptPayload, other: &ReceiptPayload) -> bool {
    let same_round = (&one.table, one.round) == (&other.table, other.round);
    let lists = one.closed.as_ref().zip(other.closed.as_ref());
    let two_orders = one.rules == other.rules && one.dealing != other.dealing;
    let differs = one.opened.commitment != other.opened.commitment
        || lists.is_some_and(|(one, other)| one.commitments != other.commitments)
        || one.secret.zip(other.secret).is_some_and(|(one, other)| one != other);
    two_orders || (same_round && differs)
}
