//! Ceremonies of operators: state between the two requests of an enrolment or a sign-in with a passkey.

use crate::app::App;
use crate::http::ApiProblem;
use crate::http::auth::parse_secret;
use crate::people::credentials::{
    Authenticator, PasskeyError, PasskeysUnavailable, PasswordHash, RelyingParty,
};
use crate::people::{Documents, secret_digest};
use axum::http::{HeaderMap, StatusCode, header};
use paigow_table::{PlayerId, Secret, Time};
use serde::{Deserialize, Serialize};
use webauthn_rs::prelude::{PasskeyAuthentication, PasskeyRegistration};

/// Time that a ceremony may take, in milliseconds.
const CEREMONY_MS: u64 = 5 * 60_000;
/// Number of authenticator codes that may be tried in one enrolment.
const TRIES_MAX: u8 = 5;

/// State of a ceremony. The tags differ from those of players, so that no ceremony finishes one of the other kind.
#[derive(Serialize, Deserialize)]
#[serde(tag = "ceremony", rename_all = "snake_case")]
pub(super) enum Ceremony {
    OperatorEnrolment(EnrolmentCeremony),
    OperatorSignIn {
        name: PlayerId,
        /// Number of changes of the credentials when it began.
        #[serde(default)]
        changes: u64,
        state: PasskeyAuthentication,
    },
}

/// Enrolment that waits for an authenticator code or a passkey.
#[derive(Serialize, Deserialize)]
pub(super) struct EnrolmentCeremony {
    pub(super) name: PlayerId,
    /// Digest of the enrolment code or the operator secret.
    pub(super) digest: [u8; 32],
    pub(super) new: NewCredential,
    pub(super) until: Time,
    pub(super) tries: u8,
}

/// Credential that an enrolment sets.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum NewCredential {
    Password { hash: PasswordHash, authenticator: Authenticator },
    Passkey { state: PasskeyRegistration },
}

impl EnrolmentCeremony {
    pub(super) fn new(name: PlayerId, digest: [u8; 32], new: NewCredential, now: Time) -> EnrolmentCeremony {
        EnrolmentCeremony { name, digest, new, until: now.plus(CEREMONY_MS), tries: 0 }
    }

    /// Stores the ceremony again under its id after a wrong code, so that a typing error does not end the enrolment.
    pub(super) async fn retry(mut self, app: &App, id: &str) -> Result<(), ApiProblem> {
        self.tries += 1;
        let Some(id) = parse_secret(id).filter(|_| self.tries < TRIES_MAX) else { return Ok(()) };
        let until = self.until;
        put(app, secret_digest(&id), &Ceremony::OperatorEnrolment(self), until).await
    }
}

/// Stores a ceremony and returns its id.
pub(super) async fn begin(app: &App, ceremony: &Ceremony) -> Result<String, ApiProblem> {
    let id = app.random_bytes()?;
    put(app, secret_digest(&id), ceremony, app.now().plus(CEREMONY_MS)).await?;
    Ok(String::from(Secret(id)))
}

async fn put(app: &App, key: [u8; 32], ceremony: &Ceremony, until: Time) -> Result<(), ApiProblem> {
    let json = serde_json::to_string(ceremony).map_err(|_| ApiProblem::internal_error())?;
    app.store().put_ceremony(key, json, until).await?;
    Ok(())
}

/// Takes a ceremony by its id.
pub(super) async fn take(app: &App, id: &str) -> Result<Ceremony, ApiProblem> {
    let none = || {
        let detail = "the ceremony is unknown, was used, or has expired: begin again";
        ApiProblem::new(StatusCode::CONFLICT, "no_such_ceremony", detail)
    };
    let key = secret_digest(&parse_secret(id).ok_or_else(none)?);
    let json = app.store().take_ceremony(&key, app.now()).await?.ok_or_else(none)?;
    serde_json::from_str(&json).map_err(|_| none())
}

/// Returns the relying party of a request.
pub(super) fn relying_party(app: &App, headers: &HeaderMap) -> Result<RelyingParty, ApiProblem> {
    let origin = headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok());
    RelyingParty::for_request(origin, &app.settings.origin())
        .map_err(|error| ApiProblem::new(StatusCode::CONFLICT, PasskeysUnavailable::CODE, error.to_string()))
}

/// Problem of a passkey that was refused while an operator registers it.
pub(super) fn refused_passkey(error: &PasskeyError) -> ApiProblem {
    ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, error.code(), error.to_string())
}
