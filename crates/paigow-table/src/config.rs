//! What a table is opened with.

use crate::refusal::dollars;
use crate::{Currency, TableId};
use paigow::rulebook::{BookSource, Departure, LoadError};
use paigow::{Refusal, Rulebook, TableRules};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// What a table is opened with. It does not change.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The table's name.
    pub table: TableId,
    /// The rule book, by its name or path.
    pub book: String,
    /// The posted paytable of each side wager; the book's own choice where left out.
    #[serde(default)]
    pub paytables: BTreeMap<String, String>,
    /// Values of the book that are otherwise at this table, such as limits, by their paths in the file.
    #[serde(default)]
    pub changes: BTreeMap<String, String>,
    /// What is played for.
    pub currency: Currency,
    /// How long each part of a round may take.
    #[serde(default)]
    pub clocks: Clocks,
    /// What the house wagers against a seat that banks, where its hand plays too.
    #[serde(default)]
    pub dealer_wager_cents: u64,
    /// How many seats bots may take.
    #[serde(default, skip_serializing_if = "is_none")]
    pub bots: u8,
}

/// Tables without bots are written as they were before there were any.
#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
const fn is_none(bots: &u8) -> bool {
    *bots == 0
}

/// How long each part of a round may take, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Clocks {
    /// To take the bank or pass it on.
    pub bank: u64,
    /// To place wagers.
    pub wagers: u64,
    /// To set hands.
    pub settings: u64,
    /// To look at what came of it.
    pub between: u64,
}

impl Default for Clocks {
    fn default() -> Clocks {
        Clocks { bank: 10_000, wagers: 20_000, settings: 30_000, between: 8_000 }
    }
}

/// Why a table cannot be opened.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ConfigFault {
    /// The book is not there, or not right.
    #[error("{0}")]
    Book(String),
    /// Values are changed that the document fixes, or beyond what it leaves open.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Fixed(Vec<Departure>),
    /// The house would pay for a bank that cannot.
    #[error(
        "banking.pays_from = guaranteed is for tables of earlier releases: the house never pays for a bank"
    )]
    Guaranteed,
    /// The paytables cannot be posted.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    TableRules(Vec<Refusal>),
    /// More is changed than anybody would look through.
    #[error("a table may change at most {most} values of its book, in {bytes} bytes altogether")]
    Changes {
        /// How many values.
        most: usize,
        /// How long they may be with their names.
        bytes: usize,
    },
    /// A clock is out of range.
    #[error("clocks run from {least} to {most} milliseconds")]
    Clocks {
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
    /// The side wagers are chosen in two ways.
    #[error("the side wagers are given by `offer`: leave {} out of the changes", .0.join(", "))]
    OfferedTwice(Vec<String>),
    /// The dealer never plays against a seat.
    #[error("by this book the dealer never plays against a banking player: there is no dealer's wager")]
    NoDealerWager,
    /// No seat could ever bank.
    #[error(
        "the dealer's wager of {} against a player who is the banker is not from {} to {}",
        dollars(.cents), dollars(.least), dollars(.most)
    )]
    DealerWager {
        /// It.
        cents: u64,
        /// The least the book allows.
        least: u64,
        /// The most.
        most: u64,
    },
}

/// Everybody who looks at a table is told what is changed there.
const CHANGES_MOST: usize = 64;
const CHANGES_BYTES: usize = 8_192;
/// No clock runs shorter, or longer.
const CLOCK_LEAST: u64 = 1;
const CLOCK_MOST: u64 = 3_600_000;

impl ConfigFault {
    /// The code of a refusal.
    pub fn code(&self) -> &'static str {
        match self {
            ConfigFault::Fixed(_) => "fixed_by_document",
            _ => "bad_config",
        }
    }
}

impl Config {
    /// The rules of a new table: those of its book, with changes only where the document leaves a value open.
    ///
    /// # Errors
    /// Why it cannot be opened.
    pub fn new_table_rules(&self, book_source: &dyn BookSource) -> Result<Arc<TableRules>, ConfigFault> {
        self.check_changes(book_source)?;
        let table_rules = self.table_rules(book_source)?;
        if table_rules.book().guarantees_banks() { Err(ConfigFault::Guaranteed) } else { Ok(table_rules) }
    }

    /// Whether the document leaves open what is changed, and bars no paytable that is posted.
    ///
    /// # Errors
    /// Everything that it does not.
    pub(crate) fn check_changes(&self, book_source: &dyn BookSource) -> Result<(), ConfigFault> {
        let mut changes = self.pairs()?;
        // To post a paytable is to say that it is available.
        if let Ok(book) = self.rulebook(book_source) {
            let barred = self.paytables.iter().filter(|(wager, table)| book.bars(wager, table));
            let path = |wager, table| format!("wagers.{wager}.paytables.{table}.available");
            changes.extend(barred.map(|(wager, table)| (path(wager, table), "true".to_owned())));
        }
        // A book that cannot be read is named when it is.
        let departures = Rulebook::departures_of(&self.book, &changes, book_source).unwrap_or_default();
        if departures.is_empty() { Ok(()) } else { Err(ConfigFault::Fixed(departures)) }
    }

    /// The changes as the library takes them, if they are not too many.
    fn pairs(&self) -> Result<Vec<(String, String)>, ConfigFault> {
        let bytes: usize = self.changes.iter().map(|(key, value)| key.len() + value.len()).sum();
        if self.changes.len() > CHANGES_MOST || bytes > CHANGES_BYTES {
            return Err(ConfigFault::Changes { most: CHANGES_MOST, bytes: CHANGES_BYTES });
        }
        Ok(self.changes.iter().map(|(key, value)| (key.clone(), value.clone())).collect())
    }

    /// The rules the table plays by.
    ///
    /// # Errors
    /// Why it cannot be opened.
    pub fn table_rules(&self, book_source: &dyn BookSource) -> Result<Arc<TableRules>, ConfigFault> {
        let Clocks { bank, wagers, settings, between } = self.clocks;
        if ![bank, wagers, settings, between].iter().all(|clock| (CLOCK_LEAST..=CLOCK_MOST).contains(clock)) {
            return Err(ConfigFault::Clocks { least: CLOCK_LEAST, most: CLOCK_MOST });
        }
        let book = self.rulebook(book_source)?;
        let (limits, cents) = (&book.base_game.limits, self.dealer_wager_cents);
        let (least, most) = (limits.min.cents(), limits.max.cents());
        if cents > 0 && book.banking.plays_dealer && !(least..=most).contains(&cents) {
            return Err(ConfigFault::DealerWager { cents, least, most });
        }
        let paytables: Vec<(String, String)> =
            self.paytables.iter().map(|(wager, table)| (wager.clone(), table.clone())).collect();
        let table_rules = TableRules::new(Arc::new(book), &paytables).map_err(ConfigFault::TableRules)?;
        Ok(Arc::new(table_rules))
    }

    /// The rule book with this table's changes.
    pub(crate) fn rulebook(&self, book_source: &dyn BookSource) -> Result<Rulebook, ConfigFault> {
        Rulebook::load(&self.book, &self.pairs()?, book_source).map_err(|error| match error {
            LoadError::Problems(problems) => {
                let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
                ConfigFault::Book(problems.join("; "))
            }
            other => ConfigFault::Book(other.to_string()),
        })
    }
}
