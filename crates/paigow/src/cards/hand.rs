//! Hands of a fixed size, and the cards on the way to one.
//!
//! Both carry the [`PatternKey`] of their cards, so that ranking them is a look-up.

use crate::ranking::PatternKey;
use crate::{Card, CardFaults, CardSet, Rank, Suit, parse_cards};
use std::fmt;
use std::str::FromStr;

/// At most seven cards, and what the evaluators need to know of them.
///
/// Enumerations build hands card by card or suit by suit with it: what the outer loops share is added once.
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
    /// No card.
    pub const EMPTY: PartialHand = PartialHand { cards: CardSet::EMPTY, key: PatternKey::EMPTY };

    /// The cards of a suit with these ranks.
    pub fn of_suit(suit: Suit, ranks: u16) -> PartialHand {
        let mut masks = [0; 4];
        masks[suit.index()] = ranks;
        PartialHand::of(CardSet::from_masks(masks, false))
    }

    /// The cards of a set.
    pub fn of(cards: CardSet) -> PartialHand {
        let key = cards.unordered().fold(PatternKey::EMPTY, |key, card| key + PatternKey::of(card));
        PartialHand { cards, key }
    }

    /// These and one more, which must not be among them.
    #[must_use]
    #[inline]
    pub fn with(self, card: Card) -> PartialHand {
        debug_assert!(!self.cards.contains(card), "{card} twice");
        PartialHand { cards: self.cards.with(card), key: self.key + PatternKey::of(card) }
    }

    /// These and those, which must have none in common.
    #[must_use]
    #[inline]
    pub fn and(self, other: PartialHand) -> PartialHand {
        debug_assert!(self.cards.intersection(other.cards).is_empty());
        PartialHand { cards: self.cards.union(other.cards), key: self.key + (other.key - PatternKey::EMPTY) }
    }

    /// The cards.
    pub const fn cards(self) -> CardSet {
        self.cards
    }

    /// The hand, if the number of cards is right.
    pub fn hand<const N: usize>(self) -> Option<Hand<N>> {
        (self.cards.len() == N).then_some(Hand { cards: self.cards, key: self.key })
    }

    /// The hand, by an enumeration that has counted the cards itself.
    #[inline]
    pub fn complete<const N: usize>(self) -> Hand<N> {
        debug_assert!(self.cards.len() == N, "{} is not {N} cards", self.cards);
        Hand { cards: self.cards, key: self.key }
    }
}

/// A hand of `N` cards, all different.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hand<const N: usize> {
    cards: CardSet,
    key: PatternKey,
}

/// What a player is dealt.
pub type SevenCards = Hand<7>;
/// The high hand: five cards.
pub type FiveCards = Hand<5>;
/// The low hand: two cards.
pub type TwoCards = Hand<2>;

impl<const N: usize> Hand<N> {
    /// The hand of these cards, if there are `N` of them.
    pub fn new(cards: CardSet) -> Option<Hand<N>> {
        PartialHand::of(cards).hand()
    }

    /// The cards.
    pub const fn cards(self) -> CardSet {
        self.cards
    }

    pub(crate) const fn key(self) -> PatternKey {
        self.key
    }
}

impl SevenCards {
    /// The seven cards, in no order that means anything.
    pub(crate) fn array(self) -> [Card; 7] {
        let mut cards = [Card::JOKER; 7];
        for (slot, card) in cards.iter_mut().zip(self.cards.unordered()) {
            *slot = card;
        }
        cards
    }

    /// The seven cards from the highest rank down, the joker first.
    pub(crate) fn descending(self) -> [Card; 7] {
        let mut cards = [Card::JOKER; 7];
        let from = usize::from(self.cards.has_joker());
        for (slot, card) in cards[from..].iter_mut().zip(self.cards.iter()) {
            *slot = card;
        }
        cards
    }

    /// The five that are left when two of the cards are taken out.
    #[inline]
    pub(crate) fn without(self, one: Card, other: Card) -> FiveCards {
        debug_assert!(self.cards.contains(one) && self.cards.contains(other) && one != other);
        Hand {
            cards: self.cards.without(one).without(other),
            key: self.key - (PatternKey::of(one) + PatternKey::of(other)),
        }
    }

    /// Two of the cards as the low hand, and the other five as the high hand.
    pub(crate) fn split(self, one: Card, other: Card) -> (FiveCards, TwoCards) {
        (self.without(one, other), PartialHand::EMPTY.with(one).with(other).complete())
    }

    /// The 21 ways to split the cards into a low hand and a high hand.
    pub fn splits(self) -> impl Iterator<Item = (FiveCards, TwoCards)> {
        let cards = self.array();
        (0..7).flat_map(move |i| (i + 1..7).map(move |j| self.split(cards[i], cards[j])))
    }
}

impl<const N: usize> FromStr for Hand<N> {
    type Err = CardFaults;

    fn from_str(text: &str) -> Result<Hand<N>, CardFaults> {
        if let Some(hand) = parse_as_printed(text).and_then(PartialHand::hand) {
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

/// Reads cards as they are printed, which is how programs write them; anything else is for [`parse_cards`], which is slower
/// and knows what is wrong.
fn parse_as_printed(text: &str) -> Option<PartialHand> {
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
