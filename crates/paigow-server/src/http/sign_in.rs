//! Endpoints that sign in to an account: with a password, a passkey or a recovery code.

use super::account::ceremony::{self, Ceremony, PasskeyOptions, check_unchanged, no_such_ceremony};
use super::account::update;
use super::auth::{Cookie, PlayerSession};
use super::client_text::ClientText;
use super::input::Body;
use super::session::{SessionPlayer, new_session};
use super::{ApiProblem, Problems, run_to_completion};
use crate::app::App;
use crate::people::account::{PersonAccount, account_with_name};
use crate::people::credentials::{Credentials, PasswordHash};
use crate::people::{Documents, People, PeopleChange, PersonName, Versioned, load};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use paigow_table::PlayerId;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;
use utoipa::ToSchema;

/// Answer to a wrong password, a wrong code and an unknown name alike.
const WRONG: &str = "the name, the password or the code is wrong";

/// Number of attempts to begin a session while other requests change the account.
const ATTEMPTS_MAX: u32 = 8;

/// Problem of wrong credentials.
pub(super) fn wrong_credentials(detail: &str) -> ApiProblem {
    ApiProblem::new(StatusCode::UNAUTHORIZED, "wrong_credentials", detail)
}

/// Returns the account with a name. `None` if there is none, or the text is no name.
async fn find(app: &App, name: &str) -> Result<Option<(PlayerId, Versioned<PersonAccount>)>, ApiProblem> {
    let Ok(name) = PersonName::parse_chosen(name) else { return Ok(None) };
    Ok(account_with_name(app.store(), &name).await?)
}

/// Applies the rate limits of guesses from an address and for a name.
fn check_guess_rate(app: &App, client: &ClientText, name: &str) -> Result<(), ApiProblem> {
    let key = PersonName::parse_chosen(name).map_or_else(|_| String::new(), |name| name.key());
    app.check_sign_in_rate(client.address, Some(&key))
}

/// Begins a session of an account in place of the one that the request has, unless the credentials have changed since
/// they were checked.
async fn begin(
    app: Arc<App>,
    player: PlayerId,
    checked: &Credentials,
    replaced: Option<PlayerSession>,
    client: ClientText,
) -> Result<Response, ApiProblem> {
    let changes = checked.changes();
    run_to_completion(async move {
        let secret = begin_account_session(&app, &player, changes, &client).await?;
        if let Some(old) = replaced {
            app.store().end_session(&old.digest).await?;
            app.sockets.end(&old.digest);
        }
        let me = SessionPlayer::of(&app, &player).await?;
        let cookie = Cookie::Player.keep(&app, &secret);
        Ok(([(header::SET_COOKIE, cookie)], Json(me)).into_response())
    })
    .await
}

/// Begins a session in one transaction with the check that the credentials have not changed: a change ends all sessions,
/// and none may begin after it with the old credentials.
async fn begin_account_session(
    app: &App,
    player: &PlayerId,
    changes: u64,
    client: &ClientText,
) -> Result<[u8; 32], ApiProblem> {
    let (secret, session) = new_session(app, player, client.text.clone())?;
    for _ in 0..ATTEMPTS_MAX {
        let account: Option<Versioned<PersonAccount>> = load(app.store(), player.as_str()).await?;
        let account = account.ok_or_else(|| wrong_credentials(WRONG))?;
        check_unchanged(changes, &account.value.credentials)?;
        let begin_session = Some(session.clone());
        let required = vec![account.requirement()];
        let change = PeopleChange { required, begin_session, ..PeopleChange::default() };
        if app.store().change_people(change, app.now()).await? {
            app.sign_ins.succeeded(client.address, &account.value.name_key);
            return Ok(secret);
        }
    }
    Err(ApiProblem::unavailable("the account is changed by other requests; retry"))
}

/// Name and password of an account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PasswordSignIn {
    /// Name of the account, in any spelling that looks like it.
    name: String,
    /// Password.
    password: String,
}

/// Signs in with a password. The session of the request, if any, ends.
#[utoipa::path(post, path = "/api/sign-in", tag = "account", request_body = PasswordSignIn,
    responses((status = 200, body = SessionPlayer), Problems))]
