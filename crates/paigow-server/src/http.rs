//! The API: one router that lists every route, one small file for each endpoint, one form for every problem.

mod accept;
mod assets;
mod bounds;
mod connections;
mod guard;
mod health;
mod input;
mod keys;
mod operator;
mod page;
mod problem;
mod questions;
mod rate_limit;
mod session;
mod spare;
mod tables;
mod transport;
mod who;

pub(crate) use accept::{accept, accept_health};
pub(crate) use connections::{ConnectionGuard, PerAddress};
pub(crate) use problem::Problems;
pub use problem::{ApiFault, ApiProblem};
pub(crate) use questions::Queue;
pub use rate_limit::{RateLimited, RateLimits, address_key};
pub(crate) use who::PlayerSession;

use crate::app::App;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;
use std::time::Duration;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The longest a question may take. The exact base game is counted in ten seconds on a quiet machine.
const ANSWER_SECONDS: u64 = 120;

/// The addresses of the page's views: all of them are the one document.
const VIEWS: [&str; 10] = [
    "/",
    "/table/{table}",
    "/replay/{table}/{round}",
    "/lab",
    "/odds",
    "/trainer",
    "/rules",
    "/rules/{book}",
    "/house-ways/{house_way}",
    "/figures",
];

/// What the document says of the whole.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "paigow",
        description = "Pai gow poker: rules, exact odds, and live tables for practice money.\n\n\
            Refusals and failures are `application/problem+json` with a code that does not change. Money is integer cents, times are \
            milliseconds since 1970. Sessions are cookies; changes are taken from our own pages and from programs only."
    ),
    components(schemas(crate::live::FromClient, crate::live::ToClient, ApiProblem))
)]
struct ApiDocument;

/// Every route.
fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(ApiDocument::openapi())
        // Questions.
        .routes(routes!(questions::books::books))
        .routes(routes!(questions::rules::rules))
        .routes(routes!(questions::house_ways::house_ways))
        .routes(routes!(questions::house_way::house_way))
        .routes(routes!(questions::set::set))
        .routes(routes!(questions::best::best))
        .routes(routes!(questions::lab::lab))
        .routes(routes!(questions::odds::odds))
        .routes(routes!(questions::settle::settle))
        .routes(routes!(questions::verify::verify))
        // Who asks.
        .routes(routes!(
            session::begin::begin,
            session::show::show,
            session::rename::rename,
            session::end::end
        ))
        .routes(routes!(session::chips::chips))
        .routes(routes!(session::rounds::rounds))
        .routes(routes!(session::journal::journal))
        // Tables.
        .routes(routes!(tables::list::list, tables::open::open))
        .routes(routes!(tables::show::show))
        .routes(routes!(tables::command::command))
        .routes(routes!(tables::live::live))
        .routes(routes!(tables::people::people))
        .routes(routes!(tables::rules::rules))
        .routes(routes!(tables::rounds::rounds))
        .routes(routes!(tables::round::round))
        .routes(routes!(tables::receipt::receipt))
        .routes(routes!(keys::keys))
        // The house.
        .routes(routes!(operator::begin::begin, operator::end::end))
        .routes(routes!(operator::open::open))
        .routes(routes!(operator::command::command))
        .routes(routes!(operator::notices::notices))
        .routes(routes!(operator::chips::chips))
        .routes(routes!(operator::balance::balance))
        .routes(routes!(operator::rounds::rounds))
        .routes(routes!(operator::journal::journal))
        .routes(routes!(operator::acts::acts))
        .routes(routes!(operator::drain::drain))
        .routes(routes!(operator::secret::secret))
        // The process.
        .routes(routes!(health::alive))
        .routes(routes!(health::ready))
        .routes(routes!(health::metrics))
        .routes(routes!(health::document))
}

/// The API as a document for programs.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = routes().into_openapi();
    bounds::describe(&mut document);
    document
}

/// The API as a service.
pub(crate) fn router(app: &Arc<App>) -> Router {
    let (router, _) = routes().split_for_parts();
    let page = VIEWS.iter().fold(router, |router, view| router.route(view, get(assets::document)));
    page.route("/assets/{version}/{*path}", get(assets::file))
        .fallback(nothing)
        .method_not_allowed_fallback(no_such_method)
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn(in_time))
        .layer(DefaultBodyLimit::max(app.settings.body_bytes as usize))
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .with_state(app.clone())
}

/// Health checks, for connections beyond the limits; any other request is refused with a problem.
fn refusing_router(app: &Arc<App>, problem: fn() -> ApiProblem) -> Router {
    health_routes()
        .fallback(async move || problem())
        .layer(from_fn(in_time))
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .with_state(app.clone())
}

/// Health checks, for the listener of their own. It is reached from the operator's network and under any name.
fn health_router(app: &Arc<App>) -> Router {
    health_routes().fallback(nothing).layer(from_fn(in_time)).with_state(app.clone())
}

fn health_routes() -> Router<Arc<App>> {
    Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(health::metrics))
        .method_not_allowed_fallback(no_such_method)
}

/// Does work to its end also if whoever asked for it goes away: the future of a request is dropped then.
pub(crate) async fn to_the_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, ApiProblem>> + Send + 'static,
) -> Result<T, ApiProblem> {
    tokio::spawn(work).await.map_err(|_| ApiProblem::our_mistake())?
}

/// Answers within a time, if only that it took too long.
async fn in_time(request: Request, next: Next) -> Response {
    let answer = tokio::time::timeout(Duration::from_secs(ANSWER_SECONDS), next.run(request)).await;
    answer.unwrap_or_else(|_| {
        let detail = "this takes longer than anybody is kept waiting for";
        ApiProblem::new(StatusCode::GATEWAY_TIMEOUT, "too_slow", detail).into_response()
    })
}

/// A browser gets the page, which says so in its own words.
async fn nothing(uri: Uri, headers: HeaderMap) -> Response {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    let is_view = !uri.path().starts_with("/api/") && !uri.path().starts_with("/assets/");
    if is_view && accept.is_some_and(|accept| accept.contains("text/html")) {
        return (StatusCode::NOT_FOUND, assets::document().await).into_response();
    }
    ApiProblem::not_found("no_such_path", "there is nothing at this address").into_response()
}

async fn no_such_method() -> ApiProblem {
    ApiProblem::new(StatusCode::METHOD_NOT_ALLOWED, "no_such_method", "this cannot be done at this address")
}

/// A panic is our mistake. Whoever asked learns that much, and the others go on.
fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    tracing::error!("a request made the server panic");
    ApiProblem::our_mistake().into_response()
}
