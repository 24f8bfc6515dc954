//! `POST /api/operator/notices`: posts a notice at every table.

use super::super::auth::Operator;
use super::super::input::Body;
use super::log_act;
use crate::app::{App, derive_command_id};
use crate::http::{ApiProblem, Problems};
use axum::Json;
use axum::extract::State;
use paigow_table::{Actor, Command, CommandId};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;

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
