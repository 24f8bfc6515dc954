//! A table with one value for every hand, addressed by the hand's index.
//!
//! The 154,143,080 hands are indexed by the combinatorial number system: cards have indices from 0 to 52, and a hand
//! with the card indices c₁ < … < c₇ has the index C(c₁, 1) + … + C(c₇, 7). Hands that differ only in their lowest card
//! are adjacent.
//!
//! A value that is invariant under relabeling of suits is computed once per class of hands and stored for each hand of
//! the class. Threads write to atomic cells. Relaxed loads of these cells cost the same as plain loads.

use crate::deck::Deck;
use crate::progress::Progress;
use paigow::{CardSet, PartialHand};
use std::sync::atomic::{AtomicU32, Ordering};

/// A value for every hand of a deck.
pub(crate) struct HandTable {
    deck: Deck,
    values: Vec<AtomicU32>,
}

/// Binomial coefficients C(n, k), for n up to 53 and k up to 7.
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

/// Number of ways to choose `k` of `n` cards.
pub(crate) const fn choose(n: usize, k: usize) -> u32 {
    CHOOSE[n][k]
}

/// The 24 permutations of the four suits.
const RELABELINGS: [[usize; 4]; 24] = {
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
    /// Creates a table of zeros.
    pub(crate) fn new(deck: Deck) -> HandTable {
        let hands = choose(deck.cards(), deck.hand) as usize;
        let values = std::iter::repeat_with(|| AtomicU32::new(0)).take(hands).collect();
        HandTable { deck, values }
    }

    /// Builds the table of a value that is invariant under relabeling of suits.
    pub(crate) fn build(
        deck: Deck,
        value: impl Fn(PartialHand) -> u32 + Send + Sync,
        progress: Progress<'_>,
    ) -> HandTable {
        let table = HandTable::new(deck);
        let put = |(): &mut (), hand: PartialHand, _| table.put(hand.cards(), value(hand));
        deck.classes(deck.hand).fold_with_progress(|| (), put, |(), ()| (), progress);
        table
    }

    /// Stores a value for a hand and for all hands of its suit class.
    pub(crate) fn put(&self, hand: CardSet, value: u32) {
        let masks = hand.suit_masks();
        let joker = if hand.has_joker() { choose(self.deck.joker(), self.deck.hand) } else { 0 };
        for way in RELABELINGS {
            let index = joker + self.deck.index_of_suits(way.map(|suit| masks[suit]));
            self.values[index as usize].store(value, Ordering::Relaxed);
        }
    }

    /// Returns the value of the hand with this index.
    pub(crate) fn get(&self, index: u32) -> u32 {
        self.values[index as usize].load(Ordering::Relaxed)
    }

    /// Visits the value of every hand that contains these cards, given by their indices in ascending order.
    pub(crate) fn for_each_containing(&self, cards: &[usize], mut visit: impl FnMut(u32)) {
        let free = self.deck.hand - cards.len();
        self.fill(cards, free, self.deck.cards(), 0, &mut visit);
    }

    /// Adds the remaining cards of a hand in descending order.
    ///
    /// `fixed` are the given cards not yet added, and `free` is the number of other cards. All of them are below
    /// `below`. `index` is the sum over the cards added so far.
    fn fill(&self, fixed: &[usize], free: usize, below: usize, index: u32, visit: &mut impl FnMut(u32)) {
        let Some((&next, lower)) = fixed.split_last() else {
            return self.fill_free(free, below, index, visit);
        };
        let position = fixed.len() + free;
        // The next lower card is either a free card above the next fixed card, or the fixed card.
        if free > 0 {
            for card in next + 1..below {
                self.fill(fixed, free - 1, card, index + choose(card, position), visit);
            }
        }
        self.fill(lower, free, next, index + choose(next, position), visit);
    }

    fn fill_free(&self, free: usize, below: usize, index: u32, visit: &mut impl FnMut(u32)) {
        match free {
            0 => visit(self.get(index)),
            1 => {
                let from = index as usize;
                self.values[from..from + below].iter().for_each(|value| visit(value.load(Ordering::Relaxed)));
            }
            _ => {
                for card in free - 1..below {
                    self.fill_free(free - 1, card, index + choose(card, free), visit);
                }
            }
        }
    }
}
