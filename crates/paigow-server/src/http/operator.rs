//! Endpoints of operators. Every act, read and refusal is in the operators' log, with its outcome.

pub(super) mod approvals;
pub(super) mod audits;
mod ceremony;
pub(super) mod enrolment;
pub(super) mod invitations;
pub(super) mod journal;
pub(super) mod money;
pub(super) mod operators;
pub(super) mod people;
pub(super) mod perform;
pub(super) mod reports;
pub(super) mod rounds;
pub(super) mod sign_in;
pub(super) mod table_list;
pub(super) mod tables;

use super::auth::{Cookie, OperatorSession};
use super::input::Query;
use super::page::Page;
use super::{ApiProblem, Problems};
use crate::app::App;
use crate::people::{OperatorAct, People, Permission, Role};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use paigow_table::{PlayerId, Time};
use perform::{Act, DONE, log, perform, with_outcome};
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;
use utoipa::ToSchema;

/// The operator of a session.
#[derive(Serialize, ToSchema)]
pub(super) struct SessionOperator {
    /// Name of the operator.
    name: PlayerId,
    /// Role of the operator.
    role: Role,
    /// Time at which the session began.
    since: Time,
    /// Permissions of the role.
    may: Vec<Permission>,
    /// Amount in cents above which a second operator must approve chips.
    approval_above_cents: u64,
}

/// Returns the operator of the session.
#[utoipa::path(get, path = "/api/operator/session", tag = "operator",
    responses((status = 200, body = SessionOperator), Problems))]
pub(super) async fn show(State(app): State<Arc<App>>, operator: OperatorSession) -> Json<SessionOperator> {
    let OperatorSession { name, role, since, .. } = operator;
    let approval_above_cents = app.settings.approval_above_cents;
    Json(SessionOperator { name, role, since, may: role.permissions(), approval_above_cents })
}

/// Ends an operator's session.
#[utoipa::path(delete, path = "/api/operator/session", tag = "operator", responses((status = 204), Problems))]
pub(super) async fn end(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
) -> Result<impl IntoResponse, ApiProblem> {
    log(&app, &operator.name, "session.end", &with_outcome(json!({}), DONE)).await?;
    app.store().end_session(&operator.digest).await?;
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, Cookie::Operator.forget(&app))]))
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
    operator: OperatorSession,
    Query(page): Query<Page>,
) -> Result<Json<Acts>, ApiProblem> {
    let act = Act::read("acts", json!({ "after": page.after }));
    let work = {
        let app = app.clone();
        async move {
            let acts = app.store().acts(page.after, page.limit()).await?;
            let next = page.next(acts.len(), acts.last().map(|act| act.place));
            Ok(Json(Acts { acts, next }))
        }
    };
    perform(&app, &operator, act, work).await
}

/// Drains this process. It stops being ready and accepts no new sockets and tables. After `drain_seconds`, in which
/// load balancers can notice, it shuts down. Its tables continue in other processes, or after the next start.
#[utoipa::path(post, path = "/api/operator/drain", tag = "operator", responses((status = 202), Problems))]
pub(super) async fn drain(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
) -> Result<StatusCode, ApiProblem> {
    let work = {
        let app = app.clone();
        async move {
            app.drain();
            Ok(StatusCode::ACCEPTED)
        }
    };
    perform(&app, &operator, Act::change(Permission::Administer, "drain", json!({})), work).await
}
