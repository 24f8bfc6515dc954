//! A live socket: sends the events of a table to one viewer and executes the viewer's commands.

use super::feed::{FeedError, FeedEvent};
use super::{Follower, FromClient, HashPrefix, ResumePoint, SocketPermit, ToClient};
use crate::HostError;
use crate::app::App;
use crate::host::Start;
use crate::http::{ApiProblem, PlayerSession};
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use futures_util::SinkExt;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use paigow_table::{Actor, Command, CommandId, TableId, Viewer};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::num::NonZeroU32;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

/// Write timeout, for clients that do not read.
const WRITE_SECONDS: u64 = 10;
/// Interval between pings.
const PING_SECONDS: u64 = 20;
/// Idle timeout of a client that sends nothing, not even a pong.
const IDLE_SECONDS: u64 = 65;
/// Maximum number of commands of one client that wait for the running one.
const WAITING_MAX: usize = 16;
/// Maximum burst of messages, in seconds at the allowed rate.
const BURST_SECONDS: NonZeroU32 = NonZeroU32::new(3).unwrap();
/// Delay before clients reconnect after a restart.
const RETRY_MS: u64 = 500;
/// Time for a client to close its end after the goodbye.
const CLOSE_SECONDS: u64 = 1;

/// Client of a socket.
pub(crate) struct SocketClient {
    pub(crate) player: Option<PlayerSession>,
    pub(crate) ticket: SocketPermit,
}

/// Reason for closing a socket.
enum CloseReason {
    /// The client is gone.
    Gone,
    /// The server closes the socket and sends the reason.
    Goodbye { code: &'static str, close: u16, retry_ms: Option<u64> },
}

impl CloseReason {
    const fn goodbye(code: &'static str) -> CloseReason {
        CloseReason::Goodbye { code, close: close_code::POLICY, retry_ms: None }
    }

    const fn reconnect(code: &'static str) -> CloseReason {
        CloseReason::Goodbye { code, close: close_code::AWAY, retry_ms: Some(RETRY_MS) }
    }
}

/// Serves a socket until it is closed.
pub(crate) async fn serve_socket(
    app: Arc<App>,
    socket: WebSocket,
    caller: SocketClient,
    table: TableId,
    from: Option<ResumePoint>,
) {
    app.metrics.sockets.inc();
    let is_recorded = app.settings.absent_seconds > 0;
    let player = caller.player.as_ref().filter(|_| is_recorded);
    let present = player.map(|player| app.presence.enter(table.clone(), player.id.clone()));
    let viewer = caller.player.as_ref().map_or(Viewer::Watcher, |player| Viewer::Player(player.id.clone()));
    let mut connection = Connection {
        app: app.clone(),
        socket,
        viewer,
        player: caller.player,
        table,
        last_received: Instant::now(),
        limiter: RateLimiter::direct(message_quota(app.settings.socket_messages_per_second)),
        waiting: VecDeque::new(),
        running: None,
    };
    let reason = tokio::select! {
        reason = connection.serve(from.as_ref()) => reason,
        () = caller.ticket.ended.cancelled() => {
            if app.stop.is_cancelled() { CloseReason::reconnect("restarting") } else { CloseReason::goodbye("ended") }
        }
    };
    drop(present);
    connection.close(reason).await;
    app.metrics.sockets.dec();
}

/// A socket and its state.
struct Connection {
    app: Arc<App>,
    socket: WebSocket,
    viewer: Viewer,
    player: Option<PlayerSession>,
    table: TableId,
    /// Time of the last message from the client.
    last_received: Instant,
    /// Rate limiter of messages from the client.
    limiter: DefaultDirectRateLimiter,
    /// Commands in the order of arrival. They are executed one after the other.
    waiting: VecDeque<(CommandId, Command)>,
    /// Task of the command that is being executed.
    running: Option<JoinHandle<ToClient>>,
}

impl Connection {
    async fn serve(&mut self, from: Option<&ResumePoint>) -> CloseReason {
        match self.run(from).await {
            Ok(never) => match never {},
            Err(reason) => reason,
        }
    }

