//! Endpoints of questions, which the command line answers too.
//!
//! The rule books are the built-in ones and those of the operator's folder, read at startup. No question can name a
//! file.

pub(super) mod best;
pub(super) mod books;
pub(super) mod house_way;
pub(super) mod house_ways;
pub(super) mod lab;
pub(super) mod odds;
mod queue;
pub(super) mod rules;
pub(super) mod set;
pub(super) mod settle;
pub(super) mod verify;

pub(crate) use queue::Queue;

pub(super) use super::guard::Client;
use super::problem::{ApiFault, ApiProblem};
use crate::app::App;
use axum::body::Bytes;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use paigow_answers::{Faults, Work};
use queue::Effort;
use serde::Serialize;
use std::fmt::Debug;
use std::sync::Arc;

/// An answer as JSON, which several requests may share.
pub(super) struct Answer(Bytes);

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}

/// Queues a question and waits for its answer.
///
/// Questions of the same kind with equal debug output share one answer, because the debug output has every field.
async fn answer<Q, T>(
    app: Arc<App>,
    Client(client): Client,
    kind: &'static str,
    question: Q,
    work: impl Fn(&Q, &App, &Work) -> Result<T, Faults> + Send + Sync + 'static,
) -> Result<Answer, ApiProblem>
where
    Q: Debug + Send + Sync + 'static,
    T: Serialize,
{
    let text = format!("{kind} {question:?}");
    let queue = app.questions.clone();
    let job = {
        let app = app.clone();
        move |effort, cancel: &paigow_answers::CancelFlag| {
            let limited = app.work.with_cancel(cancel.clone());
            let limited = if effort == Effort::Short { limited.cached_only() } else { limited };
            let answer = work(&question, &app, &limited)?;
            let json = serde_json::to_vec(&answer).map_err(|_| ApiProblem::our_mistake())?;
            Ok(Bytes::from(json))
        }
    };
    let outcome = queue.ask(client, text, Arc::new(job)).await;
    if let Err(problem) = &outcome
        && matches!(problem.code.as_str(), "busy" | "too_many_questions")
    {
        app.metrics.limited("questions");
    }
    outcome.map(Answer)
}

impl From<Faults> for ApiProblem {
    fn from(faults: Faults) -> ApiProblem {
        let detail = faults.to_string();
        let fault = |fault: paigow_answers::Fault| ApiFault {
            code: fault.code.to_owned(),
            at: fault.at,
            message: fault.help.map_or(fault.message.clone(), |help| format!("{}; {help}", fault.message)),
        };
        let not_found = faults.faults.iter().all(|fault| fault.code == "not_found");
        let status = if not_found { StatusCode::NOT_FOUND } else { StatusCode::UNPROCESSABLE_ENTITY };
        let code = faults.faults.first().map_or("bad_question", |fault| fault.code);
        ApiProblem {
            faults: faults.faults.into_iter().map(fault).collect(),
            ..ApiProblem::new(status, code, detail)
        }
    }
}
