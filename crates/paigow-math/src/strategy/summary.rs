//! What the best strategy comes to, and what each house way gives away beside it.

use super::Strategy;
use crate::{DEALER_HANDS, DEALS, Fraction, Outcomes};
use rayon::prelude::*;
use std::cmp::Reverse;

/// The best strategy and the house ways beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrategySummary {
    /// What becomes of a wager where every hand is set best.
    pub best: Outcomes,
    /// The house ways, in the order they were given.
    pub ways: Vec<HouseWaySummary>,
}

/// A house way beside the best strategy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HouseWaySummary {
    /// What becomes of a wager where the player sets so.
    pub outcomes: Outcomes,
    /// The hands it sets worse than they could be set.
    pub hands_set_differently: u64,
    /// The classes of hands with which it gives most away, the worst first.
    pub costliest: Vec<CostlyHand>,
}

/// A class of hands that a house way sets worse than it could be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CostlyHand {
    /// One of the hands.
    pub cards: String,
    /// How it is set, the low hand first.
    pub house_way: String,
    /// How it would be set best.
    pub best: String,
    /// What that costs, in ten thousandths of a wager and summed over all dealer's hands.
    pub cost: i64,
    /// How many hands are like it.
    pub hands: u64,
}

impl CostlyHand {
    /// What the setting costs, as a part of a wager.
    pub fn part(&self) -> Fraction {
        Fraction::new(self.cost, DEALER_HANDS * 10_000)
    }
}

impl StrategySummary {
    /// How many of the costliest hands are kept.
    pub const COSTLIEST: usize = 100;

    pub(super) fn of(strategy: &Strategy) -> StrategySummary {
        let ways = (0..strategy.choices.len()).map(|way| HouseWaySummary::of(strategy, way)).collect();
        StrategySummary { best: outcomes(strategy, None), ways }
    }
}

impl HouseWaySummary {
    fn of(strategy: &Strategy, way: usize) -> HouseWaySummary {
        let mut costs: Vec<(i64, usize)> = (0..strategy.len())
            .into_par_iter()
            .map(|place| (strategy.hand(place).cost(way), place))
            .filter(|(cost, _)| *cost > 0)
            .collect();
        let hands_set_differently = costs.iter().map(|(_, place)| strategy.hand(*place).weight()).sum();
        costs.sort_unstable_by_key(|(cost, place)| (Reverse(*cost), *place));
        costs.truncate(StrategySummary::COSTLIEST);
        let costliest = costs.into_iter().map(|(cost, place)| {
            let hand = strategy.hand(place);
            CostlyHand {
                cards: hand.hand().to_string(),
                house_way: hand.setting_of(way).0.to_string(),
                best: hand.best_setting().0.to_string(),
                cost,
                hands: hand.weight(),
            }
        });
        HouseWaySummary {
            outcomes: outcomes(strategy, Some(way)),
            hands_set_differently,
            costliest: costliest.collect(),
        }
    }
}

/// What becomes of a wager where hands are set by a house way, or best.
fn outcomes(strategy: &Strategy, way: Option<usize>) -> Outcomes {
    let (win, lose) = (0..strategy.len())
        .into_par_iter()
        .map(|place| {
            let hand = strategy.hand(place);
            let (_, worth) = way.map_or_else(|| hand.best(), |way| hand.chosen(way));
            let weight = i128::from(hand.weight());
            (i128::from(worth.win) * weight, i128::from(worth.lose) * weight)
        })
        .reduce(|| (0, 0), |one, other| (one.0 + other.0, one.1 + other.1));
    Outcomes { win, push: DEALS - win - lose, lose }
}
