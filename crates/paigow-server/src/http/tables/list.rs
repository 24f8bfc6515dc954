//! `GET /api/tables`: the lobby, a page at a time.

use super::super::input::Query;
use super::super::who::PlayerSession;
use super::open::is_of;
use crate::app::App;
use crate::house::LobbyTable;
use crate::house::opened_by_player;
use crate::http::{ApiProblem, Problems};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use paigow_table::{Table, TableId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;
use utoipa::ToSchema;

/// Tables on a page, where the question does not say, and at most.
const PAGE: u16 = 100;
const PAGE_MAX: u16 = 500;

/// Which tables.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct TableFilter {
    /// How many tables a page has; 100 where left out.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u16>,
    /// The table after which the page begins: `next` of the page before.
    #[param(value_type = Option<String>, min_length = 1, max_length = 40, pattern = "^[A-Za-z0-9._:/-]+$")]
    after: Option<TableId>,
    /// Tables of this rule book only.
    #[param(max_length = 64)]
    book: Option<String>,
    /// Only tables with so many free seats or more.
    #[param(minimum = 0, maximum = 255)]
    open_seats: Option<u8>,
    /// Only tables that I sit at or have opened.
    #[serde(default)]
    mine: bool,
    /// Only tables whose name contains this text, in any case.
    #[param(max_length = 40)]
    name: Option<String>,
}

/// A page of the tables that are open: those of the house first, each by name.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Lobby {
    tables: Vec<LobbyTable>,
    /// The `after` of the next page; none on the last.
    #[schema(required)]
    next: Option<TableId>,
}

impl TableFilter {
    fn fits(&self, table: &Table, player: Option<&PlayerSession>) -> bool {
        let book = table.table_rules().book();
        let free = || usize::from(book.seats.players).saturating_sub(table.players().count());
        let is_mine =
            |player: &PlayerSession| is_of(table.id(), player) || table.seats_of(&player.id).next().is_some();
        let id = table.id().as_str();
        self.book.as_ref().is_none_or(|wanted| *wanted == book.id)
            && self.open_seats.is_none_or(|seats| free() >= usize::from(seats))
            && self.name.as_ref().is_none_or(|part| contains(id, part))
            && (!self.mine || player.is_some_and(is_mine))
    }
}

/// Whether a name has a part, in any case.
fn contains(name: &str, part: &str) -> bool {
    name.to_ascii_lowercase().contains(&part.to_ascii_lowercase())
}

/// The order of the lobby: tables that players open cannot push those of the house off the first page.
fn lobby_order(table: &TableId) -> (bool, &TableId) {
    (opened_by_player(table), table)
}

/// The tables that are not closed: book, limits, seats and state. A page at a time, the house's tables first.
#[utoipa::path(get, path = "/api/tables", tag = "tables", params(TableFilter), responses((status = 200, body = Lobby), Problems))]
pub(in crate::http) async fn list(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Query(which): Query<TableFilter>,
) -> Result<Json<Lobby>, ApiProblem> {
    // The lobby is asked for often: the store is read for the session only where it matters.
    let player = if which.mine { PlayerSession::of(&app, &headers).await? } else { None };
    if which.mine && player.is_none() {
        return Err(ApiProblem::unauthorized("begin a session first: POST /api/session"));
    }
    let limit = usize::from(which.limit.unwrap_or(PAGE));
    if !(1..=usize::from(PAGE_MAX)).contains(&limit) {
        let detail = format!("limit: {limit} is not from 1 to {PAGE_MAX}");
        return Err(ApiProblem::new(StatusCode::BAD_REQUEST, "bad_query", detail));
    }
    // Names first: a table is described only where it is shown.
    let fits = |table: &Table, _| which.fits(table, player.as_ref()).then(|| table.id().clone());
    let mut names: Vec<TableId> = app.tables.each(fits).await.into_iter().flatten().collect();
    names.sort_by(|one, other| lobby_order(one).cmp(&lobby_order(other)));
    let begin = which
        .after
        .as_ref()
        .map_or(0, |after| names.partition_point(|name| lobby_order(name) <= lobby_order(after)));
    let page = &names[begin..names.len().min(begin + limit)];
    let next = if begin + limit < names.len() { page.last().cloned() } else { None };
    let wanted: BTreeSet<&TableId> = page.iter().collect();
    let shown = |table: &Table, _| wanted.contains(table.id()).then(|| LobbyTable::of(table));
    let mut tables: Vec<LobbyTable> = app.tables.each(shown).await.into_iter().flatten().collect();
    tables.sort_by(|one, other| lobby_order(&one.table).cmp(&lobby_order(&other.table)));
    Ok(Json(Lobby { tables, next }))
}
