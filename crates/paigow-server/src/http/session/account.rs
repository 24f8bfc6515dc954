//! Endpoints of a player's account: refill the practice chips, and list the latest rounds and transfers.

use super::super::auth::PlayerSession;
use super::super::input::Query;
use super::super::page::Page;
use super::{SessionPlayer, give_chips, practice_account};
use crate::app::{App, house, name, practice};
use crate::http::{ApiProblem, Problems};
use crate::{JournalRow, JournalTransfer, PlayerRound, RoundRecord, Store};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use paigow_table::{Account, Currency, Owner, TableId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::slice;
use std::sync::Arc;
use utoipa::ToSchema;

/// Length of the interval in which a player may have one refill.
const REFILL_SECONDS: u64 = 600;

/// Refills practice chips. Refused unless less than a tenth of the initial chips is left, and limited to one refill in
/// ten minutes.
#[utoipa::path(post, path = "/api/session/chips", tag = "session",
    responses((status = 200, body = SessionPlayer), (status = 409, body = ApiProblem, content_type = "application/problem+json", description = "The player has enough chips"), Problems))]
pub(in crate::http) async fn chips(
    State(app): State<Arc<App>>,
    player: PlayerSession,
) -> Result<Json<SessionPlayer>, ApiProblem> {
    let account = practice_account(&player.id);
    let balances = app.store().balances(slice::from_ref(&account)).await?;
    let cents = balances.get(&account).copied().unwrap_or(0);
    if cents >= (app.settings.guest_chips_cents / 10).cast_signed() {
        return Err(ApiProblem::new(StatusCode::CONFLICT, "enough_chips", "you have enough chips to play"));
    }
    let seconds = app.now().0 / 1_000;
    let id = name(&format!("chips:{}:{}", player.id, seconds / REFILL_SECONDS));
    if app.store().stored_command(&house(), &id).await?.is_some() {
        let wait = REFILL_SECONDS - seconds % REFILL_SECONDS;
        return Err(ApiProblem::too_many("chips_given", "at most one refill of chips in 10 minutes", wait));
    }
    give_chips(&app, &player.id, &id).await?;
    SessionPlayer::of(&app, &player.id).await.map(Json)
}

/// Maximum number of rounds in a response.
const LIMIT_MAX: u32 = 50;
/// Maximum gap between two rounds that are read together, including the rounds between them.
const GAP_MAX: u64 = 16;

/// Number of rounds.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct LatestRoundsQuery {
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
#[utoipa::path(get, path = "/api/session/rounds", tag = "session", params(LatestRoundsQuery),
    responses((status = 200, body = Rounds), Problems))]
pub(in crate::http) async fn rounds(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Query(last): Query<LatestRoundsQuery>,
) -> Result<Json<Rounds>, ApiProblem> {
    let latest = app.store().rounds_of(&player.id, None, last.limit.clamp(1, LIMIT_MAX)).await?;
    Ok(Json(Rounds { rounds: read_records(&app, &latest).await }))
}

/// Reads the records of finished rounds, in the same order. Rounds that cannot be read are left out.
pub(in crate::http) async fn read_records(app: &App, rounds: &[PlayerRound]) -> Vec<RoundRecord> {
    let mut read: BTreeMap<(TableId, u64), RoundRecord> = BTreeMap::new();
    for (table, ranges) in ranges(rounds) {
        match app.tables.rounds(table, &ranges).await {
            Ok(records) => {
                read.extend(records.into_iter().map(|record| ((table.clone(), record.round), record)));
            }
            // The rounds of other tables are still returned.
            Err(error) => tracing::error!(%table, %error, "cannot read the rounds of a table"),
        }
    }
    rounds.iter().filter_map(|round| read.remove(&(round.table.clone(), round.round))).collect()
}

/// Merges rounds of the same table that are close together into ranges, so that fewer reads are needed.
fn ranges(rounds: &[PlayerRound]) -> BTreeMap<&TableId, Vec<Range<u64>>> {
    let rounds: BTreeSet<(&TableId, u64)> = rounds.iter().map(|round| (&round.table, round.round)).collect();
    let mut tables: BTreeMap<&TableId, Vec<Range<u64>>> = BTreeMap::new();
    for (table, round) in rounds {
        let ranges = tables.entry(table).or_default();
        match ranges.last_mut() {
            Some(range) if round < range.end.saturating_add(GAP_MAX) => range.end = round.saturating_add(1),
            _ => ranges.push(round..round.saturating_add(1)),
        }
    }
    tables
}

/// A page of transfers, in the order of the journal.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Journal {
    transfers: Vec<JournalTransfer>,
    /// `after` of the next page, or null on the last page.
    #[schema(required)]
    next: Option<u64>,
}

impl Journal {
    pub(in crate::http) fn of(rows: &[JournalRow], page: &Page) -> Journal {
        Journal::with_next(rows, page.next(rows.len(), rows.last().map(|row| row.seq)))
    }

    /// Makes a page with the `after` of the next page.
    pub(in crate::http) fn with_next(rows: &[JournalRow], next: Option<u64>) -> Journal {
        Journal { transfers: rows.iter().map(JournalTransfer::of).collect(), next }
    }
}

/// Currency of a list of transfers.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct JournalQuery {
    /// Sequence number after which the page starts: `next` of the previous page. Default: 0.
    #[serde(default)]
    after: u64,
    /// Maximum number of entries, from 1 to 500. Default: 100.
    limit: Option<u32>,
    /// Currency of the transfers. Default: practice chips.
    #[param(value_type = Option<String>, min_length = 1, max_length = 40, pattern = "^[A-Za-z0-9._:/-]+$")]
    currency: Option<Currency>,
}

/// Lists the transfers of the player's chips of one currency.
#[utoipa::path(get, path = "/api/session/journal", tag = "session", params(JournalQuery),
    responses((status = 200, body = Journal), Problems))]
pub(in crate::http) async fn journal(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Query(query): Query<JournalQuery>,
) -> Result<Json<Journal>, ApiProblem> {
    let page = Page::new(query.after, query.limit);
    let currency = query.currency.unwrap_or_else(practice);
    let account = Account { owner: Owner::Player(player.id), currency };
    let rows = app.store().journal(Some(&account), page.after, page.limit()).await?;
    Ok(Json(Journal::of(&rows, &page)))
}
