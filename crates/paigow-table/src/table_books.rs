//! House ways that belong to a table instead of a book.
//!
//! A table may be opened with a house way of its own. Its name is `table:` and the id of the table. The rules of the table
//! are those of its book with this name as `house_way.way`, so everything that describes a book's house way describes
//! that of the table.

use crate::{Config, TableId};
use paigow::document::Source;
use paigow::rulebook::BookSource;

/// Path of the house way in a book's file.
pub(crate) const HOUSE_WAY_PATH: &str = "house_way.way";

/// Start of the name of a table's house way.
const PREFIX: &str = "table:";

/// Source of books that also has the house ways of some tables.
#[derive(Clone, Debug)]
pub struct TableBooks<S> {
    /// Source of the books and of all other house ways.
    pub book_source: S,
    /// House ways of tables, each with its name.
    pub house_ways: Vec<Source>,
}

impl TableBooks<()> {
    /// Returns the table whose house way has this name, or `None` if the name is that of another house way.
    pub fn table_of(house_way: &str) -> Option<TableId> {
        house_way.strip_prefix(PREFIX)?.parse().ok()
    }
}

impl Config {
    /// Returns the text of the table's own house way with its name, if it has one.
    pub fn own_house_way(&self) -> Option<Source> {
        let text = self.house_way_toml.as_ref()?;
        Some(Source::new(format!("{PREFIX}{}", self.table), text.clone()))
    }
}

impl<S: BookSource> BookSource for TableBooks<S> {
    fn book(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        self.book_source.book(name, from)
    }

    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        let own = self.house_ways.iter().find(|way| *way.name == *name);
        own.cloned().or_else(|| self.book_source.house_way(name, from))
    }

    fn additional_books(&self) -> Vec<String> {
        self.book_source.additional_books()
    }

    fn accepts_paths(&self) -> bool {
        self.book_source.accepts_paths()
    }

    fn unreadable_reason(&self, name: &str, from: Option<&Source>) -> Option<String> {
        self.book_source.unreadable_reason(name, from)
    }
}
