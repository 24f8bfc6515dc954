//! A player: a session, a socket, and always the same play.

use crate::times::Times;
use futures_util::{SinkExt, StreamExt};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::sync::{Barrier, Semaphore};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
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
    heard: Arc<Heard>,
}

impl Player {
    pub(crate) fn new(address: &str, table: &str, seat: u8, heard: Arc<Heard>) -> Player {
        Player { address: address.to_owned(), table: table.to_owned(), seat, heard }
    }

    /// Comes in, sits down, and plays until the server goes away.
    async fn play(self, turns: Arc<Semaphore>, all: Arc<Barrier>) {
        let turn = turns.acquire_owned().await.unwrap();
        let cookie = self.session().await;
        let mut line = Line { socket: self.socket(&cookie).await, player: self, given: 0, sent: None };
        let seat = line.player.seat;
        line.give(&format!(r#"{{"do":"sit","seat":{seat}}}"#)).await;
        drop(turn);
        all.wait().await;
        while line.hear().await {}
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
struct Line {
    socket: WebSocketStream<TcpStream>,
    player: Player,
    given: u64,
    sent: Option<Instant>,
}

impl Line {
    async fn give(&mut self, command: &str) {
        self.given += 1;
        let text = format!(r#"{{"type":"command","id":"c{}","command":{command}}}"#, self.given);
        self.sent = Some(Instant::now());
        // That the socket broke is heard next.
        let _ = self.socket.send(Message::text(text)).await;
    }

    /// Takes the next message and does what follows; whether there was one. Messages are told by how they begin: to read all of each
    /// would take more time than the server has for them.
    async fn hear(&mut self) -> bool {
        let Some(Ok(message)) = self.socket.next().await else { return false };
        let Ok(text) = message.to_text() else { return true };
        let kind = |name: &str| text.get(..160.min(text.len())).is_some_and(|start| start.contains(name));
        if kind(r#""type":"done""#) || kind(r#""type":"refused""#) {
            assert!(kind(r#""type":"done""#), "{text}");
            if let Some(sent) = self.sent.take() {
                self.player.heard.answered(sent.elapsed());
            }
        } else if kind(r#""event":"wagers_opened""#)
            || (kind(r#""type":"snapshot""#) && text.contains(r#""phase":"wagers""#))
        {
            self.give(r#"{"do":"wagers","wagers":[{"wager":"pai-gow","cents":1000}],"ready":true}"#).await;
        } else if kind(r#""event":"dealt""#) {
            self.give(r#"{"do":"house_way"}"#).await;
        } else if kind(r#""event":"settled""#) && self.player.seat == 1 {
            self.player.heard.settled();
        }
        true
    }
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
