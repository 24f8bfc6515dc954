//! `GET /api/tables/{table}/rounds/{round}`: a finished round, event by event.

use super::super::input::Path;
use super::people::{AtTable, names_of};
use crate::app::App;
use crate::host::SeenRound;
use crate::http::{ApiProblem, Problems};
use axum::Json;
use axum::extract::State;
use paigow_table::{PlayerId, SeenEvent, TableId};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use utoipa::ToSchema;

/// A finished round, with the names of its players, who may have left the table since.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct PastRound {
    #[serde(flatten)]
    seen: SeenRound,
    /// Players who had a seat during the round, by player id.
    people: BTreeMap<String, AtTable>,
}

/// Returns a finished round: its record, and the events that a viewer of the whole round received, for a replay.
#[utoipa::path(get, path = "/api/tables/{table}/rounds/{round}", tag = "tables",
    params(("table" = String, Path), ("round" = u64, Path)), responses((status = 200, body = PastRound), Problems))]
pub(in crate::http) async fn round(
    State(app): State<Arc<App>>,
    Path((table, round)): Path<(TableId, u64)>,
) -> Result<Json<PastRound>, ApiProblem> {
    app.tables.ensure_loaded(&table).await?;
    let seen = app.tables.seen_round(&table, round).await?;
    let seen = seen.ok_or_else(|| {
        ApiProblem::not_found("no_such_round", format!("table {table} has no finished round {round}"))
    })?;
    let people = names_of(&app, &players(&seen)).await?;
    Ok(Json(PastRound { seen, people }))
}

/// Returns every player who had a seat at some time of the round.
fn players(seen: &SeenRound) -> Vec<PlayerId> {
    let before = seen.start.seats.iter().map(|seat| &seat.player);
    let joined = seen.events.iter().filter_map(|seen| match &seen.event {
        SeenEvent::Sat { player, .. } => Some(player),
        _ => None,
    });
    before.chain(joined).cloned().collect::<BTreeSet<_>>().into_iter().collect()
}
