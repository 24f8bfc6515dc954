//! A store that went back to an earlier state: a backup was restored, or a replica that was behind took over.
//!
//! A host finds it out table by table, whenever it reads or appends and at the latest by the next poll. What belongs to no table is found out
//! by the ends of the journal and of the operators' log, which only grow. Nothing else is kept in memory: sessions and people are
//! read from the store each time.

use crate::app::App;
use crate::operations::readiness::ReadinessCheck;
use crate::store::StoreEnds;
use paigow_table::TableId;
use prometheus_client::metrics::counter::Counter;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often the ends of the store are compared.
const LOOK: Duration = Duration::from_secs(2);
/// How many tables a check names.
const NAMED_MAX: usize = 5;

/// Counters of a store that went back.
#[derive(Clone, Debug, Default)]
pub(crate) struct RollbackCounts {
    /// Tables that were read again.
    pub(crate) tables: Counter,
    /// Times the journal or the operators' log was found shorter than before.
    pub(crate) lists: Counter,
}

/// The tables of a host that the store no longer has as the host had them.
#[derive(Default)]
pub(crate) struct StoreRollback {
    counts: RollbackCounts,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Tables that are not read again yet, each with the last event that the host had.
    unresolved: BTreeMap<TableId, u64>,
    report: Report,
    /// How many tables were not read again at the last report.
    reported_unresolved: usize,
}

/// What was read again since the last report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Report {
    tables: u64,
    /// Tables that are no longer there.
    gone: u64,
    /// Events that the store has no more. Those that it has others for are not counted.
    events: u64,
}

impl StoreRollback {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn counts(&self) -> &RollbackCounts {
        &self.counts
    }

    /// The store does not have the last event that the host has of a table.
    pub(crate) fn noticed(&self, table: &TableId, had: u64) {
        self.counts.tables.inc();
        let mut state = self.state();
        let before = state.unresolved.entry(table.clone()).or_default();
        *before = had.max(*before);
    }

    /// A table was read; `None` if there is no such table.
    pub(crate) fn read_again(&self, table: &TableId, seq: Option<u64>) {
        let mut state = self.state();
        if let Some(had) = state.unresolved.remove(table) {
            state.report.tables += 1;
            state.report.gone += u64::from(seq.is_none());
            state.report.events += had.saturating_sub(seq.unwrap_or(0));
        }
    }

    /// A table was found damaged when it was read again: it is closed to play and named as such, and the process serves the others.
    pub(crate) fn damaged(&self, table: &TableId) {
        self.state().unresolved.remove(table);
    }

    /// Logs how much was read again since the last report.
    pub(crate) fn report(&self) {
        let (report, reported) = {
            let mut state = self.state();
            let report = (std::mem::take(&mut state.report), state.unresolved.len());
            // Tables that still wait are reported when their number changes.
            let reported = (Report::default(), state.reported_unresolved);
            state.reported_unresolved = report.1;
            (report, reported)
        };
        if report != reported {
            let (Report { tables, gone, events }, unresolved) = report;
            tracing::error!(tables, gone, events, unresolved, "the store went back to an earlier state");
        }
    }

    /// The check for `/readyz`: no table waits to be read again.
    pub(crate) fn check(&self) -> ReadinessCheck {
        const NAME: &str = "store_went_back";
        let state = self.state();
        if state.unresolved.is_empty() {
            return ReadinessCheck::holds(NAME);
        }
        let named: Vec<&str> = state.unresolved.keys().take(NAMED_MAX).map(TableId::as_str).collect();
        let detail = format!(
            "the store went back to an earlier state, and {} tables are not read again: {}",
            state.unresolved.len(),
            named.join(", ")
        );
        ReadinessCheck::fails(NAME, NAME, detail)
    }
}

/// Compares the ends of the store with those before until the server stops.
pub(crate) async fn watch(app: Arc<App>) {
    let mut known: Option<StoreEnds> = None;
    loop {
        // A store that does not answer is reported by others.
        if let Ok(ends) = app.store().ends().await {
            if let Some(before) = known.filter(|before| ends.are_behind(before)) {
                app.tables.rollback().counts.lists.inc();
                tracing::error!(
                    transfers = before.journal.saturating_sub(ends.journal),
                    acts = before.acts.saturating_sub(ends.acts),
                    "the store went back to an earlier state: transfers or acts of operators are missing"
                );
            }
            known = Some(ends);
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK) => {}
            () = app.stop.cancelled() => return,
        }
    }
}
