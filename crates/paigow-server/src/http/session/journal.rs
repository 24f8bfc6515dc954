//! `GET /api/session/journal`: the transfers of the player.

use super::super::auth::PlayerSession;
use super::super::input::Query;
use super::super::page::Page;
use super::purse;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use crate::{JournalRow, Movement, Store};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A page of transfers, in the order of the journal.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Journal {
    transfers: Vec<Movement>,
    /// `after` of the next page, or null on the last page.
    #[schema(required)]
    next: Option<u64>,
}

impl Journal {
    pub(in crate::http) fn of(rows: &[JournalRow], page: &Page) -> Journal {
        let next = page.next(rows.len(), rows.last().map(|row| row.place));
        Journal { transfers: rows.iter().map(Movement::of).collect(), next }
    }
}

/// Lists the transfers of the player's practice chips.
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
