//! `POST /api/session`: a guest comes in, with practice chips at once.

use super::super::guard::Client;
use super::super::input::Body;
use super::super::who::{Cookie, PlayerSession};
use super::{Me, give_chips, guest};
use crate::app::{App, name};
use crate::http::{ApiProblem, Problems, to_the_end};
use crate::people::{People, PersonName, Session, SessionOf, secret_digest};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use paigow_table::{PlayerId, Secret};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Who comes in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct NewGuest {
    /// What others are to see; a guest who says nothing gets a name.
    #[serde(default)]
    name: Option<String>,
}

/// Begins a session. Whoever has one already keeps it.
#[utoipa::path(post, path = "/api/session", tag = "session", request_body = NewGuest,
    responses((status = 200, body = Me, description = "There is a session already"), (status = 201, body = Me, description = "A new guest, with practice chips"), Problems))]
pub(in crate::http) async fn begin(
    State(app): State<Arc<App>>,
    Client(client): Client,
    player: Option<PlayerSession>,
    Body(new): Body<NewGuest>,
) -> Result<Response, ApiProblem> {
    if let Some(player) = player {
        return Ok(Json(Me::of(&app, &player.id).await?).into_response());
    }
    let called = match &new.name {
        Some(name) => PersonName::chosen(name)?,
        None => name_for_guest(&app)?,
    };
    app.may_come(client)?;
    // A task of its own: whoever goes away in the middle leaves nothing half done.
    let (me, secret) = to_the_end(begin_as(app.clone(), called)).await?;
    Ok((StatusCode::CREATED, [(header::SET_COOKIE, Cookie::Player.keep(&app, &secret))], Json(me))
        .into_response())
}

async fn begin_as(app: Arc<App>, called: PersonName) -> Result<(Me, [u8; 32]), ApiProblem> {
    let secret = app.draw()?;
    let id = guest_id(&app)?;
    app.store().enrol(guest(&app, id.clone(), called)).await?;
    let first = name(&format!("first-chips:{id}"));
    give_chips(&app, &id, &first).await?;
    let now = app.now();
    let until = Cookie::Player.until(&app, now);
    let who = SessionOf::Player(id.clone());
    app.store()
        .begin_session(Session { digest: secret_digest(&secret), who, since: now, seen: now, until })
        .await?;
    Ok((Me::of(&app, &id).await?, secret))
}

/// What tables call a guest: as good as never given twice.
fn guest_id(app: &App) -> Result<PlayerId, ApiProblem> {
    let digits = String::from(Secret(app.draw()?));
    Ok(name(&format!("guest-{}", &digits[..20])))
}

fn name_for_guest(app: &App) -> Result<PersonName, ApiProblem> {
    let digits = String::from(Secret(app.draw()?));
    let name = format!("Guest {}", digits[..4].to_uppercase());
    name.parse().map_err(|_| ApiProblem::unavailable("no name could be made"))
}
