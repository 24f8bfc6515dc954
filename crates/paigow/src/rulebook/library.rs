//! Finding rule books and house ways by name: those that come with the program, and others' files.

use super::Rulebook;
use crate::HouseWay;
use crate::document::{Edition, Problem, Source, TextOrigin};

include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// Where texts are found. The names in a book are looked up from where the book stands.
pub trait BookSource {
    /// The rule book of a name, or at a path as seen from another text.
    fn book(&self, name: &str, from: Option<&Source>) -> Option<Source>;
    /// The house way of a name, or at a path as seen from another text.
    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source>;
    /// Names of rule books beside those that come with the program.
    fn more_books(&self) -> Vec<String> {
        Vec::new()
    }
    /// Whether a name may be a path to a file.
    fn takes_paths(&self) -> bool {
        false
    }
    /// Why there is no such text, where more is known than that there is none.
    fn why_not(&self, _name: &str, _from: Option<&Source>) -> Option<String> {
        None
    }
}

/// The books and house ways that come with the program.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn;

impl BuiltIn {
    /// The names of the books.
    pub fn book_names() -> impl Iterator<Item = &'static str> {
        BOOKS.iter().map(|(name, _)| *name)
    }

    /// The earlier releases that had other texts for books, the latest first.
    pub fn earlier_releases() -> impl Iterator<Item = &'static str> {
        EARLIER.iter().map(|(release, _)| *release)
    }

    /// The text that an earlier release had for a book.
    pub fn earlier_book(release: &str, name: &str) -> Option<Source> {
        let (release, texts) = EARLIER.iter().find(|(known, _)| *known == release)?;
        let source = find(texts, name, &format!("rulebooks/earlier/{release}"))?;
        Some(Source { origin: TextOrigin::Text(Edition::Earlier), ..source })
    }

    /// The names of the house ways.
    pub fn house_way_names() -> impl Iterator<Item = &'static str> {
        HOUSE_WAYS.iter().map(|(name, _)| *name)
    }
}

impl BookSource for BuiltIn {
    fn book(&self, name: &str, _from: Option<&Source>) -> Option<Source> {
        find(BOOKS, name, "rulebooks")
    }

    fn house_way(&self, name: &str, _from: Option<&Source>) -> Option<Source> {
        find(HOUSE_WAYS, name, "rulebooks/house-ways")
    }
}

fn find(texts: &[(&str, &'static str)], name: &str, folder: &str) -> Option<Source> {
    let (_, text) = texts.iter().find(|(known, _)| *known == name)?;
    Some(Source::new(format!("{folder}/{name}.toml"), *text))
}

/// Why there is no such book or house way.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LoadError {
    /// Nothing has this name.
    #[error("there is no {what} `{name}`; those that come with the program are {known}")]
    NotFound {
        /// A rule book or a house way.
        what: &'static str,
        /// The name.
        name: String,
        /// The names there are, and whether a path will do.
        known: String,
    },
    /// There is something of this name, and it cannot be read.
    #[error("{name}: {reason}")]
    Unreadable {
        /// The name.
        name: String,
        /// Why.
        reason: String,
    },
    /// The text is not right.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Problems(Vec<Problem>),
}

impl LoadError {
    fn missing(
        what: &'static str,
        name: &str,
        from: Option<&Source>,
        known: &[&str],
        book_source: &dyn BookSource,
    ) -> LoadError {
        if let Some(reason) = book_source.why_not(name, from) {
            return LoadError::Unreadable { name: name.to_owned(), reason };
        }
        let or_path = if book_source.takes_paths() { ", and a path to a file will do" } else { "" };
        let more = Some(book_source.more_books()).filter(|more| what == "rule book" && !more.is_empty());
        let more = more.map_or(String::new(), |more| format!("; the operator's are {}", more.join(", ")));
        let known = format!("{}{more}{or_path}", known.join(", "));
        LoadError::NotFound { what, name: name.to_owned(), known }
    }
}

impl Rulebook {
    /// The book of a name or a path, with values replaced as `--set KEY=VALUE` asks for.
    ///
    /// # Errors
    /// There is no such book, or everything that is wrong with it.
    pub fn load(
        name: &str,
        changes: &[(String, String)],
        book_source: &dyn BookSource,
    ) -> Result<Rulebook, LoadError> {
        Rulebook::load_from(name, None, changes, book_source)
    }

    /// The same, seen from the text that names it.
    ///
    /// # Errors
    /// There is no such book, or everything that is wrong with it.
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
    /// The house way of a name or a path. It decides every hand.
    ///
    /// # Errors
    /// There is no such house way, or everything that is wrong with it.
    pub fn load(name: &str, book_source: &dyn BookSource) -> Result<HouseWay, LoadError> {
        let known: Vec<&str> = BuiltIn::house_way_names().collect();
        let source = book_source
            .house_way(name, None)
            .ok_or_else(|| LoadError::missing("house way", name, None, &known, book_source))?;
        HouseWay::parse(stem(name), &source).map_err(LoadError::Problems)
    }
}

/// What a book or house way at a path is called: the file without its folder and ending.
pub fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.strip_suffix(".toml").unwrap_or(file)
}
