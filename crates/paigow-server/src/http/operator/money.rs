//! Endpoints of operators for money: issue and redeem chips, the trial balance and the journal.

use super::super::auth::Operator;
use super::super::input::{Body, Query};
use super::super::page::Page;
use super::super::session::account::Journal;
use super::log_act;
use crate::app::{App, practice};
use crate::http::{ApiProblem, Problems, run_to_completion};
use crate::people::People;
use crate::{CommandResult, Store};
use axum::Json;
use axum::extract::State;
use paigow_table::{Account, Actor, CommandId, Currency, Owner, PlayerId, Purpose};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// Chips to issue or redeem.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct Chips {
    /// Id chosen by the client. The server executes the transfer at most once per id.
    id: CommandId,
    /// Player who receives or returns the chips.
    player: PlayerId,
    /// Currency. Default: practice chips.
    currency: Option<Currency>,
    /// Amount in cents.
    #[schema(minimum = 1)]
    cents: u64,
    /// Whether the chips are redeemed instead of issued.
    #[serde(default)]
    redeem: bool,
}

/// Issues chips to a player, or redeems them.
#[utoipa::path(post, path = "/api/operator/chips", tag = "operator", request_body = Chips,
    responses((status = 200, body = CommandResult), Problems))]
pub(in crate::http) async fn chips(
    State(app): State<Arc<App>>,
    operator: Operator,
    Body(Chips { id, player, currency, cents, redeem }): Body<Chips>,
) -> Result<Json<CommandResult>, ApiProblem> {
    if app.store().person(&player).await?.is_none() {
        return Err(ApiProblem::not_found("no_such_player", format!("player {player} does not exist")));
    }
    let currency = currency.unwrap_or_else(practice);
    let detail =
        json!({ "id": id, "player": player, "currency": currency, "cents": cents, "redeem": redeem });
    log_act(&app, &operator, "chips", &detail).await?;
    let account = Account { owner: Owner::Player(player), currency: currency.clone() };
    let issue = Account { owner: Owner::Issue, currency };
    let (accounts, purpose) =
        if redeem { ((account, issue), Purpose::Redeem) } else { ((issue, account), Purpose::Issue) };
    let by = Actor::Operator(operator.name);
    run_to_completion(async move { Ok(app.tables.transfer(&by, &id, accounts, cents, purpose).await?) })
        .await
        .map(Json)
}

/// Balance of every account.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct TrialBalance {
    /// Balances by currency and owner, in cents.
    accounts: BTreeMap<String, BTreeMap<String, i64>>,
    /// Sum of each currency, in cents. It must be zero.
    sums: BTreeMap<String, i64>,
}

/// Returns the balance of every account and the sum of each currency.
#[utoipa::path(get, path = "/api/operator/trial-balance", tag = "operator",
    responses((status = 200, body = TrialBalance), Problems))]
pub(in crate::http) async fn balance(
    State(app): State<Arc<App>>,
    _: Operator,
) -> Result<Json<TrialBalance>, ApiProblem> {
    let mut balance = TrialBalance { accounts: BTreeMap::new(), sums: BTreeMap::new() };
    for (account, cents) in app.store().trial_balance().await? {
        let currency = account.currency.to_string();
        *balance.sums.entry(currency.clone()).or_default() += cents;
        balance.accounts.entry(currency).or_default().insert(account.owner.to_string(), cents);
    }
    Ok(Json(balance))
}

/// Lists all transfers in the order of the journal.
#[utoipa::path(get, path = "/api/operator/journal", tag = "operator", params(Page),
    responses((status = 200, body = Journal), Problems))]
pub(in crate::http) async fn journal(
    State(app): State<Arc<App>>,
    _: Operator,
    Query(page): Query<Page>,
) -> Result<Json<Journal>, ApiProblem> {
    let rows = app.store().journal(None, page.after, page.limit()).await?;
    Ok(Json(Journal::of(&rows, &page)))
}
