//! `GET /api/session`: the player of the session and the balance.

use super::super::auth::{Cookie, PlayerSession};
use super::Me;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{AppendHeaders, IntoResponse};
use std::sync::Arc;

/// Returns the player of the session and the balance.
#[utoipa::path(get, path = "/api/session", tag = "session",
    responses((status = 200, body = Me), Problems))]
pub(in crate::http) async fn show(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    headers: HeaderMap,
) -> Result<impl IntoResponse, ApiProblem> {
    // The server has extended the session, so the cookie must be extended too.
    let secret = Cookie::Player.secret(&app, &headers).filter(|_| player.renewed);
    let cookie = secret.map(|secret| Cookie::Player.keep(&app, &secret));
    let headers = AppendHeaders(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
    Me::of(&app, &player.id).await.map(|me| (headers, Json(me)))
}
