//! The thirteen ranks, deuce to ace.

use std::fmt;

/// The rank of a card. The order is the order in play, ace high.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)] // the names say it
pub enum Rank {
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
    Ace,
}

impl Rank {
    /// All ranks, deuce first.
    pub const ALL: [Rank; 13] = [
        Rank::Two,
        Rank::Three,
        Rank::Four,
        Rank::Five,
        Rank::Six,
        Rank::Seven,
        Rank::Eight,
        Rank::Nine,
        Rank::Ten,
        Rank::Jack,
        Rank::Queen,
        Rank::King,
        Rank::Ace,
    ];

    /// The place in [`Rank::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The bit of this rank in a mask of ranks, deuce lowest.
    pub const fn bit(self) -> u16 {
        1 << self as u16
    }

    /// Ace to five, as a mask.
    pub const WHEEL: u16 = 0b1_0000_0000_1111;
    /// Ten to ace, as a mask.
    pub const ROYAL: u16 = 0b1_1111_0000_0000;

    /// The highest rank of a mask, if it has any.
    pub const fn highest(mask: u16) -> Option<Rank> {
        if mask == 0 || mask > 0x1FFF {
            return None;
        }
        Some(Rank::ALL[mask.ilog2() as usize])
    }

    /// The letter or digit it is written with.
    pub const fn letter(self) -> char {
        b"23456789TJQKA"[self as usize] as char
    }

    /// The rank written with this letter or digit, in either case.
    pub const fn from_letter(letter: char) -> Option<Rank> {
        Some(match letter.to_ascii_uppercase() {
            digit @ '2'..='9' => Rank::ALL[digit as usize - '2' as usize],
            'T' => Rank::Ten,
            'J' => Rank::Jack,
            'Q' => Rank::Queen,
            'K' => Rank::King,
            'A' => Rank::Ace,
            _ => return None,
        })
    }

    /// One card of it in words: `ace`, `ten`, `six`.
    pub const fn name(self) -> &'static str {
        [
            "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king",
            "ace",
        ][self as usize]
    }

    /// Several of it in words: `aces`, `tens`, `sixes`.
    pub const fn plural(self) -> &'static str {
        [
            "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks",
            "queens", "kings", "aces",
        ][self as usize]
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}
