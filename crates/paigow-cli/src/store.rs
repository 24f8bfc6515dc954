//! Access to an existing store, and to the rules of its tables.

use crate::Failure;
use crate::args::{BooksArg, StoreArg};
use crate::files::Files;
use paigow::document::Source;
use paigow::rulebook::BookSource;
use paigow_server::{AnyStore, BookFolder, RulesCache};
use std::fmt::Display;
use std::future::Future;

/// Opens an existing store and runs an operation on it.
pub(crate) fn with_store<T, F: Future<Output = Result<T, Failure>>>(
    args: &StoreArg,
    operation: impl FnOnce(AnyStore) -> F,
) -> Result<T, Failure> {
    let location = &args.store;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.map_err(refused)?.block_on(async {
        let store = AnyStore::open_existing(location.reveal()).await;
        operation(store.map_err(|error| Failure::Refused(format!("{location}: {error}")))?).await
    })
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
