//! `POST /api/operator/drain`: drains the process and then shuts it down.

use super::super::auth::Operator;
use super::log_act;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::json;
use std::sync::Arc;

/// Drains this process. It stops being ready and accepts no new sockets and tables. After `drain_seconds`, in which
/// load balancers can notice, it shuts down. Its tables continue in other processes, or after the next start.
#[utoipa::path(post, path = "/api/operator/drain", tag = "operator", responses((status = 202), Problems))]
pub(in crate::http) async fn drain(
    State(app): State<Arc<App>>,
    operator: Operator,
) -> Result<StatusCode, ApiProblem> {
    log_act(&app, &operator, "drain", &json!({})).await?;
    app.drain();
    Ok(StatusCode::ACCEPTED)
}
