//! The rules that tables play by, each read once: a thousand tables of one book share it.

use paigow::TableRules;
use paigow::document::Source;
use paigow::rulebook::{BookSource, BuiltIn};
use paigow_table::{Config, ConfigFault, Opening, RulesForm, RulesMatch, Table};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Rules by what tables were opened with. A clone shares what was read.
#[derive(Clone)]
pub struct RulesCache {
    book_source: Arc<dyn BookSource + Send + Sync>,
    known: Arc<Mutex<HashMap<String, LoadedRules>>>,
    /// Whether new tables may change what a document fixes.
    unlocked: bool,
}

/// The rules of a table, and their digest.
#[derive(Clone)]
pub(crate) struct LoadedRules {
    pub(crate) table_rules: Arc<TableRules>,
    pub(crate) digest: Arc<str>,
}

impl RulesCache {
    /// Rules made of what a shelf has.
    pub fn new(book_source: impl BookSource + Send + Sync + 'static) -> RulesCache {
        RulesCache { book_source: Arc::new(book_source), known: Arc::default(), unlocked: false }
    }

    /// The same library, with new tables allowed to change what a document fixes: simulations play games of no document.
    #[cfg(feature = "simulation")]
    #[must_use]
    pub fn unlocked(self) -> RulesCache {
        RulesCache { unlocked: true, ..self }
    }

    /// The config of a new table.
    pub(crate) fn config(&self, opening: Opening) -> Result<Config, ConfigFault> {
        opening.config(&*self.book_source)
    }

    /// The rules of a new table, as they are on the shelf now.
    pub(crate) fn read(&self, config: &Config) -> Result<LoadedRules, ConfigFault> {
        let book_source = &*self.book_source;
        let table_rules =
            if self.unlocked { config.table_rules(book_source) } else { config.new_table_rules(book_source) };
        Ok(LoadedRules::new(table_rules?))
    }

    /// The rules of a table that was opened under a digest: those of today's book, or of the edition of an earlier release that has the
    /// digest. If none has it, the rules are others than the table was opened with, and comparing the digests says so.
    pub(crate) fn find(
        &self,
        config: &Config,
        digest: &str,
        form: RulesForm,
    ) -> Result<LoadedRules, ConfigFault> {
        let Config { book, paytables, changes, .. } = config;
        let key = format!("{digest} {book:?} {paytables:?} {changes:?}");
        let known = |rules: &Mutex<HashMap<String, LoadedRules>>| {
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

    fn search(&self, config: &Config, digest: &str, form: RulesForm) -> Result<LoadedRules, ConfigFault> {
        let is_same =
            |rules: &LoadedRules| RulesMatch::of(digest, form, config, &rules.digest) == RulesMatch::Same;
        let today = config.table_rules(&*self.book_source).map(LoadedRules::new);
        if today.as_ref().is_ok_and(is_same) {
            return today;
        }
        let editions = BuiltIn::earlier_releases().filter_map(|release| {
            let edition = EarlierBooks { book_source: &*self.book_source, release };
            config.table_rules(&edition).map(LoadedRules::new).ok()
        });
        let editions: Vec<LoadedRules> = editions.collect();
        match editions.iter().find(|rules| is_same(rules)) {
            Some(rules) => Ok(rules.clone()),
            // A digest of version 0.0.0 that cannot be compared: the table was played by the earliest edition.
            None if form == RulesForm::SENTENCES => editions.last().cloned().map_or(today, Ok),
            None => today,
        }
    }
}

impl LoadedRules {
    fn new(table_rules: Arc<TableRules>) -> LoadedRules {
        let digest = table_rules.digest().into();
        LoadedRules { table_rules, digest }
    }
}

/// A shelf with the texts of an earlier release in place of today's books.
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
