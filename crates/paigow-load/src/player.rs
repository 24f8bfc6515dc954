//! A player: a session and a WebSocket that play every round in the same way.

use crate::times::ResponseTimes;
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::sync::{Barrier, Semaphore};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

/// Number of players that connect concurrently.
const CONNECTING_MAX: usize = 64;

/// Counters of all players, updated between `begin` and `end`.
#[derive(Default)]
pub(crate) struct Measurements {
    recording: AtomicBool,
    rounds: AtomicU64,
    broken: AtomicU64,
    times: Mutex<Vec<Duration>>,
}

impl Measurements {
    pub(crate) fn begin(&self) {
        self.times.lock().unwrap().clear();
        self.rounds.store(0, Ordering::Relaxed);
        self.recording.store(true, Ordering::Relaxed);
    }

    /// Stops recording and returns settled rounds, response times and broken sockets.
    pub(crate) fn end(&self) -> (u64, ResponseTimes, u64) {
        self.recording.store(false, Ordering::Relaxed);
        let times = std::mem::take(&mut *self.times.lock().unwrap());
        (self.rounds.load(Ordering::Relaxed), ResponseTimes::of(times), self.broken.load(Ordering::Relaxed))
    }

    fn add_response(&self, took: Duration) {
        if self.recording.load(Ordering::Relaxed) {
            self.times.lock().unwrap().push(took);
        }
    }

