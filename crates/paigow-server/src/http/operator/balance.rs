//! `GET /api/operator/trial-balance`: the balance of every account. Each currency sums to zero.

use super::super::auth::Operator;
use crate::Store;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;

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
