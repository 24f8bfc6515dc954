//! `POST /api/settle`: settles a round.

use super::super::input::Body;
use super::{Answer, Client, answer};
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::extract::State;
use paigow_answers::settle::{self, SettleAnswer, SettleQuestion};
use std::sync::Arc;

/// Settles a round line by line, each line with its reason and its rule.
#[utoipa::path(post, path = "/api/settle", tag = "questions", request_body = SettleQuestion,
    responses((status = 200, body = SettleAnswer), Problems))]
pub(in crate::http) async fn settle(
    State(app): State<Arc<App>>,
    client: Client,
    Body(question): Body<SettleQuestion>,
) -> Result<Answer, ApiProblem> {
    answer(app, client, "settle", question, |question, app, _| settle::answer(question, &app.books)).await
}
