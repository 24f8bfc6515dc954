//! Accepts connections, limits their number per address and in total, and closes those that time out.

use super::connections::{ConnectionGuard, PerAddress};
use super::spare::{SpareSlot, SpareSlots};
use super::transport::{Activity, Timeouts, Transport};
use super::{ApiProblem, health_router, refusing_router, router};
use crate::app::App;
use crate::tls::HTTP2;
use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::http::StatusCode;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

/// Number of connections beyond the limits that may wait for a health check or a refusal.
const SPARE_SLOTS: usize = 64;
/// Header timeout of such a connection.
const SPARE_HEADER_SECONDS: u64 = 2;
/// Timeout of such a connection in total.
const SPARE_SECONDS: u64 = 10;
/// `Retry-After` of a refused connection.
const RETRY_SECONDS: u64 = 10;
/// Number of frames of the maximum size that a socket may send per second.
const FRAMES_PER_SECOND: u64 = 4;
/// Maximum number of concurrent requests on a connection of HTTP/2. The page needs a few dozen.
const STREAMS_MAX: u32 = 64;
/// Number of streams of HTTP/2 that a client may reset before the server has accepted them, and number of streams that
/// the server may reset for faults of the client. The server closes a connection beyond one of them.
const RESETS_MAX: usize = 32;
/// Maximum size of a request header over HTTP/2.
const HEADER_BYTES_MAX: u32 = 16 << 10;
/// Bytes of a request body over HTTP/2 that may arrive before a handler reads them.
const STREAM_WINDOW_BYTES: u32 = 64 << 10;
/// The same for all request bodies of a connection.
const CONNECTION_WINDOW_BYTES: u32 = 256 << 10;
/// Bytes of a response over HTTP/2 that are buffered for a slow client, beyond the last part of its body.
const SEND_BYTES_MAX: usize = 64 << 10;

/// Accepts connections until the server stops. Open connections complete their current request.
pub(crate) async fn accept(app: Arc<App>, listener: TcpListener) {
    let lanes = ConnectionLimits::new(&app);
    while let Some((stream, peer)) = next(&app, &listener).await {
        lanes.serve(&app, stream, peer);
    }
}

/// Accepts connections of the health listener until the server stops.
pub(crate) async fn accept_health(app: Arc<App>, listener: TcpListener) {
    let (router, spare) = (health_router(&app), SpareSlots::new(SPARE_SLOTS));
    while let Some((stream, peer)) = next(&app, &listener).await {
        if let Some(slot) = spare.take() {
            serve_spare(&app, None, router.clone(), stream, peer, slot);
        }
    }
}

