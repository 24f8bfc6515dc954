//! `POST /api/operator/secret`: replaces the operators' secret.

use super::super::auth::Operator;
use super::log_act;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use crate::people::{People, secret_digest};
use axum::Json;
use axum::extract::State;
use paigow_table::Secret;
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;
use utoipa::ToSchema;

/// The new operators' secret. The server shows it once and stores only its digest.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct NewSecret {
    secret: String,
}

/// Replaces the operators' secret. The old secret and all operator sessions become invalid.
#[utoipa::path(post, path = "/api/operator/secret", tag = "operator",
    responses((status = 200, body = NewSecret), Problems))]
pub(in crate::http) async fn secret(
    State(app): State<Arc<App>>,
    operator: Operator,
) -> Result<Json<NewSecret>, ApiProblem> {
    log_act(&app, &operator, "secret.replace", &json!({})).await?;
    let secret = app.random_bytes()?;
    app.store().replace_operator_secret(secret_digest(&secret), app.now()).await?;
    Ok(Json(NewSecret { secret: String::from(Secret(secret)) }))
}
