//! `GET /api/session/rounds`: the last rounds I had money in.

use super::super::input::Query;
use super::super::who::Player;
use crate::app::App;
use crate::http::{Problem, Problems};
use crate::{RoundRecord, Store};
use axum::Json;
use axum::extract::State;
use paigow_table::TableId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// The most rounds that are shown at once.
const LIMIT_MAX: u32 = 50;

/// How many.
#[derive(Deserialize, utoipa::IntoParams)]
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
    player: Player,
    Query(last): Query<Last>,
) -> Result<Json<Rounds>, Problem> {
    let places = app.store().rounds_of(&player.id, last.limit.clamp(1, LIMIT_MAX)).await?;
    // Reading a round means reading its table from the start: once for all rounds there.
    let mut tables: BTreeMap<&TableId, Vec<RoundRecord>> = BTreeMap::new();
    for (table, _) in &places {
        if !tables.contains_key(table) {
            // One that cannot be read is in the log, and the others are shown.
            let records = app.tables.rounds(table).await;
            let failed = |error| tracing::error!(%table, %error, "a table's rounds cannot be shown");
            tables.insert(table, records.map_err(failed).unwrap_or_default());
        }
    }
    let record = |(table, round): &(TableId, u64)| {
        tables.get(table)?.iter().find(|record| record.round == *round).cloned()
    };
    Ok(Json(Rounds { rounds: places.iter().filter_map(record).collect() }))
}
