//! Rules of a book as sentences, each with its citation.

use crate::books::BookWager;
use crate::question::QuestionContext;
use crate::sourced::allowed;
use crate::{ChangedValue, Fault, Faults, Kinds, SourcedValue, ValueChanges, is_assumed};
use paigow::document::ValueKind;
use paigow::rulebook::{BookSource, Definition, RULE_BOOK_SPEC, Sentence};
use paigow::{HouseWay, Refusal, Rulebook, TableRules};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Question for the rules of a book.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RulesQuestion {
    /// Name of a rule book.
    pub book: String,
    /// Values of the book replaced for this question.
    #[serde(default)]
    pub changes: ValueChanges,
}

/// Rules of a book as sentences.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct RulesAnswer {
    /// Id of the book.
    pub book: String,
    /// Title for display.
    pub title: String,
    /// Document that the book follows.
    pub source: String,
    /// Date since which the document is in force. `null` if the document does not give it.
    #[schema(required)]
    pub effective: Option<String>,
    /// Date when the book was last compared with the document.
    pub checked_on: String,
    /// Rules of the document as text, by their numbers.
    pub duties: Vec<Duty>,
    /// Rules of the table.
    pub rules: Vec<Rule>,
    /// Side wagers with their rules.
    pub wagers: Vec<WagerRules>,
    /// House way of the dealer.
    pub house_way: HouseWayRules,
    /// Definitions of terms.
    pub glossary: Vec<Term>,
    /// Terms that the book uses for parts of the game.
    pub terms: BookTerms,
    /// Statements of the document that no value of the book expresses.
    pub notes: Vec<Duty>,
    /// Number of values of each kind in the book.
    pub kinds: Kinds,
    /// All values of the book with their kind.
    pub values: Vec<SourcedValue>,
    /// Changed values that the document fixes. With any of them, these are not the rules of the document.
    pub departures: Vec<ChangedValue>,
    /// Assumed values.
    pub assumed: Vec<AssumedValue>,
    /// Version of the program.
    pub program: &'static str,
    /// Digest of the rules in force, in hexadecimal: the book with its default paytables posted, or the rules of a
    /// table.
    pub digest: String,
    /// Paths of keys that only describe and are not part of the digest. NAME, ROW and * stand for any name, row or
    /// table.
    pub descriptive: Vec<String>,
}

/// Terms that a book uses for parts of the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = Terms)]
pub struct BookTerms {
    /// Term for the banker: `banker` or `player/dealer`.
    pub banker: String,
    /// Spelling of the color of a card: `color` or `colour`.
    pub color: String,
}

/// A rule that is text only.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Duty {
    /// Subject of the rule.
    pub rule: String,
    /// The rule as a sentence.
    pub says: String,
    /// Citation.
    pub cite: String,
    /// Whether the rule is assumed. The citation then gives the reason.
    pub assumed: bool,
}

/// A value of the book as a sentence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Rule {
    /// Subject of the rule.
    pub about: &'static str,
    /// The rule as a sentence.
    pub says: String,
    /// Path of the value in the file.
    pub value: String,
    /// `fixed` by the document, an `option` of the house, or `assumed` because the document is silent.
    pub kind: &'static str,
    /// Values that a house may choose, if they are limited.
    #[schema(required)]
    pub allowed: Option<String>,
    /// Citation.
    pub cite: String,
    /// Whether the value is assumed. The citation then gives the reason.
    pub assumed: bool,
}

/// A side wager with its paytables and its rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct WagerRules {
    /// The wager and its paytables.
    #[serde(flatten)]
    pub wager: BookWager,
    /// Rules of the wager.
    pub rules: Vec<Rule>,
}

/// A house way with its clauses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct HouseWayRules {
    /// Id of the house way.
    pub id: String,
    /// Title for display.
    pub title: String,
    /// Document that it follows.
    pub source: String,
    /// Whether it replaces the house way of the book.
    pub changed: bool,
    /// Citation for the book's choice of a house way. Empty if this one replaces it.
    pub cite: String,
    /// Whether the choice is assumed. The citation then gives the reason.
    pub assumed: bool,
    /// Clauses, in order. The first that applies decides.
    pub clauses: Vec<ClauseRule>,
}

/// A clause of a house way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct ClauseRule {
    /// Condition on the cards.
    pub when: String,
    /// Alternative settings. The one with the best low hand, then the best high hand, is used.
    pub set: Vec<String>,
    /// Whether the document allows hands without a legal setting under this clause. They always go on to the next
    /// clause.
    pub if_possible: bool,
    /// The clause as a sentence.
    pub says: String,
    /// Citation.
    pub cite: String,
    /// Whether the clause is assumed. The citation then gives the reason.
    pub assumed: bool,
}

/// A term of the glossary.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Term {
    /// The term.
    pub word: String,
    /// Its definition.
    pub means: String,
    /// Citation.
    pub cite: String,
    /// Whether the definition is assumed. The citation then gives the reason.
    pub assumed: bool,
}

