//! A set of cards as one 64-bit word: a rank mask for each suit, and the joker.

use crate::{Card, CardFaults, Color, Rank, Suit, parse_cards};
use std::fmt::{self, Write};
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub, SubAssign};
use std::str::FromStr;

/// A set of cards.
///
/// [`CardSet::iter`] and `Display` list the cards from the ace down, with the joker last.
///
/// # Examples
///
/// ```
/// use paigow::{Card, CardSet};
///
/// let hand: CardSet = "As Kd Tc 9h 2s 2d Jk".parse()?;
/// let low: CardSet = "As Kd".parse()?;
/// let high = hand - low;
/// assert_eq!(high.to_string(), "Tc 9h 2s 2d Jk");
/// assert!((high & low).is_empty());
/// assert_eq!(high | low, hand);
/// assert_eq!(hand.into_iter().last(), Some(Card::JOKER));
/// # Ok::<(), paigow::CardFaults>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CardSet(u64);

impl CardSet {
    /// The empty set.
    pub const EMPTY: CardSet = CardSet(0);
    /// All 53 cards.
    pub const DECK: CardSet = CardSet(0x9FFF_1FFF_1FFF_1FFF);

    /// Creates a set from one rank mask for each suit, in the order of [`Suit::ALL`], and the joker.
    pub const fn from_masks(masks: [u16; 4], joker: bool) -> CardSet {
        let [clubs, diamonds, hearts, spades] = masks;
        let suits = clubs as u64 | (diamonds as u64) << 16 | (hearts as u64) << 32 | (spades as u64) << 48;
        CardSet((suits | (joker as u64) << 63) & CardSet::DECK.0)
    }

    /// Returns the number of cards.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns `true` if the set has no cards.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if the set contains the card.
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.bit_index() & 1 == 1
    }

    /// Returns `true` if the set contains the joker.
    pub const fn has_joker(self) -> bool {
        self.contains(Card::JOKER)
    }

    /// Returns this set with the card added.
    #[must_use]
    pub const fn with(self, card: Card) -> CardSet {
        CardSet(self.0 | 1 << card.bit_index())
    }

    /// Returns this set with the card removed.
    #[must_use]
    pub const fn without(self, card: Card) -> CardSet {
        CardSet(self.0 & !(1 << card.bit_index()))
    }

    /// Returns the cards that are in either set.
    #[must_use]
    pub const fn union(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }

    /// Returns the cards that are in both sets.
    #[must_use]
    pub const fn intersection(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }

    /// Returns the cards of this set that are not in the other.
    #[must_use]
    pub const fn difference(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    /// Returns the ranks held in a suit, as a mask.
    pub const fn suit_mask(self, suit: Suit) -> u16 {
        (self.0 >> (16 * suit as u32)) as u16 & 0x1FFF
    }

    /// Returns the ranks held in any suit, as a mask. The joker has no rank.
    pub const fn rank_mask(self) -> u16 {
        let [clubs, diamonds, hearts, spades] = self.suit_masks();
        clubs | diamonds | hearts | spades
    }

    /// Returns [`CardSet::suit_mask`] for every suit, in the order of [`Suit::ALL`].
    pub const fn suit_masks(self) -> [u16; 4] {
        [
            self.suit_mask(Suit::Clubs),
            self.suit_mask(Suit::Diamonds),
            self.suit_mask(Suit::Hearts),
            self.suit_mask(Suit::Spades),
        ]
    }

    /// Returns the number of cards of a rank. The joker is not counted.
    pub const fn count(self, rank: Rank) -> usize {
        (self.0 >> rank as u32 & 0x0001_0001_0001_0001).count_ones() as usize
    }

    /// Returns the number of cards of a color. The joker has neither color (EZ-8).
    pub const fn count_color(self, color: Color) -> usize {
        let suits: u64 = match color {
            Color::Red => 0x0000_1FFF_1FFF_0000,
            Color::Black => 0x1FFF_0000_0000_1FFF,
        };
        (self.0 & suits).count_ones() as usize
    }

    /// Returns the cards from the ace down, from spades to clubs within a rank, with the joker last.
    pub fn iter(self) -> CardSetIter {
        CardSetIter { cards: self, ranks: self.rank_mask(), suits: 0 }
    }

    /// Returns the cards in the order of their bits, which is faster than [`CardSet::iter`].
    pub(crate) fn unordered(self) -> impl Iterator<Item = Card> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let card = Card::from_bit_index(left.trailing_zeros());
                left &= left - 1;
                card
            })
        })
    }

    /// Number of values of [`CardSet::flush_index`].
    pub(crate) const FLUSHES: usize = 1 << 14;

    /// Returns a table index that encodes the ranks held in a suit and the presence of the joker.
    pub(crate) const fn flush_index(self, suit: Suit) -> usize {
        self.suit_mask(suit) as usize | (self.has_joker() as usize) << 13
    }

    /// Decodes a [`CardSet::flush_index`] into the rank mask and the presence of the joker.
    pub(crate) const fn decode_flush_index(index: usize) -> (u16, bool) {
        (index as u16 & 0x1FFF, index >> 13 & 1 == 1)
    }
}