    async fn run(&mut self, from: Option<&ResumePoint>) -> Result<std::convert::Infallible, CloseReason> {
        let mut feed = self.start(from, None).await?;
        let mut ping = interval(Duration::from_secs(PING_SECONDS));
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = feed.woken() => {
                    // The new events are often those of this client's command, so events and response are sent
                    // together. The check comes first, because a command that finishes while events are sent may have
                    // events that are not among them.
                    let is_finished = self.running.as_ref().is_some_and(JoinHandle::is_finished);
                    self.send_news(&mut feed).await?;
                    if is_finished {
                        let response = next_response(&mut self.running).await;
                        self.send_response(response).await?;
                    }
                    self.flush().await?;
                }
                response = next_response(&mut self.running) => {
                    self.send_news(&mut feed).await?;
                    self.send_response(response).await?;
                    self.flush().await?;
                }
                message = self.socket.recv() => {
                    let message = match message {
                        Some(Ok(message)) => message,
                        // The frame is too large or invalid. If the connection broke, the goodbye is lost.
                        Some(Err(_)) => return Err(CloseReason::goodbye("rubbish")),
                        None => return Err(CloseReason::Gone),
                    };
                    self.last_received = Instant::now();
                    if let Some(from) = self.receive(message).await? {
                        feed = self.start(Some(&from), None).await?;
                    }
                }
                _ = ping.tick() => {
                    if self.last_received.elapsed() >= Duration::from_secs(IDLE_SECONDS) {
                        return Err(CloseReason::goodbye("idle"));
                    }
                    self.check_session().await?;
                    self.feed(Message::Ping(axum::body::Bytes::new())).await?;
                    self.flush().await?;
                }
            }
        }
    }

    /// Closes the socket if the session has ended, for example in another process. If the store fails, the next ping
    /// checks again.
    async fn check_session(&mut self) -> Result<(), CloseReason> {
        let Some(player) = &self.player else { return Ok(()) };
        if player.is_valid(&self.app).await.unwrap_or(true) {
            Ok(())
        } else {
            Err(CloseReason::goodbye("ended"))
        }
    }

    /// Sends a snapshot or the missed events, and subscribes to the events after them.
    ///
    /// `had` is the last event that the client received of a history that the store has lost.
    async fn start(&mut self, from: Option<&ResumePoint>, had: Option<u64>) -> Result<Follower, CloseReason> {
        let started = Follower::start(&self.app.tables, &self.table, &self.viewer, from).await;
        let (follower, start) = match started {
            Ok(started) => started,
            // The store went back to a state before the table was opened.
            Err(HostError::NoSuchTable(_)) => return Err(CloseReason::goodbye("no_such_table")),
            Err(_) => return Err(CloseReason::reconnect("unavailable")),
        };
        match start {
            Start::Snapshot { tip, view, rolled_back } => {
                self.app.metrics.snapshots.inc();
                let had = had.or_else(|| from.filter(|_| rolled_back).map(|from| from.seq));
                if let Some(had) = had {
                    self.write(&ToClient::StoreWentBack { had, seq: tip.seq }).await?;
                }
                let (seq, hash, now) = (tip.seq, HashPrefix::from(tip.hash), self.app.now());
                self.send(&ToClient::Snapshot { seq, hash, now, view }).await?;
            }
            Start::Events(events) => {
                self.send_events(&events).await?;
                self.flush().await?;
            }
        }
        Ok(follower)
    }

    /// Sends the new events of the feed, or a snapshot if the feed no longer has them.
    async fn send_news(&mut self, feed: &mut Follower) -> Result<(), CloseReason> {
        let had = match feed.new_events() {
            Ok(events) => return self.send_events(&events).await,
            // A slow client gets a snapshot, because the current state matters more than the missed events.
            Err(FeedError::Lagged) => {
                self.app.metrics.lagged.inc();
                None
            }
            Err(FeedError::Closed) => None,
            Err(FeedError::RolledBack) => Some(feed.seen()),
        };
        *feed = self.start(None, had).await?;
        Ok(())
    }

    /// Sends the response to the finished command and starts the next one.
    ///
    /// A command whose task panicked has no response, and the client may retry it.
    async fn send_response(&mut self, response: Option<ToClient>) -> Result<(), CloseReason> {
        self.running = None;
        if let Some(response) = response {
            self.write(&response).await?;
        }
        self.start_next();
        Ok(())
    }

    async fn send_events(&mut self, events: &[Arc<FeedEvent>]) -> Result<(), CloseReason> {
        for feed_event in events {
            let text = feed_event.seen_by(&self.viewer).text.clone();
            self.feed(Message::Text(text)).await?;
        }
        Ok(())
    }

    /// Processes a message from the client. Returns the resume point if the message is a resume request.
    async fn receive(&mut self, message: Message) -> Result<Option<ResumePoint>, CloseReason> {
        self.app.metrics.messages_in.inc();
        // Every frame costs work and a ping a response, so control frames count as messages.
        if self.limiter.check().is_err() {
            self.app.metrics.limited("socket");
            return Err(CloseReason::goodbye("flood"));
        }
        let text = match message {
            Message::Text(text) => text,
            Message::Ping(_) | Message::Pong(_) => return Ok(None),
            Message::Close(_) => return Err(CloseReason::Gone),
            Message::Binary(_) => return Err(CloseReason::goodbye("rubbish")),
        };
        let Ok(request) = serde_json::from_str(&text) else { return Err(CloseReason::goodbye("rubbish")) };
        match request {
            FromClient::Resume(from) => return Ok(Some(from)),
            FromClient::Ping { n } => {
                let now = self.app.now();
                self.send(&ToClient::Pong { n, now }).await?;
            }
            FromClient::Command { id, command } => {
                if let Some(problem) = self.refusal() {
                    self.send(&ToClient::Refused { id, problem }).await?;
                } else {
                    self.waiting.push_back((id, command));
                    self.start_next();
                }
            }
        }
        Ok(None)
    }

    /// Refuses a command before it is queued.
    fn refusal(&self) -> Option<ApiProblem> {
        if self.player.is_none() {
            return Some(ApiProblem::unauthorized("commands need a session: POST /api/session first"));
        }
        if self.waiting.len() >= WAITING_MAX {
            let detail = format!("too many commands are queued; the maximum is {WAITING_MAX}");
            return Some(ApiProblem::too_many("too_many_requests", detail, 1));
        }
        None
    }

    /// Starts the next command, unless one is running.
    fn start_next(&mut self) {
        if self.running.is_some() {
            return;
        }
        let (Some(PlayerSession { id: player, .. }), Some((id, command))) =
            (self.player.clone(), self.waiting.pop_front())
        else {
            return;
        };
        let (app, table) = (self.app.clone(), self.table.clone());
        // A separate task, so that the command completes even if the socket breaks.
        self.running = Some(tokio::spawn(async move {
            match app.command(&table, &Actor::Player(player), &id, &command).await {
                Ok(done) => ToClient::Done { id, done },
                Err(problem) => ToClient::Refused { id, problem },
            }
        }));
    }

    async fn send(&mut self, message: &ToClient) -> Result<(), CloseReason> {
        self.write(message).await?;
        self.flush().await
    }

    async fn write(&mut self, message: &ToClient) -> Result<(), CloseReason> {
        let Ok(text) = serde_json::to_string(message) else {
            return Err(CloseReason::reconnect("unavailable"));
        };
        self.feed(Message::Text(Utf8Bytes::from(text))).await
    }

    async fn feed(&mut self, message: Message) -> Result<(), CloseReason> {
        self.app.metrics.messages_out.inc();
        with_timeout(self.socket.feed(message)).await
    }

    async fn flush(&mut self) -> Result<(), CloseReason> {
        with_timeout(self.socket.flush()).await
    }

    async fn close(mut self, reason: CloseReason) {
        let CloseReason::Goodbye { code, close, retry_ms } = reason else { return };
        let goodbye = ToClient::Goodbye { code: code.to_owned(), retry_ms };
        // If the goodbye cannot be sent, the client only sees the socket close.
        if self.send(&goodbye).await.is_ok() {
            let frame = CloseFrame { code: close, reason: Utf8Bytes::from_static(code) };
            let _ = with_timeout(self.socket.send(Message::Close(Some(frame)))).await;
            // Closing a socket with unread input resets it and can lose the last message.
            let _ = timeout(Duration::from_secs(CLOSE_SECONDS), self.until_closed()).await;
        }
    }

    /// Reads and discards messages until the client has closed its end.
    async fn until_closed(&mut self) {
        loop {
            match self.socket.recv().await {
                Some(Ok(Message::Close(_))) => return,
                Some(Ok(_)) => {}
                // No more messages can be read, but the input may still have unread bytes.
                Some(Err(_)) | None => std::future::pending().await,
            }
        }
    }
}

