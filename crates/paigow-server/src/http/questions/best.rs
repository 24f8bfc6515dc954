//! `POST /api/best`: ranks every setting of a hand.

use super::super::input::Body;
use super::{Answer, Client, answer};
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::extract::State;
use paigow_answers::best::{self, BestAnswer, BestQuestion};
use std::sync::Arc;

/// Evaluates every legal setting of a hand exactly, against every hand that the dealer may have.
#[utoipa::path(post, path = "/api/best", tag = "questions", request_body = BestQuestion,
    responses((status = 200, body = BestAnswer), Problems))]
pub(in crate::http) async fn best(
    State(app): State<Arc<App>>,
    client: Client,
    Body(question): Body<BestQuestion>,
) -> Result<Answer, ApiProblem> {
    answer(app, client, "best", question, |question, app, _| best::answer(question, &app.books)).await
}
