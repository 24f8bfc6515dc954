//! `POST /api/operator/tables/{table}/commands`: pause, resume, close, vacate, void, notice.

use super::super::input::{Body, Path};
use super::super::tables::command::CommandRequest;
use super::super::who::Operator;
use super::note;
use crate::CommandResult;
use crate::app::App;
use crate::http::{ApiProblem, Problems, to_the_end};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use paigow_table::{Actor, Command, TableId, VoidReason};
use serde_json::json;
use std::sync::Arc;

/// Gives a table one of the house's commands.
#[utoipa::path(post, path = "/api/operator/tables/{table}/commands", tag = "operator", params(("table" = String, Path)),
    request_body = CommandRequest, responses((status = 200, body = CommandResult), Problems))]
pub(in crate::http) async fn command(
    State(app): State<Arc<App>>,
    operator: Operator,
    Path(table): Path<TableId>,
    Body(named): Body<CommandRequest>,
) -> Result<Json<CommandResult>, ApiProblem> {
    if named.command == (Command::Void { reason: VoidReason::RulesChanged }) {
        let detail = "`rules_changed` is the program's own reason; give another";
        return Err(ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "void_reason_reserved", detail));
    }
    let detail = json!({ "table": table, "id": named.id, "command": named.command });
    note(&app, &operator, "table.command", &detail).await?;
    let by = Actor::Operator(operator.name);
    to_the_end(async move { app.command(&table, &by, &named.id, &named.command).await }).await.map(Json)
}
