//! `GET /api/verify`: every figure printed in the documents beside the exact one.

use super::super::input::Query;
use super::{Answer, Client, answer};
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::extract::State;
use paigow_answers::verify::{self, VerifyAnswer, VerifyQuestion};
use std::sync::Arc;

/// Every figure printed in the documents beside the exact one. The first time it takes as long as the counts it needs.
#[utoipa::path(get, path = "/api/verify", tag = "questions",
    params(("source" = Option<String>, Query, description = "The key of one document; all where nothing is said")),
    responses((status = 200, body = VerifyAnswer), Problems))]
pub(in crate::http) async fn verify(
    State(app): State<Arc<App>>,
    client: Client,
    Query(question): Query<VerifyQuestion>,
) -> Result<Answer, ApiProblem> {
    answer(app, client, "verify", question, |question, _, work| verify::answer(question, work)).await
}
