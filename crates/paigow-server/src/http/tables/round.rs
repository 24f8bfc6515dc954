//! `GET /api/tables/{table}/rounds/{round}`: a round that is over, event by event.

use super::super::input::Path;
use super::people::{AtTable, named};
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

/// A round that is over, with the names of those who were there: they may have left since.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct PastRound {
    #[serde(flatten)]
    seen: SeenRound,
    /// Who sat there in the round, by what the table calls them.
    people: BTreeMap<String, AtTable>,
}

/// A round that is over: its record, and the events a viewer of all of it would have seen, to be shown again.
#[utoipa::path(get, path = "/api/tables/{table}/rounds/{round}", tag = "tables",
    params(("table" = String, Path), ("round" = u64, Path)), responses((status = 200, body = PastRound), Problems))]
pub(in crate::http) async fn round(
    State(app): State<Arc<App>>,
    Path((table, round)): Path<(TableId, u64)>,
) -> Result<Json<PastRound>, ApiProblem> {
    app.tables.exists(&table).await?;
    let seen = app.tables.seen_round(&table, round).await?;
    let seen = seen.ok_or_else(|| {
        ApiProblem::not_found("no_such_round", format!("table {table} has no round {round} that is over"))
    })?;
    let people = named(&app, &players(&seen)).await?;
    Ok(Json(PastRound { seen, people }))
}

/// Everybody who sat at the table at some time of the round.
fn players(seen: &SeenRound) -> Vec<PlayerId> {
    let before = seen.start.seats.iter().map(|seat| &seat.player);
    let came = seen.events.iter().filter_map(|seen| match &seen.event {
        SeenEvent::Sat { player, .. } => Some(player),
        _ => None,
    });
    before.chain(came).cloned().collect::<BTreeSet<_>>().into_iter().collect()
}