/// Accepts the next connection. Returns `None` once the server stops.
async fn next(app: &App, listener: &TcpListener) -> Option<(TcpStream, SocketAddr)> {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = app.stop.cancelled() => return None,
        };
        match accepted {
            Ok((stream, peer)) => {
                // Messages are short and must not be delayed.
                let _ = stream.set_nodelay(true);
                return Some((stream, peer));
            }
            Err(error) => {
                // Too many files are open, or the client disconnected first.
                tracing::warn!(%error, "cannot accept a connection");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

/// Connection limits, and the router for each outcome.
struct ConnectionLimits {
    router: Router,
    /// Router for connections beyond the limit of their address.
    address_limit_router: Router,
    /// Router for connections beyond the total limit.
    total_limit_router: Router,
    total: Arc<Semaphore>,
    /// Has no maximum behind proxies. There every connection is from a proxy, and requests are counted by the address
    /// that the proxies report.
    addresses: PerAddress,
    spare: Arc<SpareSlots>,
}

impl ConnectionLimits {
    fn new(app: &Arc<App>) -> ConnectionLimits {
        let address_limit = || {
            ApiProblem::too_many(
                "too_many_connections",
                "too many connections from this address",
                RETRY_SECONDS,
            )
        };
        let total_limit = || ApiProblem {
            retry_seconds: Some(RETRY_SECONDS),
            ..ApiProblem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "too_many_connections",
                "the server has reached its maximum number of connections",
            )
        };
        let is_proxied = app.settings.trusted_proxies > 0;
        let address_max = if is_proxied { 0 } else { app.settings.connections_per_address };
        ConnectionLimits {
            router: router(app),
            address_limit_router: refusing_router(app, address_limit),
            total_limit_router: refusing_router(app, total_limit),
            total: Arc::new(Semaphore::new(app.settings.connections as usize)),
            addresses: PerAddress::new(address_max),
            spare: SpareSlots::new(SPARE_SLOTS),
        }
    }

    fn serve(&self, app: &Arc<App>, stream: TcpStream, peer: SocketAddr) {
        let Some(address_slot) = self.addresses.take(peer.ip()) else {
            return self.refuse(app, &self.address_limit_router, stream, peer);
        };
        let Ok(total_slot) = self.total.clone().try_acquire_owned() else {
            return self.refuse(app, &self.total_limit_router, stream, peer);
        };
        serve_connection(app, self.router.clone(), stream, peer, (address_slot, total_slot));
    }

    fn refuse(&self, app: &Arc<App>, router: &Router, stream: TcpStream, peer: SocketAddr) {
        app.metrics.limited("connections");
        if let Some(slot) = self.spare.take() {
            let acceptor = app.tls.as_ref().map(|tls| tls.spare_acceptor());
            serve_spare(app, acceptor, router.clone(), stream, peer, slot);
        }
    }
}

/// Serves a connection within the limits. It frees its slots when it ends or becomes a socket, because sockets have
/// separate limits.
fn serve_connection(
    app: &Arc<App>,
    router: Router,
    stream: TcpStream,
    peer: SocketAddr,
    slots: (ConnectionGuard, OwnedSemaphorePermit),
) {
    let seconds = Duration::from_secs;
    let timeouts =
        Timeouts { header: seconds(app.settings.header_seconds), idle: seconds(app.settings.idle_seconds) };
    let activity = Activity::new(timeouts);
    let transport = Transport::new(stream, activity.clone(), app.settings.frame_bytes * FRAMES_PER_SECOND);
    let (acceptor, stop) = (app.tls.as_ref().map(|tls| tls.acceptor()), app.stop.clone());
    app.tasks.spawn(async move {
        let Some(acceptor) = acceptor else {
            serve_http1(Either::Left(transport), router, peer, activity, stop).await;
            return drop(slots);
        };
        let stream = tokio::select! {
            accepted = acceptor.accept(transport) => accepted,
            () = activity.expired() => return,
            () = stop.cancelled() => return,
        };
        match stream {
            Ok(stream) if stream.get_ref().1.alpn_protocol() == Some(HTTP2) => {
                serve_http2(stream, router, peer, activity, stop).await;
            }
            Ok(stream) => {
                serve_http1(Either::Right(Box::new(stream)), router, peer, activity, stop).await;
            }
            // Scanners, and clients that do not trust the certificate.
            Err(error) => tracing::debug!(%error, %peer, "a TLS handshake failed"),
        }
        drop(slots);
    });
}

/// Bytes of a connection of HTTP/1.1, plain or with TLS.
type Http1Stream = Either<Transport, Box<TlsStream<Transport>>>;

async fn serve_http1(
    stream: Http1Stream,
    router: Router,
    peer: SocketAddr,
    activity: Arc<Activity>,
    stop: CancellationToken,
) {
    // Without TLS only HTTP/1.1: detecting the version waits for a silent client without a time limit. Proxies use newer
    // versions with browsers.
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(None)
        .serve_connection(TokioIo::new(stream), service(router, peer, activity.clone()));
    let connection = connection.with_upgrades();
    run(connection, http1::UpgradeableConnection::graceful_shutdown, &activity, &stop).await;
}

/// Serves a connection of HTTP/2.
///
/// Several requests share it, and its client can open and reset streams cheaply, so their number and their buffers are
/// limited. Keep-alive pings are off: the idle timeout closes a connection whose client is gone, and a request in progress
/// has its own timeout. WebSockets over HTTP/2 are not offered, because the limits of sockets count bytes and connections;
/// browsers open them over HTTP/1.1.
async fn serve_http2(
    stream: TlsStream<Transport>,
    router: Router,
    peer: SocketAddr,
    activity: Arc<Activity>,
    stop: CancellationToken,
) {
    activity.set_http2();
    let connection = http2::Builder::new(TokioExecutor::new())
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS_MAX)
        .max_pending_accept_reset_streams(RESETS_MAX)
        .max_local_error_reset_streams(RESETS_MAX)
        .max_header_list_size(HEADER_BYTES_MAX)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .max_send_buf_size(SEND_BYTES_MAX)
        .serve_connection(TokioIo::new(stream), service(router, peer, activity.clone()));
    run(
        Box::pin(connection),
        |connection| connection.get_mut().as_mut().graceful_shutdown(),
        &activity,
        &stop,
    )
    .await;
}

