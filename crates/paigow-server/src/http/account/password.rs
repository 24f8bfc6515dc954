//! Endpoints of the password and the recovery codes of an account.

use super::{check_recent, other_sessions, parse_password, required_account, update};
use crate::app::App;
use crate::http::auth::PlayerSession;
use crate::http::client_text::ClientText;
use crate::http::input::Body;
use crate::http::session::person_of;
use crate::http::sign_in::wrong_credentials;
use crate::http::{ApiProblem, Problems, run_to_completion};
use crate::people::credentials::RecoveryCodes;
use crate::people::{People, SessionOwner};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Request for another password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct PasswordChange {
    /// Current password. Without it, a sign-in within the last 15 minutes is needed.
    #[serde(default)]
    current: Option<String>,
    /// New password.
    #[schema(min_length = 10, max_length = 128)]
    password: String,
}

/// Sets or changes the password, and ends all other sessions of the account.
#[utoipa::path(patch, path = "/api/account/password", tag = "account", request_body = PasswordChange,
    responses((status = 204), Problems))]
pub(in crate::http) async fn change(
    State(app): State<Arc<App>>,
    client: ClientText,
    player: PlayerSession,
    Body(request): Body<PasswordChange>,
) -> Result<StatusCode, ApiProblem> {
    let account = required_account(&app, &player.id).await?.value;
    app.check_sign_in_rate(client.address, request.current.as_ref().map(|_| account.name_key.as_str()))?;
    match &request.current {
        None => check_recent(&app, &player)?,
        Some(current) => {
            let is_right = match account.credentials.password() {
                Some(hash) => app.passwords.verify(hash, current).await?,
                None => false,
            };
            if !is_right {
                return Err(wrong_credentials("the current password is wrong"));
            }
        }
    }
    let name = person_of(&app, &player.id).await?.name;
    let password = parse_password(&request.password, &name)?;
    let hash = app.passwords.hash(password, app.random_bytes()?).await?;
    run_to_completion(async move {
        let sessions =
            app.store().sessions_of(&SessionOwner::Player(player.id.clone()), app.session_now()).await?;
        update(&app, &player.id, Some(other_sessions(&player)), |account| {
            account.credentials.set_password(hash.clone());
            Ok(())
        })
        .await?;
        for session in sessions.iter().filter(|session| session.digest != player.digest) {
            app.sockets.end(&session.digest);
        }
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

/// Request without fields.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct NoFields {}

/// New recovery codes, which the server shows once.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct NewRecoveryCodes {
    /// Recovery codes, each of which signs in once.
    recovery_codes: Vec<String>,
}

/// Makes new recovery codes. The old ones become invalid.
#[utoipa::path(post, path = "/api/account/recovery-codes", tag = "account", request_body = NoFields,
    responses((status = 200, body = NewRecoveryCodes), Problems))]
pub(in crate::http) async fn recovery_codes(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Body(NoFields {}): Body<NoFields>,
) -> Result<Json<NewRecoveryCodes>, ApiProblem> {
    required_account(&app, &player.id).await?;
    check_recent(&app, &player)?;
    let codes = RecoveryCodes::new(&app.random_bytes()?);
    update(&app, &player.id, None, |account| {
        account.credentials.set_recovery_codes(&codes);
        Ok(())
    })
    .await?;
    Ok(Json(NewRecoveryCodes { recovery_codes: codes.texts().to_vec() }))
}
