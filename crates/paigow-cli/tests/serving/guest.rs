//! A guest for tests: a session, commands over HTTP, and sockets at tables.

use crate::process::TIMEOUT;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};
use ureq::Agent;

/// A guest with a session.
pub(crate) struct Guest {
    cookie: String,
    /// Player id.
    pub(crate) player: String,
    command_count: AtomicU64,
}

impl Guest {
    /// Creates a session at a server. It is valid at all servers on the same store.
    pub(crate) fn new(address: &str, name: &str) -> Guest {
        let body = json!({ "name": name }).to_string();
        let request = agent().post(format!("http://{address}/api/session"));
        let mut answer = request.content_type("application/json").send(body).unwrap();
        assert_eq!(answer.status(), 201);
        let cookie = answer.headers()["set-cookie"].to_str().unwrap();
        let cookie = cookie.split(';').next().unwrap().to_owned();
        let me: Value = serde_json::from_str(&answer.body_mut().read_to_string().unwrap()).unwrap();
        Guest { cookie, player: me["player"].as_str().unwrap().to_owned(), command_count: AtomicU64::new(0) }
    }

    pub(crate) fn cookie(&self) -> &str {
        &self.cookie
    }

    /// Returns an id for the next command.
    pub(crate) fn next_id(&self) -> String {
        format!("c{}", self.command_count.fetch_add(1, Ordering::Relaxed))
    }

    /// Sends a command over HTTP.
    pub(crate) fn post_command(&self, address: &str, table: &str, id: &str, command: &Value) -> (u16, Value) {
        let body = json!({ "id": id, "command": command });
        post(address, &format!("/api/tables/{table}/commands"), &[("cookie", &self.cookie)], &body)
    }

    pub(crate) fn sit(&self, address: &str, table: &str, seat: u8) {
        let (status, answer) =
            self.post_command(address, table, &self.next_id(), &json!({ "do": "sit", "seat": seat }));
        assert_eq!(status, 200, "{answer}");
    }

    /// Returns the balance.
    pub(crate) fn cents(&self, address: &str) -> i64 {
        let (_, me) = get(address, "/api/session", &[("cookie", &self.cookie)]);
        me["cents"]["PRACTICE"].as_i64().unwrap()
    }

    pub(crate) fn connect(&self, address: &str, table: &str) -> Socket {
        self.connect_from(address, table, None)
    }

    /// Opens a socket at a table and resumes after the event `from`.
    pub(crate) fn connect_from(&self, address: &str, table: &str, from: Option<u64>) -> Socket {
        Socket::open(address, table, Some(&self.cookie), from)
    }
}

fn agent() -> Agent {
    let config = Agent::config_builder().timeout_global(Some(TIMEOUT)).http_status_as_error(false);
    config.build().new_agent()
}

fn read(mut answer: ureq::http::Response<ureq::Body>) -> (u16, Value) {
    let text = answer.body_mut().read_to_string().unwrap();
    (answer.status().as_u16(), serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

pub(crate) fn get(address: &str, path: &str, headers: &[(&str, &str)]) -> (u16, Value) {
    let request = agent().get(format!("http://{address}{path}"));
    read(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value)).call().unwrap())
}

pub(crate) fn post(address: &str, path: &str, headers: &[(&str, &str)], body: &Value) -> (u16, Value) {
    let request = agent().post(format!("http://{address}{path}")).content_type("application/json");
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    read(request.send(body.to_string()).unwrap())
}

/// Read timeout of a socket, so that a test can poll several sockets in turn.
const READ_TIMEOUT: Duration = Duration::from_millis(5);

/// A viewer's socket at a table, and all messages it received.
pub(crate) struct Socket {
    stream: WebSocket<TcpStream>,
    /// Sequence number of the last event received.
    pub(crate) seq: u64,
    /// Snapshot of the table, if the server sent one.
    pub(crate) snapshot: Option<Value>,
    /// Events received, by sequence number.
    pub(crate) events: BTreeMap<u64, Value>,
    /// Responses to commands, by command id.
    pub(crate) answers: BTreeMap<String, Value>,
    /// Message that announces the close.
    pub(crate) goodbye: Option<Value>,
    pub(crate) closed: bool,
}

impl Socket {
    pub(crate) fn watch(address: &str, table: &str) -> Socket {
        Socket::open(address, table, None, None)
    }

