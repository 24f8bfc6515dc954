//! A table as the lobby shows it.

use crate::house::opened_by_player;
use paigow_table::{PhaseName, Table, TableId, TermFacts, Viewer};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A table in the lobby.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[allow(clippy::struct_excessive_bools)] // each is a fact of its own
pub struct LobbyTable {
    /// Its name.
    pub table: TableId,
    /// The rule book.
    pub book: String,
    /// What the book is called.
    pub title: String,
    /// What is played for.
    pub currency: String,
    /// How many may sit.
    pub seats: u8,
    /// Which seats are taken, and by whom.
    pub taken: BTreeMap<u8, String>,
    /// How far it has come.
    pub phase: PhaseName,
    /// How many rounds have begun.
    pub rounds: u64,
    /// No new rounds until it is resumed.
    pub paused: bool,
    /// No more rounds after this one.
    pub closing: bool,
    /// Its rules are no longer those it was opened with: nobody can play there.
    pub rules_changed: bool,
    /// The least and the most of the base wager.
    pub min_cents: u64,
    /// The most.
    pub max_cents: u64,
    /// The side wagers and the paytable posted for each.
    pub wagers: BTreeMap<String, String>,
    /// What each side wager is called.
    pub titles: BTreeMap<String, String>,
    /// Whether a seat may bank.
    pub seats_bank: bool,
    /// The words of the book for parts of the game.
    pub terms: TermFacts,
    /// How many seats bots may take.
    pub bots: u8,
    /// Whether a player opened it, rather than the house.
    pub opened_by_player: bool,
}

impl LobbyTable {
    /// The table as it is now.
    pub(crate) fn of(table: &Table) -> LobbyTable {
        let view = table.view(&Viewer::Watcher);
        let table_rules = table.table_rules();
        let book = table_rules.book();
        let posted = || {
            (0..table_rules.side_wagers())
                .map(|place| (table_rules.wager(place), table_rules.paytable(place)))
        };
        let banks = |banker: &paigow::rulebook::Banker| *banker != paigow::rulebook::Banker::Dealer;
        LobbyTable {
            opened_by_player: opened_by_player(&view.table),
            table: view.table,
            book: book.id.clone(),
            title: book.title.clone(),
            currency: view.currency,
            seats: book.seats.players,
            taken: view.seats.iter().map(|seat| (seat.seat, seat.player.to_string())).collect(),
            phase: view.phase,
            rounds: table.round_number(),
            paused: view.paused,
            closing: view.closing,
            rules_changed: table.rules_have_changed(),
            min_cents: book.base_game.limits.min.cents(),
            max_cents: book.base_game.limits.max.cents(),
            wagers: posted().map(|(wager, paytable)| (wager.name.clone(), paytable.name.clone())).collect(),
            titles: posted().map(|(wager, _)| (wager.name.clone(), wager.title.clone())).collect(),
            seats_bank: book.banking.bankers.iter().any(banks),
            terms: view.facts.terms,
            bots: table.config().bots,
        }
    }
}
