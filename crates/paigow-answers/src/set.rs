//! How a house way sets a hand, and the clause that decided; one house way, or all of them side by side.

use crate::question::QuestionContext;
use crate::{Fault, Faults, Shown, ValueChanges, is_assumed};
use paigow::rulebook::{BookSource, BuiltIn};
use paigow::{Decision, Evaluator, FiveCards, HouseWay, Ranking, Rulebook, SevenCards, TwoCards};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Which hand, and by which house way: a book's, or one by name; one by name under a book's ranking where both are given.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetQuestion {
    /// Seven cards, such as `As Kd Tc 9h 2s 2d Jk`.
    pub cards: String,
    /// A rule book's name.
    pub book: Option<String>,
    /// A house way's name.
    pub house_way: Option<String>,
    /// Values of the book replaced for this question.
    #[serde(default)]
    pub changes: ValueChanges,
}

/// Which hand, to be set by every house way that comes with the program; each under its own ranking, or all under a book's.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareQuestion {
    /// Seven cards, such as `As Kd Tc 9h 2s 2d Jk`.
    pub cards: String,
    /// A rule book's name.
    pub book: Option<String>,
    /// Values of the book replaced for this question.
    #[serde(default)]
    pub changes: ValueChanges,
}

/// A hand as a house way sets it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct SetAnswer {
    /// The seven cards.
    #[schema(value_type = String, example = "As Kd Tc 9h 2s 2d Jk")]
    pub cards: Shown<SevenCards>,
    /// The high hand: five cards.
    #[schema(value_type = String, example = "As Jk 9h 2s 2d")]
    pub high: Shown<FiveCards>,
    /// The low hand: two cards.
    #[schema(value_type = String, example = "Kd Tc")]
    pub low: Shown<TwoCards>,
    /// What the five are.
    pub high_category: &'static str,
    /// What the two are.
    pub low_category: &'static str,
    /// What the clause that decided asks for.
    pub clause: String,
    /// The clause in words.
    pub says: String,
    /// Where it comes from.
    pub cite: String,
    /// Whether no document says it: the citation gives the reason it is assumed.
    pub assumed: bool,
    /// The house way.
    pub house_way: String,
}

/// A hand as every house way sets it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct CompareAnswer {
    /// The seven cards.
    #[schema(value_type = String, example = "As Kd Tc 9h 2s 2d Jk")]
    pub cards: Shown<SevenCards>,
    /// What each house way makes of them.
    pub settings: Vec<SetAnswer>,
}

/// A house way under a ranking.
#[derive(Clone)]
pub struct RankedHouseWay {
    /// The house way.
    pub way: Arc<HouseWay>,
    /// The ranking.
    pub evaluator: &'static Evaluator,
}

impl RankedHouseWay {
    /// A house way under its own ranking, or a book's.
    pub fn new(way: Arc<HouseWay>, book: Option<&Rulebook>) -> RankedHouseWay {
        let ranking: Ranking = book.map_or(way.ranking(), |book| book.ranking);
        RankedHouseWay { way, evaluator: Evaluator::of(ranking) }
    }

    /// The setting and the clause that decided.
    pub fn decide(&self, hand: SevenCards) -> Decision {
        self.way.decide(hand, self.evaluator)
    }

    /// A hand as it sets it.
    pub fn set(&self, hand: SevenCards) -> SetAnswer {
        let Decision { setting, clause } = self.decide(hand);
        let clause = &self.way.clauses()[clause];
        SetAnswer {
            cards: Shown(hand),
            high: Shown(setting.high),
            low: Shown(setting.low),
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

/// The house way that is asked for; the cards are not looked at.
///
/// # Errors
/// Everything that is wrong with the rest of the question.
pub fn setter(question: &SetQuestion, book_source: &dyn BookSource) -> Result<RankedHouseWay, Faults> {
    let mut ask = QuestionContext::new(book_source);
    let setter = ask.setter(question);
    ask.faults.or(setter)
}

/// Every house way that comes with the program; the cards are not looked at.
///
/// # Errors
/// Everything that is wrong with the rest of the question.
pub fn setters(
    question: &CompareQuestion,
    book_source: &dyn BookSource,
) -> Result<Vec<RankedHouseWay>, Faults> {
    let mut ask = QuestionContext::new(book_source);
    let setters = ask.setters(question);
    ask.faults.or(Some(setters))
}

/// The hand and the house way that are asked for.
///
/// # Errors
/// Everything that is wrong with the question.
pub fn read(
    question: &SetQuestion,
    book_source: &dyn BookSource,
) -> Result<(SevenCards, RankedHouseWay), Faults> {
    let mut ask = QuestionContext::new(book_source);
    let hand = ask.hand(&question.cards);
    let setter = ask.setter(question);
    ask.faults.or(hand.zip(setter))
}

/// A hand set by a house way.
///
/// # Errors
/// Everything that is wrong with the question.
pub fn answer(question: &SetQuestion, book_source: &dyn BookSource) -> Result<SetAnswer, Faults> {
    let (hand, setter) = read(question, book_source)?;
    Ok(setter.set(hand))
}

/// A hand set by every house way.
///
/// # Errors
/// Everything that is wrong with the question.
pub fn compare(question: &CompareQuestion, book_source: &dyn BookSource) -> Result<CompareAnswer, Faults> {
    let mut ask = QuestionContext::new(book_source);
    let hand = ask.hand(&question.cards);
    let setters = ask.setters(question);
    let hand = ask.faults.or(hand)?;
    let settings = setters.iter().map(|setter| setter.set(hand)).collect();
    Ok(CompareAnswer { cards: Shown(hand), settings })
}

impl QuestionContext<'_> {
    fn setter(&mut self, question: &SetQuestion) -> Option<RankedHouseWay> {
        let book = question.book.as_deref().map(|name| self.book(name, &question.changes));
        self.changes_of_no_book(question.book.is_some(), &question.changes);
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

    fn setters(&mut self, question: &CompareQuestion) -> Vec<RankedHouseWay> {
        let book = question.book.as_deref().and_then(|name| self.book(name, &question.changes));
        self.changes_of_no_book(question.book.is_some(), &question.changes);
        all_house_ways(&mut self.faults, book.as_ref())
    }

    fn changes_of_no_book(&mut self, book: bool, changes: &ValueChanges) {
        if !book && !changes.0.is_empty() {
            self.faults.push(Fault::new("changes_of_no_book", "changes", "changes are of a book: give one"));
        }
    }
}

/// Every house way that comes with the program, under its own ranking or a book's.
pub(crate) fn all_house_ways(faults: &mut Faults, book: Option<&Rulebook>) -> Vec<RankedHouseWay> {
    let mut ask = QuestionContext::new(&BuiltIn);
    let ways = BuiltIn::house_way_names().filter_map(|name| ask.house_way(Some(name), name));
    let setters = ways.map(|way| RankedHouseWay::new(way, book)).collect();
    faults.faults.append(&mut ask.faults.faults);
    setters
}
