//! The feature `serde`: values survive a round trip as the texts they print.

use paigow::{Card, CardSet, FiveCards, HandClass, Joker, SevenCards, TwoCards, Wheel};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

#[allow(clippy::needless_pass_by_value)] // the callers read better
fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, text: &str) {
    let json = serde_json::to_string(&value).unwrap();
    assert_eq!(json, format!("{text:?}"));
    assert_eq!(serde_json::from_str::<T>(&json).unwrap(), value);
}

#[test]
fn values_are_their_texts() {
    check(Card::JOKER, "Jk");
    check("As Kd".parse::<CardSet>().unwrap(), "As Kd");
    check("As Kd Tc 9h 2s 2d Jk".parse::<SevenCards>().unwrap(), "As Kd Tc 9h 2s 2d Jk");
    check("As Kd Tc 9h 2s".parse::<FiveCards>().unwrap(), "As Kd Tc 9h 2s");
    check("As Kd".parse::<TwoCards>().unwrap(), "As Kd");
    check(HandClass::FullHouse, "full_house");
    check(Joker::FullyWild, "fully_wild");
    check(Wheel::SecondHighest, "second_highest");
}

#[test]
fn invalid_texts_are_refused() {
    assert!(serde_json::from_str::<TwoCards>("\"As As\"").is_err());
    assert!(serde_json::from_str::<Joker>("\"wild\"").is_err());
}
