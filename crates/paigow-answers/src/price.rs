//! Price of house ways: their edge, their cost against best play, and the part of each clause.

use crate::exact::decimal_and_exact;
use crate::odds::OutcomeOdds;
use crate::priced_game::{GameQuestion, PricedGame};
use crate::question::QuestionContext;
use crate::{CardText, Decimal, Exact, Fault, Faults, ValueChanges, Work};
use paigow::rulebook::BookSource;
use paigow::{FiveCards, HouseWay, SevenCards, TwoCards};
use paigow_math::{ClausePrice, CostlyKind, Price, TableSide, WorthTable};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Maximum number of house ways in a question.
const WAYS_MAX: usize = 16;
/// Number of costliest kinds of hands in an answer.
pub const COSTLIEST: usize = 10;

/// Question for the price of house ways.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PriceQuestion {
    /// Name of a rule book.
    pub book: String,
    /// House ways to price: names.
    #[schema(max_items = 16)]
    pub house_ways: Vec<String>,
    /// House way of the other side. Default: that of the book.
    pub against: Option<String>,
    /// Side that sets by the house ways: `player`, `banker` or `dealer`, if the book has it. Default: `player`.
    pub side: Option<String>,
    /// Values of the book replaced for this question.
    #[serde(default)]
    pub changes: ValueChanges,
}

/// Prices of house ways.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct PriceAnswer {
    /// Id of the book.
    pub book: String,
    /// Side that sets by the house ways: `player`, `banker` or `dealer`.
    pub side: &'static str,
    /// House way of the other side.
    pub against: String,
    /// Odds if every hand is set in the best way.
    pub best: OutcomeOdds,
    /// The edge of best play as an exact fraction.
    pub best_edge_exact: Exact,
    /// The house ways, in the order of the question.
    pub ways: Vec<PricedWay>,
}

/// A house way in the answer, under the keys that scripts rely on, with its price.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct PricedWay {
    /// Id of the house way.
    pub way: String,
    /// Number of clauses.
    pub lines: usize,
    /// Expected value given away against best play, as a fraction of the wager.
    pub gives_away: Decimal,
    /// The value given away as an exact fraction.
    pub gives_away_exact: Exact,
    /// The price.
    #[serde(flatten)]
    pub price: HouseWayPrice,
}

/// Price of a house way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct HouseWayPrice {
    /// Id of the house way.
    pub house_way: String,
    /// Title for display.
    pub title: String,
    /// Odds of the side that sets by the house way. `edge` is the house edge. For a banking seat it is the expected
    /// loss of the seat against one player, whose commission is on the win of that hand.
    #[serde(flatten)]
    pub odds: OutcomeOdds,
    /// Expected value given away against best play, as a fraction of the wager.
    pub cost: Decimal,
    /// The cost as an exact fraction.
    pub cost_exact: Exact,
    /// Number of hands that have a better setting, out of 154,143,080.
    pub hands_set_worse: u64,
    /// The clauses, in order.
    pub clauses: Vec<ClauseCost>,
    /// Kinds of hands with the largest parts in the cost.
    pub costliest: Vec<CostlyHands>,
}

/// Part of a clause in the price of a house way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct ClauseCost {
    /// Condition on the hand.
    pub when: String,
    /// Allowed settings.
    pub set: Vec<String>,
    /// Number of hands that the clause decides.
    pub hands: u64,
    /// Number of these hands that have a better setting.
    pub hands_set_worse: u64,
    /// Expected value given away on these hands, as a fraction of the wager.
    pub cost: Decimal,
    /// The cost as an exact fraction.
    pub cost_exact: Exact,
    /// Additional cost without the clause. `null` for the last clause, which must stay.
    #[schema(required)]
    pub removed: Option<Decimal>,
    /// Additional cost if the clause changes places with the next one. `null` for the last two clauses.
    #[schema(required)]
    pub swapped: Option<Decimal>,
}

/// A kind of hands that a house way sets at a cost.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct CostlyHands {
    /// A representative hand.
    #[schema(value_type = String, example = "As Kd Tc 9h 2s 2d Jk")]
    pub cards: CardText<SevenCards>,
    /// Number of hands of this kind.
    pub hands: u32,
    /// Number of the clause that decides, from 1.
    pub clause: usize,
    /// The house way's low hand.
    #[schema(value_type = String)]
    pub low: CardText<TwoCards>,
    /// The house way's high hand.
    #[schema(value_type = String)]
    pub high: CardText<FiveCards>,
    /// Low hand of the best setting.
    #[schema(value_type = String)]
    pub best_low: CardText<TwoCards>,
    /// High hand of the best setting.
    #[schema(value_type = String)]
    pub best_high: CardText<FiveCards>,
    /// Value given away on such a hand, on average, as a fraction of the wager.
    pub cost: Decimal,
    /// Part in the cost of the house way.
    pub part: Decimal,
}

