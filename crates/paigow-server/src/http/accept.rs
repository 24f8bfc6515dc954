//! Connections: accepted, limited for each address and in all, and closed when the client takes too long.

use super::connections::{ConnectionGuard, PerAddress};
use super::spare::{Spare, SpareSlot};
use super::transport::{Activity, Patience, Transport};
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

/// How many connections beyond the limits are held for a health check or a refusal.
const SPARE: usize = 64;
/// How long each of them may take for its header, and in all.
const SPARE_HEADER_SECONDS: u64 = 2;
const SPARE_SECONDS: u64 = 10;
/// When a client that was refused a connection may try again.
const RETRY_SECONDS: u64 = 10;
/// How many frames of the largest size a socket may send in a second.
const FRAMES_PER_SECOND: u64 = 4;

/// Accepts connections until the server stops. Open connections finish the request they are at.
pub(crate) async fn accept(app: Arc<App>, listener: TcpListener) {
    let lanes = Lanes::new(&app);
    while let Some((stream, peer)) = next(&app, &listener).await {
        lanes.serve(&app, stream, peer);
    }
}

/// Accepts connections that are answered health checks only, until the server stops.
pub(crate) async fn accept_health(app: Arc<App>, listener: TcpListener) {
    let (router, spare) = (health_router(&app), Spare::new(SPARE));
    while let Some((stream, peer)) = next(&app, &listener).await {
        if let Some(slot) = spare.take() {
            serve_spare(&app, router.clone(), stream, peer, slot);
        }
    }
}

/// The next connection; `None` once the server stops.
async fn next(app: &App, listener: &TcpListener) -> Option<(TcpStream, SocketAddr)> {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = app.stop.cancelled() => return None,
        };
        match accepted {
            Ok((stream, peer)) => {
                // Messages are short, and clients wait for them.
                let _ = stream.set_nodelay(true);
                return Some((stream, peer));
            }
            Err(error) => {
                // Too many files are open, or the client left before it was accepted.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

/// The ways a connection may be served.
struct Lanes {
    router: Router,
    /// For connections beyond the limit of their address.
    router_address: Router,
    /// For connections beyond the limit in all.
    router_all: Router,
    all: Arc<Semaphore>,
    /// Without a maximum behind proxies: every connection is a proxy's, and requests are counted by the address the proxies name.
    addresses: PerAddress,
    spare: Arc<Spare>,
}

impl Lanes {
    fn new(app: &Arc<App>) -> Lanes {
        let of_address = || {
            ApiProblem::too_many(
                "too_many_connections",
                "this address has as many connections open as one may have",
                RETRY_SECONDS,
            )
        };
        let in_all = || ApiProblem {
            retry_seconds: Some(RETRY_SECONDS),
            ..ApiProblem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "too_many_connections",
                "the server has as many connections open as it may have",
            )
        };
        let is_proxied = app.settings.trusted_proxies > 0;
        let of_address_max = if is_proxied { 0 } else { app.settings.connections_per_address };
        Lanes {
            router: router(app),
            router_address: refusing_router(app, of_address),
            router_all: refusing_router(app, in_all),
            all: Arc::new(Semaphore::new(app.settings.connections as usize)),
            addresses: PerAddress::new(of_address_max),
            spare: Spare::new(SPARE),
        }
    }

    fn serve(&self, app: &Arc<App>, stream: TcpStream, peer: SocketAddr) {
        let Some(of_address) = self.addresses.take(peer.ip()) else {
            return self.refuse(app, &self.router_address, stream, peer);
        };
        let Ok(in_all) = self.all.clone().try_acquire_owned() else {
            return self.refuse(app, &self.router_all, stream, peer);
        };
        serve_one(app, self.router.clone(), stream, peer, (of_address, in_all));
    }

    fn refuse(&self, app: &Arc<App>, router: &Router, stream: TcpStream, peer: SocketAddr) {
        app.metrics.limited("connections");
        if let Some(slot) = self.spare.take() {
            serve_spare(app, router.clone(), stream, peer, slot);
        }
    }
}

/// Serves a connection within the limits. Its slots are free again when it ends or becomes a socket: sockets have limits of their own.
fn serve_one(
    app: &Arc<App>,
    router: Router,
    stream: TcpStream,
    peer: SocketAddr,
    slots: (ConnectionGuard, OwnedSemaphorePermit),
) {
    let seconds = Duration::from_secs;
    let patience =
        Patience { header: seconds(app.settings.header_seconds), idle: seconds(app.settings.idle_seconds) };
    let activity = Activity::new(patience);
    let service = {
        let activity = activity.clone();
        TowerToHyperService::new(tower::service_fn(move |request: Request<hyper::body::Incoming>| {
            let (router, activity) = (router.clone(), activity.clone());
            async move {
                activity.asked();
                let answer = router.oneshot(with_peer(request, peer)).await;
                let upgraded =
                    answer.as_ref().is_ok_and(|answer| answer.status() == StatusCode::SWITCHING_PROTOCOLS);
                activity.answered(upgraded);
                answer
            }
        }))
    };
    let transport = Transport::new(stream, activity.clone(), app.settings.frame_bytes * FRAMES_PER_SECOND);
    // HTTP/1.1 only: telling versions apart waits without end for a silent client. Proxies speak newer ones to browsers.
    let connection = Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(None)
        .serve_connection(TokioIo::new(transport), service);
    let stop = app.stop.clone();
    app.tasks.spawn(async move {
        let mut connection = pin!(connection.with_upgrades());
        // A connection that breaks is the client's doing.
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

/// Serves one request of a connection beyond the limits, or of the listener for health checks.
fn serve_spare(app: &Arc<App>, router: Router, stream: TcpStream, peer: SocketAddr, slot: SpareSlot) {
    let has_asked = slot.has_asked.clone();
    let service = TowerToHyperService::new(router.map_request(move |request| {
        has_asked.store(true, Ordering::Relaxed);
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
