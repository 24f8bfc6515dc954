//! Endpoints of operators. Every act is written to the operators' log.

pub(super) mod acts;
pub(super) mod balance;
pub(super) mod begin;
pub(super) mod chips;
pub(super) mod command;
pub(super) mod drain;
pub(super) mod end;
pub(super) mod journal;
pub(super) mod notices;
pub(super) mod open;
pub(super) mod rounds;
pub(super) mod secret;

use super::ApiProblem;
use super::auth::Operator;
use crate::app::App;
use crate::people::{NewAct, People};
use serde_json::Value;

/// Writes an act to the operators' log. The entry is durable before the act is executed.
async fn log_act(app: &App, operator: &Operator, what: &str, detail: &Value) -> Result<(), ApiProblem> {
    let act = NewAct::new(operator.name.clone(), what, detail).map_err(|faults| {
        let messages: Vec<String> = faults.iter().map(ToString::to_string).collect();
        ApiProblem::new(axum::http::StatusCode::UNPROCESSABLE_ENTITY, "bad_act", messages.join("; "))
    })?;
    app.store().log_act(act, app.now()).await?;
    tracing::info!(operator = %operator.name, what, "operator act");
    Ok(())
}
