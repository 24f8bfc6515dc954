//! `POST /api/operator/session`: begins an operator's session with the operators' secret.

use super::super::auth::{Cookie, Operator, is_operator_secret, parse_secret};
use super::super::input::Body;
use super::log_act;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use crate::people::{People, Session, SessionOf, secret_digest};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use paigow_table::PlayerId;
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use utoipa::ToSchema;

/// Name and secret of an operator.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct NewOperator {
    /// Name of the operator in the operators' log.
    name: PlayerId,
    /// The operators' secret, which the server printed on its first start.
    #[schema(min_length = 64, max_length = 64)]
    secret: String,
}

/// Begins an operator's session.
#[utoipa::path(post, path = "/api/operator/session", tag = "operator", request_body = NewOperator,
    responses((status = 204), Problems))]
pub(in crate::http) async fn begin(
    State(app): State<Arc<App>>,
    Body(new): Body<NewOperator>,
) -> Result<impl IntoResponse, ApiProblem> {
    if !is_operator_secret(&app, parse_secret(&new.secret)).await? {
        tracing::warn!(operator = %new.name, "wrong operators' secret");
        return Err(ApiProblem::unauthorized("wrong operators' secret"));
    }
    let (secret, now) = (app.random_bytes()?, app.now());
    let operator = Operator { name: new.name.clone() };
    log_act(&app, &operator, "session.begin", &json!({})).await?;
    let session = Session {
        digest: secret_digest(&secret),
        who: SessionOf::Operator(new.name),
        since: now,
        seen: now,
        until: Cookie::Operator.until(&app, now),
    };
    app.store().begin_session(session).await?;
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, Cookie::Operator.keep(&app, &secret))]))
}
