//! Summary of the best strategy, and the cost of each house way against it.

use super::Strategy;
use crate::{DEALER_HANDS, DEALS, Fraction, Outcomes};
use rayon::prelude::*;
use std::cmp::Reverse;

/// Outcomes of the best strategy and of the house ways.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrategySummary {
    /// Outcomes of a player who sets every hand in the best way.
    pub best: Outcomes,
    /// The house ways, in the order of the arguments.
    pub ways: Vec<HouseWaySummary>,
}

/// A house way compared with the best strategy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HouseWaySummary {
    /// Outcomes of a player who sets by this house way.
    pub outcomes: Outcomes,
    /// Number of hands that the house way sets worse than the best setting.
    pub hands_set_differently: u64,
    /// The classes of hands with the highest cost, in descending order of cost.
    pub costliest: Vec<CostlyHand>,
}

/// A class of hands that a house way sets worse than the best setting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CostlyHand {
    /// A representative hand of the class.
    pub cards: String,
    /// The house way's setting, the low hand first.
    pub house_way: String,
    /// The best setting, the low hand first.
    pub best: String,
    /// Cost in ten-thousandths of a wager, summed over all dealer's hands.
    pub cost: i64,
    /// Number of hands in the class.
    pub hands: u64,
}

impl CostlyHand {
    /// Cost of the setting, as a part of the wager.
    pub fn part(&self) -> Fraction {
        Fraction::new(self.cost, DEALER_HANDS * 10_000)
    }
}

impl StrategySummary {
    /// Maximum number of classes in [`HouseWaySummary::costliest`].
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
            .map(|index| (strategy.hand(index).cost(way), index))
            .filter(|(cost, _)| *cost > 0)
            .collect();
        let hands_set_differently = costs.iter().map(|(_, index)| strategy.hand(*index).weight()).sum();
        costs.sort_unstable_by_key(|(cost, index)| (Reverse(*cost), *index));
        costs.truncate(StrategySummary::COSTLIEST);
        let costliest = costs.into_iter().map(|(cost, index)| {
            let hand = strategy.hand(index);
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

/// Outcomes of a player who sets by a house way, or in the best way if `way` is `None`.
fn outcomes(strategy: &Strategy, way: Option<usize>) -> Outcomes {
    let (win, lose) = (0..strategy.len())
        .into_par_iter()
        .map(|index| {
            let hand = strategy.hand(index);
            let (_, worth) = way.map_or_else(|| hand.best(), |way| hand.chosen(way));
            let weight = i128::from(hand.weight());
            (i128::from(worth.win) * weight, i128::from(worth.lose) * weight)
        })
        .reduce(|| (0, 0), |one, other| (one.0 + other.0, one.1 + other.1));
    Outcomes { win, push: DEALS - win - lose, lose }
}
