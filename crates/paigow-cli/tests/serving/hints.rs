//! How soon a process shows what another has decided: at once by hints, and without them when it looks.

use crate::database::Database;
use crate::guest::{Guest, Socket};
use crate::process::Server;
use crate::table::{Clocks, open, wager};
use crate::together::two;
use serde_json::json;
use std::time::{Duration, Instant};

const SLOW: Clocks = Clocks { wagers: 120_000, settings: 120_000 };

/// How often a process looks without being told.
const POLL: Duration = Duration::from_secs(2);

/// After so long a silence nobody waits for more to be told together: what is measured is how one process learns of another.
const SILENCE: Duration = Duration::from_millis(600);

/// How long after a command was done on one process somebody at the other hears of it, each time.
fn delays(times: u64, mut here: Socket, ann: &Guest, there: &mut Socket) -> Vec<Duration> {
    let mut delays = Vec::new();
    for time in 0..times {
        std::thread::sleep(SILENCE);
        let done = here.done(&ann.next_id(), &wager(1_000 + 100 * time));
        let start = Instant::now();
        there.until("what the other process has done", |socket| socket.seq >= done);
        delays.push(start.elapsed());
    }
    delays.sort();
    delays
}

fn seated(one: &Server, table: &str) -> (Guest, Socket) {
    let ann = Guest::new(&one.address, "Ann");
    let mut socket = ann.look(&one.address, table);
    socket.done(&ann.next_id(), &json!({ "do": "sit", "seat": 1 }));
    socket.event(0, "wagers_opened");
    (ann, socket)
}

#[test]
fn what_one_process_decides_is_seen_at_the_other_at_once() {
    let database = Database::new();
    let (one, other, secret) = two(&database, &[]);
    open(&one, &secret, "told", SLOW);
    let (ann, here) = seated(&one, "told");
    let mut there = Socket::watch(&other.address, "told");
    let delays = delays(15, here, &ann, &mut there);
    let (median, most) = (delays[delays.len() / 2], delays[delays.len() - 1]);
    eprintln!("seen at the other process after {median:?}, at most {most:?}");
    assert!(median < POLL / 8, "{delays:?}");
    assert!(most < POLL, "{delays:?}");
}

#[test]
fn without_hints_a_process_finds_by_looking_what_another_has_decided() {
    let database = Database::new();
    let (one, other, secret) = two(&database, &[]);
    open(&one, &secret, "untold", SLOW);
    let (ann, here) = seated(&one, "untold");
    let mut there = Socket::watch(&other.address, "untold");
    // Whoever listens again is cut off again.
    let delays = std::thread::scope(|scope| {
        let (stop, stopped) = std::sync::mpsc::channel::<()>();
        let database = &database;
        scope.spawn(move || {
            let mut cut = 0;
            while stopped
                .recv_timeout(Duration::from_millis(5))
                .is_err_and(|why| why == std::sync::mpsc::RecvTimeoutError::Timeout)
            {
                cut += database.cut_hints();
            }
            assert!(cut >= 4, "both listened again and again: {cut}");
        });
        let delays = delays(4, here, &ann, &mut there);
        drop(stop);
        delays
    });
    eprintln!("without hints after {delays:?}");
    let most = delays[delays.len() - 1];
    assert!(most > POLL / 8, "nobody was told: {delays:?}");
    // It looks every two seconds; the rest is a busy machine.
    assert!(most < 3 * POLL, "{delays:?}");
}