pub(super) async fn with_password(
    State(app): State<Arc<App>>,
    client: ClientText,
    session: Option<PlayerSession>,
    Body(PasswordSignIn { name, password }): Body<PasswordSignIn>,
) -> Result<Response, ApiProblem> {
    check_guess_rate(&app, &client, &name)?;
    let found = find(&app, &name).await?;
    let hash = found.as_ref().and_then(|(_, account)| account.value.credentials.password());
    let is_right = app.passwords.verify_any(hash, &password).await?;
    let Some((player, mut account)) = found.filter(|_| is_right) else {
        return Err(wrong_credentials(WRONG));
    };
    if account.value.credentials.password().is_some_and(PasswordHash::needs_rehash) {
        let hash = app.passwords.rehash(&password, app.random_bytes()?).await?;
        account.value.credentials.set_new_hash(hash);
        let change = PeopleChange { documents: vec![account.write()], ..PeopleChange::default() };
        // If the account has changed meanwhile, the next sign-in hashes the password again.
        app.store().change_people(change, app.now()).await?;
    }
    begin(app, player, &account.value.credentials, session, client).await
}

/// Name of an account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PasskeySignIn {
    /// Name of the account, in any spelling that looks like it.
    name: String,
}

/// Begins a sign-in with a passkey.
#[utoipa::path(post, path = "/api/sign-in/passkey/options", tag = "account", request_body = PasskeySignIn,
    responses((status = 200, body = PasskeyOptions), Problems))]
pub(super) async fn passkey_options(
    State(app): State<Arc<App>>,
    client: ClientText,
    headers: HeaderMap,
    Body(PasskeySignIn { name }): Body<PasskeySignIn>,
) -> Result<Json<PasskeyOptions>, ApiProblem> {
    // A passkey cannot be guessed, so the tries for a name are not limited.
    app.check_sign_in_rate(client.address, None)?;
    let relying_party = ceremony::relying_party(&app, &headers)?;
    let unknown = || wrong_credentials("no account of this name has a passkey for this page");
    let (player, account) = find(&app, &name).await?.ok_or_else(unknown)?;
    let started = relying_party.start_authentication(&account.value.credentials);
    let (options, state) = started.map_err(|_| unknown())?;
    let changes = account.value.credentials.changes();
    ceremony::begin(&app, &Ceremony::AccountSignIn { player, changes, state }, options).await.map(Json)
}

/// Response of the browser to the options of a sign-in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PasskeyResponse {
    /// Id of the ceremony.
    ceremony: String,
    /// Credential of `navigator.credentials.get`, with binary values in base64url.
    #[schema(value_type = Object)]
    credential: Value,
}

/// Finishes a sign-in with a passkey. The session of the request, if any, ends.
#[utoipa::path(post, path = "/api/sign-in/passkey", tag = "account", request_body = PasskeyResponse,
    responses((status = 200, body = SessionPlayer), Problems))]
pub(super) async fn with_passkey(
    State(app): State<Arc<App>>,
    client: ClientText,
    session: Option<PlayerSession>,
    headers: HeaderMap,
    Body(PasskeyResponse { ceremony, credential }): Body<PasskeyResponse>,
) -> Result<Response, ApiProblem> {
    app.check_sign_in_rate(client.address, None)?;
    let relying_party = ceremony::relying_party(&app, &headers)?;
    let Ceremony::AccountSignIn { player, changes, state } = ceremony::take(&app, &ceremony).await? else {
        return Err(no_such_ceremony());
    };
    let checked = update(&app, &player, None, |account| {
        check_unchanged(changes, &account.credentials)?;
        let finished =
            relying_party.finish_authentication(&credential, &state, &mut account.credentials, app.now());
        finished.map_err(|error| {
            tracing::debug!(%error, "a passkey was refused");
            wrong_credentials("the passkey was refused")
        })?;
        Ok(account.credentials.clone())
    })
    .await?;
    begin(app, player, &checked, session, client).await
}

/// Name and recovery code of an account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RecoverySignIn {
    /// Name of the account, in any spelling that looks like it.
    name: String,
    /// An unused recovery code.
    code: String,
}

/// Signs in with a recovery code, which is used up. The session of the request, if any, ends.
#[utoipa::path(post, path = "/api/sign-in/recovery", tag = "account", request_body = RecoverySignIn,
    responses((status = 200, body = SessionPlayer), Problems))]
pub(super) async fn with_recovery_code(
    State(app): State<Arc<App>>,
    client: ClientText,
    session: Option<PlayerSession>,
    Body(RecoverySignIn { name, code }): Body<RecoverySignIn>,
) -> Result<Response, ApiProblem> {
    check_guess_rate(&app, &client, &name)?;
    let (player, _) = find(&app, &name).await?.ok_or_else(|| wrong_credentials(WRONG))?;
    let checked = update(&app, &player, None, |account| {
        let is_right = account.credentials.use_recovery_code(&code);
        is_right.then(|| account.credentials.clone()).ok_or_else(|| wrong_credentials(WRONG))
    })
    .await?;
    begin(app, player, &checked, session, client).await
}
