//! House ways: a list of the built-in ones, and the full text of one.

use crate::question::QuestionContext;
use crate::rules::ClauseRule;
use crate::{Faults, RankingNames, ValueChanges};
use paigow::HouseWay;
use paigow::rulebook::{BookSource, BuiltIn};
use serde::Serialize;
use utoipa::ToSchema;

/// All built-in house ways.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct HouseWayList {
    /// The house ways, in the order of their names.
    pub house_ways: Vec<HouseWayEntry>,
}

/// A house way in the list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct HouseWayEntry {
    /// Id of the house way.
    pub id: String,
    /// Title for display.
    pub title: String,
    /// Document that it follows.
    pub source: String,
    /// Number of clauses.
    pub clauses: usize,
    /// Built-in books that use it.
    pub books: Vec<String>,
}

/// Full text of a house way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct HouseWayText {
    /// Id of the house way.
    pub id: String,
    /// Title for display.
    pub title: String,
    /// Document that it follows.
    pub source: String,
    /// Ranking it was written for. A book may use another ranking.
    pub ranking: RankingNames,
    /// Built-in books that use it.
    pub books: Vec<String>,
    /// Clauses, in order. The first that applies decides.
    pub clauses: Vec<ClauseRule>,
    /// The text of its file.
    pub toml: String,
}

/// Lists the built-in house ways.
///
/// # Errors
/// A built-in text is invalid, which the tests exclude.
pub fn list() -> Result<HouseWayList, Faults> {
    let mut context = QuestionContext::new(&BuiltIn);
    let books = book_house_ways(&mut context);
    let ways: Vec<_> =
        BuiltIn::house_way_names().filter_map(|name| context.house_way(Some(name), name)).collect();
    let entry = |way: &HouseWay| HouseWayEntry {
        id: way.id().to_owned(),
        title: way.title().to_owned(),
        source: way.source().to_owned(),
        clauses: way.clauses().len(),
        books: books_with(way, &books),
    };
    let house_ways = ways.iter().map(|way| entry(way)).collect();
    context.faults.into_result(Some(HouseWayList { house_ways }))
}

/// Returns the full text of a house way.
///
/// # Errors
/// There is no house way of this name, or all faults of its text.
pub fn answer(name: &str, book_source: &dyn BookSource) -> Result<HouseWayText, Faults> {
    let mut context = QuestionContext::new(book_source);
    let way = context.house_way(Some(name), "house_way");
    let way = context.faults.into_result(way)?;
    let mut built_in = QuestionContext::new(&BuiltIn);
    let books = book_house_ways(&mut built_in);
    built_in.faults.into_result(Some(HouseWayText {
        id: way.id().to_owned(),
        title: way.title().to_owned(),
        source: way.source().to_owned(),
        ranking: way.ranking().into(),
        books: books_with(&way, &books),
        clauses: ClauseRule::all_of(&way),
        toml: book_source.house_way(name, None).map(|source| source.text.to_string()).unwrap_or_default(),
    }))
}

/// Returns each built-in book with the id of its house way.
fn book_house_ways(context: &mut QuestionContext<'_>) -> Vec<(String, String)> {
    let books = BuiltIn::book_names().filter_map(|name| context.book(name, &ValueChanges::default()));
    books.map(|book| (book.id, book.house_way.id().to_owned())).collect()
}

fn books_with(way: &HouseWay, books: &[(String, String)]) -> Vec<String> {
    books.iter().filter(|(_, used)| used == way.id()).map(|(book, _)| book.clone()).collect()
}
