//! Handles of rule books and house ways.

use crate::errors::{raise, refuse};
use crate::texts::{Recorder, TextKind, Texts};
use paigow::document::Source;
use paigow::rulebook::{BookSource, BuiltIn};
use paigow::{HouseWay, Rulebook, TableRules};
use paigow_answers::books::BookSummary;
use paigow_answers::files::{self, Files};
use paigow_answers::rules::{self, RulesQuestion};
use paigow_answers::set::{self, SetQuestion};
use paigow_answers::{Faults, RankingNames, ValueChanges, is_assumed};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// A rule book with the values changed for it, and all its texts.
#[pyclass(frozen, module = "paigow._native")]
pub(crate) struct Book {
    pub(crate) name: String,
    pub(crate) changes: ValueChanges,
    pub(crate) texts: Texts,
    pub(crate) book: Arc<Rulebook>,
}

/// A house way and its text.
#[pyclass(frozen, module = "paigow._native")]
pub(crate) struct Way {
    pub(crate) name: String,
    pub(crate) texts: Texts,
    pub(crate) way: Arc<HouseWay>,
}

/// A text that was given, and the source of the texts that it names.
struct TextSource<S> {
    texts: Texts,
    others: S,
}

impl<S: BookSource> BookSource for TextSource<S> {
    fn book(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        self.texts.get(TextKind::Book, name, from).or_else(|| self.others.book(name, from))
    }

    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        self.texts.get(TextKind::Way, name, from).or_else(|| self.others.house_way(name, from))
    }

    fn accepts_paths(&self) -> bool {
        self.others.accepts_paths()
    }

    fn unreadable_reason(&self, name: &str, from: Option<&Source>) -> Option<String> {
        self.others.unreadable_reason(name, from)
    }
}

/// Returns a source with one text that was given.
fn given<S: BookSource>(kind: TextKind, name: &str, source: Source, others: S) -> Recorder<TextSource<S>> {
    let mut texts = Texts::default();
    texts.add(kind, name, source);
    Recorder::new(TextSource { texts, others })
}

/// Reads the file at a path.
fn file(py: Python<'_>, path: &str) -> PyResult<Source> {
    files::source(Path::new(path))
        .map_err(|reason| refuse(py, "unreadable", "path", format!("{path}: {reason}")))
}

impl Book {
    fn load<S: BookSource>(
        py: Python<'_>,
        name: &str,
        changes: ValueChanges,
        source: Recorder<S>,
    ) -> PyResult<Book> {
        let question = RulesQuestion { book: name.to_owned(), changes };
        let book = rules::read(&question, &source).map_err(|faults| raise(py, &faults))?;
        let RulesQuestion { book: name, changes } = question;
        Ok(Book { name, changes, texts: source.texts(), book: Arc::new(book) })
    }
}

#[pymethods]
impl Book {
    /// Loads a built-in book.
    #[new]
    fn new(py: Python<'_>, name: &str) -> PyResult<Book> {
        Book::load(py, name, ValueChanges::default(), Recorder::new(BuiltIn))
    }

    /// Loads a book from a file. Names in it may be paths relative to it.
    #[staticmethod]
    fn from_file(py: Python<'_>, path: &str) -> PyResult<Book> {
        let source = given(TextKind::Book, path, file(py, path)?, Files);
        Book::load(py, path, ValueChanges::default(), source)
    }

    /// Loads a book from a text. Names in it are those of built-in books and house ways.
    #[staticmethod]
    fn from_text(py: Python<'_>, name: &str, text: &str) -> PyResult<Book> {
        let source = given(TextKind::Book, name, Source::new(name, text), BuiltIn);
        Book::load(py, name, ValueChanges::default(), source)
    }

