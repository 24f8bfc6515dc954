//! Whether the process lives, whether it should be sent anybody, what it has counted, and what it can be asked.

use super::Problem;
use crate::app::App;
use crate::{AnyStore, DamagedTable, Store};
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use utoipa::ToSchema;

/// How long the store may take to answer before we are not ready.
const STORE_SECONDS: u64 = 2;

/// How the process is.
#[derive(Serialize, ToSchema)]
pub(super) struct Health {
    /// `ok`.
    status: &'static str,
    /// Version of the program.
    version: &'static str,
    /// Commit it was built from; `unknown` outside git.
    commit: &'static str,
}

/// How ready the process is.
#[derive(Serialize, ToSchema)]
pub(super) struct Readiness {
    #[serde(flatten)]
    health: Health,
    /// Tables that are closed to play because their records are damaged; the others go on.
    damaged_tables: Vec<DamagedTable>,
}

const OK: Health = Health { status: "ok", version: crate::VERSION, commit: crate::COMMIT };

/// The process lives.
#[utoipa::path(get, path = "/healthz", tag = "process", responses((status = 200, body = Health)))]
pub(super) async fn alive() -> Json<Health> {
    Json(OK)
}

/// The process can serve: its store answers and it is not being drained. Damaged tables are named.
#[utoipa::path(get, path = "/readyz", tag = "process",
    responses((status = 200, body = Readiness), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn ready(State(app): State<Arc<App>>) -> Result<Json<Readiness>, Problem> {
    if app.is_draining() {
        return Err(Problem {
            code: "draining".to_owned(),
            ..Problem::unavailable("the process is being drained")
        });
    }
    match timeout(Duration::from_secs(STORE_SECONDS), app.store().balances(&[])).await {
        Ok(Ok(_)) => Ok(Json(Readiness { health: OK, damaged_tables: app.tables.damaged_tables() })),
        Ok(Err(error)) => Err(error.into()),
        Err(_) => Err(Problem::unavailable("the store does not answer in time")),
    }
}

/// What has been counted, for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "process",
    responses((status = 200, body = String, content_type = "application/openmetrics-text")))]
pub(super) async fn metrics(State(app): State<Arc<App>>) -> impl IntoResponse {
    app.metrics.tables.set(i64::try_from(app.tables.in_memory()).unwrap_or(i64::MAX));
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
