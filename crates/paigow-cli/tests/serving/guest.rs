//! A guest: a session, commands over HTTP, sockets at tables.

use crate::process::SOON;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};
use ureq::Agent;

/// Somebody who plays.
pub(crate) struct Guest {
    cookie: String,
    /// What tables call them.
    pub(crate) player: String,
    given: AtomicU64,
}

impl Guest {
    /// Comes in at one server; the session holds at all that have the same store.
    pub(crate) fn new(address: &str, name: &str) -> Guest {
        let body = json!({ "name": name }).to_string();
        let request = agent().post(format!("http://{address}/api/session"));
        let mut answer = request.content_type("application/json").send(body).unwrap();
        assert_eq!(answer.status(), 201);
        let cookie = answer.headers()["set-cookie"].to_str().unwrap();
        let cookie = cookie.split(';').next().unwrap().to_owned();
        let me: Value = serde_json::from_str(&answer.body_mut().read_to_string().unwrap()).unwrap();
        Guest { cookie, player: me["player"].as_str().unwrap().to_owned(), given: AtomicU64::new(0) }
    }

    pub(crate) fn cookie(&self) -> &str {
        &self.cookie
    }

    /// A name for the next command.
    pub(crate) fn next_id(&self) -> String {
        format!("c{}", self.given.fetch_add(1, Ordering::Relaxed))
    }

    /// Gives a command over HTTP.
    pub(crate) fn give(&self, address: &str, table: &str, id: &str, command: &Value) -> (u16, Value) {
        let body = json!({ "id": id, "command": command });
        post(address, &format!("/api/tables/{table}/commands"), &[("cookie", &self.cookie)], &body)
    }

    pub(crate) fn sit(&self, address: &str, table: &str, seat: u8) {
        let (status, answer) =
            self.give(address, table, &self.next_id(), &json!({ "do": "sit", "seat": seat }));
        assert_eq!(status, 200, "{answer}");
    }

    /// What they have.
    pub(crate) fn cents(&self, address: &str) -> i64 {
        let (_, me) = get(address, "/api/session", &[("cookie", &self.cookie)]);
        me["cents"]["PRACTICE"].as_i64().unwrap()
    }

    pub(crate) fn look(&self, address: &str, table: &str) -> Socket {
        self.look_from(address, table, None)
    }

    /// A socket at a table, from an event on.
    pub(crate) fn look_from(&self, address: &str, table: &str, from: Option<u64>) -> Socket {
        Socket::open(address, table, Some(&self.cookie), from)
    }
}

fn agent() -> Agent {
    let config = Agent::config_builder().timeout_global(Some(SOON)).http_status_as_error(false);
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

/// How long a socket waits before somebody else is looked at.
const GLANCE: Duration = Duration::from_millis(5);

/// A viewer's socket at a table, and all it was told.
pub(crate) struct Socket {
    line: WebSocket<TcpStream>,
    /// The last event it knows of.
    pub(crate) seq: u64,
    /// The table when it came, where it was sent whole.
    pub(crate) snapshot: Option<Value>,
    /// Every event since, by its place.
    pub(crate) events: BTreeMap<u64, Value>,
    /// What came of its commands.
    pub(crate) answers: BTreeMap<String, Value>,
    /// Why it was closed.
    pub(crate) goodbye: Option<Value>,
    pub(crate) gone: bool,
}

impl Socket {
    pub(crate) fn watch(address: &str, table: &str) -> Socket {
        Socket::open(address, table, None, None)
    }

    fn open(address: &str, table: &str, cookie: Option<&str>, from: Option<u64>) -> Socket {
        let query = from.map(|from| format!("?from={from}")).unwrap_or_default();
        let address_of = format!("ws://{address}/api/tables/{table}/live{query}");
        let mut request = address_of.into_client_request().unwrap();
        if let Some(cookie) = cookie {
            request.headers_mut().insert("cookie", cookie.parse().unwrap());
        }
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(SOON)).unwrap();
        let (line, _) = tungstenite::client(request, stream).unwrap();
        line.get_ref().set_read_timeout(Some(GLANCE)).unwrap();
        let mut socket = Socket {
            line,
            seq: from.unwrap_or(0),
            snapshot: None,
            events: BTreeMap::new(),
            answers: BTreeMap::new(),
            goodbye: None,
            gone: false,
        };
        if from.is_none() {
            socket.until("the table", |socket| socket.snapshot.is_some());
        }
        socket
    }

    /// Sends a command and does not wait.
    pub(crate) fn tell(&mut self, id: &str, command: &Value) {
        let said = json!({ "type": "command", "id": id, "command": command });
        // Where the server has gone, nobody answers.
        let _ = self.line.send(Message::text(said.to_string()));
    }

    /// Sends a command and waits for what comes of it.
    pub(crate) fn ask(&mut self, id: &str, command: &Value) -> Value {
        self.tell(id, command);
        self.until(&format!("an answer to {command}"), |socket| socket.answers.contains_key(id));
        self.answers[id].clone()
    }

    /// Sends a command, which is done.
    pub(crate) fn done(&mut self, id: &str, command: &Value) -> u64 {
        let answer = self.ask(id, command);
        assert_eq!(answer["type"], "done", "{command}: {answer}");
        answer["seq"].as_u64().unwrap()
    }

    /// Takes whatever comes next; whether something did.
    pub(crate) fn hear(&mut self) -> bool {
        match self.line.read() {
            Ok(Message::Text(text)) => {
                self.take(serde_json::from_str(&text).unwrap());
                true
            }
            Ok(_) => true,
            Err(tungstenite::Error::Io(error))
                if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) =>
            {
                false
            }
            Err(_) => {
                self.gone = true;
                false
            }
        }
    }

    fn take(&mut self, message: Value) {
        match message["type"].as_str().unwrap() {
            "snapshot" => {
                self.seq = message["seq"].as_u64().unwrap();
                self.snapshot = Some(message["view"].clone());
            }
            "event" => {
                let seq = message["seq"].as_u64().unwrap();
                assert_eq!(seq, self.seq + 1, "events come in order and none is left out");
                self.seq = seq;
                self.events.insert(seq, message["event"].clone());
            }
            "done" | "refused" => {
                let id = message["id"].as_str().unwrap().to_owned();
                self.answers.insert(id, message);
            }
            "goodbye" => self.goodbye = Some(message),
            other => panic!("nobody asked for {other}"),
        }
    }

    /// Hears until something is so.
    pub(crate) fn until(&mut self, what: &str, is_so: impl Fn(&Socket) -> bool) {
        let start = Instant::now();
        while !is_so(self) {
            assert!(
                start.elapsed() < SOON,
                "waited in vain for {what}; had {:?}",
                self.events.last_key_value()
            );
            assert!(!self.gone, "the socket is gone, and with it {what}");
            self.hear();
        }
    }

    /// Hears until an event of a kind has come after a place, and gives its own.
    pub(crate) fn event(&mut self, after: u64, kind: &str) -> u64 {
        let find = |socket: &Socket| {
            let mut later = socket.events.range(after + 1..);
            later.find(|(_, event)| event["event"] == kind).map(|(seq, _)| *seq)
        };
        self.until(kind, |socket| find(socket).is_some());
        find(self).unwrap()
    }

    /// Hears until the other end is gone.
    pub(crate) fn until_gone(&mut self) {
        let start = Instant::now();
        while !self.gone {
            assert!(start.elapsed() < SOON, "the socket stays");
            self.hear();
        }
    }
}

/// Waits until something is so.
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < SOON, "waited in vain for {what}");
        thread::sleep(Duration::from_millis(20));
    }
}
