//! The four suits and their two colors.

use std::fmt;

/// A suit. Suits have no order in play; this one is only for printing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)] // the names say it
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

/// Red or black. The joker is neither (EZ-8).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)] // the names say it
pub enum Color {
    Red,
    Black,
}

impl Color {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Color::Red => "red",
            Color::Black => "black",
        }
    }

    /// The color with this word.
    pub fn from_name(word: &str) -> Option<Color> {
        [Color::Red, Color::Black].into_iter().find(|color| color.name() == word)
    }
}

impl Suit {
    /// All suits in the order of the letters `cdhs`.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// The place in [`Suit::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter it is written with.
    pub const fn letter(self) -> char {
        b"cdhs"[self as usize] as char
    }

    /// The suit written with this letter (either case) or symbol (filled or hollow).
    pub const fn from_letter(letter: char) -> Option<Suit> {
        match letter {
            'c' | 'C' | '♣' | '♧' => Some(Suit::Clubs),
            'd' | 'D' | '♦' | '♢' => Some(Suit::Diamonds),
            'h' | 'H' | '♥' | '♡' => Some(Suit::Hearts),
            's' | 'S' | '♠' | '♤' => Some(Suit::Spades),
            _ => None,
        }
    }

    /// The color of its cards.
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
