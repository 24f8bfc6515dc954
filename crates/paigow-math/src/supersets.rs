//! Enumeration of the hands that contain a set of cards, up to suits that are equivalent in the set.
//!
//! Two suits in which the set holds the same ranks can be exchanged without changing the set. Hands that differ only by
//! such an exchange are visited once, with the number of hands they represent.

use crate::deck::Deck;
use crate::hand_table::choose;
use paigow::CardSet;

/// Enumerates the hands of a deck that contain a set.
pub(crate) struct Supersets {
    deck: Deck,
    /// Sets of ranks by their size, each list in ascending order.
    sets: Vec<Vec<u16>>,
}

/// The cards of one suit in the set. Hands are built suit by suit, from the suit with the highest indices down.
#[derive(Clone, Copy)]
struct SuitOfSet {
    held: u16,
    /// Whether the previous suit holds the same ranks.
    same_as_previous: bool,
}

impl Supersets {
    pub(crate) fn new(deck: Deck) -> Supersets {
        let sets = (0..=deck.hand)
            .map(|count| (0..1u16 << deck.ranks).filter(|mask| mask.count_ones() as usize == count).collect())
            .collect();
        Supersets { deck, sets }
    }

    /// Visits the indices of the hands that contain a set, each with the number of hands it represents.
    pub(crate) fn for_each(&self, set: CardSet, mut visit: impl FnMut(u32, u32)) {
        let held = set.suit_masks();
        let suits: [SuitOfSet; 4] = std::array::from_fn(|suit| SuitOfSet {
            held: held[suit],
            same_as_previous: suit > 0 && held[suit] == held[suit - 1],
        });
        let free = self.deck.hand - set.len();
        let natural = (set.len() - usize::from(set.has_joker()), free);
        let top = choose(self.deck.joker(), self.deck.hand);
        if set.has_joker() {
            self.visit(&suits, natural, top, &mut visit);
            return;
        }
        self.visit(&suits, natural, 0, &mut visit);
        if free > 0 {
            self.visit(&suits, (natural.0, free - 1), top, &mut visit);
        }
    }

    /// Visits the hands with `held` natural cards of the set and `free` others. `joker` is the joker's part of the
    /// index.
    fn visit(
        &self,
        suits: &[SuitOfSet; 4],
        (held, free): (usize, usize),
        joker: u32,
        visit: &mut impl FnMut(u32, u32),
    ) {
        let mut partial = PartialSuperset { suits, taken: [0; 4], weight: 1, run: 1, equivalent: 1 };
        self.add_suit(&mut partial, 0, free, held + free, joker, visit);
    }

    /// Tries each possible set of ranks for a suit. `remaining` is the number of natural cards not yet in `index`.
    fn add_suit(
        &self,
        partial: &mut PartialSuperset<'_>,
        suit: usize,
        free: usize,
        remaining: usize,
        index: u32,
        visit: &mut impl FnMut(u32, u32),
    ) {
        let SuitOfSet { held, same_as_previous } = partial.suits[suit];
        let counts = if suit == 3 { free..=free } else { 0..=free };
        let (weight, run, equivalent) = (partial.weight, partial.run, partial.equivalent);
        for count in counts {
            for &set in &self.sets[count] {
                // Among equivalent suits, a later suit takes no greater set than the previous one.
                if same_as_previous && set > partial.taken[suit - 1] {
                    break;
                }
                if set & held != 0 {
                    continue;
                }
                let (mut weight, mut run, mut equivalent) = (weight, run, equivalent);
                if same_as_previous {
                    // n equivalent suits have n! orders, divided by k! for each run of k that take the same set.
                    equivalent += 1;
                    run = if set == partial.taken[suit - 1] { run + 1 } else { 1 };
                    weight = weight * equivalent / run;
                } else {
                    (run, equivalent) = (1, 1);
                }
                let cards = (held | set).count_ones() as usize;
                let index = index + self.suit_index(3 - suit, held | set, remaining - cards);
                if suit == 3 {
                    visit(index, weight);
                } else {
                    partial.taken[suit] = set;
                    (partial.weight, partial.run, partial.equivalent) = (weight, run, equivalent);
                    self.add_suit(partial, suit + 1, free - count, remaining - cards, index, visit);
                }
            }
        }
        (partial.weight, partial.run, partial.equivalent) = (weight, run, equivalent);
    }

    /// Part of a hand's index that comes from one suit, if the hand has `below` natural cards with lower indices.
    fn suit_index(&self, block: usize, mut ranks: u16, below: usize) -> u32 {
        let (mut index, mut position) = (0, below);
        while ranks != 0 {
            position += 1;
            index += choose(self.deck.ranks * block + ranks.trailing_zeros() as usize, position);
            ranks &= ranks - 1;
        }
        index
    }
}

/// A hand under construction.
struct PartialSuperset<'a> {
    suits: &'a [SuitOfSet; 4],
    /// Ranks added to each suit.
    taken: [u16; 4],
    weight: u32,
    /// Number of consecutive suits that took the same set.
    run: u32,
    /// Number of consecutive equivalent suits.
    equivalent: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SuitClasses;

    /// The weights add up to the number of hands that contain the set, and no index is visited twice.
    #[test]
    fn weights_add_up_to_the_hands_containing_the_set() {
        let deck = Deck { ranks: 5, hand: 4 };
        let supersets = Supersets::new(deck);
        for size in 0..=deck.hand {
            SuitClasses::within(deck.ranks, size).for_each(|set, _| {
                let mut indices = Vec::new();
                let mut hands = 0;
                supersets.for_each(set.cards(), |index, weight| {
                    indices.push(index);
                    hands += u64::from(weight);
                });
                assert_eq!(hands, deck.hands_containing(size), "{}", set.cards());
                let visited = indices.len();
                indices.sort_unstable();
                indices.dedup();
                assert_eq!(indices.len(), visited, "{}", set.cards());
            });
        }
    }
}
