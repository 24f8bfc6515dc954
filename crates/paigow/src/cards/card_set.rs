//! A set of cards as one 64-bit word: a mask of ranks for each suit, and the joker.

use crate::{Card, Color, Rank, Suit};
use std::fmt::{self, Write};

/// A set of cards.
///
/// It prints from the ace down, the joker last, and in that order [`CardSet::iter`] gives its cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CardSet(u64);

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);
    /// All 53.
    pub const DECK: CardSet = CardSet(0x9FFF_1FFF_1FFF_1FFF);

    /// The cards with these ranks in each suit (in the order of [`Suit::ALL`]), and perhaps the joker.
    pub const fn from_masks(masks: [u16; 4], joker: bool) -> CardSet {
        let [clubs, diamonds, hearts, spades] = masks;
        let suits = clubs as u64 | (diamonds as u64) << 16 | (hearts as u64) << 32 | (spades as u64) << 48;
        CardSet((suits | (joker as u64) << 63) & CardSet::DECK.0)
    }

    /// How many cards.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the card is in it.
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.place() & 1 == 1
    }

    /// Whether the joker is in it.
    pub const fn has_joker(self) -> bool {
        self.contains(Card::JOKER)
    }

    /// This set and the card.
    #[must_use]
    pub const fn with(self, card: Card) -> CardSet {
        CardSet(self.0 | 1 << card.place())
    }

    /// This set without the card.
    #[must_use]
    pub const fn without(self, card: Card) -> CardSet {
        CardSet(self.0 & !(1 << card.place()))
    }

    /// The cards in either.
    #[must_use]
    pub const fn union(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }

    /// The cards in both.
    #[must_use]
    pub const fn intersection(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }

    /// The cards of this set that are not in the other.
    #[must_use]
    pub const fn difference(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    /// The ranks held in a suit, as a mask.
    pub const fn suit_mask(self, suit: Suit) -> u16 {
        (self.0 >> (16 * suit as u32)) as u16 & 0x1FFF
    }

    /// The ranks held in any suit, as a mask. The joker is no rank.
    pub const fn rank_mask(self) -> u16 {
        let [clubs, diamonds, hearts, spades] = self.suit_masks();
        clubs | diamonds | hearts | spades
    }

    /// [`CardSet::suit_mask`] of every suit.
    pub const fn suit_masks(self) -> [u16; 4] {
        [
            self.suit_mask(Suit::Clubs),
            self.suit_mask(Suit::Diamonds),
            self.suit_mask(Suit::Hearts),
            self.suit_mask(Suit::Spades),
        ]
    }

    /// How many cards of a rank, the joker not counted.
    pub const fn count(self, rank: Rank) -> usize {
        (self.0 >> rank as u32 & 0x0001_0001_0001_0001).count_ones() as usize
    }

    /// How many cards of a color; the joker is of neither (EZ-8).
    pub const fn count_color(self, color: Color) -> usize {
        let suits: u64 = match color {
            Color::Red => 0x0000_1FFF_1FFF_0000,
            Color::Black => 0x1FFF_0000_0000_1FFF,
        };
        (self.0 & suits).count_ones() as usize
    }

    /// The cards, from the ace down and spades to clubs within a rank, the joker last.
    pub fn iter(self) -> impl Iterator<Item = Card> + Clone {
        let mut ranks = self.rank_mask();
        let mut suits = 0u64;
        std::iter::from_fn(move || {
            if suits == 0 {
                let Some(rank) = Rank::highest(ranks) else {
                    // What is left after the last rank is the joker, once.
                    let joker = self.has_joker() && ranks == 0;
                    ranks = u16::MAX;
                    return joker.then_some(Card::JOKER);
                };
                ranks ^= rank.bit();
                suits = self.0 & 0x0001_0001_0001_0001 << rank as u32;
            }
            let card = Card::at(suits.ilog2());
            suits ^= 1 << card.place();
            Some(card)
        })
    }

    /// The cards in the order of their places: quicker than [`CardSet::iter`], and of no meaning.
    pub(crate) fn unordered(self) -> impl Iterator<Item = Card> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let card = Card::at(left.trailing_zeros());
                left &= left - 1;
                card
            })
        })
    }

    /// How many values [`CardSet::flush_index`] has.
    pub(crate) const FLUSHES: usize = 1 << 14;

    /// The ranks held in a suit and whether the joker is there, as the index of a table.
    pub(crate) const fn flush_index(self, suit: Suit) -> usize {
        self.suit_mask(suit) as usize | (self.has_joker() as usize) << 13
    }

    /// The ranks and the joker that an index stands for.
    pub(crate) const fn flush_at(index: usize) -> (u16, bool) {
        (index as u16 & 0x1FFF, index >> 13 & 1 == 1)
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
