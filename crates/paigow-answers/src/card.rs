//! Strategy cards: the best lists of few rules that the search finds, with their exact cost.

use crate::cache::CacheKey;
use crate::odds::OutcomeOdds;
use crate::priced_game::{GameQuestion, PricedGame};
use crate::question::QuestionContext;
use crate::work::worth_key;
use crate::{Decimal, Exact, Fault, Faults, ValueChanges, Work};
use paigow::HouseWay;
use paigow::document::Source;
use paigow::rulebook::{BookSource, BuiltIn};
use paigow_math::{
    CardLine, CardSearch, Fraction, PatternLists, StrategyCard, TableSide, Valuation, WorthTable,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

/// Maximum number of lines of a card.
pub const LINES_MAX: u8 = 30;
/// Maximum number of lines for one group pattern.
const PATTERN_LINES_MAX: usize = 9;

/// Question for a strategy card.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CardQuestion {
    /// Name of a rule book.
    pub book: String,
    /// Maximum number of lines.
    pub lines: u8,
    /// Whether to find the cost for every number of lines up to 30, which takes several minutes. The card is then the best
    /// of at most `lines` lines among all cards found.
    #[serde(default)]
    pub frontier: bool,
    /// House way of the other side. Default: that of the book.
    pub against: Option<String>,
    /// Side that plays by the card: `player`, `banker` or `dealer`, if the book has it. Default: `player`.
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
    /// Number of lines.
    pub lines: usize,
    /// The lines, in order. The first that fits a hand and can set it decides.
    pub clauses: Vec<CardClause>,
    /// Odds of the side that plays by the card.
    #[serde(flatten)]
    pub odds: OutcomeOdds,
    /// Expected value given away against best play, as a fraction of the wager.
    pub gives_away: Decimal,
    /// The value given away as an exact fraction.
    pub gives_away_exact: Exact,
    /// Number of hands that have a better setting, out of 154,143,080.
    pub hands_set_worse: u64,
    /// The cards found of each number of lines.
    pub frontier: Vec<FrontierPoint>,
    /// Cost of the card against each built-in house way.
    pub against_others: Vec<CostAgainst>,
    /// The card as a house-way file.
    pub text: String,
}

/// A line of a card in the answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct CardClause {
    /// Condition, in the phrases of house-way files.
    pub when: String,
    /// Placement, in the phrases of house-way files. Alternatives are joined by "or".
    pub set: String,
    /// The line in the words of a player.
    pub says: String,
    /// Number of hands that the line decides, out of 154,143,080.
    pub hands: u64,
    /// Whether hands that the line cannot set go on to the next line.
    pub if_possible: bool,
}

/// A line of a card in the cache.
#[derive(Serialize, Deserialize)]
struct CardLineText {
    says: String,
    when: String,
    set: Vec<String>,
    if_possible: bool,
}

/// Cost of the best card found with a number of lines.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct FrontierPoint {
    /// Number of lines.
    pub lines: usize,
    /// Expected value given away against best play, as a fraction of the wager.
    pub gives_away: Decimal,
    /// The value given away as an exact fraction.
    pub gives_away_exact: Exact,
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
    pub gives_away: Decimal,
}

/// A question with its book and house way loaded.
pub struct CardRequest {
    game: PricedGame,
    /// Maximum number of lines of the card.
    lines: usize,
    /// Maximum number of lines of the cards that are searched.
    longest: usize,
}

impl CardRequest {
    /// Loads the book and the house way of a question.
    ///
    /// # Errors
    /// All faults of the question.
    pub fn of(question: &CardQuestion, book_source: &dyn BookSource) -> Result<CardRequest, Faults> {
        let mut context = QuestionContext::new(book_source);
        let game = context.priced_game(&GameQuestion {
            book: &question.book,
            changes: &question.changes,
            against: question.against.as_deref(),
            side: question.side.as_deref(),
            default_side: TableSide::Player,
        });
        if !(1..=LINES_MAX).contains(&question.lines) {
            let message = format!("{} lines: from 1 to {LINES_MAX} are allowed", question.lines);
            context.faults.push(Fault::new("bad_lines", "lines", message));
        }
        let game = context.faults.into_result(game)?;
        let longest = if question.frontier { LINES_MAX } else { question.lines };
        let [lines, longest] = [question.lines, longest].map(usize::from);
        Ok(CardRequest { game, lines, longest })
    }

