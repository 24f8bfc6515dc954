//! `GET /api/session/rounds`: the player's latest rounds.

use super::super::auth::PlayerSession;
use super::super::input::Query;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use crate::{RoundRecord, Store};
use axum::Json;
use axum::extract::State;
use paigow_table::TableId;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use utoipa::ToSchema;

/// Maximum number of rounds in a response.
const LIMIT_MAX: u32 = 50;
/// Maximum gap between two rounds that are read together, including the rounds between them.
const GAP_MAX: u64 = 16;

/// Number of rounds.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct Last {
    /// Maximum number of rounds, from 1 to 50. Default: 10.
    #[serde(default = "default_limit")]
    limit: u32,
}

const fn default_limit() -> u32 {
    10
}

/// Rounds, the latest first.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Rounds {
    rounds: Vec<RoundRecord>,
}

/// Lists the latest rounds in which the player had money, with cards, settings, wagers and results.
#[utoipa::path(get, path = "/api/session/rounds", tag = "session", params(Last),
    responses((status = 200, body = Rounds), Problems))]
pub(in crate::http) async fn rounds(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Query(last): Query<Last>,
) -> Result<Json<Rounds>, ApiProblem> {
    let latest = app.store().rounds_of(&player.id, last.limit.clamp(1, LIMIT_MAX)).await?;
    let mut read: BTreeMap<(TableId, u64), RoundRecord> = BTreeMap::new();
    for (table, runs) in runs(&latest) {
        match app.tables.rounds(table, &runs).await {
            Ok(records) => {
                read.extend(records.into_iter().map(|record| ((table.clone(), record.round), record)));
            }
            // The rounds of other tables are still returned.
            Err(error) => tracing::error!(%table, %error, "cannot read the rounds of a table"),
        }
    }
    Ok(Json(Rounds { rounds: latest.iter().filter_map(|round| read.remove(round)).collect() }))
}

/// Merges rounds of the same table that are close together into ranges, so that fewer reads are needed.
fn runs(rounds: &[(TableId, u64)]) -> BTreeMap<&TableId, Vec<Range<u64>>> {
    let rounds: BTreeSet<&(TableId, u64)> = rounds.iter().collect();
    let mut tables: BTreeMap<&TableId, Vec<Range<u64>>> = BTreeMap::new();
    for (table, round) in rounds {
        let runs = tables.entry(table).or_default();
        match runs.last_mut() {
            Some(run) if *round < run.end + GAP_MAX => run.end = round + 1,
            _ => runs.push(*round..round + 1),
        }
    }
    tables
}
