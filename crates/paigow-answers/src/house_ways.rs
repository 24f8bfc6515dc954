//! The house ways that come with the program, each with its clauses and the books that use it.

use crate::question::QuestionContext;
use crate::rules::ClauseRule;
use crate::{Faults, RankingNames, ValueChanges};
use paigow::HouseWay;
use paigow::rulebook::{BookSource, BuiltIn};
use serde::Serialize;
use utoipa::ToSchema;

/// All house ways.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct HouseWayList {
    /// By name.
    pub house_ways: Vec<HouseWayEntry>,
}

/// A house way in the list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct HouseWayEntry {
    /// The name it goes by.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// The document it follows.
    pub source: String,
    /// How many clauses it has.
    pub clauses: usize,
    /// The books whose dealer sets by it.
    pub books: Vec<String>,
}

/// A house way in full.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct HouseWayText {
    /// The name it goes by.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// The document it follows.
    pub source: String,
    /// The ranking it was written for; a book may use another.
    pub ranking: RankingNames,
    /// The books whose dealer sets by it.
    pub books: Vec<String>,
    /// The clauses; the first that fits decides.
    pub clauses: Vec<ClauseRule>,
}

/// All house ways.
///
/// # Errors
/// What is wrong with a text; those that come with the program are right.
pub fn list() -> Result<HouseWayList, Faults> {
    let mut ask = QuestionContext::new(&BuiltIn);
    let users = users(&mut ask);
    let ways: Vec<_> =
        BuiltIn::house_way_names().filter_map(|name| ask.house_way(Some(name), name)).collect();
    let entry = |way: &HouseWay| HouseWayEntry {
        id: way.id().to_owned(),
        title: way.title().to_owned(),
        source: way.source().to_owned(),
        clauses: way.clauses().len(),
        books: books_of(way, &users),
    };
    let house_ways = ways.iter().map(|way| entry(way)).collect();
    ask.faults.or(Some(HouseWayList { house_ways }))
}

/// A house way in full.
///
/// # Errors
/// There is none of this name, or everything that is wrong with it.
pub fn answer(name: &str, book_source: &dyn BookSource) -> Result<HouseWayText, Faults> {
    let mut ask = QuestionContext::new(book_source);
    let way = ask.house_way(Some(name), "house_way");
    let way = ask.faults.or(way)?;
    let mut built_in = QuestionContext::new(&BuiltIn);
    let users = users(&mut built_in);
    built_in.faults.or(Some(HouseWayText {
        id: way.id().to_owned(),
        title: way.title().to_owned(),
        source: way.source().to_owned(),
        ranking: way.ranking().into(),
        books: books_of(&way, &users),
        clauses: ClauseRule::all_of(&way),
    }))
}

/// Each book that comes with the program, and its house way.
fn users(ask: &mut QuestionContext<'_>) -> Vec<(String, String)> {
    let books = BuiltIn::book_names().filter_map(|name| ask.book(name, &ValueChanges::default()));
    books.map(|book| (book.id, book.house_way.id().to_owned())).collect()
}

fn books_of(way: &HouseWay, users: &[(String, String)]) -> Vec<String> {
    users.iter().filter(|(_, used)| used == way.id()).map(|(book, _)| book.clone()).collect()
}
