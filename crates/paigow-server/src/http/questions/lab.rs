//! `POST /api/lab`: a full analysis of a hand.

use super::super::input::Body;
use super::{Answer, Client, answer};
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::extract::State;
use paigow_answers::lab::{self, LabAnswer, LabQuestion};
use std::sync::Arc;

/// Analyses a hand: its settings, the house ways, its classes, and what every paytable pays.
#[utoipa::path(post, path = "/api/lab", tag = "questions", request_body = LabQuestion,
    responses((status = 200, body = LabAnswer), Problems))]
pub(in crate::http) async fn lab(
    State(app): State<Arc<App>>,
    client: Client,
    Body(question): Body<LabQuestion>,
) -> Result<Answer, ApiProblem> {
    answer(app, client, "lab", question, |question, app, _| lab::answer(question, &app.books)).await
}
