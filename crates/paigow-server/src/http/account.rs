//! Endpoints of a player's account: show it, and make a guest an account.

pub(super) mod ceremony;
pub(super) mod data;
pub(super) mod deletion;
pub(super) mod limits;
pub(super) mod passkeys;
pub(super) mod password;
pub(super) mod sessions;

use super::auth::{Cookie, PlayerSession};
use super::client_text::ClientText;
use super::input::Body;
use super::session::{begin_session, cents_of, name_taken, person_of};
use super::{ApiFault, ApiProblem, Problems, run_to_completion};
use crate::app::App;
use crate::people::account::{ClaimOutcome, PersonAccount, owner_of_name, register};
use crate::people::credentials::{Credentials, NewPassword, PasswordFault, RecoveryCodes};
use crate::people::{
    Documents, EndSessions, People, PeopleChange, Person, PersonName, SessionOwner, Versioned, load,
};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use limits::Limits;
use paigow_table::{PlayerId, Time};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// Time after a sign-in in which credentials may be changed, in milliseconds.
const RECENT_MS: u64 = 15 * 60_000;
/// Number of attempts to change an account that other requests change at the same time.
const ATTEMPTS_MAX: u32 = 8;

/// Account of the player. A guest has one without credentials.
#[derive(Serialize, ToSchema)]
#[schema(as = Account)]
pub(super) struct AccountAnswer {
    /// Player id.
    player: PlayerId,
    /// Name that other players see.
    name: String,
    /// Whether the player has an account, and is no guest.
    account: bool,
    /// Time at which the guest became an account, or at which the guest was enrolled.
    since: Time,
    /// Whether the account has a password.
    password: bool,
    /// Passkeys in the order of registration.
    passkeys: Vec<PasskeyEntry>,
    /// Number of unused recovery codes.
    recovery_codes: usize,
    limits: Limits,
    /// Balance by currency, in cents. Practice chips are always listed.
    cents: BTreeMap<String, i64>,
}

/// A passkey of an account.
#[derive(Serialize, ToSchema)]
pub(super) struct PasskeyEntry {
    /// Credential id in base64url.
    id: String,
    /// Name that the player gave it.
    label: String,
    /// Time of registration.
    since: Time,
    /// Time of the last sign-in, or null.
    #[schema(required)]
    used_at: Option<Time>,
}

/// A new account with its recovery codes, which the server shows once.
#[derive(Serialize, ToSchema)]
pub(super) struct NewAccount {
    account: AccountAnswer,
    /// Recovery codes, each of which signs in once.
    recovery_codes: Vec<String>,
}

impl AccountAnswer {
    pub(super) async fn of(app: &App, player: &PlayerId) -> Result<AccountAnswer, ApiProblem> {
        let person = person_of(app, player).await?;
        let account = account_of(app, player).await?.map(|account| account.value);
        let since = account.as_ref().map_or(person.since, |account| account.since);
        let is_account = account.is_some();
        let credentials = account.map(|account| account.credentials).unwrap_or_default();
        let passkeys = credentials.passkeys().iter().map(|passkey| PasskeyEntry {
            id: passkey.id().to_owned(),
            label: passkey.label().to_owned(),
            since: passkey.since(),
            used_at: passkey.used_at(),
        });
        Ok(AccountAnswer {
            name: person.name.into(),
            account: is_account,
            since,
            password: credentials.password().is_some(),
            passkeys: passkeys.collect(),
            recovery_codes: credentials.recovery_codes_left(),
            limits: Limits::of(app, player).await?,
            cents: cents_of(app, player).await?,
            player: person.id,
        })
    }
}

/// Returns the account of a player, or `None` for a guest.
async fn account_of(app: &App, player: &PlayerId) -> Result<Option<Versioned<PersonAccount>>, ApiProblem> {
    Ok(load(app.store(), player.as_str()).await?)
}

/// Returns the account of a player. Refuses guests.
async fn required_account(app: &App, player: &PlayerId) -> Result<Versioned<PersonAccount>, ApiProblem> {
    account_of(app, player).await?.ok_or_else(|| {
        let detail = "a guest has no credentials: make an account first";
        ApiProblem::new(StatusCode::CONFLICT, "no_account", detail)
    })
}

/// Refuses a session that neither signed in nor made the account within the last minutes.
pub(super) fn check_recent(app: &App, session: &PlayerSession) -> Result<(), ApiProblem> {
    if app.now() < session.since.plus(RECENT_MS) {
        return Ok(());
    }
    let detail = "this needs a sign-in within the last 15 minutes: sign in again";
    Err(ApiProblem::new(StatusCode::FORBIDDEN, "sign_in_again", detail))
}

