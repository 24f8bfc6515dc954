//! Enrolment of operators: a person with an enrolment code sets a password and an authenticator, or a passkey.

use super::ceremony::{self, Ceremony, EnrolmentCeremony, NewCredential};
use super::operators::{NameUse, check_free};
use super::sign_in::{begin_session, check_tries, log_refused, wrong_credentials};
use crate::app::{App, name};
use crate::http::auth::parse_secret;
use crate::http::client_text::ClientText;
use crate::http::input::Body;
use crate::http::{ApiFault, ApiProblem, Problems};
use crate::people::credentials::{Authenticator, Credentials, NewPassword, PasswordFault, RecoveryCodes};
use crate::people::{
    Documents, EndSessions, Operator, OperatorNameFault, People, PeopleChange, Role, SecretUse, SessionOwner,
    Versioned, check_operator_name, load, secret_digest,
};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use paigow_table::{PlayerId, Secret};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use utoipa::ToSchema;

/// Issuer in authenticator apps.
const ISSUER: &str = "Pai gow operators";
/// Operator in the log of a refused enrolment whose ceremony is unknown. No operator has the name.
const NO_NAME: &str = "operator";
/// Label of the passkey that an enrolment registers.
const PASSKEY_LABEL: &str = "Enrolment";

/// First half of an enrolment.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct NewEnrolment {
    /// Name of the operator.
    name: PlayerId,
    /// Enrolment code from an admin, or the operator secret for the first admin.
    code: String,
    /// Password to set, together with an authenticator. Without it, the operator registers a passkey.
    #[serde(default)]
    password: Option<String>,
}

/// What the operator needs for the second half of the enrolment.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct EnrolmentOptions {
    /// Id of the ceremony, valid for five minutes.
    ceremony: String,
    /// Secret for the authenticator app, or null with a passkey.
    #[schema(required)]
    totp: Option<AuthenticatorSetup>,
    /// Options for `navigator.credentials.create`, or null with a password.
    #[schema(required, value_type = Option<Object>)]
    options: Option<Value>,
}

/// Secret for an authenticator app.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct AuthenticatorSetup {
    /// Secret in base 32, to be typed.
    secret: String,
    /// The same as an `otpauth:` URI, for a QR code.
    uri: String,
}

/// Begins the enrolment of an operator.
#[utoipa::path(post, path = "/api/operator/enrolment/options", tag = "operator", request_body = NewEnrolment,
    responses((status = 200, body = EnrolmentOptions), Problems))]
pub(in crate::http) async fn options(
    State(app): State<Arc<App>>,
    client: ClientText,
    headers: HeaderMap,
    Body(new): Body<NewEnrolment>,
) -> Result<Json<EnrolmentOptions>, ApiProblem> {
    let name = new.name.clone();
    check_tries(&app, &client, &name, None).await?;
    match begin(&app, &headers, new).await {
        Ok(options) => Ok(Json(options)),
        Err(problem) => Err(log_refusal(&app, &client, &name, problem).await),
    }
}

/// Logs a refused enrolment with the address, and returns the problem.
async fn log_refusal(app: &App, client: &ClientText, name: &PlayerId, problem: ApiProblem) -> ApiProblem {
    log_refused(app, client, name, "enrolment", &problem).await;
    problem
}

async fn begin(
    app: &App,
    headers: &HeaderMap,
    NewEnrolment { name, code, password }: NewEnrolment,
) -> Result<EnrolmentOptions, ApiProblem> {
    check_operator_name(&name)?;
    let digest = parse_secret(&code).map(|code| secret_digest(&code)).ok_or_else(wrong_credentials)?;
    grant(app, &name, digest).await?.ok_or_else(wrong_credentials)?;
    let owner = SessionOwner::Operator(name.clone());
    let (new, totp, options) = if let Some(password) = password {
        let password = NewPassword::parse(&password, &[name.as_str()]).map_err(bad_password)?;
        let hash = app.passwords.hash(password, app.random_bytes()?).await?;
        let authenticator = Authenticator::new(&app.random_bytes()?);
        let uri = authenticator.uri(ISSUER, name.as_str()).map_err(|_| ApiProblem::internal_error())?;
        let totp = AuthenticatorSetup { secret: authenticator.secret_text(), uri };
        (NewCredential::Password { hash, authenticator }, Some(totp), None)
    } else {
        let relying_party = ceremony::relying_party(app, headers)?;
        let (options, state) = relying_party
            .start_registration(&owner, name.as_str(), &Credentials::default())
            .map_err(|error| ceremony::refused_passkey(&error))?;
        (NewCredential::Passkey { state }, None, Some(options))
    };
    let enrolment = EnrolmentCeremony::new(name, digest, new, app.now());
    let ceremony = ceremony::begin(app, &Ceremony::OperatorEnrolment(enrolment)).await?;
    Ok(EnrolmentOptions { ceremony, totp, options })
}