/// A value assumed because the document is silent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct AssumedValue {
    /// Path of the value in the file.
    pub value: String,
    /// Reason for the value.
    pub because: String,
}

/// Loads the book of a question.
///
/// # Errors
/// There is no such book, or all faults of the book and the changes.
pub fn read(question: &RulesQuestion, book_source: &dyn BookSource) -> Result<Rulebook, Faults> {
    let mut context = QuestionContext::new(book_source);
    let book = context.book(&question.book, &question.changes);
    context.faults.into_result(book)
}

/// Returns the rules of a table that plays by the book of a question with its default paytables posted.
///
/// # Errors
/// There is no such book, or all faults of the book and the changes.
pub fn table_rules(question: &RulesQuestion, book_source: &dyn BookSource) -> Result<TableRules, Faults> {
    TableRules::new(Arc::new(read(question, book_source)?), &[]).map_err(|refusals| {
        let fault = |refusal: &Refusal| Fault::new(refusal.code(), "book", refusal.to_string());
        Faults { faults: refusals.iter().map(fault).collect() }
    })
}

/// Returns the rules of a book as sentences.
///
/// # Errors
/// There is no such book, or all faults of the book and the changes.
pub fn answer(question: &RulesQuestion, book_source: &dyn BookSource) -> Result<RulesAnswer, Faults> {
    Ok(RulesAnswer::of(&table_rules(question, book_source)?))
}

impl RulesAnswer {
    /// Describes the rules of a table.
    pub fn of(table_rules: &TableRules) -> RulesAnswer {
        // The posted paytables determine the use of the joker.
        let mut book = (**table_rules.book()).clone();
        book.ranking = table_rules.evaluator().ranking();
        let book = &book;
        let way = &book.house_way;
        let way_path = ["house_way", "way"];
        let changed = book.is_overridden(&way_path);
        let way_from = book.provenance(&way_path).filter(|_| !changed);
        let way_from = way_from.map(|from| from.to_string()).unwrap_or_default();
        let values = SourcedValue::all_of(book);
        let assumed = values.iter().filter(|value| value.kind == ValueKind::Assumed.name());
        RulesAnswer {
            book: book.id.clone(),
            title: book.title.clone(),
            source: book.source.clone(),
            effective: book.effective.clone(),
            checked_on: book.checked_on.clone(),
            duties: duties(&book.duties),
            rules: rules_of(book.sentences()),
            wagers: book
                .wagers
                .iter()
                .map(|wager| WagerRules {
                    wager: BookWager::of(book, wager),
                    rules: rules_of(book.wager_sentences(wager)),
                })
                .collect(),
            house_way: HouseWayRules {
                id: way.id().to_owned(),
                title: way.title().to_owned(),
                source: way.source().to_owned(),
                changed,
                assumed: is_assumed(&way_from),
                cite: way_from,
                clauses: ClauseRule::all_of(way),
            },
            glossary: book
                .glossary
                .iter()
                .cloned()
                .map(|term| Term {
                    word: term.key,
                    means: term.says,
                    assumed: is_assumed(&term.cite),
                    cite: term.cite,
                })
                .collect(),
            terms: BookTerms { banker: book.terms.banker.clone(), color: book.terms.color.clone() },
            notes: duties(&book.notes),
            kinds: Kinds::of(book),
            departures: ChangedValue::all_of(&book.departures),
            assumed: assumed
                .map(|value| AssumedValue {
                    value: value.value.clone(),
                    because: value.because.clone().unwrap_or_default(),
                })
                .collect(),
            values,
            program: env!("CARGO_PKG_VERSION"),
            digest: table_rules.digest(),
            descriptive: RULE_BOOK_SPEC.descriptive_paths(),
        }
    }
}

impl ClauseRule {
    /// Returns the clauses of a house way, in order.
    pub(crate) fn all_of(way: &HouseWay) -> Vec<ClauseRule> {
        let clauses = way.clauses().iter().map(|clause| ClauseRule {
            when: clause.when.clone(),
            set: clause.set.clone(),
            if_possible: clause.if_possible,
            says: clause.says.clone(),
            cite: clause.cite.clone(),
            assumed: is_assumed(&clause.cite),
        });
        clauses.collect()
    }
}

fn duties(entries: &[Definition]) -> Vec<Duty> {
    let duty = |entry: Definition| Duty {
        rule: entry.key,
        says: entry.says,
        assumed: is_assumed(&entry.cite),
        cite: entry.cite,
    };
    entries.iter().cloned().map(duty).collect()
}

fn rules_of(sentences: Vec<Sentence>) -> Vec<Rule> {
    let rule = |sentence: Sentence| Rule {
        about: sentence.topic,
        says: sentence.says,
        value: sentence.value,
        kind: sentence.provenance.kind.name(),
        allowed: allowed(&sentence.provenance),
        cite: sentence.provenance.to_string(),
        assumed: sentence.provenance.kind == ValueKind::Assumed,
    };
    sentences.into_iter().map(rule).collect()
}
