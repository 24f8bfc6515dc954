//! A client of a live table: it keeps what it has seen, asks for what it missed, and sends commands until they are answered.

use super::{Answer, Browser, PATIENCE, sight};
use futures_util::{SinkExt, StreamExt};
use hyper::body::Bytes;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

/// After how long a command is sent again.
const AGAIN: Duration = Duration::from_secs(3);

/// How many clients there were: names of commands are one person's, who may have several sockets.
static CLIENTS: AtomicU64 = AtomicU64::new(0);

/// What came over a socket.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Said {
    /// A message.
    Message(Value),
    /// The socket was closed, with this code and reason.
    Closed(Option<(u16, String)>),
    /// The connection broke.
    Broken,
}

/// A socket at a table, and what is known by it.
pub(crate) struct Live {
    socket: WebSocketStream<TcpStream>,
    /// The last event that was seen.
    pub(crate) seq: u64,
    /// The table as it looks by now.
    pub(crate) view: Value,
    /// How many snapshots came.
    pub(crate) snapshots: usize,
    /// The events that came, in order, each with its place.
    pub(crate) events: Vec<(u64, Value)>,
    /// Every message as it came.
    pub(crate) frames: Vec<String>,
    /// How often there was a gap.
    pub(crate) gaps: usize,
    /// Makes names for commands.
    named: usize,
    name: String,
}

impl Live {
    /// A socket that begins with the table as it is.
    pub(crate) async fn open(browser: &Browser, table: &str) -> Live {
        let mut live = Live::try_open(browser, table, None).await.unwrap();
        live.until("a snapshot", |live| live.snapshots > 0).await;
        live
    }

    /// A socket, or what was answered instead of one.
    pub(crate) async fn try_open(browser: &Browser, table: &str, from: Option<u64>) -> Result<Live, Answer> {
        let query = from.map_or(String::new(), |from| format!("?from={from}"));
        Live::knock(browser, &format!("/api/tables/{table}/live{query}"), None).await
    }

    /// A socket that goes on after an event, by its hash.
    pub(crate) async fn resume(browser: &Browser, table: &str, from: u64, hash: &str) -> Live {
        let path = format!("/api/tables/{table}/live?from={from}&hash={hash}");
        let mut live = Live::knock(browser, &path, None).await.unwrap();
        live.seq = from;
        live
    }

    /// The hash of the last event or snapshot that came.
    pub(crate) fn hash(&self) -> String {
        let hashes = self.frames.iter().rev().map(|frame| serde_json::from_str::<Value>(frame).unwrap());
        hashes.into_iter().find_map(|frame| frame["hash"].as_str().map(str::to_owned)).unwrap()
    }

    /// A socket of somebody who has little room for what comes.
    pub(crate) async fn narrow(browser: &Browser, table: &str) -> Live {
        Live::knock(browser, &format!("/api/tables/{table}/live"), Some(4096)).await.unwrap()
    }

