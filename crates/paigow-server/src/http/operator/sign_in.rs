//! Sign-in of operators: a password with an authenticator code, or a passkey.

use super::ceremony::{self, Ceremony};
use super::perform::{DONE, log, with_outcome};
use crate::app::App;
use crate::http::auth::Cookie;
use crate::http::client_text::ClientText;
use crate::http::input::Body;
use crate::http::{ApiProblem, Problems};
use crate::people::credentials::PasswordHash;
use crate::people::{
    Documents, Operator, PeopleChange, Session, SessionOwner, Versioned, load, secret_digest,
};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::IntoResponse;
use paigow_table::PlayerId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use utoipa::ToSchema;

/// Number of attempts to store the use of a code, if other sign-ins change the operator meanwhile.
const ATTEMPTS_MAX: u32 = 4;

/// Name, password and code of an operator.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct OperatorSignIn {
    /// Name of the operator.
    name: PlayerId,
    /// Password.
    password: String,
    /// Code of the authenticator, or a recovery code, which is used up.
    code: String,
}

/// Signs an operator in with a password and a code.
#[utoipa::path(post, path = "/api/operator/session", tag = "operator", request_body = OperatorSignIn,
    responses((status = 204), Problems))]
pub(in crate::http) async fn begin(
    State(app): State<Arc<App>>,
    client: ClientText,
    Body(OperatorSignIn { name, password, code }): Body<OperatorSignIn>,
) -> Result<impl IntoResponse, ApiProblem> {
    check_tries(&app, &client, &name, Some(&name)).await?;
    let operator = signing_in(&app, &name).await?;
    let hash = operator.as_ref().and_then(|operator| operator.value.credentials.password());
    let checked = operator.as_ref().map(|operator| operator.value.credentials.changes());
    let is_right = app.passwords.verify_any(hash, &password).await?;
    if !is_right {
        return Err(refuse(&app, &client, &name, "password").await);
    }
    for _ in 0..ATTEMPTS_MAX {
        // Read again: another sign-in may have used the code since, or the credentials may have changed.
        let Some(mut operator) = signing_in(&app, &name).await? else { break };
        let credentials = &mut operator.value.credentials;
        if Some(credentials.changes()) != checked {
            break;
        }
        let method = if credentials.use_authenticator_code(&code, app.now()).is_ok() {
            "password and authenticator"
        } else if credentials.use_recovery_code(&code) {
            "password and recovery code"
        } else {
            break;
        };
        if credentials.password().is_some_and(PasswordHash::needs_rehash) {
            let hash = app.passwords.rehash(&password, app.random_bytes()?).await?;
            credentials.set_new_hash(hash);
        }
        let change = PeopleChange { documents: vec![operator.write()], ..PeopleChange::default() };
        if app.store().change_people(change, app.now()).await? {
            let changes = operator.value.credentials.changes();
            let cookie = begin_session(&app, &client, &name, changes, json!({ "method": method })).await?;
            return Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]));
        }
    }
    Err(refuse(&app, &client, &name, "password").await)
}

/// Returns an operator who may sign in.
async fn signing_in(app: &App, name: &PlayerId) -> Result<Option<Versioned<Operator>>, ApiProblem> {
    let operator = load::<Operator>(app.store(), name.as_str()).await?;
    Ok(operator.filter(|operator| !operator.value.disabled))
}

/// Name of an operator who signs in with a passkey.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct OperatorName {
    /// Name of the operator.
    name: PlayerId,
}

/// First half of a ceremony with a passkey.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct PasskeySignIn {
    /// Id of the ceremony, valid for five minutes and once.
    ceremony: String,
    /// Options for `navigator.credentials.get`.
    #[schema(value_type = Object)]
    options: Value,
}

/// Begins a sign-in with a passkey.
#[utoipa::path(post, path = "/api/operator/session/passkey/options", tag = "operator", request_body = OperatorName,
    responses((status = 200, body = PasskeySignIn), Problems))]
pub(in crate::http) async fn passkey_options(
    State(app): State<Arc<App>>,
    client: ClientText,
    headers: HeaderMap,
    Body(OperatorName { name }): Body<OperatorName>,
) -> Result<Json<PasskeySignIn>, ApiProblem> {
    // Passkeys cannot be guessed, so tries are not counted by name: an attacker cannot lock an operator out.
    check_tries(&app, &client, &name, None).await?;
    let relying_party = ceremony::relying_party(&app, &headers)?;
    let operator = signing_in(&app, &name).await?;
    let started = operator.and_then(|found| {
        let credentials = &found.value.credentials;
        Some((credentials.changes(), relying_party.start_authentication(credentials).ok()?))
    });
    let Some((changes, (options, state))) = started else {
        return Err(refuse(&app, &client, &name, "passkey").await);
    };
    let ceremony = ceremony::begin(&app, &Ceremony::OperatorSignIn { name, changes, state }).await?;
    Ok(Json(PasskeySignIn { ceremony, options }))
}

/// Second half of a sign-in with a passkey.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct OperatorPasskey {
    /// Id of the ceremony.
    ceremony: String,
    /// Response of `navigator.credentials.get`.
    #[schema(value_type = Object)]
    credential: Value,
}

