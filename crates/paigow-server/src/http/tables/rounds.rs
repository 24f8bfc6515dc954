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
    app.tables.exists(&table).await?;
    let limit = limit.unwrap_or(10).clamp(1, LIMIT_MAX) as usize;
    let rounds = app.tables.rounds(&table).await?.into_iter().rev();
    let rounds = rounds.filter(|record| before.is_none_or(|before| record.round < before));
    Ok(Json(TableRounds { rounds: rounds.take(limit).collect() }))
}
