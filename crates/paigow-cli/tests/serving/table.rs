//! A table of the house, with clocks short enough for a test.

use crate::guest::{Guest, Socket, post};
use crate::process::Server;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How long each part of a round takes, in milliseconds.
#[derive(Clone, Copy)]
pub(crate) struct Clocks {
    pub(crate) wagers: u64,
    pub(crate) settings: u64,
}

/// Opens a table.
pub(crate) fn open(server: &Server, secret: &str, table: &str, Clocks { wagers, settings }: Clocks) {
    let clocks = json!({ "bank": 1_000, "wagers": wagers, "settings": settings, "between": 300 });
    let new =
        json!({ "id": format!("open-{table}"), "table": table, "rules": { "book": "ez", "clocks": clocks } });
    let bearer = format!("Bearer {secret}");
    let headers = [("authorization", bearer.as_str()), ("paigow-operator", "olga")];
    let (status, answer) = post(&server.address, "/api/operator/tables", &headers, &new);
    assert_eq!(status, 201, "{answer}");
}

pub(crate) fn wager(cents: u64) -> Value {
    json!({ "do": "wager", "wager": "pai-gow", "cents": cents })
}

pub(crate) fn ready() -> Value {
    json!({ "do": "ready" })
}

pub(crate) fn house_way() -> Value {
    json!({ "do": "house_way" })
}

/// An event without what only some may see of it.
pub(crate) fn public(event: &Value) -> Value {
    let mut event = event.clone();
    if let Some(fields) = event.as_object_mut()
        && matches!(fields["event"].as_str(), Some("dealt" | "hand_set"))
    {
        for private in ["hands", "low", "high", "foul"] {
            fields.remove(private);
        }
    }
    event
}

/// Guests with their sockets, each at one of some servers in turn.
pub(crate) struct Party {
    pub(crate) guests: Vec<Guest>,
    pub(crate) sockets: Vec<Socket>,
}

impl Party {
    /// So many guests come in and look; nobody has sat down.
    pub(crate) fn new(servers: &[&Server], table: &str, count: usize) -> Party {
        let at = |place: usize| servers[place % servers.len()].address.as_str();
        let guests: Vec<Guest> =
            (0..count).map(|place| Guest::new(at(place), &format!("Guest {place}"))).collect();
        let sockets = guests.iter().enumerate().map(|(place, guest)| guest.look(at(place), table)).collect();
        Party { guests, sockets }
    }

    /// Everybody sits down, each by their own socket.
    pub(crate) fn sit(&mut self) {
        for ((seat, guest), socket) in (1..).zip(&self.guests).zip(&mut self.sockets) {
            socket.done(&guest.next_id(), &json!({ "do": "sit", "seat": seat }));
        }
    }

    /// Everybody gives a command and waits until it is done.
    pub(crate) fn all(&mut self, command: impl Fn(usize) -> Value) {
        for (place, (guest, socket)) in self.guests.iter().zip(&mut self.sockets).enumerate() {
            socket.done(&guest.next_id(), &command(place));
        }
    }

    /// Everybody hears of an event after a place; its own.
    pub(crate) fn event(&mut self, after: u64, kind: &str) -> u64 {
        let seen: Vec<u64> = self.sockets.iter_mut().map(|socket| socket.event(after, kind)).collect();
        assert!(seen.iter().all(|seq| *seq == seen[0]), "{kind} has one place: {seen:?}");
        seen[0]
    }

    /// All have seen the same, but for what is somebody's own; how many events each of them at least.
    pub(crate) fn saw_the_same(&mut self) -> usize {
        let last = self.sockets.iter().map(|socket| socket.seq).max().unwrap();
        for socket in &mut self.sockets {
            socket.until("what others have seen", |socket| socket.seq >= last);
        }
        let mut seen: BTreeMap<u64, Value> = BTreeMap::new();
        for (place, socket) in self.sockets.iter().enumerate() {
            assert_eq!(socket.seq, last, "guest {place} knows as much as the others");
            for (seq, event) in &socket.events {
                let event = public(event);
                let same = seen.entry(*seq).or_insert(event.clone());
                assert_eq!(event, *same, "guest {place} has seen something else at {seq}");
            }
        }
        self.sockets.iter().map(|socket| socket.events.len()).min().unwrap_or(0)
    }
}
