//! Rule books of the operator's own, beside those that come with the program.
//!
//! Every text is read and checked once, when the server starts. A name that a client sends is looked up among the texts read then:
//! no file is opened for it.

use paigow::document::{Document, Problem, Source, Span};
use paigow::rulebook::{BookSource, BuiltIn, LoadError, stem};
use paigow::{HouseWay, Rulebook, TableRules};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// More than any rule book or house way has.
const BYTES_MAX: u64 = 1_000_000;
/// House ways may lie in this folder below the books, or beside them.
const HOUSE_WAYS: &str = "house-ways";

/// The texts of a folder of rule books, by name. A clone shares them.
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
    /// Reads a folder and checks every text in it. Without a folder there are only the books of the program.
    ///
    /// # Errors
    /// Everything that is wrong with its texts, and every name that is taken.
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

    /// The names of the operator's own books.
    pub fn book_names(&self) -> impl Iterator<Item = &str> {
        self.texts.books.keys().map(String::as_str)
    }

    fn check(&self, problems: &mut Vec<Problem>) {
        for (name, source) in &self.texts.house_ways {
            // A faulty house way is also a problem of the books that name it; here it is found in any case.
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
    /// Adds the text of a file under its name; house ways are known by their clauses.
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
            let says = format!("`{name}` is no name for a rule book: letters, digits, - and _ are allowed");
            return problems.push(at_start(&source, says));
        }
        let (what, built_in, texts) = if is_house_way {
            ("house way", BuiltIn.house_way(&name, None).is_some(), &mut self.house_ways)
        } else {
            ("rule book", BuiltIn.book(&name, None).is_some(), &mut self.books)
        };
        let says = match texts.entry(name) {
            _ if built_in => {
                format!("a {what} of this name comes with the program: give the file another name")
            }
            Entry::Occupied(_) => {
                format!("the folder has another {what} of this name: give the file another")
            }
            Entry::Vacant(free) => {
                free.insert(source);
                return;
            }
        };
        problems.push(at_start(&source, says));
    }
}

/// A problem of a whole file.
fn at_start(source: &Source, says: String) -> Problem {
    Problem::new(&Span { source: source.clone(), start: 0, end: 0 }, says)
}

/// The files of a folder whose names end in `.toml`, in the order of their names.
fn toml_files(folder: &Path, problems: &mut Vec<Problem>) -> Vec<PathBuf> {
    let entries = match fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
        Ok(entries) => entries,
        Err(why) => {
            problems.push(at_start(&Source::new(&*folder.to_string_lossy(), ""), why.to_string()));
            return Vec::new();
        }
    };
    let is_toml = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "toml") && !path.is_dir();
    let mut paths: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).filter(is_toml).collect();
    paths.sort();
    paths
}

fn read(path: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|why| why.to_string())?;
    file.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(|why| why.to_string())?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err(format!("the file is longer than {BYTES_MAX} bytes"));
    }
    String::from_utf8(bytes).map_err(|error| {
        format!("byte {} of the file is not UTF-8 text", error.utf8_error().valid_up_to() + 1)
    })
}

impl BookSource for BookFolder {
    fn book(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        BuiltIn.book(name, from).or_else(|| self.texts.books.get(self.known(name, from)).cloned())
    }

    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        BuiltIn.house_way(name, from).or_else(|| self.texts.house_ways.get(self.known(name, from)).cloned())
    }

    fn more_books(&self) -> Vec<String> {
        self.book_names().map(str::to_owned).collect()
    }
}

impl BookFolder {
    /// The name by which a text is known. A file of the folder may name another by its path, as `paigow check` has it.
    fn known<'a>(&self, name: &'a str, from: Option<&Source>) -> &'a str {
        let texts = || self.texts.books.values().chain(self.texts.house_ways.values());
        let is_own = from.is_some_and(|from| texts().any(|text| text.name == from.name));
        if is_own { stem(name) } else { name }
    }
}
