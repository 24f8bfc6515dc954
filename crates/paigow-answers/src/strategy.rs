//! The best setting of every hand, its house edge, and the cost of house ways.

mod cached_summary;

use crate::exact::decimal_and_exact;
use crate::odds::OutcomeOdds;
use crate::question::QuestionContext;
use crate::{CacheKey, Decimal, Exact, Faults, ValueChanges, Work};
use paigow::rulebook::{BookSource, BuiltIn};
use paigow::{HandClass, HouseWay, Rulebook};
use paigow_math::{
    BaseOdds, CostlyHand, DEALS, Fraction, HouseWaySummary, Opposition, Outcomes, Strategy, StrategySummary,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// Question for the best strategy under the rules of a book.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrategyQuestion {
    /// Name of a rule book.
    pub book: String,
    /// House way of the dealer. Default: that of the book.
    #[serde(default)]
    pub house_way: Option<String>,
    /// Values of the book replaced for this question.
    #[serde(default)]
    pub changes: ValueChanges,
    /// Maximum number of costliest hands of each house way.
    #[serde(default = "default_top")]
    pub top: u8,
}

/// Default number of costliest hands.
fn default_top() -> u8 {
    10
}

/// The best strategy, and the house ways compared with it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StrategyAnswer {
    /// Id of the book.
    pub book: String,
    /// House way of the dealer.
    pub house_way: String,
    /// Number of all deals of a player's and a dealer's hand.
    pub deals: i64,
    /// Odds of a player who sets every hand in the best way.
    #[serde(flatten)]
    pub best: OutcomeOdds,
    /// Number of hands that the dealer's house way sets worse than the best setting.
    pub hands_set_differently: u64,
    /// Classes of hands that the dealer's house way sets at the highest cost.
    pub costliest: Vec<CostlyClass>,
    /// The dealer's house way, then the other built-in ones.
    pub house_ways: Vec<StrategyWay>,
}

/// A house way compared with the best strategy.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StrategyWay {
    /// Odds of a player who sets by the house way.
    #[serde(flatten)]
    pub odds: OutcomeOdds,
    /// Id of the house way.
    pub house_way: String,
    /// Number of hands that it sets worse than the best setting.
    pub hands_set_differently: u64,
    /// Expected value given away against the best strategy, as a fraction of the wager.
    pub cost: Decimal,
    /// The cost as an exact fraction.
    pub cost_exact: Exact,
    /// Classes of hands that it sets at the highest cost.
    pub costliest: Vec<CostlyClass>,
}

/// A class of hands that a house way sets worse than the best setting.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CostlyClass {
    /// A representative hand.
    pub cards: String,
    /// The house way's setting, the low hand first.
    pub house_way: String,
    /// The best setting, the low hand first.
    pub best: String,
    /// Cost of the setting as a fraction of the wager.
    pub cost: Decimal,
    /// The cost as an exact fraction.
    pub cost_exact: Exact,
    /// Number of hands in the class.
    pub hands: u64,
}

/// A question with its book and house ways loaded.
pub struct StrategyRequest {
    /// The book, with the requested house way of the dealer.
    pub book: Rulebook,
    /// The dealer's house way, then the other built-in ones.
    pub ways: Vec<Arc<HouseWay>>,
    top: usize,
}

impl StrategyRequest {
    /// Loads the book and the house ways of a question.
    ///
    /// # Errors
    /// All faults of the question.
    pub fn of(question: &StrategyQuestion, book_source: &dyn BookSource) -> Result<StrategyRequest, Faults> {
        let mut context = QuestionContext::new(book_source);
        let book = context.book(&question.book, &question.changes);
        let dealer = context.house_way(question.house_way.as_deref(), "house_way");
        let mut built_in = QuestionContext::new(&BuiltIn);
        let others: Vec<Arc<HouseWay>> =
            BuiltIn::house_way_names().filter_map(|name| built_in.house_way(Some(name), name)).collect();
        context.faults.faults.append(&mut built_in.faults.faults);
        let mut book = context.faults.into_result(book)?;
        if let Some(way) = dealer {
            book.house_way = way;
        }
        let mut ways = vec![book.house_way.clone()];
        ways.extend(others.into_iter().filter(|way| way.rules() != book.house_way.rules()));
        Ok(StrategyRequest { book, ways, top: usize::from(question.top) })
    }

