//! The clock of a server: fires expired deadlines at every table, and polls for writes by other processes.

use crate::{Environment, Host, Store, StoreError, Tip};
use paigow_table::{PlantedFault, TableId, planted};
use prometheus_client::metrics::counter::Counter;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// How long it sleeps at most: a deadline that moved forward is seen by then at the latest.
const LOOK_MS: u64 = 250;
/// How often the store is asked whether others have appended. Behind the hints, which may get lost.
const POLL_SECONDS: u64 = 2;
/// How many deadlines are fired at once.
const AT_ONCE: usize = 64;
/// A deadline fired later than this is late.
const LATE_MS: u64 = 1_000;

/// Counters of the clock.
#[derive(Clone, Debug, Default)]
pub(crate) struct SchedulerCounts {
    /// Deadlines fired.
    pub(crate) ticks: Counter,
    /// Deadlines fired more than a second late.
    pub(crate) late_ticks: Counter,
}

/// The clock of one host.
pub(crate) struct Scheduler<S, W> {
    host: Arc<Host<S, W>>,
    counts: SchedulerCounts,
    stop: CancellationToken,
}

impl<S, W> Clone for Scheduler<S, W> {
    fn clone(&self) -> Scheduler<S, W> {
        let Scheduler { host, counts, stop } = self;
        Scheduler { host: host.clone(), counts: counts.clone(), stop: stop.clone() }
    }
}

impl<S: Store + 'static, W: Environment + 'static> Scheduler<S, W> {
    /// A clock that runs until `stop` is cancelled.
    pub(crate) fn new(
        host: Arc<Host<S, W>>,
        counts: SchedulerCounts,
        stop: CancellationToken,
    ) -> Scheduler<S, W> {
        Scheduler { host, counts, stop }
    }

    /// Loads every open table, so that its deadlines are known. Returns how many loaded.
    pub(crate) async fn load_all(&self) -> Result<usize, StoreError> {
        let heads = self.host.store().tables().await?;
        let mut tables = 0;
        for head in heads.into_iter().filter(|head| !head.closed) {
            // One that cannot be read is named, and is no reason not to play at the others.
            match self.host.exists(&head.table).await {
                Ok(()) => tables += 1,
                Err(error) => tracing::error!(table = %head.table, %error, "a table cannot be played"),
            }
        }
        Ok(tables)
    }

    /// Fires deadlines until `stop` is cancelled, then waits for those under way.
    pub(crate) async fn run(self) {
        let mut firing = JoinSet::new();
        let mut before = self.host.world().now();
        while !self.stop.is_cancelled() {
            while firing.try_join_next().is_some() {}
            let now = self.host.world().now();
            if now < before {
                self.host.reset_deadlines().await;
            }
            before = now;
            for (table, due) in self.host.deadlines().take_due(self.host.world().now()) {
                while firing.len() >= AT_ONCE {
                    firing.join_next().await;
                }
                let clock = self.clone();
                firing.spawn(async move {
                    clock.fire(&table).await;
                    if due.plus(LATE_MS) < clock.host.world().now() {
                        clock.counts.late_ticks.inc();
                    }
                });
            }
            let now = self.host.world().now();
            let next = self.host.deadlines().next_due().map_or(LOOK_MS, |due| due.0.saturating_sub(now.0));
            self.sleep(Duration::from_millis(next.clamp(1, LOOK_MS))).await;
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
                tracing::warn!(%table, %error, "a deadline could not be fired; it is tried again");
                if !planted(PlantedFault::ForgetDeadline) {
                    self.host.deadlines().again(table, self.host.world().now().plus(LATE_MS));
                }
            }
        }
    }

    /// Polls for writes by other processes and for a store that went back to an earlier state, until `stop` is cancelled.
    pub(crate) async fn poll(self) {
        while !self.stop.is_cancelled() {
            self.sleep(Duration::from_secs(POLL_SECONDS)).await;
            if self.stop.is_cancelled() {
                return;
            }
            match self.host.store().tables().await {
                Ok(heads) => {
                    // A closed table matters only if memory has it as open.
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
                Err(error) => tracing::warn!(%error, "the store could not be asked for news"),
            }
            self.host.let_go();
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
