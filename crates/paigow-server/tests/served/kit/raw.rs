//! A connection of somebody who does not keep to HTTP.

use super::PATIENCE;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

pub(crate) struct Raw(TcpStream);

impl Raw {
    /// Connects and says something.
    pub(crate) async fn say(address: SocketAddr, text: &str) -> Raw {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        Raw(stream)
    }

    pub(crate) async fn add(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.unwrap();
    }

    /// Reads as long as something comes within this time.
    pub(crate) async fn read_for(&mut self, time: Duration) -> String {
        let mut read = Vec::new();
        let mut some = [0; 4096];
        while let Ok(Ok(count @ 1..)) = timeout(time, self.0.read(&mut some)).await {
            read.extend(&some[..count]);
        }
        String::from_utf8_lossy(&read).into_owned()
    }

    /// Waits until the other end hangs up, and says how long that took.
    pub(crate) async fn hung_up(&mut self) -> Duration {
        let start = Instant::now();
        let mut some = [0; 4096];
        let ends = async { while matches!(self.0.read(&mut some).await, Ok(1..)) {} };
        timeout(PATIENCE, ends).await.expect("the connection is kept");
        start.elapsed()
    }
}
