//! Entry of a table in the lobby.

use crate::house::opened_by_player;
use paigow::Amount;
use paigow_table::{PhaseName, Table, TableId, TermFacts, Viewer};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A table in the lobby.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[allow(clippy::struct_excessive_bools)] // the flags are independent
pub struct LobbyTable {
    /// Name of the table.
    pub table: TableId,
    /// Id of the rule book.
    pub book: String,
    /// Title of the rule book.
    pub title: String,
    /// Currency of the table.
    pub currency: String,
    /// Number of player seats.
    pub seats: u8,
    /// Player id of each occupied seat.
    pub taken: BTreeMap<u8, String>,
    /// Phase of the current round.
    pub phase: PhaseName,
    /// Number of rounds that have begun.
    pub rounds: u64,
    /// Whether the table is paused. It begins no round until it is resumed.
    pub paused: bool,
    /// Whether the table closes after the current round.
    pub closing: bool,
    /// Whether the rules differ from those the table was opened with. Such a table is closed to play.
    pub rules_changed: bool,
    /// Minimum base wager, in cents.
    pub min_cents: u64,
    /// Maximum base wager, in cents.
    pub max_cents: u64,
    /// Posted paytable of each side wager.
    pub wagers: BTreeMap<String, String>,
    /// Title of each side wager.
    pub titles: BTreeMap<String, String>,
    /// Whether a seat may bank.
    pub seats_bank: bool,
    /// Terms of the book for parts of the game.
    pub terms: TermFacts,
    /// Maximum number of seats that bots may take.
    pub bots: u8,
    /// Whether a player opened the table, and not the house.
    pub opened_by_player: bool,
    /// Commission on a win, in hundredths of a percent.
    pub commission_basis_points: u32,
    /// Whether players pay collection fees.
    pub collection: bool,
    /// Name that the player who opened the table gave it.
    #[schema(required)]
    pub name: Option<String>,
    /// Whether the lobby lists the table only for its players.
    pub private: bool,
    /// Whether the table has a house way of its own instead of that of the book.
    pub own_house_way: bool,
}

impl LobbyTable {
    /// Returns the entry of a table in its current state.
    pub(crate) fn of(table: &Table) -> LobbyTable {
        let view = table.view(&Viewer::Watcher);
        let table_rules = table.table_rules();
        let book = table_rules.book();
        let posted = || {
            (0..table_rules.side_wager_count())
                .map(|index| (table_rules.wager(index), table_rules.paytable(index)))
        };
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
            seats_bank: book.banking.seats_may_bank(),
            terms: view.facts.terms,
            bots: table.config().bots,
            commission_basis_points: book.commission.basis_points,
            collection: book.collection.as_ref().is_some_and(has_fees),
            name: table.config().name.clone(),
            private: table.config().private,
            own_house_way: table.config().house_way_toml.is_some(),
        }
    }
}

/// Whether a schedule of collection fees has a fee for players.
fn has_fees(collection: &paigow::rulebook::Collection) -> bool {
    let mut fees = collection.schedule.iter().chain(&collection.bonus);
    fees.any(|fee| fee.player > Amount::ZERO) || collection.time.is_some()
}
