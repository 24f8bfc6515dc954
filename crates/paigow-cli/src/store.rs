//! A store, opened for a question.

use crate::Failure;
use crate::args::{BooksArg, StoreArg};
use crate::files::Files;
use paigow::document::Source;
use paigow::rulebook::BookSource;
use paigow_server::{AnyStore, BookFolder, RulesCache};
use std::fmt::Display;
use std::future::Future;

/// Opens a store that is there and asks it something.
pub(crate) fn ask<T, F: Future<Output = Result<T, Failure>>>(
    place: &StoreArg,
    question: impl FnOnce(AnyStore) -> F,
) -> Result<T, Failure> {
    let place = &place.store;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.map_err(refused)?.block_on(async {
        let store = AnyStore::open_existing(place.reveal()).await;
        question(store.map_err(|error| Failure::Refused(format!("{place}: {error}")))?).await
    })
}

/// The rules that stored tables play by: those of the program, of the operator's folder, and of files.
///
/// # Errors
/// The folder's problems.
pub(crate) fn library(books: &BooksArg) -> Result<RulesCache, Failure> {
    let folder = BookFolder::read(books.books.as_deref()).map_err(Failure::Problems)?;
    Ok(RulesCache::new(StoredBooks { folder }))
}

/// Texts that a store may name.
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

    fn more_books(&self) -> Vec<String> {
        self.folder.more_books()
    }

    fn why_not(&self, name: &str, from: Option<&Source>) -> Option<String> {
        let missing = "there is no such rule book; --books FOLDER names the folder of the operator's own";
        Files.why_not(name, from).or_else(|| Some(missing.to_owned()))
    }
}

pub(crate) fn refused(error: impl Display) -> Failure {
    Failure::Refused(error.to_string())
}
