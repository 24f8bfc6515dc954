//! Parser for lists of cards. It reports every fault, not only the first.
//!
//! The standard form is `As Kd Tc 9h 2s 2d Jk`. The parser also accepts `10h`, either case, `Joker`, commas, no
//! separators at all, and the suit symbols. The `Display` implementations of the card types print the standard form.

use crate::{Card, CardSet, Rank, Suit};
use std::fmt;

/// One fault in a list of cards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CardFault {
    /// A piece of text that is not a card.
    Unknown {
        /// The text.
        text: String,
        /// Column of its first character, counted in characters from 1.
        column: usize,
    },
    /// A card that is listed more than once.
    Duplicate {
        /// The card.
        card: Card,
        /// Number of times it is listed.
        times: usize,
    },
    /// Too few or too many cards.
    Count {
        /// Required number of cards.
        needed: usize,
        /// Number of cards found.
        found: usize,
    },
}

/// Error returned when a list of cards is invalid. Contains every fault.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct CardFaults(Vec<CardFault>);

/// Maximum number of faults that a message lists. It counts the rest.
const FAULTS_SHOWN_MAX: usize = 12;
/// Maximum number of characters of an unknown text that a message repeats.
const TEXT_SHOWN_MAX: usize = 24;

impl CardFaults {
    /// Returns the faults: unknown texts in their order, then duplicates, then the count.
    pub fn faults(&self) -> &[CardFault] {
        &self.0
    }
}

impl fmt::Display for CardFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The count is the last and most useful fault, so the message always includes it.
        let (count, others): (Vec<_>, Vec<_>) =
            self.0.iter().partition(|fault| matches!(fault, CardFault::Count { .. }));
        let mut gap = "";
        for fault in others.iter().take(FAULTS_SHOWN_MAX) {
            write!(f, "{gap}{fault}")?;
            gap = "; ";
        }
        if let Some(more) = others.len().checked_sub(FAULTS_SHOWN_MAX + 1) {
            write!(f, "{gap}and {} more", more + 1)?;
        }
        for fault in count {
            write!(f, "{gap}{fault}")?;
        }
        Ok(())
    }
}

impl fmt::Display for CardFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CardFault::Unknown { text, column } => {
                let length = text.chars().count();
                let shown: String = text.chars().take(TEXT_SHOWN_MAX).collect();
                write!(f, "unknown card {shown:?}")?;
                if length > TEXT_SHOWN_MAX {
                    write!(f, "… ({length} characters)")?;
                }
                if text.contains(char::REPLACEMENT_CHARACTER) {
                    f.write_str(" (not UTF-8 text)")?;
                }
                write!(f, " at column {column}")
            }
            CardFault::Duplicate { card, times: 2 } => write!(f, "{card} appears twice"),
            CardFault::Duplicate { card, times } => write!(f, "{card} appears {times} times"),
            CardFault::Count { needed, found } => {
                let cards = if *needed == 1 { "card" } else { "cards" };
                write!(f, "expected {needed} {cards}, found ")?;
                match found {
                    0 => f.write_str("none"),
                    _ => write!(f, "{found}"),
                }
            }
        }
    }
}

/// Parses a set of cards. With `needed`, the number of cards must match it.
///
/// # Errors
/// Returns every piece of text that is not a card, every duplicate card, and a wrong number of cards.
///
/// # Examples
///
/// ```
/// use paigow::parse_cards;
///
/// let cards = parse_cards("2c, 10h, A♠", None)?;
/// assert_eq!(cards.to_string(), "As Th 2c");
/// assert_eq!(parse_cards("As As", Some(2)).unwrap_err().to_string(), "As appears twice");
/// # Ok::<(), paigow::CardFaults>(())
/// ```
pub fn parse_cards(text: &str, needed: Option<usize>) -> Result<CardSet, CardFaults> {
    let Pieces { cards, unknown } = Pieces::read(text);
    let set: CardSet = cards.iter().copied().collect();
    let unknown_count = unknown.len();
    let mut faults = unknown;
    for card in set {
        let times = cards.iter().filter(|&&other| other == card).count();
        if times > 1 {
            faults.push(CardFault::Duplicate { card, times });
        }
    }
    // An unknown piece is either a misspelled card or an extra word. If either reading gives the right number,
    // the mistake is already reported.
    let meant = cards.len() + unknown_count;
    if let Some(needed) = needed.filter(|&needed| needed != meant && needed != cards.len()) {
        faults.push(CardFault::Count { needed, found: cards.len() });
    }
    if faults.is_empty() { Ok(set) } else { Err(CardFaults(faults)) }
}

/// The cards of a text in their order, and the pieces that are not cards.
struct Pieces {
    cards: Vec<Card>,
    unknown: Vec<CardFault>,
}

