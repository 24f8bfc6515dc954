//! `POST /api/operator/notices`: the same notice at every table.

use super::super::input::Body;
use super::super::who::Operator;
use super::note;
use crate::app::{App, digest_name};
use crate::http::{ApiProblem, Problems};
use axum::Json;
use axum::extract::State;
use paigow_table::{Actor, Command, CommandId};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// Something everybody is told.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct Notice {
    /// What the client calls it: every table is told once.
    id: CommandId,
    /// What.
    #[schema(min_length = 1, max_length = 500)]
    text: String,
}

/// Who was told.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct NoticeResult {
    /// At how many tables.
    told: usize,
    /// Why not at others.
    refused: BTreeMap<String, ApiProblem>,
}

/// Tells everybody at every table something.
#[utoipa::path(post, path = "/api/operator/notices", tag = "operator", request_body = Notice,
    responses((status = 200, body = NoticeResult), Problems))]
pub(in crate::http) async fn notices(
    State(app): State<Arc<App>>,
    operator: Operator,
    Body(Notice { id, text }): Body<Notice>,
) -> Result<Json<NoticeResult>, ApiProblem> {
    note(&app, &operator, "notices", &json!({ "id": id, "text": text })).await?;
    let (by, command) = (Actor::Operator(operator.name), Command::Notice { text });
    let mut all = NoticeResult { told: 0, refused: BTreeMap::new() };
    let mut tables = app.tables.each(|table, _| table.id().clone()).await;
    tables.sort_unstable();
    for table in tables {
        let named = digest_name("notice", &format!("{id} {table}"));
        match app.command(&table, &by, &named, &command).await {
            Ok(_) => all.told += 1,
            Err(problem) => {
                all.refused.insert(table.to_string(), problem);
            }
        }
    }
    Ok(Json(all))
}
