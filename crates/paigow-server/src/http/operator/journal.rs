//! `GET /api/operator/journal`: all transfers.

use super::super::auth::Operator;
use super::super::input::Query;
use super::super::page::Page;
use super::super::session::journal::Journal;
use crate::Store;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::Json;
use axum::extract::State;
use std::sync::Arc;

/// Lists all transfers in the order of the journal.
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
