//! `GET /api/operator/trial-balance`: every account; each currency comes to zero.

use super::super::who::Operator;
use crate::Store;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// What every account has.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct TrialBalance {
    /// By currency, then by owner, in cents.
    accounts: BTreeMap<String, BTreeMap<String, i64>>,
    /// What each currency comes to: zero.
    sums: BTreeMap<String, i64>,
}

/// Every account, and what each currency comes to.
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
