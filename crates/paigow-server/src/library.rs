//! The rules that tables play by, each read once: a thousand tables of one book share it.

use paigow::Posting;
use paigow::rulebook::Shelf;
use paigow_table::{Config, ConfigFault, Opening};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Rules by what tables were opened with. A clone shares what was read.
#[derive(Clone)]
pub struct Library {
    shelf: Arc<dyn Shelf + Send + Sync>,
    known: Arc<Mutex<HashMap<String, Rules>>>,
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
        Library { shelf: Arc::new(shelf), known: Arc::default() }
    }

    /// The config of a new table.
    pub(crate) fn config(&self, opening: Opening) -> Result<Config, ConfigFault> {
        opening.config(&*self.shelf)
    }

    /// The rules of a new table, as they are on the shelf now.
    pub(crate) fn read(&self, config: &Config) -> Result<Rules, ConfigFault> {
        let posting = config.posting(&*self.shelf)?;
        let digest = posting.digest().into();
        Ok(Rules { posting, digest })
    }

    /// The rules of a table that was opened under a digest. They may be others if the text on the shelf has changed since; the digest
    /// says so.
    pub(crate) fn find(&self, config: &Config, digest: &str) -> Result<Rules, ConfigFault> {
        let Config { book, paytables, changes, .. } = config;
        let key = format!("{digest} {book:?} {paytables:?} {changes:?}");
        let known = |rules: &Mutex<HashMap<String, Rules>>| {
            rules.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned()
        };
        if let Some(rules) = known(&self.known) {
            return Ok(rules);
        }
        let rules = self.read(config)?;
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, rules.clone());
        Ok(rules)
    }
}