/// Second half of an enrolment.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct FinishedEnrolment {
    /// Id of the ceremony.
    ceremony: String,
    /// Current code of the authenticator, with a password.
    #[serde(default)]
    code: Option<String>,
    /// Response of `navigator.credentials.create`, with a passkey.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    credential: Option<Value>,
}

/// The enrolled operator.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct EnrolledOperator {
    /// Name of the operator.
    name: PlayerId,
    /// Role of the operator.
    role: Role,
    /// Codes that replace a code of the authenticator, once each. The server shows them once. Empty with a passkey.
    recovery_codes: Vec<String>,
}

/// Finishes the enrolment of an operator and begins a session.
#[utoipa::path(post, path = "/api/operator/enrolment", tag = "operator", request_body = FinishedEnrolment,
    responses((status = 201, body = EnrolledOperator), Problems))]
pub(in crate::http) async fn finish(
    State(app): State<Arc<App>>,
    client: ClientText,
    headers: HeaderMap,
    Body(finished): Body<FinishedEnrolment>,
) -> Result<impl IntoResponse, ApiProblem> {
    let enrolment = match ceremony::take(&app, &finished.ceremony).await {
        Ok(Ceremony::OperatorEnrolment(enrolment)) => enrolment,
        taken => {
            let detail = "the ceremony is not an enrolment: begin again";
            let other = ApiProblem::new(StatusCode::CONFLICT, "no_such_ceremony", detail);
            // The log needs a name, and an unknown ceremony has none.
            return Err(log_refusal(&app, &client, &name(NO_NAME), taken.err().unwrap_or(other)).await);
        }
    };
    let operator = enrolment.name.clone();
    let (enrolled, changes, by) = match complete(&app, &headers, enrolment, finished).await {
        Ok(enrolled) => enrolled,
        Err(problem) => return Err(log_refusal(&app, &client, &operator, problem).await),
    };
    let detail = json!({ "method": by, "role": enrolled.role });
    let cookie = begin_session(&app, &client, &operator, changes, detail).await?;
    Ok((StatusCode::CREATED, [(header::SET_COOKIE, cookie)], Json(enrolled)))
}

/// Checks the second half of an enrolment and stores the credentials. Also returns the number of their changes, and the
/// grant as it is named in the log.
async fn complete(
    app: &App,
    headers: &HeaderMap,
    mut enrolment: EnrolmentCeremony,
    FinishedEnrolment { ceremony: id, code, credential }: FinishedEnrolment,
) -> Result<(EnrolledOperator, u64, &'static str), ApiProblem> {
    let mut credentials = Credentials::default();
    let mut recovery_codes = Vec::new();
    match &mut enrolment.new {
        NewCredential::Password { hash, authenticator } => {
            if authenticator.use_code(&code.unwrap_or_default(), app.now()).is_err() {
                enrolment.retry(app, &id).await?;
                return Err(wrong_credentials());
            }
            let codes = RecoveryCodes::new(&app.random_bytes()?);
            credentials.set_password(hash.clone());
            credentials.set_authenticator(authenticator.clone());
            credentials.set_recovery_codes(&codes);
            recovery_codes = codes.texts().to_vec();
        }
        NewCredential::Passkey { state } => {
            let relying_party = ceremony::relying_party(app, headers)?;
            let response = credential.unwrap_or_default();
            let passkey = relying_party
                .finish_registration(&response, state, PASSKEY_LABEL, app.now())
                .map_err(|error| ceremony::refused_passkey(&error))?;
            credentials
                .add_passkey(passkey)
                .map_err(|fault| ApiProblem::new(StatusCode::CONFLICT, fault.code(), fault.to_string()))?;
        }
    }
    let EnrolmentCeremony { name, digest, .. } = enrolment;
    let grant = grant(app, &name, digest).await?.ok_or_else(wrong_credentials)?;
    let (role, by) = (grant.operator.value.role, grant.by());
    let Some(changes) = grant.enrol(app, credentials).await? else {
        let detail = "the operator was changed meanwhile: begin again";
        return Err(ApiProblem::new(StatusCode::CONFLICT, "no_such_ceremony", detail));
    };
    Ok((EnrolledOperator { name, role, recovery_codes }, changes, by))
}

