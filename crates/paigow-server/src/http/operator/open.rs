//! `POST /api/operator/tables`: opens a table of the house.

use super::super::auth::Operator;
use super::super::input::Body;
use super::super::tables::open::{NewTable, Opened};
use super::log_act;
use crate::app::{App, practice};
use crate::http::{ApiProblem, Problems};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use paigow_table::{Actor, CommandId, Currency, TableId};
use serde::Deserialize;
use serde_json::json;
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
    operator: Operator,
    Body(new): Body<HouseTable>,
) -> Result<(StatusCode, Json<Opened>), ApiProblem> {
    let HouseTable { id, table, currency, rules } = new;
    log_act(&app, &operator, "table.open", &json!({ "table": table, "book": rules.book })).await?;
    let opening = rules.opening(table.clone(), currency.unwrap_or_else(practice));
    app.open(&Actor::Operator(operator.name), &id, opening).await?;
    Ok((StatusCode::CREATED, Json(Opened { table })))
}
