//! Endpoints of a player's session: begin, show, rename and end it.

pub(super) mod account;
pub(super) mod results;

use super::auth::{Cookie, PlayerSession};
use super::guard::Client;
use super::input::Body;
use super::{ApiProblem, Problems, run_to_completion};
use crate::Store;
use crate::app::{App, house, name, practice};
use crate::people::{People, Person, PersonKind, PersonName, Session, SessionOwner, secret_digest};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use paigow_table::{Account, CommandId, Owner, PlayerId, Secret};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::slice;
use std::sync::Arc;
use utoipa::ToSchema;

/// The player of a session.
#[derive(Serialize, ToSchema)]
pub(super) struct SessionPlayer {
    /// Player id.
    player: PlayerId,
    /// Name that other players see.
    name: String,
    /// Whether the player is a guest, who plays for practice chips only.
    practice: bool,
    /// Balance by currency, in cents.
    cents: BTreeMap<String, i64>,
}

impl SessionPlayer {
    async fn of(app: &App, id: &PlayerId) -> Result<SessionPlayer, ApiProblem> {
        let person = app.store().person(id).await?;
        let person =
            person.ok_or_else(|| ApiProblem::unauthorized("the player of this session no longer exists"))?;
        let account = practice_account(id);
        let balances = app.store().balances(slice::from_ref(&account)).await?;
        let cents = balances.get(&account).copied().unwrap_or(0);
        Ok(SessionPlayer {
            player: person.id,
            name: person.name.into(),
            practice: person.kind == PersonKind::Guest,
            cents: BTreeMap::from([(account.currency.to_string(), cents)]),
        })
    }
}

/// Account of a player's practice chips.
fn practice_account(player: &PlayerId) -> Account {
    Account { owner: Owner::Player(player.clone()), currency: practice() }
}

/// Issues practice chips to a player, once per command id.
async fn give_chips(app: &App, player: &PlayerId, id: &CommandId) -> Result<(), ApiProblem> {
    let cents = app.settings.guest_chips_cents;
    if cents == 0 {
        return Ok(());
    }
    app.tables.issue(&house(), id, practice_account(player), cents).await?;
    Ok(())
}

/// Returns a new guest.
fn guest(app: &App, id: PlayerId, name: PersonName) -> Person {
    Person { id, name, kind: PersonKind::Guest, since: app.now() }
}

/// Request for a new guest.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewGuest {
    /// Name that other players see. Default: a generated name.
    #[serde(default)]
    name: Option<String>,
}

/// Begins a session. A request that already has a session keeps it.
#[utoipa::path(post, path = "/api/session", tag = "session", request_body = NewGuest,
    responses((status = 200, body = SessionPlayer, description = "The request already has a session"), (status = 201, body = SessionPlayer, description = "A new guest with practice chips"), Problems))]
pub(super) async fn begin(
    State(app): State<Arc<App>>,
    Client(client): Client,
    player: Option<PlayerSession>,
    Body(new): Body<NewGuest>,
) -> Result<Response, ApiProblem> {
    if let Some(player) = player {
        return Ok(Json(SessionPlayer::of(&app, &player.id).await?).into_response());
    }
    let name = match &new.name {
        Some(name) => PersonName::parse_chosen(name)?,
        None => generated_name(&app)?,
    };
    app.check_guest_rate(client)?;
    // A client that disconnects must not leave a guest without chips or session.
    let (me, secret) = run_to_completion(begin_as(app.clone(), name)).await?;
    Ok((StatusCode::CREATED, [(header::SET_COOKIE, Cookie::Player.keep(&app, &secret))], Json(me))
        .into_response())
}

async fn begin_as(app: Arc<App>, guest_name: PersonName) -> Result<(SessionPlayer, [u8; 32]), ApiProblem> {
    let secret = app.random_bytes()?;
    let id = guest_id(&app)?;
    app.store().enrol(guest(&app, id.clone(), guest_name)).await?;
    let first_chips = name(&format!("first-chips:{id}"));
    give_chips(&app, &id, &first_chips).await?;
    let now = app.now();
    let until = Cookie::Player.until(&app, now);
    let who = SessionOwner::Player(id.clone());
    app.store()
        .begin_session(Session {
            digest: secret_digest(&secret),
            who,
            since: now,
            seen: now,
            until,
            client: String::new(),
        })
        .await?;
    Ok((SessionPlayer::of(&app, &id).await?, secret))
}

/// Returns a random player id. Its 80 bits make a collision practically impossible.
fn guest_id(app: &App) -> Result<PlayerId, ApiProblem> {
    let digits = String::from(Secret(app.random_bytes()?));
    Ok(name(&format!("guest-{}", &digits[..20])))
}

fn generated_name(app: &App) -> Result<PersonName, ApiProblem> {
    let digits = String::from(Secret(app.random_bytes()?));
    let name = format!("Guest {}", digits[..4].to_uppercase());
    name.parse().map_err(|_| ApiProblem::unavailable("cannot generate a name"))
}

/// Returns the player of the session and the balance.
#[utoipa::path(get, path = "/api/session", tag = "session",
    responses((status = 200, body = SessionPlayer), Problems))]
pub(super) async fn show(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    headers: HeaderMap,
) -> Result<impl IntoResponse, ApiProblem> {
    // The server has extended the session, so the cookie must be extended too.
    let secret = Cookie::Player.secret(&app, &headers).filter(|_| player.renewed);
    let cookie = secret.map(|secret| Cookie::Player.keep(&app, &secret));
    let headers = AppendHeaders(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
    SessionPlayer::of(&app, &player.id).await.map(|me| (headers, Json(me)))
}

/// Request for another name.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewName {
    /// Name that other players see.
    #[schema(min_length = 1, max_length = 24)]
    name: String,
}

/// Renames the player.
#[utoipa::path(patch, path = "/api/session", tag = "session", request_body = NewName,
    responses((status = 200, body = SessionPlayer), Problems))]
pub(super) async fn rename(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Body(new): Body<NewName>,
) -> Result<Json<SessionPlayer>, ApiProblem> {
    let name = PersonName::parse_chosen(&new.name)?;
    app.store().rename(&player.id, &name).await?;
    SessionPlayer::of(&app, &player.id).await.map(Json)
}

/// Ends the session and closes its sockets.
#[utoipa::path(delete, path = "/api/session", tag = "session",
    responses((status = 204), Problems))]
pub(super) async fn end(
    State(app): State<Arc<App>>,
    player: PlayerSession,
) -> Result<impl IntoResponse, ApiProblem> {
    // The player keeps seats and chips, but no later session has access to them.
    app.store().end_session(&player.digest).await?;
    app.sockets.end(&player.digest);
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, Cookie::Player.forget(&app))]))
}
