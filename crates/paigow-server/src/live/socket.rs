//! One socket: a viewer at a table, told what happens and heard when they say something.

use super::feed::{FeedError, Happened};
use super::{Follower, FromClient, HashPrefix, ResumePoint, Ticket, ToClient};
use crate::HostError;
use crate::app::App;
use crate::host::Start;
use crate::http::{ApiProblem, PlayerSession};
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use futures_util::SinkExt;
use paigow_table::{Actor, Command, CommandId, TableId, Viewer};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

/// How long a client may take to read what it is sent.
const WRITE_SECONDS: u64 = 10;
/// How often a client that says nothing is asked whether it is there.
const ASK_SECONDS: u64 = 20;
/// After how long without a sign it is taken for gone.
const IDLE_SECONDS: u64 = 65;
/// How many commands of one client may wait for the one that is being done.
const WAITING_MAX: usize = 16;
/// How many seconds' worth of messages a client may send at once.
const BURST_SECONDS: u32 = 3;
/// When clients are to come back after a restart: not all at once.
const RETRY_MS: u64 = 500;
/// How long a client may take to close its end when it was told why.
const CLOSE_SECONDS: u64 = 1;

/// Who is at the other end.
pub(crate) struct Caller {
    pub(crate) player: Option<PlayerSession>,
    pub(crate) ticket: Ticket,
}

/// Why a socket is closed.
enum CloseReason {
    /// The other end is gone.
    Gone,
    /// We say why.
    Goodbye { code: &'static str, close: u16, retry_ms: Option<u64> },
}

impl CloseReason {
    const fn goodbye(code: &'static str) -> CloseReason {
        CloseReason::Goodbye { code, close: close_code::POLICY, retry_ms: None }
    }

    const fn come_back(code: &'static str) -> CloseReason {
        CloseReason::Goodbye { code, close: close_code::AWAY, retry_ms: Some(RETRY_MS) }
    }
}

/// Serves a socket until it ends.
pub(crate) async fn talk(
    app: Arc<App>,
    socket: WebSocket,
    caller: Caller,
    table: TableId,
    from: Option<ResumePoint>,
) {
    app.metrics.sockets.inc();
    let viewer = caller.player.as_ref().map_or(Viewer::Watcher, |player| Viewer::Player(player.id.clone()));
    let mut line = Connection {
        app: app.clone(),
        socket,
        viewer,
        player: caller.player,
        table,
        heard: Instant::now(),
        budget: Budget::new(app.settings.socket_messages_per_second, Instant::now()),
        waiting: VecDeque::new(),
        doing: None,
    };
    let end = tokio::select! {
        end = line.serve(from.as_ref()) => end,
        () = caller.ticket.ended.cancelled() => {
            if app.stop.is_cancelled() { CloseReason::come_back("restarting") } else { CloseReason::goodbye("ended") }
        }
    };
    line.close(end).await;
    app.metrics.sockets.dec();
}

/// A socket and what is known of it.
struct Connection {
    app: Arc<App>,
    socket: WebSocket,
    viewer: Viewer,
    player: Option<PlayerSession>,
    table: TableId,
    /// When it was last heard.
    heard: Instant,
    budget: Budget,
    /// Commands are done one after the other, in the order they came.
    waiting: VecDeque<(CommandId, Command)>,
    doing: Option<JoinHandle<ToClient>>,
}

impl Connection {
    async fn serve(&mut self, from: Option<&ResumePoint>) -> CloseReason {
        match self.run(from).await {
            Ok(never) => match never {},
            Err(end) => end,
        }
    }

