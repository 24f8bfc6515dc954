//! `POST /api/session/chips`: more practice chips for whoever has run out.

use super::super::who::PlayerSession;
use super::{Me, give_chips, purse};
use crate::Store;
use crate::app::{App, house, name};
use crate::http::{ApiProblem, Problems};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use std::sync::Arc;

/// How long one must wait for more.
const EVERY_SECONDS: u64 = 600;

/// More practice chips. They are given where less than a tenth of the first ones is left, and not too often.
#[utoipa::path(post, path = "/api/session/chips", tag = "session",
    responses((status = 200, body = Me), (status = 409, body = ApiProblem, content_type = "application/problem+json", description = "There are enough"), Problems))]
pub(in crate::http) async fn chips(
    State(app): State<Arc<App>>,
    player: PlayerSession,
) -> Result<Json<Me>, ApiProblem> {
    let purse = purse(&player.id);
    let balances = app.store().balances(std::slice::from_ref(&purse)).await?;
    let cents = balances.get(&purse).copied().unwrap_or(0);
    if cents >= (app.settings.guest_chips_cents / 10).cast_signed() {
        return Err(ApiProblem::new(StatusCode::CONFLICT, "enough_chips", "you have enough to play with"));
    }
    let seconds = app.now().0 / 1_000;
    let id = name(&format!("chips:{}:{}", player.id, seconds / EVERY_SECONDS));
    if app.store().kept(&house(), &id).await?.is_some() {
        let wait = EVERY_SECONDS - seconds % EVERY_SECONDS;
        return Err(ApiProblem::too_many("chips_given", "chips were given a little while ago", wait));
    }
    give_chips(&app, &player.id, &id).await?;
    Me::of(&app, &player.id).await.map(Json)
}
