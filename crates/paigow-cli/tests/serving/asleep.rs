//! A process that is stopped past its deadlines and wakes again does no harm.

use crate::database::Database;
use crate::guest::until;
use crate::process::audit;
use crate::table::{Clocks, Party, open, wager};
use crate::together::two;
use serde_json::json;
use std::time::Instant;

#[test]
fn a_process_that_slept_past_deadlines_catches_up_and_does_nothing_twice() {
    let database = Database::new();
    let (sleeper, other, secret) = two(&database, &[]);
    open(&sleeper, &secret, "asleep", Clocks { wagers: 1_000, settings: 700 });
    let mut party = Party::new(&[&sleeper, &other], "asleep", 4);
    party.sit();
    let mut after = party.event(0, "wagers_opened");
    party.all(|place| wager(1_000 + 500 * place as u64));
    sleeper.signal("-STOP");
    // Those at the sleeper say something that nobody hears until it wakes.
    let late = party.guests[0].next_id();
    party.sockets[0].tell(&late, &json!({ "do": "sit_out" }));
    let mut rounds = 0;
    while rounds < 2 {
        after = party.sockets[1].event(after, "wagers_opened");
        party.sockets[1].done(&party.guests[1].next_id(), &wager(2_000));
        rounds += 1;
    }
    sleeper.signal("-CONT");
    party.sockets[0].until("an answer after sleep", |socket| socket.answers.contains_key(&late));
    assert_eq!(party.sockets[0].answers[&late]["type"], "done", "{:?}", party.sockets[0].answers[&late]);
    // Everybody goes on from the same place, the events of the night included.
    after = party.sockets[1].event(after, "settled");
    for socket in &mut party.sockets {
        socket.until("the next round", |socket| socket.seq >= after);
    }
    party.saw_the_same();
    assert_eq!(other.ask(&secret, &["balance"])["sums"], json!({ "PRACTICE": 0 }));
    assert_eq!(audit(&database.address)["in_order"], true);
}

/// Stopped in the middle of a transaction it has rows locked that others need.
#[test]
fn a_process_that_sleeps_in_a_transaction_does_not_keep_others_from_the_money() {
    let database = Database::new();
    let (sleeper, other, secret) = two(&database, &[]);
    open(&sleeper, &secret, "locked", Clocks { wagers: 60_000, settings: 60_000 });
    let mut party = Party::new(&[&sleeper, &other], "locked", 2);
    party.sit();
    party.event(0, "wagers_opened");
    party.all(|_| wager(1_000));
    // What the sleeper writes next waits for us, and then, asleep, it has what it waited for and does nothing with it.
    database.run("BEGIN; SELECT * FROM accounts WHERE owner = 'escrow:locked' FOR UPDATE");
    let late = party.guests[0].next_id();
    party.sockets[0].tell(&late, &wager(2_000));
    let waits = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    until("the sleeper to wait", || database.count(waits) == 1);
    sleeper.signal("-STOP");
    database.run("COMMIT");
    let idle = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'";
    until("the sleeper to have the rows", || database.count(idle) == 1);
    let start = Instant::now();
    party.sockets[1].done(&party.guests[1].next_id(), &wager(3_000));
    eprintln!("a process that slept in a transaction was in the way for {:?}", start.elapsed());
    sleeper.signal("-CONT");
    party.sockets[0].until("an answer after sleep", |socket| socket.answers.contains_key(&late));
    assert_eq!(party.sockets[0].answers[&late]["type"], "done", "it was decided again");
    party.saw_the_same();
    assert_eq!(audit(&database.address)["in_order"], true);
}
