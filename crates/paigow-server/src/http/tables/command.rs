//! `POST /api/tables/{table}/commands`: a command, for clients without a socket.

use super::super::auth::PlayerSession;
use super::super::input::{Body, Path};
use crate::CommandResult;
use crate::app::App;
use crate::http::{ApiProblem, Problems, run_to_completion};
use axum::Json;
use axum::extract::State;
use paigow_table::{Actor, Command, CommandId, TableId};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A command with its id.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct CommandRequest {
    /// Id chosen by the client. The server executes a command at most once per id, however often the client sends it.
    pub(in crate::http) id: CommandId,
    /// Command to execute.
    pub(in crate::http) command: Command,
}

/// Executes a command at a table. A retry with the same id returns the same result and is not executed again.
#[utoipa::path(post, path = "/api/tables/{table}/commands", tag = "tables", params(("table" = String, Path)),
    request_body = CommandRequest, responses((status = 200, body = CommandResult), Problems))]
pub(in crate::http) async fn command(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Path(table): Path<TableId>,
    Body(request): Body<CommandRequest>,
) -> Result<Json<CommandResult>, ApiProblem> {
    let work =
        async move { app.command(&table, &Actor::Player(player.id), &request.id, &request.command).await };
    run_to_completion(work).await.map(Json)
}
