//! What questions have in common: cards, a book with changes, a house way.

use crate::{Fault, Faults};
use indexmap::IndexMap;
use paigow::rulebook::BookSource;
use paigow::{HouseWay, Rulebook, SevenCards};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// The most values that a question may replace, and the most bytes they may have: as many as a table may.
const CHANGES_MOST: usize = 64;
const CHANGES_BYTES: usize = 8_192;

/// Values of a book replaced for one question, by their path in its file: text as it would stand there, with or without quotation
/// marks. They are checked like the file itself.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "ranking.wheel": "lowest" }))]
pub struct ValueChanges(pub IndexMap<String, String>);

impl ValueChanges {
    /// The changes as the library takes them.
    pub(crate) fn pairs(&self) -> Vec<(String, String)> {
        self.0.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
    }
}

/// A question being read: what can be had of it, and everything that is wrong with it.
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
        if changes.0.len() > CHANGES_MOST || bytes > CHANGES_BYTES {
            let message =
                format!("too many changes: at most {CHANGES_MOST} values, {CHANGES_BYTES} bytes in all");
            self.faults.push(Fault::new("too_many_changes", "changes", message));
            return None;
        }
        let book = Rulebook::load(name, &changes.pairs(), self.book_source);
        book.map_err(|error| self.faults.not_loaded(error, "book")).ok()
    }

    /// The house way that a key of the question names, if it names one.
    pub(crate) fn house_way(&mut self, name: Option<&str>, at: &str) -> Option<Arc<HouseWay>> {
        let way = HouseWay::load(name?, self.book_source);
        way.map_err(|error| self.faults.not_loaded(error, at)).map(Arc::new).ok()
    }
}
