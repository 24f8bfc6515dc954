//! Strategy cards: the best lists of few rules that the search finds, with their exact cost.

use crate::cache::CacheKey;
use crate::odds::OutcomeOdds;
use crate::price::odds_of;
use crate::question::QuestionContext;
use crate::work::worth_key;
use crate::{Decimal, Exact, Fault, Faults, ValueChanges, Work};
use paigow::document::Source;
use paigow::rulebook::{BookSource, BuiltIn};
use paigow::{HouseWay, Rulebook};
use paigow_math::{CardLine, CardSearch, Fraction, PatternLists, Side, StrategyCard, Valuation, WorthTable};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use utoipa::ToSchema;

/// Maximum number of lines of a card.
pub const LINES_MAX: u8 = 40;
/// Maximum number of lines for one group pattern.
const PATTERN_LINES_MAX: usize = 10;

/// Question for a strategy card.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CardQuestion {
    /// Name of a rule book.
    pub book: String,
    /// Maximum number of lines.
    pub lines: u8,
    /// House way of the other side. Default: that of the book.
    pub against: Option<String>,
    /// Side that plays by the card: `player`, `banker` or `dealer`. Default: `player`.
    pub side: Option<String>,
    /// Values of the book replaced for this question.
    #[serde(default)]
    pub changes: ValueChanges,
}

/// A strategy card with its price, and the costs of shorter cards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct CardAnswer {
    /// Id of the book.
    pub book: String,
    /// Side that plays by the card: `player`, `banker` or `dealer`.
    pub side: &'static str,
    /// House way of the other side.
    pub against: String,
    /// The lines, in order. The first that fits a hand and can set it decides.
    pub lines: Vec<CardLineText>,
    /// Odds of the side that plays by the card.
    #[serde(flatten)]
    pub odds: OutcomeOdds,
    /// Expected value given away against best play, as a fraction of the wager.
    pub cost: Decimal,
    /// The cost as an exact fraction.
    pub cost_exact: Exact,
    /// Number of hands that have a better setting, out of 154,143,080.
    pub hands_set_worse: u64,
    /// The cards found of each number of lines.
    pub frontier: Vec<FrontierPoint>,
    /// Cost of the card against each built-in house way.
    pub against_others: Vec<CostAgainst>,
    /// The card as a house-way file.
    pub text: String,
}

/// A line of a card.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct CardLineText {
    /// The line in the words of a player.
    pub says: String,
    /// Condition, in the phrases of house-way files.
    pub when: String,
    /// Placement, in the phrases of house-way files.
    pub set: String,
    /// Whether hands that the line cannot set go on to the next line.
    pub if_possible: bool,
}

/// Cost of the best card found with a number of lines.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct FrontierPoint {
    /// Number of lines.
    pub lines: usize,
    /// Expected value given away against best play, as a fraction of the wager.
    pub cost: Decimal,
    /// The cost as an exact fraction.
    pub cost_exact: Exact,
    /// Number of hands that have a better setting.
    pub hands_set_worse: u64,
}

/// Cost of a card against an opponent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct CostAgainst {
    /// House way of the opponent.
    pub against: String,
    /// House edge, or the expected loss of a banking seat.
    pub edge: Decimal,
    /// Expected value given away against best play, as a fraction of the wager.
    pub cost: Decimal,
}

/// A question with its book and house way loaded.
pub struct CardRequest {
    book: Rulebook,
    side: Side,
    against: Arc<HouseWay>,
    lines: usize,
}

impl CardRequest {
    /// Loads the book and the house way of a question.
    ///
    /// # Errors
    /// All faults of the question.
    pub fn of(question: &CardQuestion, book_source: &dyn BookSource) -> Result<CardRequest, Faults> {
        let mut context = QuestionContext::new(book_source);
        let book = context.book(&question.book, &question.changes);
        let against = context.house_way(question.against.as_deref(), "against");
        let side = context.side(question.side.as_deref());
        if !(1..=LINES_MAX).contains(&question.lines) {
            let message = format!("{} lines: from 1 to {LINES_MAX} are allowed", question.lines);
            context.faults.push(Fault::new("bad_lines", "lines", message));
        }
        let (book, side) = context.faults.into_result(book.zip(side))?;
        let against = against.unwrap_or_else(|| book.house_way.clone());
        Ok(CardRequest { book, side, against, lines: usize::from(question.lines) })
    }