/// Changes an account, and retries if another request changes it at the same time.
pub(super) async fn update<T>(
    app: &App,
    player: &PlayerId,
    end_sessions: Option<EndSessions>,
    mut change: impl FnMut(&mut PersonAccount) -> Result<T, ApiProblem>,
) -> Result<T, ApiProblem> {
    for _ in 0..ATTEMPTS_MAX {
        let mut account = required_account(app, player).await?;
        let result = change(&mut account.value)?;
        let documents = vec![account.write()];
        let change =
            PeopleChange { documents, end_sessions: end_sessions.clone(), ..PeopleChange::default() };
        if app.store().change_people(change, app.now()).await? {
            return Ok(result);
        }
    }
    Err(ApiProblem::unavailable("the account is changed by other requests; retry"))
}

/// Returns the sessions of a player other than this one.
fn other_sessions(session: &PlayerSession) -> EndSessions {
    EndSessions { of: SessionOwner::Player(session.id.clone()), except: Some(session.digest) }
}

/// Checks a password that a person with a name chooses.
fn parse_password(text: &str, name: &PersonName) -> Result<NewPassword, ApiProblem> {
    NewPassword::parse(text, &[name.as_str()]).map_err(|faults| bad_password(&faults))
}

fn bad_password(faults: &[PasswordFault]) -> ApiProblem {
    let fault = |fault: &PasswordFault| ApiFault {
        code: fault.code().to_owned(),
        at: Some("password".to_owned()),
        message: fault.to_string(),
    };
    let detail: Vec<String> = faults.iter().map(ToString::to_string).collect();
    ApiProblem {
        faults: faults.iter().map(fault).collect(),
        ..ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_password", detail.join("; "))
    }
}

/// Returns the player's account: name, ways to sign in, limits and balances.
#[utoipa::path(get, path = "/api/account", tag = "account",
    responses((status = 200, body = AccountAnswer), Problems))]
pub(super) async fn show(
    State(app): State<Arc<App>>,
    player: PlayerSession,
) -> Result<Json<AccountAnswer>, ApiProblem> {
    AccountAnswer::of(&app, &player.id).await.map(Json)
}

/// Name and password of a new account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewCredentials {
    /// Name that other players see. No other account has a name that looks like it.
    #[schema(min_length = 1, max_length = 24)]
    name: String,
    /// Password.
    #[schema(min_length = 10, max_length = 128)]
    password: String,
}

/// Makes the guest an account with a password. Chips, seats and history stay.
#[utoipa::path(post, path = "/api/account", tag = "account", request_body = NewCredentials,
    responses((status = 201, body = NewAccount), Problems))]
pub(super) async fn make(
    State(app): State<Arc<App>>,
    client: ClientText,
    player: PlayerSession,
    Body(new): Body<NewCredentials>,
) -> Result<Response, ApiProblem> {
    app.check_sign_in_rate(client.address, None)?;
    let name = PersonName::parse_chosen(&new.name)?;
    check_may_register(&app, &player.id, &name).await?;
    let password = parse_password(&new.password, &name)?;
    let mut credentials = Credentials::default();
    credentials.set_password(app.passwords.hash(password, app.random_bytes()?).await?);
    run_to_completion(async move { make_account(&app, &player, client, &name, credentials).await }).await
}

/// Refuses a player who has an account, and a name that is taken. Returns the person.
async fn check_may_register(app: &App, player: &PlayerId, name: &PersonName) -> Result<Person, ApiProblem> {
    if account_of(app, player).await?.is_some() {
        let detail = "you have an account already";
        return Err(ApiProblem::new(StatusCode::CONFLICT, "already_account", detail));
    }
    if owner_of_name(app.store(), name).await?.is_some() {
        return Err(name_taken(name));
    }
    person_of(app, player).await
}

/// Stores an account with new recovery codes, and replaces the session of the guest: a copy of its cookie gives no
/// access to the account.
async fn make_account(
    app: &App,
    session: &PlayerSession,
    client: ClientText,
    name: &PersonName,
    mut credentials: Credentials,
) -> Result<Response, ApiProblem> {
    let player = &session.id;
    let codes = RecoveryCodes::new(&app.random_bytes()?);
    credentials.set_recovery_codes(&codes);
    match register(app.store(), player, name, credentials, app.now()).await? {
        ClaimOutcome::Claimed => {}
        ClaimOutcome::Taken => return Err(name_taken(name)),
        ClaimOutcome::Outdated => {
            check_may_register(app, player, name).await?;
            return Err(ApiProblem::unavailable("the player has changed meanwhile; retry"));
        }
    }
    let secret = begin_session(app, player, client.text).await?;
    app.sign_ins.succeeded(client.address, &name.key());
    // Its sockets are closed when they next check the session; the page connects again with the new cookie.
    app.store().end_session(&session.digest).await?;
    let made =
        NewAccount { account: AccountAnswer::of(app, player).await?, recovery_codes: codes.texts().to_vec() };
    let cookie = Cookie::Player.keep(app, &secret);
    Ok((StatusCode::CREATED, [(header::SET_COOKIE, cookie)], Json(made)).into_response())
}
