//! Audits of the store that operators run while the server serves tables.

use super::perform::{Act, perform};
use crate::app::App;
use crate::http::auth::OperatorSession;
use crate::http::{ApiProblem, Problems};
use crate::people::Permission;
use crate::{AuditOptions, AuditReport, RulesCache, StoreError, audit_with};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use paigow_table::{Commitment, Time};
use serde::Serialize;
use serde_json::json;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use utoipa::ToSchema;

/// State of audits in this process. One runs at a time, and the last result stays in memory.
#[derive(Default)]
pub(crate) struct Audits(Mutex<AuditStatus>);

/// Audit that runs, and the last one that ended.
#[derive(Clone, Default, Serialize, ToSchema)]
pub(in crate::http) struct AuditStatus {
    /// Whether an audit is running.
    running: bool,
    /// Last audit that ended, or null.
    #[schema(required)]
    last: Option<EndedAudit>,
}

/// Result of an audit.
#[derive(Clone, Serialize, ToSchema)]
pub(in crate::http) struct EndedAudit {
    /// Time at which the audit began.
    at: Time,
    /// Duration in milliseconds.
    took_ms: u64,
    /// Number of tables.
    tables: u64,
    /// Number of events.
    events: u64,
    /// Number of transfers.
    transfers: u64,
    /// Faults in the store. None: the store is in order.
    findings: Vec<AuditFinding>,
    /// Last entry of every hash chain, to be kept outside the store.
    heads: Vec<AuditHead>,
}

/// A fault in the store.
#[derive(Clone, Serialize, ToSchema)]
pub(in crate::http) struct AuditFinding {
    /// Stable code for programs.
    code: String,
    /// Location of the fault.
    at: String,
    /// Description for people.
    message: String,
}

/// Last entry of a hash chain.
#[derive(Clone, Serialize, ToSchema)]
pub(in crate::http) struct AuditHead {
    /// Table, `operators` for the operators' log, or `house` for the house log.
    chain: String,
    /// Number of entries.
    seq: u64,
    /// Hash of the last entry.
    hash: String,
}

impl Audits {
    fn status(&self) -> MutexGuard<'_, AuditStatus> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks an audit as running. Returns `false` if one is running already.
    fn begin(&self) -> bool {
        !std::mem::replace(&mut self.status().running, true)
    }

    fn end(&self, ended: EndedAudit) {
        *self.status() = AuditStatus { running: false, last: Some(ended) };
    }
}

/// Returns the state of audits in this process.
#[utoipa::path(get, path = "/api/operator/audits", tag = "operator",
    responses((status = 200, body = AuditStatus), Problems))]
pub(in crate::http) async fn show(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
) -> Result<Json<AuditStatus>, ApiProblem> {
    let status = app.audits.status().clone();
    perform(&app, &operator, Act::poll("audits"), async move { Ok(Json(status)) }).await
}

/// Begins an audit of the store in the background, unless one is running.
#[utoipa::path(post, path = "/api/operator/audits", tag = "operator",
    responses((status = 202, body = AuditStatus), Problems))]
pub(in crate::http) async fn begin(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
) -> Result<(StatusCode, Json<AuditStatus>), ApiProblem> {
    let work = {
        let app = app.clone();
        async move {
            if app.audits.begin() {
                tokio::spawn(run(app.clone()));
            }
            Ok((StatusCode::ACCEPTED, Json(app.audits.status().clone())))
        }
    };
    perform(&app, &operator, Act::change(Permission::Read, "audit", json!({})), work).await
}

async fn run(app: Arc<App>) {
    let (at, start) = (app.now(), Instant::now());
    let stopped = app.stop.clone();
    let audited = async {
        let keys = Some(app.tables.keys().clone());
        let options = AuditOptions { keys, ..AuditOptions::default() };
        audit_with(app.store(), RulesCache::new(app.books.clone()), options).await
    };
    let audited = tokio::select! {
        audited = audited => audited,
        // A graceful shutdown does not wait for an audit.
        () = stopped.cancelled() => return,
    };
    app.audits.end(ended(at, start, audited));
}

fn ended(at: Time, start: Instant, audited: Result<AuditReport, StoreError>) -> EndedAudit {
    let took_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    let (report, failure) = match audited {
        Ok(report) => (report, None),
        Err(error) => {
            // The error may contain files and hosts, so it goes to the log only.
            tracing::error!(%error, "the audit failed");
            let message = "the store was not available; the log has the reason".to_owned();
            let failure =
                AuditFinding { code: "unavailable".to_owned(), at: "the store".to_owned(), message };
            (AuditReport::default(), Some(failure))
        }
    };
    let findings = report.findings.iter().map(|finding| AuditFinding {
        code: finding.code.to_owned(),
        at: finding.place.clone(),
        message: finding.says.clone(),
    });
    let findings = failure.into_iter().chain(findings).collect();
    let tables = report.heads.iter().map(|head| AuditHead {
        chain: head.table.to_string(),
        seq: head.seq,
        hash: head.hash.clone(),
    });
    let operators = report.operator_log_hash.clone().map(|hash| AuditHead {
        chain: "operators".to_owned(),
        seq: report.operator_acts,
        hash,
    });
    let house = report.house_log.map(|head| AuditHead {
        chain: "house".to_owned(),
        seq: head.seq,
        hash: String::from(Commitment(head.hash.0)),
    });
    let heads = tables.chain(operators).chain(house).collect();
    let AuditReport { tables, events, transfers, .. } = report;
    EndedAudit { at, took_ms, tables, events, transfers, findings, heads }
}
