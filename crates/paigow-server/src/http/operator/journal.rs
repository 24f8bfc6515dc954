//! `GET /api/operator/journal`: every movement of money.

use super::super::input::Query;
use super::super::page::Page;
use super::super::session::journal::Journal;
use super::super::who::Operator;
use crate::Store;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::Json;
use axum::extract::State;
use std::sync::Arc;

/// Every movement of money, in the order they were written.
#[utoipa::path(get, path = "/api/operator/journal", tag = "operator", params(Page),
    responses((status = 200, body = Journal), Problems))]
pub(in crate::http) async fn journal(
    State(app): State<Arc<App>>,
    _: Operator,
    Query(page): Query<Page>,
) -> Result<Json<Journal>, ApiProblem> {
    let rows = app.store().journal(None, page.after, page.limit()).await?;
    Ok(Json(Journal::of(&rows, &page)))
}
