//! Middleware of every request: host, origin and rate checks, response headers, metrics and the request log.

use super::connections::ConnectionGuard;
use super::problem::ApiProblem;
use crate::app::App;
use crate::http::address_key;
use crate::settings::WebOrigin;
use axum::extract::{ConnectInfo, FromRequestParts, MatchedPath, Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Version};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

/// Allows resources from this origin only, and forbids embedding in other pages.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Headers of every response.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), payment=()"),
];

/// Two years, the recommended lifetime for the preload lists of browsers.
const TRANSPORT_SECURITY: &str = "max-age=63072000";

/// Returns the client address of a request: the peer, or the address that the trusted proxies report.
pub(crate) fn address(app: &App, peer: SocketAddr, headers: &HeaderMap) -> IpAddr {
    let proxies = app.settings.trusted_proxies as usize;
    let peer = peer.ip().to_canonical();
    if proxies == 0 {
        return peer;
    }
    let values = headers.get_all("x-forwarded-for").into_iter().filter_map(|value| value.to_str().ok());
    let hops: Vec<&str> = values.flat_map(|text| text.split(',')).map(str::trim).collect();
    // Each proxy appends the address of its client. Entries before that of the outermost trusted proxy can be forged.
    let index = hops.len().checked_sub(proxies);
    index.and_then(|index| hops[index].parse::<IpAddr>().ok()).map_or(peer, |address| address.to_canonical())
}

/// The client of a request: the network address that limits apply to.
#[derive(Clone, Copy)]
pub(crate) struct Client(pub(crate) IpAddr);

impl FromRequestParts<Arc<App>> for Client {
    type Rejection = ApiProblem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Client, ApiProblem> {
        let peer =
            parts.extensions.get::<ConnectInfo<SocketAddr>>().ok_or_else(ApiProblem::internal_error)?;
        Ok(Client(address_key(address(app, peer.0, &parts.headers))))
    }
}

/// Admits or refuses a request, then adds headers, metrics and a log line to the response.
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
    // Only for a host that the operator has named: without one, the page may be at `localhost`, where other programs serve
    // plain http.
    if app.settings.public_origin.as_ref().is_some_and(WebOrigin::is_https) {
        let name = header::STRICT_TRANSPORT_SECURITY;
        headers.entry(name).or_insert(HeaderValue::from_static(TRANSPORT_SECURITY));
    }
    // Responses are current and often personal. Those that may be cached set their own header.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    let (status, took) = (response.status(), start.elapsed());
    let path = path.as_ref().map_or("", MatchedPath::as_str);
    app.metrics.record_request(&method, path, status, took);
    // The log has the path of the route, without table names and queries.
    let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    if status.is_server_error() {
        tracing::error!(%method, path, status = status.as_u16(), ms, %address, "request completed");
    } else {
        tracing::debug!(%method, path, status = status.as_u16(), ms, %address, "request completed");
    }
    response
}

/// Paths of health checks. They have a separate rate limit, which other requests from the address do not use up.
const HEALTH: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// Admits a request or refuses it. Behind proxies and over HTTP/2, the returned guard counts it as one of its address's
/// concurrent requests.
fn admit(app: &App, address: IpAddr, request: &Request) -> Result<Option<ConnectionGuard>, ApiProblem> {
    let headers = request.headers();
    check_host(app, request)?;
    let is_upgrade = headers.contains_key(header::UPGRADE);
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if is_upgrade || !is_read {
        check_origin(app, request)?;
    }
    if HEALTH.contains(&request.uri().path()) {
        return app.check_health_rate(address).map(|()| None);
    }
    app.check_address_rate(address)?;
    // A connection of HTTP/2 has many requests, so that a limit of connections does not limit requests.
    let shares_connection = app.settings.trusted_proxies > 0 || request.version() == Version::HTTP_2;
    if shares_connection { app.count_concurrent_request(address).map(Some) } else { Ok(None) }
}

/// Host of a request: the header, or the authority of HTTP/2.
fn host(request: &Request) -> &str {
    let header = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    header.or_else(|| request.uri().authority().map(Authority::as_str)).unwrap_or("")
}

/// Refuses requests for a host other than the public one, an IP address or `localhost`.
///
/// Any other name may be one that an attacker has pointed at this server (DNS rebinding).
fn check_host(app: &App, request: &Request) -> Result<(), ApiProblem> {
    let host = host(request);
    let origin = app.settings.origin();
    let public = origin.as_str().split_once("://").map_or("", |(_, host)| host);
    if host.eq_ignore_ascii_case(public) || is_ip_or_localhost(host) {
        Ok(())
    } else {
        let detail = "this server does not serve that host; see the setting `public_origin`";
        Err(ApiProblem::new(StatusCode::MISDIRECTED_REQUEST, "wrong_host", detail))
    }
}

/// Whether a host is `localhost` or an IP address, with or without a port.
fn is_ip_or_localhost(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok()
}

/// Refuses changes that pages of another origin request.
///
/// Browsers send the origin of the page. Requests without one come from programs, which have no cookies of a victim to
/// abuse.
fn check_origin(app: &App, request: &Request) -> Result<(), ApiProblem> {
    let headers = request.headers();
    let refused = || {
        let detail = "changes are accepted only from pages of this server";
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
    let scheme = if app.tls.is_some() { "https://" } else { "http://" };
    let is_same = origin
        .strip_prefix(scheme)
        .is_some_and(|origin| is_ip_or_localhost(origin) && origin.eq_ignore_ascii_case(host(request)));
    if is_same { Ok(()) } else { refused() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ip_addresses_and_localhost_are_recognized() {
        for host in
            ["localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:80", "[::1]:8080", "[::1]", "10.0.0.7:1"]
        {
            assert!(is_ip_or_localhost(host), "{host}");
        }
        for host in
            ["", "evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil", ":80"]
        {
            assert!(!is_ip_or_localhost(host), "{host}");
        }
    }
}
