//! Reading cards as people write them, and saying everything that is wrong with what they wrote.
//!
//! `As Kd Tc 9h 2s 2d Jk` is the written form. Read as well: `10h`, either case, `Joker`, commas, no
//! separators at all, and the suit symbols. Printing is the business of each type's `Display`.

use crate::{Card, CardSet, Rank, Suit};
use std::fmt;

/// One thing wrong with a list of cards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CardFault {
    /// Something that is no card.
    Unknown {
        /// What stands there.
        text: String,
        /// Where it starts, counted in characters from 1.
        column: usize,
    },
    /// A card that stands there more than once.
    Duplicate {
        /// The card.
        card: Card,
        /// How often it stands there.
        times: usize,
    },
    /// Too few or too many cards.
    Count {
        /// How many there should be.
        needed: usize,
        /// How many there are.
        found: usize,
    },
}

/// Everything wrong with a list of cards.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct CardFaults(Vec<CardFault>);

/// How many faults a message names before it only counts the rest.
const FAULTS_SHOWN_MAX: usize = 12;
/// How many characters of an unknown text a message repeats.
const TEXT_SHOWN_MAX: usize = 24;

impl CardFaults {
    /// The faults in the order of the text, the count last.
    pub fn faults(&self) -> &[CardFault] {
        &self.0
    }
}

impl fmt::Display for CardFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The count is the last fault and the one most worth seeing: it is never left out.
        let (count, others): (Vec<_>, Vec<_>) =
            self.0.iter().partition(|fault| matches!(fault, CardFault::Count { .. }));
        let mut gap = "";
        for fault in others.iter().take(FAULTS_SHOWN_MAX) {
            write!(f, "{gap}{fault}")?;
            gap = "; ";
        }
        if let Some(more) = others.len().checked_sub(FAULTS_SHOWN_MAX + 1) {
            write!(f, "{gap}and {} more like these", more + 1)?;
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
            CardFault::Duplicate { card, times: 2 } => write!(f, "{card} is there twice"),
            CardFault::Duplicate { card, times } => write!(f, "{card} is there {times} times"),
            CardFault::Count { needed, found } => {
                let cards = if *found == 1 { "card" } else { "cards" };
                match found {
                    0 => f.write_str("no cards")?,
                    _ => write!(f, "{found} {cards}")?,
                }
                write!(f, " where {needed} are needed")
            }
        }
    }
}

/// Reads a set of cards, of a given size or of any.
///
/// # Errors
/// Every piece that is no card, every card that stands there more than once, and a wrong number.
pub fn parse_cards(text: &str, needed: Option<usize>) -> Result<CardSet, CardFaults> {
    let Pieces { cards, unknown } = Pieces::read(text);
    let set: CardSet = cards.iter().copied().collect();
    let unknown_count = unknown.len();
    let mut faults = unknown;
    for card in set.iter() {
        let times = cards.iter().filter(|&&other| other == card).count();
        if times > 1 {
            faults.push(CardFault::Duplicate { card, times });
        }
    }
    // An unknown piece was either meant as a card or is one too many: where one reading makes the number
    // right, the slip is not reported twice.
    let meant = cards.len() + unknown_count;
    if let Some(needed) = needed.filter(|&needed| needed != meant && needed != cards.len()) {
        faults.push(CardFault::Count { needed, found: cards.len() });
    }
    if faults.is_empty() { Ok(set) } else { Err(CardFaults(faults)) }
}

/// The cards of a text in its order, and what is in between and should not be.
struct Pieces {
    cards: Vec<Card>,
    unknown: Vec<CardFault>,
}

impl Pieces {
    fn read(text: &str) -> Pieces {
        let mut pieces = Pieces { cards: Vec::new(), unknown: Vec::new() };
        let text: Vec<char> = text.chars().collect();
        let mut at = 0;
        let mut unknown_from = None;
        while at <= text.len() {
            let rest = &text[at..];
            let next = first_card(rest);
            let ended = rest.first().is_none_or(|&c| is_separator(c));
            if let Some(from) = unknown_from.filter(|_| ended || next.is_some()) {
                let text = text[from..at].iter().collect();
                pieces.unknown.push(CardFault::Unknown { text, column: from + 1 });
                unknown_from = None;
            }
            if let Some((card, length)) = next {
                pieces.cards.push(card);
                at += length;
                continue;
            }
            if !ended {
                unknown_from.get_or_insert(at);
            }
            at += 1;
        }
        pieces
    }
}

fn is_separator(c: char) -> bool {
    // U+FE0E and U+FE0F choose how a suit symbol is drawn; they mean nothing.
    c.is_whitespace() || matches!(c, ',' | ';' | '|' | '\u{FE0E}' | '\u{FE0F}')
}

/// The card a text starts with, and how many characters it takes.
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
    fn reads_every_way_of_writing_cards() {
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
    fn names_every_fault_at_once() {
        check("As As", "As is there twice; 2 cards where 7 are needed");
        check("As Kd Tc 9h 2s 2d", "6 cards where 7 are needed");
        check("Xx", "unknown card \"Xx\" at column 1; no cards where 7 are needed");
        check("", "no cards where 7 are needed");
        check("As Kd Tc 9h 2s 2d Xx", "unknown card \"Xx\" at column 19");
        check("AsXxKdTc9h2s2dJk", "unknown card \"Xx\" at column 3");
        check(
            "Jk Jk Jk 1h Az 2s 2s",
            "unknown card \"1h\" at column 10; unknown card \"Az\" at column 13; \
             2s is there twice; Jk is there 3 times",
        );
        check("AK", "unknown card \"AK\" at column 1; no cards where 7 are needed");
        check(
            "\u{FFFD}",
            "unknown card \"\u{FFFD}\" (not UTF-8 text) at column 1; no cards where 7 are needed",
        );
    }

    #[test]
    fn long_noise_is_refused_in_a_line() {
        check(
            &"x".repeat(10_000),
            "unknown card \"xxxxxxxxxxxxxxxxxxxxxxxx\"… (10000 characters) at column 1; \
             no cards where 7 are needed",
        );
        let faults = parse_cards(&"x ".repeat(5_000), Some(7)).unwrap_err();
        assert_eq!(faults.faults().len(), 5_001);
        let message = faults.to_string();
        assert!(message.contains("and 4988 more like these; no cards where 7 are needed"), "{message}");
    }

    #[test]
    fn any_number_of_cards_where_none_is_asked_for() {
        assert_eq!(parse_cards("", None), Ok(CardSet::EMPTY));
        assert_eq!(parse_cards("2c As", None).unwrap().to_string(), "As 2c");
    }
}
