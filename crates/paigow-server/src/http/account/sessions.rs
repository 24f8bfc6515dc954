//! Endpoints of the sessions of a player: list them, and end them one by one.

use crate::app::App;
use crate::http::auth::{Cookie, PlayerSession};
use crate::http::input::Path;
use crate::http::{ApiProblem, Problems};
use crate::people::{People, Session, SessionOwner};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse};
use paigow_table::{Secret, Time};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Number of hexadecimal digits of a session's id.
const ID_DIGITS: usize = 20;

/// A session of the player.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct OwnSession {
    /// Id to end the session with. It gives no access to the session.
    id: String,
    /// Program and address that began the session.
    client: String,
    /// Time it began.
    since: Time,
    /// Time it was last seen.
    seen: Time,
    /// Whether it is the session of this request.
    current: bool,
}

/// Sessions of the player, the latest first.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct OwnSessions {
    sessions: Vec<OwnSession>,
}

/// Returns the id of a session: the first digits of the digest of its secret.
fn session_id(session: &Session) -> String {
    String::from(Secret(session.digest)).chars().take(ID_DIGITS).collect()
}

pub(super) async fn own_sessions(app: &App, player: &PlayerSession) -> Result<Vec<OwnSession>, ApiProblem> {
    let owner = SessionOwner::Player(player.id.clone());
    let sessions = app.store().sessions_of(&owner, app.session_now()).await?.into_iter();
    let own = sessions.map(|session| OwnSession {
        id: session_id(&session),
        current: session.digest == player.digest,
        client: session.client,
        since: session.since,
        seen: session.seen,
    });
    Ok(own.collect())
}

/// Lists the sessions of the player.
#[utoipa::path(get, path = "/api/account/sessions", tag = "account",
    responses((status = 200, body = OwnSessions), Problems))]
pub(in crate::http) async fn list(
    State(app): State<Arc<App>>,
    player: PlayerSession,
) -> Result<Json<OwnSessions>, ApiProblem> {
    Ok(Json(OwnSessions { sessions: own_sessions(&app, &player).await? }))
}

/// Ends a session of the player and closes its sockets.
#[utoipa::path(delete, path = "/api/account/sessions/{id}", tag = "account", params(("id" = String, Path)),
    responses((status = 204), Problems))]
pub(in crate::http) async fn end(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, ApiProblem> {
    let owner = SessionOwner::Player(player.id.clone());
    let sessions = app.store().sessions_of(&owner, app.session_now()).await?;
    let session = sessions.into_iter().find(|session| session_id(session) == id);
    let session = session
        .ok_or_else(|| ApiProblem::not_found("no_such_session", "you have no session with this id"))?;
    app.store().end_session(&session.digest).await?;
    app.sockets.end(&session.digest);
    let cookie = (session.digest == player.digest).then(|| Cookie::Player.forget(&app));
    Ok((StatusCode::NO_CONTENT, AppendHeaders(cookie.map(|cookie| (header::SET_COOKIE, cookie)))))
}
