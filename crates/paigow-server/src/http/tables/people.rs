//! `GET /api/tables/{table}/people`: names of the seated players.

use super::super::input::Path;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use crate::people::{People, PersonKind};
use axum::Json;
use axum::extract::State;
use paigow_table::{PlayerId, TableId, Viewer};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// Public name and kind of a player.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct AtTable {
    name: String,
    /// Whether the player is a bot of the server.
    bot: bool,
}

/// Seated players of a table, by player id.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Seated {
    people: BTreeMap<String, AtTable>,
}

/// Lists the names of the seated players, and which of them are bots.
#[utoipa::path(get, path = "/api/tables/{table}/people", tag = "tables", params(("table" = String, Path)),
    responses((status = 200, body = Seated), Problems))]
pub(in crate::http) async fn people(
    State(app): State<Arc<App>>,
    Path(table): Path<TableId>,
) -> Result<Json<Seated>, ApiProblem> {
    let (_, view) = app.tables.view(&table, &Viewer::Watcher).await?;
    let ids: Vec<PlayerId> = view.seats.into_iter().map(|seat| seat.player).collect();
    Ok(Json(Seated { people: names_of(&app, &ids).await? }))
}

/// Returns names and kinds of players, by player id.
pub(super) async fn names_of(app: &App, ids: &[PlayerId]) -> Result<BTreeMap<String, AtTable>, ApiProblem> {
    let people = app.store().people(ids).await?.into_iter();
    let names = people.map(|(id, person)| {
        (id.to_string(), AtTable { name: person.name.into(), bot: person.kind == PersonKind::Bot })
    });
    Ok(names.collect())
}
