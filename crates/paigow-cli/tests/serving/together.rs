//! Two processes on one database: any of them serves any table.

use crate::database::Database;
use crate::guest::{Guest, get};
use crate::process::{Server, audit};
use crate::table::{Clocks, Party, house_way, open, ready, wager};
use serde_json::{Value, json};

const SLOW: Clocks = Clocks { wagers: 60_000, settings: 60_000 };

/// Two servers on one database, and the operators' secret, which one of them has printed.
pub(crate) fn two(database: &Database, more: &[&str]) -> (Server, Server, String) {
    let one = Server::start_with(&database.address, more);
    let other = Server::start_with(&database.address, more);
    let secret = one.secret.clone().unwrap();
    assert_eq!(other.secret, None, "a secret is made once");
    (one, other, secret)
}

#[test]
fn six_clients_at_two_processes_play_one_table_and_see_the_same() {
    let database = Database::new();
    let (one, other, secret) = two(&database, &[]);
    open(&one, &secret, "shared", SLOW);
    let mut party = Party::new(&[&one, &other], "shared", 6);
    party.sit();
    let mut after = 0;
    for _ in 0..3 {
        let begun = party.event(after, "wagers_opened");
        // Wagers one after the other, now here and now there.
        party.all(|place| wager(1_000 + 500 * place as u64));
        party.all(|_| ready());
        party.event(begun, "dealt");
        party.all(|_| house_way());
        after = party.event(begun, "settled");
    }
    let events = party.saw_the_same();
    // All of them sat down, wagered, were ready and set their hands in every round.
    assert!(events >= 3 * (6 * 3 + 4), "{events}");
    for (place, (guest, socket)) in party.guests.iter().zip(&party.sockets).enumerate() {
        let cards = |server: &Server| -> Value {
            let view = get(&server.address, "/api/tables/shared", &[("cookie", guest.cookie())]).1;
            view["view"]["seats"][place]["hand"]["cards"].clone()
        };
        assert!(cards(&one).is_string());
        assert_eq!(cards(&one), cards(&other));
        let dealt = socket.events.values().rfind(|event| event["event"] == "dealt").unwrap();
        let hands = dealt["hands"].as_object().unwrap();
        assert_eq!(hands.len(), 1, "everybody is dealt their own cards and sees no others: {hands:?}");
        assert_eq!(hands[&(place + 1).to_string()], cards(&one));
    }
    let balance = other.ask(&secret, &["balance"]);
    assert_eq!(balance["sums"], json!({ "PRACTICE": 0 }));
    let report = audit(&database.address);
    assert!(report["rounds"].as_u64() >= Some(3), "{report}");
}

#[test]
fn a_client_that_moves_to_the_other_process_in_the_middle_of_a_round_loses_nothing() {
    let database = Database::new();
    let (one, other, secret) = two(&database, &[]);
    open(&one, &secret, "moving", SLOW);
    let ann = Guest::new(&one.address, "Ann");
    // Somebody who stays, and so has everything to compare with.
    let bob = Guest::new(&other.address, "Bob");
    let (mut here, mut stays) = (ann.look(&one.address, "moving"), bob.look(&other.address, "moving"));
    here.done(&ann.next_id(), &json!({ "do": "sit", "seat": 1 }));
    stays.done(&bob.next_id(), &json!({ "do": "sit", "seat": 2 }));
    here.event(0, "wagers_opened");
    let first = ann.next_id();
    let done = here.done(&first, &wager(2_500));
    here.until("the wager", |socket| socket.seq >= done);
    let from = here.seq;
    drop(here);
    // While she is away, something happens.
    stays.done(&bob.next_id(), &wager(5_000));
    stays.done(&bob.next_id(), &ready());
    let mut there = ann.look_from(&other.address, "moving", Some(from));
    let seen = stays.seq;
    there.until("what she missed", |socket| socket.seq >= seen);
    assert!(there.snapshot.is_none(), "the process has what she missed: {:?}", there.snapshot);
    // Whoever did not hear the answer asks again, elsewhere, and it is done once.
    assert_eq!(there.done(&first, &wager(2_500)), done);
    there.done(&ann.next_id(), &ready());
    let dealt = there.event(from, "dealt");
    assert!(there.events[&dealt]["hands"]["1"].is_string(), "{}", there.events[&dealt]);
    let from = there.seq;
    drop(there);
    // And back, to a process where nobody looked meanwhile: it has no events at hand, and shows the table as it is.
    let mut back = ann.look_from(&one.address, "moving", Some(from));
    back.done(&ann.next_id(), &house_way());
    stays.done(&bob.next_id(), &house_way());
    back.event(from, "settled");
    let (cents, same) = (ann.cents(&one.address), ann.cents(&other.address));
    assert_eq!(cents, same);
    let report = audit(&database.address);
    assert_eq!(report["in_order"], true);
    let wagered = database.count(
        "SELECT count(*) FROM events WHERE table_id = 'moving' AND round = 1 AND json LIKE '%\"wagered\"%'",
    );
    assert_eq!(wagered, 2);
}
