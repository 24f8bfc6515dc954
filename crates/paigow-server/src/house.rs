//! Background tasks of the house: bots, seats of idle and absent players, idle tables, expired sessions and ceremonies,
//! expired guests, and documents that have ended.

mod bots;
mod documents;
mod guests;
mod lobby;
pub(crate) mod practice;
pub(crate) mod sealing;
mod seats;

use crate::app::{App, derive_command_id, house};
use crate::people::{Documents, People};
use paigow_table::{Command, TableId};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use lobby::LobbyTable;

/// Interval between two runs of the bots.
const BOT_INTERVAL_MS: u64 = 300;
/// Interval between two checks for absent players.
const ABSENCE_SECONDS: u64 = 2;
/// Interval between two cleanups.
const CLEANUP_SECONDS: u64 = 30;
/// Prefix of the names of tables that players have opened.
pub(crate) const OWN_TABLE: &str = "own-";

/// Whether a player opened the table.
pub(crate) fn opened_by_player(table: &TableId) -> bool {
    table.as_str().starts_with(OWN_TABLE)
}

/// Runs the background tasks until the server stops.
pub(crate) async fn run(app: Arc<App>) {
    let pending = bots::PendingCommands::default();
    let (mut empty_tables, mut idle_seats) = (IdleSince::default(), IdleSince::default());
    let mut last_cleanup = Instant::now();
    let mut last_check = last_cleanup;
    let mut guests = guests::GuestExpiry::new(last_cleanup);
    let mut documents = documents::DocumentExpiry::new(last_cleanup);
    guests.step(&app, last_cleanup).await;
    documents.step(&app, last_cleanup).await;
    loop {
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(BOT_INTERVAL_MS)) => {}
            () = app.stop.cancelled() => return,
        }
        if app.settings.bots {
            bots::play(&app, &pending).await;
        }
        if last_check.elapsed() >= Duration::from_secs(ABSENCE_SECONDS) {
            last_check = Instant::now();
            seats::suspend_absent(&app).await;
        }
        if last_cleanup.elapsed() >= Duration::from_secs(CLEANUP_SECONDS) {
            last_cleanup = Instant::now();
            seats::vacate_idle(&app, &mut idle_seats).await;
            close_empty(&app, &mut empty_tables).await;
            app.forget_idle();
            guests.step(&app, Instant::now()).await;
            documents.step(&app, Instant::now()).await;
            if let Err(error) = app.store().forget_sessions(app.session_now()).await {
                tracing::warn!(%error, "cannot delete expired sessions");
            }
            if let Err(error) = app.store().forget_ceremonies(app.now()).await {
                tracing::warn!(%error, "cannot delete expired ceremonies");
            }
        }
    }
}

/// Closes tables of players that have had no players except bots for too long.
async fn close_empty(app: &App, empty: &mut IdleSince<TableId>) {
    let minutes = app.settings.idle_table_minutes;
    if minutes == 0 {
        return;
    }
    let tables = app.tables.map_open(|table, _| {
        let is_empty =
            opened_by_player(table.id()) && table.players().all(|(_, player)| bots::is_bot(player));
        is_empty.then(|| table.id().clone())
    });
    let tables = tables.await.into_iter().flatten();
    for table in empty.longer_than(Duration::from_secs(minutes * 60), tables, Instant::now()) {
        let id = derive_command_id("close-empty", table.as_str());
        if let Err(error) = app.tables.command(&table, &house(), &id, &Command::Close).await {
            tracing::warn!(%table, %error, "cannot close an empty table");
        }
    }
}

/// Items that are idle, with the time since when they have been.
struct IdleSince<T>(HashMap<T, Instant>);

impl<T> Default for IdleSince<T> {
    fn default() -> IdleSince<T> {
        IdleSince(HashMap::new())
    }
}

impl<T: Eq + Hash + Clone> IdleSince<T> {
    /// Updates the items with those that are idle now. Returns those that have been idle for at least `time`.
    ///
    /// An item that is not in `idle_now` is removed, and its time starts again when it is idle the next time.
    fn longer_than(&mut self, time: Duration, idle_now: impl Iterator<Item = T>, now: Instant) -> Vec<T> {
        let known = std::mem::take(&mut self.0);
        self.0 = idle_now
            .map(|item| (known.get(&item).copied().unwrap_or(now), item))
            .map(|(since, item)| (item, since))
            .collect();
        let expired = self.0.iter().filter(|(_, since)| now.duration_since(**since) >= time);
        expired.map(|(item, _)| item.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interrupted_idle_time_starts_again() {
        let mut idle = IdleSince::default();
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let minute = Duration::from_mins(1);
        assert_eq!(idle.longer_than(minute, ["ann", "bob"].into_iter(), start), [""; 0]);
        assert_eq!(idle.longer_than(minute, ["ann"].into_iter(), after(59)), [""; 0]);
        assert_eq!(idle.longer_than(minute, ["ann", "bob"].into_iter(), after(60)), ["ann"]);
        assert_eq!(idle.longer_than(minute, ["bob"].into_iter(), after(119)), [""; 0]);
        assert_eq!(idle.longer_than(minute, ["bob"].into_iter(), after(120)), ["bob"]);
    }
}
