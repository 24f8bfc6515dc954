//! Parts that questions share: cards, a book with changes, a house way.

use crate::{Fault, Faults};
use indexmap::IndexMap;
use paigow::rulebook::BookSource;
use paigow::{HouseWay, Rulebook, SevenCards};
use paigow_math::WorthTable;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Maximum number of values that a question may replace, as for a table.
const CHANGES_MAX: usize = 64;
/// Maximum total length of their paths and values in bytes, as for a table.
const CHANGES_BYTES_MAX: usize = 8_192;

/// Values of a book replaced for one question, by their path in its file.
///
/// Each value is TOML as in the file. Quotation marks around text are optional. The changed book is checked like a
/// file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "ranking.wheel": "lowest" }))]
pub struct ValueChanges(pub IndexMap<String, String>);

impl ValueChanges {
    /// Name of the house way that replaces that of the book, if it is among the changes.
    pub fn house_way(&self) -> Option<&str> {
        self.0.get("house_way.way").map(String::as_str)
    }

    /// Returns the changes as pairs of path and value.
    pub(crate) fn pairs(&self) -> Vec<(String, String)> {
        self.0.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
    }
}

/// State while a question is read: the source of books, and the faults found so far.
pub(crate) struct QuestionContext<'a> {
    pub(crate) book_source: &'a dyn BookSource,
    pub(crate) faults: Faults,
}

impl<'a> QuestionContext<'a> {
    pub(crate) fn new(book_source: &'a dyn BookSource) -> QuestionContext<'a> {
        QuestionContext { book_source, faults: Faults::default() }
    }

    pub(crate) fn hand(&mut self, cards: &str) -> Option<SevenCards> {
        let hand = cards.parse::<SevenCards>();
        hand.map_err(|faults| self.faults.push(Fault::new("bad_cards", "cards", faults.to_string()))).ok()
    }

    pub(crate) fn book(&mut self, name: &str, changes: &ValueChanges) -> Option<Rulebook> {
        let bytes: usize = changes.0.iter().map(|(key, value)| key.len() + value.len()).sum();
        if changes.0.len() > CHANGES_MAX || bytes > CHANGES_BYTES_MAX {
            let message =
                format!("too many changes: at most {CHANGES_MAX} values, {CHANGES_BYTES_MAX} bytes in all");
            self.faults.push(Fault::new("too_many_changes", "changes", message));
            return None;
        }
        let book = Rulebook::load(name, &changes.pairs(), self.book_source);
        book.map_err(|error| self.faults.not_loaded(error, "book")).ok()
    }

    /// Loads a book whose house ways can be priced by a table of worths.
    pub(crate) fn priced_book(&mut self, name: &str, changes: &ValueChanges) -> Option<Rulebook> {
        let book = self.book(name, changes)?;
        if WorthTable::supports(&book.base_game.dealer_push) {
            return Some(book);
        }
        let message =
            format!("{}: the dealer pushes on a class of hands that no price accounts for", book.id);
        self.faults.push(Fault::new("unsupported_push", "book", message));
        None
    }

    /// Loads the house way `name`, if given. `at` is the key of the question that faults refer to.
    pub(crate) fn house_way(&mut self, name: Option<&str>, at: &str) -> Option<Arc<HouseWay>> {
        let way = HouseWay::load(name?, self.book_source);
        way.map_err(|error| self.faults.not_loaded(error, at)).map(Arc::new).ok()
    }
}
