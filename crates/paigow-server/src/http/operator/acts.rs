//! `GET /api/operator/acts`: the operators' log.

use super::super::auth::Operator;
use super::super::input::Query;
use super::super::page::Page;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use crate::people::{OperatorAct, People};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A page of the operators' log.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Acts {
    acts: Vec<OperatorAct>,
    /// `after` of the next page, or null on the last page.
    #[schema(required)]
    next: Option<u64>,
}

/// Lists the operators' log, the oldest entry first.
#[utoipa::path(get, path = "/api/operator/acts", tag = "operator", params(Page),
    responses((status = 200, body = Acts), Problems))]
pub(in crate::http) async fn acts(
    State(app): State<Arc<App>>,
    _: Operator,
    Query(page): Query<Page>,
) -> Result<Json<Acts>, ApiProblem> {
    let acts = app.store().acts(page.after, page.limit()).await?;
    let next = page.next(acts.len(), acts.last().map(|act| act.place));
    Ok(Json(Acts { acts, next }))
}
