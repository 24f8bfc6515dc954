//! The attacks: each floods the server from one address with one kind of traffic.

use super::wire::{connect, frame, read, request, send, socket, values};
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// Timeout of the attacker's connects, reads and writes.
const TIMEOUT: Duration = Duration::from_millis(500);

/// An attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attack {
    /// Connections that send nothing.
    Silent,
    /// Requests whose headers never end.
    SlowHeaders,
    /// Requests for exact odds, each for another pair of house ways.
    Odds,
    /// WebSocket pings at the maximum rate.
    Pings,
    /// WebSocket messages of endless empty fragments.
    Parts,
    /// Requests for guest sessions.
    Guests,
    /// Requests for practice tables, which the lobby lists.
    Tables,
}

/// Counts of an attacker's attempts by outcome.
#[derive(Default)]
pub(crate) struct Counts {
    /// Attempts.
    tried: AtomicU64,
    /// Attempts that the server accepted.
    taken: AtomicU64,
    /// Attempts that the server refused, and connections that it closed.
    refused: AtomicU64,
}

impl Counts {
    fn add(count: &AtomicU64) {
        count.fetch_add(1, Ordering::Relaxed);
    }

    fn add_response(&self, status: u16) {
        Counts::add(if status < 300 { &self.taken } else { &self.refused });
    }

    /// Returns the counts as text.
    pub(crate) fn summary(&self) -> String {
        let load = |count: &AtomicU64| count.load(Ordering::Relaxed);
        format!("{} tried, {} taken, {} refused", load(&self.tried), load(&self.taken), load(&self.refused))
    }
}

impl Attack {
    pub(crate) const ALL: [Attack; 7] = [
        Attack::Silent,
        Attack::SlowHeaders,
        Attack::Odds,
        Attack::Pings,
        Attack::Parts,
        Attack::Guests,
        Attack::Tables,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Attack::Silent => "silent connections",
            Attack::SlowHeaders => "slow headers",
            Attack::Odds => "odds flood",
            Attack::Pings => "ping flood",
            Attack::Parts => "message parts",
            Attack::Guests => "guest flood",
            Attack::Tables => "table flood",
        }
    }

    /// Attacks until `stop` is set, with at most `connections` connections.
    pub(crate) fn run(self, address: SocketAddr, stop: &AtomicBool, connections: usize) -> Counts {
        let counts = Counts::default();
        let (threads, attack): (usize, &(dyn Fn(usize) + Sync)) = match self {
            Attack::Silent => (1, &|_| hold_open(address, stop, &counts, connections, b"")),
            Attack::SlowHeaders => {
                (1, &|_| hold_open(address, stop, &counts, connections / 4, b"X-More: 1\r\n"))
            }
            Attack::Odds => (connections.min(66), &|thread| odds(address, stop, &counts, thread)),
            Attack::Pings => (8, &|_| frames(address, stop, &counts, &frame(0x89, b"ping"))),
            Attack::Parts => (8, &|_| frames(address, stop, &counts, &frame(0x00, b""))),
            Attack::Guests => (4, &|_| guests(address, stop, &counts)),
            Attack::Tables => (4, &|_| tables(address, stop, &counts)),
        };
        thread::scope(|scope| {
            for number in 0..threads {
                scope.spawn(move || attack(number));
            }
        });
        counts
    }
}

fn is_running(stop: &AtomicBool) -> bool {
    !stop.load(Ordering::Relaxed)
}

/// Holds `max` connections open, writes `more` to each periodically, and replaces those that the server closes.
fn hold_open(address: SocketAddr, stop: &AtomicBool, counts: &Counts, max: usize, more: &[u8]) {
    let mut open: Vec<TcpStream> = Vec::new();
    while is_running(stop) {
        for _ in open.len()..max {
            if !is_running(stop) {
                return;
            }
            Counts::add(&counts.tried);
            let Ok(mut stream) = connect(address, TIMEOUT) else { break };
            Counts::add(&counts.taken);
            let begun = more.is_empty() || stream.write_all(b"GET /healthz HTTP/1.1\r\n").is_ok();
            if begun && stream.set_nonblocking(true).is_ok() {
                open.push(stream);
            }
        }
        open.retain_mut(|stream| {
            let is_open = match stream.read(&mut [0; 512]) {
                Ok(count) => count > 0,
                Err(error) => error.kind() == ErrorKind::WouldBlock,
            };
            let is_open = is_open && (more.is_empty() || stream.write(more).is_ok());
            if !is_open {
                Counts::add(&counts.refused);
            }
            is_open
        });
        thread::sleep(Duration::from_millis(100));
    }
}

