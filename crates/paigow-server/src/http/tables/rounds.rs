//! Endpoints of rounds: the latest rounds of a table, a round event by event, its receipt, and the keys that verify it.

use super::super::input::{Path, Query};
use super::{PublicPlayer, names_of};
use crate::RoundRecord;
use crate::app::App;
use crate::host::SeenRound;
use crate::http::{ApiProblem, Problems};
use axum::Json;
use axum::extract::State;
use paigow_table::{KeyId, PlayerId, PublicKey, Receipt, SeenEvent, TableId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::slice;
use std::sync::Arc;
use utoipa::ToSchema;

/// Maximum number of rounds in a response.
const LIMIT_MAX: u64 = 50;

/// Range of rounds.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct RoundsQuery {
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
    params(("table" = String, Path), RoundsQuery), responses((status = 200, body = TableRounds), Problems))]
pub(in crate::http) async fn rounds(
    State(app): State<Arc<App>>,
    Path(table): Path<TableId>,
    Query(RoundsQuery { before, limit }): Query<RoundsQuery>,
) -> Result<Json<TableRounds>, ApiProblem> {
    let begun = app.tables.rounds_begun(&table).await?;
    let limit = limit.unwrap_or(10).clamp(1, LIMIT_MAX);
    // Reads one round more than requested, because the latest may not be finished.
    let end = before.unwrap_or(u64::MAX).min(begun + 1);
    let range = end.saturating_sub(limit + 1)..end;
    let rounds = app.tables.rounds(&table, slice::from_ref(&range)).await?;
    Ok(Json(TableRounds { rounds: rounds.into_iter().rev().take(limit as usize).collect() }))
}

/// A finished round, with the names of its players, who may have left the table since.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct PastRound {
    #[serde(flatten)]
    seen: SeenRound,
    /// Players who had a seat during the round, by player id.
    people: BTreeMap<String, PublicPlayer>,
}

/// Returns a finished round: its record, and its events with every card, for a replay.
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

/// Returns the signed receipt of a round, which can be verified offline. The receipt of an open round has only the
/// commitments.
#[utoipa::path(get, path = "/api/tables/{table}/rounds/{round}/receipt", tag = "tables",
    params(("table" = String, Path), ("round" = u64, Path)), responses((status = 200, body = Receipt), Problems))]
pub(in crate::http) async fn receipt(
    State(app): State<Arc<App>>,
    Path((table, round)): Path<(TableId, u64)>,
) -> Result<Json<Receipt>, ApiProblem> {
    app.tables.ensure_loaded(&table).await?;
    let found = app.tables.table_at_round(&table, round).await?.ok_or_else(|| {
        ApiProblem::not_found("no_such_round", format!("table {table} has no round {round}"))
    })?;
    let payload = found.receipt_payload(app.tables.keys()).ok_or_else(|| {
        ApiProblem::not_found(
            "no_receipt",
            format!("round {round} has no receipt: a version without receipts opened it"),
        )
    })?;
    let receipt = Receipt::sign(&payload, app.tables.keys());
    receipt.map(Json).ok_or_else(|| ApiProblem::unavailable("the receipt could not be signed"))
}

/// Public keys of the house.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct HouseKeys {
    /// Keys, the one for new rounds first.
    keys: Vec<HouseKey>,
}

/// A public key of the house.
#[derive(Serialize, ToSchema)]
struct HouseKey {
    /// Id of the key.
    key: KeyId,
    /// Ed25519 public key.
    public_key: PublicKey,
    /// Whether new rounds use this key.
    current: bool,
}

/// Public keys that verify the signatures of rounds and receipts.
#[utoipa::path(get, path = "/api/keys", tag = "tables", responses((status = 200, body = HouseKeys)))]
pub(in crate::http) async fn keys(State(app): State<Arc<App>>) -> Json<HouseKeys> {
    let keys = app.tables.keys();
    let current = keys.current();
    let house_key = |(key, public_key)| HouseKey { key, public_key, current: key == current };
    Json(HouseKeys { keys: keys.public().map(house_key).collect() })
}
