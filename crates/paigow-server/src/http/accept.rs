//! Connections: taken, limited in number, and not waited for without end.

use super::router;
use crate::app::App;
use axum::extract::{ConnectInfo, Request};
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower::ServiceExt;

/// How long somebody may take to say what they want.
const HEADER_SECONDS: u64 = 10;
/// How many connections there may be that are no sockets yet: those have limits of their own.
const CONNECTIONS_MAX: usize = 4_096;

/// Takes connections until the server stops. Those that are open then finish what they do.
pub(crate) async fn accept(app: Arc<App>, listener: TcpListener) {
    let router = router(&app);
    // HTTP/1.1 only: telling versions apart waits without end for somebody who says nothing. Proxies speak newer ones to browsers.
    let mut builder = Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(HEADER_SECONDS));
    let room = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Too many files are open, or somebody went away while being let in.
                    tracing::warn!(%error, "a connection could not be taken");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = app.stop.cancelled() => break,
        };
        // Whoever comes when it is full finds the door closed.
        let Ok(place) = room.clone().try_acquire_owned() else { continue };
        // Messages are short, and people wait for them.
        let _ = stream.set_nodelay(true);
        let service = router.clone().map_request(move |mut request: Request<hyper::body::Incoming>| {
            request.extensions_mut().insert(ConnectInfo(peer));
            request.map(axum::body::Body::new)
        });
        let connection = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
        let stop = app.stop.clone();
        app.tasks.spawn(async move {
            let mut connection = pin!(connection.with_upgrades());
            // A connection that breaks is the other end's doing.
            tokio::select! {
                _ = connection.as_mut() => {}
                () = stop.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    let _ = connection.await;
                }
            }
            drop(place);
        });
    }
}
