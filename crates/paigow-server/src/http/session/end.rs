//! `DELETE /api/session`: ends a session. Seats and chips stay, but no later session has access to them.

use super::super::auth::{Cookie, PlayerSession};
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use crate::people::People;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use std::sync::Arc;

/// Ends the session and closes its sockets.
#[utoipa::path(delete, path = "/api/session", tag = "session",
    responses((status = 204), Problems))]
pub(in crate::http) async fn end(
    State(app): State<Arc<App>>,
    player: PlayerSession,
) -> Result<impl IntoResponse, ApiProblem> {
    app.store().end_session(&player.digest).await?;
    app.sockets.end(&player.digest);
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, Cookie::Player.forget(&app))]))
}
