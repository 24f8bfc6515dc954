//! `GET /api/house-ways`: the house ways.

use super::{Answer, Client, answer};
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::extract::State;
use paigow_answers::house_ways::{self, HouseWayList};
use std::sync::Arc;

/// Lists the built-in house ways and the books that use them.
#[utoipa::path(get, path = "/api/house-ways", tag = "questions",
    responses((status = 200, body = HouseWayList), Problems))]
pub(in crate::http) async fn house_ways(
    State(app): State<Arc<App>>,
    client: Client,
) -> Result<Answer, ApiProblem> {
    answer(app, client, "house-ways", (), |(), _, _| house_ways::list()).await
}
