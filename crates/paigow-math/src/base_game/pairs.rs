//! Counts of pairs of a player's and a dealer's hand, while they are summed.

use super::{BaseGame, NoPair};
use crate::deck::Deck;
use crate::set_hand::SetHand;
use paigow::{Category, Evaluator, HighStrength, Rank};
use std::ops::{Add, Mul};

/// The highest card of five cards without a pair, by strength.
pub(super) struct HighCards {
    /// Highest rank of each strength below a pair.
    pub(super) ranks: Vec<Rank>,
    /// For each rank, its range of strengths: the first, and the one after the last.
    pub(super) strengths: [(usize, usize); Rank::ALL.len()],
}

impl HighCards {
    pub(super) fn new(evaluator: &Evaluator) -> HighCards {
        let no_pair = HighStrength::all().take_while(|strength| strength.category() == Category::HighCard);
        let ranks: Vec<Rank> = no_pair.map(|strength| evaluator.shape(strength).ranks[0]).collect();
        let first = |rank: Rank| ranks.partition_point(|other| *other < rank);
        let after = |rank: Rank| ranks.partition_point(|other| *other <= rank);
        let strengths = Rank::ALL.map(|rank| (first(rank), after(rank)));
        HighCards { ranks, strengths }
    }
}

/// Counts of pairs of hands that contain a set S, or sums of such counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Pairs {
    /// Pairs in which the dealer's hand makes wagers push.
    pub(super) pushes: i128,
    /// Other pairs, by the dealer's high hand and then its low hand, relative to the player's: lower, not higher, any.
    pub(super) cumulative: [[i128; 3]; 3],
    pub(super) no_pair: [NoPair; Rank::ALL.len()],
}

impl Add for Pairs {
    type Output = Pairs;

    fn add(self, other: Pairs) -> Pairs {
        let no_pair = std::array::from_fn(|rank| NoPair {
            deals: self.no_pair[rank].deals + other.no_pair[rank].deals,
            beaten: self.no_pair[rank].beaten + other.no_pair[rank].beaten,
        });
        let cumulative = std::array::from_fn(|high| {
            std::array::from_fn(|low| self.cumulative[high][low] + other.cumulative[high][low])
        });
        Pairs { pushes: self.pushes + other.pushes, cumulative, no_pair }
    }
}

impl Mul<i128> for Pairs {
    type Output = Pairs;

    fn mul(self, times: i128) -> Pairs {
        self.map(|count| count * times)
    }
}

impl Pairs {
    /// Changes every count.
    pub(super) fn map(self, change: impl Fn(i128) -> i128) -> Pairs {
        Pairs {
            pushes: change(self.pushes),
            cumulative: self.cumulative.map(|row| row.map(&change)),
            no_pair: self
                .no_pair
                .map(|pairs| NoPair { deals: change(pairs.deals), beaten: change(pairs.beaten) }),
        }
    }

    /// Adds one pair of hands `weight` times.
    pub(super) fn add_one(&mut self, player: SetHand, dealer: SetHand, weight: i128, high_cards: &HighCards) {
        if dealer.pushes() {
            self.pushes += weight;
            return;
        }
        let high = [dealer.high() < player.high(), dealer.high() <= player.high(), true];
        let low = [dealer.low() < player.low(), dealer.low() <= player.low(), true];
        for (sums, _) in self.cumulative.iter_mut().zip(high).filter(|(_, high)| *high) {
            for (sum, _) in sums.iter_mut().zip(low).filter(|(_, low)| *low) {
                *sum += weight;
            }
        }
        if let Some(rank) = high_cards.ranks.get(dealer.high()) {
            let pairs = &mut self.no_pair[rank.index()];
            pairs.deals += weight;
            pairs.beaten += if high[0] { weight } else { 0 };
        }
    }

    /// Converts the complete sum into a game.
    pub(super) fn game(&self, deck: Deck) -> BaseGame {
        let between = |from: [i128; 3], to: [i128; 3]| [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
        let [lower, not_higher, all] = self.cumulative;
        let rows = [lower, between(lower, not_higher), between(not_higher, all)];
        let compared = rows.map(|[lower, not_higher, all]| [lower, not_higher - lower, all - not_higher]);
        let counted = compared.as_flattened().iter().sum::<i128>() + self.pushes;
        assert!(
            counted == deck.deals() && compared.as_flattened().iter().all(|deals| *deals >= 0),
            "the counted pairs are not all pairs: {self:?}"
        );
        BaseGame { compared, dealer_push: self.pushes, no_pair: self.no_pair }
    }
}
