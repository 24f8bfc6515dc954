//! Decks: the one the game is played with, and smaller ones on which a sum can be checked by listing every pair of hands.

use crate::SuitClasses;
use crate::hand_table::choose;
use paigow::{Card, PartialHand};

/// Four suits of so many ranks and a joker, and how many cards make a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Deck {
    pub(crate) ranks: usize,
    pub(crate) hand: usize,
}

impl Deck {
    /// 53 cards, seven to a hand.
    pub(crate) const PAI_GOW: Deck = Deck { ranks: 13, hand: 7 };

    /// How many cards.
    pub(crate) const fn cards(self) -> usize {
        4 * self.ranks + 1
    }

    /// The joker's number: the last.
    pub(crate) const fn joker(self) -> usize {
        4 * self.ranks
    }

    /// How many pairs of hands there are that share no card.
    pub(crate) const fn deals(self) -> i128 {
        choose(self.cards(), self.hand) as i128 * choose(self.cards() - self.hand, self.hand) as i128
    }

    /// How many hands contain given cards, so many of them.
    pub(crate) const fn hands_containing(self, cards: usize) -> u64 {
        choose(self.cards() - cards, self.hand - cards) as u64
    }

    /// The sets of so many cards, up to suits.
    pub(crate) fn classes(self, cards: usize) -> SuitClasses {
        SuitClasses::within(self.ranks, cards)
    }

    /// The number of a card: suit by suit, the joker last. The first suit, of which [`SuitClasses`] gives sets the most
    /// cards, has the highest numbers, so that the cards a set leaves free are numbered below it and stand side by side.
    fn number(self, card: Card) -> usize {
        match (card.rank(), card.suit()) {
            (Some(rank), Some(suit)) => self.ranks * (3 - suit.index()) + rank.index(),
            _ => self.joker(),
        }
    }

    /// The number of a hand's natural cards among combinations, given by the ranks of each suit, the lowest-numbered first.
    pub(crate) fn number_of_suits(self, masks: [u16; 4]) -> u32 {
        let (mut place, mut number) = (0, 0);
        for (suit, mut left) in masks.into_iter().enumerate() {
            while left != 0 {
                place += 1;
                number += choose(self.ranks * suit + left.trailing_zeros() as usize, place);
                left &= left - 1;
            }
        }
        number
    }

    /// The number of a hand among combinations.
    pub(crate) fn number_of_hand(self, hand: PartialHand) -> u32 {
        let [a, b, c, d] = hand.cards().suit_masks();
        let joker = if hand.cards().has_joker() { choose(self.joker(), self.hand) } else { 0 };
        joker + self.number_of_suits([d, c, b, a])
    }

    /// The numbers of the cards of a set, from the lowest up.
    pub(crate) fn numbers(self, set: PartialHand) -> Numbers {
        let mut numbers = Numbers { numbers: [0; 7], count: 0 };
        for card in set.cards().iter() {
            numbers.numbers[numbers.count] = self.number(card);
            numbers.count += 1;
        }
        numbers.numbers[..numbers.count].sort_unstable();
        numbers
    }
}

/// The numbers of at most seven cards.
pub(crate) struct Numbers {
    numbers: [usize; 7],
    count: usize,
}

impl std::ops::Deref for Numbers {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.numbers[..self.count]
    }
}
