//! `POST /api/operator/chips`: chips are issued to a player, or taken back.

use super::super::input::Body;
use super::super::who::Operator;
use super::note;
use crate::CommandResult;
use crate::app::{App, practice};
use crate::http::{ApiProblem, Problems, to_the_end};
use crate::people::People;
use axum::Json;
use axum::extract::State;
use paigow_table::{Account, Actor, CommandId, Currency, Owner, PlayerId, Purpose};
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use utoipa::ToSchema;

/// Chips to be issued or taken back.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct Chips {
    /// What the client calls it: it is done once.
    id: CommandId,
    /// Whose.
    player: PlayerId,
    /// Of what; practice chips where nothing is said.
    currency: Option<Currency>,
    /// How much.
    #[schema(minimum = 1)]
    cents: u64,
    /// Taken back instead of issued.
    #[serde(default)]
    redeem: bool,
}

/// Issues chips to a player, or takes them back.
#[utoipa::path(post, path = "/api/operator/chips", tag = "operator", request_body = Chips,
    responses((status = 200, body = CommandResult), Problems))]
pub(in crate::http) async fn chips(
    State(app): State<Arc<App>>,
    operator: Operator,
    Body(Chips { id, player, currency, cents, redeem }): Body<Chips>,
) -> Result<Json<CommandResult>, ApiProblem> {
    if app.store().person(&player).await?.is_none() {
        return Err(ApiProblem::not_found("no_such_player", format!("there is no player {player}")));
    }
    let currency = currency.unwrap_or_else(practice);
    let detail =
        json!({ "id": id, "player": player, "currency": currency, "cents": cents, "redeem": redeem });
    note(&app, &operator, "chips", &detail).await?;
    let purse = Account { owner: Owner::Player(player), currency: currency.clone() };
    let issue = Account { owner: Owner::Issue, currency };
    let (way, purpose) =
        if redeem { ((purse, issue), Purpose::Redeem) } else { ((issue, purse), Purpose::Issue) };
    let by = Actor::Operator(operator.name);
    to_the_end(async move { Ok(app.tables.transfer(&by, &id, way, cents, purpose).await?) }).await.map(Json)
}
