//! The four suits and their two colors.

use std::fmt;

/// A suit. Suits have no rank in play; the order is for printing only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)] // the names are self-explanatory
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

/// The color of a card. The joker has none (EZ-8).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)] // the names are self-explanatory
pub enum Color {
    Red,
    Black,
}

impl Color {
    /// Returns the name, `red` or `black`.
    pub const fn name(self) -> &'static str {
        match self {
            Color::Red => "red",
            Color::Black => "black",
        }
    }

    /// Returns the color with this name.
    pub fn from_name(name: &str) -> Option<Color> {
        [Color::Red, Color::Black].into_iter().find(|color| color.name() == name)
    }
}

impl Suit {
    /// All suits, in the order clubs, diamonds, hearts, spades.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// Returns the index in [`Suit::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the letter of the notation: `c`, `d`, `h` or `s`.
    pub const fn letter(self) -> char {
        b"cdhs"[self as usize] as char
    }

    /// Returns the suit with this letter (either case) or symbol (filled or hollow).
    pub const fn from_letter(letter: char) -> Option<Suit> {
        match letter {
            'c' | 'C' | '♣' | '♧' => Some(Suit::Clubs),
            'd' | 'D' | '♦' | '♢' => Some(Suit::Diamonds),
            'h' | 'H' | '♥' | '♡' => Some(Suit::Hearts),
            's' | 'S' | '♠' | '♤' => Some(Suit::Spades),
            _ => None,
        }
    }

    /// Returns the color of the suit.
    pub const fn color(self) -> Color {
        match self {
            Suit::Clubs | Suit::Spades => Color::Black,
            Suit::Diamonds | Suit::Hearts => Color::Red,
        }
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}
