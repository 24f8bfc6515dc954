//! Counts the base game by sets of cards, with the setting of every hand in a table.
//!
//! The inclusion-exclusion sum runs over one set S of each suit class. For each S, the table lists the hands that
//! contain S. The method assumes nothing about how hands are set, except that suits may be relabeled.

use super::pairs::{HighCards, Pairs};
use super::{Matchup, NoPair};
use crate::SuitClasses;
use crate::deck::Deck;
use crate::dominance::{ANY_LOW, Dominance, WIDTH};
use crate::hand_table::HandTable;
use crate::progress::Progress;
use crate::set_hand::{HandSetter, SetHand};
use paigow::{Evaluator, HighStrength, PartialHand, Rank};
use rayon::prelude::*;
use std::ops::Add;

#[cfg(test)]
mod small_decks;

/// Units of work that [`pairs`] reports: for one set of each suit class of fewer than seven cards, the hands that contain
/// it.
pub(super) const WORK: u64 = {
    let mut work = 0;
    let mut size = 0;
    while size < Deck::PAI_GOW.hand {
        work += SuitClasses::COUNTS[size] * Deck::PAI_GOW.hands_containing(size);
        size += 1;
    }
    work
};

/// Number of pairs of hands without a common card.
pub(super) fn pairs(matchup: &Matchup<'_>, progress: Progress<'_>) -> Pairs {
    let deck = Deck::PAI_GOW;
    let table = |way| {
        let setter = HandSetter::new(way, matchup.ranking, matchup.dealer_push);
        HandTable::build(deck, |hand: PartialHand| setter.set(hand.complete()).0, progress)
    };
    let dealers = table(matchup.dealer);
    let players = (matchup.player.rules() != matchup.dealer.rules()).then(|| table(matchup.player));
    let high_cards = HighCards::new(Evaluator::of(matchup.ranking));
    sum(deck, players.as_ref().unwrap_or(&dealers), &dealers, &high_cards, progress)
}

/// Computes the inclusion-exclusion sum.
fn sum(
    deck: Deck,
    players: &HandTable,
    dealers: &HandTable,
    high_cards: &HighCards,
    progress: Progress<'_>,
) -> Pairs {
    let tables = HandTables { deck, players, dealers, high_cards };
    let mut sum = Pairs::default();
    for size in 0..=deck.hand {
        let sign = if size % 2 == 0 { 1 } else { -1 };
        sum = sum + tables.sum_over_sets(size, progress) * sign;
    }
    sum
}

/// The settings of all hands on both sides.
struct HandTables<'a> {
    deck: Deck,
    players: &'a HandTable,
    /// The same table as `players` if both sides use the same house way.
    dealers: &'a HandTable,
    high_cards: &'a HighCards,
}

impl HandTables<'_> {
    fn is_shared(&self) -> bool {
        std::ptr::eq(self.players, self.dealers)
    }

    /// Sums the pairs over all sets of `size` cards: one set of each suit class, weighted.
    fn sum_over_sets(&self, size: usize, progress: Progress<'_>) -> Pairs {
        if size == self.deck.hand {
            return self.pairs_of_equal_hands();
        }
        let mut sets: Vec<(PartialHand, u64)> = Vec::new();
        self.deck.classes(size).for_each(|set, weight| sets.push((set, weight)));
        // Sets of up to three of seven cards are in so many hands that counting by strengths is faster. Larger sets are
        // in few enough hands to list them.
        let many = size + 4 <= self.deck.hand;
        let chunk = if many { 1 } else { 64 };
        sets.par_chunks(chunk)
            .fold(
                || (HandsOfSide::default(), HandsOfSide::default(), Dominance::new(), Pairs::default()),
                |(mut players, mut dealers, mut dominance, mut sum), chunk| {
                    progress(0);
                    for (set, weight) in chunk {
                        let set = self.deck.card_indices(*set);
                        let pairs = if many {
                            self.pairs_by_strength(&set, &mut players, &mut dealers, &mut dominance)
                        } else {
                            self.pairs_by_hand(&set, &mut players.hands, &mut dealers.hands, &mut dominance)
                        };
                        sum = sum + pairs * i128::from(*weight);
                    }
                    progress(chunk.len() as u64 * self.deck.hands_containing(size));
                    (players, dealers, dominance, sum)
                },
            )
            .map(|(_, _, _, sum)| sum)
            .reduce(Pairs::default, Add::add)
    }

    /// Pairs of two hands with the same cards.
    fn pairs_of_equal_hands(&self) -> Pairs {
        self.deck.classes(self.deck.hand).fold(
            Pairs::default,
            |sum, hand, weight| {
                let index = self.deck.hand_index(hand);
                sum.add_one(
                    SetHand(self.players.get(index)),
                    SetHand(self.dealers.get(index)),
                    i128::from(weight),
                    self.high_cards,
                );
            },
            Add::add,
        )
    }

    /// Pairs of hands that contain a set, counted by strengths.
    fn pairs_by_strength(
        &self,
        set: &[usize],
        players: &mut HandsOfSide,
        dealers: &mut HandsOfSide,
        below: &mut Dominance,
    ) -> Pairs {
        players.count(self.players, set);
        let dealers = if self.is_shared() { &*players } else { dealers.count(self.dealers, set) };
        below.clear();
        below.add_all(&dealers.counts);
        let pushing = dealers.pushing.iter();
        pushing.for_each(|hand| below.add(*hand, u32::MAX)); // removes one hand
        below.compute_sums();

        let mut tally = PairTally::new(below, self.high_cards, dealers.pushing.len());
        for (high, row) in players.counts.chunks_exact(WIDTH).enumerate() {
            for (low, hands) in row.iter().enumerate().filter(|(_, hands)| **hands > 0) {
                tally.add(high, low, u64::from(*hands));
            }
        }
        tally.pairs()
    }

    /// Pairs of hands that contain a set, counted hand by hand.
    fn pairs_by_hand(
        &self,
        set: &[usize],
        players: &mut Vec<SetHand>,
        dealers: &mut Vec<SetHand>,
        below: &mut Dominance,
    ) -> Pairs {
        players.clear();
        self.players.for_each_containing(set, |value| players.push(SetHand(value)));
        dealers.clear();
        if self.is_shared() {
            dealers.extend_from_slice(players);
        } else {
            self.dealers.for_each_containing(set, |value| dealers.push(SetHand(value)));
        }
        let all = dealers.len();
        dealers.retain(|hand| !hand.pushes());
        below.clear_for(players.iter().chain(&*dealers).copied());
        for hand in &*dealers {
            below.add(*hand, 1);
        }
        below.compute_sums();

        let mut tally = PairTally::new(below, self.high_cards, all - dealers.len());
        for hand in players {
            tally.add(hand.high(), hand.low(), 1);
        }
        tally.pairs()
    }
}