    /// Searches for the card. With `against_others`, also prices it against every built-in house way, which builds a
    /// table of worths for each.
    ///
    /// # Panics
    /// If the search finds no card, although one line is always one, or if a card is not a valid house way.
    pub fn answer(&self, against_others: bool, work: &Work) -> CardAnswer {
        let PricedGame { book, side, against } = &self.game;
        let valuation = self.game.valuation();
        let table = work.worth_table(&valuation);
        let cards = self.search(&valuation, &table, work);
        let priced: Vec<PricedCard> = cards.iter().map(|card| self.priced(card, &table)).collect();
        let frontier = priced.iter().map(|card| FrontierPoint {
            lines: card.way.clauses().len(),
            gives_away: Decimal(card.cost.clone()),
            gives_away_exact: Exact(card.cost.clone()),
            hands_set_worse: card.hands_set_worse,
        });
        let frontier = frontier.collect();
        let short_enough = cards.iter().zip(priced).filter(|(card, _)| card.lines.len() <= self.lines);
        let Some((card, PricedCard { way, text, odds, cost, hands_set_worse, hands })) =
            short_enough.min_by(|(_, one), (_, other)| one.cost.cmp(&other.cost))
        else {
            panic!("the search found no card");
        };
        let others = if against_others { self.costs_against_others(&way, work) } else { Vec::new() };
        CardAnswer {
            book: book.id.clone(),
            side: side.name(),
            against: against.id().to_owned(),
            lines: card.lines.len(),
            clauses: card.lines.iter().zip(hands).map(|(line, hands)| CardClause::of(line, hands)).collect(),
            odds,
            gives_away: Decimal(cost.clone()),
            gives_away_exact: Exact(cost),
            hands_set_worse,
            frontier,
            against_others: others,
            text,
        }
    }

    /// Searches for cards, or returns those of an earlier search. The lists of each pattern are cached too, so that a
    /// search that was interrupted goes on.
    fn search(&self, valuation: &Valuation<'_>, table: &WorthTable, work: &Work) -> Vec<StrategyCard> {
        let lines = (self.longest / 2).clamp(1, PATTERN_LINES_MAX);
        let table_key = worth_key(valuation);
        let key = |part: &str, lines: usize| {
            let (version, lines) = (CardSearch::VERSION.to_string(), lines.to_string());
            CacheKey::of("card", &[table_key.name(), &version, part, &lines])
        };
        work.cached(
            &key("all patterns", self.longest),
            read_cards,
            |cards| write_cards(cards),
            || {
                let search = CardSearch::new(table);
                let lists = (0..CardSearch::PATTERNS).map(|pattern| {
                    let name = CardSearch::pattern_name(pattern);
                    work.cached(&key(name, lines), read_lists, write_lists, || {
                        work.with_progress(&format!("card, {name}"), CardSearch::work(lines), |progress| {
                            search.search_pattern(pattern, lines, progress)
                        })
                    })
                });
                let lists: Vec<PatternLists> = lists.collect();
                work.with_progress("card, combining", self.longest as u64, |progress| {
                    search.cards(&lists, self.longest, progress)
                })
            },
        )
    }

    fn priced(&self, card: &StrategyCard, table: &WorthTable) -> PricedCard {
        let lines = card.lines.len();
        let PricedGame { book, side, against } = &self.game;
        let title = format!("Card of {lines} lines against {}", against.title());
        let source = format!("found by search for the {} of the book {}", side.name(), book.id);
        let text = card.to_text(&title, &source, book.ranking);
        let way = match HouseWay::parse("card", &Source::new("card", text.clone())) {
            Ok(way) => way,
            Err(problems) => panic!("the card is not a house way: {problems:?}"),
        };
        let price = table.price(&way, &table.decide(&way));
        let odds = self.game.odds(price.outcomes);
        let hands = price.clauses.iter().map(|clause| clause.hands).collect();
        PricedCard { way, text, odds, cost: price.cost, hands_set_worse: price.hands_set_worse, hands }
    }

    fn costs_against_others(&self, way: &HouseWay, work: &Work) -> Vec<CostAgainst> {
        let ways = BuiltIn::house_way_names().filter_map(|name| HouseWay::load(name, &BuiltIn).ok());
        ways.map(|against| {
            let table = work.worth_table(&Valuation::of(&self.game.book, self.game.side, &against));
            let price = table.price(way, &table.decide(way));
            CostAgainst {
                against: against.id().to_owned(),
                edge: self.game.odds(price.outcomes).edge,
                gives_away: Decimal(price.cost),
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
    /// Number of hands that each line decides.
    hands: Vec<u64>,
}

impl CardClause {
    fn of(line: &CardLine, hands: u64) -> CardClause {
        let CardLine { when, set, if_possible, says } = line.clone();
        CardClause { when, set: set.join(" or "), says, hands, if_possible }
    }
}

impl CardLineText {
    fn all_of(card: &StrategyCard) -> Vec<CardLineText> {
        let lines = card.lines.iter().cloned();
        lines
            .map(|CardLine { when, set, if_possible, says }| CardLineText { says, when, set, if_possible })
            .collect()
    }
}

fn write_lists(lists: &PatternLists) -> Value {
    json!(lists.to_numbers())
}

fn read_lists(value: &Value) -> Option<PatternLists> {
    let numbers: Vec<Vec<Vec<i64>>> = serde_json::from_value(value.clone()).ok()?;
    PatternLists::from_numbers(&numbers)
}

fn write_cards(cards: &[StrategyCard]) -> Value {
    json!(cards.iter().map(CardLineText::all_of).collect::<Vec<_>>())
}

fn read_cards(value: &Value) -> Option<Vec<StrategyCard>> {
    let cards: Vec<Vec<CardLineText>> = serde_json::from_value(value.clone()).ok()?;
    let line = |CardLineText { says, when, set, if_possible }| CardLine { when, set, if_possible, says };
    let card = |lines: Vec<CardLineText>| StrategyCard { lines: lines.into_iter().map(line).collect() };
    (!cards.is_empty()).then(|| cards.into_iter().map(card).collect())
}
