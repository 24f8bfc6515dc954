//! `GET /api/tables/{table}/rounds`: the latest rounds of a table.

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

/// Maximum number of rounds in a response.
const LIMIT_MAX: u64 = 50;

/// Range of rounds.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct Before {
    /// Only rounds before this one. Default: up to the latest round.
    before: Option<u64>,
    /// Maximum number of rounds, from 1 to 50. Default: 10.
    limit: Option<u64>,
}

/// Rounds, the latest first.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct TableRounds {
    rounds: Vec<RoundRecord>,
}

/// Lists the latest finished rounds of a table, each with its cards, actions and payouts.
#[utoipa::path(get, path = "/api/tables/{table}/rounds", tag = "tables",
    params(("table" = String, Path), Before), responses((status = 200, body = TableRounds), Problems))]
pub(in crate::http) async fn rounds(
    State(app): State<Arc<App>>,
    Path(table): Path<TableId>,
    Query(Before { before, limit }): Query<Before>,
) -> Result<Json<TableRounds>, ApiProblem> {
    let begun = app.tables.rounds_begun(&table).await?;
    let limit = limit.unwrap_or(10).clamp(1, LIMIT_MAX);
    // Reads one round more than requested, because the latest may not be finished.
    let end = before.unwrap_or(u64::MAX).min(begun + 1);
    let range = end.saturating_sub(limit + 1)..end;
    let rounds = app.tables.rounds(&table, slice::from_ref(&range)).await?;
    Ok(Json(TableRounds { rounds: rounds.into_iter().rev().take(limit as usize).collect() }))
}
