//! Hands of a fixed size, and partial hands from which they are built.
//!
//! Both carry the [`PatternKey`] of their cards, so ranking a hand is a table lookup.

use crate::ranking::PatternKey;
use crate::{Card, CardFaults, CardSet, Rank, Suit, parse_cards};
use std::fmt;
use std::str::FromStr;

/// At most seven cards, with the lookup key that the evaluators use.
///
/// Enumerations build hands from it card by card or suit by suit, so nested loops share the work of the outer loops.
///
/// # Examples
///
/// ```
/// use paigow::{Card, PartialHand, Rank, SevenCards, Suit};
///
/// let spades = PartialHand::of_suit(Suit::Spades, 0b1_1111); // two to six
/// let hand = spades.with(Card::JOKER).with(Card::new(Rank::Ace, Suit::Hearts));
/// let hand: SevenCards = hand.hand().expect("seven cards");
/// assert_eq!(hand.to_string(), "Ah 6s 5s 4s 3s 2s Jk");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PartialHand {
    cards: CardSet,
    key: PatternKey,
}

impl PartialHand {
    /// The hand without cards.
    pub const EMPTY: PartialHand = PartialHand { cards: CardSet::EMPTY, key: PatternKey::EMPTY };

    /// Creates a partial hand from the cards of a suit, given as a rank mask.
    pub fn of_suit(suit: Suit, ranks: u16) -> PartialHand {
        let mut masks = [0; 4];
        masks[suit.index()] = ranks;
        PartialHand::of(CardSet::from_masks(masks, false))
    }

    /// Creates a partial hand from a set of cards.
    pub fn of(cards: CardSet) -> PartialHand {
        let key = cards.unordered().fold(PatternKey::EMPTY, |key, card| key + PatternKey::of(card));
        PartialHand { cards, key }
    }

    /// Returns this hand with a card added. The card must not be in the hand.
    #[must_use]
    #[inline]
    pub fn with(self, card: Card) -> PartialHand {
        debug_assert!(!self.cards.contains(card), "{card} is already in the hand");
        PartialHand { cards: self.cards.with(card), key: self.key + PatternKey::of(card) }
    }

    /// Returns the union of two partial hands, which must have no card in common.
    #[must_use]
    #[inline]
    pub fn and(self, other: PartialHand) -> PartialHand {
        debug_assert!(self.cards.intersection(other.cards).is_empty());
        PartialHand { cards: self.cards.union(other.cards), key: self.key + (other.key - PatternKey::EMPTY) }
    }

    /// Returns the cards.
    pub const fn cards(self) -> CardSet {
        self.cards
    }

    /// Returns the hand, or `None` if it does not have exactly `N` cards.
    pub fn hand<const N: usize>(self) -> Option<Hand<N>> {
        (self.cards.len() == N).then_some(Hand { cards: self.cards, key: self.key })
    }

    /// Returns the hand without checking the number of cards, which must be `N`.
    #[inline]
    pub fn complete<const N: usize>(self) -> Hand<N> {
        debug_assert!(self.cards.len() == N, "{} is not {N} cards", self.cards);
        Hand { cards: self.cards, key: self.key }
    }
}

/// A hand of exactly `N` different cards.
///
/// # Examples
///
/// ```
/// use paigow::SevenCards;
///
/// let hand: SevenCards = "as kd 10c 9h 2s 2d joker".parse()?;
/// assert_eq!(hand.to_string(), "As Kd Tc 9h 2s 2d Jk");
/// assert_eq!(hand.splits().count(), 21);
/// # Ok::<(), paigow::CardFaults>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hand<const N: usize> {
    cards: CardSet,
    key: PatternKey,
}

/// The seven cards dealt to a player or the dealer.
pub type SevenCards = Hand<7>;
/// The high hand: five cards.
pub type FiveCards = Hand<5>;
/// The low hand: two cards.
pub type TwoCards = Hand<2>;

impl<const N: usize> Hand<N> {
    /// Creates a hand from a set of cards, or returns `None` if the set does not have `N` cards.
    pub fn new(cards: CardSet) -> Option<Hand<N>> {
        PartialHand::of(cards).hand()
    }

    /// Returns the cards.
    pub const fn cards(self) -> CardSet {
        self.cards
    }

    pub(crate) const fn key(self) -> PatternKey {
        self.key
    }
}

impl SevenCards {
    /// Returns the seven cards in unspecified order.
    pub(crate) fn array(self) -> [Card; 7] {
        let mut cards = [Card::JOKER; 7];
        for (slot, card) in cards.iter_mut().zip(self.cards.unordered()) {
            *slot = card;
        }
        cards
    }

    /// Returns the seven cards from the highest rank down, with the joker first.
    pub(crate) fn descending(self) -> [Card; 7] {
        let mut cards = [Card::JOKER; 7];
        let from = usize::from(self.cards.has_joker());
        for (slot, card) in cards[from..].iter_mut().zip(self.cards.iter()) {
            *slot = card;
        }
        cards
    }

    /// Returns the five cards that remain after two are removed.
    #[inline]
    pub(crate) fn without(self, one: Card, other: Card) -> FiveCards {
        debug_assert!(self.cards.contains(one) && self.cards.contains(other) && one != other);
        Hand {
            cards: self.cards.without(one).without(other),
            key: self.key - (PatternKey::of(one) + PatternKey::of(other)),
        }
    }

    /// Splits the hand into two cards as the low hand and the other five as the high hand.
    pub(crate) fn split(self, one: Card, other: Card) -> (FiveCards, TwoCards) {
        (self.without(one, other), PartialHand::EMPTY.with(one).with(other).complete())
    }

    /// Returns the 21 splits of the cards into a high hand and a low hand.
    pub fn splits(self) -> impl Iterator<Item = (FiveCards, TwoCards)> {
        let cards = self.array();
        (0..7).flat_map(move |i| (i + 1..7).map(move |j| self.split(cards[i], cards[j])))
    }
}

impl<const N: usize> FromStr for Hand<N> {
    type Err = CardFaults;

    fn from_str(text: &str) -> Result<Hand<N>, CardFaults> {
        if let Some(hand) = parse_printed(text).and_then(PartialHand::hand) {
            return Ok(hand);
        }
        Ok(PartialHand::of(parse_cards(text, Some(N))?).complete())
    }
}

impl<const N: usize> fmt::Display for Hand<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.cards, f)
    }
}

impl<const N: usize> fmt::Debug for Hand<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.cards, f)
    }
}

/// Parses cards in the form that `Display` prints, which is how programs write them.
///
/// Returns `None` for any other form. [`parse_cards`] reads those more slowly and reports faults.
fn parse_printed(text: &str) -> Option<PartialHand> {
    let mut hand = PartialHand::EMPTY;
    for (i, card) in text.as_bytes().chunks(3).enumerate() {
        let (letters, gap) = card.split_at_checked(2)?;
        let card = match letters {
            b"Jk" => Card::JOKER,
            &[rank, suit] => Card::new(Rank::from_letter(rank.into())?, Suit::from_letter(suit.into())?),
            _ => return None,
        };
        let fits = i < 7 && !hand.cards.contains(card) && matches!(gap, b" " | b"");
        hand = fits.then(|| hand.with(card))?;
    }
    Some(hand)
}
