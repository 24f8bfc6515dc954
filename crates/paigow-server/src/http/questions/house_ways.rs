//! `GET /api/house-ways`: the house ways.

use super::answer;
use crate::app::App;
use crate::http::{Problem, Problems};
use axum::Json;
use axum::extract::State;
use paigow_answers::house_ways::{self, HouseWayList};
use std::sync::Arc;

/// The house ways that come with the program, and which books use them.
#[utoipa::path(get, path = "/api/house-ways", tag = "questions",
    responses((status = 200, body = HouseWayList), Problems))]
pub(in crate::http) async fn house_ways(State(app): State<Arc<App>>) -> Result<Json<HouseWayList>, Problem> {
    answer(app, |_| house_ways::list()).await
}
