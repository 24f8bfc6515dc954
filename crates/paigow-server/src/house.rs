//! What the house does by itself: bots play, seats and tables nobody wants any more are given up, sessions that have ended are forgotten.

mod bots;
mod guests;
mod lobby;
pub(crate) mod practice;

use crate::app::{App, digest_name, house};
use crate::people::People;
use paigow_table::{Command, PlayerId, TableId};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use lobby::LobbyTable;

/// How often bots look up.
const LOOK_MS: u64 = 300;
/// How often empty tables and old sessions are looked for.
const TIDY_SECONDS: u64 = 30;
/// How the names of tables begin that players have opened.
pub(crate) const OWN_TABLE: &str = "own-";

/// Whether a player opened the table.
pub(crate) fn opened_by_player(table: &TableId) -> bool {
    table.as_str().starts_with(OWN_TABLE)
}

/// Does what the house does, until the server stops.
pub(crate) async fn run(app: Arc<App>) {
    let doing = bots::Doing::default();
    let (mut empty, mut out) = (Lasting::default(), Lasting::default());
    let mut tidied = Instant::now();
    let mut guests = guests::Walk::new(tidied);
    guests.step(&app, tidied).await;
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
            free_seats(&app, &mut out).await;
            close_empty(&app, &mut empty).await;
            app.forget_idle();
            guests.step(&app, Instant::now()).await;
            if let Err(error) = app.store().forget_sessions(app.session_now()).await {
                tracing::warn!(%error, "old sessions could not be forgotten");
            }
        }
    }
}

/// Has seats given up that have sat out for a while: who closed the page would keep theirs for ever.
async fn free_seats(app: &App, out: &mut Lasting<(TableId, u8, PlayerId)>) {
    let minutes = app.settings.idle_seat_minutes;
    if minutes == 0 {
        return;
    }
    let seats = app.tables.each(|table, _| {
        // Where rules have changed nothing is done but to close.
        let seats = table.out().filter(|(_, player)| !table.rules_have_changed() && !bots::is_bot(player));
        seats.map(|(seat, player)| (table.id().clone(), seat, player.clone())).collect::<Vec<_>>()
    });
    let seats = seats.await.into_iter().flatten();
    for (table, seat, player) in out.longer_than(Duration::from_secs(minutes * 60), seats, Instant::now()) {
        // Somebody may have come back meanwhile, or sit there now that another process has freed it.
        let Ok((now, seq)) = app.tables.table(&table).await else { continue };
        if !now.out().any(|out| out == (seat, &player)) {
            continue;
        }
        let id = digest_name("vacate", &format!("{table}/{seat}/{player}/{seq}"));
        if let Err(error) = app.tables.command(&table, &house(), &id, &Command::Vacate { seat }).await {
            tracing::warn!(%table, seat, %error, "a seat could not be freed");
        }
    }
}

/// Closes tables of players where nobody has sat for a while.
async fn close_empty(app: &App, empty: &mut Lasting<TableId>) {
    let minutes = app.settings.idle_table_minutes;
    if minutes == 0 {
        return;
    }
    let own = app.tables.each(|table, _| {
        let left = opened_by_player(table.id()) && table.players().all(|(_, player)| bots::is_bot(player));
        left.then(|| table.id().clone())
    });
    let left = own.await.into_iter().flatten();
    for table in empty.longer_than(Duration::from_secs(minutes * 60), left, Instant::now()) {
        let id = digest_name("close-empty", table.as_str());
        if let Err(error) = app.tables.command(&table, &house(), &id, &Command::Close).await {
            tracing::warn!(%table, %error, "an empty table could not be closed");
        }
    }
}

/// Since when things are as they are.
struct Lasting<T>(HashMap<T, Instant>);

impl<T> Default for Lasting<T> {
    fn default() -> Lasting<T> {
        Lasting(HashMap::new())
    }
}

impl<T: Eq + Hash + Clone> Lasting<T> {
    /// Those of all that are so now which have been so for as long as that; what is not so any more is forgotten.
    fn longer_than(&mut self, time: Duration, now_so: impl Iterator<Item = T>, now: Instant) -> Vec<T> {
        let known = std::mem::take(&mut self.0);
        self.0 = now_so
            .map(|one| (known.get(&one).copied().unwrap_or(now), one))
            .map(|(since, one)| (one, since))
            .collect();
        let lasting = self.0.iter().filter(|(_, since)| now.duration_since(**since) >= time);
        lasting.map(|(one, _)| one.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lasts_is_told_and_what_was_interrupted_begins_anew() {
        let mut lasting = Lasting::default();
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let minute = Duration::from_mins(1);
        assert_eq!(lasting.longer_than(minute, ["ann", "bob"].into_iter(), start), [""; 0]);
        assert_eq!(lasting.longer_than(minute, ["ann"].into_iter(), after(59)), [""; 0]);
        assert_eq!(lasting.longer_than(minute, ["ann", "bob"].into_iter(), after(60)), ["ann"]);
        assert_eq!(lasting.longer_than(minute, ["bob"].into_iter(), after(119)), [""; 0]);
        assert_eq!(lasting.longer_than(minute, ["bob"].into_iter(), after(120)), ["bob"]);
    }
}