/// The hands of one side that contain a set.
#[derive(Default)]
struct HandsOfSide {
    /// Number of hands with each pair of strengths, a row of [`WIDTH`] counts for each high-hand strength.
    counts: Vec<u32>,
    /// Hands that make wagers push.
    pushing: Vec<SetHand>,
    /// All hands, for the count hand by hand.
    hands: Vec<SetHand>,
}

impl HandsOfSide {
    fn count(&mut self, table: &HandTable, set: &[usize]) -> &HandsOfSide {
        self.counts.clear();
        self.counts.resize(HighStrength::COUNT * WIDTH, 0);
        self.pushing.clear();
        table.for_each_containing(set, |value| {
            let hand = SetHand(value);
            self.counts[hand.high() * WIDTH + hand.low()] += 1;
            if hand.pushes() {
                self.pushing.push(hand);
            }
        });
        self
    }
}

/// Running counts of the pairs for one set, while players' hands are compared with the dealer's hands.
struct PairTally<'a> {
    /// The dealer's hands.
    below: &'a Dominance,
    high_cards: &'a HighCards,
    /// Number of dealer's hands that make wagers push.
    pushing: u64,
    /// Players' hands by low-hand strength.
    low_counts: [u64; WIDTH],
    /// Pairs in which the dealer's high hand is lower, or not higher. For each: its low hand is lower, not higher, any.
    cumulative: [[u64; 3]; 2],
    /// By the highest card of a player's high hand without a pair: the players' hands, and the pairs in which the
    /// dealer's high hand is lower.
    no_pair: [(u64, u64); Rank::ALL.len()],
}

impl<'a> PairTally<'a> {
    fn new(below: &'a Dominance, high_cards: &'a HighCards, pushing: usize) -> PairTally<'a> {
        PairTally {
            below,
            high_cards,
            pushing: pushing as u64,
            low_counts: [0; WIDTH],
            cumulative: [[0; 3]; 2],
            no_pair: [(0, 0); Rank::ALL.len()],
        }
    }

    /// Adds `hands` players' hands of these strengths.
    fn add(&mut self, high: usize, low: usize, hands: u64) {
        let row = self.below.row(high);
        let lower = self.below.sums(row);
        let not_higher = self.below.sums(row + 1);
        for (sums, dealers) in self.cumulative.iter_mut().zip([lower, not_higher]) {
            sums[0] += hands * u64::from(dealers[low]);
            sums[1] += hands * u64::from(dealers[low + 1]);
            sums[2] += hands * u64::from(dealers[ANY_LOW]);
        }
        self.low_counts[low] += hands;
        if let Some(rank) = self.high_cards.ranks.get(high) {
            let (players, beaten) = &mut self.no_pair[rank.index()];
            *players += hands;
            *beaten += hands * u64::from(lower[ANY_LOW]);
        }
    }

    fn pairs(&self) -> Pairs {
        let players = self.low_counts.iter().sum::<u64>();
        // Players' hands that are higher than every hand without a pair of the current highest card.
        let mut higher = players;
        let mut no_pair = [NoPair::default(); Rank::ALL.len()];
        for ((pairs, (same, beaten)), (first, after)) in
            no_pair.iter_mut().zip(self.no_pair).zip(self.high_cards.strengths)
        {
            higher -= same;
            let lower = u64::from(self.below.below(first, ANY_LOW));
            let dealers = u64::from(self.below.below(after, ANY_LOW)) - lower;
            pairs.deals = i128::from(players * dealers);
            pairs.beaten = i128::from(higher * dealers + beaten - same * lower);
        }
        let dealers = self.below.totals();
        let mut any = [0, 0, players * u64::from(dealers[ANY_LOW])];
        for ((low, hands), lower) in
            self.low_counts.iter().enumerate().zip(dealers).filter(|((_, hands), _)| **hands > 0)
        {
            any[0] += hands * u64::from(*lower);
            any[1] += hands * u64::from(dealers[low + 1]);
        }
        let [lower, not_higher] = self.cumulative;
        Pairs {
            pushes: i128::from(players * self.pushing),
            cumulative: [lower, not_higher, any].map(|row| row.map(i128::from)),
            no_pair,
        }
    }
}