    async fn run(&mut self, from: Option<&ResumePoint>) -> Result<std::convert::Infallible, CloseReason> {
        let mut feed = self.start(from, None).await?;
        let mut ask = interval(Duration::from_secs(ASK_SECONDS));
        ask.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = feed.woken() => {
                    // What has happened is often what this client asked for: it hears of both at once. What is done only while it
                    // is told is not in it yet.
                    let is_done = self.doing.as_ref().is_some_and(JoinHandle::is_finished);
                    self.tell_all(&mut feed).await?;
                    if is_done {
                        let answer = answered(&mut self.doing).await;
                        self.tell_answer(answer).await?;
                    }
                    self.flush().await?;
                }
                answer = answered(&mut self.doing) => {
                    self.tell_all(&mut feed).await?;
                    self.tell_answer(answer).await?;
                    self.flush().await?;
                }
                message = self.socket.recv() => {
                    let message = match message {
                        Some(Ok(message)) => message,
                        // A frame too large, or none at all. Where the connection broke nobody hears it.
                        Some(Err(_)) => return Err(CloseReason::goodbye("rubbish")),
                        None => return Err(CloseReason::Gone),
                    };
                    self.heard = Instant::now();
                    if let Some(from) = self.hear(message).await? {
                        feed = self.start(Some(&from), None).await?;
                    }
                }
                _ = ask.tick() => {
                    if self.heard.elapsed() >= Duration::from_secs(IDLE_SECONDS) {
                        return Err(CloseReason::goodbye("idle"));
                    }
                    self.must_hold().await?;
                    self.put(Message::Ping(axum::body::Bytes::new())).await?;
                    self.flush().await?;
                }
            }
        }
    }

    /// That the session has not ended elsewhere. Where the store does not say, it is asked the next time.
    async fn must_hold(&mut self) -> Result<(), CloseReason> {
        let Some(player) = &self.player else { return Ok(()) };
        if player.is_still(&self.app).await.unwrap_or(true) {
            Ok(())
        } else {
            Err(CloseReason::goodbye("ended"))
        }
    }

    /// Brings the other end up to date, and listens from there. `had` is the last event it was sent of a history that is no more.
    async fn start(&mut self, from: Option<&ResumePoint>, had: Option<u64>) -> Result<Follower, CloseReason> {
        let started = Follower::start(&self.app.tables, &self.table, &self.viewer, from).await;
        let (follower, start) = match started {
            Ok(started) => started,
            // The store went back to before the table was opened.
            Err(HostError::NoSuchTable(_)) => return Err(CloseReason::goodbye("no_such_table")),
            Err(_) => return Err(CloseReason::come_back("unavailable")),
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
                self.tell(&events).await?;
                self.flush().await?;
            }
        }
        Ok(follower)
    }

    /// Tells of what has happened.
    async fn tell_all(&mut self, feed: &mut Follower) -> Result<(), CloseReason> {
        let had = match feed.news() {
            Ok(events) => return self.tell(&events).await,
            // Whoever does not keep up starts afresh: what they missed is worth less than what is now.
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

    /// Tells how the command that was being done ended, and goes on to the next. One whose task broke was not answered: it may be sent
    /// again.
    async fn tell_answer(&mut self, answer: Option<ToClient>) -> Result<(), CloseReason> {
        self.doing = None;
        if let Some(answer) = answer {
            self.write(&answer).await?;
        }
        self.do_next();
        Ok(())
    }

    async fn tell(&mut self, events: &[Arc<Happened>]) -> Result<(), CloseReason> {
        for happened in events {
            let text = happened.seen_by(&self.viewer).text.clone();
            self.put(Message::Text(text)).await?;
        }
        Ok(())
    }

    /// Takes a message; gives an event to start after, where that is asked for.
    async fn hear(&mut self, message: Message) -> Result<Option<ResumePoint>, CloseReason> {
        self.app.metrics.messages_in.inc();
        // Every frame costs work, and a ping an answer: control frames count like messages.
        if !self.budget.take(Instant::now()) {
            self.app.metrics.limited("socket");
            return Err(CloseReason::goodbye("flood"));
        }
        let text = match message {
            Message::Text(text) => text,
            Message::Ping(_) | Message::Pong(_) => return Ok(None),
            Message::Close(_) => return Err(CloseReason::Gone),
            Message::Binary(_) => return Err(CloseReason::goodbye("rubbish")),
        };
        let Ok(said) = serde_json::from_str(&text) else { return Err(CloseReason::goodbye("rubbish")) };
        match said {
            FromClient::Resume(from) => return Ok(Some(from)),
            FromClient::Ping { n } => {
                let now = self.app.now();
                self.send(&ToClient::Pong { n, now }).await?;
            }
            FromClient::Command { id, command } => {
                if let Some(problem) = self.reason_against() {
                    self.send(&ToClient::Refused { id, problem }).await?;
                } else {
                    self.waiting.push_back((id, command));
                    self.do_next();
                }
            }
        }
        Ok(None)
    }

    /// Why a command is not even looked at.
    fn reason_against(&self) -> Option<ApiProblem> {
        if self.player.is_none() {
            return Some(ApiProblem::unauthorized("who watches gives no commands; begin a session first"));
        }
        if self.waiting.len() >= WAITING_MAX {
            return Some(ApiProblem::too_many("too_many_requests", "too many commands wait already", 1));
        }
        None
    }

    /// Does the next command, if none is being done.
    fn do_next(&mut self) {
        if self.doing.is_some() {
            return;
        }
        let (Some(PlayerSession { id: player, .. }), Some((id, command))) =
            (self.player.clone(), self.waiting.pop_front())
        else {
            return;
        };
        let (app, table) = (self.app.clone(), self.table.clone());
        // A task of its own: it is done to its end also if the socket goes.
        self.doing = Some(tokio::spawn(async move {
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
            return Err(CloseReason::come_back("unavailable"));
        };
        self.put(Message::Text(Utf8Bytes::from(text))).await
    }

    async fn put(&mut self, message: Message) -> Result<(), CloseReason> {
        self.app.metrics.messages_out.inc();
        in_time(self.socket.feed(message)).await
    }

    async fn flush(&mut self) -> Result<(), CloseReason> {
        in_time(self.socket.flush()).await
    }

    async fn close(mut self, end: CloseReason) {
        let CloseReason::Goodbye { code, close, retry_ms } = end else { return };
        let goodbye = ToClient::Goodbye { code: code.to_owned(), retry_ms };
        // Who does not hear it sees the socket end.
        if self.send(&goodbye).await.is_ok() {
            let frame = CloseFrame { code: close, reason: Utf8Bytes::from_static(code) };
            let _ = in_time(self.socket.send(Message::Close(Some(frame)))).await;
            // Hanging up on what was not read takes back what was said.
            let _ = timeout(Duration::from_secs(CLOSE_SECONDS), self.until_closed()).await;
        }
    }

    /// Reads and passes over what still comes, until the other end has closed too.
    async fn until_closed(&mut self) {
        loop {
            match self.socket.recv().await {
                Some(Ok(Message::Close(_))) => return,
                Some(Ok(_)) => {}
                // Nothing more can be read, though more may lie there.
                Some(Err(_)) | None => std::future::pending().await,
            }
        }
    }
}

/// The answer to the command that is being done; with none there is nothing to wait for.
async fn answered(doing: &mut Option<JoinHandle<ToClient>>) -> Option<ToClient> {
    match doing {
        Some(doing) => doing.await.ok(),
        None => std::future::pending().await,
    }
}

/// Writes, but does not wait for ever for somebody who reads nothing.
async fn in_time<E>(write: impl Future<Output = Result<(), E>>) -> Result<(), CloseReason> {
    let mut write = pin!(write);
    let written = match poll_fn(|context| Poll::Ready(write.as_mut().poll(context))).await {
        // As nearly always: no clock is needed.
        Poll::Ready(written) => written.ok(),
        Poll::Pending => timeout(Duration::from_secs(WRITE_SECONDS), write).await.ok().and_then(Result::ok),
    };
    // Saying goodbye would wait again.
    written.ok_or(CloseReason::Gone)
}

/// Messages a client may still send: a token bucket.
struct Budget {
    per_second: u32,
    left: u32,
    since: Instant,
}

impl Budget {
    fn new(per_second: u32, now: Instant) -> Budget {
        Budget { per_second, left: per_second.saturating_mul(BURST_SECONDS), since: now }
    }

    /// Takes one message from the budget; false where none is left.
    fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.since);
        let earned = passed.as_millis() * u128::from(self.per_second) / 1_000;
        if earned > 0 {
            let earned = u32::try_from(earned).unwrap_or(u32::MAX);
            self.left = self.left.saturating_add(earned).min(self.per_second.saturating_mul(BURST_SECONDS));
            self.since = now;
        }
        let some = self.left > 0;
        self.left = self.left.saturating_sub(1);
        some
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_allows_a_burst_then_its_rate_and_never_saves_more_than_a_burst() {
        let start = Instant::now();
        let mut budget = Budget::new(20, start);
        let allowed = |budget: &mut Budget, now| (0..1_000).filter(|_| budget.take(now)).count();
        assert_eq!(allowed(&mut budget, start), 60);
        assert_eq!(allowed(&mut budget, start + Duration::from_millis(500)), 10);
        assert_eq!(allowed(&mut budget, start + Duration::from_secs(1_000)), 60);
    }
}
