//! `POST /api/set`: sets a hand by a house way.

use super::super::input::Body;
use super::{Answer, Client, answer};
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::extract::State;
use paigow_answers::set::{self, SetAnswer, SetQuestion};
use std::sync::Arc;

/// Sets a hand by a house way and returns the clause that decided.
#[utoipa::path(post, path = "/api/set", tag = "questions", request_body = SetQuestion,
    responses((status = 200, body = SetAnswer), Problems))]
pub(in crate::http) async fn set(
    State(app): State<Arc<App>>,
    client: Client,
    Body(question): Body<SetQuestion>,
) -> Result<Answer, ApiProblem> {
    answer(app, client, "set", question, |question, app, _| set::answer(question, &app.books)).await
}
