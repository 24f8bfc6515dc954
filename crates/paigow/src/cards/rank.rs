//! The thirteen ranks, deuce to ace.

use std::fmt;

/// The rank of a card. Ranks compare in the order of play, with the ace high.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)] // the names are self-explanatory
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
    /// All ranks, from the deuce to the ace.
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

    /// Returns the index in [`Rank::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the bit of this rank in a rank mask. The deuce is the lowest bit.
    pub const fn bit(self) -> u16 {
        1 << self as u16
    }

    /// Rank mask of the wheel, ace to five.
    pub const WHEEL: u16 = 0b1_0000_0000_1111;
    /// Rank mask of a royal flush, ten to ace.
    pub const ROYAL: u16 = 0b1_1111_0000_0000;

    /// Returns the highest rank of a mask, or `None` if the mask is empty or has other bits set.
    pub const fn highest(mask: u16) -> Option<Rank> {
        if mask == 0 || mask > 0x1FFF {
            return None;
        }
        Some(Rank::ALL[mask.ilog2() as usize])
    }

    /// Returns the letter or digit of the notation: `2` to `9`, `T`, `J`, `Q`, `K` or `A`.
    pub const fn letter(self) -> char {
        b"23456789TJQKA"[self as usize] as char
    }

    /// Returns the rank with this letter or digit, in either case.
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

    /// Returns the English singular: `ace`, `ten`, `six`.
    pub const fn name(self) -> &'static str {
        [
            "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king",
            "ace",
        ][self as usize]
    }

    /// Returns the English plural: `aces`, `tens`, `sixes`.
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