/// Finishes a sign-in with a passkey. A passkey counts as both factors, because its device verifies the person.
#[utoipa::path(post, path = "/api/operator/session/passkey", tag = "operator", request_body = OperatorPasskey,
    responses((status = 204), Problems))]
pub(in crate::http) async fn passkey(
    State(app): State<Arc<App>>,
    client: ClientText,
    headers: HeaderMap,
    Body(OperatorPasskey { ceremony, credential }): Body<OperatorPasskey>,
) -> Result<impl IntoResponse, ApiProblem> {
    let relying_party = ceremony::relying_party(&app, &headers)?;
    let Ceremony::OperatorSignIn { name, changes, state } = ceremony::take(&app, &ceremony).await? else {
        return Err(wrong_credentials());
    };
    for _ in 0..ATTEMPTS_MAX {
        let Some(mut operator) = signing_in(&app, &name).await? else { break };
        if operator.value.credentials.changes() != changes {
            break;
        }
        let finished = relying_party.finish_authentication(
            &credential,
            &state,
            &mut operator.value.credentials,
            app.now(),
        );
        if finished.is_err() {
            break;
        }
        let change = PeopleChange { documents: vec![operator.write()], ..PeopleChange::default() };
        if app.store().change_people(change, app.now()).await? {
            let detail = json!({ "method": "passkey" });
            let cookie = begin_session(&app, &client, &name, changes, detail).await?;
            return Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]));
        }
    }
    Err(refuse(&app, &client, &name, "passkey").await)
}

/// Begins a session of an operator whose credentials were checked, unless they have changed since. Returns the cookie.
///
/// The check and the session are one transaction, because a change of the operator ends all sessions and none may begin
/// after it. The client receives the secret only after the session is logged.
pub(super) async fn begin_session(
    app: &App,
    client: &ClientText,
    name: &PlayerId,
    changes: u64,
    mut detail: Value,
) -> Result<HeaderValue, ApiProblem> {
    let (secret, now) = (app.random_bytes()?, app.now());
    detail["client"] = client.text.as_str().into();
    detail["address"] = client.address.to_string().into();
    let session = Session {
        digest: secret_digest(&secret),
        who: SessionOwner::Operator(name.clone()),
        since: now,
        seen: now,
        until: Cookie::Operator.until(app, now),
        client: client.text.clone(),
    };
    for _ in 0..ATTEMPTS_MAX {
        let operator = signing_in(app, name).await?;
        let Some(operator) = operator.filter(|operator| operator.value.credentials.changes() == changes)
        else {
            break;
        };
        let (required, begin_session) = (vec![operator.requirement()], Some(session.clone()));
        let change = PeopleChange { required, begin_session, ..PeopleChange::default() };
        if app.store().change_people(change, now).await? {
            log(app, name, "session.begin", &with_outcome(detail, DONE)).await?;
            app.sign_ins.succeeded(client.address, &guess_key(name));
            return Ok(Cookie::Operator.keep(app, &secret));
        }
    }
    Err(refuse(app, client, name, "changed credentials").await)
}

/// Key of an operator among the names whose passwords can be guessed.
fn guess_key(name: &PlayerId) -> String {
    format!("operator {name}")
}

pub(super) fn wrong_credentials() -> ApiProblem {
    // One message for every cause, so that it does not tell which names exist.
    let detail = "wrong name, password, code or passkey";
    ApiProblem::new(StatusCode::UNAUTHORIZED, "wrong_credentials", detail)
}

/// Logs a failed sign-in or enrolment with the address of the client, and returns the problem.
pub(super) async fn refuse(app: &App, client: &ClientText, name: &PlayerId, method: &str) -> ApiProblem {
    let problem = wrong_credentials();
    log_refused(app, client, name, method, &problem).await;
    problem
}

/// Logs a refused sign-in with the address, within the limit of such entries.
pub(super) async fn log_refused(
    app: &App,
    client: &ClientText,
    name: &PlayerId,
    method: &str,
    problem: &ApiProblem,
) {
    let address = client.address;
    tracing::warn!(operator = %name, %address, method, code = problem.code, "sign-in of an operator refused");
    if !app.may_log_failed_sign_in() {
        return;
    }
    let detail = json!({ "method": method, "address": address.to_string(), "client": client.text });
    // The refusal stands even if it cannot be logged.
    let _ = log(app, name, "session.begin", &with_outcome(detail, &problem.code)).await;
}

/// Applies the rate limits of sign-ins to an address and, for methods that can be guessed, to a name.
pub(super) async fn check_tries(
    app: &App,
    client: &ClientText,
    name: &PlayerId,
    guessed: Option<&PlayerId>,
) -> Result<(), ApiProblem> {
    let guessed = guessed.map(guess_key);
    let Err(problem) = app.check_sign_in_rate(client.address, guessed.as_deref()) else { return Ok(()) };
    if app.is_first_excess(client.address) {
        log_refused(app, client, name, "any", &problem).await;
    }
    Err(problem)
}
