//! A request to open a table, and the config that is stored for it.

use crate::{Config, ConfigFault};
use paigow::rulebook::{Banker, BookSource};
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
    /// The book cannot be loaded, it has no wager of a name in `offer`, the changes say otherwise what is offered, or the dealer
    /// never plays against a seat.
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

/// The changes by which a book offers these side wagers and no others.
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

/// Whether a seat may bank and plays the dealer's hand too then (SB-7).
fn plays_against_seats(book: &Rulebook) -> bool {
    book.banking.plays_dealer && book.banking.bankers.iter().any(|banker| *banker != Banker::Dealer)
}
