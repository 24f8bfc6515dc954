//! Values as they stand in a column, and back.

use super::StoreError;
use crate::{PersonKind, SessionOf};
use paigow_table::{Account, Actor, Owner, Purpose, Time, TransferKind};
use serde_json::Value;
use std::fmt::Display;
use std::str::FromStr;

/// The event a table ends with, as it is stored.
pub(super) const CLOSED: &str = r#"{"event":"closed"}"#;

pub(super) fn of_actor(actor: &Actor) -> String {
    match actor {
        Actor::Player(player) => format!("player:{player}"),
        Actor::Operator(operator) => format!("operator:{operator}"),
        Actor::Clock => "clock".to_owned(),
    }
}

pub(super) fn to_actor(text: &str) -> Result<Actor, StoreError> {
    match text.split_once(':') {
        Some(("player", name)) => Ok(Actor::Player(parse("an actor", name)?)),
        Some(("operator", name)) => Ok(Actor::Operator(parse("an actor", name)?)),
        None if text == "clock" => Ok(Actor::Clock),
        _ => Err(unreadable("an actor", text)),
    }
}

pub(super) fn of_session(who: &SessionOf) -> String {
    of_actor(&who.clone().into())
}

pub(super) fn to_session(text: &str) -> Result<SessionOf, StoreError> {
    match to_actor(text)? {
        Actor::Player(player) => Ok(SessionOf::Player(player)),
        Actor::Operator(operator) => Ok(SessionOf::Operator(operator)),
        Actor::Clock => Err(unreadable("whose a session is", text)),
    }
}

pub(super) const fn of_person_kind(kind: PersonKind) -> &'static str {
    match kind {
        PersonKind::Guest => "guest",
        PersonKind::Bot => "bot",
    }
}

pub(super) fn to_person_kind(word: &str) -> Result<PersonKind, StoreError> {
    match word {
        "guest" => Ok(PersonKind::Guest),
        "bot" => Ok(PersonKind::Bot),
        _ => Err(unreadable("a kind of person", word)),
    }
}

pub(super) fn to_owner(text: &str) -> Result<Owner, StoreError> {
    match text.split_once(':') {
        Some(("player", name)) => Ok(Owner::Player(parse("an account", name)?)),
        Some(("escrow", name)) => Ok(Owner::Escrow(parse("an account", name)?)),
        _ => match text {
            "house" => Ok(Owner::House),
            "bank" => Ok(Owner::Bank),
            "commission" => Ok(Owner::Commission),
            "collection" => Ok(Owner::Collection),
            "issue" => Ok(Owner::Issue),
            _ => Err(unreadable("an account", text)),
        },
    }
}

pub(super) fn to_account(owner: &str, currency: &str) -> Result<Account, StoreError> {
    Ok(Account { owner: to_owner(owner)?, currency: parse("a currency", currency)? })
}

/// A kind's word, and the hold it is about.
pub(super) fn of_kind(kind: &TransferKind) -> (&'static str, Option<&str>) {
    match kind {
        TransferKind::Plain => ("plain", None),
        TransferKind::Hold => ("hold", None),
        TransferKind::Post(hold) => ("post", Some(hold.as_str())),
        TransferKind::Void(hold) => ("void", Some(hold.as_str())),
    }
}

pub(super) fn to_kind(word: &str, hold: Option<&str>) -> Result<TransferKind, StoreError> {
    match (word, hold) {
        ("plain", None) => Ok(TransferKind::Plain),
        ("hold", None) => Ok(TransferKind::Hold),
        ("post", Some(hold)) => Ok(TransferKind::Post(parse("a hold's name", hold)?)),
        ("void", Some(hold)) => Ok(TransferKind::Void(parse("a hold's name", hold)?)),
        _ => Err(unreadable("a transfer's kind", word)),
    }
}

pub(super) const fn of_purpose(purpose: Purpose) -> &'static str {
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

pub(super) fn to_purpose(word: &str) -> Result<Purpose, StoreError> {
    serde_json::from_value(Value::String(word.to_owned())).map_err(|_| unreadable("a purpose", word))
}

pub(super) fn parse<T: FromStr>(what: &str, text: &str) -> Result<T, StoreError>
where
    T::Err: Display,
{
    text.parse()
        .map_err(|why| StoreError::Unreadable { place: format!("{what} `{text}`"), why: format!("{why}") })
}

pub(super) fn unreadable(what: &str, text: &str) -> StoreError {
    StoreError::Unreadable { place: format!("{what} `{text}`"), why: "there is no such word".to_owned() }
}

/// Databases count with a sign. Nothing we count comes near where it would matter.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn unsigned(number: i64) -> Result<u64, StoreError> {
    u64::try_from(number).map_err(|_| StoreError::Unreadable {
        place: format!("the number {number}"),
        why: "it is below zero".to_owned(),
    })
}

pub(super) fn to_time(number: i64) -> Result<Time, StoreError> {
    unsigned(number).map(Time)
}

pub(super) fn to_hash(bytes: &[u8]) -> Result<[u8; 32], StoreError> {
    bytes.try_into().map_err(|_| StoreError::Unreadable {
        place: "a hash".to_owned(),
        why: format!("it has {} bytes", bytes.len()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_ends_with_the_event_that_is_looked_for() {
        let closed = serde_json::to_string(&paigow_table::TableEvent::Closed).unwrap();
        assert_eq!(closed, CLOSED);
    }
}
