//! `GET /api/tables/{table}`: a table as I see it.

use super::super::input::Path;
use super::super::who::PlayerSession;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::Json;
use axum::extract::State;
use paigow_table::{TableId, Time, View, Viewer};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A table at a moment.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Snapshot {
    /// The last event in it.
    seq: u64,
    /// The server's clock.
    now: Time,
    view: View,
}

/// A table as I see it: cards that are not mine to see are not in it.
#[utoipa::path(get, path = "/api/tables/{table}", tag = "tables", params(("table" = String, Path)),
    responses((status = 200, body = Snapshot), Problems))]
pub(in crate::http) async fn show(
    State(app): State<Arc<App>>,
    player: Option<PlayerSession>,
    Path(table): Path<TableId>,
) -> Result<Json<Snapshot>, ApiProblem> {
    let viewer = player.map_or(Viewer::Watcher, |player| Viewer::Player(player.id));
    let (seq, view) = app.tables.view(&table, &viewer).await?;
    Ok(Json(Snapshot { seq, now: app.now(), view }))
}
