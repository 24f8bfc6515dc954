//! Setting of a hand by one house way or by all, with the clause that decided.

use crate::question::QuestionContext;
use crate::{CardText, Fault, Faults, ValueChanges, is_assumed};
use paigow::rulebook::{BookSource, BuiltIn};
use paigow::{Decision, Evaluator, FiveCards, HouseWay, Ranking, Rulebook, SevenCards, TwoCards};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Question for the setting of a hand by a house way.
///
/// Give `book` for the book's house way, `house_way` for another one, or both to use `house_way` under the book's
/// ranking.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetQuestion {
    /// Seven cards, such as `As Kd Tc 9h 2s 2d Jk`.
    pub cards: String,
    /// Name of a rule book.
    pub book: Option<String>,
    /// Name of a house way.
    pub house_way: Option<String>,
    /// Values of the book replaced for this question.
    #[serde(default)]
    pub changes: ValueChanges,
}

/// Question for the settings of a hand by all built-in house ways.
///
/// Each uses its own ranking, or the ranking of `book` if it is given.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareQuestion {
    /// Seven cards, such as `As Kd Tc 9h 2s 2d Jk`.
    pub cards: String,
    /// Name of a rule book.
    pub book: Option<String>,
    /// Values of the book replaced for this question.
    #[serde(default)]
    pub changes: ValueChanges,
}

/// Setting of a hand by a house way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct SetAnswer {
    /// The seven cards.
    #[schema(value_type = String, example = "As Kd Tc 9h 2s 2d Jk")]
    pub cards: CardText<SevenCards>,
    /// The high hand: five cards.
    #[schema(value_type = String, example = "As Jk 9h 2s 2d")]
    pub high: CardText<FiveCards>,
    /// The low hand: two cards.
    #[schema(value_type = String, example = "Kd Tc")]
    pub low: CardText<TwoCards>,
    /// Category of the high hand.
    pub high_category: &'static str,
    /// Category of the low hand.
    pub low_category: &'static str,
    /// Condition of the clause that decided.
    pub clause: String,
    /// The clause as a sentence.
    pub says: String,
    /// Citation of the clause.
    pub cite: String,
    /// Whether the clause is assumed. The citation then gives the reason.
    pub assumed: bool,
    /// Id of the house way.
    pub house_way: String,
}

/// Settings of a hand by all built-in house ways.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct CompareAnswer {
    /// The seven cards.
    #[schema(value_type = String, example = "As Kd Tc 9h 2s 2d Jk")]
    pub cards: CardText<SevenCards>,
    /// One setting per house way.
    pub settings: Vec<SetAnswer>,
}

/// A house way under a ranking.
#[derive(Clone)]
pub struct RankedHouseWay {
    /// The house way.
    pub way: Arc<HouseWay>,
    /// Evaluator of the ranking.
    pub evaluator: &'static Evaluator,
}

impl RankedHouseWay {
    /// Combines a house way with the ranking of a book, or with its own.
    pub fn new(way: Arc<HouseWay>, book: Option<&Rulebook>) -> RankedHouseWay {
        let ranking: Ranking = book.map_or(way.ranking(), |book| book.ranking);
        RankedHouseWay { way, evaluator: Evaluator::of(ranking) }
    }

    /// Returns the setting of a hand and the clause that decided it.
    pub fn decide(&self, hand: SevenCards) -> Decision {
        self.way.decide(hand, self.evaluator)
    }

    /// Sets a hand.
    pub fn set(&self, hand: SevenCards) -> SetAnswer {
        let Decision { setting, clause } = self.decide(hand);
        let clause = &self.way.clauses()[clause];
        SetAnswer {
            cards: CardText(hand),
            high: CardText(setting.high),
            low: CardText(setting.low),
            high_category: setting.high_strength.category().name(),
            low_category: setting.low_strength.category().name(),
            clause: clause.when.clone(),
            says: clause.says.clone(),
            cite: clause.cite.clone(),
            assumed: is_assumed(&clause.cite),
            house_way: self.way.id().to_owned(),
        }
    }
}

