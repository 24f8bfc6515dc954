//! Endpoints of operators for people: find, show, rename and sign out.

use super::perform::{Act, perform};
use crate::app::App;
use crate::http::auth::OperatorSession;
use crate::http::input::{Body, Path, Query};
use crate::http::session::rename_person;
use crate::http::{ApiProblem, Problems};
use crate::people::{
    DocumentKey, DocumentKind, Documents, EndSessions, People, PeopleChange, Permission, Person, PersonKind,
    PersonName, SessionOwner,
};
use axum::Json;
use axum::extract::State;
use paigow_table::{Owner, PlayerId, TableId, Time};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// Maximum number of people on a page.
const LIMIT_MAX: u32 = 200;
const LIMIT_DEFAULT: u32 = 50;
/// Maximum number of characters of a searched part.
const PART_MAX: usize = 64;

/// Part of the name or id, and the page.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct PeopleQuery {
    /// Part of the name or the player id. Default: all people.
    #[serde(default)]
    #[param(max_length = 64)]
    part: String,
    /// Player after whom the page starts: `next` of the previous page.
    #[param(value_type = Option<String>, min_length = 1, max_length = 64, pattern = "^[A-Za-z0-9._:/-]+$")]
    after: Option<PlayerId>,
    /// Maximum number of people, from 1 to 200. Default: 50.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
}

/// A person in a list.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct ListedPerson {
    /// Player id.
    player: PlayerId,
    /// Name that other players see.
    name: String,
    /// Whether the person has an account.
    account: bool,
    /// Whether the server controls the player.
    bot: bool,
    /// Time of enrollment.
    since: Time,
}

/// A page of people, by id.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct PeoplePage {
    people: Vec<ListedPerson>,
    /// `after` of the next page, or null on the last page.
    #[schema(required)]
    next: Option<PlayerId>,
}

impl ListedPerson {
    async fn of(app: &App, person: Person) -> Result<ListedPerson, ApiProblem> {
        let bot = person.kind == PersonKind::Bot;
        let account = !bot && document(app, DocumentKind::Account, &person.id).await?.is_some();
        Ok(ListedPerson { player: person.id, name: person.name.into(), account, bot, since: person.since })
    }
}

async fn document(app: &App, kind: DocumentKind, player: &PlayerId) -> Result<Option<Value>, ApiProblem> {
    let document = app.store().document(&DocumentKey { kind, id: player.to_string() }).await?;
    Ok(document.and_then(|document| serde_json::from_str(&document.json).ok()))
}

/// Lists people by a part of their name or id.
#[utoipa::path(get, path = "/api/operator/people", tag = "operator", params(PeopleQuery),
    responses((status = 200, body = PeoplePage), Problems))]
pub(in crate::http) async fn list(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
    Query(PeopleQuery { part, after, limit }): Query<PeopleQuery>,
) -> Result<Json<PeoplePage>, ApiProblem> {
    let part: String = part.chars().take(PART_MAX).collect();
    // The log outlives the people in it, so it has no part of a name.
    let act = Act::read("people", json!({ "searched": !part.is_empty(), "after": after }));
    let work = {
        let app = app.clone();
        async move {
            let limit = limit.unwrap_or(LIMIT_DEFAULT).clamp(1, LIMIT_MAX);
            let found = app.store().people_like(&part, after.as_ref(), limit).await?;
            let is_full = found.len() == limit as usize;
            let next = found.last().filter(|_| is_full).map(|person| person.id.clone());
            let mut people = Vec::with_capacity(found.len());
            for person in found {
                people.push(ListedPerson::of(&app, person).await?);
            }
            Ok(Json(PeoplePage { people, next }))
        }
    };
    perform(&app, &operator, act, work).await
}

/// A seat of a person.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct SeatOfPerson {
    /// Name of the table.
    table: TableId,
    /// Number of the seat.
    seat: u8,
}

/// A person with balances, sessions and seats.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct PersonDetail {
    /// Player id.
    player: PlayerId,
    /// Name that other players see.
    name: String,
    /// Whether the person has an account.
    account: bool,
    /// Whether the server controls the player.
    bot: bool,
    /// Time of enrollment.
    since: Time,
    /// Balance by currency, in cents.
    cents: BTreeMap<String, i64>,
    /// Number of sessions that have not expired.
    sessions: usize,
    /// Seats at open tables.
    seats: Vec<SeatOfPerson>,
    /// Limits that the person has set, or null.
    #[schema(required, value_type = Option<Object>)]
    limits: Option<Value>,
}

