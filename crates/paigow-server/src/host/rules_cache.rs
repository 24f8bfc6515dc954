//! Cache of table rules. Tables with the same rules share one copy.

use paigow::TableRules;
use paigow::document::Source;
use paigow::rulebook::{BookSource, BuiltIn};
use paigow_table::{Config, ConfigFault, Opening, RulesForm, RulesMatch, Table};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Cache of rules, keyed by the configuration and digest that a table was opened with. Clones share it.
#[derive(Clone)]
pub struct RulesCache {
    book_source: Arc<dyn BookSource + Send + Sync>,
    cached: Arc<Mutex<HashMap<String, LoadedRules>>>,
    /// Whether new tables may override rules that a document fixes.
    unlocked: bool,
}

/// Rules of a table, and their digest.
#[derive(Clone)]
pub(crate) struct LoadedRules {
    pub(crate) table_rules: Arc<TableRules>,
    pub(crate) digest: Arc<str>,
}

impl RulesCache {
    /// Creates an empty cache over a source of books.
    pub fn new(book_source: impl BookSource + Send + Sync + 'static) -> RulesCache {
        RulesCache { book_source: Arc::new(book_source), cached: Arc::default(), unlocked: false }
    }

    /// Allows new tables to override rules that a document fixes. Simulations play games that no document describes.
    #[cfg(feature = "simulation")]
    #[must_use]
    pub fn unlocked(self) -> RulesCache {
        RulesCache { unlocked: true, ..self }
    }

    /// Returns the configuration of a new table, with the defaults of its book.
    pub(crate) fn config(&self, opening: Opening) -> Result<Config, ConfigFault> {
        opening.config(&*self.book_source)
    }

    /// Reads the rules of a new table from the current books.
    pub(crate) fn read(&self, config: &Config) -> Result<LoadedRules, ConfigFault> {
        let book_source = &*self.book_source;
        let table_rules =
            if self.unlocked { config.table_rules(book_source) } else { config.new_table_rules(book_source) };
        Ok(LoadedRules::new(table_rules?))
    }

    /// Returns the rules that a table was opened with, by their digest: from the current book, or from the edition of
    /// an earlier release.
    ///
    /// If no edition has the digest, it returns other rules than the table was opened with. The caller notices this by
    /// comparing digests.
    pub(crate) fn find(
        &self,
        config: &Config,
        digest: &str,
        form: RulesForm,
    ) -> Result<LoadedRules, ConfigFault> {
        // The house way of a table has the name of the table, so its rules are shared with no other table.
        if config.house_way_toml.is_some() {
            return self.search(config, digest, form);
        }
        let Config { book, paytables, changes, .. } = config;
        let key = format!("{digest} {book:?} {paytables:?} {changes:?}");
        let cached = |rules: &Mutex<HashMap<String, LoadedRules>>| {
            rules.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned()
        };
        if let Some(rules) = cached(&self.cached) {
            return Ok(rules);
        }
        let rules = self.search(config, digest, form)?;
        self.cached.lock().unwrap_or_else(PoisonError::into_inner).insert(key, rules.clone());
        Ok(rules)
    }

    /// Whether a table's rules are the current rules of its book.
    pub(crate) fn is_current(&self, table: &Table) -> bool {
        let (opened, form, config) = (table.opening_rules_digest(), table.rules_form(), table.config());
        self.read(config)
            .is_ok_and(|rules| RulesMatch::of(opened, form, config, &rules.digest) == RulesMatch::Same)
    }

    fn search(&self, config: &Config, digest: &str, form: RulesForm) -> Result<LoadedRules, ConfigFault> {
        let is_same =
            |rules: &LoadedRules| RulesMatch::of(digest, form, config, &rules.digest) == RulesMatch::Same;
        let current = config.table_rules(&*self.book_source).map(LoadedRules::new);
        if current.as_ref().is_ok_and(is_same) {
            return current;
        }
        let editions = BuiltIn::earlier_releases().filter_map(|release| {
            let edition = EarlierBooks { book_source: &*self.book_source, release };
            config.table_rules(&edition).map(LoadedRules::new).ok()
        });
        let editions: Vec<LoadedRules> = editions.collect();
        match editions.iter().find(|rules| is_same(rules)) {
            Some(rules) => Ok(rules.clone()),
            // Digests of version 0.0.0 cannot be compared. Such a table was played by the earliest edition.
            None if form == RulesForm::SENTENCES => editions.last().cloned().map_or(current, Ok),
            None => current,
        }
    }
}

impl LoadedRules {
    fn new(table_rules: Arc<TableRules>) -> LoadedRules {
        let digest = table_rules.digest().into();
        LoadedRules { table_rules, digest }
    }
}

/// Source of books with the texts of an earlier release instead of the current ones.
struct EarlierBooks<'a> {
    book_source: &'a dyn BookSource,
    release: &'static str,
}

impl BookSource for EarlierBooks<'_> {
    fn book(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        BuiltIn::earlier_book(self.release, name).or_else(|| self.book_source.book(name, from))
    }

    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        self.book_source.house_way(name, from)
    }
}
