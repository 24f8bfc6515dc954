//! The rules that tables play by, each read once: a thousand tables of one book share it.

use paigow::Posting;
use paigow::document::Source;
use paigow::rulebook::{BuiltIn, Shelf};
use paigow_table::{Config, ConfigFault, Opening, RulesForm, RulesMatch, Table};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Rules by what tables were opened with. A clone shares what was read.
#[derive(Clone)]
pub struct Library {
    shelf: Arc<dyn Shelf + Send + Sync>,
    known: Arc<Mutex<HashMap<String, Rules>>>,
    /// Whether new tables may change what a document fixes.
    unlocked: bool,
}

/// The rules of a table, and their digest.
#[derive(Clone)]
pub(crate) struct Rules {
    pub(crate) posting: Arc<Posting>,
    pub(crate) digest: Arc<str>,
}

impl Library {
    /// Rules made of what a shelf has.
    pub fn new(shelf: impl Shelf + Send + Sync + 'static) -> Library {
        Library { shelf: Arc::new(shelf), known: Arc::default(), unlocked: false }
    }

    /// The same library, with new tables allowed to change what a document fixes: simulations play games of no document.
    #[cfg(feature = "simulation")]
    #[must_use]
    pub fn unlocked(self) -> Library {
        Library { unlocked: true, ..self }
    }

    /// The config of a new table.
    pub(crate) fn config(&self, opening: Opening) -> Result<Config, ConfigFault> {
        opening.config(&*self.shelf)
    }

    /// The rules of a new table, as they are on the shelf now.
    pub(crate) fn read(&self, config: &Config) -> Result<Rules, ConfigFault> {
        let shelf = &*self.shelf;
        let posting = if self.unlocked { config.posting(shelf) } else { config.new_posting(shelf) };
        Ok(Rules::new(posting?))
    }

    /// The rules of a table that was opened under a digest: those of today's book, or of the edition of an earlier release that has the
    /// digest. If none has it, the rules are others than the table was opened with, and comparing the digests says so.
    pub(crate) fn find(&self, config: &Config, digest: &str, form: RulesForm) -> Result<Rules, ConfigFault> {
        let Config { book, paytables, changes, .. } = config;
        let key = format!("{digest} {book:?} {paytables:?} {changes:?}");
        let known = |rules: &Mutex<HashMap<String, Rules>>| {
            rules.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned()
        };
        if let Some(rules) = known(&self.known) {
            return Ok(rules);
        }
        let rules = self.search(config, digest, form)?;
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, rules.clone());
        Ok(rules)
    }

    /// Whether a table has the rules that its book has today.
    pub(crate) fn is_current(&self, table: &Table) -> bool {
        let (opened, form, config) = (table.opened_with(), table.rules_form(), table.config());
        self.read(config)
            .is_ok_and(|rules| RulesMatch::of(opened, form, config, &rules.digest) == RulesMatch::Same)
    }

    fn search(&self, config: &Config, digest: &str, form: RulesForm) -> Result<Rules, ConfigFault> {
        let is_same = |rules: &Rules| RulesMatch::of(digest, form, config, &rules.digest) == RulesMatch::Same;
        let today = config.posting(&*self.shelf).map(Rules::new);
        if today.as_ref().is_ok_and(is_same) {
            return today;
        }
        let editions = BuiltIn::earlier_releases().filter_map(|release| {
            let edition = EarlierShelf { shelf: &*self.shelf, release };
            config.posting(&edition).map(Rules::new).ok()
        });
        let editions: Vec<Rules> = editions.collect();
        match editions.iter().find(|rules| is_same(rules)) {
            Some(rules) => Ok(rules.clone()),
            // A digest of version 0.0.0 that cannot be compared: the table was played by the earliest edition.
            None if form == RulesForm::SENTENCES => editions.last().cloned().map_or(today, Ok),
            None => today,
        }
    }
}

impl Rules {
    fn new(posting: Arc<Posting>) -> Rules {
        let digest = posting.digest().into();
        Rules { posting, digest }
    }
}

/// A shelf with the texts of an earlier release in place of today's books.
struct EarlierShelf<'a> {
    shelf: &'a dyn Shelf,
    release: &'static str,
}

impl Shelf for EarlierShelf<'_> {
    fn book(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        BuiltIn::earlier_book(self.release, name).or_else(|| self.shelf.book(name, from))
    }

    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        self.shelf.house_way(name, from)
    }
}
