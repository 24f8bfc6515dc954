//! `POST /api/tables`: opens a practice table for a player.

use super::super::auth::PlayerSession;
use super::super::input::Body;
use crate::app::{App, name, practice};
use crate::house::OWN_TABLE;
use crate::http::{ApiProblem, Problems};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use paigow_table::{Actor, Clocks, Config, Currency, Opening, Secret, TableId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// Shortest clock of a table that a player may open. People cannot follow a round with shorter clocks.
const CLOCK_MIN_MS: u64 = 1_000;

/// Rules and settings of a new table.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct NewTable {
    /// Name of the rule book.
    pub(in crate::http) book: String,
    /// Paytable of each side wager. Default: the choice of the book.
    #[serde(default)]
    paytables: BTreeMap<String, String>,
    /// Overrides of values in the book, by their paths in the file.
    #[serde(default)]
    changes: BTreeMap<String, String>,
    /// Time limit of each phase of a round, in milliseconds.
    #[serde(default)]
    clocks: Clocks,
    /// Names of the side wagers that the table offers. An empty list: none. Default: those that the book offers.
    #[serde(default)]
    offer: Option<Vec<String>>,
    /// Wager of the dealer against a banking seat, in cents, if the dealer's hand plays too. 0: no wager. Default: the
    /// table minimum.
    #[serde(default)]
    dealer_wager_cents: Option<u64>,
    /// Maximum number of seats that bots may take.
    #[serde(default)]
    bots: u8,
}

impl NewTable {
    /// Returns the opening of this table with a name and a currency.
    pub(in crate::http) fn opening(self, table: TableId, currency: Currency) -> Opening {
        let NewTable { book, paytables, changes, clocks, offer, dealer_wager_cents, bots } = self;
        let config =
            Config { table, book, paytables, changes, currency, clocks, dealer_wager_cents: 0, bots };
        Opening { config, offer, dealer_wager_cents }
    }
}

/// A newly opened table.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Opened {
    /// Name of the table.
    pub(in crate::http) table: TableId,
}

/// Opens a practice table with any book and paytables. The server closes it once it has had no players for a while.
#[utoipa::path(post, path = "/api/tables", tag = "tables", request_body = NewTable,
    responses((status = 201, body = Opened), Problems))]
pub(in crate::http) async fn open(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Body(new): Body<NewTable>,
) -> Result<(StatusCode, Json<Opened>), ApiProblem> {
    app.check_account_rate(&player.id)?;
    let Clocks { bank, wagers, settings, between } = new.clocks;
    if [bank, wagers, settings, between].iter().any(|clock| *clock < CLOCK_MIN_MS) {
        let detail = format!("every clock must be at least {CLOCK_MIN_MS} milliseconds");
        return Err(ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_config", detail));
    }
    // The name contains the player's id, so that the tables of a player can be counted.
    let own = app.tables.map_open(|table, _| is_opened_by(table.id(), &player)).await;
    let own = own.into_iter().filter(|own| *own).count();
    let max = app.settings.tables_per_person as usize;
    if own >= max {
        let detail = format!(
            "you have {own} open tables, the maximum is {max}; a table without players closes after a while"
        );
        return Err(ApiProblem::new(StatusCode::CONFLICT, "too_many_tables", detail));
    }
    let digits = String::from(Secret(app.random_bytes()?));
    let table: TableId = name(&format!("{}{}", prefix(&player), &digits[..8]));
    let by = Actor::Player(player.id.clone());
    app.open(&by, &name(&format!("open:{table}")), new.opening(table.clone(), practice())).await?;
    Ok((StatusCode::CREATED, Json(Opened { table })))
}

/// Prefix of the names of a player's tables.
fn prefix(player: &PlayerSession) -> String {
    let id = player.id.as_str().trim_start_matches("guest-");
    format!("{OWN_TABLE}{}-", id.get(..20).unwrap_or(id))
}

/// Whether the player opened the table.
pub(super) fn is_opened_by(table: &TableId, player: &PlayerSession) -> bool {
    table.as_str().starts_with(&prefix(player))
}
