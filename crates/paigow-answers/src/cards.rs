//! The strategy cards that ship: their lines and their exact prices.

use crate::exact::decimal_and_exact;
use crate::odds::OutcomeOdds;
use crate::priced_game::odds_of;
use crate::question::QuestionContext;
use crate::{Decimal, Exact, Fault, Faults, RankingNames, ValueChanges};
use paigow::rulebook::BuiltIn;
use paigow::{HouseWay, Rulebook};
use paigow_math::{CardPrice, Census, TableSide};
use serde::Serialize;
use std::sync::{Arc, LazyLock};
use utoipa::ToSchema;

/// All strategy cards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct CardList {
    /// The cards, in the order of their names.
    pub cards: Vec<CardEntry>,
}

/// A strategy card with its price.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct CardEntry {
    /// Id of the card. House ways can be given by it.
    #[schema(example = "book-player-12")]
    pub id: String,
    /// Title for display.
    pub title: String,
    /// Id of the book that the card was found for.
    pub book: String,
    /// Title of the book.
    pub book_title: String,
    /// Side that plays by the card: `player`, `banker` or `dealer`.
    pub side: &'static str,
    /// House way of the other side.
    pub against: String,
    /// Title of that house way.
    pub against_title: String,
    /// Ranking of hands.
    pub ranking: RankingNames,
    /// Odds of the side that plays by the card. `edge` is the house edge. For a banking seat it is the expected loss of
    /// the seat.
    #[serde(flatten)]
    pub odds: OutcomeOdds,
    /// Odds if every hand is set in the best way.
    pub best: OutcomeOdds,
    /// Expected value given away against best play, as a fraction of the wager.
    pub cost: Decimal,
    /// The cost as an exact fraction.
    pub cost_exact: Exact,
    /// Number of hands that have a better setting.
    pub hands_set_worse: u64,
    /// Number of all hands.
    pub hands: u64,
    /// The lines, in order. The first that fits a hand and can set it decides.
    pub lines: Vec<CardEntryLine>,
}

/// A line of a strategy card, with the hands that it decides.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct CardEntryLine {
    /// The line in the words of a player.
    pub says: String,
    /// Condition, in the phrases of house-way files.
    pub when: String,
    /// Placement, in the phrases of house-way files. Several texts are alternatives.
    pub set: Vec<String>,
    /// Whether hands that the line cannot set go on to the next line.
    pub if_possible: bool,
    /// Number of hands that the line decides.
    pub hands: u64,
    /// Number of these hands that the card sets differently without the line: hands on which lines meet.
    pub contested: u64,
}

/// A strategy card with its book.
pub(crate) struct LoadedCard {
    pub(crate) price: &'static CardPrice,
    pub(crate) way: Arc<HouseWay>,
    pub(crate) book: Rulebook,
}

/// The prices of all cards, read once.
static PRICES: LazyLock<Result<Vec<CardPrice>, Faults>> = LazyLock::new(|| {
    CardPrice::all().map_err(|fault| Fault::new("bad_prices", "cards", fault.to_string()).into())
});

/// Lists the strategy cards.
///
/// # Errors
/// A built-in text is invalid, which the tests exclude.
pub fn list() -> Result<CardList, Faults> {
    let cards = BuiltIn::card_names().map(answer).collect::<Result<_, _>>()?;
    Ok(CardList { cards })
}

/// Returns a strategy card.
///
/// # Errors
/// There is no card of this name.
pub fn answer(name: &str) -> Result<CardEntry, Faults> {
    let mut context = QuestionContext::new(&BuiltIn);
    let card = context.card(name);
    Ok(CardEntry::of(&context.faults.into_result(card)?))
}

impl QuestionContext<'_> {
    /// Loads a strategy card with its own book.
    pub(crate) fn card(&mut self, name: &str) -> Option<LoadedCard> {
        let prices = match &*PRICES {
            Ok(prices) => prices,
            Err(faults) => {
                self.faults.faults.extend(faults.faults.iter().cloned());
                return None;
            }
        };
        let Some(price) = prices.iter().find(|price| price.name == name) else {
            let known = BuiltIn::card_names().collect::<Vec<_>>().join(", ");
            let message = format!("there is no strategy card `{name}`; available: {known}");
            self.faults.push(Fault::new("not_found", "card", message));
            return None;
        };
        let mut built_in = QuestionContext::new(&BuiltIn);
        let way = built_in.house_way(Some(name), "card");
        let book = built_in.book(&price.book, &ValueChanges::default());
        self.faults.faults.append(&mut built_in.faults.faults);
        let (way, book) = way.zip(book)?;
        Some(LoadedCard { price, way, book })
    }
}

impl CardEntry {
    fn of(LoadedCard { price, way, book }: &LoadedCard) -> CardEntry {
        let [odds, best] = [price.outcomes, price.best].map(|outcomes| odds_of(book, price.side, outcomes));
        let edges = odds.edge.0.clone() - best.edge.0.clone();
        // The edge is that of the house, which best play of the dealer raises.
        let cost = if price.side == TableSide::Dealer { -edges } else { edges };
        let (cost, cost_exact) = decimal_and_exact(cost);
        let lines = way.clauses().iter().zip(&price.lines).map(|(clause, count)| CardEntryLine {
            says: clause.says.clone(),
            when: clause.when.clone(),
            set: clause.set.clone(),
            if_possible: clause.if_possible,
            hands: count.hands,
            contested: count.contested,
        });
        CardEntry {
            id: price.name.clone(),
            title: way.title().to_owned(),
            book: price.book.clone(),
            book_title: book.title.clone(),
            side: price.side.name(),
            against: price.against.clone(),
            against_title: book.house_way.title().to_owned(),
            ranking: way.ranking().into(),
            odds,
            best,
            cost,
            cost_exact,
            hands_set_worse: price.hands_set_worse,
            hands: Census::HANDS,
            lines: lines.collect(),
        }
    }
}
