//! `POST /api/lab`: all that can be said of a hand.

use super::super::input::Body;
use super::answer;
use crate::app::App;
use crate::http::{Problem, Problems};
use axum::Json;
use axum::extract::State;
use paigow_answers::lab::{self, Lab, LabQuestion};
use std::sync::Arc;

/// All that can be said of a hand: settings, house ways, classes, what every paytable pays.
#[utoipa::path(post, path = "/api/lab", tag = "questions", request_body = LabQuestion,
    responses((status = 200, body = Lab), Problems))]
pub(in crate::http) async fn lab(
    State(app): State<Arc<App>>,
    Body(question): Body<LabQuestion>,
) -> Result<Json<Lab>, Problem> {
    answer(app, move |app| lab::answer(&question, &app.books)).await
}
