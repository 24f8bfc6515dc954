//! Endpoints of admins for operators: list, add, change, and reset credentials.

use super::perform::{Act, perform};
use crate::app::App;
use crate::http::auth::OperatorSession;
use crate::http::input::{Body, Path};
use crate::http::{ApiProblem, Problems};
use crate::people::credentials::Credentials;
use crate::people::{
    Documents, EndSessions, Enrolment, Operator, PeopleChange, Permission, Role, SessionOwner, Versioned,
    check_operator_name, load, load_page, name_key, secret_digest,
};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use paigow_table::{PlayerId, Secret, Time};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use utoipa::ToSchema;

/// Lifetime of an enrolment code, in milliseconds: one day.
const ENROLMENT_MS: u64 = 24 * 3_600_000;
/// Number of operators read at once.
const PAGE: u32 = 200;
/// Number of attempts if other requests change the same operators.
const ATTEMPTS_MAX: u32 = 8;

/// An operator.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct OperatorEntry {
    /// Name of the operator.
    name: String,
    /// Role of the operator.
    role: Role,
    /// Time at which the operator was added.
    since: Time,
    /// Whether the operator may not sign in.
    disabled: bool,
    /// Whether the operator has set a password or a passkey.
    enrolled: bool,
    /// Number of passkeys.
    passkeys: usize,
    /// Whether the operator has a password.
    password: bool,
}

impl OperatorEntry {
    fn of(operator: &Versioned<Operator>) -> OperatorEntry {
        let Operator { role, since, disabled, credentials, .. } = &operator.value;
        OperatorEntry {
            name: operator.id.clone(),
            role: *role,
            since: *since,
            disabled: *disabled,
            enrolled: credentials.can_sign_in(),
            passkeys: credentials.passkeys().len(),
            password: credentials.password().is_some(),
        }
    }
}

/// All operators, by name.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Operators {
    operators: Vec<OperatorEntry>,
}

/// Returns all operators, by name.
async fn all(app: &App) -> Result<Vec<Versioned<Operator>>, ApiProblem> {
    let mut all: Vec<Versioned<Operator>> = Vec::new();
    loop {
        let after = all.last().map(|operator| operator.id.clone());
        let page = load_page::<Operator>(app.store(), after.as_deref(), PAGE).await?;
        let is_last = page.len() < PAGE as usize;
        all.extend(page);
        if is_last {
            return Ok(all);
        }
    }
}

/// What a name of an operator is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NameUse {
    /// A new operator.
    New,
    /// A new operator, or the operator who has exactly this name.
    NewOrSame,
}

/// Refuses a name that looks like that of another operator, so that the log does not confuse them.
pub(super) async fn check_free(app: &App, name: &PlayerId, is_for: NameUse) -> Result<(), ApiProblem> {
    let key = name_key(name.as_str());
    let mut known = all(app).await?.into_iter();
    let is_taken = known.any(|known| {
        name_key(&known.id) == key && !(is_for == NameUse::NewOrSame && known.id == name.as_str())
    });
    if is_taken { Err(operator_exists(name)) } else { Ok(()) }
}

fn operator_exists(name: &PlayerId) -> ApiProblem {
    let detail = format!("there is an operator named {name} already, or with a name that looks like it");
    ApiProblem::new(StatusCode::CONFLICT, "operator_exists", detail)
}

/// Lists all operators with their roles.
#[utoipa::path(get, path = "/api/operator/operators", tag = "operator",
    responses((status = 200, body = Operators), Problems))]
pub(in crate::http) async fn list(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
) -> Result<Json<Operators>, ApiProblem> {
    let work = {
        let app = app.clone();
        async move { Ok(Json(Operators { operators: all(&app).await?.iter().map(OperatorEntry::of).collect() })) }
    };
    perform(&app, &operator, Act::read("operators", json!({})), work).await
}

/// An operator to add.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct NewOperator {
    /// Name of the operator.
    name: PlayerId,
    /// Role of the operator.
    role: Role,
}

/// A new operator with the code to enrol.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct AddedOperator {
    /// Name of the operator.
    name: PlayerId,
    /// Role of the operator.
    role: Role,
    /// Enrolment code. The server shows it once and stores only its digest.
    code: String,
    /// Time from which the code is expired.
    until: Time,
}

/// Enrolment code of an operator.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct EnrolmentCode {
    /// Enrolment code. The server shows it once and stores only its digest.
    code: String,
    /// Time from which the code is expired.
    until: Time,
}

/// Generates an enrolment code. Returns the form to store as well.
fn new_code(app: &App) -> Result<(EnrolmentCode, Enrolment), ApiProblem> {
    let (code, until) = (app.random_bytes()?, app.now().plus(ENROLMENT_MS));
    let digest = String::from(Secret(secret_digest(&code)));
    Ok((EnrolmentCode { code: String::from(Secret(code)), until }, Enrolment { digest, until }))
}

