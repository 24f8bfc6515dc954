//! `POST /api/session`: begins the session of a new guest and issues practice chips.

use super::super::auth::{Cookie, PlayerSession};
use super::super::guard::Client;
use super::super::input::Body;
use super::{Me, give_chips, guest};
use crate::app::{App, name};
use crate::http::{ApiProblem, Problems, run_to_completion};
use crate::people::{People, PersonName, Session, SessionOf, secret_digest};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use paigow_table::{PlayerId, Secret};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Request for a new guest.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct NewGuest {
    /// Name that other players see. Default: a generated name.
    #[serde(default)]
    name: Option<String>,
}

/// Begins a session. A request that already has a session keeps it.
#[utoipa::path(post, path = "/api/session", tag = "session", request_body = NewGuest,
    responses((status = 200, body = Me, description = "The request already has a session"), (status = 201, body = Me, description = "A new guest with practice chips"), Problems))]
pub(in crate::http) async fn begin(
    State(app): State<Arc<App>>,
    Client(client): Client,
    player: Option<PlayerSession>,
    Body(new): Body<NewGuest>,
) -> Result<Response, ApiProblem> {
    if let Some(player) = player {
        return Ok(Json(Me::of(&app, &player.id).await?).into_response());
    }
    let name = match &new.name {
        Some(name) => PersonName::chosen(name)?,
        None => generated_name(&app)?,
    };
    app.check_guest_rate(client)?;
    // A client that disconnects must not leave a guest without chips or session.
    let (me, secret) = run_to_completion(begin_as(app.clone(), name)).await?;
    Ok((StatusCode::CREATED, [(header::SET_COOKIE, Cookie::Player.keep(&app, &secret))], Json(me))
        .into_response())
}

async fn begin_as(app: Arc<App>, guest_name: PersonName) -> Result<(Me, [u8; 32]), ApiProblem> {
    let secret = app.random_bytes()?;
    let id = guest_id(&app)?;
    app.store().enrol(guest(&app, id.clone(), guest_name)).await?;
    let first_chips = name(&format!("first-chips:{id}"));
    give_chips(&app, &id, &first_chips).await?;
    let now = app.now();
    let until = Cookie::Player.until(&app, now);
    let who = SessionOf::Player(id.clone());
    app.store()
        .begin_session(Session { digest: secret_digest(&secret), who, since: now, seen: now, until })
        .await?;
    Ok((Me::of(&app, &id).await?, secret))
}

/// Returns a random player id. Its 80 bits make a collision practically impossible.
fn guest_id(app: &App) -> Result<PlayerId, ApiProblem> {
    let digits = String::from(Secret(app.random_bytes()?));
    Ok(name(&format!("guest-{}", &digits[..20])))
}

fn generated_name(app: &App) -> Result<PersonName, ApiProblem> {
    let digits = String::from(Secret(app.random_bytes()?));
    let name = format!("Guest {}", digits[..4].to_uppercase());
    name.parse().map_err(|_| ApiProblem::unavailable("cannot generate a name"))
}
