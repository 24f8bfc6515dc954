//! Endpoints of the lobby: list the open tables in pages, and open a practice table for a player.

use super::super::auth::PlayerSession;
use super::super::guard::Client;
use super::super::input::{Body, Query};
use super::house_way;
use super::invitations::restrict_seats;
use crate::app::{App, name, practice};
use crate::house::{LobbyTable, OWN_TABLE, opened_by_player};
use crate::http::{ApiProblem, Problems};
use crate::people::PersonName;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use paigow_table::{Actor, Clocks, Config, Currency, Opening, Secret, Table, TableId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use utoipa::ToSchema;

/// Default number of tables on a page.
const LIMIT_DEFAULT: u16 = 100;
/// Maximum number of tables on a page.
const LIMIT_MAX: u16 = 500;

/// Filter and page of the lobby.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct TableFilter {
    /// Maximum number of tables on the page. Default: 100.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u16>,
    /// Table after which the page starts: `next` of the previous page.
    #[param(value_type = Option<String>, min_length = 1, max_length = 40, pattern = "^[A-Za-z0-9._:/-]+$")]
    after: Option<TableId>,
    /// Only tables of this rule book.
    #[param(max_length = 64)]
    book: Option<String>,
    /// Only tables with at least this many free seats.
    #[param(minimum = 0, maximum = 255)]
    open_seats: Option<u8>,
    /// Only tables that the player sits at, has opened or is invited to. Requires a session.
    #[serde(default)]
    mine: bool,
    /// Only tables whose name contains this text, ignoring case.
    #[param(max_length = 40)]
    name: Option<String>,
}

/// A page of the open tables: the tables of the house first, each group sorted by name.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Lobby {
    tables: Vec<LobbyTable>,
    /// `after` of the next page, or null on the last page.
    #[schema(required)]
    next: Option<TableId>,
}

impl TableFilter {
    fn matches(&self, table: &Table, player: Option<&PlayerSession>, invited: &BTreeSet<TableId>) -> bool {
        let book = table.table_rules().book();
        let free = || usize::from(book.seats.players).saturating_sub(table.players().count());
        let is_mine = |player: &PlayerSession| {
            is_opened_by(table.id(), player)
                || table.seats_of(&player.id).next().is_some()
                || invited.contains(table.id())
        };
        let id = table.id().as_str();
        let is_listed = !table.config().private || player.is_some_and(is_mine);
        is_listed
            && self.book.as_ref().is_none_or(|id| *id == book.id)
            && self.open_seats.is_none_or(|seats| free() >= usize::from(seats))
            && self.name.as_ref().is_none_or(|part| contains_ignoring_case(id, part))
            && (!self.mine || player.is_some_and(is_mine))
    }
}

fn contains_ignoring_case(name: &str, part: &str) -> bool {
    name.to_ascii_lowercase().contains(&part.to_ascii_lowercase())
}

/// Sort key of the lobby. The tables of the house come first, so that tables of players cannot push them off the first
/// page.
fn lobby_order(table: &TableId) -> (bool, &TableId) {
    (opened_by_player(table), table)
}

/// Lists the tables that are not closed, with their book, limits, seats and state. The tables of the house come first.
#[utoipa::path(get, path = "/api/tables", tag = "tables", params(TableFilter), responses((status = 200, body = Lobby), Problems))]
pub(in crate::http) async fn list(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Query(filter): Query<TableFilter>,
) -> Result<Json<Lobby>, ApiProblem> {
    // Clients request the lobby often. The session is read from the store only if the filter or a private table needs it.
    let needs_player =
        filter.mine || app.tables.map_open(|table, _| table.config().private).await.contains(&true);
    let player = if needs_player { PlayerSession::of(&app, &headers).await? } else { None };
    if filter.mine && player.is_none() {
        return Err(ApiProblem::unauthorized("no session: POST /api/session first"));
    }
    let limit = usize::from(filter.limit.unwrap_or(LIMIT_DEFAULT));
    if !(1..=usize::from(LIMIT_MAX)).contains(&limit) {
        let detail = format!("`limit` is {limit}, but must be 1 to {LIMIT_MAX}");
        return Err(ApiProblem::new(StatusCode::BAD_REQUEST, "bad_query", detail));
    }
    let invited = invited_tables(&app, player.as_ref()).await?;
    // The first pass collects only names. The second describes only the tables on the page.
    let matching =
        |table: &Table, _| filter.matches(table, player.as_ref(), &invited).then(|| table.id().clone());
    let mut names: Vec<TableId> = app.tables.map_open(matching).await.into_iter().flatten().collect();
    names.sort_by(|a, b| lobby_order(a).cmp(&lobby_order(b)));
    let start = filter
        .after
        .as_ref()
        .map_or(0, |after| names.partition_point(|name| lobby_order(name) <= lobby_order(after)));
    let page = &names[start..names.len().min(start + limit)];
    let next = if start + limit < names.len() { page.last().cloned() } else { None };
    let on_page: BTreeSet<&TableId> = page.iter().collect();
    let entry = |table: &Table, _| on_page.contains(table.id()).then(|| LobbyTable::of(table));
    let mut tables: Vec<LobbyTable> = app.tables.map_open(entry).await.into_iter().flatten().collect();
    tables.sort_by(|a, b| lobby_order(&a.table).cmp(&lobby_order(&b.table)));
    Ok(Json(Lobby { tables, next }))
}