    async fn knock(browser: &Browser, path: &str, room: Option<u32>) -> Result<Live, Answer> {
        let socket = TcpSocket::new_v4().unwrap();
        if let Some(room) = room {
            socket.set_recv_buffer_size(room).unwrap();
        }
        let stream = socket.connect(browser.address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let mut request = format!("ws://{}{path}", browser.address).into_client_request().unwrap();
        browser.put_headers(request.headers_mut());
        match super::in_time(client_async(request, stream)).await {
            Ok((socket, _)) => Ok(Live {
                socket,
                seq: 0,
                view: Value::Null,
                snapshots: 0,
                events: Vec::new(),
                frames: Vec::new(),
                gaps: 0,
                named: 0,
                name: format!("c{}", CLIENTS.fetch_add(1, Ordering::Relaxed)),
            }),
            Err(Error::Http(response)) => {
                let (head, body) = response.into_parts();
                let body = Bytes::from(body.unwrap_or_default());
                Err(Answer { status: head.status.as_u16(), headers: head.headers, body })
            }
            Err(error) => panic!("no socket: {error}"),
        }
    }

    /// The same client after its connection broke: it has what it had seen, and goes on from there.
    pub(crate) async fn reopen(&mut self, browser: &Browser, table: &str) {
        let fresh = Live::try_open(browser, table, Some(self.seq)).await.unwrap();
        self.socket = fresh.socket;
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        self.send_text(message.to_string()).await;
    }

    pub(crate) async fn send_text(&mut self, text: String) {
        self.try_send(Message::text(text)).await.unwrap();
    }

    pub(crate) async fn try_send(&mut self, message: Message) -> Result<(), Error> {
        super::in_time(self.socket.send(message)).await
    }

    /// Sends without waiting until all of it is written.
    pub(crate) async fn feed(&mut self, message: Message) -> Result<(), Error> {
        super::in_time(self.socket.feed(message)).await
    }

    /// What comes next.
    pub(crate) async fn next(&mut self) -> Said {
        self.next_within(PATIENCE).await.expect("nothing comes")
    }

    pub(crate) async fn next_within(&mut self, time: Duration) -> Option<Said> {
        let start = Instant::now();
        loop {
            let left = time.checked_sub(start.elapsed())?;
            let message = timeout(left, self.socket.next()).await.ok()?;
            return Some(match message {
                Some(Ok(Message::Text(text))) => {
                    self.frames.push(text.to_string());
                    let message: Value = serde_json::from_str(&text).unwrap();
                    self.learn(&message).await;
                    Said::Message(message)
                }
                Some(Ok(Message::Close(frame))) => {
                    Said::Closed(frame.map(|frame| (frame.code.into(), frame.reason.to_string())))
                }
                Some(Ok(Message::Binary(_))) => panic!("the server speaks text"),
                Some(Ok(_)) => continue,
                Some(Err(_)) | None => Said::Broken,
            });
        }
    }

    async fn learn(&mut self, message: &Value) {
        let seq = message["seq"].as_u64();
        match (message["type"].as_str(), seq) {
            (Some("snapshot"), Some(seq)) => {
                (self.seq, self.view) = (seq, message["view"].clone());
                self.snapshots += 1;
            }
            (Some("event"), Some(seq)) if seq == self.seq + 1 => {
                self.seq = seq;
                self.events.push((seq, message["event"].clone()));
                sight::apply(&mut self.view, &message["event"]);
            }
            // What was seen is passed over; at a gap what is missing is asked for.
            (Some("event"), Some(seq)) if seq > self.seq + 1 => {
                self.gaps += 1;
                let resume = json!({ "type": "resume", "from": self.seq });
                self.send(&resume).await;
            }
            _ => {}
        }
    }

    /// Reads on until something holds.
    pub(crate) async fn until(&mut self, what: &str, holds: impl Fn(&Live) -> bool) {
        let start = Instant::now();
        while !holds(self) {
            let left = PATIENCE.saturating_sub(start.elapsed());
            match self.next_within(left).await {
                Some(Said::Message(_)) => {}
                other => panic!("{what}: {other:?} after {:?}", self.frames.last()),
            }
        }
    }

    pub(crate) async fn until_phase(&mut self, phase: &str) {
        self.until(phase, |live| live.phase() == phase).await;
    }

    /// Reads on until an event of this kind comes.
    pub(crate) async fn until_event(&mut self, kind: &str) -> Value {
        let seen = self.events.len();
        self.until(kind, |live| live.events[seen..].iter().any(|(_, event)| event["event"] == kind)).await;
        self.events[seen..].iter().rev().find(|(_, event)| event["event"] == kind).unwrap().1.clone()
    }

    /// Reads on until the client knows at least this event.
    pub(crate) async fn until_seq(&mut self, seq: u64) {
        self.until("an event", |live| live.seq >= seq).await;
    }

    /// Reads on until the server closes, and gives all that came: the goodbye and the code of the close.
    pub(crate) async fn until_closed(&mut self) -> (Option<Value>, Said) {
        let mut goodbye = None;
        loop {
            match self.next().await {
                Said::Message(message) if message["type"] == "goodbye" => goodbye = Some(message),
                Said::Message(_) => {}
                closed => return (goodbye, closed),
            }
        }
    }

    pub(crate) fn phase(&self) -> &str {
        self.view["phase"].as_str().unwrap_or("")
    }

    pub(crate) fn round(&self) -> u64 {
        self.view["round"]["round"].as_u64().unwrap_or(0)
    }

    /// The seat of whoever looks, as the view has it.
    pub(crate) fn own_seat(&self) -> &Value {
        let seats = self.view["seats"].as_array().unwrap();
        seats.iter().find(|seat| seat["seat"] == self.view["you"]).unwrap()
    }

    pub(crate) fn new_name(&mut self) -> String {
        self.named += 1;
        format!("{}-{}", self.name, self.named)
    }

    /// Gives a command and reads on until it is answered.
    pub(crate) async fn command(&mut self, command: Value) -> Value {
        let id = self.new_name();
        self.command_as(&id, command).await
    }

    pub(crate) async fn command_as(&mut self, id: &str, command: Value) -> Value {
        let message = json!({ "type": "command", "id": id, "command": command });
        for _ in 0..5 {
            self.send(&message).await;
            let sent = Instant::now();
            while let Some(left) = AGAIN.checked_sub(sent.elapsed()) {
                match self.next_within(left).await {
                    Some(Said::Message(said)) if said["id"] == id => {
                        if said["problem"]["code"] == "unavailable" {
                            break;
                        }
                        return said;
                    }
                    Some(Said::Message(_)) => {}
                    Some(other) => panic!("{message}: {other:?}"),
                    None => break,
                }
            }
        }
        panic!("no answer to {message}");
    }

    /// Gives a command that must be done.
    pub(crate) async fn done(&mut self, command: Value) -> Value {
        let said = self.command(command.clone()).await;
        assert_eq!(said["type"], "done", "{command}: {said}");
        said
    }

    /// Gives a command that must be refused, and says with which code.
    pub(crate) async fn refused(&mut self, command: Value) -> String {
        let said = self.command(command.clone()).await;
        assert_eq!(said["type"], "refused", "{command}: {said}");
        said["problem"]["code"].as_str().unwrap().to_owned()
    }

    /// Wagers on the base game and is ready.
    pub(crate) async fn wager(&mut self, cents: u64) -> Value {
        let stake = json!({ "wager": "pai-gow", "cents": cents });
        self.done(json!({ "do": "wagers", "wagers": [stake], "ready": true })).await
    }
}
