//! `GET /api/tables/{table}/rounds/{round}`: a round that is over, event by event.

use super::super::input::Path;
use crate::app::App;
use crate::host::SeenRound;
use crate::http::{Problem, Problems};
use axum::Json;
use axum::extract::State;
use paigow_table::TableId;
use std::sync::Arc;

/// A round that is over: its record, and the events a viewer of all of it would have seen, to be shown again.
#[utoipa::path(get, path = "/api/tables/{table}/rounds/{round}", tag = "tables",
    params(("table" = String, Path), ("round" = u64, Path)), responses((status = 200, body = SeenRound), Problems))]
pub(in crate::http) async fn round(
    State(app): State<Arc<App>>,
    Path((table, round)): Path<(TableId, u64)>,
) -> Result<Json<SeenRound>, Problem> {
    app.tables.exists(&table).await?;
    let seen = app.tables.seen_round(&table, round).await?;
    seen.map(Json).ok_or_else(|| {
        Problem::not_found("no_such_round", format!("table {table} has no round {round} that is over"))
    })
}
