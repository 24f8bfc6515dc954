//! `GET /api/tables`: the lobby.

use crate::app::App;
use crate::http::Problems;
use crate::lobby::LobbyTable;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The tables that are open.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Lobby {
    tables: Vec<LobbyTable>,
}

/// All tables that are not closed: book, limits, seats and state.
#[utoipa::path(get, path = "/api/tables", tag = "tables", responses((status = 200, body = Lobby), Problems))]
pub(in crate::http) async fn list(State(app): State<Arc<App>>) -> Json<Lobby> {
    Json(Lobby { tables: app.tables.lobby().await })
}
