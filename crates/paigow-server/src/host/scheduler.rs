//! Fires expired deadlines of tables and polls for writes by other processes.

use crate::{Environment, Host, Store, StoreError, Tip};
use paigow_table::{PlantedFault, TableId, planted};
use prometheus_client::metrics::counter::Counter;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Maximum sleep in milliseconds. A deadline that was moved to an earlier time is noticed within it.
const SLEEP_MS_MAX: u64 = 250;
/// Interval of polling the store for writes by other processes, in seconds. Polling finds events whose hints were lost.
const POLL_SECONDS: u64 = 2;
/// Maximum number of deadlines fired concurrently.
const CONCURRENT_MAX: usize = 64;
/// Delay from which a fired deadline counts as late, and delay of a retry, in milliseconds.
const LATE_MS: u64 = 1_000;

/// Counters of the scheduler.
#[derive(Clone, Debug, Default)]
pub(crate) struct SchedulerCounts {
    /// Deadlines fired.
    pub(crate) ticks: Counter,
    /// Deadlines fired more than a second late.
    pub(crate) late_ticks: Counter,
}

/// Scheduler of one host.
pub(crate) struct Scheduler<S, E> {
    host: Arc<Host<S, E>>,
    counts: SchedulerCounts,
    stop: CancellationToken,
}

impl<S, E> Clone for Scheduler<S, E> {
    fn clone(&self) -> Scheduler<S, E> {
        let Scheduler { host, counts, stop } = self;
        Scheduler { host: host.clone(), counts: counts.clone(), stop: stop.clone() }
    }
}

impl<S: Store + 'static, E: Environment + 'static> Scheduler<S, E> {
    /// Creates a scheduler that runs until `stop` is cancelled.
    pub(crate) fn new(
        host: Arc<Host<S, E>>,
        counts: SchedulerCounts,
        stop: CancellationToken,
    ) -> Scheduler<S, E> {
        Scheduler { host, counts, stop }
    }

    /// Loads every open table, which sets its deadline. Returns the number of tables loaded.
    pub(crate) async fn load_all(&self) -> Result<usize, StoreError> {
        let heads = self.host.store().tables().await?;
        let mut tables = 0;
        for head in heads.into_iter().filter(|head| !head.closed) {
            // A table that cannot be loaded is logged. The others are still played.
            match self.host.ensure_loaded(&head.table).await {
                Ok(()) => tables += 1,
                Err(error) => tracing::error!(table = %head.table, %error, "cannot load a table"),
            }
        }
        Ok(tables)
    }

    /// Fires deadlines until `stop` is cancelled, then waits for those under way.
    pub(crate) async fn run(self) {
        let mut firing = JoinSet::new();
        let mut before = self.host.environment().now();
        while !self.stop.is_cancelled() {
            while firing.try_join_next().is_some() {}
            let now = self.host.environment().now();
            if now < before {
                self.host.reset_deadlines().await;
            }
            before = now;
            for (table, due) in self.host.deadlines().take_due(self.host.environment().now()) {
                while firing.len() >= CONCURRENT_MAX {
                    firing.join_next().await;
                }
                let scheduler = self.clone();
                firing.spawn(async move {
                    scheduler.fire(&table).await;
                    if due.plus(LATE_MS) < scheduler.host.environment().now() {
                        scheduler.counts.late_ticks.inc();
                    }
                });
            }
            let now = self.host.environment().now();
            let next =
                self.host.deadlines().next_due().map_or(SLEEP_MS_MAX, |due| due.0.saturating_sub(now.0));
            self.sleep(Duration::from_millis(next.clamp(1, SLEEP_MS_MAX))).await;
        }
        while firing.join_next().await.is_some() {}
    }

    async fn fire(&self, table: &TableId) {
        match self.host.tick(table).await {
            Ok(Some(_)) => {
                self.counts.ticks.inc();
            }
            Ok(None) => {}
            Err(error) => {
                tracing::warn!(%table, %error, "cannot fire a deadline; it is retried");
                if !planted(PlantedFault::ForgetDeadline) {
                    self.host.deadlines().retry_at(table, self.host.environment().now().plus(LATE_MS));
                }
            }
        }
    }

    /// Polls for writes by other processes and for a store that went back to an earlier state, until `stop` is
    /// cancelled.
    pub(crate) async fn poll(self) {
        while !self.stop.is_cancelled() {
            self.sleep(Duration::from_secs(POLL_SECONDS)).await;
            if self.stop.is_cancelled() {
                return;
            }
            match self.host.store().tables().await {
                Ok(heads) => {
                    // A closed table matters only if it is in memory, where it may still be open.
                    let heads = heads.into_iter().filter(|head| !head.closed || self.host.has(&head.table));
                    let mut heads: BTreeMap<TableId, Tip> =
                        heads.map(|head| (head.table, head.tip)).collect();
                    // The store may have gone back to before a table was opened.
                    let gone = self.host.loaded_except(&heads);
                    heads.extend(gone.into_iter().map(|table| (table, Tip::START)));
                    // A table that is locked now is reloaded by its holder or by the next poll.
                    self.host.refresh_all(&heads, |known, head| known != head).await;
                    self.host.rollback().report();
                }
                Err(error) => tracing::warn!(%error, "cannot poll the store for new events"),
            }
            self.host.evict_closed();
        }
    }

    /// Waits for `time` or until `stop` is cancelled.
    async fn sleep(&self, time: Duration) {
        tokio::select! {
            biased;
            () = self.stop.cancelled() => {}
            () = tokio::time::sleep(time) => {}
        }
    }
}
