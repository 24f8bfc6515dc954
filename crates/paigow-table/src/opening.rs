//! A request to open a table, and the config that is stored for it.

use crate::{Config, ConfigFault};
use paigow::rulebook::{Banker, Shelf};
use paigow::{Refusal, Rulebook};

/// A table to be opened. Values that depend on the book are filled in once, before the config is stored: a later default never
/// changes a table that exists.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The config as far as the request gives it.
    pub config: Config,
    /// The only side wagers that the table offers; none at all where empty. `None`: those the book offers.
    pub offer: Option<Vec<String>>,
    /// The house's wager against a seat that banks; 0 is none. `None`: the table minimum where the dealer's hand plays
    /// against a banking seat.
    pub dealer_wager_cents: Option<u64>,
}

impl Opening {
    /// The config to be stored.
    ///
    /// # Errors
    /// The book cannot be loaded, or it has no wager of a name in `offer`.
    pub fn config(self, shelf: &dyn Shelf) -> Result<Config, ConfigFault> {
        let Opening { mut config, offer, dealer_wager_cents } = self;
        config.check_changes(shelf)?;
        if let Some(offer) = offer {
            let book = config.rulebook(shelf)?;
            config.changes.extend(offered(&book, &offer)?);
        }
        config.dealer_wager_cents = match dealer_wager_cents {
            Some(cents) => cents,
            None => default_dealer_wager(&config.rulebook(shelf)?),
        };
        Ok(config)
    }
}

/// The changes by which a book offers these side wagers and no others.
fn offered(book: &Rulebook, offer: &[String]) -> Result<Vec<(String, String)>, ConfigFault> {
    let unknown = offer.iter().filter(|name| book.wager(name).is_none());
    let unknown: Vec<Refusal> = unknown.map(|name| Refusal::UnknownWager { wager: name.clone() }).collect();
    if !unknown.is_empty() {
        return Err(ConfigFault::Posting(unknown));
    }
    let differing = book.wagers.iter().filter(|wager| wager.offered != offer.contains(&wager.name));
    Ok(differing
        .map(|wager| (format!("wagers.{}.offered", wager.name), (!wager.offered).to_string()))
        .collect())
}

/// The least base wager where a banking seat plays the dealer's hand too (SB-7), else nothing.
fn default_dealer_wager(book: &Rulebook) -> u64 {
    let seat_banks = book.banking.bankers.iter().any(|banker| *banker != Banker::Dealer);
    if book.banking.plays_dealer && seat_banks { book.base_game.limits.min.cents() } else { 0 }
}
