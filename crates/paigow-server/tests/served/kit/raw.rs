//! A raw TCP connection, for clients that violate HTTP.

use super::TIMEOUT;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

pub(crate) struct RawConnection(TcpStream);

impl RawConnection {
    /// Connects and sends `text`.
    pub(crate) async fn open(address: SocketAddr, text: &str) -> RawConnection {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        RawConnection(stream)
    }

    pub(crate) async fn send(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.unwrap();
    }

    /// Reads until no bytes arrive for `time`.
    pub(crate) async fn read_for(&mut self, time: Duration) -> String {
        let mut read = Vec::new();
        let mut buffer = [0; 4096];
        while let Ok(Ok(count @ 1..)) = timeout(time, self.0.read(&mut buffer)).await {
            read.extend(&buffer[..count]);
        }
        String::from_utf8_lossy(&read).into_owned()
    }

    /// Waits until the server closes the connection, and returns how long that took.
    pub(crate) async fn wait_for_close(&mut self) -> Duration {
        let start = Instant::now();
        let mut buffer = [0; 4096];
        let ends = async { while matches!(self.0.read(&mut buffer).await, Ok(1..)) {} };
        timeout(TIMEOUT, ends).await.expect("the server does not close the connection");
        start.elapsed()
    }
}
