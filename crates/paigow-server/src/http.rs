//! HTTP API: one router that lists every route, one file for each group of endpoints, and one format for every problem.

mod accept;
mod account;
mod assets;
mod auth;
mod bounds;
mod client_text;
mod connections;
mod document;
mod guard;
mod health;
mod input;
mod operator;
mod page;
mod previews;
mod problem;
mod questions;
mod rate_limit;
mod session;
mod sign_in;
mod sign_in_limits;
mod spare;
mod tables;
mod transport;

pub(crate) use accept::{accept, accept_health};
pub(crate) use auth::PlayerSession;
pub(crate) use connections::{ConnectionGuard, PerAddress};
pub(crate) use operator::audits::Audits;
pub(crate) use problem::Problems;
pub use problem::{ApiFault, ApiProblem};
pub(crate) use questions::{Preparations, Queue};
pub use rate_limit::{RateLimited, RateLimits, address_key};
pub(crate) use sign_in_limits::SignInLimits;

use crate::app::App;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use std::sync::Arc;
use std::time::Duration;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Request timeout. The exact base game is counted in two seconds on an idle machine.
const REQUEST_TIMEOUT_SECONDS: u64 = 120;

/// Paths of the page's views. All of them serve the same document.
const VIEWS: [&str; 22] = [
    "/",
    "/table/{table}",
    "/replay/{table}/{round}",
    "/lab",
    "/odds",
    "/trainer",
    "/cards",
    "/cards/{card}",
    "/rules",
    "/rules/{book}",
    "/house-ways/{house_way}",
    "/designer",
    "/figures",
    "/how-to-play",
    "/puzzle",
    "/puzzle/{day}",
    "/history",
    "/account",
    "/join/{secret}",
    "/console",
    "/console/{section}",
    "/console/people/{player}",
];

/// Title and description of the API document.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "paigow",
        description = "Pai gow poker: rules, exact odds, and live tables for practice money.\n\n\
            Refusals and failures are `application/problem+json` with a stable code. Money is integer cents, times are milliseconds \
            since 1970. Sessions are cookies. A request that changes something is accepted only from this server's own pages and from \
            programs that send no `Origin`."
    ),
    components(schemas(crate::live::FromClient, crate::live::ToClient, ApiProblem))
)]
struct ApiDocument;

/// All routes of the API, with their documentation.
fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(ApiDocument::openapi())
        // Questions.
        .routes(routes!(questions::books))
        .routes(routes!(questions::rules))
        .routes(routes!(questions::house_ways))
        .routes(routes!(questions::house_way))
        .routes(routes!(questions::cards))
        .routes(routes!(questions::exercises))
        .routes(routes!(questions::set))
        .routes(routes!(questions::best))
        .routes(routes!(questions::lab))
        .routes(routes!(questions::odds))
        .routes(routes!(questions::report::game_report))
        .routes(routes!(questions::design))
        .routes(routes!(questions::design_budget))
        .routes(routes!(questions::settle))
        .routes(routes!(questions::verify))
        .routes(routes!(questions::puzzle))
        .routes(routes!(questions::solution))
        // Sessions of players.
        .routes(routes!(session::begin, session::show, session::rename, session::end))
        .routes(routes!(session::account::chips))
        .routes(routes!(session::account::rounds))
        .routes(routes!(session::account::journal))
        .routes(routes!(session::results::results))
        .routes(routes!(session::results::result))
        // Accounts of players.
        .routes(routes!(account::show, account::make))
        .routes(routes!(account::passkeys::options))
        .routes(routes!(account::passkeys::add))
        .routes(routes!(account::passkeys::remove))
        .routes(routes!(account::password::change))
        .routes(routes!(account::password::recovery_codes))
        .routes(routes!(account::sessions::list))
        .routes(routes!(account::sessions::end))
        .routes(routes!(account::limits::set))
        .routes(routes!(account::data::data))
        .routes(routes!(account::deletion::delete))
        .routes(routes!(sign_in::with_password))
        .routes(routes!(sign_in::passkey_options))
        .routes(routes!(sign_in::with_passkey))
        .routes(routes!(sign_in::with_recovery_code))
        // Tables.
        .routes(routes!(tables::lobby::list, tables::lobby::open))
        .routes(routes!(tables::show))
        .routes(routes!(tables::command))
        .routes(routes!(tables::live::live))
        .routes(routes!(tables::people))
        .routes(routes!(tables::rules))
        .routes(routes!(tables::rounds::rounds))
        .routes(routes!(tables::rounds::round))
        .routes(routes!(tables::rounds::receipt))
        .routes(routes!(tables::rounds::keys))
        .routes(routes!(tables::invitations::invite, tables::invitations::list))
        .routes(routes!(tables::invitations::withdraw))
        .routes(routes!(tables::invitations::remove_member))
        .routes(routes!(tables::invitations::show, tables::invitations::accept))
        // Operators.
        .routes(routes!(operator::enrolment::options))
        .routes(routes!(operator::enrolment::finish))
        .routes(routes!(operator::sign_in::begin, operator::show, operator::end))
        .routes(routes!(operator::sign_in::passkey_options))
        .routes(routes!(operator::sign_in::passkey))
        .routes(routes!(operator::operators::list, operator::operators::add))
        .routes(routes!(operator::operators::change))
        .routes(routes!(operator::operators::reset))
        .routes(routes!(operator::table_list::list, operator::tables::open))
        .routes(routes!(operator::tables::command))
        .routes(routes!(operator::tables::notices))
        .routes(routes!(operator::invitations::invite, operator::invitations::list))
        .routes(routes!(operator::invitations::withdraw))
        .routes(routes!(operator::invitations::remove_member))
        .routes(routes!(operator::money::chips))
        .routes(routes!(operator::money::balance))
        .routes(routes!(operator::approvals::list))
        .routes(routes!(operator::approvals::decide))
        .routes(routes!(operator::people::list))
        .routes(routes!(operator::people::show, operator::people::rename))
        .routes(routes!(operator::people::sign_out))
        .routes(routes!(operator::rounds::rounds))
        .routes(routes!(operator::journal::journal))
        .routes(routes!(operator::audits::show, operator::audits::begin))
        .routes(routes!(operator::reports::report))
        .routes(routes!(operator::acts))
        .routes(routes!(operator::drain))
        // The process.
        .routes(routes!(health::alive))
        .routes(routes!(health::ready))
        .routes(routes!(health::metrics))
        .routes(routes!(health::document))
}

