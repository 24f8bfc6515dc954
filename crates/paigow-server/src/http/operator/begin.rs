//! `POST /api/operator/session`: an operator comes in, by the secret.

use super::super::input::Body;
use super::super::who::{Cookie, Operator, is_operators, secret_of};
use super::note;
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

/// Who comes in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct NewOperator {
    /// Under this name everything is written down.
    name: PlayerId,
    /// The secret that the server printed on its first start.
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
    if !is_operators(&app, secret_of(&new.secret)).await? {
        tracing::warn!(operator = %new.name, "a wrong secret was given");
        return Err(ApiProblem::unauthorized("this is not the operators' secret"));
    }
    let (secret, now) = (app.draw()?, app.now());
    let operator = Operator { name: new.name.clone() };
    note(&app, &operator, "session.begin", &json!({})).await?;
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
