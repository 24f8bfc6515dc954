//! The house's side: everything an operator can do, all of it written down.

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
use super::who::Operator;
use crate::app::App;
use crate::people::{NewAct, People};
use serde_json::Value;

/// Writes down what an operator is about to do. It is on the disk before it is done.
async fn note(app: &App, operator: &Operator, what: &str, detail: &Value) -> Result<(), ApiProblem> {
    let act = NewAct::new(operator.name.clone(), what, detail).map_err(|faults| {
        let said: Vec<String> = faults.iter().map(ToString::to_string).collect();
        ApiProblem::new(axum::http::StatusCode::UNPROCESSABLE_ENTITY, "bad_act", said.join("; "))
    })?;
    app.store().log_act(act, app.now()).await?;
    tracing::info!(operator = %operator.name, what, "an operator acts");
    Ok(())
}