/// Returns the private tables that the player is invited to.
async fn invited_tables(app: &App, player: Option<&PlayerSession>) -> Result<BTreeSet<TableId>, ApiProblem> {
    let mut invited = BTreeSet::new();
    let Some(player) = player else { return Ok(invited) };
    let private = |table: &Table, _| table.config().private.then(|| table.id().clone());
    for table in app.tables.map_open(private).await.into_iter().flatten() {
        if app.is_member(&table, &player.id).await? {
            invited.insert(table);
        }
    }
    Ok(invited)
}

/// Shortest clock of a table that a player may open. People cannot follow a round with shorter clocks.
const CLOCK_MIN_MS: u64 = 1_000;

/// Rules and settings of a new table.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct NewTable {
    /// Name of the rule book.
    pub(in crate::http) book: String,
    /// Paytable of each side wager. Default: the choice of the book.
    #[serde(default)]
    paytables: BTreeMap<String, String>,
    /// Overrides of values in the book, by their paths in the file.
    #[serde(default)]
    changes: BTreeMap<String, String>,
    /// Time limit of each phase of a round, in milliseconds.
    #[serde(default)]
    clocks: Clocks,
    /// Names of the side wagers that the table offers. An empty list: none. Default: those that the book offers.
    #[serde(default)]
    offer: Option<Vec<String>>,
    /// Wager of the dealer against a banking seat, in cents, if the dealer's hand plays too. 0: no wager. Default: the
    /// table minimum.
    #[serde(default)]
    dealer_wager_cents: Option<u64>,
    /// Maximum number of seats that bots may take.
    #[serde(default)]
    bots: u8,
    /// Name of the table that players see. Default: none.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 24)]
    name: Option<String>,
    /// Whether the lobby lists the table only for its players. Other players need the address of the table.
    #[serde(default)]
    private: bool,
    /// Players who may sit at the table.
    #[serde(default)]
    pub(in crate::http) seats: SeatAccess,
    /// House way of the table as TOML, instead of that of the book. Only for practice chips. It must be proved on every
    /// hand.
    #[serde(default)]
    house_way_toml: Option<String>,
}

/// Players who may sit at a table.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::http) enum SeatAccess {
    /// Any player.
    #[default]
    Anyone,
    /// Players who accept an invitation, and the player who opened the table.
    Invited,
}

impl NewTable {
    /// Checks and normalizes the name of the table. Players see it like the name of a person.
    ///
    /// # Errors
    /// The name is not allowed.
    pub(in crate::http) fn check_name(&mut self) -> Result<(), ApiProblem> {
        self.name = self.name.as_deref().map(PersonName::parse_chosen).transpose()?.map(String::from);
        Ok(())
    }

    /// Returns the opening of this table with a name and a currency.
    pub(in crate::http) fn opening(self, table: TableId, currency: Currency) -> Opening {
        let NewTable {
            book,
            paytables,
            changes,
            clocks,
            offer,
            dealer_wager_cents,
            bots,
            name,
            private,
            seats: _,
            house_way_toml,
        } = self;
        let config = Config {
            table,
            book,
            paytables,
            changes,
            currency,
            clocks,
            dealer_wager_cents: 0,
            bots,
            name,
            private,
            house_way_toml,
        };
        Opening { config, offer, dealer_wager_cents }
    }
}

/// A newly opened table.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Opened {
    /// Name of the table.
    pub(in crate::http) table: TableId,
}

/// Opens a practice table with any book and paytables. The server closes it once it has had no players for a while.
#[utoipa::path(post, path = "/api/tables", tag = "tables", request_body = NewTable,
    responses((status = 201, body = Opened), Problems))]
pub(in crate::http) async fn open(
    State(app): State<Arc<App>>,
    client: Client,
    player: PlayerSession,
    Body(mut new): Body<NewTable>,
) -> Result<(StatusCode, Json<Opened>), ApiProblem> {
    app.check_account_rate(&player.id)?;
    new.check_name()?;
    let Clocks { bank, wagers, settings, between } = new.clocks;
    if [bank, wagers, settings, between].iter().any(|clock| *clock < CLOCK_MIN_MS) {
        let detail = format!("every clock must be at least {CLOCK_MIN_MS} milliseconds");
        return Err(ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_config", detail));
    }
    // The name contains the player's id, so that the tables of a player can be counted.
    let own = app.tables.map_open(|table, _| is_opened_by(table.id(), &player)).await;
    let own = own.into_iter().filter(|own| *own).count();
    let max = app.settings.tables_per_person as usize;
    if own >= max {
        let detail = format!(
            "you have {own} open tables, the maximum is {max}; a table without players closes after a while"
        );
        return Err(ApiProblem::new(StatusCode::CONFLICT, "too_many_tables", detail));
    }
    let digits = String::from(Secret(app.random_bytes()?));
    // The address of a private table is its invitation. 60 random bits cannot be guessed within the rate limits.
    let digits = &digits[..if new.private { 15 } else { 8 }];
    let table: TableId = name(&format!("{}{digits}", prefix(&player)));
    let by = Actor::Player(player.id.clone());
    let seats = new.seats;
    let opening = new.opening(table.clone(), practice());
    house_way::check(&app, client, &opening).await?;
    restrict_seats(&app, &table, seats, Some(&player.id)).await?;
    app.open(&by, &name(&format!("open:{table}")), opening).await?;
    Ok((StatusCode::CREATED, Json(Opened { table })))
}

/// Prefix of the names of a player's tables.
fn prefix(player: &PlayerSession) -> String {
    let id = player.id.as_str().trim_start_matches("guest-");
    format!("{OWN_TABLE}{}-", id.get(..20).unwrap_or(id))
}

/// Whether the player opened the table.
fn is_opened_by(table: &TableId, player: &PlayerSession) -> bool {
    table.as_str().starts_with(&prefix(player))
}
