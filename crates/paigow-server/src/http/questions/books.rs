//! `GET /api/books`: the rule books.

use super::{Answer, Client, answer};
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::extract::State;
use paigow_answers::books::{self, BooksAnswer};
use std::sync::Arc;

/// Lists the rule books, the built-in ones first: their wagers with paytables, and the number of assumed values.
#[utoipa::path(get, path = "/api/books", tag = "questions", responses((status = 200, body = BooksAnswer), Problems))]
pub(in crate::http) async fn books(
    State(app): State<Arc<App>>,
    client: Client,
) -> Result<Answer, ApiProblem> {
    answer(app, client, "books", (), |(), app, _| books::answer_from(&app.books)).await
}
