//! Endpoints of operators for tables: open a table, execute a command at a table, and post a notice at every table.

use super::super::auth::Operator;
use super::super::guard::Client;
use super::super::input::{Body, Path};
use super::super::tables::invitations::restrict_seats;
use super::super::tables::lobby::{NewTable, Opened};
use super::super::tables::{CommandRequest, house_way};
use super::log_act;
use crate::CommandResult;
use crate::app::{App, derive_command_id, practice};
use crate::http::{ApiProblem, Problems, run_to_completion};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use paigow_table::{Actor, Command, CommandId, Currency, TableId, VoidReason};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// A table of the house.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct HouseTable {
    /// Id chosen by the client. The server opens the table at most once per id.
    id: CommandId,
    /// Name of the table.
    table: TableId,
    /// Currency of the table. Default: practice chips.
    currency: Option<Currency>,
    /// Rules and settings of the table.
    rules: NewTable,
}

/// Opens a table of the house.
#[utoipa::path(post, path = "/api/operator/tables", tag = "operator", request_body = HouseTable,
    responses((status = 201, body = Opened), Problems))]
pub(in crate::http) async fn open(
    State(app): State<Arc<App>>,
    client: Client,
    operator: Operator,
    Body(new): Body<HouseTable>,
) -> Result<(StatusCode, Json<Opened>), ApiProblem> {
    let HouseTable { id, table, currency, mut rules } = new;
    rules.check_name()?;
    let book = rules.book.clone();
    let seats = rules.seats;
    let opening = rules.opening(table.clone(), currency.unwrap_or_else(practice));
    house_way::check(&app, client, &opening).await?;
    log_act(&app, &operator, "table.open", &json!({ "table": table, "book": book })).await?;
    restrict_seats(&app, &table, seats, None).await?;
    app.open(&Actor::Operator(operator.name), &id, opening).await?;
    Ok((StatusCode::CREATED, Json(Opened { table })))
}

/// Executes an operator's command at a table: pause, resume, close, vacate, suspend, void or notice.
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

/// A notice for all tables.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct Notice {
    /// Id chosen by the client. Each table receives the notice at most once per id.
    id: CommandId,
    /// Text of the notice.
    #[schema(min_length = 1, max_length = 500)]
    text: String,
}

/// Result of a notice.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct NoticeResult {
    /// Number of tables that received the notice.
    told: usize,
    /// Reason of each table that did not receive it, by table.
    refused: BTreeMap<String, ApiProblem>,
}

/// Posts a notice at every table.
#[utoipa::path(post, path = "/api/operator/notices", tag = "operator", request_body = Notice,
    responses((status = 200, body = NoticeResult), Problems))]
pub(in crate::http) async fn notices(
    State(app): State<Arc<App>>,
    operator: Operator,
    Body(Notice { id, text }): Body<Notice>,
) -> Result<Json<NoticeResult>, ApiProblem> {
    log_act(&app, &operator, "notices", &json!({ "id": id, "text": text })).await?;
    let (by, command) = (Actor::Operator(operator.name), Command::Notice { text });
    let mut result = NoticeResult { told: 0, refused: BTreeMap::new() };
    let mut tables = app.tables.map_open(|table, _| table.id().clone()).await;
    tables.sort_unstable();
    for table in tables {
        let table_id = derive_command_id("notice", &format!("{id} {table}"));
        match app.command(&table, &by, &table_id, &command).await {
            Ok(_) => result.told += 1,
            Err(problem) => {
                result.refused.insert(table.to_string(), problem);
            }
        }
    }
    Ok(Json(result))
}
