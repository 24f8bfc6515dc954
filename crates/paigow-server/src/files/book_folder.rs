//! The operator's own rule books and house ways, in addition to the built-in ones.
//!
//! The server reads and checks every file once, at startup. It looks up a name that a client sends among these texts
//! and opens no file for it.

use paigow::document::{Document, Problem, Source, Span};
use paigow::rulebook::{BookSource, BuiltIn, LoadError, stem};
use paigow::{HouseWay, Rulebook, TableRules};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Maximum size of a file. No rule book or house way comes near it.
const BYTES_MAX: u64 = 1_000_000;
/// Subfolder for house ways. They may also be in the folder of the books.
const HOUSE_WAYS: &str = "house-ways";

/// Texts of a folder of rule books, by name. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct BookFolder {
    texts: Arc<Texts>,
}

#[derive(Debug, Default)]
struct Texts {
    books: BTreeMap<String, Source>,
    house_ways: BTreeMap<String, Source>,
}

impl BookFolder {
    /// Reads a folder and checks every text in it. Without a folder, only the built-in books are available.
    ///
    /// # Errors
    /// All problems of the texts, and every name that is already taken.
    pub fn read(folder: Option<&Path>) -> Result<BookFolder, Vec<Problem>> {
        let Some(folder) = folder else { return Ok(BookFolder::default()) };
        let mut problems = Vec::new();
        let mut texts = Texts::default();
        for path in toml_files(folder, &mut problems) {
            texts.add(&path, false, &mut problems);
        }
        let below = folder.join(HOUSE_WAYS);
        if below.is_dir() {
            for path in toml_files(&below, &mut problems) {
                texts.add(&path, true, &mut problems);
            }
        }
        let found = BookFolder { texts: Arc::new(texts) };
        found.check(&mut problems);
        if problems.is_empty() { Ok(found) } else { Err(problems) }
    }

    /// Names of the operator's own books.
    pub fn book_names(&self) -> impl Iterator<Item = &str> {
        self.texts.books.keys().map(String::as_str)
    }

    /// Names of the operator's house ways that strategy cards have, too. Books of the folder use the operator's file;
    /// questions use the card, because the server shows its exact price.
    pub(crate) fn names_of_cards(&self) -> impl Iterator<Item = &str> {
        let is_card = |name: &&str| BuiltIn::card_names().any(|card| card == *name);
        self.texts.house_ways.keys().map(String::as_str).filter(is_card)
    }

    fn check(&self, problems: &mut Vec<Problem>) {
        for (name, source) in &self.texts.house_ways {
            // A book that names a faulty house way reports it too, but a house way may have no book.
            problems.extend(HouseWay::parse(name, source).err().into_iter().flatten());
        }
        for (name, source) in &self.texts.books {
            match Rulebook::load(name, &[], self) {
                Ok(book) => {
                    let refusals = TableRules::new(Arc::new(book), &[]).err().unwrap_or_default();
                    problems.extend(refusals.iter().map(|refusal| at_start(source, refusal.to_string())));
                }
                Err(LoadError::Problems(found)) => {
                    problems.extend(found.into_iter().filter(|problem| !self.is_of_house_way(problem)));
                }
                Err(other) => problems.push(at_start(source, other.to_string())),
            }
        }
    }

    fn is_of_house_way(&self, problem: &Problem) -> bool {
        self.texts.house_ways.values().any(|source| source.name == problem.span.source.name)
    }
}

impl Texts {
    /// Adds the text of a file under its name. A file with `clauses` is a house way.
    fn add(&mut self, path: &Path, is_house_way: bool, problems: &mut Vec<Problem>) {
        let shown = path.to_string_lossy();
        let source = match read(path) {
            Ok(text) => Source::new(&*shown, text),
            Err(why) => return problems.push(at_start(&Source::new(&*shown, ""), why)),
        };
        let name = stem(&shown).to_owned();
        let has_clauses = || Document::parse(&source).is_ok_and(|text| text.root.get("clauses").is_some());
        let is_house_way = is_house_way || has_clauses();
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if name.is_empty() || !name.chars().all(is_name) {
            let message = format!("`{name}` is not a valid name: use letters, digits, - and _");
            return problems.push(at_start(&source, message));
        }
        let (kind, is_built_in, texts) = if is_house_way {
            // A name of a strategy card is free: a later release may have further cards, and the server must start with
            // the files that it started with before.
            let is_published = BuiltIn::house_way_names().any(|known| known == name);
            ("house way", is_published, &mut self.house_ways)
        } else {
            ("rule book", BuiltIn.book(&name, None).is_some(), &mut self.books)
        };
        let message = match texts.entry(name) {
            _ if is_built_in => format!("a built-in {kind} has this name: rename the file"),
            Entry::Occupied(_) => format!("another {kind} in the folder has this name: rename the file"),
            Entry::Vacant(free) => {
                free.insert(source);
                return;
            }
        };
        problems.push(at_start(&source, message));
    }
}

/// Returns a problem of a whole file, located at its start.
fn at_start(source: &Source, message: String) -> Problem {
    Problem::new(&Span { source: source.clone(), start: 0, end: 0 }, message)
}

/// Lists the `.toml` files of a folder, sorted by name.
fn toml_files(folder: &Path, problems: &mut Vec<Problem>) -> Vec<PathBuf> {
    let entries = match fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
        Ok(entries) => entries,
        Err(why) => {
            problems.push(at_start(&Source::new(&*folder.to_string_lossy(), ""), why.to_string()));
            return Vec::new();
        }
    };
    let is_toml =
        |path: &PathBuf| path.extension().is_some_and(|extension| extension == "toml") && !path.is_dir();
    let mut paths: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).filter(is_toml).collect();
    paths.sort();
    paths
}

fn read(path: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|why| why.to_string())?;
    file.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(|why| why.to_string())?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err(format!("the file is larger than {BYTES_MAX} bytes"));
    }
    String::from_utf8(bytes).map_err(|error| {
        format!("byte {} of the file is not UTF-8 text", error.utf8_error().valid_up_to() + 1)
    })
}

impl BookSource for BookFolder {
    fn book(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        BuiltIn.book(name, from).or_else(|| self.texts.books.get(self.lookup_name(name, from)).cloned())
    }

    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        BuiltIn
            .house_way(name, from)
            .or_else(|| self.texts.house_ways.get(self.lookup_name(name, from)).cloned())
    }

    fn additional_books(&self) -> Vec<String> {
        self.book_names().map(str::to_owned).collect()
    }
}

impl BookFolder {
    /// Returns the name to look up. A file of the folder may refer to another by its path, as `paigow check` allows.
    fn lookup_name<'a>(&self, name: &'a str, from: Option<&Source>) -> &'a str {
        let texts = || self.texts.books.values().chain(self.texts.house_ways.values());
        let is_own = from.is_some_and(|from| texts().any(|text| text.name == from.name));
        if is_own { stem(name) } else { name }
    }
}
