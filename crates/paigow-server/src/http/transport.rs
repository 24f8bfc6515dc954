//! The bytes of a connection: what the client does, how long it may take, and how fast a socket may send.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};

/// A client is read from this many times a second while it sends faster than it may.
const READS_PER_SECOND: u64 = 10;
/// How many seconds' worth of bytes a socket may send at once.
const BURST_SECONDS: u64 = 4;

/// How long a client may take.
#[derive(Clone, Copy)]
pub(super) struct Patience {
    /// To send the header of a request.
    pub(super) header: Duration,
    /// To begin the next request, and to take the next byte of an answer.
    pub(super) idle: Duration,
}

/// What a connection does at the moment.
pub(super) struct Activity {
    state: Mutex<State>,
    patience: Patience,
}

#[derive(Clone, Copy)]
enum State {
    /// The header of a request is arriving.
    Header(Instant),
    /// A request is being answered.
    Request,
    /// The answer is being taken, or the next request is waited for.
    Idle(Instant),
    /// It has become a socket, which keeps its own time.
    Socket,
}

impl Activity {
    pub(super) fn new(patience: Patience) -> Arc<Activity> {
        Arc::new(Activity { state: Mutex::new(State::Header(Instant::now())), patience })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request has arrived.
    pub(super) fn asked(&self) {
        *self.state() = State::Request;
    }

    /// A request has been answered; with `upgraded` the connection is a socket from now on.
    pub(super) fn answered(&self, upgraded: bool) {
        *self.state() = if upgraded { State::Socket } else { State::Idle(Instant::now()) };
    }

    /// When the connection is to be closed if nothing happens.
    pub(super) fn deadline(&self) -> Option<Instant> {
        match *self.state() {
            State::Header(since) => Some(since + self.patience.header),
            State::Idle(since) => Some(since + self.patience.idle),
            State::Request | State::Socket => None,
        }
    }

    /// Waits until the client has taken longer than it may.
    pub(super) async fn expired(&self) {
        loop {
            match self.deadline() {
                Some(deadline) if deadline <= Instant::now() => return,
                Some(deadline) => sleep_until(deadline).await,
                // A request has a time limit of its own, after which the connection is idle.
                None => tokio::time::sleep(self.patience.header.min(self.patience.idle)).await,
            }
        }
    }

    fn received(&self) {
        let mut state = self.state();
        if matches!(*state, State::Idle(_)) {
            *state = State::Header(Instant::now());
        }
    }

    fn sent(&self) {
        let mut state = self.state();
        if matches!(*state, State::Idle(_)) {
            *state = State::Idle(Instant::now());
        }
    }

    fn is_socket(&self) -> bool {
        matches!(*self.state(), State::Socket)
    }
}

/// A connection that reports to its [`Activity`]. Once it is a socket, it is read no faster than a client may send: parts of messages
/// are not counted as messages, and only the bytes bound the work they make.
pub(super) struct Transport {
    stream: TcpStream,
    activity: Arc<Activity>,
    /// Bytes a second.
    rate: u64,
    left: u64,
    since: Instant,
    wait: Option<Pin<Box<Sleep>>>,
}

impl Transport {
    pub(super) fn new(stream: TcpStream, activity: Arc<Activity>, rate: u64) -> Transport {
        Transport { stream, activity, rate, left: rate * BURST_SECONDS, since: Instant::now(), wait: None }
    }

    /// Waits until the client may send again.
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
