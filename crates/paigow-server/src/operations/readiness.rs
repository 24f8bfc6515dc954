//! Readiness of the process: the named checks of `/readyz`.
//!
//! A test write checks the store. One test write runs at a time, and its result is valid for a second. Health checks
//! therefore cost the store at most one small commit per second.

use crate::app::App;
use crate::{AnyStore, StoreError};
use rusqlite::ErrorCode;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};
use tokio_postgres::error::SqlState;
use utoipa::ToSchema;

/// Timeout of a test write, after which the process is not ready.
const WRITE_TIMEOUT: Duration = Duration::from_secs(2);
/// Time for which the result of a test write is valid.
const FRESH: Duration = Duration::from_secs(1);

/// Result of a readiness check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ReadinessCheck {
    /// Stable name of the check.
    pub name: String,
    /// Whether the check passed.
    pub ok: bool,
    /// Code of the failure, or of a remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Description of the failure or remark, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl ReadinessCheck {
    /// A check that passed.
    pub(crate) fn holds(name: &str) -> ReadinessCheck {
        ReadinessCheck { name: name.to_owned(), ok: true, code: None, detail: None }
    }

    /// A check that failed.
    pub(crate) fn fails(name: &str, code: &str, detail: impl Into<String>) -> ReadinessCheck {
        ReadinessCheck { ok: false, ..ReadinessCheck::remark(name, code, detail) }
    }

    /// A check that passed with a remark for the operator.
    pub(crate) fn remark(name: &str, code: &str, detail: impl Into<String>) -> ReadinessCheck {
        ReadinessCheck {
            code: Some(code.to_owned()),
            detail: Some(detail.into()),
            ..ReadinessCheck::holds(name)
        }
    }
}

/// Runs all checks and returns their results in a fixed order.
pub(crate) async fn checks(app: &App) -> Vec<ReadinessCheck> {
    let mut checks = vec![draining(app), store_write(app).await, app.tables.rollback().check(), clock(app)];
    checks.extend(app.tls.as_ref().map(|tls| tls.check(app.now())));
    checks
}

fn draining(app: &App) -> ReadinessCheck {
    if app.is_draining() {
        return ReadinessCheck::fails("draining", "draining", "the process is draining");
    }
    ReadinessCheck::holds("draining")
}

async fn store_write(app: &App) -> ReadinessCheck {
    match app.test_writes.result(app.store()).await {
        Ok(()) => ReadinessCheck::holds("store_write"),
        Err(Unwritable { code, detail }) => ReadinessCheck::fails("store_write", code, detail),
    }
}

/// A jump of the wall clock is a remark and no failure, because the server can continue.
fn clock(app: &App) -> ReadinessCheck {
    match app.tables.environment().jumped_ms() {
        None => ReadinessCheck::holds("clock"),
        Some(ms) => {
            let (seconds, side) = (ms.unsigned_abs() / 1_000, if ms > 0 { "ahead of" } else { "behind" });
            let detail = format!("the wall clock jumped and is {seconds} s {side} the server's time");
            ReadinessCheck::remark("clock", "clock_jumped", detail)
        }
    }
}

/// Reason of a failed test write. It has no names of files and hosts, which are only in the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Unwritable {
    code: &'static str,
    detail: &'static str,
}

const TIMEOUT: Unwritable =
    Unwritable { code: "store_timeout", detail: "the store did not commit a test write within 2 s" };

impl From<&StoreError> for Unwritable {
    fn from(error: &StoreError) -> Unwritable {
        let (code, detail) = match error {
            StoreError::Replaced { .. } => {
                ("store_replaced", "the database file was deleted or replaced; restart the server")
            }
            StoreError::Foreign | StoreError::Newer { .. } => {
                ("store_foreign", "the store is not of this program's version")
            }
            StoreError::Sqlite(error) => match error.sqlite_error_code() {
                Some(ErrorCode::DiskFull) => ("store_full", "the disk is full"),
                Some(ErrorCode::ReadOnly) => ("store_read_only", "the database is read-only"),
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                    ("store_locked", "another process holds the database lock")
                }
                _ => ("store_failed", "the database failed; see the log"),
            },
            StoreError::Postgres(error) => match error.code() {
                Some(&SqlState::DISK_FULL) => ("store_full", "the disk is full"),
                Some(&SqlState::READ_ONLY_SQL_TRANSACTION) => {
                    ("store_read_only", "the database is read-only")
                }
                _ => ("store_failed", "the database failed; see the log"),
            },
            _ => ("store_failed", "the store is not available; see the log"),
        };
        Unwritable { code, detail }
    }
}

/// Test writes of one process.
#[derive(Default)]
pub(crate) struct TestWrites(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    /// Wakes the checks that wait for the running write.
    done: watch::Sender<()>,
}

#[derive(Default)]
struct State {
    /// Start of the running write.
    running: Option<Instant>,
    /// End and result of the last write.
    last: Option<(Instant, Result<(), Unwritable>)>,
}

impl Default for Shared {
    fn default() -> Shared {
        Shared { state: Mutex::default(), done: watch::Sender::new(()) }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn finish(&self, result: Result<(), StoreError>) {
        let mut state = self.state();
        let was_ok = state.last.is_none_or(|(_, last)| last.is_ok());
        match &result {
            Err(error) if was_ok => {
                tracing::error!(%error, "a test write to the store failed; the process is not ready");
            }
            Ok(()) if !was_ok => tracing::info!("test writes to the store succeed again"),
            _ => {}
        }
        *state =
            State { running: None, last: Some((Instant::now(), result.map_err(|error| (&error).into()))) };
        drop(state);
        self.done.send_replace(());
    }
}

impl TestWrites {
    /// Returns the result of the last test write if it is recent, or else of a new one.
    async fn result(&self, store: &AnyStore) -> Result<(), Unwritable> {
        let (started, mut done) = {
            let mut state = self.0.state();
            if let Some((ended, result)) = state.last
                && ended.elapsed() < FRESH
            {
                return result;
            }
            let started = state.running.unwrap_or_else(|| {
                let (shared, store) = (self.0.clone(), store.clone());
                // A separate task, so that the write completes even if the client disconnects.
                tokio::spawn(async move { shared.finish(store.test_write().await) });
                Instant::now()
            });
            state.running = Some(started);
            (started, self.0.done.subscribe())
        };
        // The sender lives as long as `self`, so the channel is not closed.
        let _ = timeout_at(started + WRITE_TIMEOUT, done.changed()).await.map_err(|_| TIMEOUT)?;
        self.0.state().last.map_or(Err(TIMEOUT), |(_, result)| result)
    }
}
