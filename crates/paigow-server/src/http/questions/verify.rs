//! `GET /api/verify`: compares the published figures with the exact ones.

use super::super::input::Query;
use super::{Answer, Client, answer};
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::extract::State;
use paigow_answers::verify::{self, VerifyAnswer, VerifyQuestion};
use std::sync::Arc;

/// Compares every figure printed in the documents with the exact one. The first request takes as long as the counts
/// that it needs.
#[utoipa::path(get, path = "/api/verify", tag = "questions",
    params(("source" = Option<String>, Query, description = "Key of one document. Default: all documents")),
    responses((status = 200, body = VerifyAnswer), Problems))]
pub(in crate::http) async fn verify(
    State(app): State<Arc<App>>,
    client: Client,
    Query(question): Query<VerifyQuestion>,
) -> Result<Answer, ApiProblem> {
    answer(app, client, "verify", question, |question, _, work| verify::answer(question, work)).await
}