/// Iterator over the cards of a [`CardSet`], created by [`CardSet::iter`].
#[derive(Clone, Debug)]
pub struct CardSetIter {
    cards: CardSet,
    /// Ranks not yet reached. All bits are set once the iterator is past the last rank.
    ranks: u16,
    /// Cards of the current rank not yet yielded.
    suits: u64,
}

impl Iterator for CardSetIter {
    type Item = Card;

    fn next(&mut self) -> Option<Card> {
        if self.suits == 0 {
            let Some(rank) = Rank::highest(self.ranks) else {
                let joker = self.cards.has_joker() && self.ranks == 0;
                self.ranks = u16::MAX;
                return joker.then_some(Card::JOKER);
            };
            self.ranks ^= rank.bit();
            self.suits = self.cards.0 & 0x0001_0001_0001_0001 << rank as u32;
        }
        let card = Card::from_bit_index(self.suits.ilog2());
        self.suits ^= 1 << card.bit_index();
        Some(card)
    }
}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = CardSetIter;

    fn into_iter(self) -> CardSetIter {
        self.iter()
    }
}

impl FromStr for CardSet {
    type Err = CardFaults;

    /// Parses a list of any number of distinct cards, as [`parse_cards`] does.
    fn from_str(text: &str) -> Result<CardSet, CardFaults> {
        parse_cards(text, None)
    }
}

impl BitOr for CardSet {
    type Output = CardSet;

    fn bitor(self, other: CardSet) -> CardSet {
        self.union(other)
    }
}

impl BitOrAssign for CardSet {
    fn bitor_assign(&mut self, other: CardSet) {
        *self = *self | other;
    }
}

impl BitAnd for CardSet {
    type Output = CardSet;

    fn bitand(self, other: CardSet) -> CardSet {
        self.intersection(other)
    }
}

impl Sub for CardSet {
    type Output = CardSet;

    fn sub(self, other: CardSet) -> CardSet {
        self.difference(other)
    }
}

impl SubAssign for CardSet {
    fn sub_assign(&mut self, other: CardSet) {
        *self = *self - other;
    }
}

impl Extend<Card> for CardSet {
    fn extend<I: IntoIterator<Item = Card>>(&mut self, cards: I) {
        *self |= cards.into_iter().collect();
    }
}

impl From<Card> for CardSet {
    fn from(card: Card) -> CardSet {
        CardSet::EMPTY.with(card)
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        cards.into_iter().fold(CardSet::EMPTY, CardSet::with)
    }
}

impl fmt::Display for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, card) in self.iter().enumerate() {
            if i > 0 {
                f.write_char(' ')?;
            }
            card.write(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}
