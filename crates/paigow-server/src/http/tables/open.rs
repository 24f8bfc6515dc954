//! `POST /api/tables`: a practice table of one's own.

use super::super::input::Body;
use super::super::who::PlayerSession;
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

/// The shortest clock of a table that anybody may open: shorter ones would make rounds nobody can follow.
const CLOCK_LEAST_MS: u64 = 1_000;

/// A table to be opened.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct NewTable {
    /// The rule book, by its name.
    pub(in crate::http) book: String,
    /// The paytable of each side wager; the book's own choice where left out.
    #[serde(default)]
    paytables: BTreeMap<String, String>,
    /// Values of the book that are to be otherwise, by their paths in the file.
    #[serde(default)]
    changes: BTreeMap<String, String>,
    /// How long each part of a round may take, in milliseconds.
    #[serde(default)]
    clocks: Clocks,
    /// The only side wagers that the table offers, by name; none at all where the list is empty. Left out: those the book offers.
    #[serde(default)]
    offer: Option<Vec<String>>,
    /// What the house wagers against a seat that banks, where its hand plays too; 0 is no wager. Left out: the table minimum.
    #[serde(default)]
    dealer_wager_cents: Option<u64>,
    /// How many seats bots may take.
    #[serde(default)]
    bots: u8,
}

impl NewTable {
    /// The table under a name, for a currency.
    pub(in crate::http) fn opening(self, table: TableId, currency: Currency) -> Opening {
        let NewTable { book, paytables, changes, clocks, offer, dealer_wager_cents, bots } = self;
        let config =
            Config { table, book, paytables, changes, currency, clocks, dealer_wager_cents: 0, bots };
        Opening { config, offer, dealer_wager_cents }
    }
}

/// A table that was opened.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Opened {
    /// Its name.
    pub(in crate::http) table: TableId,
}

/// Opens a practice table with any book and paytables. It closes by itself when nobody has sat there for a while.
#[utoipa::path(post, path = "/api/tables", tag = "tables", request_body = NewTable,
    responses((status = 201, body = Opened), Problems))]
pub(in crate::http) async fn open(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Body(new): Body<NewTable>,
) -> Result<(StatusCode, Json<Opened>), ApiProblem> {
    app.may_account(&player.id)?;
    let Clocks { bank, wagers, settings, between } = new.clocks;
    if [bank, wagers, settings, between].iter().any(|clock| *clock < CLOCK_LEAST_MS) {
        let detail = format!("every clock runs for at least {CLOCK_LEAST_MS} milliseconds");
        return Err(ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_config", detail));
    }
    // The name says whose it is, so that it can be counted.
    let own = app.tables.each(|table, _| is_of(table.id(), &player)).await;
    let own = own.into_iter().filter(|own| *own).count();
    if own >= app.settings.tables_per_person as usize {
        let detail = "you have as many tables open as one may have; one nobody sits at closes by itself";
        return Err(ApiProblem::new(StatusCode::CONFLICT, "too_many_tables", detail));
    }
    let digits = String::from(Secret(app.draw()?));
    let table: TableId = name(&format!("{}{}", prefix(&player), &digits[..8]));
    let by = Actor::Player(player.id.clone());
    app.open(&by, &name(&format!("open:{table}")), new.opening(table.clone(), practice())).await?;
    Ok((StatusCode::CREATED, Json(Opened { table })))
}

/// How the names of somebody's tables begin.
fn prefix(player: &PlayerSession) -> String {
    let id = player.id.as_str().trim_start_matches("guest-");
    format!("{OWN_TABLE}{}-", id.get(..20).unwrap_or(id))
}

pub(super) fn is_of(table: &TableId, player: &PlayerSession) -> bool {
    table.as_str().starts_with(&prefix(player))
}
