//! Tests of the inclusion-exclusion sum on decks so small that every pair of hands can be listed.
//!
//! Hands get pseudorandom values that are equal within a suit class, because the sum must not depend on how the
//! strengths of real hands are distributed. The expected counts are listed pair by pair over plain bit masks. They use
//! neither the table of hands, nor the suit classes, nor the prefix sums.

use super::*;
use crate::BaseGame;
use crate::progress::QUIET;
use paigow::{Joker, LowStrength, Ranking, Suit, Wheel};
use paigow_testkit::Rng;

/// A pseudorandom function from hands to values, with the distribution of its parts.
#[derive(Clone, Copy, Debug)]
struct Values {
    seed: u64,
    spread: Spread,
    pushes: Pushes,
}

#[derive(Clone, Copy, Debug)]
enum Spread {
    /// Any strength.
    Wide,
    /// Few strengths, with many copies. They include the lowest, the highest and those around the edge of a 64-bit
    /// word.
    Narrow,
    /// Mostly high hands without a pair.
    NoPair,
    /// The same strengths for every hand.
    One,
}

#[derive(Clone, Copy, Debug)]
enum Pushes {
    Never,
    OneInFour,
    Always,
}

/// Number of strengths without a pair: C(13, 5) sets of ranks minus the ten straights.
const NO_PAIR: usize = 1_287 - 10;

/// Returns a random number that depends only on the given one.
fn scramble(number: u64) -> u64 {
    Rng::new(number).next()
}

/// High-hand strength, low-hand strength, and whether the hand makes wagers push.
type Value = (usize, usize, bool);

impl Values {
    fn new(seed: u64, spread: Spread, pushes: Pushes) -> Values {
        Values { seed, spread, pushes }
    }

    /// Value of a hand, invariant under relabeling of suits.
    fn of(self, mut suits: [u16; 4], joker: bool) -> Value {
        suits.sort_unstable();
        let packed = suits.into_iter().fold(u64::from(joker), |packed, suit| packed << 13 | u64::from(suit));
        let mut state = scramble(packed ^ scramble(self.seed));
        let mut below = |count: usize| {
            state = scramble(state);
            (state >> 20) as usize % count
        };
        let (high, low) = match self.spread {
            Spread::Wide => (below(HighStrength::COUNT), below(LowStrength::COUNT)),
            Spread::Narrow => {
                let highs = [0, 1, 63, 64, 65, NO_PAIR - 1, NO_PAIR, 7_423, 7_424, HighStrength::COUNT - 1];
                let lows = [0, 1, 45, LowStrength::COUNT - 2, LowStrength::COUNT - 1];
                (highs[below(highs.len())], lows[below(lows.len())])
            }
            Spread::NoPair => (below(NO_PAIR + 40), below(4)),
            Spread::One => (700, 90),
        };
        let pushes = match self.pushes {
            Pushes::Never => false,
            Pushes::OneInFour => below(4) == 0,
            Pushes::Always => true,
        };
        (high, low, pushes)
    }

    fn table(self, deck: Deck) -> HandTable {
        HandTable::build(
            deck,
            |hand| {
                let (high, low, pushes) = self.of(hand.cards().suit_masks(), hand.cards().has_joker());
                SetHand::new(high, low, pushes).0
            },
            QUIET,
        )
    }

    /// Lists every hand of a deck as a bit mask, suit by suit and then the joker, with its value.
    fn list(self, deck: Deck) -> Vec<(u32, Value)> {
        let ranks = deck.ranks as u32;
        let hands = (0u32..1 << (4 * ranks + 1)).filter(|mask| mask.count_ones() as usize == deck.hand);
        let value = |mask: u32| {
            let suits = [0, 1, 2, 3].map(|suit| (mask >> (suit * ranks)) as u16 & ((1 << ranks) - 1));
            self.of(suits, mask >> (4 * ranks) & 1 == 1)
        };
        hands.map(|mask| (mask, value(mask))).collect()
    }
}

/// The highest rank of each strength without a pair, by counting.
///
/// Each rank has as many strengths as there are sets of four lower ranks, minus the straight, and for the ace also
/// minus the wheel.
fn high_cards_by_counting() -> Vec<usize> {
    let choose_four = |n: usize| n * (n - 1) * (n - 2) * (n - 3) / 24;
    let mut highest = Vec::new();
    for rank in 4..13 {
        let straights = if rank == 12 { 2 } else { 1 };
        highest.extend(std::iter::repeat_n(rank, choose_four(rank) - straights));
    }
    assert_eq!(highest.len(), NO_PAIR);
    highest
}

/// Counts the expected game pair by pair.
fn count_pairs(deck: Deck, players: Values, dealers: Values) -> BaseGame {
    let highest = high_cards_by_counting();
    let dealers = dealers.list(deck);
    let mut game = BaseGame::default();
    for (player, (high, low, _)) in players.list(deck) {
        for &(dealer, (dealer_high, dealer_low, pushes)) in &dealers {
            if player & dealer != 0 {
                continue;
            }
            if pushes {
                game.dealer_push += 1;
                continue;
            }
            let index = |mine: usize, other: usize| match mine {
                _ if mine > other => 0,
                _ if mine == other => 1,
                _ => 2,
            };
            game.compared[index(high, dealer_high)][index(low, dealer_low)] += 1;
            if let Some(rank) = highest.get(dealer_high) {
                game.no_pair[*rank].deals += 1;
                game.no_pair[*rank].beaten += i128::from(high > dealer_high);
            }
        }
    }
    game
}

