//! Shared by these tests: a server with its processes, and well-behaved and misbehaving clients.

mod browser;
mod live;
mod metrics;
mod operators;
mod raw;
mod server;
mod view_model;

pub(crate) use browser::{Browser, Response};
pub(crate) use live::{LiveClient, SocketEvent};
pub(crate) use metrics::{Sample, samples};
pub(crate) use operators::{PASSWORD, enrol};
pub(crate) use raw::RawConnection;
pub(crate) use server::{Process, TestServer, clocks};

use std::time::{Duration, Instant};

/// Names of the built-in rule books.
pub(crate) const BOOKS: [&str; 5] = ["california", "ez", "south-beach", "south-dakota", "washington"];

/// Maximum time that a test waits for an expected event.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(20);

/// Polls a condition until it holds. Panics after `TIMEOUT`.
pub(crate) async fn until<F: Future<Output = bool>>(what: &str, mut holds: impl FnMut() -> F) {
    let start = Instant::now();
    while !holds().await {
        assert!(start.elapsed() < TIMEOUT, "timed out waiting for: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Awaits a future. Panics after `TIMEOUT`.
pub(crate) async fn with_timeout<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(TIMEOUT, future).await.expect("timed out")
}
