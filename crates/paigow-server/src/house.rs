//! What the house does by itself: bots play, tables nobody wants any more close, sessions that have ended are forgotten.

use crate::app::{App, digest_name, house};
use crate::bots;
use crate::people::People;
use paigow_table::{Command, TableId};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often bots look up.
const LOOK_MS: u64 = 300;
/// How often empty tables and old sessions are looked for.
const TIDY_SECONDS: u64 = 30;
/// How the names of tables begin that players have opened.
pub(crate) const OWN_TABLE: &str = "own-";

/// Does what the house does, until the server stops.
pub(crate) async fn run(app: Arc<App>) {
    let doing = bots::Doing::default();
    let mut empty = HashMap::new();
    let mut tidied = Instant::now();
    loop {
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(LOOK_MS)) => {}
            () = app.stop.cancelled() => return,
        }
        if app.settings.bots {
            bots::play(&app, &doing).await;
        }
        if tidied.elapsed() >= Duration::from_secs(TIDY_SECONDS) {
            tidied = Instant::now();
            close_empty(&app, &mut empty).await;
            app.forget_idle();
            if let Err(error) = app.store().forget_sessions(app.now()).await {
                tracing::warn!(%error, "old sessions could not be forgotten");
            }
        }
    }
}

/// Closes tables of players where nobody has sat for a while.
async fn close_empty(app: &App, empty: &mut HashMap<TableId, Instant>) {
    let minutes = app.settings.idle_table_minutes;
    if minutes == 0 {
        return;
    }
    let own = app.tables.each(|table, _| {
        let left = table.id().as_str().starts_with(OWN_TABLE)
            && table.players().all(|(_, player)| bots::is_bot(player));
        left.then(|| table.id().clone())
    });
    let left: Vec<TableId> = own.await.into_iter().flatten().collect();
    empty.retain(|table, _| left.contains(table));
    for table in left {
        let since = *empty.entry(table.clone()).or_insert_with(Instant::now);
        if since.elapsed() >= Duration::from_secs(minutes * 60) {
            let id = digest_name("close-empty", table.as_str());
            if let Err(error) = app.tables.command(&table, &house(), &id, &Command::Close).await {
                tracing::warn!(%table, %error, "an empty table could not be closed");
            }
        }
    }
}
