//! `GET /api/tables/{table}/people`: who sits there.

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

/// Somebody at a table, as others see them.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct AtTable {
    name: String,
    /// Whether the server plays for them.
    bot: bool,
}

/// Who sits at a table, by what the table calls them.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Seated {
    people: BTreeMap<String, AtTable>,
}

/// The names of those who sit at a table, and which of them are bots.
#[utoipa::path(get, path = "/api/tables/{table}/people", tag = "tables", params(("table" = String, Path)),
    responses((status = 200, body = Seated), Problems))]
pub(in crate::http) async fn people(
    State(app): State<Arc<App>>,
    Path(table): Path<TableId>,
) -> Result<Json<Seated>, ApiProblem> {
    let (_, view) = app.tables.view(&table, &Viewer::Watcher).await?;
    let ids: Vec<PlayerId> = view.seats.into_iter().map(|seat| seat.player).collect();
    Ok(Json(Seated { people: named(&app, &ids).await? }))
}

/// What these are called, by what tables call them.
pub(super) async fn named(app: &App, ids: &[PlayerId]) -> Result<BTreeMap<String, AtTable>, ApiProblem> {
    let people = app.store().people(ids).await?.into_iter();
    let seen = people.map(|(id, person)| {
        (id.to_string(), AtTable { name: person.name.into(), bot: person.kind == PersonKind::Bot })
    });
    Ok(seen.collect())
}