/// Returns the house way of a question. The cards are ignored.
///
/// # Errors
/// All faults of the question except those of the cards.
pub fn house_way(question: &SetQuestion, book_source: &dyn BookSource) -> Result<RankedHouseWay, Faults> {
    let mut context = QuestionContext::new(book_source);
    let way = context.ranked_house_way(question);
    context.faults.into_result(way)
}

/// Returns all built-in house ways, ranked as the question asks. The cards are ignored.
///
/// # Errors
/// All faults of the question except those of the cards.
pub fn house_ways(
    question: &CompareQuestion,
    book_source: &dyn BookSource,
) -> Result<Vec<RankedHouseWay>, Faults> {
    let mut context = QuestionContext::new(book_source);
    let ways = context.ranked_house_ways(question);
    context.faults.into_result(Some(ways))
}

/// Returns the hand and the house way of a question.
///
/// # Errors
/// All faults of the question.
pub fn read(
    question: &SetQuestion,
    book_source: &dyn BookSource,
) -> Result<(SevenCards, RankedHouseWay), Faults> {
    let mut context = QuestionContext::new(book_source);
    let hand = context.hand(&question.cards);
    let way = context.ranked_house_way(question);
    context.faults.into_result(hand.zip(way))
}

/// Sets a hand by a house way.
///
/// # Errors
/// All faults of the question.
pub fn answer(question: &SetQuestion, book_source: &dyn BookSource) -> Result<SetAnswer, Faults> {
    let (hand, way) = read(question, book_source)?;
    Ok(way.set(hand))
}

/// Sets a hand by every built-in house way.
///
/// # Errors
/// All faults of the question.
pub fn compare(question: &CompareQuestion, book_source: &dyn BookSource) -> Result<CompareAnswer, Faults> {
    let mut context = QuestionContext::new(book_source);
    let hand = context.hand(&question.cards);
    let ways = context.ranked_house_ways(question);
    let hand = context.faults.into_result(hand)?;
    let settings = ways.iter().map(|way| way.set(hand)).collect();
    Ok(CompareAnswer { cards: CardText(hand), settings })
}

impl QuestionContext<'_> {
    fn ranked_house_way(&mut self, question: &SetQuestion) -> Option<RankedHouseWay> {
        let book = question.book.as_deref().map(|name| self.book(name, &question.changes));
        self.check_changes_have_book(question.book.is_some(), &question.changes);
        if let Some(name) = &question.house_way {
            let way = self.house_way(Some(name), "house_way")?;
            return Some(RankedHouseWay::new(way, book.flatten().as_ref()));
        }
        let Some(book) = book else {
            self.faults.push(Fault::new("nothing_to_set_by", "book", "give a book or a house way"));
            return None;
        };
        let book = book?;
        Some(RankedHouseWay::new(book.house_way.clone(), Some(&book)))
    }

    fn ranked_house_ways(&mut self, question: &CompareQuestion) -> Vec<RankedHouseWay> {
        let book = question.book.as_deref().and_then(|name| self.book(name, &question.changes));
        self.check_changes_have_book(question.book.is_some(), &question.changes);
        all_house_ways(&mut self.faults, book.as_ref())
    }

    fn check_changes_have_book(&mut self, has_book: bool, changes: &ValueChanges) {
        if !has_book && !changes.0.is_empty() {
            self.faults.push(Fault::new("changes_of_no_book", "changes", "changes need a book: give one"));
        }
    }
}

/// Returns all built-in house ways, each under its own ranking or under that of a book.
pub(crate) fn all_house_ways(faults: &mut Faults, book: Option<&Rulebook>) -> Vec<RankedHouseWay> {
    let mut context = QuestionContext::new(&BuiltIn);
    let ways = BuiltIn::house_way_names().filter_map(|name| context.house_way(Some(name), name));
    let ranked = ways.map(|way| RankedHouseWay::new(way, book)).collect();
    faults.faults.append(&mut context.faults.faults);
    ranked
}
