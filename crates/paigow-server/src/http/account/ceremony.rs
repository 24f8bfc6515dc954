//! Ceremonies of players: state between the two requests of a registration or a sign-in with a passkey.

use super::super::auth::parse_secret;
use crate::app::App;
use crate::http::ApiProblem;
use crate::people::credentials::{
    Credentials, CredentialsFault, PasskeyError, PasskeysUnavailable, RelyingParty,
};
use crate::people::{Documents, PersonName, secret_digest};
use axum::http::{HeaderMap, StatusCode, header};
use paigow_table::{PlayerId, Secret};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use webauthn_rs::prelude::{PasskeyAuthentication, PasskeyRegistration};

/// Time that a ceremony may take, in milliseconds.
const CEREMONY_MS: u64 = 5 * 60_000;

/// State of a ceremony. The tags differ from those of operators, so that no ceremony finishes one of the other kind.
#[derive(Serialize, Deserialize)]
#[serde(tag = "ceremony", rename_all = "snake_case")]
pub(in crate::http) enum Ceremony {
    /// A player registers a passkey. A guest becomes an account with the name.
    AccountPasskey {
        player: PlayerId,
        name: Option<PersonName>,
        /// Number of changes of the credentials when it began.
        #[serde(default)]
        changes: u64,
        state: PasskeyRegistration,
    },
    /// A player signs in with a passkey.
    AccountSignIn {
        player: PlayerId,
        #[serde(default)]
        changes: u64,
        state: PasskeyAuthentication,
    },
}

/// First half of a ceremony with a passkey.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct PasskeyOptions {
    /// Id of the ceremony, for the second request. It is valid once, for five minutes.
    ceremony: String,
    /// Options for `navigator.credentials`, with binary values in base64url.
    #[schema(value_type = Object)]
    options: Value,
}

/// Stores a ceremony and returns its first half.
pub(in crate::http) async fn begin(
    app: &App,
    ceremony: &Ceremony,
    options: Value,
) -> Result<PasskeyOptions, ApiProblem> {
    let id = app.random_bytes()?;
    let json = serde_json::to_string(ceremony).map_err(|_| ApiProblem::internal_error())?;
    app.store().put_ceremony(secret_digest(&id), json, app.now().plus(CEREMONY_MS)).await?;
    Ok(PasskeyOptions { ceremony: String::from(Secret(id)), options })
}

/// Takes a ceremony by its id.
pub(in crate::http) async fn take(app: &App, id: &str) -> Result<Ceremony, ApiProblem> {
    let key = secret_digest(&parse_secret(id).ok_or_else(no_such_ceremony)?);
    let json = app.store().take_ceremony(&key, app.now()).await?.ok_or_else(no_such_ceremony)?;
    serde_json::from_str(&json).map_err(|_| no_such_ceremony())
}

/// Problem of a ceremony that is unknown, or of another kind or player.
pub(in crate::http) fn no_such_ceremony() -> ApiProblem {
    let detail = "the ceremony is unknown, was used, or has expired: begin again";
    ApiProblem::new(StatusCode::CONFLICT, "no_such_ceremony", detail)
}

/// Refuses a ceremony that began before the credentials changed.
pub(in crate::http) fn check_unchanged(began: u64, credentials: &Credentials) -> Result<(), ApiProblem> {
    if credentials.changes() == began {
        return Ok(());
    }
    let detail = "the ways to sign in have changed since this began: begin again";
    Err(ApiProblem::new(StatusCode::CONFLICT, "no_such_ceremony", detail))
}

/// Returns the relying party of a request.
pub(in crate::http) fn relying_party(app: &App, headers: &HeaderMap) -> Result<RelyingParty, ApiProblem> {
    let origin = headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok());
    RelyingParty::for_request(origin, &app.settings.origin())
        .map_err(|error| ApiProblem::new(StatusCode::CONFLICT, PasskeysUnavailable::CODE, error.to_string()))
}

/// Problem of a passkey that was refused while a player registers it.
pub(in crate::http) fn refused_passkey(error: &PasskeyError) -> ApiProblem {
    ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, error.code(), error.to_string())
}

/// Problem of a change that the credentials do not allow.
pub(in crate::http) fn refused_change(fault: CredentialsFault) -> ApiProblem {
    let status = match fault {
        CredentialsFault::NoSuchPasskey => StatusCode::NOT_FOUND,
        _ => StatusCode::CONFLICT,
    };
    ApiProblem::new(status, fault.code(), fault.to_string())
}
