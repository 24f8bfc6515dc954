//! Two processes on one database: each serves all tables.

use crate::database::Database;
use crate::enrolled::Enrolled;
use crate::guest::{Guest, get};
use crate::process::{Server, audit};
use crate::table::{Clocks, Party, house_way, open, ready, wager};
use serde_json::{Value, json};

const SLOW: Clocks = Clocks { wagers: 60_000, settings: 60_000 };

/// Starts two servers on one database. Returns them with an admin, who enrols at the first.
pub(crate) fn start_two(database: &Database, more: &[&str]) -> (Server, Server, Enrolled) {
    let one = Server::start_with(&database.address, more);
    let olga = one.admin();
    let other = Server::start_with(&database.address, more);
    assert_eq!(other.secret_file, None, "the secret has enrolled an admin");
    (one, other, olga)
}

#[test]
fn six_clients_at_two_processes_receive_the_same_events() {
    let database = Database::new();
    let (one, other, olga) = start_two(&database, &[]);
    open(&one, &olga, "shared", SLOW);
    let mut party = Party::new(&[&one, &other], "shared", 6);
    party.sit();
    let mut after = 0;
    for _ in 0..3 {
        let begun = party.wait_for_event(after, "wagers_opened");
        // The wagers alternate between the processes.
        party.command_all(|index| wager(1_000 + 500 * index as u64));
        party.command_all(|_| ready());
        party.wait_for_event(begun, "dealt");
        party.command_all(|_| house_way());
        after = party.wait_for_event(begun, "settled");
    }
    let events = party.assert_same_events();
    // In every round all clients wagered, were ready and set their hands.
    assert!(events >= 3 * (6 * 3 + 4), "{events}");
    for (index, (guest, socket)) in party.guests.iter().zip(&party.sockets).enumerate() {
        let cards = |server: &Server| -> Value {
            let view = get(&server.address, "/api/tables/shared", &[("cookie", guest.cookie())]).1;
            view["view"]["seats"][index]["hand"]["cards"].clone()
        };
        assert!(cards(&one).is_string());
        assert_eq!(cards(&one), cards(&other));
        let dealt = socket.events.values().rfind(|event| event["event"] == "dealt").unwrap();
        let hands = dealt["hands"].as_object().unwrap();
        assert_eq!(hands.len(), 1, "a guest received cards of others: {hands:?}");
        assert_eq!(hands[&(index + 1).to_string()], cards(&one));
    }
    let balance = other.operator_json(&olga, &["balance"]);
    assert_eq!(balance["sums"], json!({ "PRACTICE": 0 }));
    let report = audit(&database.address);
    assert!(report["rounds"].as_u64() >= Some(3), "{report}");
}

#[test]
fn client_that_moves_to_the_other_process_loses_no_events() {
    let database = Database::new();
    let (one, other, olga) = start_two(&database, &[]);
    open(&one, &olga, "moving", SLOW);
    let ann = Guest::new(&one.address, "Ann");
    // Bob stays connected and receives all events.
    let bob = Guest::new(&other.address, "Bob");
    let (mut here, mut stays) = (ann.connect(&one.address, "moving"), bob.connect(&other.address, "moving"));
    here.command(&ann.next_id(), &json!({ "do": "sit", "seat": 1 }));
    stays.command(&bob.next_id(), &json!({ "do": "sit", "seat": 2 }));
    here.wait_for_event(0, "wagers_opened");
    let first = ann.next_id();
    let done = here.command(&first, &wager(2_500));
    here.wait_until("the wager", |socket| socket.seq >= done);
    let from = here.seq;
    drop(here);
    // Events happen while Ann is disconnected.
    stays.command(&bob.next_id(), &wager(5_000));
    stays.command(&bob.next_id(), &ready());
    let mut there = ann.connect_from(&other.address, "moving", Some(from));
    let seen = stays.seq;
    there.wait_until("the missed events", |socket| socket.seq >= seen);
    assert!(there.snapshot.is_none(), "the process sent a snapshot: {:?}", there.snapshot);
    // A command repeated at the other process has its first response.
    assert_eq!(there.command(&first, &wager(2_500)), done);
    there.command(&ann.next_id(), &ready());
    let dealt = there.wait_for_event(from, "dealt");
    assert!(there.events[&dealt]["hands"]["1"].is_string(), "{}", there.events[&dealt]);
    let from = there.seq;
    drop(there);
    // The first process had no viewer in the meantime and has no events in memory, so it sends a snapshot.
    let mut back = ann.connect_from(&one.address, "moving", Some(from));
    back.command(&ann.next_id(), &house_way());
    stays.command(&bob.next_id(), &house_way());
    back.wait_for_event(from, "settled");
    let (cents, same) = (ann.cents(&one.address), ann.cents(&other.address));
    assert_eq!(cents, same);
    let report = audit(&database.address);
    assert_eq!(report["in_order"], true);
    let wagered = database.count(
        "SELECT count(*) FROM events WHERE table_id = 'moving' AND round = 1 AND json LIKE '%\"wagered\"%'",
    );
    assert_eq!(wagered, 2);
}
