//! `GET /api/session/rounds`: the last rounds I had money in.

use super::super::input::Query;
use super::super::who::PlayerSession;
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

/// The most rounds that are shown at once.
const LIMIT_MAX: u32 = 50;
/// Rounds this close are read together with those between them.
const NEAR: u64 = 16;

/// How many.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct Last {
    /// How many rounds, the latest first: from 1 to 50, ten where nothing is said.
    #[serde(default = "ten")]
    limit: u32,
}

const fn ten() -> u32 {
    10
}

/// Rounds, the latest first.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Rounds {
    rounds: Vec<RoundRecord>,
}

/// The last rounds I had money in, with cards, choices, wagers and what came of them.
#[utoipa::path(get, path = "/api/session/rounds", tag = "session", params(Last),
    responses((status = 200, body = Rounds), Problems))]
pub(in crate::http) async fn rounds(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Query(last): Query<Last>,
) -> Result<Json<Rounds>, ApiProblem> {
    let places = app.store().rounds_of(&player.id, last.limit.clamp(1, LIMIT_MAX)).await?;
    let mut read: BTreeMap<(TableId, u64), RoundRecord> = BTreeMap::new();
    for (table, runs) in runs(&places) {
        match app.tables.rounds(table, &runs).await {
            Ok(records) => {
                read.extend(records.into_iter().map(|record| ((table.clone(), record.round), record)));
            }
            // One that cannot be read is in the log, and the others are shown.
            Err(error) => tracing::error!(%table, %error, "a table's rounds cannot be shown"),
        }
    }
    Ok(Json(Rounds { rounds: places.iter().filter_map(|place| read.remove(place)).collect() }))
}

/// Rounds that follow one another closely, to be read at once, by table.
fn runs(places: &[(TableId, u64)]) -> BTreeMap<&TableId, Vec<Range<u64>>> {
    let places: BTreeSet<&(TableId, u64)> = places.iter().collect();
    let mut tables: BTreeMap<&TableId, Vec<Range<u64>>> = BTreeMap::new();
    for (table, round) in places {
        let runs = tables.entry(table).or_default();
        match runs.last_mut() {
            Some(run) if *round < run.end + NEAR => run.end = round + 1,
            _ => runs.push(*round..round + 1),
        }
    }
    tables
}
