//! Who asks: sessions as random ids in cookies, stored only as digests.

use super::problem::ApiProblem;
use crate::app::App;
use crate::people::{People, Session, SessionOf, secret_digest};
use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use paigow_table::{PlayerId, Secret, Time};
use std::sync::Arc;

/// The cookie of a player's session, and of an operator's. One person may have both.
#[derive(Clone, Copy)]
pub(crate) enum Cookie {
    Player,
    Operator,
}

/// A session is said to have been seen no more often than this.
const SEEN_EVERY_MS: u64 = 60_000;
/// How long an operator's session holds without being used: a day's work.
const OPERATOR_SECONDS: u64 = 12 * 3_600;

impl Cookie {
    /// Behind TLS the browser itself sees to it that nobody else sets the cookie: that is what the prefix means.
    fn name(self, tls: bool) -> &'static str {
        match (self, tls) {
            (Cookie::Player, false) => "paigow_session",
            (Cookie::Player, true) => "__Host-paigow_session",
            (Cookie::Operator, false) => "paigow_operator",
            (Cookie::Operator, true) => "__Host-paigow_operator",
        }
    }

    /// How long a session holds that is not seen.
    fn seconds(self, app: &App) -> u64 {
        match self {
            Cookie::Player => app.settings.session_hours * 3_600,
            Cookie::Operator => OPERATOR_SECONDS,
        }
    }

    /// Until when a session holds that is seen now.
    pub(crate) fn until(self, app: &App, now: Time) -> Time {
        now.plus(self.seconds(app) * 1_000)
    }

    /// The header that keeps a session in the browser.
    pub(crate) fn keep(self, app: &App, secret: &[u8; 32]) -> HeaderValue {
        self.header(app, &String::from(Secret(*secret)), self.seconds(app))
    }

    /// The header that takes it out again.
    pub(crate) fn forget(self, app: &App) -> HeaderValue {
        self.header(app, "", 0)
    }

    fn header(self, app: &App, value: &str, seconds: u64) -> HeaderValue {
        let tls = app.settings.origin().is_https();
        let secure = if tls { "; Secure" } else { "" };
        let name = self.name(tls);
        let text = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
        // Names, digits and signs only.
        HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
    }

    /// The secret a request came with.
    pub(crate) fn secret(self, app: &App, headers: &HeaderMap) -> Option<[u8; 32]> {
        let name = self.name(app.settings.origin().is_https());
        let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            cookies.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(key, _)| *key == name).and_then(|(_, value)| secret_of(value))
    }
}

/// 32 bytes in hexadecimal digits.
pub(crate) fn secret_of(text: &str) -> Option<[u8; 32]> {
    Secret::try_from(text.to_owned()).ok().map(|secret| secret.0)
}

/// The session a request came with, if it still holds.
async fn session(app: &App, cookie: Cookie, headers: &HeaderMap) -> Result<Option<Session>, ApiProblem> {
    let Some(secret) = cookie.secret(app, headers) else { return Ok(None) };
    seen(app, cookie, &secret_digest(&secret)).await
}

/// The session of a digest, if it still holds. It has been seen, and holds longer.
async fn seen(app: &App, cookie: Cookie, digest: &[u8; 32]) -> Result<Option<Session>, ApiProblem> {
    let now = app.session_now();
    let Some(session) = app.store().session(digest, now).await? else { return Ok(None) };
    if is_old(&session, now) {
        app.store().touch_session(digest, now, cookie.until(app, app.now())).await?;
    }
    Ok(Some(session))
}

/// Whether it is time to say that a session was seen.
fn is_old(session: &Session, now: Time) -> bool {
    session.seen.plus(SEEN_EVERY_MS) <= now
}

/// A player who asks.
#[derive(Clone, Debug)]
pub(crate) struct PlayerSession {
    pub(crate) id: PlayerId,
    /// Of their session.
    pub(crate) digest: [u8; 32],
    /// Whether the session holds longer since this request, and the cookie must.
    pub(crate) renewed: bool,
}

impl PlayerSession {
    /// The player whose session a request came with, if there is one.
    pub(crate) async fn of(app: &App, headers: &HeaderMap) -> Result<Option<PlayerSession>, ApiProblem> {
        let session = session(app, Cookie::Player, headers).await?;
        Ok(session.and_then(|session| {
            let renewed = is_old(&session, app.session_now());
            match session.who {
                SessionOf::Player(id) => Some(PlayerSession { id, digest: session.digest, renewed }),
                SessionOf::Operator(_) => None,
            }
        }))
    }

    /// Whether their session still holds: it may have been ended by another process, or by time.
    pub(crate) async fn is_still(&self, app: &App) -> Result<bool, ApiProblem> {
        Ok(seen(app, Cookie::Player, &self.digest).await?.is_some())
    }
}

impl FromRequestParts<Arc<App>> for PlayerSession {
    type Rejection = ApiProblem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<PlayerSession, ApiProblem> {
        let player = PlayerSession::of(app, &parts.headers).await?;
        player.ok_or_else(|| ApiProblem::unauthorized("begin a session first: POST /api/session"))
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

/// An operator who asks: by a session, or, for programs, by the secret itself.
#[derive(Clone, Debug)]
pub(crate) struct Operator {
    pub(crate) name: PlayerId,
}

/// The header by which a program says for whom it acts.
pub(crate) const OPERATOR_HEADER: &str = "paigow-operator";

impl FromRequestParts<Arc<App>> for Operator {
    type Rejection = ApiProblem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Operator, ApiProblem> {
        let headers = &parts.headers;
        if let Some(value) = headers.get(header::AUTHORIZATION) {
            let secret =
                value.to_str().ok().and_then(|text| text.strip_prefix("Bearer ")).and_then(secret_of);
            if !is_operators(app, secret).await? {
                return Err(ApiProblem::unauthorized("this is not the operators' secret"));
            }
            let name = headers.get(OPERATOR_HEADER).and_then(|name| name.to_str().ok());
            let name = name.and_then(|name| name.parse().ok());
            return name.map(|name| Operator { name }).ok_or_else(|| {
                ApiProblem::unauthorized("an operator says who they are in the header paigow-operator")
            });
        }
        match session(app, Cookie::Operator, headers).await? {
            Some(Session { who: SessionOf::Operator(name), .. }) => Ok(Operator { name }),
            _ => Err(ApiProblem::unauthorized("this is for operators: POST /api/operator/session")),
        }
    }
}

/// Whether a secret is the operators'.
pub(crate) async fn is_operators(app: &App, secret: Option<[u8; 32]>) -> Result<bool, ApiProblem> {
    let Some(secret) = secret else { return Ok(false) };
    Ok(app.store().operator_secret().await? == Some(secret_digest(&secret)))
}
