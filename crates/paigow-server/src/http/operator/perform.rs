//! The one path of every operator's request: permission, log, work, outcome.

use crate::app::App;
use crate::http::auth::OperatorSession;
use crate::http::{ApiProblem, run_to_completion};
use crate::people::{NewAct, OperatorAct, People, Permission};
use axum::http::StatusCode;
use paigow_table::PlayerId;
use serde_json::{Value, json};
use std::pin::Pin;
use std::sync::Arc;

/// Outcome of an act that succeeded.
pub(super) const DONE: &str = "done";

/// What an operator does, and the permission it needs.
pub(in crate::http) struct Act {
    permission: Permission,
    what: &'static str,
    detail: Value,
    logged: Logged,
}

/// Which entries of the log an act has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Logged {
    /// One before it is executed, and one with the outcome.
    BeforeAndAfter,
    /// One with the outcome.
    After,
    /// One if it is refused.
    Refusal,
}

impl Act {
    /// An act that changes something. The log has it before it is executed, and its outcome in a second entry.
    pub(in crate::http) fn change(permission: Permission, what: &'static str, detail: Value) -> Act {
        Act { permission, what, detail, logged: Logged::BeforeAndAfter }
    }

    /// A read. The log has it with its outcome in one entry.
    pub(in crate::http) fn read(what: &'static str, detail: Value) -> Act {
        Act { permission: Permission::Read, what, detail, logged: Logged::After }
    }

    /// A read that the console repeats every few seconds, without balances or transfers. The log has only refusals.
    pub(in crate::http) fn poll(what: &'static str) -> Act {
        Act { permission: Permission::Read, what, detail: json!({}), logged: Logged::Refusal }
    }
}

/// Checks the permission of an operator, logs the act, executes it and logs the outcome.
pub(in crate::http) fn perform<T: Send + 'static>(
    app: &Arc<App>,
    operator: &OperatorSession,
    act: Act,
    work: impl Future<Output = Result<T, ApiProblem>> + Send + 'static,
) -> impl Future<Output = Result<T, ApiProblem>> + Send {
    perform_as(app, operator, act, |_| DONE, work)
}

/// Like [`perform`], with the outcome that a result has in the log.
pub(super) fn perform_as<T: Send + 'static>(
    app: &Arc<App>,
    operator: &OperatorSession,
    act: Act,
    outcome: fn(&T) -> &'static str,
    work: impl Future<Output = Result<T, ApiProblem>> + Send + 'static,
) -> impl Future<Output = Result<T, ApiProblem>> + Send {
    // Work at tables has a large future, which every caller would contain.
    execute(app, operator, act, outcome, Box::pin(work))
}

async fn execute<T: Send + 'static>(
    app: &Arc<App>,
    operator: &OperatorSession,
    act: Act,
    outcome: fn(&T) -> &'static str,
    work: Pin<Box<impl Future<Output = Result<T, ApiProblem>> + Send + 'static>>,
) -> Result<T, ApiProblem> {
    let Act { permission, what, detail, logged } = act;
    let name = &operator.name;
    if !operator.role.may(permission) {
        let problem = not_allowed(operator, permission);
        let entry = with_outcome(detail, &problem.code);
        // A detail that is too long for the log must not hide the refusal.
        if NewAct::new(name.clone(), what, &entry).is_err() {
            log(app, name, what, &with_outcome(json!({}), &problem.code)).await?;
        } else {
            log(app, name, what, &entry).await?;
        }
        return Err(problem);
    }
    if logged != Logged::BeforeAndAfter {
        let done = work.await;
        if logged == Logged::Refusal {
            return done;
        }
        let outcome = done.as_ref().map_or_else(|problem| problem.code.as_str(), outcome);
        log(app, name, what, &with_outcome(detail, outcome)).await?;
        return done;
    }
    let place = log(app, name, what, &detail).await?.place;
    let (app, name) = (app.clone(), name.clone());
    // A client that disconnects must not leave an act without its outcome.
    run_to_completion(async move {
        let done = work.await;
        let outcome = done.as_ref().map_or_else(|problem| problem.code.as_str(), outcome);
        // The act is executed: a failing log must not make it look refused.
        if let Err(problem) = log(&app, &name, "outcome", &json!({ "of": place, "outcome": outcome })).await {
            tracing::error!(operator = %name, what, place, outcome, code = problem.code, "the outcome of an act was not logged");
        }
        done
    })
    .await
}

/// Problem of an operator without a permission.
fn not_allowed(operator: &OperatorSession, permission: Permission) -> ApiProblem {
    let text = |value: Value| value.as_str().unwrap_or_default().to_owned();
    let (role, permission) = (text(json!(operator.role)), text(json!(permission)));
    let detail = format!("the role {role} does not have the permission `{permission}`: ask an admin");
    ApiProblem::new(StatusCode::FORBIDDEN, "not_allowed", detail)
}

/// Adds the outcome to the detail of an entry.
pub(super) fn with_outcome(mut detail: Value, outcome: &str) -> Value {
    if let Some(fields) = detail.as_object_mut() {
        fields.insert("outcome".to_owned(), outcome.into());
    }
    detail
}

/// Appends to the operators' log. The entry is durable when this returns.
pub(super) async fn log(
    app: &App,
    operator: &PlayerId,
    what: &str,
    detail: &Value,
) -> Result<OperatorAct, ApiProblem> {
    let act = NewAct::new(operator.clone(), what, detail).map_err(|faults| {
        let messages: Vec<String> = faults.iter().map(ToString::to_string).collect();
        ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_act", messages.join("; "))
    })?;
    let act = app.store().log_act(act, app.now()).await?;
    tracing::info!(%operator, what, "operator act");
    Ok(act)
}
