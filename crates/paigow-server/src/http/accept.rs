//! Accepts connections, limits their number per address and in total, and closes those that time out.

use super::connections::{ConnectionGuard, PerAddress};
use super::spare::{SpareSlot, SpareSlots};
use super::transport::{Activity, Timeouts, Transport};
use super::{ApiProblem, health_router, refusing_router, router};
use crate::app::App;
use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::http::StatusCode;
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
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
            serve_spare(&app, router.clone(), stream, peer, slot);
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
            serve_spare(app, router.clone(), stream, peer, slot);
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
    let service = {
        let activity = activity.clone();
        TowerToHyperService::new(tower::service_fn(move |request: Request<hyper::body::Incoming>| {
            let (router, activity) = (router.clone(), activity.clone());
            async move {
                activity.request_received();
                let response = router.oneshot(with_peer(request, peer)).await;
                let upgraded = response
                    .as_ref()
                    .is_ok_and(|response| response.status() == StatusCode::SWITCHING_PROTOCOLS);
                activity.response_ready(upgraded);
                response
            }
        }))
    };
    let transport = Transport::new(stream, activity.clone(), app.settings.frame_bytes * FRAMES_PER_SECOND);
    // HTTP/1.1 only: detecting the version waits for a silent client without a time limit. Proxies use newer versions
    // with browsers.
    let connection = Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(None)
        .serve_connection(TokioIo::new(transport), service);
    let stop = app.stop.clone();
    app.tasks.spawn(async move {
        let mut connection = pin!(connection.with_upgrades());
        // An error is a broken connection, which only concerns the client.
        tokio::select! {
            _ = connection.as_mut() => {}
            () = activity.expired() => {}
            () = stop.cancelled() => {
                connection.as_mut().graceful_shutdown();
                let _ = connection.await;
            }
        }
        drop(slots);
    });
}

/// Serves one request of a connection beyond the limits, or of the health listener.
fn serve_spare(app: &Arc<App>, router: Router, stream: TcpStream, peer: SocketAddr, slot: SpareSlot) {
    let has_request = slot.has_request.clone();
    let service = TowerToHyperService::new(router.map_request(move |request| {
        has_request.store(true, Ordering::Relaxed);
        with_peer(request, peer)
    }));
    let connection = Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(SPARE_HEADER_SECONDS))
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service);
    let stop = app.stop.clone();
    app.tasks.spawn(async move {
        tokio::select! {
            _ = connection => {}
            () = slot.evicted.cancelled() => {}
            () = tokio::time::sleep(Duration::from_secs(SPARE_SECONDS)) => {}
            () = stop.cancelled() => {}
        }
    });
}

fn with_peer(mut request: Request<hyper::body::Incoming>, peer: SocketAddr) -> Request {
    request.extensions_mut().insert(ConnectInfo(peer));
    request.map(axum::body::Body::new)
}
