//! `POST /api/session/chips`: refills a player's practice chips.

use super::super::auth::PlayerSession;
use super::{Me, give_chips, purse};
use crate::Store;
use crate::app::{App, house, name};
use crate::http::{ApiProblem, Problems};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use std::sync::Arc;

/// Length of the interval in which a player may have one refill.
const REFILL_SECONDS: u64 = 600;

/// Refills practice chips. Refused unless less than a tenth of the initial chips is left, and limited to one refill in
/// ten minutes.
#[utoipa::path(post, path = "/api/session/chips", tag = "session",
    responses((status = 200, body = Me), (status = 409, body = ApiProblem, content_type = "application/problem+json", description = "The player has enough chips"), Problems))]
pub(in crate::http) async fn chips(
    State(app): State<Arc<App>>,
    player: PlayerSession,
) -> Result<Json<Me>, ApiProblem> {
    let purse = purse(&player.id);
    let balances = app.store().balances(std::slice::from_ref(&purse)).await?;
    let cents = balances.get(&purse).copied().unwrap_or(0);
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
    Me::of(&app, &player.id).await.map(Json)
}
