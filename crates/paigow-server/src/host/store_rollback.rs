//! Detects a store that went back to an earlier state: a backup was restored, or a stale replica took over.
//!
//! A host notices it for each table when it reads or appends, at the latest with the next poll. Outside tables,
//! [`watch`] notices it by the last sequence numbers of the journal and of the operators' log, which only grow, and
//! drops the cached transfers of limits. Nothing else is in memory, because sessions and people are read from the store each
//! time.

use crate::app::App;
use crate::operations::readiness::ReadinessCheck;
use crate::store::StoreEnds;
use paigow_table::TableId;
use prometheus_client::metrics::counter::Counter;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Interval of comparing the ends of the store.
const WATCH_INTERVAL: Duration = Duration::from_secs(2);
/// Maximum number of tables that the readiness check names.
const NAMED_MAX: usize = 5;

/// Counters of detected rollbacks.
#[derive(Clone, Debug, Default)]
pub(crate) struct RollbackCounts {
    /// Tables that were reloaded.
    pub(crate) tables: Counter,
    /// Number of times the journal or the operators' log was shorter than before.
    pub(crate) lists: Counter,
}

/// Tables whose log in the store no longer matches the host's memory.
#[derive(Default)]
pub(crate) struct StoreRollback {
    counts: RollbackCounts,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Tables that are not reloaded yet, each with the sequence number of the host's last event.
    unresolved: BTreeMap<TableId, u64>,
    report: Report,
    /// Number of unresolved tables at the last report.
    reported_unresolved: usize,
}

/// Counts of reloaded tables since the last report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Report {
    tables: u64,
    /// Tables that no longer exist.
    gone: u64,
    /// Events missing from the store. Events replaced by others are not counted.
    events: u64,
}

impl StoreRollback {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn counts(&self) -> &RollbackCounts {
        &self.counts
    }

    /// Records that the store does not have the last event that the host had of a table.
    pub(crate) fn note_mismatch(&self, table: &TableId, had: u64) {
        self.counts.tables.inc();
        let mut state = self.state();
        let before = state.unresolved.entry(table.clone()).or_default();
        *before = had.max(*before);
    }

    /// Records that a table was reloaded, with its last sequence number. `None` if the table no longer exists.
    pub(crate) fn note_reload(&self, table: &TableId, seq: Option<u64>) {
        let mut state = self.state();
        if let Some(had) = state.unresolved.remove(table) {
            state.report.tables += 1;
            state.report.gone += u64::from(seq.is_none());
            state.report.events += had.saturating_sub(seq.unwrap_or(0));
        }
    }

    /// Records that a table was found damaged. It is then closed to play and reported as damaged, and the process
    /// serves the others.
    pub(crate) fn note_damage(&self, table: &TableId) {
        self.state().unresolved.remove(table);
    }

    /// Logs the tables reloaded since the last report.
    pub(crate) fn report(&self) {
        let (report, reported) = {
            let mut state = self.state();
            let report = (std::mem::take(&mut state.report), state.unresolved.len());
            // Unresolved tables are reported when their number changes.
            let reported = (Report::default(), state.reported_unresolved);
            state.reported_unresolved = report.1;
            (report, reported)
        };
        if report != reported {
            let (Report { tables, gone, events }, unresolved) = report;
            tracing::error!(tables, gone, events, unresolved, "the store went back to an earlier state");
        }
    }

    /// Readiness check for `/readyz`: it holds if no table waits to be reloaded.
    pub(crate) fn check(&self) -> ReadinessCheck {
        const NAME: &str = "store_went_back";
        let state = self.state();
        if state.unresolved.is_empty() {
            return ReadinessCheck::holds(NAME);
        }
        let named: Vec<&str> = state.unresolved.keys().take(NAMED_MAX).map(TableId::as_str).collect();
        let detail = format!(
            "the store went back to an earlier state, and {} tables are not reloaded yet: {}",
            state.unresolved.len(),
            named.join(", ")
        );
        ReadinessCheck::fails(NAME, NAME, detail)
    }
}

/// Compares the ends of the store at a fixed interval until the server stops.
pub(crate) async fn watch(app: Arc<App>) {
    let mut last: Option<StoreEnds> = None;
    loop {
        // The readiness checks report a store that does not respond.
        if let Ok(ends) = app.store().ends().await {
            if let Some(before) = last.filter(|before| ends.are_behind(before)) {
                app.tables.rollback().counts.lists.inc();
                app.clear_limit_cache();
                tracing::error!(
                    transfers = before.journal.saturating_sub(ends.journal),
                    acts = before.acts.saturating_sub(ends.acts),
                    "the store went back to an earlier state: transfers or entries of the operators' log are missing"
                );
            }
            last = Some(ends);
        }
        tokio::select! {
            () = tokio::time::sleep(WATCH_INTERVAL) => {}
            () = app.stop.cancelled() => return,
        }
    }
}
