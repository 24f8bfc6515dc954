//! Configuration of a table.

use crate::refusal::dollars;
use crate::table_books::{HOUSE_WAY_PATH, TableBooks};
use crate::{Currency, TableId};
use paigow::document::Source;
use paigow::rulebook::{BookSource, Departure, LoadError};
use paigow::{Refusal, Rulebook, TableRules};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// Configuration that a table is opened with. It never changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Id of the table.
    pub table: TableId,
    /// Name or path of the rule book.
    pub book: String,
    /// Posted paytable of each side wager. Default: the book's choice.
    #[serde(default)]
    pub paytables: BTreeMap<String, String>,
    /// Overrides of the book's values, such as limits, by their paths in the book's file.
    #[serde(default)]
    pub changes: BTreeMap<String, String>,
    /// Currency of the table.
    pub currency: Currency,
    /// Time limits of the phases of a round.
    #[serde(default)]
    pub clocks: Clocks,
    /// Wager of the dealer's hand against a banking seat, in cents. Only for books in which a banking seat plays against
    /// the dealer.
    #[serde(default)]
    pub dealer_wager_cents: u64,
    /// Number of seats that bots may take.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub bots: u8,
    /// Name that the player who opened the table gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether the lobby lists the table only for its players.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
    /// Text of a house way that replaces that of the book, as TOML.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub house_way_toml: Option<String>,
}

/// Omits `bots` if it is 0, as releases without bots did.
#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
const fn is_zero(bots: &u8) -> bool {
    *bots == 0
}

/// Time limits of the phases of a round, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Clocks {
    /// Time to take the bank or pass it on.
    pub bank: u64,
    /// Time to place wagers.
    pub wagers: u64,
    /// Time to set hands.
    pub settings: u64,
    /// Pause between the end of a round and the next round.
    pub between: u64,
}

impl Default for Clocks {
    fn default() -> Clocks {
        Clocks { bank: 10_000, wagers: 20_000, settings: 30_000, between: 8_000 }
    }
}

/// Reason that a table cannot be opened.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ConfigFault {
    /// The book does not exist or is invalid.
    #[error("{0}")]
    Book(String),
    /// Overrides of values that the document fixes, or outside the range that it allows.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Fixed(Vec<Departure>),
    /// The book has the house pay for a bank that runs out of money.
    #[error(
        "banking.pays_from = guaranteed is for tables of earlier releases: the house never pays for a bank"
    )]
    Guaranteed,
    /// The paytables cannot be posted.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    TableRules(Vec<Refusal>),
    /// Too many overrides, or too long ones.
    #[error("too many changes: a table may change at most {max} values of its book, {bytes} bytes in all")]
    Changes {
        /// Maximum number of values.
        max: usize,
        /// Maximum length of all paths and values together.
        bytes: usize,
    },
    /// A clock is out of range.
    #[error("each clock must be from {min} to {max} milliseconds")]
    Clocks {
        /// Minimum, in milliseconds.
        min: u64,
        /// Maximum, in milliseconds.
        max: u64,
    },
    /// The request chooses side wagers both by `offer` and by overrides.
    #[error("the side wagers are given by `offer`: leave {} out of the changes", .0.join(", "))]
    OfferedTwice(Vec<String>),
    /// The request gives a house way both as a text and by an override.
    #[error("the house way is given by `house_way_toml`: leave {HOUSE_WAY_PATH} out of the changes")]
    HouseWayTwice,
    /// A dealer's wager was given, but the dealer never plays against a banking seat.
    #[error("the dealer never plays against a banking player in this book: leave out `dealer_wager_cents`")]
    NoDealerWager,
    /// The dealer's wager is outside the table's limits, so no seat could ever bank.
    #[error(
        "the dealer's wager of {} against a player who is the banker is outside the limits of {} to {}",
        dollars(.cents), dollars(.min), dollars(.max)
    )]
    DealerWager {
        /// The dealer's wager.
        cents: u64,
        /// Table minimum.
        min: u64,
        /// Table maximum.
        max: u64,
    },
}

/// Limits of the overrides. Every view of the table lists them.
const OVERRIDES_MAX: usize = 64;
const OVERRIDES_BYTES_MAX: usize = 8_192;
/// Limits of each clock, in milliseconds.
const CLOCK_MS_MIN: u64 = 1;
const CLOCK_MS_MAX: u64 = 3_600_000;