/// Returns the document of the API, as in `docs/openapi.json`.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = routes().into_openapi();
    bounds::describe(&mut document);
    document
}

/// Router of the API and the page.
pub(crate) fn router(app: &Arc<App>) -> Router {
    let (router, _) = routes().split_for_parts();
    let page = VIEWS.iter().fold(router, |router, view| router.route(view, get(document::document)));
    page.route("/assets/{version}/{*path}", get(assets::file))
        .route("/service-worker.js", get(assets::service_worker))
        .route("/previews/hand", get(previews::hand))
        .route("/previews/puzzles/{day}", get(previews::puzzle))
        .route("/previews/tables/{table}", get(previews::table))
        .route("/previews/rounds/{table}/{round}", get(previews::round))
        .fallback(not_found)
        .method_not_allowed_fallback(no_such_method)
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn(with_timeout))
        .layer(DefaultBodyLimit::max(app.settings.body_bytes as usize))
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .layer(Extension(Arc::new(assets::Page::new(app.settings.page_folder.clone()))))
        .with_state(app.clone())
}

/// Router for connections beyond the limits: health checks, and `problem` for every other request.
fn refusing_router(app: &Arc<App>, problem: fn() -> ApiProblem) -> Router {
    health_routes()
        .fallback(async move || problem())
        .layer(from_fn(with_timeout))
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .with_state(app.clone())
}

/// Router of the health listener. It does not check the host name, because it serves only the operator's network.
fn health_router(app: &Arc<App>) -> Router {
    health_routes().fallback(no_such_path).layer(from_fn(with_timeout)).with_state(app.clone())
}

fn health_routes() -> Router<Arc<App>> {
    Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(health::metrics))
        .method_not_allowed_fallback(no_such_method)
}

/// Runs work in its own task, so that it completes even if the client disconnects and the request's future is dropped.
pub(crate) async fn run_to_completion<T: Send + 'static>(
    work: impl Future<Output = Result<T, ApiProblem>> + Send + 'static,
) -> Result<T, ApiProblem> {
    tokio::spawn(work).await.map_err(|_| ApiProblem::internal_error())?
}

/// Responds with `too_slow` once the request timeout has passed.
async fn with_timeout(request: Request, next: Next) -> Response {
    let limit = Duration::from_secs(REQUEST_TIMEOUT_SECONDS);
    tokio::time::timeout(limit, next.run(request)).await.unwrap_or_else(|_| {
        let detail = format!("request timed out after {REQUEST_TIMEOUT_SECONDS} s");
        ApiProblem::new(StatusCode::GATEWAY_TIMEOUT, "too_slow", detail).into_response()
    })
}

/// Response for an unknown path. A browser gets the page, which shows its own message.
async fn not_found(
    app: State<Arc<App>>,
    page: Extension<Arc<assets::Page>>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    let is_view = !uri.path().starts_with("/api/") && !uri.path().starts_with("/assets/");
    if is_view && accept.is_some_and(|accept| accept.contains("text/html")) {
        return (StatusCode::NOT_FOUND, document::document(app, page, uri).await).into_response();
    }
    no_such_path().await.into_response()
}

async fn no_such_path() -> ApiProblem {
    ApiProblem::not_found("no_such_path", "no such path")
}

async fn no_such_method() -> ApiProblem {
    ApiProblem::new(StatusCode::METHOD_NOT_ALLOWED, "no_such_method", "method not allowed for this path")
}

/// Response to a request whose handler panicked. Other requests are not affected.
fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    tracing::error!("a request handler panicked");
    ApiProblem::internal_error().into_response()
}
