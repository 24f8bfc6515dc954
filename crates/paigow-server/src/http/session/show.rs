//! `GET /api/session`: who I am and what I have.

use super::super::who::{Cookie, PlayerSession};
use super::Me;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{AppendHeaders, IntoResponse};
use std::sync::Arc;

/// Who I am and what I have.
#[utoipa::path(get, path = "/api/session", tag = "session",
    responses((status = 200, body = Me), Problems))]
pub(in crate::http) async fn show(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    headers: HeaderMap,
) -> Result<impl IntoResponse, ApiProblem> {
    // A session that is seen holds longer here: so it does in the browser.
    let secret = Cookie::Player.secret(&app, &headers).filter(|_| player.renewed);
    let kept = secret.map(|secret| Cookie::Player.keep(&app, &secret));
    let kept = AppendHeaders(kept.map(|cookie| (header::SET_COOKIE, cookie)));
    Me::of(&app, &player.id).await.map(|me| (kept, Json(me)))
}