    /// Returns the book with more values changed. `way` replaces the house way.
    fn with_changes(
        &self,
        py: Python<'_>,
        changes: Vec<(String, String)>,
        way: Option<&Way>,
    ) -> PyResult<Book> {
        let mut all = self.changes.clone();
        all.0.extend(changes);
        let mut texts = self.texts.clone();
        if let Some(way) = way {
            all.0.insert("house_way.way".to_owned(), way.name.clone());
            texts.join(&way.texts).map_err(|faults| raise(py, &faults))?;
        }
        let kept = texts.clone();
        let book = Book::load(py, &self.name, all, Recorder::new(texts))?;
        // Texts that the changed book no longer names are kept, because another change may name them again.
        Ok(Book { texts: kept, ..book })
    }

    /// Returns the house way of the book.
    pub(crate) fn house_way(&self, py: Python<'_>) -> PyResult<Way> {
        let way = self.book.house_way.clone();
        let Some((name, source)) = self.texts.way(way.id()) else {
            return Err(refuse(py, "not_found", "house_way", format!("{} has no text", way.id())));
        };
        let mut texts = Texts::default();
        texts.add(TextKind::Way, name, source.clone());
        Ok(Way { name: name.to_owned(), texts, way })
    }

    /// Returns the values of the book as JSON.
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        let table_rules = TableRules::new(self.book.clone(), &[])
            .map_err(|refusals| raise(py, &paigow_answers::settle::refusal_faults(&refusals)))?;
        let mut json = serde_json::to_value(BookSummary::of(&self.book)).unwrap_or_default();
        json["digest"] = table_rules.digest().into();
        json["canonical"] = table_rules.canonical().into();
        json["changes"] = serde_json::to_value(&self.changes).unwrap_or_default();
        json["seats"] = self.book.seats.players.into();
        json["commission_basis_points"] = self.book.commission.basis_points.into();
        Ok(json.to_string())
    }
}

impl Way {
    fn load<S: BookSource>(py: Python<'_>, name: &str, source: Recorder<S>) -> PyResult<Way> {
        let question = SetQuestion { house_way: Some(name.to_owned()), ..SetQuestion::default() };
        let ranked = set::house_way(&question, &source).map_err(|faults: Faults| raise(py, &faults))?;
        Ok(Way { name: name.to_owned(), texts: source.texts(), way: ranked.way })
    }
}

#[pymethods]
impl Way {
    /// Loads a built-in house way or strategy card.
    #[new]
    fn new(py: Python<'_>, name: &str) -> PyResult<Way> {
        Way::load(py, name, Recorder::new(BuiltIn))
    }

    /// Loads a house way from a file.
    #[staticmethod]
    fn from_file(py: Python<'_>, path: &str) -> PyResult<Way> {
        Way::load(py, path, given(TextKind::Way, path, file(py, path)?, BuiltIn))
    }

    /// Loads a house way from a text.
    #[staticmethod]
    fn from_text(py: Python<'_>, name: &str, text: &str) -> PyResult<Way> {
        Way::load(py, name, given(TextKind::Way, name, Source::new(name, text), BuiltIn))
    }

    /// Returns the house way as JSON.
    fn describe(&self) -> String {
        let clauses = self.way.clauses().iter().map(|clause| {
            json!({
                "when": clause.when,
                "set": clause.set,
                "if_possible": clause.if_possible,
                "says": clause.says,
                "cite": clause.cite,
                "assumed": is_assumed(&clause.cite),
            })
        });
        json!({
            "id": self.way.id(),
            "title": self.way.title(),
            "source": self.way.source(),
            "ranking": RankingNames::from(self.way.ranking()),
            "clauses": clauses.collect::<Vec<Value>>(),
            "rules": self.way.rules(),
        })
        .to_string()
    }
}

/// Names of the built-in rule books, house ways and strategy cards.
#[pyfunction]
pub(crate) fn names() -> (Vec<&'static str>, Vec<&'static str>, Vec<&'static str>) {
    (BuiltIn::book_names().collect(), BuiltIn::house_way_names().collect(), BuiltIn::card_names().collect())
}
