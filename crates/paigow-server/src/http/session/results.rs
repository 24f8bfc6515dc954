//! Endpoints of a player's results: rounds split into expectation, cost of the setting, and luck.

use super::super::auth::PlayerSession;
use super::super::guard::Client;
use super::super::input::{Path, Query};
use super::super::questions::{Answer, answer};
use super::account::read_records;
use crate::app::App;
use crate::house::opened_by_player;
use crate::http::{ApiProblem, Problems};
use crate::people::{PlayedRound, RoundResult};
use crate::{RoundRecord, Store};
use axum::extract::State;
use paigow_answers::Faults;
use paigow_table::{PlayerId, TableId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use utoipa::ToSchema;

/// Maximum number of results in a response. Judging a hand takes some thousandths of a second.
const LIMIT_MAX: u32 = 50;

/// Page of results.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct ResultsQuery {
    /// Maximum number of results, from 1 to 50. Default: 20.
    #[serde(default = "default_limit")]
    limit: u32,
    /// Only earlier rounds: `next` of the previous page.
    before: Option<u64>,
}

const fn default_limit() -> u32 {
    20
}

/// Results of rounds, the latest first.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Results {
    results: Vec<RoundResult>,
    /// `before` of the next page, or null on the last page.
    #[schema(required)]
    next: Option<u64>,
}

/// Lists the results of the player's finished rounds, each split into expectation, cost of the setting, and luck.
///
/// For each round, `net_cents` is the sum of `expected`, `given_away`, `luck` and `unjudged_cents`.
#[utoipa::path(get, path = "/api/session/results", tag = "session", params(ResultsQuery),
    responses((status = 200, body = Results), Problems))]
pub(in crate::http) async fn results(
    State(app): State<Arc<App>>,
    client: Client,
    player: PlayerSession,
    Query(page): Query<ResultsQuery>,
) -> Result<Answer, ApiProblem> {
    let limit = page.limit.clamp(1, LIMIT_MAX);
    // One more round shows whether there is another page.
    let mut rounds = app.store().rounds_of(&player.id, page.before, limit + 1).await?;
    let has_more = rounds.len() > limit as usize;
    rounds.truncate(limit as usize);
    let next = rounds.last().map(|round| round.seq).filter(|_| has_more);
    let played = played_rounds(&app, &player.id, read_records(&app, &rounds).await).await;
    let keys: Vec<_> = played.iter().map(PlayedRound::key).collect();
    answer(app, client, "results", (player.id, keys, next), move |(player, _, next), _, _| {
        let results = played.iter().map(|played| played.judge(player)).collect();
        Ok::<_, Faults>(Results { results, next: *next })
    })
    .await
}

/// Returns the result of one finished round of the player.
#[utoipa::path(get, path = "/api/session/results/{table}/{round}", tag = "session",
    params(("table" = String, Path), ("round" = u64, Path)),
    responses((status = 200, body = RoundResult), Problems))]
pub(in crate::http) async fn result(
    State(app): State<Arc<App>>,
    client: Client,
    player: PlayerSession,
    Path((table, round)): Path<(TableId, u64)>,
) -> Result<Answer, ApiProblem> {
    // Refuses an unknown table, which is no fault of the store.
    app.tables.table(&table).await?;
    let records = app.tables.rounds(&table, std::slice::from_ref(&(round..round.saturating_add(1)))).await?;
    let played = played_rounds(&app, &player.id, records).await.pop().ok_or_else(|| {
        ApiProblem::not_found("no_such_result", "you have no finished round of this number at this table")
    })?;
    answer(app, client, "result", (player.id, played.key()), move |(player, _), _, _| {
        Ok::<_, Faults>(played.judge(player))
    })
    .await
}

/// Adds the rules of their tables to records. Leaves out rounds of tables that cannot be loaded, and rounds that the
/// player left before the deal.
async fn played_rounds(app: &App, player: &PlayerId, records: Vec<RoundRecord>) -> Vec<PlayedRound> {
    let mut tables = BTreeMap::new();
    let mut played = Vec::new();
    let has_player = |record: &RoundRecord| record.seats.iter().any(|seat| seat.player == *player);
    for record in records.into_iter().filter(has_player) {
        let table = match tables.entry(record.table.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => match app.tables.table(&record.table).await {
                Ok((table, _)) => new.insert(table),
                Err(error) => {
                    tracing::error!(table = %record.table, %error, "cannot load a table to judge its rounds");
                    continue;
                }
            },
        };
        played.push(PlayedRound {
            rules: table.table_rules().clone(),
            name: table.config().name.clone(),
            opened_by_player: opened_by_player(table.id()),
            record,
        });
    }
    played
}
