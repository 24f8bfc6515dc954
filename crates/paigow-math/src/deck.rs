//! Decks: the deck of the game, and smaller decks on which tests can list every pair of hands.

use crate::SuitClasses;
use crate::hand_table::choose;
use paigow::{Card, PartialHand};

/// A deck of four suits and a joker, with the size of a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Deck {
    /// Number of ranks in each suit.
    pub(crate) ranks: usize,
    /// Number of cards in a hand.
    pub(crate) hand: usize,
}

impl Deck {
    /// 53 cards, seven to a hand.
    pub(crate) const PAI_GOW: Deck = Deck { ranks: 13, hand: 7 };

    /// Number of cards in the deck.
    pub(crate) const fn cards(self) -> usize {
        4 * self.ranks + 1
    }

    /// Index of the joker, which is the last card.
    pub(crate) const fn joker(self) -> usize {
        4 * self.ranks
    }

    /// Number of pairs of hands that share no card.
    pub(crate) const fn deals(self) -> i128 {
        choose(self.cards(), self.hand) as i128 * choose(self.cards() - self.hand, self.hand) as i128
    }

    /// Number of hands that contain a given set of `cards` cards.
    pub(crate) const fn hands_containing(self, cards: usize) -> u64 {
        choose(self.cards() - cards, self.hand - cards) as u64
    }

    /// The sets of `cards` cards, up to suits.
    pub(crate) fn classes(self, cards: usize) -> SuitClasses {
        SuitClasses::within(self.ranks, cards)
    }

    /// Index of a card: suit by suit, the joker last.
    ///
    /// [`SuitClasses`] gives the first suit the most cards, so the first suit has the highest indices. The free cards
    /// then have lower indices than the set and are adjacent in the table of hands.
    fn card_index(self, card: Card) -> usize {
        match (card.rank(), card.suit()) {
            (Some(rank), Some(suit)) => self.ranks * (3 - suit.index()) + rank.index(),
            _ => self.joker(),
        }
    }

    /// Index of a hand's natural cards, given the ranks of each suit, the suit with the lowest indices first.
    pub(crate) fn index_of_suits(self, masks: [u16; 4]) -> u32 {
        let (mut position, mut index) = (0, 0);
        for (suit, mut left) in masks.into_iter().enumerate() {
            while left != 0 {
                position += 1;
                index += choose(self.ranks * suit + left.trailing_zeros() as usize, position);
                left &= left - 1;
            }
        }
        index
    }

    /// Index of a hand in the combinatorial number system.
    pub(crate) fn hand_index(self, hand: PartialHand) -> u32 {
        let [a, b, c, d] = hand.cards().suit_masks();
        let joker = if hand.cards().has_joker() { choose(self.joker(), self.hand) } else { 0 };
        joker + self.index_of_suits([d, c, b, a])
    }

    /// Indices of the cards of a set, in ascending order.
    pub(crate) fn card_indices(self, set: PartialHand) -> CardIndices {
        let mut cards = CardIndices { indices: [0; 7], count: 0 };
        for card in set.cards() {
            cards.indices[cards.count] = self.card_index(card);
            cards.count += 1;
        }
        cards.indices[..cards.count].sort_unstable();
        cards
    }
}

/// Indices of at most seven cards.
pub(crate) struct CardIndices {
    indices: [usize; 7],
    count: usize,
}

impl std::ops::Deref for CardIndices {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.indices[..self.count]
    }
}
