//! `GET /api/tables/{table}/rounds`: the last rounds of a table.

use super::super::input::{Path, Query};
use crate::RoundRecord;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::Json;
use axum::extract::State;
use paigow_table::TableId;
use serde::{Deserialize, Serialize};
use std::slice;
use std::sync::Arc;
use utoipa::ToSchema;

/// The most rounds that are shown at once.
const LIMIT_MAX: u64 = 50;

/// Which.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
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
) -> Result<Json<TableRounds>, ApiProblem> {
    let begun = app.tables.rounds_begun(&table).await?;
    let limit = limit.unwrap_or(10).clamp(1, LIMIT_MAX);
    // One more than is asked for: the last round may not be over.
    let end = before.unwrap_or(u64::MAX).min(begun + 1);
    let asked = end.saturating_sub(limit + 1)..end;
    let rounds = app.tables.rounds(&table, slice::from_ref(&asked)).await?;
    Ok(Json(TableRounds { rounds: rounds.into_iter().rev().take(limit as usize).collect() }))
}
