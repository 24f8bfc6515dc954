//! Endpoints of operators for tables: open a table, execute a command at a table, and post a notice at every table.

use super::approvals::{self, Executed, WaitingAct};
use super::perform::{Act, perform, perform_as};
use crate::app::{App, derive_command_id, practice};
use crate::host::VoidScope;
use crate::http::auth::OperatorSession;
use crate::http::guard::Client;
use crate::http::input::{Body, Path};
use crate::http::tables::invitations::restrict_seats;
use crate::http::tables::lobby::{NewTable, Opened};
use crate::http::tables::{CommandRequest, house_way};
use crate::http::{ApiProblem, Problems};
use crate::people::{ApprovalAct, Permission};
use crate::{CommandResult, HostError};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use paigow_table::{Actor, Command, CommandId, Currency, PlayerId, TableId, VoidReason};
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
    operator: OperatorSession,
    Body(new): Body<HouseTable>,
) -> Result<(StatusCode, Json<Opened>), ApiProblem> {
    let HouseTable { id, table, currency, mut rules } = new;
    let detail =
        json!({ "id": id, "table": table, "book": rules.book, "currency": currency, "seats": rules.seats });
    let act = Act::change(Permission::Tables, "table.open", detail);
    let work = {
        let (app, by) = (app.clone(), Actor::Operator(operator.name.clone()));
        async move {
            rules.check_name()?;
            let seats = rules.seats;
            let opening = rules.opening(table.clone(), currency.unwrap_or_else(practice));
            house_way::check(&app, client, &opening).await?;
            restrict_seats(&app, &table, seats, None).await?;
            app.open(&by, &id, opening).await?;
            Ok((StatusCode::CREATED, Json(Opened { table })))
        }
    };
    perform(&app, &operator, act, work).await
}

/// Executes an operator's command at a table: pause, resume, close, vacate, suspend, void or notice. A second operator
/// must approve the void of a settled round.
#[utoipa::path(post, path = "/api/operator/tables/{table}/commands", tag = "operator", params(("table" = String, Path)),
    request_body = CommandRequest, responses((status = 200, body = CommandResult), (status = 202, body = WaitingAct, description = "A second operator must approve"), Problems))]
pub(in crate::http) async fn command(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
    Path(table): Path<TableId>,
    Body(request): Body<CommandRequest>,
) -> Result<Executed, ApiProblem> {
    let detail = json!({ "table": table, "id": request.id, "command": request.command });
    let act = Act::change(Permission::Tables, "table.command", detail);
    let work = {
        let (app, name) = (app.clone(), operator.name.clone());
        async move {
            let CommandRequest { id, command } = request;
            match command {
                Command::Void { reason } => void(&app, name, table, id, reason).await,
                command => {
                    let by = Actor::Operator(name);
                    Ok(Executed::Now(app.command(&table, &by, &id, &command).await?))
                }
            }
        }
    };
    perform_as(&app, &operator, act, Executed::outcome, work).await
}

/// Voids the current round, or requests an approval if it is settled.
async fn void(
    app: &App,
    name: PlayerId,
    table: TableId,
    id: CommandId,
    reason: VoidReason,
) -> Result<Executed, ApiProblem> {
    if reason == VoidReason::RulesChanged {
        let detail = "the reason `rules_changed` is reserved for the server; use another reason";
        return Err(ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "void_reason_reserved", detail));
    }
    let by = Actor::Operator(name.clone());
    let command = Command::Void { reason: reason.clone() };
    match app.tables.void(&table, &by, &id, &command, VoidScope::Unsettled).await {
        Ok(result) => Ok(Executed::Now(result)),
        Err(HostError::NeedsApproval { round }) => {
            approvals::request(app, name, id, ApprovalAct::Void { table, round, reason }).await
        }
        Err(error) => Err(error.into()),
    }
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
    operator: OperatorSession,
    Body(Notice { id, text }): Body<Notice>,
) -> Result<Json<NoticeResult>, ApiProblem> {
    let act = Act::change(Permission::Tables, "notices", json!({ "id": id, "text": text }));
    let work = {
        let (app, by) = (app.clone(), Actor::Operator(operator.name.clone()));
        async move {
            let command = Command::Notice { text };
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
    };
    perform(&app, &operator, act, work).await
}
