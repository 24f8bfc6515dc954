//! Connections: taken, limited in number, and not waited for without end.

use super::router;
use crate::app::App;
use axum::extract::{ConnectInfo, Request};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower::ServiceExt;

/// How long somebody may take to say what they want.
const HEADER_SECONDS: u64 = 10;
/// How many connections there may be that are no sockets yet: those have limits of their own.
const CONNECTIONS_MAX: usize = 4_096;

/// Takes connections until the server stops, and then lets those that are open finish what they do.
pub(crate) async fn accept(app: Arc<App>, listener: TcpListener) {
    let router = router(&app);
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(HEADER_SECONDS));
    let graceful = GracefulShutdown::new();
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
        let connection =
            builder.serve_connection_with_upgrades(TokioIo::new(stream), TowerToHyperService::new(service));
        let connection = graceful.watch(connection.into_owned());
        app.tasks.spawn(async move {
            // A connection that breaks is the other end's doing.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    graceful.shutdown().await;
}