    fn add_settled_round(&self) {
        if self.recording.load(Ordering::Relaxed) {
            self.rounds.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// A simulated player at one seat.
pub(crate) struct Player {
    address: String,
    table: String,
    seat: u8,
    pace: Pace,
    measurements: Arc<Measurements>,
}

/// Timing of a player's actions.
#[derive(Clone, Copy)]
pub(crate) struct Pace {
    /// Time between the starts of two rounds of the table.
    pub(crate) interval: Duration,
    /// Offset of the table's rounds from those of the first table.
    pub(crate) offset: Duration,
    /// Delay before each of the player's decisions.
    pub(crate) delay: Duration,
}

impl Pace {
    /// Returns the time of the wager in the next round of a player who started at `start`.
    fn next_wager(&self, start: Instant) -> Instant {
        let passed = start.elapsed().saturating_sub(self.offset).as_micros();
        let rounds = passed.div_ceil(self.interval.as_micros());
        start + self.offset + self.interval * u32::try_from(rounds).unwrap_or(u32::MAX) + self.delay
    }
}

impl Player {
    pub(crate) fn new(
        address: &str,
        table: &str,
        seat: u8,
        pace: Pace,
        measurements: Arc<Measurements>,
    ) -> Player {
        Player { address: address.to_owned(), table: table.to_owned(), seat, pace, measurements }
    }

    /// Connects, sits down, and plays until the server closes the connection.
    async fn play(self, connecting: Arc<Semaphore>, all: Arc<Barrier>) {
        let permit = connecting.acquire_owned().await.unwrap();
        let cookie = self.session().await;
        let mut connection = LiveConnection {
            socket: self.socket(&cookie).await,
            player: self,
            round: 0,
            commands: 0,
            sent: None,
        };
        let open = connection.sit().await;
        drop(permit);
        // A table that is not full yet would deal to the players who are already seated.
        all.wait().await;
        let pace = connection.player.pace;
        let start = Instant::now();
        let mut next = open.then(|| (pace.next_wager(start), Action::Wager));
        loop {
            tokio::select! {
                message = connection.receive() => match message.as_deref().map(MessageKind::of) {
                    Some(MessageKind::Wager) => next = Some((pace.next_wager(start), Action::Wager)),
                    // A browser page reveals the bytes without waiting for its player.
                    Some(MessageKind::Reveal) => next = Some((Instant::now(), Action::Reveal)),
                    Some(MessageKind::Set) => next = Some((Instant::now() + pace.delay, Action::Set)),
                    Some(MessageKind::Settled) if connection.player.seat == 1 => {
                        connection.player.measurements.add_settled_round();
                    }
                    Some(MessageKind::Settled | MessageKind::Other) => {}
                    None => break,
                },
                action = until(next) => {
                    next = None;
                    let command = connection.command(action);
                    connection.send(&command).await;
                }
            }
        }
        connection.player.measurements.broken.fetch_add(1, Ordering::Relaxed);
    }

    /// Starts a session and returns its cookie.
    async fn session(&self) -> String {
        let url = format!("http://{}/api/session", self.address);
        let begin = move || {
            let response = ureq::post(url).content_type("application/json").send("{}").expect("a session");
            let cookie = response.headers()["set-cookie"].to_str().unwrap();
            cookie.split(';').next().unwrap().to_owned()
        };
        tokio::task::spawn_blocking(begin).await.unwrap()
    }

    async fn socket(&self, cookie: &str) -> WebSocketStream<TcpStream> {
        let stream = TcpStream::connect(&self.address).await.expect("a connection");
        stream.set_nodelay(true).unwrap();
        let url = format!("ws://{}/api/tables/{}/live", self.address, self.table);
        let mut request = url.into_client_request().unwrap();
        request.headers_mut().insert("cookie", cookie.parse().unwrap());
        let mut config = tokio_tungstenite::tungstenite::protocol::WebSocketConfig::default();
        config = config.read_buffer_size(4 << 10).write_buffer_size(1 << 10);
        client_async_with_config(request, stream, Some(config)).await.expect("a socket").0
    }
}

/// A player's WebSocket.
struct LiveConnection {
    socket: WebSocketStream<TcpStream>,
    player: Player,
    /// Number of the current round.
    round: u64,
    /// Number of commands sent.
    commands: u64,
    /// Send time of the command without a response.
    sent: Option<Instant>,
}

impl LiveConnection {
    async fn send(&mut self, command: &str) {
        self.commands += 1;
        let text = format!(r#"{{"type":"command","id":"c{}","command":{command}}}"#, self.commands);
        self.sent = Some(Instant::now());
        // A broken socket is reported by the next call to `receive`.
        let _ = self.socket.send(Message::text(text)).await;
    }

    /// Returns the JSON of a command. Wagers include a commitment to bytes (`docs/fairness.md`).
    fn command(&self, action: Action) -> String {
        let bytes = [self.player.seat; 32];
        match action {
            Action::Wager => {
                let (table, seat) = (self.player.table.as_bytes(), self.player.seat);
                let digest = Sha256::new()
                    .chain_update([13])
                    .chain_update("paigow seat 2")
                    .chain_update([u8::try_from(table.len()).unwrap()])
                    .chain_update(table)
                    .chain_update(self.round.to_be_bytes())
                    .chain_update([seat])
                    .chain_update(bytes);
                let commitment = hex(&digest.finalize());
                format!(
                    r#"{{"do":"wagers","wagers":[{{"wager":"pai-gow","cents":1000}}],"ready":true,"commitment":"{commitment}"}}"#
                )
            }
            Action::Reveal => format!(r#"{{"do":"reveal","bytes":"{}"}}"#, hex(&bytes)),
            Action::Set => r#"{"do":"house_way"}"#.to_owned(),
        }
    }

    /// Sits down. Returns whether wagers are open.
    async fn sit(&mut self) -> bool {
        let seat = self.player.seat;
        self.send(&format!(r#"{{"do":"sit","seat":{seat}}}"#)).await;
        let mut open = false;
        while self.sent.is_some() {
            let message = self.receive().await.expect("a response");
            open |= MessageKind::of(&message) == MessageKind::Wager;
        }
        open
    }

    /// Returns the next text message, or `None` if the socket is closed. Records the response time of a command.
    async fn receive(&mut self) -> Option<Utf8Bytes> {
        loop {
            let Message::Text(text) = self.socket.next().await?.ok()? else { continue };
            assert!(!starts_with(&text, r#""type":"refused""#), "{text}");
            if starts_with(&text, r#""type":"done""#)
                && let Some(sent) = self.sent.take()
            {
                self.player.measurements.add_response(sent.elapsed());
            }
            if starts_with(&text, r#""event":"round_opened""#) || starts_with(&text, r#""type":"snapshot""#) {
                self.round = round_of(&text).unwrap_or(self.round);
            }
            return Some(text);
        }
    }
}

/// A player's next action.
#[derive(Clone, Copy)]
enum Action {
    Wager,
    Reveal,
    Set,
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut digits, byte| {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// Returns the round number in a message.
fn round_of(message: &str) -> Option<u64> {
    let message: Value = serde_json::from_str(message).ok()?;
    message["event"]["round"].as_u64().or_else(|| message["view"]["round"]["round"].as_u64())
}

/// Waits for the time of the next action and returns it; never returns if there is none.
async fn until(next: Option<(Instant, Action)>) -> Action {
    match next {
        Some((time, action)) => {
            tokio::time::sleep_until(time.into()).await;
            action
        }
        None => std::future::pending().await,
    }
}

/// The action that a message asks the player for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MessageKind {
    /// Wager.
    Wager,
    /// Reveal the bytes.
    Reveal,
    /// Set the hand.
    Set,
    /// None: the round is settled.
    Settled,
    /// None.
    Other,
}

impl MessageKind {
    fn of(message: &str) -> MessageKind {
        if starts_with(message, r#""event":"wagers_opened""#)
            || (starts_with(message, r#""type":"snapshot""#) && message.contains(r#""phase":"wagers""#))
        {
            MessageKind::Wager
        } else if starts_with(message, r#""event":"wagers_closed""#) {
            MessageKind::Reveal
        } else if starts_with(message, r#""event":"dealt""#) {
            MessageKind::Set
        } else if starts_with(message, r#""event":"settled""#) {
            MessageKind::Settled
        } else {
            MessageKind::Other
        }
    }
}

/// Whether the first 160 bytes of a message contain `text`. Messages are not parsed, to leave CPU time to the server.
fn starts_with(message: &str, text: &str) -> bool {
    message.get(..160.min(message.len())).is_some_and(|start| start.contains(text))
}

/// Connects and seats all players, then returns; they play on in background tasks.
pub(crate) async fn seat_all(players: Vec<Player>) {
    let connecting = Arc::new(Semaphore::new(CONNECTING_MAX));
    let all = Arc::new(Barrier::new(players.len() + 1));
    for player in players {
        tokio::spawn(player.play(connecting.clone(), all.clone()));
    }
    all.wait().await;
}