fn high_cards() -> HighCards {
    HighCards::new(Evaluator::of(Ranking { joker: Joker::SemiWild, wheel: Wheel::SecondHighest }))
}

/// Compares the sum with the listed pairs. Both sides share one table if `dealers` is `None`.
fn check(deck: Deck, players: Values, dealers: Option<Values>) {
    let high_cards = high_cards();
    let table = players.table(deck);
    let (summed, expected) = match dealers {
        None => (sum(deck, &table, &table, &high_cards, QUIET), count_pairs(deck, players, players)),
        Some(dealers) => {
            (sum(deck, &table, &dealers.table(deck), &high_cards, QUIET), count_pairs(deck, players, dealers))
        }
    };
    assert_eq!(summed.game(deck), expected, "{deck:?}, {players:?} against {dealers:?}");
    let all = expected.compared.as_flattened().iter().sum::<i128>() + expected.dealer_push;
    assert_eq!(all, deck.deals(), "{deck:?}");
}

/// Covers all decks on which listing every pair of hands is fast.
///
/// With hands of at most three cards, `sum_over_sets` lists the hands of every set. From four cards up, it counts the
/// hands of the smallest sets by strengths, as in the game.
#[test]
fn sum_matches_listed_pairs_on_small_decks() {
    let mut seed = 0;
    for (ranks, hands) in [(1, 1..=2), (2, 1..=4), (3, 1..=5), (4, 1..=4)] {
        for hand in hands {
            let deck = Deck { ranks, hand };
            for spread in [Spread::Wide, Spread::Narrow, Spread::NoPair, Spread::One] {
                for pushes in [Pushes::Never, Pushes::OneInFour, Pushes::Always] {
                    seed += 2;
                    let one = Values::new(seed, spread, pushes);
                    check(deck, one, None);
                    check(deck, one, Some(Values::new(seed + 1, spread, pushes)));
                }
            }
        }
    }
}

/// The two sides have different distributions. The push flag counts only for the dealer's hand.
#[test]
fn sum_matches_listed_pairs_with_different_sides() {
    let deck = Deck { ranks: 3, hand: 5 };
    let wide = Values::new(1, Spread::Wide, Pushes::Always);
    let narrow = Values::new(2, Spread::Narrow, Pushes::Never);
    let low = Values::new(3, Spread::NoPair, Pushes::OneInFour);
    for (player, dealer) in [(wide, narrow), (narrow, wide), (wide, low), (low, narrow), (narrow, low)] {
        check(deck, player, Some(dealer));
    }
}

/// Larger decks, with few distributions to keep the test fast.
#[test]
fn sum_matches_listed_pairs_on_larger_decks() {
    let narrow = |seed| Values::new(seed, Spread::Narrow, Pushes::OneInFour);
    let no_pair = |seed| Values::new(seed, Spread::NoPair, Pushes::OneInFour);
    let wide = |seed| Values::new(seed, Spread::Wide, Pushes::Never);
    check(Deck { ranks: 3, hand: 6 }, narrow(0), Some(wide(1)));
    check(Deck { ranks: 4, hand: 5 }, narrow(1), None);
    check(Deck { ranks: 4, hand: 6 }, no_pair(2), None);
    check(Deck { ranks: 4, hand: 7 }, no_pair(3), Some(narrow(4)));
    check(Deck { ranks: 4, hand: 7 }, wide(5), None);
    check(Deck { ranks: 5, hand: 3 }, wide(6), Some(no_pair(7)));
    check(Deck { ranks: 5, hand: 4 }, no_pair(8), None);
}

/// Two hands of five from nine cards always share a card, so there are no pairs and the sum must be zero.
#[test]
fn sum_is_zero_on_a_deck_too_small_for_two_hands() {
    let deck = Deck { ranks: 2, hand: 5 };
    assert_eq!(deck.deals(), 0);
    let table = Values::new(9, Spread::Wide, Pushes::OneInFour).table(deck);
    assert_eq!(sum(deck, &table, &table, &high_cards(), QUIET).game(deck), BaseGame::default());
}

/// The table of hands holds each hand's own value, and every hand that contains a set is visited once.
#[test]
fn hand_table_matches_listed_hands() {
    // Values that rarely coincide for hands of different suit classes.
    let values = Values::new(10, Spread::Wide, Pushes::OneInFour);
    for deck in [Deck { ranks: 3, hand: 5 }, Deck { ranks: 4, hand: 3 }, Deck { ranks: 5, hand: 4 }] {
        let table = values.table(deck);
        let listed = values.list(deck);
        for size in 0..=deck.hand {
            deck.classes(size).for_each(|set, _| {
                let mut visited = Vec::new();
                table.for_each_containing(&deck.card_indices(set), |value| visited.push(value));
                let joker = u32::from(set.cards().has_joker());
                let mask = Suit::ALL
                    .into_iter()
                    .rev()
                    .fold(joker, |mask, suit| mask << deck.ranks | u32::from(set.cards().suit_mask(suit)));
                let mut expected: Vec<u32> = listed
                    .iter()
                    .filter(|(hand, _)| hand & mask == mask)
                    .map(|&(_, (high, low, pushes))| SetHand::new(high, low, pushes).0)
                    .collect();
                assert_eq!(visited.len() as u64, deck.hands_containing(size));
                visited.sort_unstable();
                expected.sort_unstable();
                assert_eq!(visited, expected, "{deck:?} containing {}", set.cards());
            });
        }
    }
}
