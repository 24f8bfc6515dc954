//! A process that is suspended past its deadlines and then resumes.

use crate::database::Database;
use crate::guest::wait_until;
use crate::process::audit;
use crate::table::{Clocks, Party, open, wager};
use crate::two_processes::start_two;
use serde_json::json;
use std::time::Instant;

#[test]
fn resumed_process_catches_up_and_repeats_nothing() {
    let database = Database::new();
    let (suspended, other, olga) = start_two(&database, &[]);
    open(&suspended, &olga, "asleep", Clocks { wagers: 1_000, settings: 700 });
    let mut party = Party::new(&[&suspended, &other], "asleep", 4);
    party.sit();
    let mut after = party.wait_for_event(0, "wagers_opened");
    party.command_all(|index| wager(1_000 + 500 * index as u64));
    suspended.signal("-STOP");
    // The suspended process reads this command only after it resumes.
    let late = party.guests[0].next_id();
    party.sockets[0].send(&late, &json!({ "do": "sit_out" }));
    let mut rounds = 0;
    while rounds < 2 {
        after = party.sockets[1].wait_for_event(after, "wagers_opened");
        party.sockets[1].command(&party.guests[1].next_id(), &wager(2_000));
        rounds += 1;
    }
    suspended.signal("-CONT");
    party.sockets[0].wait_until("the response after the resume", |socket| socket.answers.contains_key(&late));
    assert_eq!(party.sockets[0].answers[&late]["type"], "done", "{:?}", party.sockets[0].answers[&late]);
    // All guests continue at the same sequence number, with all events in between.
    after = party.sockets[1].wait_for_event(after, "settled");
    for socket in &mut party.sockets {
        socket.wait_until("the next round", |socket| socket.seq >= after);
    }
    party.assert_same_events();
    assert_eq!(other.operator_json(&olga, &["balance"])["sums"], json!({ "PRACTICE": 0 }));
    assert_eq!(audit(&database.address)["in_order"], true);
}

/// A process that is suspended in a transaction holds locks on rows that other processes need.
#[test]
fn process_suspended_in_a_transaction_does_not_block_others_forever() {
    let database = Database::new();
    let (suspended, other, olga) = start_two(&database, &[]);
    open(&suspended, &olga, "locked", Clocks { wagers: 60_000, settings: 60_000 });
    let mut party = Party::new(&[&suspended, &other], "locked", 2);
    party.sit();
    party.wait_for_event(0, "wagers_opened");
    party.command_all(|_| wager(1_000));
    // The next write of the process waits for this lock. It gets the lock while it is suspended, and holds it.
    database.run("BEGIN; SELECT * FROM accounts WHERE owner = 'escrow:locked' FOR UPDATE");
    let late = party.guests[0].next_id();
    party.sockets[0].send(&late, &wager(2_000));
    let waits = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    wait_until("the process to wait for the lock", || database.count(waits) == 1);
    suspended.signal("-STOP");
    database.run("COMMIT");
    let idle = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'";
    wait_until("the process to hold the lock", || database.count(idle) == 1);
    let start = Instant::now();
    party.sockets[1].command(&party.guests[1].next_id(), &wager(3_000));
    eprintln!("a process suspended in a transaction blocked another for {:?}", start.elapsed());
    suspended.signal("-CONT");
    party.sockets[0].wait_until("the response after the resume", |socket| socket.answers.contains_key(&late));
    assert_eq!(party.sockets[0].answers[&late]["type"], "done", "the command was retried");
    party.assert_same_events();
    assert_eq!(audit(&database.address)["in_order"], true);
}
