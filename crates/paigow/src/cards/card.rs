//! A playing card: a rank and a suit, or the joker.

use crate::{CardFaults, Color, Rank, Suit, parse_cards};
use std::fmt;
use std::str::FromStr;

/// One of the 53 cards of the deck.
///
/// The representation is the index of the card's bit in a [`crate::CardSet`]. Each suit occupies sixteen bits and the
/// joker is the top bit, so a set of cards is four adjacent rank masks.
///
/// # Examples
///
/// ```
/// use paigow::{Card, Rank, Suit};
///
/// let ace: Card = "As".parse()?;
/// assert_eq!(ace, Card::new(Rank::Ace, Suit::Spades));
/// assert_eq!(Card::JOKER.to_string(), "Jk");
/// # Ok::<(), paigow::CardFaults>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The joker.
    pub const JOKER: Card = Card(63);

    /// Creates the card of a rank and a suit.
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card(suit as u8 * 16 + rank as u8)
    }

    /// Returns the card with this bit index in a [`crate::CardSet`].
    ///
    /// # Panics
    /// Panics if no card has the index. Sets contain only cards, so this is a bug in the caller.
    pub(crate) const fn from_bit_index(index: u32) -> Card {
        assert!(index == 63 || index % 16 < 13, "no card has this bit index");
        Card(index as u8)
    }

    /// Returns the index of the card's bit in a [`crate::CardSet`].
    pub(crate) const fn bit_index(self) -> u32 {
        self.0 as u32
    }

    /// Returns `true` if the card is the joker.
    pub const fn is_joker(self) -> bool {
        self.0 == Card::JOKER.0
    }

    /// Returns the rank, or `None` for the joker.
    pub const fn rank(self) -> Option<Rank> {
        if self.is_joker() {
            return None;
        }
        Some(Rank::ALL[self.0 as usize % 16])
    }

    /// Returns the index of the rank in [`Rank::ALL`], or 13 for the joker.
    pub(crate) const fn rank_index(self) -> usize {
        if self.is_joker() { 13 } else { self.0 as usize & 15 }
    }

    /// Returns the suit, or `None` for the joker.
    pub const fn suit(self) -> Option<Suit> {
        if self.is_joker() {
            return None;
        }
        Some(Suit::ALL[self.0 as usize / 16])
    }

    /// Returns the color, or `None` for the joker (EZ-8).
    pub const fn color(self) -> Option<Color> {
        match self.suit() {
            Some(suit) => Some(suit.color()),
            None => None,
        }
    }

    /// Writes the card in the notation that [`crate::parse_cards`] reads.
    pub(crate) fn write(self, out: &mut impl fmt::Write) -> fmt::Result {
        match (self.rank(), self.suit()) {
            (Some(rank), Some(suit)) => {
                out.write_char(rank.letter())?;
                out.write_char(suit.letter())
            }
            _ => out.write_str("Jk"),
        }
    }

    /// Returns all 53 cards: clubs, diamonds, hearts and spades, each from the deuce up, then the joker.
    pub fn deck() -> impl Iterator<Item = Card> + Clone {
        Suit::ALL
            .into_iter()
            .flat_map(|suit| Rank::ALL.into_iter().map(move |rank| Card::new(rank, suit)))
            .chain([Card::JOKER])
    }
}

impl FromStr for Card {
    type Err = CardFaults;

    /// Parses one card, as [`parse_cards`] does.
    fn from_str(text: &str) -> Result<Card, CardFaults> {
        let cards = parse_cards(text, Some(1))?;
        Ok(cards.iter().next().unwrap_or(Card::JOKER))
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
