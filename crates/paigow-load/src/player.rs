//! A player: a session, a socket, and always the same play.

use crate::times::Times;
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

/// How many come in at once.
const AT_ONCE: usize = 64;

/// What all players have heard while it counts.
#[derive(Default)]
pub(crate) struct Heard {
    counts: AtomicBool,
    rounds: AtomicU64,
    broken: AtomicU64,
    times: Mutex<Vec<Duration>>,
}

impl Heard {
    pub(crate) fn begin(&self) {
        self.times.lock().unwrap().clear();
        self.rounds.store(0, Ordering::Relaxed);
        self.counts.store(true, Ordering::Relaxed);
    }

    /// How many rounds were settled, how long answers took, and how many sockets broke.
    pub(crate) fn end(&self) -> (u64, Times, u64) {
        self.counts.store(false, Ordering::Relaxed);
        let times = std::mem::take(&mut *self.times.lock().unwrap());
        (self.rounds.load(Ordering::Relaxed), Times::of(times), self.broken.load(Ordering::Relaxed))
    }

    fn answered(&self, took: Duration) {
        if self.counts.load(Ordering::Relaxed) {
            self.times.lock().unwrap().push(took);
        }
    }

    fn settled(&self) {
        if self.counts.load(Ordering::Relaxed) {
            self.rounds.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Somebody who plays.
pub(crate) struct Player {
    address: String,
    table: String,
    seat: u8,
    pace: Pace,
    heard: Arc<Heard>,
}

/// When a player does what is to be done.
#[derive(Clone, Copy)]
pub(crate) struct Pace {
    /// A round of the table begins so often.
    pub(crate) every: Duration,
    /// So long after those of the first table.
    pub(crate) late: Duration,
    /// How long this player thinks.
    pub(crate) thinks: Duration,
}

impl Pace {
    /// When to wager in the next round, for somebody who has played since an instant.
    fn next_wager(&self, since: Instant) -> Instant {
        let passed = since.elapsed().saturating_sub(self.late).as_micros();
        let rounds = passed.div_ceil(self.every.as_micros());
        since + self.late + self.every * u32::try_from(rounds).unwrap_or(u32::MAX) + self.thinks
    }
}

impl Player {
    pub(crate) fn new(address: &str, table: &str, seat: u8, pace: Pace, heard: Arc<Heard>) -> Player {
        Player { address: address.to_owned(), table: table.to_owned(), seat, pace, heard }
    }

    /// Comes in, sits down, and plays until the server goes away.
    async fn play(self, turns: Arc<Semaphore>, all: Arc<Barrier>) {
        let turn = turns.acquire_owned().await.unwrap();
        let cookie = self.session().await;
        let mut line = LiveConnection {
            socket: self.socket(&cookie).await,
            player: self,
            round: 0,
            given: 0,
            sent: None,
        };
        let open = line.sit().await;
        drop(turn);
        // A table that is not full yet would deal to those who are there.
        all.wait().await;
        let pace = line.player.pace;
        let start = Instant::now();
        let mut next = open.then(|| (pace.next_wager(start), Does::Wager));
        loop {
            tokio::select! {
                message = line.hear() => match message.as_deref().map(Turn::of) {
                    Some(Turn::Wager) => next = Some((pace.next_wager(start), Does::Wager)),
                    // A page reveals by itself, without its player.
                    Some(Turn::Reveal) => next = Some((Instant::now(), Does::Reveal)),
                    Some(Turn::Set) => next = Some((Instant::now() + pace.thinks, Does::Set)),
                    Some(Turn::Settled) if line.player.seat == 1 => line.player.heard.settled(),
                    Some(Turn::Settled | Turn::Others) => {}
                    None => break,
                },
                does = until(next) => {
                    next = None;
                    let command = line.command(does);
                    line.give(&command).await;
                }
            }
        }
        line.player.heard.broken.fetch_add(1, Ordering::Relaxed);
    }

    /// A session's cookie.
    async fn session(&self) -> String {
        let url = format!("http://{}/api/session", self.address);
        let begin = move || {
            let answer = ureq::post(url).content_type("application/json").send("{}").expect("a session");
            let cookie = answer.headers()["set-cookie"].to_str().unwrap();
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

/// A player's socket.
struct LiveConnection {
    socket: WebSocketStream<TcpStream>,
    player: Player,
    /// The number of the round.
    round: u64,
    given: u64,
    sent: Option<Instant>,
}

impl LiveConnection {
    async fn give(&mut self, command: &str) {
        self.given += 1;
        let text = format!(r#"{{"type":"command","id":"c{}","command":{command}}}"#, self.given);
        self.sent = Some(Instant::now());
        // That the socket broke is heard next.
        let _ = self.socket.send(Message::text(text)).await;
    }

    /// What a player does, as a command. Wagers come with a commitment to bytes (`docs/fairness.md`).
    fn command(&self, does: Does) -> String {
        let bytes = [self.player.seat; 32];
        match does {
            Does::Wager => {
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
            Does::Reveal => format!(r#"{{"do":"reveal","bytes":"{}"}}"#, hex(&bytes)),
            Does::Set => r#"{"do":"house_way"}"#.to_owned(),
        }
    }

    /// Sits down; whether wagers are open by then.
    async fn sit(&mut self) -> bool {
        let seat = self.player.seat;
        self.give(&format!(r#"{{"do":"sit","seat":{seat}}}"#)).await;
        let mut open = false;
        while self.sent.is_some() {
            let message = self.hear().await.expect("an answer");
            open |= Turn::of(&message) == Turn::Wager;
        }
        open
    }

    /// The next message, if there is one; an answer is counted.
    async fn hear(&mut self) -> Option<Utf8Bytes> {
        loop {
            let Message::Text(text) = self.socket.next().await?.ok()? else { continue };
            assert!(!is(&text, r#""type":"refused""#), "{text}");
            if is(&text, r#""type":"done""#)
                && let Some(sent) = self.sent.take()
            {
                self.player.heard.answered(sent.elapsed());
            }
            if is(&text, r#""event":"round_opened""#) || is(&text, r#""type":"snapshot""#) {
                self.round = round_of(&text).unwrap_or(self.round);
            }
            return Some(text);
        }
    }
}

/// What a player does next.
#[derive(Clone, Copy)]
enum Does {
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

/// The number of the round that a message names.
fn round_of(message: &str) -> Option<u64> {
    let message: Value = serde_json::from_str(message).ok()?;
    message["event"]["round"].as_u64().or_else(|| message["view"]["round"]["round"].as_u64())
}

/// What is done when it is time for it; with nothing to do there is nothing to wait for.
async fn until(next: Option<(Instant, Does)>) -> Does {
    match next {
        Some((time, does)) => {
            tokio::time::sleep_until(time.into()).await;
            does
        }
        None => std::future::pending().await,
    }
}

/// Whose turn it is after a message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// Ours, to wager.
    Wager,
    /// Ours, to reveal the bytes.
    Reveal,
    /// Ours, to set the hand.
    Set,
    /// Nobody's: the round is settled.
    Settled,
    Others,
}

impl Turn {
    fn of(message: &str) -> Turn {
        if is(message, r#""event":"wagers_opened""#)
            || (is(message, r#""type":"snapshot""#) && message.contains(r#""phase":"wagers""#))
        {
            Turn::Wager
        } else if is(message, r#""event":"wagers_closed""#) {
            Turn::Reveal
        } else if is(message, r#""event":"dealt""#) {
            Turn::Set
        } else if is(message, r#""event":"settled""#) {
            Turn::Settled
        } else {
            Turn::Others
        }
    }
}

/// Messages are told by how they begin: to read all of each would take more time than the server has for them.
fn is(message: &str, what: &str) -> bool {
    message.get(..160.min(message.len())).is_some_and(|start| start.contains(what))
}

/// All players come in and sit down; they play on by themselves.
pub(crate) async fn all_sit(players: Vec<Player>) {
    let turns = Arc::new(Semaphore::new(AT_ONCE));
    let all = Arc::new(Barrier::new(players.len() + 1));
    for player in players {
        tokio::spawn(player.play(turns.clone(), all.clone()));
    }
    all.wait().await;
}
