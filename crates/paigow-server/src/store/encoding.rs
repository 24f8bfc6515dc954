//! Encodes values for columns of the database and decodes them.

use super::StoreError;
use crate::{DocumentKind, PersonKind, SessionOwner};
use paigow_table::{Account, Actor, Owner, Purpose, Time, TransferKind};
use serde_json::Value;
use std::fmt::Display;
use std::str::FromStr;

/// JSON of the event that closes a table, as stored.
pub(super) const CLOSED: &str = r#"{"event":"closed"}"#;

pub(super) fn encode_actor(actor: &Actor) -> String {
    match actor {
        Actor::Player(player) => format!("player:{player}"),
        Actor::Operator(operator) => format!("operator:{operator}"),
        Actor::Clock => "clock".to_owned(),
    }
}

pub(super) fn decode_actor(text: &str) -> Result<Actor, StoreError> {
    match text.split_once(':') {
        Some(("player", name)) => Ok(Actor::Player(parse("an actor", name)?)),
        Some(("operator", name)) => Ok(Actor::Operator(parse("an actor", name)?)),
        None if text == "clock" => Ok(Actor::Clock),
        _ => Err(unreadable("an actor", text)),
    }
}

pub(super) fn encode_session(who: &SessionOwner) -> String {
    encode_actor(&who.clone().into())
}

pub(super) fn decode_session(text: &str) -> Result<SessionOwner, StoreError> {
    match decode_actor(text)? {
        Actor::Player(player) => Ok(SessionOwner::Player(player)),
        Actor::Operator(operator) => Ok(SessionOwner::Operator(operator)),
        Actor::Clock => Err(unreadable("the owner of a session", text)),
    }
}

pub(super) const fn encode_person_kind(kind: PersonKind) -> &'static str {
    match kind {
        PersonKind::Guest => "guest",
        PersonKind::Bot => "bot",
    }
}

pub(super) fn decode_person_kind(text: &str) -> Result<PersonKind, StoreError> {
    match text {
        "guest" => Ok(PersonKind::Guest),
        "bot" => Ok(PersonKind::Bot),
        _ => Err(unreadable("a kind of person", text)),
    }
}

pub(super) fn decode_document_kind(text: &str) -> Result<DocumentKind, StoreError> {
    serde_json::from_value(Value::String(text.to_owned())).map_err(|_| unreadable("a kind of document", text))
}

pub(super) fn decode_owner(text: &str) -> Result<Owner, StoreError> {
    match text.split_once(':') {
        Some(("player", name)) => Ok(Owner::Player(parse("an account", name)?)),
        Some(("escrow", name)) => Ok(Owner::Escrow(parse("an account", name)?)),
        _ => match text {
            "house" => Ok(Owner::House),
            "bank" => Ok(Owner::Guarantee),
            "commission" => Ok(Owner::Commission),
            "collection" => Ok(Owner::Collection),
            "issue" => Ok(Owner::Issue),
            _ => Err(unreadable("an account", text)),
        },
    }
}

pub(super) fn decode_account(owner: &str, currency: &str) -> Result<Account, StoreError> {
    Ok(Account { owner: decode_owner(owner)?, currency: parse("a currency", currency)? })
}

/// Encodes the kind of a transfer, and the hold it refers to.
pub(super) fn encode_kind(kind: &TransferKind) -> (&'static str, Option<&str>) {
    match kind {
        TransferKind::Plain => ("plain", None),
        TransferKind::Hold => ("hold", None),
        TransferKind::Post(hold) => ("post", Some(hold.as_str())),
        TransferKind::Void(hold) => ("void", Some(hold.as_str())),
    }
}

pub(super) fn decode_kind(text: &str, hold: Option<&str>) -> Result<TransferKind, StoreError> {
    match (text, hold) {
        ("plain", None) => Ok(TransferKind::Plain),
        ("hold", None) => Ok(TransferKind::Hold),
        ("post", Some(hold)) => Ok(TransferKind::Post(parse("a hold's id", hold)?)),
        ("void", Some(hold)) => Ok(TransferKind::Void(parse("a hold's id", hold)?)),
        _ => Err(unreadable("a transfer's kind", text)),
    }
}

pub(crate) const fn encode_purpose(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Issue => "issue",
        Purpose::Redeem => "redeem",
        Purpose::Wager => "wager",
        Purpose::Cover => "cover",
        Purpose::Lost => "lost",
        Purpose::Returned => "returned",
        Purpose::Won => "won",
        Purpose::Envy => "envy",
        Purpose::Commission => "commission",
        Purpose::Collection => "collection",
        Purpose::Guarantee => "guarantee",
        Purpose::Voided => "voided",
    }
}

pub(super) fn decode_purpose(text: &str) -> Result<Purpose, StoreError> {
    serde_json::from_value(Value::String(text.to_owned())).map_err(|_| unreadable("a purpose", text))
}

pub(super) fn parse<T: FromStr>(what: &str, text: &str) -> Result<T, StoreError>
where
    T::Err: Display,
{
    text.parse()
        .map_err(|why| StoreError::Unreadable { location: format!("{what} `{text}`"), why: format!("{why}") })
}

pub(super) fn unreadable(what: &str, text: &str) -> StoreError {
    StoreError::Unreadable { location: format!("{what} `{text}`"), why: "unknown value".to_owned() }
}

/// Converts a number for a signed column. No count or time comes near the limit.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn unsigned(number: i64) -> Result<u64, StoreError> {
    u64::try_from(number).map_err(|_| StoreError::Unreadable {
        location: format!("the number {number}"),
        why: "it is negative".to_owned(),
    })
}

pub(super) fn decode_time(number: i64) -> Result<Time, StoreError> {
    unsigned(number).map(Time)
}

pub(super) fn decode_hash(bytes: &[u8]) -> Result<[u8; 32], StoreError> {
    bytes.try_into().map_err(|_| StoreError::Unreadable {
        location: "a hash".to_owned(),
        why: format!("it has {} bytes instead of 32", bytes.len()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_is_the_json_of_the_closing_event() {
        let closed = serde_json::to_string(&paigow_table::TableEvent::Closed).unwrap();
        assert_eq!(closed, CLOSED);
    }
}
