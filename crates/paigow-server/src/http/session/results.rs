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
use crate::{PlayerRound, RoundRecord, Store};
use axum::extract::State;
use paigow_answers::Faults;
use paigow_table::{PlayerId, TableId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use utoipa::ToSchema;

/// Maximum number of results in a response. Judging a hand takes some hundredths of a second.
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
    let played = played_rounds(&app, read_records(&app, &rounds).await).await;
    judge(app, client, player.id, played, move |results| Results { results, next }).await
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
    let records = read_records(&app, &[PlayerRound { table, round, seq: 0 }]).await;
    let mut played = played_rounds(&app, records).await;
    played.retain(|played| played.record.seats.iter().any(|seat| seat.player == player.id));
    if played.is_empty() {
        return Err(ApiProblem::not_found(
            "no_such_result",
            "you have no finished round of this number here",
        ));
    }
    judge(app, client, player.id, played, |mut results| results.pop()).await
}

/// Adds the rules of their tables to records. Rounds of tables that cannot be loaded are left out.
async fn played_rounds(app: &App, records: Vec<RoundRecord>) -> Vec<PlayedRound> {
    let mut tables = BTreeMap::new();
    let mut played = Vec::new();
    for record in records {
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

/// Judges rounds in the queue of questions, because it takes processor time.
async fn judge<T: Serialize>(
    app: Arc<App>,
    client: Client,
    player: PlayerId,
    played: Vec<PlayedRound>,
    body: impl Fn(Vec<RoundResult>) -> T + Send + Sync + 'static,
) -> Result<Answer, ApiProblem> {
    answer(app, client, "results", (player, played), move |(player, played), app, work| {
        let results = played.iter().map(|played| played.judge(player, &app.judged_hands, work));
        Ok::<T, Faults>(body(results.collect()))
    })
    .await
}
