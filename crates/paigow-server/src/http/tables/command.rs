//! `POST /api/tables/{table}/commands`: one command, for programs that keep no socket.

use super::super::input::{Body, Path};
use super::super::who::PlayerSession;
use crate::CommandResult;
use crate::app::App;
use crate::http::{ApiProblem, Problems, to_the_end};
use axum::Json;
use axum::extract::State;
use paigow_table::{Actor, Command, CommandId, TableId};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A command under its name.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct CommandRequest {
    /// What the client calls it. The same name is done once, however often it is sent.
    pub(in crate::http) id: CommandId,
    /// What is to be done.
    pub(in crate::http) command: Command,
}

/// Does something at a table. Sent again, it is answered again and done once.
#[utoipa::path(post, path = "/api/tables/{table}/commands", tag = "tables", params(("table" = String, Path)),
    request_body = CommandRequest, responses((status = 200, body = CommandResult), Problems))]
pub(in crate::http) async fn command(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Path(table): Path<TableId>,
    Body(named): Body<CommandRequest>,
) -> Result<Json<CommandResult>, ApiProblem> {
    let work = async move { app.command(&table, &Actor::Player(player.id), &named.id, &named.command).await };
    to_the_end(work).await.map(Json)
}
