//! The attacks: one address does too much of one thing.

use super::wire::{ask, connect, frame, read, request, socket, values};
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// How long an attacker waits for anything.
const WAIT: Duration = Duration::from_millis(500);

/// An attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attack {
    /// Connections that say nothing.
    Silent,
    /// Requests whose headers never end.
    SlowHeaders,
    /// Exact odds, each time of another pair of house ways.
    Odds,
    /// WebSocket pings as fast as they can be sent.
    Pings,
    /// Messages of endless empty parts.
    Parts,
    /// New guests.
    Guests,
    /// New tables, and the lobby that shows them.
    Tables,
}

/// What came of an attack.
#[derive(Default)]
pub(crate) struct Counts {
    /// What the attacker tried.
    tried: AtomicU64,
    /// What the server took.
    taken: AtomicU64,
    /// What it refused in words.
    refused: AtomicU64,
}

impl Counts {
    fn add(count: &AtomicU64) {
        count.fetch_add(1, Ordering::Relaxed);
    }

    fn answered(&self, status: u16) {
        Counts::add(if status < 300 { &self.taken } else { &self.refused });
    }

    /// The counts as words: tried, taken, refused.
    pub(crate) fn says(&self) -> String {
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        format!("{} tried, {} taken, {} refused", of(&self.tried), of(&self.taken), of(&self.refused))
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

    /// Attacks until told to stop, with so many connections at most.
    pub(crate) fn run(self, address: SocketAddr, stop: &AtomicBool, connections: usize) -> Counts {
        let counts = Counts::default();
        let (threads, attack): (usize, &(dyn Fn(usize) + Sync)) = match self {
            Attack::Silent => (1, &|_| held(address, stop, &counts, connections, b"")),
            Attack::SlowHeaders => (1, &|_| held(address, stop, &counts, connections / 4, b"X-More: 1\r\n")),
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

fn goes_on(stop: &AtomicBool) -> bool {
    !stop.load(Ordering::Relaxed)
}

/// Holds connections open, adds this to each from time to time, and opens another for each that the server closes.
fn held(address: SocketAddr, stop: &AtomicBool, counts: &Counts, most: usize, more: &[u8]) {
    let mut open: Vec<TcpStream> = Vec::new();
    while goes_on(stop) {
        for _ in open.len()..most {
            if !goes_on(stop) {
                return;
            }
            Counts::add(&counts.tried);
            let Ok(mut stream) = connect(address, WAIT) else { break };
            Counts::add(&counts.taken);
            let begun = more.is_empty() || stream.write_all(b"GET /healthz HTTP/1.1\r\n").is_ok();
            if begun && stream.set_nonblocking(true).is_ok() {
                open.push(stream);
            }
        }
        open.retain_mut(|stream| {
            let is_kept = match stream.read(&mut [0; 512]) {
                Ok(count) => count > 0,
                Err(error) => error.kind() == ErrorKind::WouldBlock,
            };
            let is_kept = is_kept && (more.is_empty() || stream.write(more).is_ok());
            if !is_kept {
                Counts::add(&counts.refused);
            }
            is_kept
        });
        thread::sleep(Duration::from_millis(100));
    }
}

fn odds(address: SocketAddr, stop: &AtomicBool, counts: &Counts, thread: usize) {
    let (ways, books) = (values(address, "/api/house-ways", "id"), values(address, "/api/tables", "book"));
    let Some(book) = books.first() else { return };
    let way = |number: usize| ways.get(number % ways.len().max(1)).map_or("", String::as_str);
    let mut number = thread;
    while goes_on(stop) {
        let (dealer, player) = (way(number), way(number / ways.len().max(1) + number + 1));
        let body = format!(
            "{{\"book\":\"{book}\",\"wager\":\"pai-gow\",\"house_way\":\"{dealer}\",\"player_house_way\":\"{player}\"}}"
        );
        Counts::add(&counts.tried);
        let Ok(mut stream) = connect(address, WAIT) else { continue };
        if stream.write_all(request(address, "POST", "/api/odds", "", &body).as_bytes()).is_err() {
            continue;
        }
        // Waits for the answer, as long as the attack goes on.
        while goes_on(stop) {
            match read(&mut stream) {
                Ok(answer) => {
                    counts.answered(answer.status);
                    break;
                }
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(_) => break,
            }
        }
        number += 66;
        // An answer at once is a refusal or was kept: the next question follows soon, but not in a busy loop.
        thread::sleep(Duration::from_millis(50));
    }
}

/// Sends one frame again and again, and opens another socket when the server closes one.
fn frames(address: SocketAddr, stop: &AtomicBool, counts: &Counts, frame: &[u8]) {
    const AT_ONCE: usize = 1_000;
    let many = frame.repeat(AT_ONCE);
    let tables = values(address, "/api/tables", "table");
    let Some(table) = tables.first() else { return };
    while goes_on(stop) {
        let Ok(mut stream) = socket(address, table, WAIT) else {
            Counts::add(&counts.refused);
            thread::sleep(Duration::from_millis(100));
            continue;
        };
        // Parts follow a beginning; before a ping this is the beginning of a message that never ends.
        let _ = stream.write_all(&super::wire::frame(0x01, b" "));
        let _ = stream.set_nonblocking(true);
        let mut at = 0;
        let mut some = [0; 4_096];
        while goes_on(stop) {
            match stream.read(&mut some) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(_) => break,
            }
            match stream.write(&many[at..]) {
                Ok(written) => {
                    let frames = (at + written) / frame.len() - at / frame.len();
                    counts.tried.fetch_add(frames as u64, Ordering::Relaxed);
                    counts.taken.fetch_add(frames as u64, Ordering::Relaxed);
                    at = (at + written) % many.len();
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
    while goes_on(stop) {
        Counts::add(&counts.tried);
        match ask(address, WAIT, ("POST", "/api/session", "", "{}")) {
            Ok(answer) => counts.answered(answer.status),
            Err(_) => thread::sleep(Duration::from_millis(10)),
        }
    }
}

fn tables(address: SocketAddr, stop: &AtomicBool, counts: &Counts) {
    let books = values(address, "/api/tables", "book");
    let Some(book) = books.first() else { return };
    let body = format!("{{\"book\":\"{book}\"}}");
    while goes_on(stop) {
        let guest = ask(address, WAIT, ("POST", "/api/session", "", "{}"));
        let Some(cookie) = guest.ok().and_then(|answer| answer.cookie()) else {
            thread::sleep(Duration::from_millis(50));
            continue;
        };
        for _ in 0..4 {
            Counts::add(&counts.tried);
            if let Ok(answer) = ask(address, WAIT, ("POST", "/api/tables", &cookie, &body)) {
                counts.answered(answer.status);
            }
        }
    }
}