impl PersonDetail {
    async fn of(app: &App, player: &PlayerId) -> Result<PersonDetail, ApiProblem> {
        let none = || ApiProblem::not_found("no_such_player", format!("player {player} does not exist"));
        let person = app.store().person(player).await?.ok_or_else(none)?;
        let ListedPerson { name, account, bot, since, .. } = ListedPerson::of(app, person).await?;
        let balances = app.store().balances_of(&Owner::Player(player.clone())).await?;
        let owner = SessionOwner::Player(player.clone());
        let sessions = app.store().sessions_of(&owner, app.session_now()).await?;
        let seats = app.tables.map_open(|table, _| {
            let seat = |seat| SeatOfPerson { table: table.id().clone(), seat };
            table.seats_of(player).map(seat).collect::<Vec<_>>()
        });
        let mut seats: Vec<SeatOfPerson> = seats.await.into_iter().flatten().collect();
        seats.sort_by(|a, b| (&a.table, a.seat).cmp(&(&b.table, b.seat)));
        Ok(PersonDetail {
            player: player.clone(),
            name,
            account,
            bot,
            since,
            cents: balances.into_iter().map(|(currency, cents)| (currency.to_string(), cents)).collect(),
            sessions: sessions.len(),
            seats,
            limits: document(app, DocumentKind::Limits, player).await?,
        })
    }
}

/// Returns a person with balances, sessions and seats.
#[utoipa::path(get, path = "/api/operator/people/{player}", tag = "operator", params(("player" = String, Path)),
    responses((status = 200, body = PersonDetail), Problems))]
pub(in crate::http) async fn show(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
    Path(player): Path<PlayerId>,
) -> Result<Json<PersonDetail>, ApiProblem> {
    let act = Act::read("person", json!({ "player": player }));
    let work = {
        let app = app.clone();
        async move { PersonDetail::of(&app, &player).await.map(Json) }
    };
    perform(&app, &operator, act, work).await
}

/// Another name for a person.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct PersonRename {
    /// Name that other players see.
    #[schema(min_length = 1, max_length = 24)]
    name: String,
}

/// Renames a person.
#[utoipa::path(patch, path = "/api/operator/people/{player}", tag = "operator", params(("player" = String, Path)),
    request_body = PersonRename, responses((status = 200, body = PersonDetail), Problems))]
pub(in crate::http) async fn rename(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
    Path(player): Path<PlayerId>,
    Body(PersonRename { name }): Body<PersonRename>,
) -> Result<Json<PersonDetail>, ApiProblem> {
    // The house log has the digest of the new name.
    let act = Act::change(Permission::Administer, "person.rename", json!({ "player": player }));
    let work = {
        let app = app.clone();
        async move {
            let name = PersonName::parse_chosen(&name)?;
            // An unknown person is reported first.
            PersonDetail::of(&app, &player).await?;
            rename_person(&app, &player, &name).await?;
            PersonDetail::of(&app, &player).await.map(Json)
        }
    };
    perform(&app, &operator, act, work).await
}

/// Result of a sign-out.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct EndedSessions {
    /// Number of sessions that were ended.
    ended: usize,
}

/// Ends all sessions of a person and closes their sockets in this process. Other processes close theirs within a minute.
#[utoipa::path(post, path = "/api/operator/people/{player}/sign-out", tag = "operator", params(("player" = String, Path)),
    responses((status = 200, body = EndedSessions), Problems))]
pub(in crate::http) async fn sign_out(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
    Path(player): Path<PlayerId>,
) -> Result<Json<EndedSessions>, ApiProblem> {
    let act = Act::change(Permission::Administer, "person.sign-out", json!({ "player": player }));
    let work = {
        let app = app.clone();
        async move {
            let of = SessionOwner::Player(player);
            let sessions = app.store().sessions_of(&of, app.session_now()).await?;
            let end_sessions = Some(EndSessions { of, except: None });
            let change = PeopleChange { end_sessions, ..PeopleChange::default() };
            app.store().change_people(change, app.now()).await?;
            for session in &sessions {
                app.sockets.end(&session.digest);
            }
            Ok(Json(EndedSessions { ended: sessions.len() }))
        }
    };
    perform(&app, &operator, act, work).await
}
