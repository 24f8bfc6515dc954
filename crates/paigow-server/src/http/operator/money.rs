//! Endpoints of operators for money: issue and redeem chips, and the trial balance.

use super::approvals::{self, Executed, WaitingAct, chips_accounts};
use super::perform::{Act, perform, perform_as};
use crate::app::{App, practice};
use crate::http::auth::OperatorSession;
use crate::http::input::Body;
use crate::http::{ApiProblem, Problems};
use crate::people::{ApprovalAct, People, Permission};
use crate::{CommandResult, Store};
use axum::Json;
use axum::extract::State;
use paigow_table::{Actor, CommandId, Currency, PlayerId};
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

/// Issues chips to a player, or redeems them. Above the setting `approval_above_cents`, a second operator must approve.
#[utoipa::path(post, path = "/api/operator/chips", tag = "operator", request_body = Chips,
    responses((status = 200, body = CommandResult), (status = 202, body = WaitingAct, description = "A second operator must approve"), Problems))]
pub(in crate::http) async fn chips(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
    Body(Chips { id, player, currency, cents, redeem }): Body<Chips>,
) -> Result<Executed, ApiProblem> {
    let currency = currency.unwrap_or_else(practice);
    let detail =
        json!({ "id": id, "player": player, "currency": currency, "cents": cents, "redeem": redeem });
    let act = Act::change(Permission::Chips, "chips", detail);
    let work = {
        let (app, name) = (app.clone(), operator.name.clone());
        async move {
            if app.store().person(&player).await?.is_none() {
                let detail = format!("player {player} does not exist");
                return Err(ApiProblem::not_found("no_such_player", detail));
            }
            let by = Actor::Operator(name.clone());
            // A retry of an executed command returns its result, also after the limit was lowered.
            let is_retry = app.store().stored_command(&by, &id).await?.is_some();
            if cents > app.settings.approval_above_cents && !is_retry {
                let act = ApprovalAct::Chips { player, currency, cents, redeem };
                return approvals::request(&app, name, id, act).await;
            }
            let (accounts, purpose) = chips_accounts(&player, currency, redeem);
            Ok(Executed::Now(app.tables.transfer(&by, &id, accounts, cents, purpose).await?))
        }
    };
    perform_as(&app, &operator, act, Executed::outcome, work).await
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
    operator: OperatorSession,
) -> Result<Json<TrialBalance>, ApiProblem> {
    let work = {
        let app = app.clone();
        async move {
            let mut balance = TrialBalance { accounts: BTreeMap::new(), sums: BTreeMap::new() };
            for (account, cents) in app.store().trial_balance().await? {
                let currency = account.currency.to_string();
                *balance.sums.entry(currency.clone()).or_default() += cents;
                balance.accounts.entry(currency).or_default().insert(account.owner.to_string(), cents);
            }
            Ok(Json(balance))
        }
    };
    perform(&app, &operator, Act::read("trial-balance", json!({})), work).await
}
