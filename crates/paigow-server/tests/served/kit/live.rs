//! A WebSocket client of a table: it keeps a view, requests missed events, and retries commands until they are
//! answered.

use super::browser::ClientStream;
use super::{Browser, Response, TIMEOUT, view_model};
use futures_util::{SinkExt, StreamExt};
use hyper::body::Bytes;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::net::TcpSocket;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

/// Time after which a command without an answer is sent again.
const RETRY_AFTER: Duration = Duration::from_secs(3);

/// Number of clients so far. Command ids are unique per player, who may have several clients.
static CLIENTS: AtomicU64 = AtomicU64::new(0);

/// A message or the end of a WebSocket connection.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum SocketEvent {
    /// A message.
    Message(Value),
    /// The socket was closed, with this code and reason.
    Closed(Option<(u16, String)>),
    /// The connection broke.
    Broken,
}

/// A WebSocket at a table, and the messages it has received.
pub(crate) struct LiveClient {
    socket: WebSocketStream<ClientStream>,
    /// Sequence number of the last event.
    pub(crate) seq: u64,
    /// The view after the last event.
    pub(crate) view: Value,
    /// Number of snapshots received.
    pub(crate) snapshots: usize,
    /// The received events in order, each with its sequence number.
    pub(crate) events: Vec<(u64, Value)>,
    /// Text of every received message.
    pub(crate) frames: Vec<String>,
    /// Number of gaps in the sequence numbers.
    pub(crate) gaps: usize,
    /// Number of commands sent, for their ids.
    commands: usize,
    name: String,
}

impl LiveClient {
    /// Connects and waits for the snapshot.
    pub(crate) async fn open(browser: &Browser, table: &str) -> LiveClient {
        let mut live = LiveClient::try_open(browser, table, None).await.unwrap();
        live.until("a snapshot", |live| live.snapshots > 0).await;
        live
    }

    /// Connects, or returns the response that refuses the connection.
    pub(crate) async fn try_open(
        browser: &Browser,
        table: &str,
        from: Option<u64>,
    ) -> Result<LiveClient, Response> {
        let query = from.map_or(String::new(), |from| format!("?from={from}"));
        LiveClient::connect(browser, &format!("/api/tables/{table}/live{query}"), None).await
    }

    /// Connects and resumes after an event with this hash.
    pub(crate) async fn resume(browser: &Browser, table: &str, from: u64, hash: &str) -> LiveClient {
        let path = format!("/api/tables/{table}/live?from={from}&hash={hash}");
        let mut live = LiveClient::connect(browser, &path, None).await.unwrap();
        live.seq = from;
        live
    }

    /// Returns the hash of the last event or snapshot.
    pub(crate) fn hash(&self) -> String {
        let hashes = self.frames.iter().rev().map(|frame| serde_json::from_str::<Value>(frame).unwrap());
        hashes.into_iter().find_map(|frame| frame["hash"].as_str().map(str::to_owned)).unwrap()
    }

    /// Connects with a small receive buffer.
    pub(crate) async fn open_with_small_buffer(browser: &Browser, table: &str) -> LiveClient {
        LiveClient::connect(browser, &format!("/api/tables/{table}/live"), Some(4096)).await.unwrap()
    }

