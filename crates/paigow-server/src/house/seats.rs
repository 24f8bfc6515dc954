//! Seats of players who are idle or absent.

use super::{IdleSince, bots};
use crate::HostError;
use crate::app::{App, derive_command_id, house};
use paigow_table::{Command, PlayerId, Table, TableId, TableRefusal};
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

/// Makes seats sit out whose players are absent and missed the last round, so that other players do not wait for them.
pub(super) async fn suspend_absent(app: &App) {
    // A process that drains refuses sockets, so its players are at other processes.
    if app.is_draining() {
        return;
    }
    let time = Duration::from_secs(app.settings.absent_seconds);
    let absent = app.presence.absent_for(time, Instant::now());
    if absent.is_empty() {
        return;
    }
    let tables = app.tables.map_open(|table, _| {
        let seated: Vec<PlayerId> = table.players().map(|(_, player)| player.clone()).collect();
        (table.id().clone(), (seated, missed_seats(table)))
    });
    let tables: HashMap<TableId, _> = tables.await.into_iter().collect();
    for key in absent {
        let (table, player) = &key;
        let Some((_, missed)) = tables.get(table).filter(|(seated, _)| seated.contains(player)) else {
            app.presence.forget(&key);
            continue;
        };
        for seat in missed.iter().filter(|seat| seat.1 == *player) {
            // The player may have returned meanwhile, or another process may have acted on the seat.
            let Ok((now, seq)) = app.tables.table(table).await else { continue };
            if app.presence.is_absent(&key, time, Instant::now()) && missed_seats(&now).contains(seat) {
                suspend(app, table, seat, seq).await;
            }
        }
    }
}

/// Returns the seats that missed the last round, with their players. None if the table accepts only `void` and `close`
/// because its rules have changed.
fn missed_seats(table: &Table) -> Vec<(u8, PlayerId)> {
    let missed = table.missed_last_round().filter(|_| !table.rules_have_changed());
    missed.map(|(seat, player)| (seat, player.clone())).collect()
}

async fn suspend(app: &App, table: &TableId, (seat, player): &(u8, PlayerId), seq: u64) {
    let id = derive_command_id("suspend", &format!("{table}/{seat}/{player}/{seq}"));
    match app.tables.command(table, &house(), &id, &Command::Suspend { seat: *seat }).await {
        // Another process was faster.
        Ok(_)
        | Err(HostError::Refused {
            refusal: TableRefusal::SittingOut | TableRefusal::EmptySeat { .. },
            ..
        }) => {}
        Err(error) => tracing::warn!(%table, seat, %error, "cannot make an absent player's seat sit out"),
    }
}
