//! `POST /api/odds`: exact odds.

use super::super::input::Body;
use super::{Answer, Client, answer};
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::extract::State;
use paigow_answers::odds::{self, OddsAnswer, OddsQuestion};
use std::sync::Arc;

/// Computes the exact odds of the base game and the side wagers. With rows in the question, computes the odds of an
/// edited paytable.
#[utoipa::path(post, path = "/api/odds", tag = "questions", request_body = OddsQuestion,
    responses((status = 200, body = OddsAnswer), Problems))]
pub(in crate::http) async fn odds(
    State(app): State<Arc<App>>,
    client: Client,
    Body(question): Body<OddsQuestion>,
) -> Result<Answer, ApiProblem> {
    answer(app, client, "odds", question, |question, app, work| odds::answer(question, &app.books, work))
        .await
}
