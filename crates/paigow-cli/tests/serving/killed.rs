//! One of two processes killed in the middle of a round: what was acknowledged is there, nothing is done twice, and the round goes on.

use crate::database::Database;
use crate::guest::{Guest, Socket};
use crate::process::{Server, audit};
use crate::table::{Clocks, Party, house_way, open, ready, wager};
use crate::together::two;
use serde_json::{Value, json};
use std::time::Instant;

const CLOCKS: Clocks = Clocks { wagers: 4_000, settings: 4_000 };
const TABLE: &str = "killed";

/// A client whose server may be killed: what it has given, and what it was told of that.
struct Client {
    guest: Guest,
    socket: Socket,
    given: Vec<(String, Value)>,
}

impl Client {
    /// Gives a command and does not wait for what comes of it.
    fn tell(&mut self, command: Value) {
        let id = self.guest.next_id();
        self.socket.tell(&id, &command);
        self.given.push((id, command));
    }

    /// Goes to another server and gives everything again under the same names. What was answered before is answered so again.
    fn moves_to(&mut self, server: &Server) {
        self.socket.until_gone();
        let mut socket = self.guest.look_from(&server.address, TABLE, Some(self.socket.seq));
        for (id, command) in &self.given {
            let again = socket.ask(id, command);
            let before = self.socket.answers.get(id).unwrap_or(&again);
            assert_eq!(again, *before, "{command}");
        }
        self.socket = socket;
    }

    /// Everything it has given was done.
    fn has_all_done(&mut self) {
        for (id, command) in &self.given {
            self.socket.until("an answer", |socket| socket.answers.contains_key(id));
            assert_eq!(self.socket.answers[id]["type"], "done", "{command}");
        }
    }
}

/// Two servers and six clients who have sat down, three at each.
fn seated(database: &Database) -> (Server, Server, String, Vec<Client>, u64) {
    let (one, other, secret) = two(database, &[]);
    open(&one, &secret, TABLE, CLOCKS);
    let mut party = Party::new(&[&one, &other], TABLE, 6);
    party.sit();
    let begun = party.event(0, "wagers_opened");
    let clients = party.guests.into_iter().zip(party.sockets);
    let clients = clients.map(|(guest, socket)| Client { guest, socket, given: Vec::new() }).collect();
    (one, other, secret, clients, begun)
}

/// Waits for the round to be settled, and checks all there is.
fn ends_well(database: &Database, other: &Server, secret: &str, clients: &mut [&mut Client], begun: u64) {
    for client in clients.iter_mut() {
        client.has_all_done();
    }
    let settled: Vec<u64> = clients.iter_mut().map(|client| client.socket.event(begun, "settled")).collect();
    assert!(settled.iter().all(|seq| *seq == settled[0]), "a round is settled once: {settled:?}");
    let of = |kind: &str| {
        let of_round = "SELECT count(*) FROM events WHERE table_id = 'killed' AND round = 1 AND json LIKE";
        database.count(&format!("{of_round} '{{\"event\":\"{kind}\"%'"))
    };
    assert_eq!((of("wagered"), of("dealt"), of("hand_set"), of("settled")), (6, 1, 6, 1));
    assert_eq!(other.ask(secret, &["balance"])["sums"], json!({ "PRACTICE": 0 }));
    assert_eq!(audit(&database.address)["in_order"], true);
}

#[test]
fn one_of_two_killed_while_wagers_are_open_leaves_the_round_to_the_other() {
    let database = Database::new();
    let (one, other, secret, mut clients, begun) = seated(&database);
    for (place, client) in clients.iter_mut().enumerate() {
        client.tell(wager(1_000 + 500 * place as u64));
    }
    // Some have their answer by now, some have not.
    clients[0].has_all_done();
    one.kill();
    for client in clients.iter_mut().step_by(2) {
        client.moves_to(&other);
    }
    // Nobody is ready, and nobody sets a hand: the clock of the other process does the rest.
    let killed = Instant::now();
    clients[1].socket.event(begun, "settled");
    eprintln!("killed in wagers: settled {:?} later by clocks of 4 s and 4 s", killed.elapsed());
    ends_well(&database, &other, &secret, &mut clients.iter_mut().collect::<Vec<_>>(), begun);
}

#[test]
fn one_of_two_killed_while_hands_are_set_leaves_the_round_to_the_other() {
    let database = Database::new();
    let (one, other, secret, mut clients, begun) = seated(&database);
    for (place, client) in clients.iter_mut().enumerate() {
        client.tell(wager(1_000 + 500 * place as u64));
        client.tell(ready());
    }
    for client in &mut clients {
        client.socket.event(begun, "dealt");
        client.tell(house_way());
    }
    one.kill();
    // One of them never comes back: the clock sets its hand, unless that was done before.
    let mut left: Vec<&mut Client> = clients.iter_mut().take(5).collect();
    for client in left.iter_mut().step_by(2).take(2) {
        client.moves_to(&other);
    }
    let mut stayed: Vec<&mut Client> =
        left.into_iter().enumerate().filter(|(place, _)| *place != 4).map(|(_, client)| client).collect();
    ends_well(&database, &other, &secret, &mut stayed, begun);
}
