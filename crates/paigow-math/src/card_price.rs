//! The strategy cards that ship, with their exact prices.
//!
//! `cards.toml` has the prices. `cargo xtask cards --write` writes it with the cards, and the tests compare it with a table
//! of worths and with the count of the base game.

use crate::{DecidedCount, Outcomes, TableSide};
use std::fmt;

/// Data file of the prices.
const TEXT: &str = include_str!("../cards.toml");

/// Parts of the name of a strategy card, which has the form BOOK-SIDE-LINES.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CardName<'a> {
    /// Id of the book.
    pub book: &'a str,
    /// Side that plays by the card.
    pub side: TableSide,
    /// Number of lines.
    pub lines: usize,
}

impl CardName<'_> {
    /// Parses a name. Returns `None` if it does not have the form BOOK-SIDE-LINES.
    pub fn parse(name: &str) -> Option<CardName<'_>> {
        let (rest, lines) = name.rsplit_once('-')?;
        let (book, side) = rest.rsplit_once('-')?;
        let (side, lines) = (TableSide::from_name(side)?, lines.parse().ok()?);
        Some(CardName { book, side, lines }).filter(|parts| !parts.book.is_empty() && parts.lines > 0)
    }
}

/// Exact price of a strategy card, for one side of a book against one house way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardPrice {
    /// Name of the card.
    pub name: String,
    /// Id of the book.
    pub book: String,
    /// Side that plays by the card.
    pub side: TableSide,
    /// House way of the other side.
    pub against: String,
    /// Outcomes of the side that plays by the card.
    pub outcomes: Outcomes,
    /// Outcomes of the side if it sets every hand in the best way.
    pub best: Outcomes,
    /// Number of hands that have a better setting.
    pub hands_set_worse: u64,
    /// Hands that each line decides, in the order of the lines.
    pub lines: Vec<DecidedCount>,
}

/// An error in the data file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardPricesFault(String);

impl fmt::Display for CardPricesFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "prices of cards: {}", self.0)
    }
}

impl std::error::Error for CardPricesFault {}

impl CardPrice {
    /// Returns the prices of the strategy cards that ship.
    ///
    /// # Errors
    /// The data file is invalid, which the tests exclude.
    pub fn all() -> Result<Vec<CardPrice>, CardPricesFault> {
        CardPrice::read(TEXT)
    }

    /// Reads prices from the text of a data file.
    ///
    /// # Errors
    /// The first fault of the text.
    pub fn read(text: &str) -> Result<Vec<CardPrice>, CardPricesFault> {
        let root: toml::Table =
            text.parse().map_err(|error: toml::de::Error| CardPricesFault(error.to_string()))?;
        let cards = root.get("cards").and_then(toml::Value::as_array);
        let cards = cards.ok_or_else(|| CardPricesFault("there is no list `cards`".to_owned()))?;
        let card = |(index, value): (usize, &toml::Value)| {
            let fault = |key| CardPricesFault(format!("card {}: `{key}` is missing or wrong", index + 1));
            read_card(value).map_err(fault)
        };
        cards.iter().enumerate().map(card).collect()
    }
}

/// Reads a card, or returns the key that is missing or wrong.
fn read_card(value: &toml::Value) -> Result<CardPrice, &'static str> {
    let text = |key: &'static str| value.get(key).and_then(toml::Value::as_str).map(str::to_owned).ok_or(key);
    let lines = value.get("lines").and_then(toml::Value::as_array).ok_or("lines")?;
    Ok(CardPrice {
        name: text("name")?,
        book: text("book")?,
        side: TableSide::from_name(&text("side")?).ok_or("side")?,
        against: text("against")?,
        outcomes: outcomes(value.get("outcomes")).ok_or("outcomes")?,
        best: outcomes(value.get("best")).ok_or("best")?,
        hands_set_worse: number(value.get("hands_set_worse")).ok_or("hands_set_worse")?,
        lines: lines.iter().map(line).collect::<Option<_>>().ok_or("lines")?,
    })
}

fn outcomes(value: Option<&toml::Value>) -> Option<Outcomes> {
    let count = |key: &str| number(value?.get(key)).map(i128::from);
    Some(Outcomes { win: count("win")?, push: count("push")?, lose: count("lose")? })
}

fn line(value: &toml::Value) -> Option<DecidedCount> {
    Some(DecidedCount { hands: number(value.get("hands"))?, contested: number(value.get("contested"))? })
}

fn number(value: Option<&toml::Value>) -> Option<u64> {
    u64::try_from(value?.as_integer()?).ok()
}
