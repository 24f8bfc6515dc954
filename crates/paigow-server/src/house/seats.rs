//! Seats of players who are idle or gone.

use super::{IdleSince, bots};
use crate::app::{App, derive_command_id, house};
use paigow_table::{Command, PlayerId, TableId};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Vacates seats whose players have sat out for too long. A player who closed the page would otherwise keep the seat
/// forever.
pub(super) async fn vacate_idle(app: &App, idle: &mut IdleSince<(TableId, u8, PlayerId)>) {
    let minutes = app.settings.idle_seat_minutes;
    if minutes == 0 {
        return;
    }
    let seats = app.tables.map_open(|table, _| {
        // A table whose rules have changed accepts only `void` and `close`.
        let seats =
            table.sitting_out().filter(|(_, player)| !table.rules_have_changed() && !bots::is_bot(player));
        seats.map(|(seat, player)| (table.id().clone(), seat, player.clone())).collect::<Vec<_>>()
    });
    let seats = seats.await.into_iter().flatten();
    for (table, seat, player) in idle.longer_than(Duration::from_secs(minutes * 60), seats, Instant::now()) {
        // The player may have returned meanwhile, or another process may have freed the seat for another player.
        let Ok((now, seq)) = app.tables.table(&table).await else { continue };
        if !now.sitting_out().any(|out| out == (seat, &player)) {
            continue;
        }
        let id = derive_command_id("vacate", &format!("{table}/{seat}/{player}/{seq}"));
        if let Err(error) = app.tables.command(&table, &house(), &id, &Command::Vacate { seat }).await {
            tracing::warn!(%table, seat, %error, "cannot vacate an idle seat");
        }
    }
}

/// Makes seats sit out whose players are gone and missed the last round, so that other players do not wait for them.
pub(super) async fn suspend_abandoned(app: &App) {
    let seconds = app.settings.absent_seconds;
    let gone = app.presence.gone_for(Duration::from_secs(seconds), Instant::now());
    if seconds == 0 || gone.is_empty() {
        return;
    }
    let tables = app.tables.map_open(|table, seq| {
        let seated: Vec<PlayerId> = table.players().map(|(_, player)| player.clone()).collect();
        // A table whose rules have changed accepts only `void` and `close`.
        let missed = table.missed_last_round().filter(|_| !table.rules_have_changed());
        let missed: Vec<_> = missed.map(|(seat, player)| (seat, player.clone())).collect();
        (table.id().clone(), (seq, seated, missed))
    });
    let tables: HashMap<TableId, _> = tables.await.into_iter().collect();
    for (table, player) in gone {
        let state = tables.get(&table).filter(|(_, seated, _)| seated.contains(&player));
        let Some((seq, _, missed)) = state else {
            app.presence.forget(&(table, player));
            continue;
        };
        for (seat, _) in missed.iter().filter(|(_, other)| *other == player) {
            let id = derive_command_id("suspend", &format!("{table}/{seat}/{player}/{seq}"));
            let suspend = Command::Suspend { seat: *seat };
            if let Err(error) = app.tables.command(&table, &house(), &id, &suspend).await {
                tracing::warn!(%table, seat, %error, "cannot suspend an abandoned seat");
            }
        }
    }
}
