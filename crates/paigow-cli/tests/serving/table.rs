//! Tables with short clocks for tests, and groups of guests that play at them.

use crate::enrolled::Enrolled;
use crate::guest::{Guest, Socket, post};
use crate::process::Server;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Duration of the phases of a round, in milliseconds.
#[derive(Clone, Copy)]
pub(crate) struct Clocks {
    pub(crate) wagers: u64,
    pub(crate) settings: u64,
}

/// Opens a table.
pub(crate) fn open(server: &Server, operator: &Enrolled, table: &str, Clocks { wagers, settings }: Clocks) {
    let clocks = json!({ "bank": 1_000, "wagers": wagers, "settings": settings, "between": 300 });
    let new =
        json!({ "id": format!("open-{table}"), "table": table, "rules": { "book": "ez", "clocks": clocks } });
    let cookie = operator.cookie();
    let (status, answer) = post(&server.address, "/api/operator/tables", &[("cookie", &cookie)], &new);
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

/// Removes the fields of an event that differ between viewers.
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

/// Guests with their sockets, distributed over the servers in turn.
pub(crate) struct Party {
    pub(crate) guests: Vec<Guest>,
    pub(crate) sockets: Vec<Socket>,
}

impl Party {
    /// Creates guests and connects them to a table. None of them has a seat yet.
    pub(crate) fn new(servers: &[&Server], table: &str, count: usize) -> Party {
        let address = |index: usize| servers[index % servers.len()].address.as_str();
        let guests: Vec<Guest> =
            (0..count).map(|index| Guest::new(address(index), &format!("Guest {index}"))).collect();
        let sockets =
            guests.iter().enumerate().map(|(index, guest)| guest.connect(address(index), table)).collect();
        Party { guests, sockets }
    }

    /// Seats all guests, each over its own socket.
    pub(crate) fn sit(&mut self) {
        for ((seat, guest), socket) in (1..).zip(&self.guests).zip(&mut self.sockets) {
            socket.command(&guest.next_id(), &json!({ "do": "sit", "seat": seat }));
        }
    }

    /// Sends a command for every guest, one after the other, and asserts that each succeeds.
    pub(crate) fn command_all(&mut self, command: impl Fn(usize) -> Value) {
        for (index, (guest, socket)) in self.guests.iter().zip(&mut self.sockets).enumerate() {
            socket.command(&guest.next_id(), &command(index));
        }
    }

    /// Waits until all guests received the first event of a kind after a sequence number, and returns its own.
    pub(crate) fn wait_for_event(&mut self, after: u64, kind: &str) -> u64 {
        let seen: Vec<u64> =
            self.sockets.iter_mut().map(|socket| socket.wait_for_event(after, kind)).collect();
        assert!(seen.iter().all(|seq| *seq == seen[0]), "{kind} has several sequence numbers: {seen:?}");
        seen[0]
    }

    /// Asserts that all guests received the same events, except for private fields.
    ///
    /// Returns the smallest number of events that a guest received.
    pub(crate) fn assert_same_events(&mut self) -> usize {
        let last = self.sockets.iter().map(|socket| socket.seq).max().unwrap();
        for socket in &mut self.sockets {
            socket.wait_until("the events of the other guests", |socket| socket.seq >= last);
        }
        let mut seen: BTreeMap<u64, Value> = BTreeMap::new();
        for (index, socket) in self.sockets.iter().enumerate() {
            assert_eq!(socket.seq, last, "guest {index} is at another sequence number");
            for (seq, event) in &socket.events {
                let event = public(event);
                let same = seen.entry(*seq).or_insert(event.clone());
                assert_eq!(event, *same, "guest {index} received another event {seq}");
            }
        }
        self.sockets.iter().map(|socket| socket.events.len()).min().unwrap_or(0)
    }
}
