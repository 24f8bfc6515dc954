//! What every request passes: where it comes from, how often, how it is answered, and what is written down of it.

use super::connections::ConnectionGuard;
use super::problem::ApiProblem;
use crate::app::App;
use crate::http::address_key;
use axum::extract::{ConnectInfo, FromRequestParts, MatchedPath, Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

/// Nothing from elsewhere, nothing within another's page, nothing but what the page itself brings.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The headers of every answer.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), payment=()"),
];

/// Two years, as browsers' lists ask for.
const TRANSPORT_SECURITY: &str = "max-age=63072000";

/// The address a request comes from: whom we are connected to, or whom the proxies in between say.
pub(crate) fn address(app: &App, peer: SocketAddr, headers: &HeaderMap) -> IpAddr {
    let proxies = app.settings.trusted_proxies as usize;
    let peer = peer.ip().to_canonical();
    if proxies == 0 {
        return peer;
    }
    let said = headers.get_all("x-forwarded-for").into_iter().filter_map(|value| value.to_str().ok());
    let said: Vec<&str> = said.flat_map(|text| text.split(',')).map(str::trim).collect();
    // Each proxy adds whom it was asked by. What comes before the outermost of ours anybody can have written.
    let place = said.len().checked_sub(proxies);
    place.and_then(|place| said[place].parse::<IpAddr>().ok()).map_or(peer, |address| address.to_canonical())
}

/// The client of a request: its network address, as limits know it.
pub(crate) struct Client(pub(crate) IpAddr);

impl FromRequestParts<Arc<App>> for Client {
    type Rejection = ApiProblem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Client, ApiProblem> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().ok_or_else(ApiProblem::our_mistake)?;
        Ok(Client(address_key(address(app, peer.0, &parts.headers))))
    }
}

/// Lets a request through, or says why not; writes down how it went.
pub(crate) async fn guard(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    path: Option<MatchedPath>,
    request: Request,
    next: Next,
) -> Response {
    let start = Instant::now();
    let method = request.method().clone();
    let address = address(&app, peer, request.headers());
    let mut response = match admit(&app, address, &request) {
        Ok(held) => {
            let response = next.run(request).await;
            drop(held);
            response
        }
        Err(problem) => problem.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if app.settings.origin().is_https() {
        let name = header::STRICT_TRANSPORT_SECURITY;
        headers.entry(name).or_insert(HeaderValue::from_static(TRANSPORT_SECURITY));
    }
    // Answers are about now and often about somebody; what may be kept says so itself.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    let (status, took) = (response.status(), start.elapsed());
    let path = path.as_ref().map_or("", MatchedPath::as_str);
    app.metrics.answered(&method, path, status, took);
    // The path as the router knows it: names of tables and what is asked are not written down.
    let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    if status.is_server_error() {
        tracing::error!(%method, path, status = status.as_u16(), ms, %address, "answered");
    } else {
        tracing::debug!(%method, path, status = status.as_u16(), ms, %address, "answered");
    }
    response
}

/// The paths of health checks. They have a rate of their own, which other requests of the address cannot use up.
const HEALTH: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// Admits a request. Behind proxies it counts as one of its address's until it is answered.
fn admit(app: &App, address: IpAddr, request: &Request) -> Result<Option<ConnectionGuard>, ApiProblem> {
    let headers = request.headers();
    check_host(app, request)?;
    let upgrades = headers.contains_key(header::UPGRADE);
    let reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if upgrades || !reads {
        check_origin(app, headers)?;
    }
    if HEALTH.contains(&request.uri().path()) {
        return app.may_check_health(address).map(|()| None);
    }
    app.may_address(address)?;
    app.may_ask_at_once(address)
}

/// The name the browser thinks it is talking to. Without a public address we are on this machine or named by number: any other name
/// was made to point here by somebody else.
fn check_host(app: &App, request: &Request) -> Result<(), ApiProblem> {
    let headers = request.headers();
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let host = host.or_else(|| request.uri().authority().map(axum::http::uri::Authority::as_str));
    let host = host.unwrap_or("");
    let origin = app.settings.origin();
    let public = origin.as_str().split_once("://").map_or("", |(_, host)| host);
    if host.eq_ignore_ascii_case(public) || is_by_number(host) {
        Ok(())
    } else {
        let detail = "nothing of this name is served here; see `public_origin` among the settings";
        Err(ApiProblem::new(StatusCode::MISDIRECTED_REQUEST, "wrong_host", detail))
    }
}

/// Whether a host is this machine's own name or a number.
fn is_by_number(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok()
}

/// A browser says from which page a change is asked for. Programs say nothing, and have no cookies of somebody's to abuse.
fn check_origin(app: &App, headers: &HeaderMap) -> Result<(), ApiProblem> {
    let refused = || {
        let detail = "changes are asked for by our own pages only";
        Err(ApiProblem::new(StatusCode::FORBIDDEN, "wrong_origin", detail))
    };
    let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
    if site.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
        return refused();
    }
    let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
    let Ok(origin) = origin.to_str() else { return refused() };
    if app.settings.origin().as_str().eq_ignore_ascii_case(origin) {
        return Ok(());
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("");
    let own =
        origin.strip_prefix("http://").is_some_and(|of| is_by_number(of) && of.eq_ignore_ascii_case(host));
    if own { Ok(()) } else { refused() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_by_number_and_this_machine_are_told_from_names() {
        for host in
            ["localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:80", "[::1]:8080", "[::1]", "10.0.0.7:1"]
        {
            assert!(is_by_number(host), "{host}");
        }
        for host in
            ["", "evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil", ":80"]
        {
            assert!(!is_by_number(host), "{host}");
        }
    }
}