/// Returns the service of a connection, which reports each request to its activity.
fn service(
    router: Router,
    peer: SocketAddr,
    activity: Arc<Activity>,
) -> impl hyper::service::Service<
    Request<Incoming>,
    Response = Response,
    Error = Infallible,
    Future: Send + 'static,
> + Clone {
    TowerToHyperService::new(tower::service_fn(move |request: Request<Incoming>| {
        let (router, activity) = (router.clone(), activity.clone());
        async move {
            let in_progress = activity.begin_request();
            let response = router.oneshot(with_peer(request, peer)).await;
            if response.as_ref().is_ok_and(|response| response.status() == StatusCode::SWITCHING_PROTOCOLS) {
                activity.set_socket();
            }
            drop(in_progress);
            response
        }
    }))
}

/// Runs a connection until it ends or times out. A graceful shutdown lets it complete its current requests.
async fn run<C: Future>(
    connection: C,
    shut_down: impl FnOnce(Pin<&mut C>),
    activity: &Activity,
    stop: &CancellationToken,
) {
    let mut connection = pin!(connection);
    // An error is a broken connection, which only concerns the client.
    tokio::select! {
        _ = connection.as_mut() => {}
        () = activity.expired() => {}
        () = stop.cancelled() => {
            shut_down(connection.as_mut());
            let _ = connection.await;
        }
    }
}

/// Serves one request of a connection beyond the limits, or of the health listener, which has no TLS.
fn serve_spare(
    app: &Arc<App>,
    acceptor: Option<TlsAcceptor>,
    router: Router,
    stream: TcpStream,
    peer: SocketAddr,
    slot: SpareSlot,
) {
    let has_request = slot.has_request.clone();
    let service = TowerToHyperService::new(router.map_request(move |request| {
        has_request.store(true, Ordering::Relaxed);
        with_peer(request, peer)
    }));
    let header_timeout = Duration::from_secs(SPARE_HEADER_SECONDS);
    let serve = async move {
        let stream = match acceptor {
            None => Either::Left(stream),
            Some(acceptor) => match timeout(header_timeout, acceptor.accept(stream)).await {
                Ok(Ok(stream)) => Either::Right(stream),
                Ok(Err(_)) | Err(_) => return,
            },
        };
        // An error is a broken connection, which only concerns the client.
        let _ = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(header_timeout)
            .keep_alive(false)
            .serve_connection(TokioIo::new(stream), service)
            .await;
    };
    let stop = app.stop.clone();
    app.tasks.spawn(async move {
        tokio::select! {
            () = serve => {}
            () = slot.evicted.cancelled() => {}
            () = tokio::time::sleep(Duration::from_secs(SPARE_SECONDS)) => {}
            () = stop.cancelled() => {}
        }
    });
}

fn with_peer(mut request: Request<Incoming>, peer: SocketAddr) -> Request {
    request.extensions_mut().insert(ConnectInfo(peer));
    request.map(axum::body::Body::new)
}
