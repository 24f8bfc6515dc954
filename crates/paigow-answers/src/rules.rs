//! A book's rules in plain words, each with its citation.

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

/// Which book.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RulesQuestion {
    /// A rule book's name.
    pub book: String,
    /// Values of the book replaced for this question.
    #[serde(default)]
    pub changes: ValueChanges,
}

/// A book in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct RulesAnswer {
    /// The name it goes by.
    pub book: String,
    /// What it is called.
    pub title: String,
    /// The document it follows.
    pub source: String,
    /// Since when the document is in force, where it says.
    #[schema(required)]
    pub effective: Option<String>,
    /// When the book was last compared with the document.
    pub checked_on: String,
    /// Rules that no value of the book has.
    pub duties: Vec<Duty>,
    /// The table's rules.
    pub rules: Vec<Rule>,
    /// The side wagers with theirs.
    pub wagers: Vec<WagerRules>,
    /// How the dealer sets.
    pub house_way: HouseWayRules,
    /// Words and their senses.
    pub glossary: Vec<Term>,
    /// The words of the book for parts of the game.
    pub terms: Terms,
    /// What the document says and no value of the book expresses.
    pub notes: Vec<Duty>,
    /// How many values of each kind the book has.
    pub kinds: Kinds,
    /// Every value of the book with its kind.
    pub values: Vec<SourcedValue>,
    /// Values that the question changed although the document fixes them: these are no longer the document's rules.
    pub departures: Vec<ChangedValue>,
    /// What no document says.
    pub assumed: Vec<AssumedValue>,
    /// Version of the program.
    pub program: &'static str,
    /// Digest of the rules in force, in hexadecimal: the book with its default paytables posted, or those of a table.
    pub digest: String,
    /// Keys of the book that only describe and are not part of the digest, by path; NAME, ROW and * stand for any name, row or table.
    pub descriptive: Vec<String>,
}

/// The words of a book for parts of the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Terms {
    /// The one who banks: `banker` or `player/dealer`.
    pub banker: String,
    /// The color of a card: `color` or `colour`.
    pub color: String,
}

/// A rule in the document's own sense.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Duty {
    /// What it is about.
    pub rule: String,
    /// The rule.
    pub says: String,
    /// Where it comes from.
    pub cite: String,
    /// Whether no document says it: the citation gives the reason it is assumed.
    pub assumed: bool,
}

/// A value of the book as a sentence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Rule {
    /// What it is about.
    pub about: &'static str,
    /// The rule.
    pub says: String,
    /// The path of the value in the book's file.
    pub value: String,
    /// `fixed` by the document, an `option` it leaves to the house, or `assumed` because it is silent.
    pub kind: &'static str,
    /// What a house may set it to, where that is limited.
    #[schema(required)]
    pub allowed: Option<String>,
    /// Where it comes from.
    pub cite: String,
    /// Whether no document says it: the citation gives the reason it is assumed.
    pub assumed: bool,
}

/// A side wager with its paytables and its rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct WagerRules {
    /// The wager.
    #[serde(flatten)]
    pub wager: BookWager,
    /// Its rules.
    pub rules: Vec<Rule>,
}

/// A house way with its clauses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct HouseWayRules {
    /// The name it goes by.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// The document it follows.
    pub source: String,
    /// Where the book's choice of it comes from.
    pub cite: String,
    /// Whether no document says it: the citation gives the reason it is assumed.
    pub assumed: bool,
    /// The clauses; the first that fits decides.
    pub clauses: Vec<ClauseRule>,
}

/// A clause of a house way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct ClauseRule {
    /// What the cards must show.
    pub when: String,
    /// What is done with them; the first that is possible.
    pub set: Vec<String>,
    /// Whether a hand that cannot be set so goes on to the next clause.
    pub if_possible: bool,
    /// The clause in words.
    pub says: String,
    /// Where it comes from.
    pub cite: String,
    /// Whether no document says it: the citation gives the reason it is assumed.
    pub assumed: bool,
}

/// A word.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Term {
    /// The word.
    pub word: String,
    /// Its sense.
    pub means: String,
    /// Where it comes from.
    pub cite: String,
    /// Whether no document says it: the citation gives the reason it is assumed.
    pub assumed: bool,
}

/// A value that no document says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct AssumedValue {
    /// Its path in the file.
    pub value: String,
    /// Why it is assumed to be what it is.
    pub because: String,
}

/// The book that is asked about.
///
/// # Errors
/// There is none, or everything that is wrong with it.
pub fn read(question: &RulesQuestion, book_source: &dyn BookSource) -> Result<Rulebook, Faults> {
    let mut ask = QuestionContext::new(book_source);
    let book = ask.book(&question.book, &question.changes);
    ask.faults.or(book)
}

/// The rules that are asked about, the default paytables posted.
///
/// # Errors
/// There is no such book, or everything that is wrong with it.
pub fn posted(question: &RulesQuestion, book_source: &dyn BookSource) -> Result<TableRules, Faults> {
    TableRules::new(Arc::new(read(question, book_source)?), &[]).map_err(|refusals| {
        let fault = |refusal: &Refusal| Fault::new(refusal.code(), "book", refusal.to_string());
        Faults { faults: refusals.iter().map(fault).collect() }
    })
}

/// The rules of a book.
///
/// # Errors
/// There is no such book, or everything that is wrong with it.
pub fn answer(question: &RulesQuestion, book_source: &dyn BookSource) -> Result<RulesAnswer, Faults> {
    Ok(RulesAnswer::of(&posted(question, book_source)?))
}

impl RulesAnswer {
    /// The book that is posted, in words.
    pub fn of(table_rules: &TableRules) -> RulesAnswer {
        // The posted paytables decide the joker.
        let mut book = (**table_rules.book()).clone();
        book.ranking = table_rules.evaluator().ranking();
        let book = &book;
        let way = &book.house_way;
        let way_from =
            book.provenance(&["house_way", "way"]).map(|from| from.to_string()).unwrap_or_default();
        let values = SourcedValue::all_of(book);
        let assumed = values.iter().filter(|value| value.kind == ValueKind::Assumed.name());
        RulesAnswer {
            book: book.id.clone(),
            title: book.title.clone(),
            source: book.source.clone(),
            effective: book.effective.clone(),
            checked_on: book.checked_on.clone(),
            duties: duties(&book.duties),
            rules: said(book.sentences()),
            wagers: book
                .wagers
                .iter()
                .map(|wager| WagerRules {
                    wager: BookWager::of(book, wager),
                    rules: said(book.wager_sentences(wager)),
                })
                .collect(),
            house_way: HouseWayRules {
                id: way.id().to_owned(),
                title: way.title().to_owned(),
                source: way.source().to_owned(),
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
            terms: Terms { banker: book.terms.banker.clone(), color: book.terms.color.clone() },
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
    /// The clauses of a house way, in their order.
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

fn said(sentences: Vec<Sentence>) -> Vec<Rule> {
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
