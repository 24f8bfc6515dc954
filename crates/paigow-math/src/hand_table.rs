//! A value for every hand there is, found by the hand's number.
//!
//! The 154,143,080 hands are numbered as combinations are: the cards have numbers from 0 to 52, and a hand whose cards, from
//! the lowest up, are c₁ < … < c₇ has the number C(c₁, 1) + … + C(c₇, 7). Hands that differ in their lowest card alone stand
//! side by side.
//!
//! A value that does not ask which suit is which is worked out once for each class of hands and written down for all its
//! hands. Cores write side by side into atomic cells; on this side of a barrier they cost what plain cells cost.

use crate::deck::Deck;
use crate::progress::Progress;
use paigow::{CardSet, PartialHand};
use std::sync::atomic::{AtomicU32, Ordering};

/// A value for every hand of a deck.
pub(crate) struct HandTable {
    deck: Deck,
    values: Vec<AtomicU32>,
}

/// How many ways there are to take `k` of `n` things, for n up to 53 and k up to 7.
const CHOOSE: [[u32; 8]; 54] = {
    let mut table = [[0u32; 8]; 54];
    let mut n = 0;
    while n < 54 {
        table[n][0] = 1;
        let mut k = 1;
        while k < 8 && k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// How many ways there are to take `k` of `n` cards.
pub(crate) const fn choose(n: usize, k: usize) -> u32 {
    CHOOSE[n][k]
}

/// The ways to call four suits by each other's names.
const RELABELLINGS: [[usize; 4]; 24] = {
    let mut ways = [[0; 4]; 24];
    let mut way = 0;
    let mut code = 0;
    while code < 64 {
        let (a, b, c) = (code / 16, code / 4 % 4, code % 4);
        if a != b && a != c && b != c {
            ways[way] = [a, b, c, 6 - a - b - c];
            way += 1;
        }
        code += 1;
    }
    ways
};

impl HandTable {
    /// A table of nothings.
    pub(crate) fn new(deck: Deck) -> HandTable {
        let hands = choose(deck.cards(), deck.hand) as usize;
        let values = std::iter::repeat_with(|| AtomicU32::new(0)).take(hands).collect();
        HandTable { deck, values }
    }

    /// The table of a value that does not change when suits are relabelled.
    pub(crate) fn build(
        deck: Deck,
        value: impl Fn(PartialHand) -> u32 + Send + Sync,
        progress: Progress<'_>,
    ) -> HandTable {
        let table = HandTable::new(deck);
        let put = |(): &mut (), hand: PartialHand, _| table.put(hand.cards(), value(hand));
        deck.classes(deck.hand).fold_watched(|| (), put, |(), ()| (), progress);
        table
    }

    /// Writes down the value of a hand and of all that are like it up to suits.
    pub(crate) fn put(&self, hand: CardSet, value: u32) {
        let masks = hand.suit_masks();
        let joker = if hand.has_joker() { choose(self.deck.joker(), self.deck.hand) } else { 0 };
        for way in RELABELLINGS {
            let number = joker + self.deck.number_of_suits(way.map(|suit| masks[suit]));
            self.values[number as usize].store(value, Ordering::Relaxed);
        }
    }

    /// The value of the hand with a number.
    pub(crate) fn get(&self, number: u32) -> u32 {
        self.values[number as usize].load(Ordering::Relaxed)
    }

    /// Visits the value of every hand that contains these cards, given by their numbers from the lowest up.
    pub(crate) fn for_each_containing(&self, cards: &[usize], mut visit: impl FnMut(u32)) {
        let free = self.deck.hand - cards.len();
        self.fill(cards, free, self.deck.cards(), 0, &mut visit);
    }

    /// Takes the remaining cards of a hand from the top down: `fixed` are those still to come of the given ones, `free` how
    /// many others, all below `below`; `number` is what the cards above add up to.
    fn fill(&self, fixed: &[usize], free: usize, below: usize, number: u32, visit: &mut impl FnMut(u32)) {
        let Some((&next, lower)) = fixed.split_last() else {
            return self.fill_free(free, below, number, visit);
        };
        let place = fixed.len() + free;
        // The next card down is a free one above the next given card, or that card.
        if free > 0 {
            for card in next + 1..below {
                self.fill(fixed, free - 1, card, number + choose(card, place), visit);
            }
        }
        self.fill(lower, free, next, number + choose(next, place), visit);
    }

    fn fill_free(&self, free: usize, below: usize, number: u32, visit: &mut impl FnMut(u32)) {
        match free {
            0 => visit(self.get(number)),
            1 => {
                let from = number as usize;
                self.values[from..from + below].iter().for_each(|value| visit(value.load(Ordering::Relaxed)));
            }
            _ => {
                for card in free - 1..below {
                    self.fill_free(free - 1, card, number + choose(card, free), visit);
                }
            }
        }
    }
}
