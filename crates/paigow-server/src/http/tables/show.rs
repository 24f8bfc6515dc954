//! `GET /api/tables/{table}`: a table as the viewer sees it.

use super::super::auth::PlayerSession;
use super::super::input::Path;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::Json;
use axum::extract::State;
use paigow_table::{TableId, Time, View, Viewer};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// State of a table at one moment.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Snapshot {
    /// Sequence number of the last event in the view.
    seq: u64,
    /// Current time of the server.
    now: Time,
    view: View,
}

/// Returns a table as the viewer sees it, without cards that are hidden from the viewer.
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