    async fn connect(browser: &Browser, path: &str, buffer: Option<u32>) -> Result<LiveClient, Response> {
        let socket = TcpSocket::new_v4().unwrap();
        if let Some(buffer) = buffer {
            socket.set_recv_buffer_size(buffer).unwrap();
        }
        let stream = socket.connect(browser.address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let stream = browser.begin_tls(stream).await.unwrap();
        let mut request = format!("ws://{}{path}", browser.address).into_client_request().unwrap();
        browser.put_headers(request.headers_mut());
        match super::with_timeout(client_async(request, stream)).await {
            Ok((socket, _)) => Ok(LiveClient {
                socket,
                seq: 0,
                view: Value::Null,
                snapshots: 0,
                events: Vec::new(),
                frames: Vec::new(),
                gaps: 0,
                commands: 0,
                name: format!("c{}", CLIENTS.fetch_add(1, Ordering::Relaxed)),
            }),
            Err(Error::Http(response)) => {
                let (head, body) = response.into_parts();
                let body = Bytes::from(body.unwrap_or_default());
                Err(Response { status: head.status.as_u16(), headers: head.headers, body })
            }
            Err(error) => panic!("the WebSocket handshake failed: {error}"),
        }
    }

    /// Reconnects after the connection broke and resumes from the last event.
    pub(crate) async fn reopen(&mut self, browser: &Browser, table: &str) {
        let fresh = LiveClient::try_open(browser, table, Some(self.seq)).await.unwrap();
        self.socket = fresh.socket;
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        self.send_text(message.to_string()).await;
    }

    pub(crate) async fn send_text(&mut self, text: String) {
        self.try_send(Message::text(text)).await.unwrap();
    }

    pub(crate) async fn try_send(&mut self, message: Message) -> Result<(), Error> {
        super::with_timeout(self.socket.send(message)).await
    }

    /// Queues a message without flushing.
    pub(crate) async fn feed(&mut self, message: Message) -> Result<(), Error> {
        super::with_timeout(self.socket.feed(message)).await
    }

    /// Returns the next message, or the end of the connection.
    pub(crate) async fn next(&mut self) -> SocketEvent {
        self.next_within(TIMEOUT).await.expect("no message")
    }

    pub(crate) async fn next_within(&mut self, time: Duration) -> Option<SocketEvent> {
        let start = Instant::now();
        loop {
            let left = time.checked_sub(start.elapsed())?;
            let message = timeout(left, self.socket.next()).await.ok()?;
            return Some(match message {
                Some(Ok(Message::Text(text))) => {
                    self.frames.push(text.to_string());
                    let message: Value = serde_json::from_str(&text).unwrap();
                    self.apply_message(&message).await;
                    SocketEvent::Message(message)
                }
                Some(Ok(Message::Close(frame))) => {
                    SocketEvent::Closed(frame.map(|frame| (frame.code.into(), frame.reason.to_string())))
                }
                Some(Ok(Message::Binary(_))) => panic!("the server sent a binary message"),
                Some(Ok(_)) => continue,
                Some(Err(_)) | None => SocketEvent::Broken,
            });
        }
    }

    async fn apply_message(&mut self, message: &Value) {
        let seq = message["seq"].as_u64();
        match (message["type"].as_str(), seq) {
            (Some("snapshot"), Some(seq)) => {
                (self.seq, self.view) = (seq, message["view"].clone());
                self.snapshots += 1;
            }
            (Some("event"), Some(seq)) if seq == self.seq + 1 => {
                self.seq = seq;
                self.events.push((seq, message["event"].clone()));
                view_model::apply(&mut self.view, &message["event"]);
            }
            // Known events are skipped. After a gap the client requests the missing events.
            (Some("event"), Some(seq)) if seq > self.seq + 1 => {
                self.gaps += 1;
                let resume = json!({ "type": "resume", "from": self.seq });
                self.send(&resume).await;
            }
            _ => {}
        }
    }

    /// Reads messages until a condition holds.
    pub(crate) async fn until(&mut self, what: &str, holds: impl Fn(&LiveClient) -> bool) {
        let start = Instant::now();
        while !holds(self) {
            let left = TIMEOUT.saturating_sub(start.elapsed());
            match self.next_within(left).await {
                Some(SocketEvent::Message(_)) => {}
                other => panic!("{what}: {other:?} after {:?}", self.frames.last()),
            }
        }
    }

    pub(crate) async fn until_phase(&mut self, phase: &str) {
        self.until(phase, |live| live.phase() == phase).await;
    }

    /// Reads messages until an event of this kind, and returns it.
    pub(crate) async fn until_event(&mut self, kind: &str) -> Value {
        let seen = self.events.len();
        self.until(kind, |live| live.events[seen..].iter().any(|(_, event)| event["event"] == kind)).await;
        self.events[seen..].iter().rev().find(|(_, event)| event["event"] == kind).unwrap().1.clone()
    }

    /// Reads messages until the event with this sequence number.
    pub(crate) async fn until_seq(&mut self, seq: u64) {
        self.until("an event", |live| live.seq >= seq).await;
    }

    /// Reads messages until the server closes. Returns the `goodbye` message, and the close code or the broken
    /// connection.
    pub(crate) async fn until_closed(&mut self) -> (Option<Value>, SocketEvent) {
        let mut goodbye = None;
        loop {
            match self.next().await {
                SocketEvent::Message(message) if message["type"] == "goodbye" => goodbye = Some(message),
                SocketEvent::Message(_) => {}
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

    /// Returns the viewer's own seat in the view.
    pub(crate) fn own_seat(&self) -> &Value {
        let seats = self.view["seats"].as_array().unwrap();
        seats.iter().find(|seat| seat["seat"] == self.view["you"]).unwrap()
    }

    pub(crate) fn next_id(&mut self) -> String {
        self.commands += 1;
        format!("{}-{}", self.name, self.commands)
    }

    /// Sends a command and returns the answer.
    pub(crate) async fn command(&mut self, command: Value) -> Value {
        let id = self.next_id();
        self.command_as(&id, command).await
    }

    pub(crate) async fn command_as(&mut self, id: &str, command: Value) -> Value {
        let message = json!({ "type": "command", "id": id, "command": command });
        for _ in 0..5 {
            self.send(&message).await;
            let sent = Instant::now();
            while let Some(left) = RETRY_AFTER.checked_sub(sent.elapsed()) {
                match self.next_within(left).await {
                    Some(SocketEvent::Message(reply)) if reply["id"] == id => {
                        if reply["problem"]["code"] == "unavailable" {
                            break;
                        }
                        return reply;
                    }
                    Some(SocketEvent::Message(_)) => {}
                    Some(other) => panic!("{message}: {other:?}"),
                    None => break,
                }
            }
        }
        panic!("no answer to {message}");
    }

    /// Sends a command that must succeed.
    pub(crate) async fn expect_done(&mut self, command: Value) -> Value {
        let reply = self.command(command.clone()).await;
        assert_eq!(reply["type"], "done", "{command}: {reply}");
        reply
    }

    /// Sends a command that must be refused, and returns the code.
    pub(crate) async fn expect_refused(&mut self, command: Value) -> String {
        let reply = self.command(command.clone()).await;
        assert_eq!(reply["type"], "refused", "{command}: {reply}");
        reply["problem"]["code"].as_str().unwrap().to_owned()
    }

    /// Places the base wager and declares ready.
    pub(crate) async fn wager(&mut self, cents: u64) -> Value {
        let stake = json!({ "wager": "pai-gow", "cents": cents });
        self.expect_done(json!({ "do": "wagers", "wagers": [stake], "ready": true })).await
    }
}