/// Waits for the response of the running command. Without one it never returns.
async fn next_response(running: &mut Option<JoinHandle<ToClient>>) -> Option<ToClient> {
    match running {
        Some(task) => task.await.ok(),
        None => std::future::pending().await,
    }
}

/// Writes with a timeout, for clients that do not read.
async fn with_timeout<E>(write: impl Future<Output = Result<(), E>>) -> Result<(), CloseReason> {
    let mut write = pin!(write);
    let written = match poll_fn(|context| Poll::Ready(write.as_mut().poll(context))).await {
        // The usual case, which needs no timer.
        Poll::Ready(written) => written.ok(),
        Poll::Pending => timeout(Duration::from_secs(WRITE_SECONDS), write).await.ok().and_then(Result::ok),
    };
    // A goodbye would block too.
    written.ok_or(CloseReason::Gone)
}

/// Rate of messages that a client may send.
fn message_quota(per_second: NonZeroU32) -> Quota {
    Quota::per_second(per_second).allow_burst(per_second.saturating_mul(BURST_SECONDS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use governor::clock::FakeRelativeClock;

    #[test]
    fn quota_allows_a_burst_and_then_its_rate() {
        let clock = FakeRelativeClock::default();
        let quota = message_quota(NonZeroU32::new(20).unwrap());
        let limiter = RateLimiter::direct_with_clock(quota, clock.clone());
        let allowed = || (0..1_000).filter(|_| limiter.check().is_ok()).count();
        assert_eq!(allowed(), 60);
        clock.advance(Duration::from_millis(500));
        assert_eq!(allowed(), 10);
        clock.advance(Duration::from_secs(1_000));
        assert_eq!(allowed(), 60);
    }
}
