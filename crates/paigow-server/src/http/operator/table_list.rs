//! `GET /api/operator/tables`: the open tables with bank, deadline and viewers, for the console.

use super::perform::{Act, perform};
use crate::app::App;
use crate::house::{LobbyTable, opened_by_player};
use crate::http::auth::OperatorSession;
use crate::http::{ApiProblem, Problems};
use crate::people::{People, PersonKind};
use axum::Json;
use axum::extract::State;
use paigow_table::{PhaseName, PlayerId, Table, TableId, Time, View, Viewer};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;
use utoipa::ToSchema;

/// The open tables, by name.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct ConsoleTables {
    /// Time of the server.
    now: Time,
    tables: Vec<ConsoleTable>,
}

/// An open table.
#[derive(Serialize, ToSchema)]
#[allow(clippy::struct_excessive_bools)] // the flags are independent
pub(in crate::http) struct ConsoleTable {
    /// Id of the table.
    table: TableId,
    /// Name that the player who opened the table gave it, or null.
    #[schema(required)]
    name: Option<String>,
    /// Id of the rule book.
    book: String,
    /// Currency of the table.
    currency: String,
    /// Phase of the current round.
    phase: PhaseName,
    /// Number of the current or last round, 0 before the first.
    round: u64,
    /// Taken seats.
    seats: Vec<ConsoleSeat>,
    /// Number of player seats.
    seats_max: u8,
    /// Whether the table is paused.
    paused: bool,
    /// Whether the table closes after the current round.
    closing: bool,
    /// Whether the lobby lists the table only for its players.
    private: bool,
    /// Whether the seats are for players whom operators invite.
    invited: bool,
    /// Bank of a seat in the current round, or null if no seat has it.
    #[schema(required)]
    bank: Option<ConsoleBank>,
    /// Deadline of the current phase, or null.
    #[schema(required)]
    deadline: Option<Time>,
    /// Number of viewers with a socket to this process.
    viewers: usize,
}

/// A taken seat.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct ConsoleSeat {
    /// Number of the seat.
    seat: u8,
    /// Player id.
    player: PlayerId,
    /// Name of the player.
    name: String,
    /// Whether the server controls the player.
    bot: bool,
    /// Whether the seat sits out.
    sitting_out: bool,
    /// Sum of the seat's wagers in the current round, in cents.
    staked_cents: u64,
}

/// Bank of a seat.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct ConsoleBank {
    /// Seat that banks.
    #[schema(required)]
    seat: Option<u8>,
    /// Amount that the banker put up, in cents.
    cover_cents: u64,
}

impl ConsoleTable {
    fn of(table: &Table, viewers: usize) -> ConsoleTable {
        let listed = LobbyTable::of(table);
        let View { seats, round, .. } = table.view(&Viewer::Watcher);
        let seats = seats.into_iter().map(|seat| ConsoleSeat {
            seat: seat.seat,
            name: seat.player.to_string(),
            player: seat.player,
            bot: false,
            sitting_out: seat.out,
            staked_cents: seat.wagers.values().map(|wager| wager.cents).sum(),
        });
        let bank = round.and_then(|round| round.bank);
        ConsoleTable {
            table: listed.table,
            name: listed.name,
            book: listed.book,
            currency: listed.currency,
            phase: listed.phase,
            round: table.round_number(),
            seats: seats.collect(),
            seats_max: listed.seats,
            paused: listed.paused,
            closing: listed.closing,
            private: listed.private,
            invited: false,
            bank: bank.map(|bank| ConsoleBank { seat: Some(bank.seat), cover_cents: bank.covers_cents }),
            deadline: table.due(),
            viewers,
        }
    }
}

/// Lists the open tables with seats, bank, deadline and viewers.
#[utoipa::path(get, path = "/api/operator/tables", tag = "operator",
    responses((status = 200, body = ConsoleTables), Problems))]
pub(in crate::http) async fn list(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
) -> Result<Json<ConsoleTables>, ApiProblem> {
    let work = {
        let app = app.clone();
        async move {
            let mut tables = app.tables.map_watched(ConsoleTable::of).await;
            tables.sort_by(|a, b| a.table.cmp(&b.table));
            let seats = || tables.iter().flat_map(|table| &table.seats);
            let ids: BTreeSet<PlayerId> = seats().map(|seat| seat.player.clone()).collect();
            let people = app.store().people(&ids.into_iter().collect::<Vec<_>>()).await?;
            for seat in tables.iter_mut().flat_map(|table| &mut table.seats) {
                if let Some(person) = people.get(&seat.player) {
                    seat.name = person.name.clone().into();
                    seat.bot = person.kind == PersonKind::Bot;
                }
            }
            for table in tables.iter_mut().filter(|table| !opened_by_player(&table.table)) {
                table.invited = app.is_by_invitation_of_house(&table.table).await?;
            }
            Ok(Json(ConsoleTables { now: app.now(), tables }))
        }
    };
    perform(&app, &operator, Act::poll("tables"), work).await
}
