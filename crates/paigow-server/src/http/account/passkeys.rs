//! Endpoints of the passkeys of an account: register, add and remove them.

use super::ceremony::{
    self, Ceremony, PasskeyOptions, check_unchanged, no_such_ceremony, refused_change, refused_passkey,
};
use super::{
    AccountAnswer, NewAccount, account_of, check_may_register, check_recent, make_account, required_account,
    update,
};
use crate::app::App;
use crate::http::auth::PlayerSession;
use crate::http::client_text::ClientText;
use crate::http::input::{Body, Path};
use crate::http::session::person_of;
use crate::http::{ApiProblem, Problems, run_to_completion};
use crate::people::credentials::{Credentials, StoredPasskey};
use crate::people::{PersonName, SessionOwner};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;
use utoipa::ToSchema;

/// Maximum number of characters of a passkey's label.
const LABEL_CHARS_MAX: usize = 40;
/// Label of a passkey without one.
const LABEL_DEFAULT: &str = "Passkey";

/// Request to register a passkey.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct PasskeyRequest {
    /// Name of the new account, for a guest. Default: the guest's name. The name of an account does not change.
    #[serde(default)]
    name: Option<String>,
}

/// Begins the registration of a passkey. A guest becomes an account with it; for an account it is another one.
#[utoipa::path(post, path = "/api/account/passkeys/options", tag = "account", request_body = PasskeyRequest,
    responses((status = 200, body = PasskeyOptions), Problems))]
pub(in crate::http) async fn options(
    State(app): State<Arc<App>>,
    client: ClientText,
    player: PlayerSession,
    headers: HeaderMap,
    Body(request): Body<PasskeyRequest>,
) -> Result<Json<PasskeyOptions>, ApiProblem> {
    app.check_sign_in_rate(client.address, None)?;
    let relying_party = ceremony::relying_party(&app, &headers)?;
    let person = person_of(&app, &player.id).await?;
    let (name, credentials, claimed) = if let Some(account) = account_of(&app, &player.id).await? {
        check_recent(&app, &player)?;
        (person.name, account.value.credentials, None)
    } else {
        let text = request.name.unwrap_or_else(|| person.name.into());
        let name = PersonName::parse_chosen(&text)?;
        check_may_register(&app, &player.id, &name).await?;
        (name.clone(), Credentials::default(), Some(name))
    };
    let owner = SessionOwner::Player(player.id.clone());
    let (options, state) = relying_party
        .start_registration(&owner, name.as_str(), &credentials)
        .map_err(|error| refused_passkey(&error))?;
    let changes = credentials.changes();
    let ceremony = Ceremony::AccountPasskey { player: player.id, name: claimed, changes, state };
    ceremony::begin(&app, &ceremony, options).await.map(Json)
}

/// Response of the browser to the options of a registration.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct NewPasskey {
    /// Id of the ceremony.
    ceremony: String,
    /// Credential of `navigator.credentials.create`, with binary values in base64url.
    #[schema(value_type = Object)]
    credential: Value,
    /// Name for the list of passkeys. Default: `Passkey`.
    #[serde(default)]
    label: Option<String>,
}

/// Finishes the registration of a passkey.
#[utoipa::path(post, path = "/api/account/passkeys", tag = "account", request_body = NewPasskey,
    responses((status = 200, body = AccountAnswer, description = "The account has another passkey"), (status = 201, body = NewAccount, description = "The guest has become an account"), Problems))]
pub(in crate::http) async fn add(
    State(app): State<Arc<App>>,
    client: ClientText,
    player: PlayerSession,
    headers: HeaderMap,
    Body(new): Body<NewPasskey>,
) -> Result<Response, ApiProblem> {
    let label = check_label(new.label.as_deref())?;
    let relying_party = ceremony::relying_party(&app, &headers)?;
    let taken = ceremony::take(&app, &new.ceremony).await?;
    let Ceremony::AccountPasskey { player: of, name, changes, state } = taken else {
        return Err(no_such_ceremony());
    };
    if of != player.id {
        return Err(no_such_ceremony());
    }
    let passkey = relying_party
        .finish_registration(&new.credential, &state, &label, app.now())
        .map_err(|error| refused_passkey(&error))?;
    run_to_completion(async move {
        match name {
            Some(name) => register(&app, &player, client, &name, passkey).await,
            None => Ok(Json(add_to_account(&app, &player, &passkey, changes).await?).into_response()),
        }
    })
    .await
}

async fn register(
    app: &App,
    player: &PlayerSession,
    client: ClientText,
    name: &PersonName,
    passkey: StoredPasskey,
) -> Result<Response, ApiProblem> {
    check_may_register(app, &player.id, name).await?;
    let mut credentials = Credentials::default();
    credentials.add_passkey(passkey).map_err(refused_change)?;
    make_account(app, player, client, name, credentials).await
}

async fn add_to_account(
    app: &App,
    player: &PlayerSession,
    passkey: &StoredPasskey,
    changes: u64,
) -> Result<AccountAnswer, ApiProblem> {
    check_recent(app, player)?;
    let add = |account: &mut crate::people::account::PersonAccount| {
        check_unchanged(changes, &account.credentials)?;
        account.credentials.add_passkey(passkey.clone()).map_err(refused_change)
    };
    update(app, &player.id, None, add).await?;
    AccountAnswer::of(app, &player.id).await
}

/// Checks a label: one line of visible text.
fn check_label(label: Option<&str>) -> Result<String, ApiProblem> {
    let label = label.map(str::trim).filter(|label| !label.is_empty()).unwrap_or(LABEL_DEFAULT);
    if label.chars().count() > LABEL_CHARS_MAX || label.chars().any(char::is_control) {
        let detail =
            format!("a label may have at most {LABEL_CHARS_MAX} characters and no control characters");
        return Err(ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_label", detail));
    }
    Ok(label.to_owned())
}

/// Removes a passkey. The last way to sign in cannot be removed.
#[utoipa::path(delete, path = "/api/account/passkeys/{id}", tag = "account", params(("id" = String, Path)),
    responses((status = 200, body = AccountAnswer), Problems))]
pub(in crate::http) async fn remove(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Path(id): Path<String>,
) -> Result<Json<AccountAnswer>, ApiProblem> {
    required_account(&app, &player.id).await?;
    check_recent(&app, &player)?;
    let remove = |account: &mut crate::people::account::PersonAccount| {
        account.credentials.remove_passkey(&id).map_err(refused_change)
    };
    update(&app, &player.id, None, remove).await?;
    AccountAnswer::of(&app, &player.id).await.map(Json)
}
