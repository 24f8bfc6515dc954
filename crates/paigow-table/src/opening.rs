//! Requests to open a table, and the configuration that is stored for it.

use crate::{Config, ConfigFault};
use paigow::rulebook::BookSource;
use paigow::{Refusal, Rulebook};

/// A request to open a table. Defaults that depend on the book are filled in before the configuration is stored, so a
/// later change of a default does not affect existing tables.
#[derive(Clone, Debug)]
pub struct Opening {
    /// Configuration from the request.
    pub config: Config,
    /// Side wagers that the table offers. Empty for none, `None` for those that the book offers.
    pub offer: Option<Vec<String>>,
    /// Wager of the house's dealer against a banking seat, in cents. 0 for none. Default: the table minimum if the
    /// dealer's hand plays against a banking seat.
    pub dealer_wager_cents: Option<u64>,
}

impl Opening {
    /// Returns the configuration to store.
    ///
    /// # Errors
    /// The overrides depart from the document, the book cannot be loaded, `offer` has an unknown wager, the overrides
    /// also choose side wagers, or a dealer's wager is given although the dealer never plays against a seat.
    pub fn config(self, book_source: &dyn BookSource) -> Result<Config, ConfigFault> {
        let Opening { mut config, offer, dealer_wager_cents } = self;
        config.check_changes(book_source)?;
        let book = config.rulebook(book_source)?;
        if let Some(offer) = offer {
            config.changes.extend(offered(&book, &offer, &config)?);
        }
        config.dealer_wager_cents = match (dealer_wager_cents, plays_against_seats(&book)) {
            (None | Some(0), false) => 0,
            (Some(_), false) => return Err(ConfigFault::NoDealerWager),
            (given, true) => given.unwrap_or(book.base_game.limits.min.cents()),
        };
        Ok(config)
    }
}

/// Returns the overrides with which the book offers exactly these side wagers.
fn offered(book: &Rulebook, offer: &[String], config: &Config) -> Result<Vec<(String, String)>, ConfigFault> {
    let unknown = offer.iter().filter(|name| book.wager(name).is_none());
    let unknown: Vec<Refusal> = unknown.map(|name| Refusal::UnknownWager { wager: name.clone() }).collect();
    if !unknown.is_empty() {
        return Err(ConfigFault::TableRules(unknown));
    }
    let key = |name: &str| format!("wagers.{name}.offered");
    let twice: Vec<String> = book
        .wagers
        .iter()
        .map(|wager| key(&wager.name))
        .filter(|key| config.changes.contains_key(key))
        .collect();
    if !twice.is_empty() {
        return Err(ConfigFault::OfferedTwice(twice));
    }
    let differing = book.wagers.iter().filter(|wager| wager.offered != offer.contains(&wager.name));
    Ok(differing.map(|wager| (key(&wager.name), (!wager.offered).to_string())).collect())
}

/// Returns whether a seat may bank and then also plays against the dealer's hand (SB-7).
fn plays_against_seats(book: &Rulebook) -> bool {
    book.banking.plays_dealer && book.banking.seats_may_bank()
}
