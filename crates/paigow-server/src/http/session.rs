//! Endpoints of a player's session: begin, show, rename and end it.

pub(super) mod account;
pub(super) mod results;

use super::account::check_recent;
use super::auth::{Cookie, PlayerSession};
use super::client_text::ClientText;
use super::input::Body;
use super::{ApiProblem, Problems, run_to_completion};
use crate::app::{App, house, name, practice};
use crate::people::account::{self as account_documents, ClaimOutcome, PersonAccount, owner_of_name};
use crate::people::{
    People, Person, PersonKind, PersonName, Session, SessionOwner, Versioned, load, secret_digest,
};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use paigow_table::{Account, CommandId, Owner, PlayerId, Secret};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// The player of a session.
#[derive(Serialize, ToSchema)]
pub(super) struct SessionPlayer {
    /// Player id.
    player: PlayerId,
    /// Name that other players see.
    name: String,
    /// Whether the player is a guest, without an account.
    practice: bool,
    /// Whether the player has an account.
    account: bool,
    /// Balance by currency, in cents. Practice chips are always listed.
    cents: BTreeMap<String, i64>,
}

impl SessionPlayer {
    pub(super) async fn of(app: &App, id: &PlayerId) -> Result<SessionPlayer, ApiProblem> {
        let person = person_of(app, id).await?;
        let account: Option<Versioned<PersonAccount>> = load(app.store(), id.as_str()).await?;
        Ok(SessionPlayer {
            player: person.id,
            name: person.name.into(),
            practice: account.is_none() && person.kind == PersonKind::Guest,
            account: account.is_some(),
            cents: cents_of(app, id).await?,
        })
    }
}

/// Returns the person of a session.
pub(super) async fn person_of(app: &App, id: &PlayerId) -> Result<Person, ApiProblem> {
    let person = app.store().person(id).await?;
    person.ok_or_else(|| ApiProblem::unauthorized("the player of this session no longer exists"))
}

/// Returns the balances of a player by currency. Practice chips are always among them.
pub(super) async fn cents_of(app: &App, id: &PlayerId) -> Result<BTreeMap<String, i64>, ApiProblem> {
    let balances = app.store().balances_of(&Owner::Player(id.clone())).await?;
    let practice = std::iter::once((practice().to_string(), 0));
    Ok(practice.chain(balances.into_iter().map(|(currency, cents)| (currency.to_string(), cents))).collect())
}

/// Account of a player's practice chips.
pub(super) fn practice_account(player: &PlayerId) -> Account {
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
    client: ClientText,
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
    if owner_of_name(app.store(), &name).await?.is_some() {
        return Err(name_taken(&name));
    }
    app.check_guest_rate(client.client().0)?;
    // A client that disconnects must not leave a guest without chips or session.
    let (me, secret) = run_to_completion(begin_as(app.clone(), name, client.text)).await?;
    Ok((StatusCode::CREATED, [(header::SET_COOKIE, Cookie::Player.keep(&app, &secret))], Json(me))
        .into_response())
}

async fn begin_as(
    app: Arc<App>,
    guest_name: PersonName,
    client: String,
) -> Result<(SessionPlayer, [u8; 32]), ApiProblem> {
    let id = guest_id(&app)?;
    let person = guest(&app, id.clone(), guest_name);
    if !account_documents::enrol_guest(app.store(), person.clone()).await? {
        return Err(name_taken(&person.name));
    }
    let first_chips = name(&format!("first-chips:{id}"));
    give_chips(&app, &id, &first_chips).await?;
    let secret = begin_session(&app, &id, client).await?;
    Ok((SessionPlayer::of(&app, &id).await?, secret))
}

/// Begins a session of a player and returns its secret.
pub(super) async fn begin_session(
    app: &App,
    player: &PlayerId,
    client: String,
) -> Result<[u8; 32], ApiProblem> {
    let (secret, session) = new_session(app, player, client)?;
    app.store().begin_session(session).await?;
    Ok(secret)
}

/// Returns a session of a player that has not begun, and its secret.
pub(super) fn new_session(
    app: &App,
    player: &PlayerId,
    client: String,
) -> Result<([u8; 32], Session), ApiProblem> {
    let secret = app.random_bytes()?;
    let now = app.now();
    let session = Session {
        digest: secret_digest(&secret),
        who: SessionOwner::Player(player.clone()),
        since: now,
        seen: now,
        until: Cookie::Player.until(app, now),
        client,
    };
    Ok((secret, session))
}

/// Problem of a name that looks like that of another account.
pub(super) fn name_taken(name: &PersonName) -> ApiProblem {
    let detail = format!("the name `{name}` is taken, or looks like one that is: choose another");
    ApiProblem::new(StatusCode::CONFLICT, "name_taken", detail)
}

/// Returns a random player id. Its 80 bits make a collision practically impossible.
fn guest_id(app: &App) -> Result<PlayerId, ApiProblem> {
    let digits = String::from(Secret(app.random_bytes()?));
    Ok(name(&format!("guest-{}", &digits[..20])))
}

fn generated_name(app: &App) -> Result<PersonName, ApiProblem> {
    let digits = String::from(Secret(app.random_bytes()?));
    PersonName::of_guest(&digits[..4]).ok_or_else(|| ApiProblem::unavailable("cannot generate a name"))
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
    // The name of an account is the one to sign in with.
    if load::<PersonAccount>(app.store(), player.id.as_str()).await?.is_some() {
        check_recent(&app, &player)?;
    }
    rename_person(&app, &player.id, &PersonName::parse_chosen(&new.name)?).await?;
    SessionPlayer::of(&app, &player.id).await.map(Json)
}

/// Renames a person, and moves the claim of an account to the new name.
pub(super) async fn rename_person(app: &App, player: &PlayerId, name: &PersonName) -> Result<(), ApiProblem> {
    match account_documents::rename(app.store(), player, name, app.now()).await? {
        ClaimOutcome::Claimed => Ok(()),
        ClaimOutcome::Taken => Err(name_taken(name)),
        ClaimOutcome::Outdated => Err(ApiProblem::unavailable("the player has changed meanwhile; retry")),
    }
}

/// Ends the session and closes its sockets.
#[utoipa::path(delete, path = "/api/session", tag = "session",
    responses((status = 204), Problems))]
pub(super) async fn end(
    State(app): State<Arc<App>>,
    player: PlayerSession,
) -> Result<impl IntoResponse, ApiProblem> {
    // The player keeps seats and chips. A guest has no access to them any more; an account may sign in again.
    app.store().end_session(&player.digest).await?;
    app.sockets.end(&player.digest);
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, Cookie::Player.forget(&app))]))
}
