//! `DELETE /api/operator/session`: ends an operator's session.

use super::super::auth::{Cookie, Operator};
use super::log_act;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use crate::people::{People, secret_digest};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use serde_json::json;
use std::sync::Arc;

/// Ends an operator's session.
#[utoipa::path(delete, path = "/api/operator/session", tag = "operator", responses((status = 204), Problems))]
pub(in crate::http) async fn end(
    State(app): State<Arc<App>>,
    operator: Operator,
    headers: HeaderMap,
) -> Result<impl IntoResponse, ApiProblem> {
    log_act(&app, &operator, "session.end", &json!({})).await?;
    if let Some(secret) = Cookie::Operator.secret(&app, &headers) {
        app.store().end_session(&secret_digest(&secret)).await?;
    }
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, Cookie::Operator.forget(&app))]))
}
