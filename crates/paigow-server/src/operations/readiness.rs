//! Whether the process can serve: a list of named checks, which `/readyz` answers with.
//!
//! The store is checked by a write. One test write runs at a time, and its result holds for a second: health checks, however many, load
//! the store with one small commit a second at most.

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

/// How long a test write may take before the process is not ready.
const WRITE_TIMEOUT: Duration = Duration::from_secs(2);
/// How long the result of a test write holds.
const FRESH: Duration = Duration::from_secs(1);

/// A condition of readiness.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ReadinessCheck {
    /// Its name for programs. It does not change.
    pub name: String,
    /// Whether it holds.
    pub ok: bool,
    /// Code of the reason why it does not hold, or of a remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The reason, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl ReadinessCheck {
    /// A condition that holds.
    pub(crate) fn holds(name: &str) -> ReadinessCheck {
        ReadinessCheck { name: name.to_owned(), ok: true, code: None, detail: None }
    }

    /// A condition that does not hold, and why.
    pub(crate) fn fails(name: &str, code: &str, detail: impl Into<String>) -> ReadinessCheck {
        ReadinessCheck { ok: false, ..ReadinessCheck::remark(name, code, detail) }
    }

    /// A condition that holds, and what an operator should know of it.
    pub(crate) fn remark(name: &str, code: &str, detail: impl Into<String>) -> ReadinessCheck {
        ReadinessCheck {
            code: Some(code.to_owned()),
            detail: Some(detail.into()),
            ..ReadinessCheck::holds(name)
        }
    }
}

/// Every check, in a fixed order.
pub(crate) async fn checks(app: &App) -> Vec<ReadinessCheck> {
    vec![draining(app), store_write(app).await, app.tables.rollback().check(), clock(app)]
}

fn draining(app: &App) -> ReadinessCheck {
    if app.is_draining() {
        return ReadinessCheck::fails("draining", "draining", "the process is being drained");
    }
    ReadinessCheck::holds("draining")
}

async fn store_write(app: &App) -> ReadinessCheck {
    match app.test_writes.result(app.store()).await {
        Ok(()) => ReadinessCheck::holds("store_write"),
        Err(Unwritable { code, detail }) => ReadinessCheck::fails("store_write", code, detail),
    }
}

/// A jump of the wall clock that is not followed is no reason to stop serving.
fn clock(app: &App) -> ReadinessCheck {
    match app.tables.world().jumped_ms() {
        None => ReadinessCheck::holds("clock"),
        Some(ms) => {
            let (seconds, side) = (ms.unsigned_abs() / 1_000, if ms > 0 { "ahead of" } else { "behind" });
            let detail = format!("the wall clock jumped and is {seconds} s {side} the time served");
            ReadinessCheck::remark("clock", "clock_jumped", detail)
        }
    }
}

/// Why the store cannot be written to, without names of files and hosts: those are in the log.
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
                ("store_foreign", "the store is no longer one of this program's version")
            }
            StoreError::Sqlite(error) => match error.sqlite_error_code() {
                Some(ErrorCode::DiskFull) => ("store_full", "the disk is full"),
                Some(ErrorCode::ReadOnly) => ("store_read_only", "the database is read-only"),
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                    ("store_locked", "another process holds the lock of the database")
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
            _ => ("store_failed", "the store does not answer; see the log"),
        };
        Unwritable { code, detail }
    }
}

/// Test writes of one process.
#[derive(Default)]
pub(crate) struct TestWrites(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    /// Wakes those who wait for the write that runs.
    done: watch::Sender<()>,
}

#[derive(Default)]
struct State {
    /// When the write that runs was begun.
    running: Option<Instant>,
    /// When the last one ended, and how.
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

    fn end(&self, result: Result<(), StoreError>) {
        let mut state = self.state();
        let was_ok = state.last.is_none_or(|(_, last)| last.is_ok());
        match &result {
            Err(error) if was_ok => {
                tracing::error!(%error, "the store cannot be written to; the process is not ready");
            }
            Ok(()) if !was_ok => tracing::info!("the store can be written to again"),
            _ => {}
        }
        *state =
            State { running: None, last: Some((Instant::now(), result.map_err(|error| (&error).into()))) };
        drop(state);
        self.done.send_replace(());
    }
}

impl TestWrites {
    /// Whether the store takes a write: the result of the last one if it is fresh, else of one that runs now.
    async fn result(&self, store: &AnyStore) -> Result<(), Unwritable> {
        let (begun, mut done) = {
            let mut state = self.0.state();
            if let Some((ended, result)) = state.last
                && ended.elapsed() < FRESH
            {
                return result;
            }
            let begun = state.running.unwrap_or_else(|| {
                let (shared, store) = (self.0.clone(), store.clone());
                // A task of its own: it ends also if the client that asked is gone.
                tokio::spawn(async move { shared.end(store.test_write().await) });
                Instant::now()
            });
            state.running = Some(begun);
            (begun, self.0.done.subscribe())
        };
        // The sender lives as long as this value.
        let _ = timeout_at(begun + WRITE_TIMEOUT, done.changed()).await.map_err(|_| TIMEOUT)?;
        self.0.state().last.map_or(Err(TIMEOUT), |(_, result)| result)
    }
}
