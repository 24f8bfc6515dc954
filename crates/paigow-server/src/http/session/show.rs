//! `GET /api/session`: who I am and what I have.

use super::super::who::Player;
use super::Me;
use crate::app::App;
use crate::http::{Problem, Problems};
use axum::Json;
use axum::extract::State;
use std::sync::Arc;

/// Who I am and what I have.
#[utoipa::path(get, path = "/api/session", tag = "session",
    responses((status = 200, body = Me), Problems))]
pub(in crate::http) async fn show(State(app): State<Arc<App>>, player: Player) -> Result<Json<Me>, Problem> {
    Me::of(&app, &player.id).await.map(Json)
}
