//! Rule books, table rules and values from their texts.

use paigow::rulebook::BuiltIn;
use paigow::{Amount, CardSet, Rulebook, Seat, SevenCards, TableRules};
use std::sync::Arc;

/// Returns pairs of owned texts, as rule books and table rules take them.
pub fn owned_pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
}

/// Loads a built-in rule book with overrides.
pub fn rulebook(name: &str, overrides: &[(&str, &str)]) -> Arc<Rulebook> {
    let book = Rulebook::load(name, &owned_pairs(overrides), &BuiltIn);
    Arc::new(book.unwrap_or_else(|error| panic!("{name} with {overrides:?}: {error}")))
}

/// Returns the rules of a table: a built-in book with overrides, and posted paytables by wager.
pub fn table_rules(book: &str, overrides: &[(&str, &str)], posted: &[(&str, &str)]) -> Arc<TableRules> {
    let rules = TableRules::new(rulebook(book, overrides), &owned_pairs(posted));
    Arc::new(rules.unwrap_or_else(|refusals| panic!("{book} with {overrides:?}, {posted:?}: {refusals:?}")))
}

/// Parses cards, for example `As Kd Joker`.
pub fn cards(text: &str) -> CardSet {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Parses a hand of seven cards.
pub fn hand(text: &str) -> SevenCards {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Parses an amount of dollars, for example `12.50`.
pub fn amount(text: &str) -> Amount {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Returns the seat with a number.
pub fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap_or_else(|| panic!("there is no seat {number}"))
}
