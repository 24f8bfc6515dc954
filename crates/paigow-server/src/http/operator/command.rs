//! `POST /api/operator/tables/{table}/commands`: pause, resume, close, vacate, void, notice.

use super::super::auth::Operator;
use super::super::input::{Body, Path};
use super::super::tables::command::CommandRequest;
use super::log_act;
use crate::CommandResult;
use crate::app::App;
use crate::http::{ApiProblem, Problems, run_to_completion};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use paigow_table::{Actor, Command, TableId, VoidReason};
use serde_json::json;
use std::sync::Arc;

/// Executes an operator's command at a table: pause, resume, close, vacate, void or notice.
#[utoipa::path(post, path = "/api/operator/tables/{table}/commands", tag = "operator", params(("table" = String, Path)),
    request_body = CommandRequest, responses((status = 200, body = CommandResult), Problems))]
pub(in crate::http) async fn command(
    State(app): State<Arc<App>>,
    operator: Operator,
    Path(table): Path<TableId>,
    Body(request): Body<CommandRequest>,
) -> Result<Json<CommandResult>, ApiProblem> {
    if request.command == (Command::Void { reason: VoidReason::RulesChanged }) {
        let detail = "the reason `rules_changed` is reserved for the server; use another reason";
        return Err(ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "void_reason_reserved", detail));
    }
    let detail = json!({ "table": table, "id": request.id, "command": request.command });
    log_act(&app, &operator, "table.command", &detail).await?;
    let by = Actor::Operator(operator.name);
    run_to_completion(async move { app.command(&table, &by, &request.id, &request.command).await })
        .await
        .map(Json)
}