    fn open(address: &str, table: &str, cookie: Option<&str>, from: Option<u64>) -> Socket {
        let query = from.map(|from| format!("?from={from}")).unwrap_or_default();
        let url = format!("ws://{address}/api/tables/{table}/live{query}");
        let mut request = url.into_client_request().unwrap();
        if let Some(cookie) = cookie {
            request.headers_mut().insert("cookie", cookie.parse().unwrap());
        }
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        let (stream, _) = tungstenite::client(request, stream).unwrap();
        stream.get_ref().set_read_timeout(Some(READ_TIMEOUT)).unwrap();
        let mut socket = Socket {
            stream,
            seq: from.unwrap_or(0),
            snapshot: None,
            events: BTreeMap::new(),
            answers: BTreeMap::new(),
            goodbye: None,
            closed: false,
        };
        if from.is_none() {
            socket.wait_until("the table", |socket| socket.snapshot.is_some());
        }
        socket
    }

    /// Sends a command without waiting for the response.
    pub(crate) fn send(&mut self, id: &str, command: &Value) {
        let message = json!({ "type": "command", "id": id, "command": command });
        // An error is ignored: the server may have been killed.
        let _ = self.stream.send(Message::text(message.to_string()));
    }

    /// Sends a command and waits for the response.
    pub(crate) fn request(&mut self, id: &str, command: &Value) -> Value {
        self.send(id, command);
        self.wait_until(&format!("an answer to {command}"), |socket| socket.answers.contains_key(id));
        self.answers[id].clone()
    }

    /// Sends a command, asserts that it succeeds, and returns its sequence number.
    pub(crate) fn command(&mut self, id: &str, command: &Value) -> u64 {
        let answer = self.request(id, command);
        assert_eq!(answer["type"], "done", "{command}: {answer}");
        answer["seq"].as_u64().unwrap()
    }

    /// Receives the next message, if there is one. Returns whether there was.
    pub(crate) fn receive(&mut self) -> bool {
        match self.stream.read() {
            Ok(Message::Text(text)) => {
                self.handle(serde_json::from_str(&text).unwrap());
                true
            }
            Ok(_) => true,
            Err(tungstenite::Error::Io(error))
                if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) =>
            {
                false
            }
            Err(_) => {
                self.closed = true;
                false
            }
        }
    }

    fn handle(&mut self, message: Value) {
        match message["type"].as_str().unwrap() {
            "snapshot" => {
                self.seq = message["seq"].as_u64().unwrap();
                self.snapshot = Some(message["view"].clone());
            }
            "event" => {
                let seq = message["seq"].as_u64().unwrap();
                assert_eq!(seq, self.seq + 1, "events arrive in order without gaps");
                self.seq = seq;
                self.events.insert(seq, message["event"].clone());
            }
            "done" | "refused" => {
                let id = message["id"].as_str().unwrap().to_owned();
                self.answers.insert(id, message);
            }
            "goodbye" => self.goodbye = Some(message),
            other => panic!("unexpected message {other}"),
        }
    }

    /// Receives messages until a condition holds. Panics after a timeout.
    pub(crate) fn wait_until(&mut self, description: &str, condition: impl Fn(&Socket) -> bool) {
        let start = Instant::now();
        while !condition(self) {
            assert!(
                start.elapsed() < TIMEOUT,
                "timed out waiting for {description}; the last event is {:?}",
                self.events.last_key_value()
            );
            assert!(!self.closed, "the socket was closed while waiting for {description}");
            self.receive();
        }
    }

    /// Waits for the first event of a kind after a sequence number, and returns its sequence number.
    pub(crate) fn wait_for_event(&mut self, after: u64, kind: &str) -> u64 {
        let find = |socket: &Socket| {
            let mut later = socket.events.range(after + 1..);
            later.find(|(_, event)| event["event"] == kind).map(|(seq, _)| *seq)
        };
        self.wait_until(kind, |socket| find(socket).is_some());
        find(self).unwrap()
    }

    /// Receives messages until the socket is closed.
    pub(crate) fn wait_until_closed(&mut self) {
        let start = Instant::now();
        while !self.closed {
            assert!(start.elapsed() < TIMEOUT, "timed out waiting for the socket to close");
            self.receive();
        }
    }
}

/// Waits until a condition holds. Panics after a timeout.
pub(crate) fn wait_until(description: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < TIMEOUT, "timed out waiting for {description}");
        thread::sleep(Duration::from_millis(20));
    }
}
