//! Words of a player for ranks and low hands.

use paigow::Rank;

/// Words for the ranks from `low` to `high`, such as "nine or lower".
pub(super) fn ranks(low: Rank, high: Rank, name: fn(Rank) -> &'static str) -> String {
    if low == high {
        name(low).to_owned()
    } else if low == Rank::Two {
        format!("{} or lower", name(high))
    } else if high == Rank::Ace {
        format!("{} or higher", name(low))
    } else {
        format!("{} to {}", name(low), name(high))
    }
}

/// Words for a low hand without a pair, such as `KT`.
pub(super) fn low_hand(text: &str) -> String {
    let names: Vec<&str> = text.chars().filter_map(Rank::from_letter).map(Rank::name).collect();
    if let [only] = names[..] { format!("{only} high") } else { names.join("-") }
}

/// Joins words with commas and "or".
pub(super) fn join_or(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// Returns a text with its first letter in upper case.
pub(super) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
