//! The tables of a run: every book, with overrides that reach code which no unchanged book reaches.

use paigow::TableRules;
use paigow::rulebook::BuiltIn;
use paigow_table::{Clocks, Config, Currency};
use paigow_testkit::{Rng, owned_pairs};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Cache of parsed rules: parsing a book takes longer than a round.
pub(crate) type ParsedRules = BTreeMap<(String, BTreeMap<String, String>), Option<Arc<TableRules>>>;

pub(crate) const CURRENCIES: [&str; 3] = ["PRACTICE", "USD", "CAD"];

pub(crate) fn named<T: std::str::FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("{text} is not a valid name"))
}

/// Returns the rules of a table, or `None` if its overrides do not fit the book.
pub(crate) fn rules_of(parsed_rules: &mut ParsedRules, config: &Config) -> Option<Arc<TableRules>> {
    let key = (config.book.clone(), config.changes.clone());
    parsed_rules.entry(key).or_insert_with(|| config.table_rules(&BuiltIn).ok()).clone()
}

/// Returns a random configuration of a table.
pub(crate) fn config(
    rng: &mut Rng,
    number: u64,
    book: Option<&str>,
    parsed_rules: &mut ParsedRules,
) -> Config {
    let books: Vec<&str> = book.map_or_else(|| BuiltIn::book_names().collect(), |book| vec![book]);
    let book = (*rng.pick(&books)).to_owned();
    let changes = rng.pick(&CHANGES);
    let slow = rng.between(1, 4);
    let mut config = Config {
        table: named(&format!("t{number}")),
        book,
        paytables: BTreeMap::new(),
        changes: owned_pairs(changes).into_iter().collect(),
        currency: (*rng.pick(&CURRENCIES.map(named::<Currency>))).clone(),
        clocks: Clocks {
            bank: rng.between(1, 2_000 * slow),
            wagers: rng.between(500, 4_000 * slow),
            settings: rng.between(1, 2_000 * slow),
            between: rng.between(1, 1_000 * slow),
        },
        dealer_wager_cents: *rng.pick(&[0, 500, 2_500]),
        bots: 0,
        name: None,
        private: false,
        house_way_toml: None,
    };
    if rules_of(parsed_rules, &config).is_none() {
        // Not every override fits every book.
        config.changes.clear();
    }
    config
}

/// Overrides: fees, limits, banking, piles, several hands per player.
const CHANGES: [&[(&str, &str)]; 13] = [
    &[],
    &[
        ("collection.schedule", "[{ wager_from = \"0.00\", player = \"1.00\", banker = \"3.00\" }]"),
        ("collection.cite", "assumed: a fee"),
    ],
    &[("base_game.limits.min", "0.01"), ("commission.percent", "5"), ("commission.unit", "0.25")],
    &[
        ("banking.rounds_running_max", "1"),
        ("setting.player_foul", "house_way"),
        ("setting.banker_foul", "set_again"),
    ],
    &[
        ("banking.bankers", "[\"dealer\", \"seat\"]"),
        ("banking.plays_dealer", "true"),
        ("commission.percent", "5"),
    ],
    &[
        ("banking.bankers", "[\"dealer\", \"seat\"]"),
        ("banking.cover", "some_or_all"),
        ("base_game.copies", "player"),
    ],
    &[("banking.bankers", "[\"seat\"]"), ("banking.cover", "all"), ("banking.plays_dealer", "true")],
    &[
        ("banking.bankers", "[\"player_dealer\"]"),
        ("banking.cover", "some_or_all"),
        ("banking.cover_use", "losses_only"),
        ("seats.hands_per_player", "3"),
    ],
    &[
        ("banking.bankers", "[\"dealer\", \"seat\"]"),
        ("dealing.action_pile", "true"),
        ("dealing.spots", "active"),
        ("seats.hands_per_player", "2"),
    ],
    &[("banking.pays_from", "reserved"), ("base_game.limits.max", "100.00")],
    &[
        ("collection.schedule", "[{ wager_from = \"0.00\", player = \"1.00\", banker = \"3.00\" }]"),
        ("collection.bonus", "[{ wager_from = \"0.00\", player = \"0.50\", banker = \"1.00\" }]"),
        ("collection.cite", "assumed: a fee"),
    ],
    &[
        ("wagers.fortune.banker_wagers", "true"),
        ("wagers.fortune.envy.banker_hand", "true"),
        ("base_game.bonus_wagers_settled", "seat_by_seat"),
    ],
    &[("seats.hands_per_player", "3")],
];

#[cfg(test)]
mod tests {
    use super::*;

    /// An override that fits no book would be dropped silently.
    #[test]
    fn every_override_fits_three_books() {
        for changes in CHANGES {
            let owned = owned_pairs(changes);
            let fits = |book: &&str| paigow::Rulebook::load(book, &owned, &BuiltIn).is_ok();
            assert!(BuiltIn::book_names().filter(fits).count() > 2, "{changes:?}");
        }
    }
}
