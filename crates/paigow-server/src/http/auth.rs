//! Authentication: sessions are random secrets in cookies, and the store has only their digests.

use super::problem::ApiProblem;
use crate::app::App;
use crate::people::{Operator, People, Role, Session, SessionOwner, load, secret_digest};
use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use paigow_table::{PlayerId, Secret, Time};
use std::sync::Arc;

/// Cookie of a player's or an operator's session. A browser may have both.
#[derive(Clone, Copy)]
pub(crate) enum Cookie {
    Player,
    Operator,
}

/// Minimum time between two updates of a session's last use.
const TOUCH_INTERVAL_MS: u64 = 60_000;
/// Inactivity timeout of an operator's session: one working day.
const OPERATOR_SECONDS: u64 = 12 * 3_600;

impl Cookie {
    /// Name of the cookie. Over TLS the prefix `__Host-` makes browsers refuse the cookie from any other host.
    fn name(self, tls: bool) -> &'static str {
        match (self, tls) {
            (Cookie::Player, false) => "paigow_session",
            (Cookie::Player, true) => "__Host-paigow_session",
            (Cookie::Operator, false) => "paigow_operator",
            (Cookie::Operator, true) => "__Host-paigow_operator",
        }
    }

    /// Inactivity timeout of the session.
    fn seconds(self, app: &App) -> u64 {
        match self {
            Cookie::Player => app.settings.session_hours * 3_600,
            Cookie::Operator => OPERATOR_SECONDS,
        }
    }

    /// Expiry of a session that is used now.
    pub(crate) fn until(self, app: &App, now: Time) -> Time {
        now.plus(self.seconds(app) * 1_000)
    }

    /// `Set-Cookie` value that stores a session in the browser.
    pub(crate) fn keep(self, app: &App, secret: &[u8; 32]) -> HeaderValue {
        self.header(app, &String::from(Secret(*secret)), self.seconds(app))
    }

    /// `Set-Cookie` value that deletes the cookie.
    pub(crate) fn forget(self, app: &App) -> HeaderValue {
        self.header(app, "", 0)
    }

    fn header(self, app: &App, value: &str, seconds: u64) -> HeaderValue {
        let tls = app.settings.origin().is_https();
        let secure = if tls { "; Secure" } else { "" };
        let name = self.name(tls);
        let text = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
        // The text has only ASCII letters, digits and punctuation.
        HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
    }

    /// Returns the secret in the cookie of a request.
    pub(crate) fn secret(self, app: &App, headers: &HeaderMap) -> Option<[u8; 32]> {
        let name = self.name(app.settings.origin().is_https());
        let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            cookies.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(key, _)| *key == name).and_then(|(_, value)| parse_secret(value))
    }
}

/// Parses 32 bytes from hexadecimal digits.
pub(crate) fn parse_secret(text: &str) -> Option<[u8; 32]> {
    Secret::try_from(text.to_owned()).ok().map(|secret| secret.0)
}

/// Returns the session of a request, if it has not expired.
async fn session(app: &App, cookie: Cookie, headers: &HeaderMap) -> Result<Option<Session>, ApiProblem> {
    let Some(secret) = cookie.secret(app, headers) else { return Ok(None) };
    renew(app, cookie, &secret_digest(&secret)).await
}

/// Returns the session of a digest, if it has not expired, and extends it.
async fn renew(app: &App, cookie: Cookie, digest: &[u8; 32]) -> Result<Option<Session>, ApiProblem> {
    let now = app.session_now();
    let Some(session) = app.store().session(digest, now).await? else { return Ok(None) };
    if needs_touch(&session, now) {
        app.store().touch_session(digest, now, cookie.until(app, app.now())).await?;
    }
    Ok(Some(session))
}

/// Whether the last use of a session must be updated.
fn needs_touch(session: &Session, now: Time) -> bool {
    session.seen.plus(TOUCH_INTERVAL_MS) <= now
}

/// The player of a request.
#[derive(Clone, Debug)]
pub(crate) struct PlayerSession {
    pub(crate) id: PlayerId,
    /// Digest of the session's secret.
    pub(crate) digest: [u8; 32],
    /// Time at which the session began.
    pub(crate) since: Time,
    /// Whether this request extended the session, so that the cookie must be extended too.
    pub(crate) renewed: bool,
}

impl PlayerSession {
    /// Returns the player of a request, or `None` without a session.
    pub(crate) async fn of(app: &App, headers: &HeaderMap) -> Result<Option<PlayerSession>, ApiProblem> {
        let session = session(app, Cookie::Player, headers).await?;
        Ok(session.and_then(|session| {
            let renewed = needs_touch(&session, app.session_now());
            match session.who {
                SessionOwner::Player(id) => {
                    Some(PlayerSession { id, digest: session.digest, since: session.since, renewed })
                }
                SessionOwner::Operator(_) => None,
            }
        }))
    }

    /// Whether the session is still valid. It may have expired, or another process may have ended it.
    pub(crate) async fn is_valid(&self, app: &App) -> Result<bool, ApiProblem> {
        Ok(renew(app, Cookie::Player, &self.digest).await?.is_some())
    }
}

impl FromRequestParts<Arc<App>> for PlayerSession {
    type Rejection = ApiProblem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<PlayerSession, ApiProblem> {
        let player = PlayerSession::of(app, &parts.headers).await?;
        player.ok_or_else(|| ApiProblem::unauthorized("no session: POST /api/session first"))
    }
}

impl OptionalFromRequestParts<Arc<App>> for PlayerSession {
    type Rejection = ApiProblem;

    async fn from_request_parts(
        parts: &mut Parts,
        app: &Arc<App>,
    ) -> Result<Option<PlayerSession>, ApiProblem> {
        PlayerSession::of(app, &parts.headers).await
    }
}

/// The operator of a request.
#[derive(Clone, Debug)]
pub(crate) struct OperatorSession {
    pub(crate) name: PlayerId,
    pub(crate) role: Role,
    /// Time at which the session began.
    pub(crate) since: Time,
    /// Digest of the session's secret.
    pub(crate) digest: [u8; 32],
}

impl FromRequestParts<Arc<App>> for OperatorSession {
    type Rejection = ApiProblem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<OperatorSession, ApiProblem> {
        let signed_out =
            || ApiProblem::unauthorized("no operator session: sign in with POST /api/operator/session");
        let session = session(app, Cookie::Operator, &parts.headers).await?.ok_or_else(signed_out)?;
        let SessionOwner::Operator(name) = session.who else { return Err(signed_out()) };
        // Sessions of earlier versions have names of operators who never enrolled.
        let operator = load::<Operator>(app.store(), name.as_str()).await?.ok_or_else(signed_out)?.value;
        if operator.disabled || !operator.credentials.can_sign_in() {
            return Err(signed_out());
        }
        Ok(OperatorSession { name, role: operator.role, since: session.since, digest: session.digest })
    }
}