/// Right to enrol: the operator to write, and the use of the operator secret if it was given.
struct Grant {
    operator: Versioned<Operator>,
    secret_use: Option<Versioned<SecretUse>>,
}

/// Checks an enrolment code or the operator secret. Returns `None` if it is neither.
async fn grant(app: &App, name: &PlayerId, digest: [u8; 32]) -> Result<Option<Grant>, ApiProblem> {
    let now = app.now();
    let found = load::<Operator>(app.store(), name.as_str()).await?;
    let digits = String::from(Secret(digest));
    if let Some(operator) = &found {
        let enrolment = operator.value.enrolment.as_ref();
        if !operator.value.disabled
            && enrolment.is_some_and(|enrolment| enrolment.digest == digits && now < enrolment.until)
        {
            return Ok(Some(Grant { operator: operator.clone(), secret_use: None }));
        }
    }
    if app.store().operator_secret().await? != Some(digest) {
        return Ok(None);
    }
    if load::<SecretUse>(app.store(), &digits).await?.is_some() {
        let detail = "the operator secret has enrolled an admin: ask an admin for an enrolment code, or replace the \
                      secret with `paigow operator new-secret`";
        return Err(ApiProblem::new(StatusCode::CONFLICT, "admin_exists", detail));
    }
    check_free(app, name, NameUse::NewOrSame).await?;
    let mut operator =
        found.unwrap_or_else(|| Versioned::new(name.as_str(), Operator::new(Role::Admin, now)));
    operator.value.role = Role::Admin;
    operator.value.disabled = false;
    let secret_use = Versioned::new(digits, SecretUse { operator: name.clone(), at: now });
    Ok(Some(Grant { operator, secret_use: Some(secret_use) }))
}

impl Grant {
    /// Name of the grant in the log.
    fn by(&self) -> &'static str {
        if self.secret_use.is_some() { "enrolment by operator secret" } else { "enrolment by code" }
    }

    /// Stores the credentials, uses the code up and ends older sessions. Returns the number of changes of the credentials,
    /// or `None` if another request was first.
    async fn enrol(mut self, app: &App, credentials: Credentials) -> Result<Option<u64>, ApiProblem> {
        self.operator.value.credentials.replace(credentials);
        self.operator.value.enrolment = None;
        let mut documents = vec![self.operator.write()];
        // Two enrolments with the same secret write the same document, so exactly one succeeds.
        documents.extend(self.secret_use.map(|secret_use| secret_use.write()));
        let name = self.operator.id.parse().map_err(|_| ApiProblem::internal_error())?;
        let end_sessions = Some(EndSessions { of: SessionOwner::Operator(name), except: None });
        let change = PeopleChange { documents, end_sessions, ..PeopleChange::default() };
        let changes = self.operator.value.credentials.changes();
        Ok(app.store().change_people(change, app.now()).await?.then_some(changes))
    }
}

impl From<OperatorNameFault> for ApiProblem {
    fn from(fault: OperatorNameFault) -> ApiProblem {
        let message = fault.to_string();
        let fault =
            ApiFault { code: fault.code().to_owned(), at: Some("name".to_owned()), message: message.clone() };
        ApiProblem {
            faults: vec![fault],
            ..ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_name", message)
        }
    }
}

/// Problem of a password that is too easy to guess.
fn bad_password(faults: Vec<PasswordFault>) -> ApiProblem {
    let messages: Vec<String> = faults.iter().map(ToString::to_string).collect();
    let faults = faults.into_iter().zip(&messages).map(|(fault, message)| ApiFault {
        code: fault.code().to_owned(),
        at: Some("password".to_owned()),
        message: message.clone(),
    });
    ApiProblem {
        faults: faults.collect(),
        ..ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_password", messages.join("; "))
    }
}
