//! `GET /api/tables/{table}/rounds/{round}/receipt`: the signed receipt of a round.

use super::super::input::Path;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::Json;
use axum::extract::State;
use paigow_table::{Receipt, TableId};
use std::sync::Arc;

/// Returns the signed receipt of a round, which can be verified offline. The receipt of an open round has only the
/// commitments.
#[utoipa::path(get, path = "/api/tables/{table}/rounds/{round}/receipt", tag = "tables",
    params(("table" = String, Path), ("round" = u64, Path)), responses((status = 200, body = Receipt), Problems))]
pub(in crate::http) async fn receipt(
    State(app): State<Arc<App>>,
    Path((table, round)): Path<(TableId, u64)>,
) -> Result<Json<Receipt>, ApiProblem> {
    app.tables.ensure_loaded(&table).await?;
    let found = app.tables.table_at_round(&table, round).await?.ok_or_else(|| {
        ApiProblem::not_found("no_such_round", format!("table {table} has no round {round}"))
    })?;
    let payload = found.receipt_payload(app.tables.keys()).ok_or_else(|| {
        ApiProblem::not_found(
            "no_receipt",
            format!("round {round} has no receipt: a version without receipts opened it"),
        )
    })?;
    let receipt = Receipt::sign(&payload, app.tables.keys());
    receipt.map(Json).ok_or_else(|| ApiProblem::unavailable("the receipt could not be signed"))
}
