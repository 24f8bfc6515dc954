//! `GET /api/books/{book}`: a book's rules in plain words.

use super::super::input::Path;
use super::answer;
use crate::app::App;
use crate::http::{Problem, Problems};
use axum::Json;
use axum::extract::State;
use paigow_answers::rules::{self, Rules, RulesQuestion};
use std::sync::Arc;

/// A book's rules in plain words, each with its citation.
#[utoipa::path(get, path = "/api/books/{book}", tag = "questions", params(("book" = String, Path)),
    responses((status = 200, body = Rules), Problems))]
pub(in crate::http) async fn rules(
    State(app): State<Arc<App>>,
    Path(book): Path<String>,
) -> Result<Json<Rules>, Problem> {
    let question = RulesQuestion { book, ..RulesQuestion::default() };
    answer(app, move |app| rules::answer(&question, &app.books)).await
}
