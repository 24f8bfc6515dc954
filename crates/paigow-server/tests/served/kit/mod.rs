//! What these tests share: a house with its processes, and clients that behave or do not.

mod browser;
mod house;
mod live;
mod raw;
mod sight;

pub(crate) use browser::{Answer, Browser};
pub(crate) use house::{House, Process, clocks};
pub(crate) use live::{Live, Said};
pub(crate) use raw::Raw;

use std::time::{Duration, Instant};

/// Every rule book that comes with the program.
pub(crate) const BOOKS: [&str; 5] = ["california", "ez", "south-beach", "south-dakota", "washington"];

/// The longest a test waits for what must happen.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// Waits for something that becomes true, looking often.
pub(crate) async fn until<F: Future<Output = bool>>(what: &str, mut holds: impl FnMut() -> F) {
    let start = Instant::now();
    while !holds().await {
        assert!(start.elapsed() < PATIENCE, "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Runs a test, and gives up on one that hangs.
pub(crate) async fn in_time<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, what).await.expect("it takes too long")
}
