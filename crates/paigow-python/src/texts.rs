//! Texts of rule books and house ways, kept as they were when they were loaded.
//!
//! A rule book of Python is a snapshot: a later question reads no file again. Loading records every text that a book
//! names, and questions find them by the same names.

use paigow::document::Source;
use paigow::rulebook::{BookSource, BuiltIn};
use paigow_answers::{Fault, Faults};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Mutex, PoisonError};

/// Kind of text that a name refers to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum TextKind {
    /// A rule book.
    Book,
    /// A house way.
    Way,
}

/// Kind of a text, its name, and the name of the text that contains the name.
type Key = (TextKind, String, Option<String>);

/// Texts by their names.
#[derive(Clone, Default, Debug)]
pub(crate) struct Texts(BTreeMap<Key, Source>);

impl Texts {
    /// Adds a text under a name that no other text contains.
    pub(crate) fn add(&mut self, kind: TextKind, name: &str, source: Source) {
        self.0.insert((kind, name.to_owned(), None), source);
    }

    /// Adds all texts of a book or house way.
    ///
    /// # Errors
    /// Two different texts have the same name.
    pub(crate) fn join(&mut self, others: &Texts) -> Result<(), Faults> {
        let mut faults = Faults::default();
        for (key, source) in &others.0 {
            match self.0.entry(key.clone()) {
                Entry::Vacant(entry) => {
                    entry.insert(source.clone());
                }
                Entry::Occupied(entry) if entry.get().text == source.text => {}
                Entry::Occupied(_) => {
                    let message = format!("two different texts have the name `{}`: rename one", key.1);
                    faults.push(Fault::new("same_name", &key.1, message));
                }
            }
        }
        faults.into_result(Some(()))
    }

    /// Returns the last text of a house way that a book names, with its name.
    pub(crate) fn way(&self, id: &str) -> Option<(&str, &Source)> {
        let is_way = |(kind, name, _): &Key| *kind == TextKind::Way && paigow::rulebook::stem(name) == id;
        self.0.iter().rfind(|(key, _)| is_way(key)).map(|((_, name, _), source)| (name.as_str(), source))
    }

    pub(crate) fn get(&self, kind: TextKind, name: &str, from: Option<&Source>) -> Option<Source> {
        let from = from.map(|from| from.name.to_string());
        let named = |from| self.0.get(&(kind, name.to_owned(), from)).cloned();
        // A round or a book may also name a text that was given by its name.
        named(from).or_else(|| named(None))
    }
}

impl BookSource for Texts {
    fn book(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        self.get(TextKind::Book, name, from).or_else(|| BuiltIn.book(name, from))
    }

    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        self.get(TextKind::Way, name, from).or_else(|| BuiltIn.house_way(name, from))
    }
}

/// A source that records the texts it returns.
pub(crate) struct Recorder<S> {
    from: S,
    texts: Mutex<Texts>,
}

impl<S: BookSource> Recorder<S> {
    pub(crate) fn new(from: S) -> Recorder<S> {
        Recorder { from, texts: Mutex::default() }
    }

    /// Returns the texts that were requested.
    pub(crate) fn texts(self) -> Texts {
        self.texts.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(
        &self,
        kind: TextKind,
        name: &str,
        from: Option<&Source>,
        found: Option<Source>,
    ) -> Option<Source> {
        let source = found?;
        let key = (kind, name.to_owned(), from.map(|from| from.name.to_string()));
        self.texts.lock().unwrap_or_else(PoisonError::into_inner).0.insert(key, source.clone());
        Some(source)
    }
}

impl<S: BookSource> BookSource for Recorder<S> {
    fn book(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        self.record(TextKind::Book, name, from, self.from.book(name, from))
    }

    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        self.record(TextKind::Way, name, from, self.from.house_way(name, from))
    }

    fn additional_books(&self) -> Vec<String> {
        self.from.additional_books()
    }

    fn accepts_paths(&self) -> bool {
        self.from.accepts_paths()
    }

    fn unreadable_reason(&self, name: &str, from: Option<&Source>) -> Option<String> {
        self.from.unreadable_reason(name, from)
    }
}
