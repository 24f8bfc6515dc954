//! `POST /api/operator/chips`: issues chips to a player, or redeems them.

use super::super::auth::Operator;
use super::super::input::Body;
use super::log_act;
use crate::CommandResult;
use crate::app::{App, practice};
use crate::http::{ApiProblem, Problems, run_to_completion};
use crate::people::People;
use axum::Json;
use axum::extract::State;
use paigow_table::{Account, Actor, CommandId, Currency, Owner, PlayerId, Purpose};
use serde::Deserialize;
use serde_json::json;
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
    let purse = Account { owner: Owner::Player(player), currency: currency.clone() };
    let issue = Account { owner: Owner::Issue, currency };
    let (accounts, purpose) =
        if redeem { ((purse, issue), Purpose::Redeem) } else { ((issue, purse), Purpose::Issue) };
    let by = Actor::Operator(operator.name);
    run_to_completion(async move { Ok(app.tables.transfer(&by, &id, accounts, cents, purpose).await?) })
        .await
        .map(Json)
}
