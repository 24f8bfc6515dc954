//! `GET /api/session/journal`: every movement of my money.

use super::super::input::Query;
use super::super::page::Page;
use super::super::who::PlayerSession;
use super::purse;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use crate::{JournalRow, Movement, Store};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Movements of money in the order they were written.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Journal {
    transfers: Vec<Movement>,
    /// Where the next page begins, if there is more.
    #[schema(required)]
    next: Option<u64>,
}

impl Journal {
    pub(in crate::http) fn of(rows: &[JournalRow], page: &Page) -> Journal {
        let next = page.next(rows.len(), rows.last().map(|row| row.place));
        Journal { transfers: rows.iter().map(Movement::of).collect(), next }
    }
}

/// Every movement of my money.
#[utoipa::path(get, path = "/api/session/journal", tag = "session", params(Page),
    responses((status = 200, body = Journal), Problems))]
pub(in crate::http) async fn journal(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Query(page): Query<Page>,
) -> Result<Json<Journal>, ApiProblem> {
    let rows = app.store().journal(Some(&purse(&player.id)), page.after, page.limit()).await?;
    Ok(Json(Journal::of(&rows, &page)))
}
