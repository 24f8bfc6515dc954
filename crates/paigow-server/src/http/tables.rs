//! Endpoints of tables: a table as the viewer sees it, its commands, its seated players and its rules.

pub(super) mod house_way;
pub(super) mod invitations;
pub(super) mod live;
pub(super) mod lobby;
pub(super) mod rounds;

use super::auth::PlayerSession;
use super::input::{Body, Path};
use super::{ApiProblem, Problems, run_to_completion};
use crate::CommandResult;
use crate::app::App;
use crate::people::{People, PersonKind};
use axum::Json;
use axum::extract::State;
use paigow_answers::RankingNames;
use paigow_answers::books::BookSummary;
use paigow_answers::rules::RulesAnswer;
use paigow_table::{Actor, Command, CommandId, PlayerId, TableId, Time, View, Viewer};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// State of a table at one moment.
#[derive(Serialize, ToSchema)]
pub(super) struct Snapshot {
    /// Sequence number of the last event in the view.
    seq: u64,
    /// Current time of the server.
    now: Time,
    view: View,
}

/// Returns a table as the viewer sees it, without cards that are hidden from the viewer.
#[utoipa::path(get, path = "/api/tables/{table}", tag = "tables", params(("table" = String, Path)),
    responses((status = 200, body = Snapshot), Problems))]
pub(super) async fn show(
    State(app): State<Arc<App>>,
    player: Option<PlayerSession>,
    Path(table): Path<TableId>,
) -> Result<Json<Snapshot>, ApiProblem> {
    let viewer = player.map_or(Viewer::Watcher, |player| Viewer::Player(player.id));
    let (seq, view) = app.tables.view(&table, &viewer).await?;
    Ok(Json(Snapshot { seq, now: app.now(), view }))
}

/// A command with its id.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CommandRequest {
    /// Id chosen by the client. The server executes a command at most once per id, however often the client sends it.
    pub(super) id: CommandId,
    /// Command to execute.
    pub(super) command: Command,
}

/// Executes a command at a table. A retry with the same id returns the same result and is not executed again.
#[utoipa::path(post, path = "/api/tables/{table}/commands", tag = "tables", params(("table" = String, Path)),
    request_body = CommandRequest, responses((status = 200, body = CommandResult), Problems))]
pub(super) async fn command(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Path(table): Path<TableId>,
    Body(request): Body<CommandRequest>,
) -> Result<Json<CommandResult>, ApiProblem> {
    let work =
        async move { app.command(&table, &Actor::Player(player.id), &request.id, &request.command).await };
    run_to_completion(work).await.map(Json)
}

/// Public name and kind of a player.
#[derive(Serialize, ToSchema)]
pub(super) struct PublicPlayer {
    name: String,
    /// Whether the player is a bot of the server.
    bot: bool,
}

/// Seated players of a table, by player id.
#[derive(Serialize, ToSchema)]
pub(super) struct SeatedPlayers {
    people: BTreeMap<String, PublicPlayer>,
}

/// Lists the names of the seated players, and which of them are bots.
#[utoipa::path(get, path = "/api/tables/{table}/people", tag = "tables", params(("table" = String, Path)),
    responses((status = 200, body = SeatedPlayers), Problems))]
pub(super) async fn people(
    State(app): State<Arc<App>>,
    Path(table): Path<TableId>,
) -> Result<Json<SeatedPlayers>, ApiProblem> {
    let (_, view) = app.tables.view(&table, &Viewer::Watcher).await?;
    let ids: Vec<PlayerId> = view.seats.into_iter().map(|seat| seat.player).collect();
    Ok(Json(SeatedPlayers { people: names_of(&app, &ids).await? }))
}

/// Returns names and kinds of players, by player id.
async fn names_of(app: &App, ids: &[PlayerId]) -> Result<BTreeMap<String, PublicPlayer>, ApiProblem> {
    let people = app.store().people(ids).await?.into_iter();
    let names = people.map(|(id, person)| {
        (id.to_string(), PublicPlayer { name: person.name.into(), bot: person.kind == PersonKind::Bot })
    });
    Ok(names.collect())
}

/// Rules of a table: its book with the table's overrides.
#[derive(Serialize, ToSchema)]
pub(super) struct TableRulesAnswer {
    /// Ranking of hands. The posted paytables decide the joker.
    ranking: RankingNames,
    /// Wagers and paytables of the book.
    book: BookSummary,
    /// Rules of the book in plain language.
    rules: RulesAnswer,
}

/// Returns the rules of a table: the rules and paytables of its book, with the values that the table was opened with.
/// They never change. If the program's rules differ from those that the table was opened with, the table is closed to
/// play and this request is refused.
#[utoipa::path(get, path = "/api/tables/{table}/rules", tag = "tables", params(("table" = String, Path)),
    responses((status = 200, body = TableRulesAnswer), Problems))]
pub(super) async fn rules(
    State(app): State<Arc<App>>,
    Path(table): Path<TableId>,
) -> Result<Json<TableRulesAnswer>, ApiProblem> {
    let table_rules = app.tables.table_rules(&table).await?;
    let book = table_rules.book();
    Ok(Json(TableRulesAnswer {
        ranking: table_rules.evaluator().ranking().into(),
        book: BookSummary::of(book),
        rules: RulesAnswer::of(&table_rules),
    }))
}