impl Pieces {
    fn read(text: &str) -> Pieces {
        let mut pieces = Pieces { cards: Vec::new(), unknown: Vec::new() };
        let text: Vec<char> = text.chars().collect();
        let mut position = 0;
        let mut unknown_from = None;
        while position <= text.len() {
            let rest = &text[position..];
            let next = first_card(rest);
            let ended = rest.first().is_none_or(|&c| is_separator(c));
            if let Some(from) = unknown_from.filter(|_| ended || next.is_some()) {
                let text = text[from..position].iter().collect();
                pieces.unknown.push(CardFault::Unknown { text, column: from + 1 });
                unknown_from = None;
            }
            if let Some((card, length)) = next {
                pieces.cards.push(card);
                position += length;
                continue;
            }
            if !ended {
                unknown_from.get_or_insert(position);
            }
            position += 1;
        }
        pieces
    }
}

fn is_separator(c: char) -> bool {
    // U+FE0E and U+FE0F select the drawing style of a suit symbol and carry no meaning.
    c.is_whitespace() || matches!(c, ',' | ';' | '|' | '\u{FE0E}' | '\u{FE0F}')
}

/// Returns the card at the start of a text, and its length in characters.
fn first_card(text: &[char]) -> Option<(Card, usize)> {
    for joker in ["joker", "jk"] {
        let written = text.iter().take(joker.len());
        if written.map(char::to_ascii_lowercase).eq(joker.chars()) {
            return Some((Card::JOKER, joker.len()));
        }
    }
    let (rank, length) = match text {
        ['1', '0', ..] => (Rank::Ten, 2),
        [letter, ..] => (Rank::from_letter(*letter)?, 1),
        [] => return None,
    };
    let suit = Suit::from_letter(*text.get(length)?)?;
    Some((Card::new(rank, suit), length + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        let read = match parse_cards(text, Some(7)) {
            Ok(set) => set.to_string(),
            Err(faults) => faults.to_string(),
        };
        assert_eq!(read, expect, "{text:?}");
    }

    #[test]
    fn parses_every_notation() {
        let cards = "As Kd Tc 9h 2s 2d Jk";
        check("As Kd Tc 9h 2s 2d Jk", cards);
        check("as,kd,10c,9H,2S,2D,joker", cards);
        check("AsKdTc9h2s2dJk", cards);
        check("asKD10C9h2s2dJOKER", cards);
        check("A♠ K♦ 10♣ 9♥ 2♠ 2♦ Jk", cards);
        check("A♤K♢T♧9♡2♠\u{FE0F}2♦\u{FE0F} jK", cards);
        check("  As;Kd|Tc\t9h\n2s , 2d Jk ", cards);
        check("JkAsKdTc9h2s2d", cards);
        check("Js Jd Jc Jh Jk 2s 2d", "Js Jh Jd Jc 2s 2d Jk");
    }

    #[test]
    fn reports_every_fault() {
        check("As As", "As appears twice; expected 7 cards, found 2");
        check("As Kd Tc 9h 2s 2d", "expected 7 cards, found 6");
        check("Xx", "unknown card \"Xx\" at column 1; expected 7 cards, found none");
        check("", "expected 7 cards, found none");
        check("As Kd Tc 9h 2s 2d Xx", "unknown card \"Xx\" at column 19");
        check("AsXxKdTc9h2s2dJk", "unknown card \"Xx\" at column 3");
        check(
            "Jk Jk Jk 1h Az 2s 2s",
            "unknown card \"1h\" at column 10; unknown card \"Az\" at column 13; \
             2s appears twice; Jk appears 3 times",
        );
        check("AK", "unknown card \"AK\" at column 1; expected 7 cards, found none");
        check(
            "\u{FFFD}",
            "unknown card \"\u{FFFD}\" (not UTF-8 text) at column 1; expected 7 cards, found none",
        );
    }

    #[test]
    fn messages_for_long_input_stay_short() {
        check(
            &"x".repeat(10_000),
            "unknown card \"xxxxxxxxxxxxxxxxxxxxxxxx\"… (10000 characters) at column 1; \
             expected 7 cards, found none",
        );
        let faults = parse_cards(&"x ".repeat(5_000), Some(7)).unwrap_err();
        assert_eq!(faults.faults().len(), 5_001);
        let message = faults.to_string();
        assert!(message.contains("and 4988 more; expected 7 cards, found none"), "{message}");
    }

    #[test]
    fn count_of_one_card_is_singular() {
        let fault = |text: &str| text.parse::<Card>().unwrap_err().to_string();
        assert_eq!(fault(""), "expected 1 card, found none");
        assert_eq!(fault("As Kd"), "expected 1 card, found 2");
    }

    #[test]
    fn accepts_any_number_without_needed() {
        assert_eq!(parse_cards("", None), Ok(CardSet::EMPTY));
        assert_eq!(parse_cards("2c As", None).unwrap().to_string(), "As 2c");
    }
}
