//! `GET /api/tables/{table}/rounds`: the last rounds of a table.

use super::super::input::{Path, Query};
use crate::RoundRecord;
use crate::app::App;
use crate::http::{Problem, Problems};
use axum::Json;
use axum::extract::State;
use paigow_table::TableId;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// The most rounds that are shown at once.
const LIMIT_MAX: u64 = 50;

/// Which.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct Before {
    /// Rounds before this one; up to the last where nothing is said.
    before: Option<u64>,
    /// How many rounds, the latest first: from 1 to 50, ten where nothing is said.
    limit: Option<u64>,
}

/// Rounds, the latest first.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct TableRounds {
    rounds: Vec<RoundRecord>,
}

/// The last rounds of a table that are over, each with all that was dealt, done and paid.
#[utoipa::path(get, path = "/api/tables/{table}/rounds", tag = "tables",
    params(("table" = String, Path), Before), responses((status = 200, body = TableRounds), Problems))]
pub(in crate::http) async fn rounds(
    State(app): State<Arc<App>>,
    Path(table): Path<TableId>,
    Query(Before { before, limit }): Query<Before>,
) -> Result<Json<TableRounds>, Problem> {
    let last = app.tables.last_round(&table).await?;
    let end = before.map_or(last, |before| before.saturating_sub(1).min(last));
    let mut rounds = Vec::new();
    for round in (1..=end).rev().take(limit.unwrap_or(10).clamp(1, LIMIT_MAX) as usize) {
        rounds.extend(app.tables.round(&table, round).await?);
    }
    Ok(Json(TableRounds { rounds }))
}
