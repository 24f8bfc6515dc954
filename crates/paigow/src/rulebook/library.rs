//! Lookup of rule books and house ways by name: the built-in ones and files of users.

use super::Rulebook;
use crate::HouseWay;
use crate::document::{Edition, Problem, Source, TextOrigin};

include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// Source of rule books and house ways. Names in a book are resolved relative to the book.
pub trait BookSource {
    /// Returns the rule book with a name, or at a path relative to `from`.
    fn book(&self, name: &str, from: Option<&Source>) -> Option<Source>;
    /// Returns the house way with a name, or at a path relative to `from`.
    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source>;
    /// Names of the rule books that are not built in.
    fn additional_books(&self) -> Vec<String> {
        Vec::new()
    }
    /// Returns whether a name may be a path to a file.
    fn accepts_paths(&self) -> bool {
        false
    }
    /// Returns why a text cannot be read, or `None` if it does not exist.
    fn unreadable_reason(&self, _name: &str, _from: Option<&Source>) -> Option<String> {
        None
    }
}

impl<S: BookSource + ?Sized> BookSource for &S {
    fn book(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        (**self).book(name, from)
    }

    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        (**self).house_way(name, from)
    }

    fn additional_books(&self) -> Vec<String> {
        (**self).additional_books()
    }

    fn accepts_paths(&self) -> bool {
        (**self).accepts_paths()
    }

    fn unreadable_reason(&self, name: &str, from: Option<&Source>) -> Option<String> {
        (**self).unreadable_reason(name, from)
    }
}

/// The built-in books, house ways and strategy cards.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn;

impl BuiltIn {
    /// Names of the built-in books.
    pub fn book_names() -> impl Iterator<Item = &'static str> {
        BOOKS.iter().map(|(name, _)| *name)
    }

    /// Earlier releases whose books had other texts, the latest first.
    pub fn earlier_releases() -> impl Iterator<Item = &'static str> {
        EARLIER.iter().map(|(release, _)| *release)
    }

    /// Returns the text of a book in an earlier release.
    pub fn earlier_book(release: &str, name: &str) -> Option<Source> {
        let (release, texts) = EARLIER.iter().find(|(known, _)| *known == release)?;
        let source = find(texts, name, &format!("rulebooks/earlier/{release}"))?;
        Some(Source { origin: TextOrigin::Text(Edition::Earlier), ..source })
    }

    /// Names of the built-in house ways, which casinos have published.
    pub fn house_way_names() -> impl Iterator<Item = &'static str> {
        HOUSE_WAYS.iter().map(|(name, _)| *name)
    }

    /// Names of the built-in strategy cards: house ways with few clauses, found by search. A name has the form
    /// BOOK-SIDE-LINES. [`BookSource::house_way`] finds a card by its name.
    pub fn card_names() -> impl Iterator<Item = &'static str> {
        CARDS.iter().map(|(name, _)| *name)
    }
}

impl BookSource for BuiltIn {
    fn book(&self, name: &str, _from: Option<&Source>) -> Option<Source> {
        find(BOOKS, name, "rulebooks")
    }

    /// Also finds strategy cards, except for a book: a later release may have another card of the same name, and the
    /// rules of a stored table must stay the same.
    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        let card = || find(CARDS, name, "rulebooks/cards").filter(|_| from.is_none());
        find(HOUSE_WAYS, name, "rulebooks/house-ways").or_else(card)
    }
}