fn odds(address: SocketAddr, stop: &AtomicBool, counts: &Counts, thread: usize) {
    let (ways, books) = (values(address, "/api/house-ways", "id"), values(address, "/api/tables", "book"));
    let Some(book) = books.first() else { return };
    let way = |number: usize| ways.get(number % ways.len().max(1)).map_or("", String::as_str);
    let mut number = thread;
    while is_running(stop) {
        let (dealer, player) = (way(number), way(number / ways.len().max(1) + number + 1));
        let body = format!(
            "{{\"book\":\"{book}\",\"wager\":\"pai-gow\",\"house_way\":\"{dealer}\",\"player_house_way\":\"{player}\"}}"
        );
        Counts::add(&counts.tried);
        let Ok(mut stream) = connect(address, TIMEOUT) else { continue };
        if stream.write_all(request(address, "POST", "/api/odds", "", &body).as_bytes()).is_err() {
            continue;
        }
        // Waits for the response until the attack ends.
        while is_running(stop) {
            match read(&mut stream) {
                Ok(response) => {
                    counts.add_response(response.status);
                    break;
                }
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(_) => break,
            }
        }
        number += 66;
        // An immediate response is a refusal or comes from the cache. The pause prevents a busy loop.
        thread::sleep(Duration::from_millis(50));
    }
}

/// Sends one frame repeatedly, and opens another socket when the server closes one.
fn frames(address: SocketAddr, stop: &AtomicBool, counts: &Counts, frame: &[u8]) {
    const FRAMES_PER_BUFFER: usize = 1_000;
    let buffer = frame.repeat(FRAMES_PER_BUFFER);
    let tables = values(address, "/api/tables", "table");
    let Some(table) = tables.first() else { return };
    while is_running(stop) {
        let Ok(mut stream) = socket(address, table, TIMEOUT) else {
            Counts::add(&counts.refused);
            thread::sleep(Duration::from_millis(100));
            continue;
        };
        // Fragments must follow a first one. Pings are sent between the fragments of a message that never ends.
        let _ = stream.write_all(&super::wire::frame(0x01, b" "));
        let _ = stream.set_nonblocking(true);
        let mut offset = 0;
        let mut received = [0; 4_096];
        while is_running(stop) {
            match stream.read(&mut received) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(_) => break,
            }
            match stream.write(&buffer[offset..]) {
                Ok(written) => {
                    let frames = (offset + written) / frame.len() - offset / frame.len();
                    counts.tried.fetch_add(frames as u64, Ordering::Relaxed);
                    counts.taken.fetch_add(frames as u64, Ordering::Relaxed);
                    offset = (offset + written) % buffer.len();
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    thread::sleep(Duration::from_millis(1));
                }
                Err(_) => break,
            }
        }
        Counts::add(&counts.refused);
    }
}

fn guests(address: SocketAddr, stop: &AtomicBool, counts: &Counts) {
    while is_running(stop) {
        Counts::add(&counts.tried);
        match send(address, TIMEOUT, ("POST", "/api/session", "", "{}")) {
            Ok(response) => counts.add_response(response.status),
            Err(_) => thread::sleep(Duration::from_millis(10)),
        }
    }
}

fn tables(address: SocketAddr, stop: &AtomicBool, counts: &Counts) {
    let books = values(address, "/api/tables", "book");
    let Some(book) = books.first() else { return };
    let body = format!("{{\"book\":\"{book}\"}}");
    while is_running(stop) {
        let guest = send(address, TIMEOUT, ("POST", "/api/session", "", "{}"));
        let Some(cookie) = guest.ok().and_then(|response| response.cookie()) else {
            thread::sleep(Duration::from_millis(50));
            continue;
        };
        for _ in 0..4 {
            Counts::add(&counts.tried);
            if let Ok(response) = send(address, TIMEOUT, ("POST", "/api/tables", &cookie, &body)) {
                counts.add_response(response.status);
            }
        }
    }
}
