//! One card of the 53: a rank and a suit, or the joker.

use crate::{Color, Rank, Suit};
use std::fmt;

/// A card of the deck.
///
/// Inside it is the place of the card's bit in a [`crate::CardSet`]: sixteen bits a suit, and the
/// joker at the top, so that a set of cards is four masks of ranks side by side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The joker.
    pub const JOKER: Card = Card(63);

    /// The card of a rank and a suit.
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card(suit as u8 * 16 + rank as u8)
    }

    /// The card whose bit stands at this place of a set.
    ///
    /// # Panics
    /// If no card's bit stands there: sets are made of cards, so that is our own mistake.
    pub(crate) const fn at(place: u32) -> Card {
        assert!(place == 63 || place % 16 < 13, "no card has this place");
        Card(place as u8)
    }

    /// The place of its bit in a set.
    pub(crate) const fn place(self) -> u32 {
        self.0 as u32
    }

    /// Whether it is the joker.
    pub const fn is_joker(self) -> bool {
        self.0 == Card::JOKER.0
    }

    /// Its rank; the joker has none of its own.
    pub const fn rank(self) -> Option<Rank> {
        if self.is_joker() {
            return None;
        }
        Some(Rank::ALL[self.0 as usize % 16])
    }

    /// The place of its rank in [`Rank::ALL`], and the next for the joker.
    pub(crate) const fn rank_number(self) -> usize {
        if self.is_joker() { 13 } else { self.0 as usize & 15 }
    }

    /// Its suit; the joker has none.
    pub const fn suit(self) -> Option<Suit> {
        if self.is_joker() {
            return None;
        }
        Some(Suit::ALL[self.0 as usize / 16])
    }

    /// Its color; the joker has none (EZ-8).
    pub const fn color(self) -> Option<Color> {
        match self.suit() {
            Some(suit) => Some(suit.color()),
            None => None,
        }
    }

    /// Writes it as it is read.
    pub(crate) fn write(self, out: &mut impl fmt::Write) -> fmt::Result {
        match (self.rank(), self.suit()) {
            (Some(rank), Some(suit)) => {
                out.write_char(rank.letter())?;
                out.write_char(suit.letter())
            }
            _ => out.write_str("Jk"),
        }
    }

    /// All 53 cards: clubs, diamonds, hearts, spades, each from the deuce up, then the joker.
    pub fn deck() -> impl Iterator<Item = Card> + Clone {
        Suit::ALL
            .into_iter()
            .flat_map(|suit| Rank::ALL.into_iter().map(move |rank| Card::new(rank, suit)))
            .chain([Card::JOKER])
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