    /// Searches for the card. With `against_others`, also prices it against every built-in house way, which builds a
    /// table of worths for each.
    ///
    /// # Panics
    /// If a card is not a valid house way.
    pub fn answer(&self, against_others: bool, work: &Work) -> CardAnswer {
        let valuation = Valuation::of(&self.book, self.side, &self.against);
        let table = work.worth_table(&valuation);
        let cards = self.search(&valuation, &table, work);
        let priced: Vec<PricedCard> = cards.iter().map(|card| self.priced(card, &table)).collect();
        let frontier = priced.iter().map(|card| FrontierPoint {
            lines: card.way.clauses().len(),
            cost: Decimal(card.cost.clone()),
            cost_exact: Exact(card.cost.clone()),
            hands_set_worse: card.hands_set_worse,
        });
        let frontier = frontier.collect();
        let Some((card, PricedCard { way, text, odds, cost, hands_set_worse })) =
            cards.iter().zip(priced).min_by(|(_, one), (_, other)| one.cost.cmp(&other.cost))
        else {
            panic!("the search found no card");
        };
        let others = if against_others { self.costs_against_others(&way, work) } else { Vec::new() };
        CardAnswer {
            book: self.book.id.clone(),
            side: self.side.name(),
            against: self.against.id().to_owned(),
            lines: card.lines.iter().map(CardLineText::of).collect(),
            odds,
            cost: Decimal(cost.clone()),
            cost_exact: Exact(cost),
            hands_set_worse,
            frontier,
            against_others: others,
            text,
        }
    }

    /// Searches pattern by pattern. Each pattern is cached, so that a search that was interrupted goes on.
    fn search(&self, valuation: &Valuation<'_>, table: &WorthTable, work: &Work) -> Vec<StrategyCard> {
        let search = CardSearch::new(table);
        let lines = (self.lines - 1).min(PATTERN_LINES_MAX);
        let lists: Vec<PatternLists> = (0..CardSearch::PATTERNS)
            .map(|pattern| {
                let name = CardSearch::pattern_name(pattern);
                let inputs = [
                    worth_key(valuation).name().to_owned(),
                    CardSearch::VERSION.to_string(),
                    name.to_owned(),
                    lines.to_string(),
                ];
                let key = CacheKey::of("card", &inputs.each_ref().map(String::as_str));
                work.cached(&key, read_lists, write_lists, || {
                    work.with_progress(&format!("card, {name}"), CardSearch::work(lines), |progress| {
                        search.search_pattern(pattern, lines, progress)
                    })
                })
            })
            .collect();
        work.with_progress("card", 1, |progress| search.cards(&lists, self.lines, progress))
    }

    fn priced(&self, card: &StrategyCard, table: &WorthTable) -> PricedCard {
        let lines = card.lines.len();
        let title = format!("Card of {lines} lines against {}", self.against.title());
        let source = format!("found by `paigow card {} --lines {}`", self.book.id, self.lines);
        let text = card.to_text(&title, &source, self.book.ranking);
        let way = match HouseWay::parse("card", &Source::new("card", text.clone())) {
            Ok(way) => way,
            Err(problems) => panic!("the card is not a house way: {problems:?}"),
        };
        let price = table.price(&way, &table.decide(&way));
        let odds = odds_of(&self.book, self.side, price.outcomes);
        PricedCard { way, text, odds, cost: price.cost, hands_set_worse: price.hands_set_worse }
    }

    fn costs_against_others(&self, way: &HouseWay, work: &Work) -> Vec<CostAgainst> {
        let ways = BuiltIn::house_way_names().filter_map(|name| HouseWay::load(name, &BuiltIn).ok());
        ways.map(|against| {
            let table = work.worth_table(&Valuation::of(&self.book, self.side, &against));
            let price = table.price(way, &table.decide(way));
            CostAgainst {
                against: against.id().to_owned(),
                edge: odds_of(&self.book, self.side, price.outcomes).edge,
                cost: Decimal(price.cost),
            }
        })
        .collect()
    }
}

/// A card as a house way, with its price.
struct PricedCard {
    way: HouseWay,
    text: String,
    odds: OutcomeOdds,
    cost: Fraction,
    hands_set_worse: u64,
}

impl CardLineText {
    fn of(line: &CardLine) -> CardLineText {
        let CardLine { when, set, if_possible, says } = line.clone();
        CardLineText { says, when, set, if_possible }
    }
}

fn write_lists(lists: &PatternLists) -> Value {
    json!(lists.to_numbers())
}

fn read_lists(value: &Value) -> Option<PatternLists> {
    let numbers: Vec<Vec<Vec<i64>>> = serde_json::from_value(value.clone()).ok()?;
    PatternLists::from_numbers(&numbers)
}