fn find(texts: &[(&str, &'static str)], name: &str, folder: &str) -> Option<Source> {
    let (_, text) = texts.iter().find(|(known, _)| *known == name)?;
    Some(Source::new(format!("{folder}/{name}.toml"), *text))
}

/// Error of loading a rule book or house way.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LoadError {
    /// No book or house way has this name.
    #[error("there is no {kind} `{name}`; available: {known}")]
    NotFound {
        /// `rule book` or `house way`.
        kind: &'static str,
        /// The requested name.
        name: String,
        /// The existing names, and whether a path is accepted.
        known: String,
    },
    /// The text exists but cannot be read.
    #[error("{name}: {reason}")]
    Unreadable {
        /// The requested name.
        name: String,
        /// Reason why the text cannot be read.
        reason: String,
    },
    /// The text has errors.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Problems(Vec<Problem>),
}

impl LoadError {
    fn missing(
        kind: &'static str,
        name: &str,
        from: Option<&Source>,
        known: &[&str],
        book_source: &dyn BookSource,
    ) -> LoadError {
        if let Some(reason) = book_source.unreadable_reason(name, from) {
            return LoadError::Unreadable { name: name.to_owned(), reason };
        }
        let or_path = if book_source.accepts_paths() { ", or the path of a file" } else { "" };
        let more = match (kind, &book_source.additional_books()[..]) {
            ("house way", _) => ", a strategy card of `paigow cards`".to_owned(),
            (_, []) => String::new(),
            (_, more) => format!("; the operator's: {}", more.join(", ")),
        };
        let known = format!("{}{more}{or_path}", known.join(", "));
        LoadError::NotFound { kind, name: name.to_owned(), known }
    }
}

impl Rulebook {
    /// Loads a built-in book.
    ///
    /// # Errors
    /// No built-in book has the name.
    ///
    /// # Examples
    ///
    /// ```
    /// use paigow::Rulebook;
    /// use paigow::rulebook::BuiltIn;
    ///
    /// for name in BuiltIn::book_names() {
    ///     println!("{name}: {}", Rulebook::built_in(name)?.title);
    /// }
    /// # Ok::<(), paigow::rulebook::LoadError>(())
    /// ```
    pub fn built_in(name: &str) -> Result<Rulebook, LoadError> {
        Rulebook::load(name, &[], &BuiltIn)
    }

    /// Loads a book by name or path and applies overrides in the form of `--set KEY=VALUE`.
    ///
    /// # Errors
    /// The book does not exist or cannot be read, or all problems of its text.
    pub fn load(
        name: &str,
        changes: &[(String, String)],
        book_source: &dyn BookSource,
    ) -> Result<Rulebook, LoadError> {
        Rulebook::load_from(name, None, changes, book_source)
    }

    /// Loads a book by name or by a path relative to the text that names it.
    ///
    /// # Errors
    /// As [`Rulebook::load`].
    pub fn load_from(
        name: &str,
        from: Option<&Source>,
        changes: &[(String, String)],
        book_source: &dyn BookSource,
    ) -> Result<Rulebook, LoadError> {
        let known: Vec<&str> = BuiltIn::book_names().collect();
        let source = book_source
            .book(name, from)
            .ok_or_else(|| LoadError::missing("rule book", name, from, &known, book_source))?;
        let book = Rulebook::parse(stem(name), &source, changes, book_source).map_err(LoadError::Problems)?;
        Ok(Rulebook { reference: name.to_owned(), ..book })
    }
}

impl HouseWay {
    /// Loads a built-in house way.
    ///
    /// # Errors
    /// No built-in house way has the name.
    pub fn built_in(name: &str) -> Result<HouseWay, LoadError> {
        HouseWay::load(name, &BuiltIn)
    }

    /// Loads a house way by name or path and checks that it decides every hand.
    ///
    /// # Errors
    /// The house way does not exist or cannot be read, or all problems of its text.
    pub fn load(name: &str, book_source: &dyn BookSource) -> Result<HouseWay, LoadError> {
        let known: Vec<&str> = BuiltIn::house_way_names().collect();
        let source = book_source
            .house_way(name, None)
            .ok_or_else(|| LoadError::missing("house way", name, None, &known, book_source))?;
        HouseWay::parse(stem(name), &source).map_err(LoadError::Problems)
    }
}

/// Returns the name of a book or house way at a path: the file name without folder and extension.
pub fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.strip_suffix(".toml").unwrap_or(file)
}
