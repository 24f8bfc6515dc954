//! `GET /api/books/{book}`: the rules of a book in plain language.

use super::super::input::Path;
use super::{Answer, Client, answer};
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::extract::State;
use paigow_answers::rules::{self, RulesAnswer, RulesQuestion};
use std::sync::Arc;

/// Returns the rules of a book in plain language, each with its citation.
#[utoipa::path(get, path = "/api/books/{book}", tag = "questions", params(("book" = String, Path)),
    responses((status = 200, body = RulesAnswer), Problems))]
pub(in crate::http) async fn rules(
    State(app): State<Arc<App>>,
    client: Client,
    Path(book): Path<String>,
) -> Result<Answer, ApiProblem> {
    let question = RulesQuestion { book, ..RulesQuestion::default() };
    answer(app, client, "rules", question, |question, app, _| rules::answer(question, &app.books)).await
}
