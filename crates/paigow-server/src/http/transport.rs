//! TCP transport of a connection: tracks its activity, enforces timeouts, and limits the read rate of sockets. With TLS,
//! it carries the encrypted bytes.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};

/// Reads per second from a client that exceeds its rate.
const READS_PER_SECOND: u64 = 10;
/// Maximum burst of a socket, in seconds at its rate.
const BURST_SECONDS: u64 = 4;

/// Timeouts of a connection.
#[derive(Clone, Copy)]
pub(super) struct Timeouts {
    /// Time to send a request header.
    pub(super) header: Duration,
    /// Time to begin the next request, or to accept the next byte of a response.
    pub(super) idle: Duration,
}

/// State of a connection, shared between its transport and its service.
pub(super) struct Activity {
    state: Mutex<State>,
    timeouts: Timeouts,
}

struct State {
    /// Number of requests in progress: one at most over HTTP/1.1, several over HTTP/2.
    requests: usize,
    phase: Phase,
    is_http2: bool,
}

/// Phase of a connection without a request in progress.
#[derive(Clone, Copy)]
enum Phase {
    /// A request header is arriving, since this time. With TLS, the handshake before the first one is included.
    Header(Instant),
    /// The client reads a response or has not begun the next request. The time is that of the last progress.
    Idle(Instant),
    /// The connection has become a socket, which has its own timeouts.
    Socket,
}

/// A request in progress. It ends when this is dropped, also because the client has reset its stream.
pub(super) struct RequestInProgress(Arc<Activity>);

impl Drop for RequestInProgress {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.requests -= 1;
        if !matches!(state.phase, Phase::Socket) {
            state.phase = Phase::Idle(Instant::now());
        }
    }
}

impl Activity {
    pub(super) fn new(timeouts: Timeouts) -> Arc<Activity> {
        let state = State { requests: 0, phase: Phase::Header(Instant::now()), is_http2: false };
        Arc::new(Activity { state: Mutex::new(state), timeouts })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks the connection as one of HTTP/2.
    pub(super) fn set_http2(&self) {
        self.state().is_http2 = true;
    }

    /// Marks the arrival of a request.
    pub(super) fn begin_request(self: &Arc<Activity>) -> RequestInProgress {
        self.state().requests += 1;
        RequestInProgress(self.clone())
    }

    /// Marks the connection as a socket.
    pub(super) fn set_socket(&self) {
        self.state().phase = Phase::Socket;
    }

    /// Time at which the connection times out without further progress.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let state = self.state();
        match state.phase {
            _ if state.requests > 0 => None,
            Phase::Header(since) => Some(since + self.timeouts.header),
            Phase::Idle(since) => Some(since + self.timeouts.idle),
            Phase::Socket => None,
        }
    }

    /// Waits until the connection times out.
    pub(super) async fn expired(&self) {
        loop {
            match self.deadline() {
                Some(deadline) if deadline <= Instant::now() => return,
                Some(deadline) => sleep_until(deadline).await,
                // A request has its own timeout, after which the connection is idle.
                None => tokio::time::sleep(self.timeouts.header.min(self.timeouts.idle)).await,
            }
        }
    }

    fn received(&self) {
        let mut state = self.state();
        // Over HTTP/2, most frames after a response are no header, such as those that open the window.
        if matches!(state.phase, Phase::Idle(_)) && state.requests == 0 && !state.is_http2 {
            state.phase = Phase::Header(Instant::now());
        }
    }

    fn sent(&self) {
        let mut state = self.state();
        if matches!(state.phase, Phase::Idle(_)) {
            state.phase = Phase::Idle(Instant::now());
        }
    }

    fn is_socket(&self) -> bool {
        matches!(self.state().phase, Phase::Socket)
    }
}

/// A TCP stream that reports to its [`Activity`].
///
/// Once the connection is a socket, the transport limits the rate of reads. The message limit does not count message
/// fragments, so only a limit of bytes bounds their cost.
pub(super) struct Transport {
    stream: TcpStream,
    activity: Arc<Activity>,
    /// Bytes per second.
    rate: u64,
    /// Bytes that may be read now.
    left: u64,
    since: Instant,
    wait: Option<Pin<Box<Sleep>>>,
}

impl Transport {
    pub(super) fn new(stream: TcpStream, activity: Arc<Activity>, rate: u64) -> Transport {
        Transport { stream, activity, rate, left: rate * BURST_SECONDS, since: Instant::now(), wait: None }
    }

    /// Waits until the rate limit allows a read.
    fn poll_may_read(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if let Some(wait) = &mut self.wait {
            ready!(wait.as_mut().poll(context));
            self.wait = None;
        }
        let now = Instant::now();
        let passed = u64::try_from(now.duration_since(self.since).as_millis()).unwrap_or(u64::MAX);
        let earned = passed.saturating_mul(self.rate) / 1_000;
        if earned > 0 {
            self.left = self.left.saturating_add(earned).min(self.rate * BURST_SECONDS);
            self.since = now;
        }
        if self.left > 0 {
            return Poll::Ready(());
        }
        let wait =
            self.wait.insert(Box::pin(sleep_until(now + Duration::from_millis(1_000 / READS_PER_SECOND))));
        // Registers the timer; it cannot have fired yet.
        let _ = wait.as_mut().poll(context);
        Poll::Pending
    }
}

impl AsyncRead for Transport {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let is_socket = self.activity.is_socket();
        if is_socket {
            ready!(self.poll_may_read(context));
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let read = buffer.filled().len() - before;
        if is_socket {
            self.left = self.left.saturating_sub(read as u64);
        } else if read > 0 {
            self.activity.received();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Transport {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, bytes))?;
        self.activity.sent();
        Poll::Ready(Ok(written))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write_vectored(context, parts))?;
        self.activity.sent();
        Poll::Ready(Ok(written))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
