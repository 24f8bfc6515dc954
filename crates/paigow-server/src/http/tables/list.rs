//! `GET /api/tables`: the lobby, in pages.

use super::super::auth::PlayerSession;
use super::super::input::Query;
use super::open::is_opened_by;
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

/// Default number of tables on a page.
const LIMIT_DEFAULT: u16 = 100;
/// Maximum number of tables on a page.
const LIMIT_MAX: u16 = 500;

/// Filter and page of the lobby.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct TableFilter {
    /// Maximum number of tables on the page. Default: 100.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u16>,
    /// Table after which the page starts: `next` of the previous page.
    #[param(value_type = Option<String>, min_length = 1, max_length = 40, pattern = "^[A-Za-z0-9._:/-]+$")]
    after: Option<TableId>,
    /// Only tables of this rule book.
    #[param(max_length = 64)]
    book: Option<String>,
    /// Only tables with at least this many free seats.
    #[param(minimum = 0, maximum = 255)]
    open_seats: Option<u8>,
    /// Only tables that the player sits at or has opened. Requires a session.
    #[serde(default)]
    mine: bool,
    /// Only tables whose name contains this text, ignoring case.
    #[param(max_length = 40)]
    name: Option<String>,
}

/// A page of the open tables: the tables of the house first, each group sorted by name.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Lobby {
    tables: Vec<LobbyTable>,
    /// `after` of the next page, or null on the last page.
    #[schema(required)]
    next: Option<TableId>,
}

impl TableFilter {
    fn matches(&self, table: &Table, player: Option<&PlayerSession>) -> bool {
        let book = table.table_rules().book();
        let free = || usize::from(book.seats.players).saturating_sub(table.players().count());
        let is_mine = |player: &PlayerSession| {
            is_opened_by(table.id(), player) || table.seats_of(&player.id).next().is_some()
        };
        let id = table.id().as_str();
        self.book.as_ref().is_none_or(|id| *id == book.id)
            && self.open_seats.is_none_or(|seats| free() >= usize::from(seats))
            && self.name.as_ref().is_none_or(|part| contains_ignoring_case(id, part))
            && (!self.mine || player.is_some_and(is_mine))
    }
}

fn contains_ignoring_case(name: &str, part: &str) -> bool {
    name.to_ascii_lowercase().contains(&part.to_ascii_lowercase())
}

/// Sort key of the lobby. The tables of the house come first, so that tables of players cannot push them off the first
/// page.
fn lobby_order(table: &TableId) -> (bool, &TableId) {
    (opened_by_player(table), table)
}

/// Lists the tables that are not closed, with their book, limits, seats and state. The tables of the house come first.
#[utoipa::path(get, path = "/api/tables", tag = "tables", params(TableFilter), responses((status = 200, body = Lobby), Problems))]
pub(in crate::http) async fn list(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Query(filter): Query<TableFilter>,
) -> Result<Json<Lobby>, ApiProblem> {
    // Clients request the lobby often. The session is read from the store only if the filter needs it.
    let player = if filter.mine { PlayerSession::of(&app, &headers).await? } else { None };
    if filter.mine && player.is_none() {
        return Err(ApiProblem::unauthorized("no session: POST /api/session first"));
    }
    let limit = usize::from(filter.limit.unwrap_or(LIMIT_DEFAULT));
    if !(1..=usize::from(LIMIT_MAX)).contains(&limit) {
        let detail = format!("`limit` is {limit}, but must be 1 to {LIMIT_MAX}");
        return Err(ApiProblem::new(StatusCode::BAD_REQUEST, "bad_query", detail));
    }
    // The first pass collects only names, because describing a table is needed only for those on the page.
    let matching = |table: &Table, _| filter.matches(table, player.as_ref()).then(|| table.id().clone());
    let mut names: Vec<TableId> = app.tables.map_open(matching).await.into_iter().flatten().collect();
    names.sort_by(|a, b| lobby_order(a).cmp(&lobby_order(b)));
    let start = filter
        .after
        .as_ref()
        .map_or(0, |after| names.partition_point(|name| lobby_order(name) <= lobby_order(after)));
    let page = &names[start..names.len().min(start + limit)];
    let next = if start + limit < names.len() { page.last().cloned() } else { None };
    let on_page: BTreeSet<&TableId> = page.iter().collect();
    let entry = |table: &Table, _| on_page.contains(table.id()).then(|| LobbyTable::of(table));
    let mut tables: Vec<LobbyTable> = app.tables.map_open(entry).await.into_iter().flatten().collect();
    tables.sort_by(|a, b| lobby_order(&a.table).cmp(&lobby_order(&b.table)));
    Ok(Json(Lobby { tables, next }))
}
