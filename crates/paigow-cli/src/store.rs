//! Access to an existing store, and to the rules of its tables.

use crate::Failure;
use crate::args::BooksArg;
use paigow::document::Source;
use paigow::rulebook::BookSource;
use paigow_answers::files::Files;
use paigow_server::settings::StoreLocation;
use paigow_server::{BlockingStore, BookFolder, RulesCache};
use std::fmt::Display;

/// Opens an existing store.
pub(crate) fn open_store(location: &StoreLocation) -> Result<BlockingStore, Failure> {
    BlockingStore::open(location.reveal()).map_err(|error| Failure::Refused(format!("{location}: {error}")))
}

/// Creates a cache of rules that loads built-in books, books of the operator's folder, and files.
///
/// # Errors
/// The problems of the books in the folder.
pub(crate) fn rules_cache(books: &BooksArg) -> Result<RulesCache, Failure> {
    let folder = BookFolder::read(books.books.as_deref()).map_err(Failure::Problems)?;
    Ok(RulesCache::new(StoredBooks { folder }))
}

/// Source of the books that a store may name.
struct StoredBooks {
    folder: BookFolder,
}

impl BookSource for StoredBooks {
    fn book(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        self.folder.book(name, from).or_else(|| Files.book(name, from))
    }

    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        self.folder.house_way(name, from).or_else(|| Files.house_way(name, from))
    }

    fn additional_books(&self) -> Vec<String> {
        self.folder.additional_books()
    }

    fn unreadable_reason(&self, name: &str, from: Option<&Source>) -> Option<String> {
        let missing = "there is no such rule book; give the folder of the operator's own books with --books";
        Files.unreadable_reason(name, from).or_else(|| Some(missing.to_owned()))
    }
}

/// Converts an error to a refusal with its message.
pub(crate) fn refused(error: impl Display) -> Failure {
    Failure::Refused(error.to_string())
}
