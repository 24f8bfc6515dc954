//! `PATCH /api/session`: renames the player.

use super::super::auth::PlayerSession;
use super::super::input::Body;
use super::Me;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use crate::people::{People, PersonName};
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Request for another name.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct NewName {
    /// Name that other players see.
    #[schema(min_length = 1, max_length = 24)]
    name: String,
}

/// Renames the player.
#[utoipa::path(patch, path = "/api/session", tag = "session", request_body = NewName,
    responses((status = 200, body = Me), Problems))]
pub(in crate::http) async fn rename(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Body(new): Body<NewName>,
) -> Result<Json<Me>, ApiProblem> {
    let name = PersonName::chosen(&new.name)?;
    app.store().rename(&player.id, &name).await?;
    Me::of(&app, &player.id).await.map(Json)
}
