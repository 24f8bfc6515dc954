//! `POST /api/odds`: exact odds.

use super::super::input::Body;
use super::answer;
use crate::app::App;
use crate::http::{Problem, Problems};
use axum::Json;
use axum::extract::State;
use paigow_answers::odds::{self, Odds, OddsQuestion};
use std::sync::Arc;

/// The exact odds of the base game and the side wagers; with rows in the question, those of a paytable that is being edited.
#[utoipa::path(post, path = "/api/odds", tag = "questions", request_body = OddsQuestion,
    responses((status = 200, body = Odds), Problems))]
pub(in crate::http) async fn odds(
    State(app): State<Arc<App>>,
    Body(question): Body<OddsQuestion>,
) -> Result<Json<Odds>, Problem> {
    answer(app, move |app| odds::answer(&question, &app.books, &app.work)).await
}
