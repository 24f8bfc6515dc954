//! Cards as indices, and the ranking of single hands.

use crate::errors::{raise, refuse};
use paigow::{Card, CardSet, Evaluator, FiveCards, HandClass, Joker, PartialHand, Ranking, TwoCards, Wheel};
use paigow_answers::Fault;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::LazyLock;

/// Number of cards in the deck.
pub(crate) const CARDS: usize = 53;

/// The cards by their index: clubs, diamonds, hearts and spades, each from the deuce up, then the joker.
pub(crate) static DECK: LazyLock<Vec<Card>> = LazyLock::new(|| Card::deck().collect());

/// Returns the index of a card.
pub(crate) fn index_of(card: Card) -> u8 {
    match (card.rank(), card.suit()) {
        (Some(rank), Some(suit)) => (13 * suit.index() + rank.index()) as u8,
        _ => CARDS as u8 - 1,
    }
}

/// Returns the indices of cards, in the order in which they are printed.
pub(crate) fn indices(cards: CardSet) -> impl Iterator<Item = u8> {
    cards.iter().map(index_of)
}

/// Returns the cards with these indices, which must be those of different cards.
pub(crate) fn hand_of(indices: &[u8]) -> PartialHand {
    indices.iter().fold(PartialHand::EMPTY, |hand, index| hand.with(DECK[usize::from(*index)]))
}

/// Reads a ranking from the names of its parts.
pub(crate) fn ranking(py: Python<'_>, joker: &str, wheel: &str) -> PyResult<Ranking> {
    let names = |names: Vec<&str>| names.join(", ");
    let wheel = Wheel::from_name(wheel).ok_or_else(|| {
        let known = names(Wheel::ALL.map(Wheel::name).to_vec());
        refuse(py, "bad_ranking", "wheel", format!("`{wheel}` is no rank of the wheel; there are {known}"))
    })?;
    Ok(Ranking { joker: joker_of(py, joker)?, wheel })
}

/// Reads the use of the joker from its name.
pub(crate) fn joker_of(py: Python<'_>, joker: &str) -> PyResult<Joker> {
    Joker::from_name(joker).ok_or_else(|| {
        let known = Joker::ALL.map(Joker::name).join(", ");
        refuse(py, "bad_ranking", "joker", format!("`{joker}` is no use of the joker; there are {known}"))
    })
}

/// Names of all cards, by their index.
#[pyfunction]
pub(crate) fn deck() -> Vec<String> {
    DECK.iter().map(ToString::to_string).collect()
}

/// Names of all classes of hands, by their index.
#[pyfunction]
pub(crate) fn class_names() -> Vec<&'static str> {
    HandClass::ALL.map(HandClass::name).to_vec()
}

/// Parses cards and returns their indices, in the order in which they are printed.
#[pyfunction]
pub(crate) fn parse_cards<'py>(
    py: Python<'py>,
    text: &str,
    count: Option<usize>,
) -> PyResult<Bound<'py, PyBytes>> {
    let cards = paigow::parse_cards(text, count)
        .map_err(|faults| raise(py, &Fault::new("bad_cards", "cards", faults.to_string()).into()))?;
    Ok(PyBytes::new(py, &indices(cards).collect::<Vec<u8>>()))
}

/// Returns strength, category and description of a hand of five or two cards.
#[pyfunction]
pub(crate) fn describe(
    py: Python<'_>,
    cards: &[u8],
    joker: &str,
    wheel: &str,
) -> PyResult<(usize, &'static str, String)> {
    let evaluator = Evaluator::of(ranking(py, joker, wheel)?);
    let hand = checked(py, cards)?;
    if let Some(high) = hand.hand::<5>() {
        let strength = evaluator.high(high);
        return Ok((strength.index(), strength.category().name(), evaluator.shape(strength).to_string()));
    }
    let Some(low) = hand.hand::<2>() else {
        return Err(refuse(py, "bad_cards", "hand", format!("{} cards: expected 5 or 2", cards.len())));
    };
    let strength = evaluator.low(low);
    Ok((strength.index(), strength.category().name(), strength.to_string()))
}

/// Returns whether a setting is legal: the low hand is not higher than the high hand.
#[pyfunction]
pub(crate) fn is_legal(py: Python<'_>, high: &[u8], low: &[u8], joker: &str, wheel: &str) -> PyResult<bool> {
    let evaluator = Evaluator::of(ranking(py, joker, wheel)?);
    let hands: (Option<FiveCards>, Option<TwoCards>) = (checked(py, high)?.hand(), checked(py, low)?.hand());
    let (Some(five), Some(two)) = hands else {
        let message = format!("{} and {} cards: expected 5 and 2", high.len(), low.len());
        return Err(refuse(py, "bad_cards", "hand", message));
    };
    Ok(evaluator.is_legal(evaluator.high(five), evaluator.low(two)))
}

/// Returns the cards with these indices.
pub(crate) fn checked(py: Python<'_>, indices: &[u8]) -> PyResult<PartialHand> {
    let faults = crate::arrays::row_faults(indices);
    if faults.is_empty() {
        return Ok(hand_of(indices));
    }
    Err(refuse(py, "bad_cards", "cards", faults.join("; ")))
}
