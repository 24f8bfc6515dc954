//! `POST /api/operator/secret`: another secret in place of the old one.

use super::super::who::Operator;
use super::note;
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

/// The new secret. It is shown once, and kept nowhere.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct NewSecret {
    secret: String,
}

/// Makes another secret. The old one and all sessions of operators hold no more.
#[utoipa::path(post, path = "/api/operator/secret", tag = "operator",
    responses((status = 200, body = NewSecret), Problems))]
pub(in crate::http) async fn secret(
    State(app): State<Arc<App>>,
    operator: Operator,
) -> Result<Json<NewSecret>, ApiProblem> {
    note(&app, &operator, "secret.replace", &json!({})).await?;
    let secret = app.draw()?;
    app.store().replace_operator_secret(secret_digest(&secret), app.now()).await?;
    Ok(Json(NewSecret { secret: String::from(Secret(secret)) }))
}