impl ConfigFault {
    /// Code of the refusal that reports the fault.
    pub fn code(&self) -> &'static str {
        match self {
            ConfigFault::Fixed(_) => "fixed_by_document",
            _ => "bad_config",
        }
    }
}

impl Config {
    /// Returns the rules of a new table, which may override only values that the document leaves open.
    ///
    /// # Errors
    /// The table cannot be opened.
    pub fn new_table_rules(&self, book_source: &dyn BookSource) -> Result<Arc<TableRules>, ConfigFault> {
        self.check_changes(book_source)?;
        let table_rules = self.table_rules(book_source)?;
        if table_rules.book().guarantees_banks() { Err(ConfigFault::Guaranteed) } else { Ok(table_rules) }
    }

    /// Checks that the document leaves the overridden values open and bars none of the posted paytables.
    ///
    /// # Errors
    /// Lists every departure from the document.
    pub(crate) fn check_changes(&self, book_source: &dyn BookSource) -> Result<(), ConfigFault> {
        let mut changes = self.overrides()?;
        // Posting a barred paytable amounts to overriding its `available`.
        if let Ok(book) = self.rulebook(book_source) {
            let barred = self.paytables.iter().filter(|(wager, table)| book.forbids_paytable(wager, table));
            let path = |wager, table| format!("wagers.{wager}.paytables.{table}.available");
            changes.extend(barred.map(|(wager, table)| (path(wager, table), "true".to_owned())));
        }
        // `rulebook` reports a book that cannot be loaded.
        let departures = Rulebook::departures_of(&self.book, &changes, book_source).unwrap_or_default();
        if departures.is_empty() { Ok(()) } else { Err(ConfigFault::Fixed(departures)) }
    }

    /// Returns the overrides as pairs of path and value, unless there are too many.
    fn overrides(&self) -> Result<Vec<(String, String)>, ConfigFault> {
        let bytes: usize = self.changes.iter().map(|(key, value)| key.len() + value.len()).sum();
        if self.changes.len() > OVERRIDES_MAX || bytes > OVERRIDES_BYTES_MAX {
            return Err(ConfigFault::Changes { max: OVERRIDES_MAX, bytes: OVERRIDES_BYTES_MAX });
        }
        Ok(self.changes.iter().map(|(key, value)| (key.clone(), value.clone())).collect())
    }

    /// Returns the rules of the table.
    ///
    /// # Errors
    /// The table cannot be opened.
    pub fn table_rules(&self, book_source: &dyn BookSource) -> Result<Arc<TableRules>, ConfigFault> {
        let Clocks { bank, wagers, settings, between } = self.clocks;
        if ![bank, wagers, settings, between]
            .iter()
            .all(|clock| (CLOCK_MS_MIN..=CLOCK_MS_MAX).contains(clock))
        {
            return Err(ConfigFault::Clocks { min: CLOCK_MS_MIN, max: CLOCK_MS_MAX });
        }
        let book = self.rulebook(book_source)?;
        let (limits, cents) = (&book.base_game.limits, self.dealer_wager_cents);
        let (min, max) = (limits.min.cents(), limits.max.cents());
        if cents > 0 && book.banking.plays_dealer && !(min..=max).contains(&cents) {
            return Err(ConfigFault::DealerWager { cents, min, max });
        }
        let paytables: Vec<(String, String)> =
            self.paytables.iter().map(|(wager, table)| (wager.clone(), table.clone())).collect();
        let table_rules = TableRules::new(Arc::new(book), &paytables).map_err(ConfigFault::TableRules)?;
        Ok(Arc::new(table_rules))
    }

    /// Loads the rule book with the overrides and the house way of this table.
    pub(crate) fn rulebook(&self, book_source: &dyn BookSource) -> Result<Rulebook, ConfigFault> {
        let mut changes = self.overrides()?;
        let house_ways: Vec<Source> = self.own_house_way().into_iter().collect();
        if !house_ways.is_empty() && self.changes.contains_key(HOUSE_WAY_PATH) {
            return Err(ConfigFault::HouseWayTwice);
        }
        changes.extend(house_ways.iter().map(|way| (HOUSE_WAY_PATH.to_owned(), way.name.to_string())));
        let books = TableBooks { book_source, house_ways };
        Rulebook::load(&self.book, &changes, &books).map_err(|error| match error {
            LoadError::Problems(problems) => {
                let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
                ConfigFault::Book(problems.join("; "))
            }
            other => ConfigFault::Book(other.to_string()),
        })
    }
}