/// A question with its book and house ways loaded.
pub struct PriceRequest {
    /// The rules and the opponent.
    pub game: PricedGame,
    ways: Vec<Arc<HouseWay>>,
}

/// Prices house ways.
///
/// # Errors
/// All faults of the question.
pub fn answer(
    question: &PriceQuestion,
    book_source: &dyn BookSource,
    work: &Work,
) -> Result<PriceAnswer, Faults> {
    Ok(PriceRequest::of(question, book_source)?.answer(work))
}

impl PriceRequest {
    /// Loads the book and the house ways of a question.
    ///
    /// # Errors
    /// All faults of the question.
    pub fn of(question: &PriceQuestion, book_source: &dyn BookSource) -> Result<PriceRequest, Faults> {
        let mut context = QuestionContext::new(book_source);
        let game = context.priced_game(&GameQuestion {
            book: &question.book,
            changes: &question.changes,
            against: question.against.as_deref(),
            side: question.side.as_deref(),
            default_side: TableSide::Player,
        });
        if question.house_ways.is_empty() || question.house_ways.len() > WAYS_MAX {
            let message =
                format!("{} house ways: from 1 to {WAYS_MAX} are allowed", question.house_ways.len());
            context.faults.push(Fault::new("bad_house_ways", "house_ways", message));
        }
        let names = question.house_ways.iter().take(WAYS_MAX).enumerate();
        let ways: Vec<Arc<HouseWay>> = names
            .filter_map(|(index, name)| context.house_way(Some(name), &format!("house_ways.{index}")))
            .collect();
        let game = context.faults.into_result(game)?;
        Ok(PriceRequest { game, ways })
    }

    /// Prices the house ways.
    pub fn answer(&self, work: &Work) -> PriceAnswer {
        let PricedGame { book, side, against } = &self.game;
        let table = work.worth_table(&self.game.valuation());
        let best = self.game.odds(table.best_outcomes());
        let priced = |way: &Arc<HouseWay>| {
            let price = self.price_of(way, &table);
            PricedWay {
                way: price.house_way.clone(),
                lines: price.clauses.len(),
                gives_away: price.cost.clone(),
                gives_away_exact: price.cost_exact.clone(),
                price,
            }
        };
        PriceAnswer {
            book: book.id.clone(),
            side: side.name(),
            against: against.id().to_owned(),
            best_edge_exact: best.edge_exact.clone(),
            best,
            ways: self.ways.iter().map(priced).collect(),
        }
    }

    fn price_of(&self, way: &HouseWay, table: &WorthTable) -> HouseWayPrice {
        let decisions = table.decide(way);
        let price = table.price(way, &decisions);
        let odds = self.game.odds(price.outcomes);
        HouseWayPrice::of(way, &price, odds, &table.costliest(&decisions, COSTLIEST))
    }
}

impl HouseWayPrice {
    pub(crate) fn of(
        way: &HouseWay,
        price: &Price,
        odds: OutcomeOdds,
        costliest: &[CostlyKind],
    ) -> HouseWayPrice {
        let (cost, cost_exact) = decimal_and_exact(price.cost.clone());
        let clauses = way.clauses().iter().zip(&price.clauses).map(|(clause, price)| {
            let ClausePrice { hands, hands_set_worse, cost, removed, swapped } = price.clone();
            let (cost, cost_exact) = decimal_and_exact(cost);
            ClauseCost {
                when: clause.when.clone(),
                set: clause.set.clone(),
                hands,
                hands_set_worse,
                cost,
                cost_exact,
                removed: removed.map(Decimal),
                swapped: swapped.map(Decimal),
            }
        });
        HouseWayPrice {
            house_way: way.id().to_owned(),
            title: way.title().to_owned(),
            odds,
            cost,
            cost_exact,
            hands_set_worse: price.hands_set_worse,
            clauses: clauses.collect(),
            costliest: costliest.iter().map(CostlyHands::of).collect(),
        }
    }
}

impl CostlyHands {
    fn of(kind: &CostlyKind) -> CostlyHands {
        CostlyHands {
            cards: CardText(kind.hand),
            hands: kind.hands,
            clause: kind.clause + 1,
            low: CardText(kind.setting.low),
            high: CardText(kind.setting.high),
            best_low: CardText(kind.best.low),
            best_high: CardText(kind.best.high),
            cost: Decimal(kind.cost.clone()),
            part: Decimal(kind.part.clone()),
        }
    }
}
