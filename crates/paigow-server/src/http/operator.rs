//! Endpoints of operators: session, secret, log and drain. Every act is written to the operators' log.

pub(super) mod money;
pub(super) mod rounds;
pub(super) mod tables;

use super::auth::{Cookie, Operator, is_operator_secret, parse_secret};
use super::input::{Body, Query};
use super::page::Page;
use super::{ApiProblem, Problems};
use crate::app::App;
use crate::people::{NewAct, OperatorAct, People, Session, SessionOwner, secret_digest};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use paigow_table::{PlayerId, Secret};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use utoipa::ToSchema;

/// Writes an act to the operators' log. The entry is durable before the act is executed.
async fn log_act(app: &App, operator: &Operator, what: &str, detail: &Value) -> Result<(), ApiProblem> {
    let act = NewAct::new(operator.name.clone(), what, detail).map_err(|faults| {
        let messages: Vec<String> = faults.iter().map(ToString::to_string).collect();
        ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_act", messages.join("; "))
    })?;
    app.store().log_act(act, app.now()).await?;
    tracing::info!(operator = %operator.name, what, "operator act");
    Ok(())
}

/// Name and secret of an operator.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewOperator {
    /// Name of the operator in the operators' log.
    name: PlayerId,
    /// The operator secret, which the server printed on its first start.
    #[schema(min_length = 64, max_length = 64)]
    secret: String,
}

/// Begins an operator's session.
#[utoipa::path(post, path = "/api/operator/session", tag = "operator", request_body = NewOperator,
    responses((status = 204), Problems))]
pub(super) async fn begin(
    State(app): State<Arc<App>>,
    Body(new): Body<NewOperator>,
) -> Result<impl IntoResponse, ApiProblem> {
    if !is_operator_secret(&app, parse_secret(&new.secret)).await? {
        tracing::warn!(operator = %new.name, "wrong operator secret");
        return Err(ApiProblem::unauthorized("wrong operator secret"));
    }
    let (secret, now) = (app.random_bytes()?, app.now());
    let operator = Operator { name: new.name.clone() };
    log_act(&app, &operator, "session.begin", &json!({})).await?;
    let session = Session {
        digest: secret_digest(&secret),
        who: SessionOwner::Operator(new.name),
        since: now,
        seen: now,
        until: Cookie::Operator.until(&app, now),
        client: String::new(),
    };
    app.store().begin_session(session).await?;
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, Cookie::Operator.keep(&app, &secret))]))
}

/// Ends an operator's session.
#[utoipa::path(delete, path = "/api/operator/session", tag = "operator", responses((status = 204), Problems))]
pub(super) async fn end(
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

/// The new operator secret. The server shows it once and stores only its digest.
#[derive(Serialize, ToSchema)]
pub(super) struct NewSecret {
    secret: String,
}

/// Replaces the operator secret. The old secret and all operator sessions become invalid.
#[utoipa::path(post, path = "/api/operator/secret", tag = "operator",
    responses((status = 200, body = NewSecret), Problems))]
pub(super) async fn secret(
    State(app): State<Arc<App>>,
    operator: Operator,
) -> Result<Json<NewSecret>, ApiProblem> {
    log_act(&app, &operator, "secret.replace", &json!({})).await?;
    let secret = app.random_bytes()?;
    app.store().replace_operator_secret(secret_digest(&secret), app.now()).await?;
    Ok(Json(NewSecret { secret: String::from(Secret(secret)) }))
}

/// A page of the operators' log.
#[derive(Serialize, ToSchema)]
pub(super) struct Acts {
    acts: Vec<OperatorAct>,
    /// `after` of the next page, or null on the last page.
    #[schema(required)]
    next: Option<u64>,
}

/// Lists the operators' log, the oldest entry first.
#[utoipa::path(get, path = "/api/operator/acts", tag = "operator", params(Page),
    responses((status = 200, body = Acts), Problems))]
pub(super) async fn acts(
    State(app): State<Arc<App>>,
    _: Operator,
    Query(page): Query<Page>,
) -> Result<Json<Acts>, ApiProblem> {
    let acts = app.store().acts(page.after, page.limit()).await?;
    let next = page.next(acts.len(), acts.last().map(|act| act.place));
    Ok(Json(Acts { acts, next }))
}

/// Drains this process. It stops being ready and accepts no new sockets and tables. After `drain_seconds`, in which
/// load balancers can notice, it shuts down. Its tables continue in other processes, or after the next start.
#[utoipa::path(post, path = "/api/operator/drain", tag = "operator", responses((status = 202), Problems))]
pub(super) async fn drain(State(app): State<Arc<App>>, operator: Operator) -> Result<StatusCode, ApiProblem> {
    log_act(&app, &operator, "drain", &json!({})).await?;
    app.drain();
    Ok(StatusCode::ACCEPTED)
}
