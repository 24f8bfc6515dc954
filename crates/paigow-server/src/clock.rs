//! The clock of a server: sees to what is due at every table, and looks for what other processes have done.

use crate::app::App;
use crate::{Store, StoreError};
use paigow_table::TableId;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// How long it sleeps at most: a deadline that moved forward is seen by then at the latest.
const LOOK_MS: u64 = 250;
/// How often the store is asked whether others have appended. Behind the hints, which may get lost.
const POLL_SECONDS: u64 = 2;
/// How many deadlines are seen to at once.
const AT_ONCE: usize = 64;
/// Seen to later than this is late.
const LATE_MS: u64 = 1_000;

/// Reads every table that is open, so that deadlines are seen to.
pub(crate) async fn load_all(app: &App) -> Result<usize, StoreError> {
    let heads = app.store().tables().await?;
    let mut tables = 0;
    for head in heads.into_iter().filter(|head| !head.closed) {
        // One that cannot be read is named, and is no reason not to play at the others.
        match app.tables.refresh_to(&head.table, head.seq).await {
            Ok(()) => tables += 1,
            Err(error) => tracing::error!(table = %head.table, %error, "a table cannot be played"),
        }
    }
    Ok(tables)
}

/// Sees to deadlines until the server stops.
pub(crate) async fn run(app: Arc<App>) {
    let at_once = Arc::new(Semaphore::new(AT_ONCE));
    while !app.stop.is_cancelled() {
        let now = app.now();
        for (table, due) in app.tables.deadlines().take_due(now) {
            let Ok(permit) = at_once.clone().acquire_owned().await else { return };
            let app = app.clone();
            tokio::spawn(async move {
                see_to(&app, &table).await;
                if due.plus(LATE_MS) < app.now() {
                    app.metrics.late_ticks.inc();
                }
                drop(permit);
            });
        }
        let next = app.tables.deadlines().next_due().map_or(LOOK_MS, |due| due.0.saturating_sub(app.now().0));
        let wait = Duration::from_millis(next.clamp(1, LOOK_MS));
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = app.stop.cancelled() => {}
        }
    }
}

async fn see_to(app: &App, table: &TableId) {
    match app.tables.tick(table).await {
        Ok(Some(_)) => {
            app.metrics.ticks.inc();
        }
        Ok(None) => {}
        Err(error) => {
            tracing::warn!(%table, %error, "a deadline could not be seen to; it is tried again");
            app.tables.deadlines().again(table, app.now().plus(LATE_MS));
        }
    }
}

/// Looks for what others have appended, until the server stops.
pub(crate) async fn poll(app: Arc<App>) {
    while !app.stop.is_cancelled() {
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(POLL_SECONDS)) => {}
            () = app.stop.cancelled() => return,
        }
        match app.store().tables().await {
            Ok(heads) => {
                // One that is closed is of interest only where we think it is not.
                let heads = heads.into_iter().filter(|head| !head.closed || app.tables.has(&head.table));
                // Who is at one that was passed over looks again, or we do the next time.
                app.tables.refresh_all(&heads.map(|head| (head.table, head.seq)).collect()).await;
            }
            Err(error) => tracing::warn!(%error, "the store could not be asked for news"),
        }
        app.tables.let_go();
    }
}