/// Adds an operator, who enrols with the code in the response.
#[utoipa::path(post, path = "/api/operator/operators", tag = "operator", request_body = NewOperator,
    responses((status = 201, body = AddedOperator), Problems))]
pub(in crate::http) async fn add(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
    Body(NewOperator { name, role }): Body<NewOperator>,
) -> Result<(StatusCode, Json<AddedOperator>), ApiProblem> {
    let act = Act::change(Permission::Administer, "operator.add", json!({ "operator": name, "role": role }));
    let work = {
        let app = app.clone();
        async move {
            check_operator_name(&name)?;
            check_free(&app, &name, NameUse::New).await?;
            let (code, enrolment) = new_code(&app)?;
            let mut new = Operator::new(role, app.now());
            new.enrolment = Some(enrolment);
            let documents = vec![Versioned::new(name.as_str(), new).write()];
            let change = PeopleChange { documents, ..PeopleChange::default() };
            if !app.store().change_people(change, app.now()).await? {
                return Err(operator_exists(&name));
            }
            let EnrolmentCode { code, until } = code;
            Ok((StatusCode::CREATED, Json(AddedOperator { name, role, code, until })))
        }
    };
    perform(&app, &operator, act, work).await
}

/// Change of an operator.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct OperatorChange {
    /// New role. Default: unchanged.
    #[serde(default)]
    role: Option<Role>,
    /// Whether the operator may not sign in. Default: unchanged.
    #[serde(default)]
    disabled: Option<bool>,
}

/// Changes the role of an operator, or disables the operator. Ends the operator's sessions.
#[utoipa::path(patch, path = "/api/operator/operators/{name}", tag = "operator", params(("name" = String, Path)),
    request_body = OperatorChange, responses((status = 200, body = OperatorEntry), Problems))]
pub(in crate::http) async fn change(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
    Path(name): Path<PlayerId>,
    Body(OperatorChange { role, disabled }): Body<OperatorChange>,
) -> Result<Json<OperatorEntry>, ApiProblem> {
    let detail = json!({ "operator": name, "role": role, "disabled": disabled });
    let act = Act::change(Permission::Administer, "operator.change", detail);
    let work = {
        let app = app.clone();
        async move {
            let changed = modify(&app, &name, |operator| {
                operator.role = role.unwrap_or(operator.role);
                operator.disabled = disabled.unwrap_or(operator.disabled);
            });
            Ok(Json(OperatorEntry::of(&changed.await?)))
        }
    };
    perform(&app, &operator, act, work).await
}

/// Removes all credentials of an operator, who enrols again with the code in the response. Ends the operator's sessions.
#[utoipa::path(post, path = "/api/operator/operators/{name}/enrolment", tag = "operator", params(("name" = String, Path)),
    responses((status = 200, body = EnrolmentCode), Problems))]
pub(in crate::http) async fn reset(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
    Path(name): Path<PlayerId>,
) -> Result<Json<EnrolmentCode>, ApiProblem> {
    let act = Act::change(Permission::Administer, "operator.reset", json!({ "operator": name }));
    let work = {
        let app = app.clone();
        async move {
            let (code, enrolment) = new_code(&app)?;
            modify(&app, &name, |operator| {
                operator.credentials.replace(Credentials::default());
                operator.enrolment = Some(enrolment.clone());
            })
            .await?;
            Ok(Json(code))
        }
    };
    perform(&app, &operator, act, work).await
}

/// Changes an operator and ends the operator's sessions. One admin who can sign in always remains.
async fn modify(
    app: &App,
    name: &PlayerId,
    modify: impl Fn(&mut Operator),
) -> Result<Versioned<Operator>, ApiProblem> {
    for _ in 0..ATTEMPTS_MAX {
        let Some(mut operator) = load::<Operator>(app.store(), name.as_str()).await? else {
            let detail = format!("there is no operator named {name}");
            return Err(ApiProblem::not_found("no_such_operator", detail));
        };
        let was_admin = operator.value.is_active_admin();
        modify(&mut operator.value);
        let mut documents = vec![operator.write()];
        if was_admin && !operator.value.is_active_admin() {
            // Writing another admin unchanged makes this change fail if that admin stops being one at the same time.
            let other = all(app).await?.into_iter();
            let mut other = other.filter(|other| other.id != operator.id && other.value.is_active_admin());
            let Some(other) = other.next() else {
                let detail = format!("{name} is the only admin who can sign in: enrol another admin first");
                return Err(ApiProblem::new(StatusCode::CONFLICT, "last_admin", detail));
            };
            documents.push(other.write());
        }
        let end_sessions = Some(EndSessions { of: SessionOwner::Operator(name.clone()), except: None });
        let change = PeopleChange { documents, end_sessions, ..PeopleChange::default() };
        if app.store().change_people(change, app.now()).await? {
            return Ok(operator);
        }
    }
    Err(ApiProblem::unavailable("the operators are being changed by others; retry"))
}