    /// Returns the rules and the dealer that the player sets against.
    pub fn opposition(&self) -> Opposition<'_> {
        Opposition::of(&self.book, &self.book.house_way)
    }

    /// Computes the worth of the candidate settings of every hand.
    pub fn compute(&self, work: &Work) -> Strategy {
        let ways: Vec<&HouseWay> = self.ways.iter().map(|way| &**way).collect();
        work.with_progress("best settings", Strategy::WORK, |progress| {
            Strategy::of(&self.opposition(), &ways, progress)
        })
    }

    /// Computes the answer, or reads its summary from the cache.
    pub fn answer(&self, work: &Work) -> StrategyAnswer {
        let read = |value: &Value| cached_summary::read(value, self.ways.len());
        let summary = work.cached(&self.key(), read, cached_summary::write, || self.compute(work).summary());
        self.answer_of(&summary)
    }

    /// Returns the answer for a strategy that was computed by these rules, and caches its summary.
    pub fn answer_for(&self, strategy: &Strategy, work: &Work) -> StrategyAnswer {
        let summary = work.cached(&self.key(), |_| None, cached_summary::write, || strategy.summary());
        self.answer_of(&summary)
    }

    /// Returns the cache key, made of all inputs of the result.
    fn key(&self) -> CacheKey {
        let against = self.opposition();
        let push: Vec<&str> = against.dealer_push.iter().copied().map(HandClass::name).collect();
        let mut inputs = vec![
            against.dealer.rules(),
            against.ranking.to_string(),
            push.join(" "),
            against.copies.name().to_owned(),
            against.commission.to_string(),
        ];
        inputs.extend(self.ways.iter().map(|way| way.rules()));
        CacheKey::of("strategy", &inputs.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn answer_of(&self, summary: &StrategySummary) -> StrategyAnswer {
        let commission = || Fraction::new(self.book.commission.basis_points, 10_000);
        let odds = |outcomes: Outcomes| BaseOdds { outcomes, commission: commission() };
        let best = odds(summary.best);
        let costliest =
            |way: &HouseWaySummary| way.costliest.iter().take(self.top).map(CostlyClass::of).collect();
        let ways = self.ways.iter().zip(&summary.ways).map(|(way, summary)| {
            let odds = odds(summary.outcomes);
            let (cost, cost_exact) = decimal_and_exact(odds.edge() - best.edge());
            StrategyWay {
                odds: OutcomeOdds::of(&odds),
                house_way: way.id().to_owned(),
                hands_set_differently: summary.hands_set_differently,
                cost,
                cost_exact,
                costliest: costliest(summary),
            }
        });
        let house_ways: Vec<StrategyWay> = ways.collect();
        StrategyAnswer {
            book: self.book.id.clone(),
            house_way: self.book.house_way.id().to_owned(),
            deals: DEALS as i64,
            best: OutcomeOdds::of(&best),
            hands_set_differently: house_ways[0].hands_set_differently,
            costliest: house_ways[0].costliest.clone(),
            house_ways,
        }
    }
}

impl CostlyClass {
    fn of(costly: &CostlyHand) -> CostlyClass {
        let (cost, cost_exact) = decimal_and_exact(costly.part());
        CostlyClass {
            cards: costly.cards.clone(),
            house_way: costly.house_way.clone(),
            best: costly.best.clone(),
            cost,
            cost_exact,
            hands: costly.hands,
        }
    }
}
