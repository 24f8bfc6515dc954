//! One of two processes is killed during a round: no acknowledged command is lost or repeated, and the round continues.

use crate::database::Database;
use crate::enrolled::Enrolled;
use crate::guest::{Guest, Socket};
use crate::process::{Server, audit};
use crate::table::{Clocks, Party, house_way, open, ready, wager};
use crate::two_processes::start_two;
use serde_json::{Value, json};
use std::time::Instant;

const CLOCKS: Clocks = Clocks { wagers: 4_000, settings: 4_000 };
const TABLE: &str = "killed";

/// A client whose server may be killed, with all commands it has sent.
struct Client {
    guest: Guest,
    socket: Socket,
    sent: Vec<(String, Value)>,
}

impl Client {
    /// Sends a command without waiting for the response.
    fn send(&mut self, command: Value) {
        let id = self.guest.next_id();
        self.socket.send(&id, &command);
        self.sent.push((id, command));
    }

    /// Connects to another server and repeats all commands with the same ids. Each must have the same response as
    /// before.
    fn move_to(&mut self, server: &Server) {
        self.socket.wait_until_closed();
        let mut socket = self.guest.connect_from(&server.address, TABLE, Some(self.socket.seq));
        for (id, command) in &self.sent {
            let again = socket.request(id, command);
            let before = self.socket.answers.get(id).unwrap_or(&again);
            assert_eq!(again, *before, "{command}");
        }
        self.socket = socket;
    }

    /// Waits for all responses and asserts that all commands succeeded.
    fn assert_all_done(&mut self) {
        for (id, command) in &self.sent {
            self.socket.wait_until("a response", |socket| socket.answers.contains_key(id));
            assert_eq!(self.socket.answers[id]["type"], "done", "{command}");
        }
    }
}

/// Starts two servers and seats six clients, three at each server.
fn seated(database: &Database) -> (Server, Server, Enrolled, Vec<Client>, u64) {
    let (one, other, olga) = start_two(database, &[]);
    open(&one, &olga, TABLE, CLOCKS);
    let mut party = Party::new(&[&one, &other], TABLE, 6);
    party.sit();
    let begun = party.wait_for_event(0, "wagers_opened");
    let clients = party.guests.into_iter().zip(party.sockets);
    let clients = clients.map(|(guest, socket)| Client { guest, socket, sent: Vec::new() }).collect();
    (one, other, olga, clients, begun)
}

/// Waits for the settlement, and checks events, balance and audit.
fn assert_round_ends(
    database: &Database,
    other: &Server,
    olga: &Enrolled,
    clients: &mut [&mut Client],
    begun: u64,
) {
    for client in clients.iter_mut() {
        client.assert_all_done();
    }
    let settled: Vec<u64> =
        clients.iter_mut().map(|client| client.socket.wait_for_event(begun, "settled")).collect();
    assert!(
        settled.iter().all(|seq| *seq == settled[0]),
        "the round was settled more than once: {settled:?}"
    );
    let count = |kind: &str| {
        let query = "SELECT count(*) FROM events WHERE table_id = 'killed' AND round = 1 AND json LIKE";
        database.count(&format!("{query} '{{\"event\":\"{kind}\"%'"))
    };
    assert_eq!((count("wagered"), count("dealt"), count("hand_set"), count("settled")), (6, 1, 6, 1));
    assert_eq!(other.operator_json(olga, &["balance"])["sums"], json!({ "PRACTICE": 0 }));
    assert_eq!(audit(&database.address)["in_order"], true);
}

#[test]
fn process_killed_while_wagers_are_open_leaves_the_round_to_the_other() {
    let database = Database::new();
    let (one, other, olga, mut clients, begun) = seated(&database);
    for (index, client) in clients.iter_mut().enumerate() {
        client.send(wager(1_000 + 500 * index as u64));
    }
    // By now some clients have a response and some do not.
    clients[0].assert_all_done();
    one.kill();
    for client in clients.iter_mut().step_by(2) {
        client.move_to(&other);
    }
    // No client is ready or sets a hand, so the deadlines of the other process end the round.
    let killed = Instant::now();
    clients[1].socket.wait_for_event(begun, "settled");
    eprintln!("killed during wagers: settled {:?} later, with clocks of 4 s and 4 s", killed.elapsed());
    assert_round_ends(&database, &other, &olga, &mut clients.iter_mut().collect::<Vec<_>>(), begun);
}

#[test]
fn process_killed_while_hands_are_set_leaves_the_round_to_the_other() {
    let database = Database::new();
    let (one, other, olga, mut clients, begun) = seated(&database);
    for (index, client) in clients.iter_mut().enumerate() {
        client.send(wager(1_000 + 500 * index as u64));
        client.send(ready());
    }
    for client in &mut clients {
        client.socket.wait_for_event(begun, "dealt");
        client.send(house_way());
    }
    one.kill();
    // One client never reconnects. Its deadline sets its hand, unless the hand was set before.
    let mut left: Vec<&mut Client> = clients.iter_mut().take(5).collect();
    for client in left.iter_mut().step_by(2).take(2) {
        client.move_to(&other);
    }
    let mut stayed: Vec<&mut Client> =
        left.into_iter().enumerate().filter(|(index, _)| *index != 4).map(|(_, client)| client).collect();
    assert_round_ends(&database, &other, &olga, &mut stayed, begun);
}
