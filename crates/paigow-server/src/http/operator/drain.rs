//! `POST /api/operator/drain`: nobody new is let in, and those who are here are told to come back elsewhere.

use super::super::who::Operator;
use super::note;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::json;
use std::sync::Arc;

/// Drains this process: it is no longer ready, takes no new sockets and tables, and ends when the time for that is over, so that whoever
/// sends people here has seen it. Tables go on in other processes, or in the next one.
#[utoipa::path(post, path = "/api/operator/drain", tag = "operator", responses((status = 202), Problems))]
pub(in crate::http) async fn drain(
    State(app): State<Arc<App>>,
    operator: Operator,
) -> Result<StatusCode, ApiProblem> {
    note(&app, &operator, "drain", &json!({})).await?;
    app.drain();
    Ok(StatusCode::ACCEPTED)
}
