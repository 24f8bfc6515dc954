//! Liveness, readiness, metrics and the API document.

use super::{ApiFault, ApiProblem};
use crate::AnyStore;
use crate::app::App;
use crate::operations::money::TableStakes;
use crate::operations::readiness::{self, ReadinessCheck};
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use paigow_table::TableId;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use utoipa::ToSchema;

/// Status and version of the process.
#[derive(Serialize, ToSchema)]
pub(super) struct Health {
    /// `ok`.
    status: &'static str,
    /// Version of the program.
    version: &'static str,
    /// Commit that the program was built from, or `unknown` if it was built outside git.
    commit: &'static str,
}

const OK: Health = Health { status: "ok", version: crate::VERSION, commit: crate::COMMIT };

/// Liveness of the process.
#[utoipa::path(get, path = "/healthz", tag = "process", responses((status = 200, body = Health)))]
pub(super) async fn alive() -> Json<Health> {
    Json(OK)
}

/// Maximum number of damaged tables in the response.
const DAMAGED_MAX: usize = 100;

/// Readiness of the process.
#[derive(Serialize, ToSchema)]
pub(super) struct Ready {
    /// `ok`.
    status: &'static str,
    /// Version of the program.
    version: &'static str,
    /// Commit that the program was built from, or `unknown` if it was built outside git.
    commit: &'static str,
    /// Checks, all of which passed.
    checks: Vec<ReadinessCheck>,
    /// Tables that are closed to play because their records are damaged, at most 100. The log describes the damage.
    /// Other tables are not affected.
    damaged_tables: Vec<TableId>,
}

/// Readiness of the process. It is ready if its store accepts a write, no table waits to be reloaded, and the process
/// is not draining. If it is not ready, `faults` lists every failed check with its name as `at` and the reason as
/// `code`.
#[utoipa::path(get, path = "/readyz", tag = "process",
    responses((status = 200, body = Ready), (status = 503, body = ApiProblem, content_type = "application/problem+json")))]
pub(super) async fn ready(State(app): State<Arc<App>>) -> Result<Json<Ready>, ApiProblem> {
    let checks = readiness::checks(&app).await;
    let faults: Vec<ApiFault> = checks.iter().filter(|check| !check.ok).map(ApiFault::from).collect();
    let Some(first) = faults.first() else {
        let Health { status, version, commit } = OK;
        let damaged = app.tables.damaged_tables().into_iter().map(|damaged| damaged.table);
        let damaged_tables = damaged.take(DAMAGED_MAX).collect();
        return Ok(Json(Ready { status, version, commit, checks, damaged_tables }));
    };
    let code = if app.is_draining() { "draining" } else { "unavailable" };
    let detail = first.message.clone();
    Err(ApiProblem { code: code.to_owned(), faults, ..ApiProblem::unavailable(detail) })
}

impl From<&ReadinessCheck> for ApiFault {
    fn from(check: &ReadinessCheck) -> ApiFault {
        let ReadinessCheck { name, code, detail, .. } = check.clone();
        let code = code.unwrap_or_else(|| name.clone());
        ApiFault { code, at: Some(name), message: detail.unwrap_or_default() }
    }
}

/// Maximum time to wait for tables that a command has locked. After it, money at stake keeps its last values: the
/// metrics are needed most while the store hangs.
const STAKES_TIMEOUT: Duration = Duration::from_secs(1);

/// Metrics for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "process",
    responses((status = 200, body = String, content_type = "application/openmetrics-text")))]
pub(super) async fn metrics(State(app): State<Arc<App>>) -> impl IntoResponse {
    let stakes = timeout(STAKES_TIMEOUT, app.tables.map_open(|table, _| TableStakes::of(table))).await;
    let _reading = app.metrics.reading.lock().await;
    if let Ok(stakes) = stakes {
        app.metrics.stakes.set(stakes);
    }
    app.metrics.tables.set(i64::try_from(app.tables.loaded_count()).unwrap_or(i64::MAX));
    let damaged = app.tables.damaged_tables().len();
    app.metrics.damaged_tables.set(i64::try_from(damaged).unwrap_or(i64::MAX));
    let (batches, commits) = match app.store() {
        AnyStore::Sqlite(store) => store.commits(),
        AnyStore::Postgres(store) => store.commits(),
    };
    app.metrics.batches.set(batches.cast_signed());
    app.metrics.commits.set(commits.cast_signed());
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], app.metrics.text())
}

/// This document.
#[utoipa::path(get, path = "/api/openapi.json", tag = "process", responses((status = 200, body = Object)))]
pub(super) async fn document() -> Json<utoipa::openapi::OpenApi> {
    Json(super::openapi())
}
