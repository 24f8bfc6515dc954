//! `POST /api/operator/tables`: a table of the house.

use super::super::input::Body;
use super::super::tables::open::{NewTable, Opened};
use super::super::who::Operator;
use super::note;
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
    /// What the client calls this: it is done once.
    id: CommandId,
    /// The table's name.
    table: TableId,
    /// What is played for; practice chips where nothing is said.
    currency: Option<Currency>,
    /// The rest.
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
    note(&app, &operator, "table.open", &json!({ "table": table, "book": rules.book })).await?;
    let opening = rules.opening(table.clone(), currency.unwrap_or_else(practice));
    app.open(&Actor::Operator(operator.name), &id, opening).await?;
    Ok((StatusCode::CREATED, Json(Opened { table })))
}
