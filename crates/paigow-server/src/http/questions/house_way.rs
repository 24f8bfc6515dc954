//! `GET /api/house-ways/{house_way}`: the clauses of a house way in plain language.

use super::super::input::Path;
use super::{Answer, Client, answer};
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::extract::State;
use paigow_answers::house_ways::{self, HouseWayText};
use std::sync::Arc;

/// Returns the clauses of a house way in plain language, each with its citation.
#[utoipa::path(get, path = "/api/house-ways/{house_way}", tag = "questions", params(("house_way" = String, Path)),
    responses((status = 200, body = HouseWayText), Problems))]
pub(in crate::http) async fn house_way(
    State(app): State<Arc<App>>,
    client: Client,
    Path(name): Path<String>,
) -> Result<Answer, ApiProblem> {
    answer(app, client, "house-way", name, |name, app, _| house_ways::answer(name, &app.books)).await
}
