//! Texts that the house signs.

use super::Commitment;
use super::message::SignedText;
use crate::{TableId, Time};
use std::collections::BTreeMap;

/// Returns the text that the house signs when a round opens.
pub fn opened_statement(
    table: &TableId,
    round: u64,
    rules: &str,
    commitment: &Commitment,
    at: Time,
) -> Vec<u8> {
    let message = SignedText::new("paigow opened 2").text(table.as_str().as_bytes()).number(round);
    message.text(rules.as_bytes()).bytes(&commitment.0).number(at.0).into_bytes()
}

/// Returns the text that the house signs when wagers close, with the commitments of the seats that play.
pub fn closed_statement(
    table: &TableId,
    round: u64,
    commitment: &Commitment,
    seats: &BTreeMap<u8, Commitment>,
) -> Vec<u8> {
    let message = SignedText::new("paigow closed 2").text(table.as_str().as_bytes()).number(round);
    let message = message.bytes(&commitment.0).byte(u8::try_from(seats.len()).unwrap_or(u8::MAX));
    let seat = |message: SignedText, (seat, commitment): (&u8, &Commitment)| {
        message.byte(*seat).bytes(&commitment.0)
    };
    seats.iter().fold(message, seat).into_bytes()
}

/// Returns the text that the house signs for a receipt with this payload.
pub fn receipt_statement(payload: &str) -> Vec<u8> {
    SignedText::new("paigow receipt 1").bytes(payload.as_bytes()).into_bytes()
}
