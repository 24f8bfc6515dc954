//! The hands that contain a set of cards, up to the suits that the set leaves alike.
//!
//! Suits of which a set holds the same ranks may be exchanged without changing the set. Hands that differ only by such an
//! exchange are visited once, with the number of hands they stand for.

use crate::deck::Deck;
use crate::hand_table::choose;
use paigow::CardSet;

/// Sets of ranks by how many they are, each in ascending order, and what a suit adds to the number of a hand.
pub(crate) struct Supersets {
    deck: Deck,
    sets: Vec<Vec<u16>>,
}

/// A suit of the set while hands are built round it, from the highest-numbered suit down.
#[derive(Clone, Copy)]
struct SuitOfSet {
    held: u16,
    /// Whether the suit before holds the same ranks.
    like_before: bool,
}

impl Supersets {
    pub(crate) fn new(deck: Deck) -> Supersets {
        let sets = (0..=deck.hand)
            .map(|count| (0..1u16 << deck.ranks).filter(|mask| mask.count_ones() as usize == count).collect())
            .collect();
        Supersets { deck, sets }
    }

    /// Visits the numbers of the hands that contain a set, each with the number of hands it stands for.
    pub(crate) fn for_each(&self, set: CardSet, mut visit: impl FnMut(u32, u32)) {
        let held = set.suit_masks();
        let suits: [SuitOfSet; 4] = std::array::from_fn(|suit| SuitOfSet {
            held: held[suit],
            like_before: suit > 0 && held[suit] == held[suit - 1],
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

    /// Visits the hands with so many natural cards of the set and so many others, the joker's part of the number given.
    fn visit(
        &self,
        suits: &[SuitOfSet; 4],
        (held, free): (usize, usize),
        joker: u32,
        visit: &mut impl FnMut(u32, u32),
    ) {
        let mut building = Building { suits, taken: [0; 4], weight: 1, run: 1, alike: 1 };
        self.add_suit(&mut building, 0, free, held + free, joker, visit);
    }

    /// Gives the next suit each set of ranks it may have. `places` is how many natural cards are yet to be numbered.
    fn add_suit(
        &self,
        building: &mut Building<'_>,
        suit: usize,
        free: usize,
        places: usize,
        number: u32,
        visit: &mut impl FnMut(u32, u32),
    ) {
        let SuitOfSet { held, like_before } = building.suits[suit];
        let counts = if suit == 3 { free..=free } else { 0..=free };
        let (weight, run, alike) = (building.weight, building.run, building.alike);
        for count in counts {
            for &set in &self.sets[count] {
                // Of suits that are alike the later takes no later set.
                if like_before && set > building.taken[suit - 1] {
                    break;
                }
                if set & held != 0 {
                    continue;
                }
                let (mut weight, mut run, mut alike) = (weight, run, alike);
                if like_before {
                    // n suits alike have n! orders, n! fewer for every n that take the same set.
                    alike += 1;
                    run = if set == building.taken[suit - 1] { run + 1 } else { 1 };
                    weight = weight * alike / run;
                } else {
                    (run, alike) = (1, 1);
                }
                let cards = (held | set).count_ones() as usize;
                let number = number + self.suit_number(3 - suit, held | set, places - cards);
                if suit == 3 {
                    visit(number, weight);
                } else {
                    building.taken[suit] = set;
                    (building.weight, building.run, building.alike) = (weight, run, alike);
                    self.add_suit(building, suit + 1, free - count, places - cards, number, visit);
                }
            }
        }
        (building.weight, building.run, building.alike) = (weight, run, alike);
    }

    /// What the cards of a suit add to the number of a hand that has so many natural cards below them.
    fn suit_number(&self, block: usize, mut ranks: u16, below: usize) -> u32 {
        let (mut number, mut place) = (0, below);
        while ranks != 0 {
            place += 1;
            number += choose(self.deck.ranks * block + ranks.trailing_zeros() as usize, place);
            ranks &= ranks - 1;
        }
        number
    }
}

/// A hand that is being built.
struct Building<'a> {
    suits: &'a [SuitOfSet; 4],
    taken: [u16; 4],
    weight: u32,
    /// How many suits in a row took the same set, and how many were alike.
    run: u32,
    alike: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SuitClasses;

    /// All hands that contain a set are stood for, none is visited twice, and hands alike give the same set.
    #[test]
    fn as_many_hands_as_contain_the_set() {
        let deck = Deck { ranks: 5, hand: 4 };
        let supersets = Supersets::new(deck);
        for size in 0..=deck.hand {
            SuitClasses::within(deck.ranks, size).for_each(|set, _| {
                let mut numbers = Vec::new();
                let mut hands = 0;
                supersets.for_each(set.cards(), |number, weight| {
                    numbers.push(number);
                    hands += u64::from(weight);
                });
                assert_eq!(hands, deck.hands_containing(size), "{}", set.cards());
                let visited = numbers.len();
                numbers.sort_unstable();
                numbers.dedup();
                assert_eq!(numbers.len(), visited, "{}", set.cards());
            });
        }
    }
}
