//! Latency of events between processes: at once with hints, and by polling without them.

use crate::database::Database;
use crate::guest::{Guest, Socket};
use crate::process::Server;
use crate::table::{Clocks, open, wager};
use crate::two_processes::start_two;
use serde_json::json;
use std::time::{Duration, Instant};

const SLOW: Clocks = Clocks { wagers: 120_000, settings: 120_000 };

/// Interval at which a process polls the store.
const POLL: Duration = Duration::from_secs(2);

/// Pause before each command. After it, no event is delayed to be batched with others, so only the latency between
/// processes is measured.
const PAUSE: Duration = Duration::from_millis(600);

/// Measures the time from the response on one process to the event on the other. Returns the sorted times.
fn delays(times: u64, mut here: Socket, ann: &Guest, there: &mut Socket) -> Vec<Duration> {
    let mut delays = Vec::new();
    for time in 0..times {
        std::thread::sleep(PAUSE);
        let done = here.command(&ann.next_id(), &wager(1_000 + 100 * time));
        let start = Instant::now();
        there.wait_until("the event of the other process", |socket| socket.seq >= done);
        delays.push(start.elapsed());
    }
    delays.sort();
    delays
}

fn seated(one: &Server, table: &str) -> (Guest, Socket) {
    let ann = Guest::new(&one.address, "Ann");
    let mut socket = ann.connect(&one.address, table);
    socket.command(&ann.next_id(), &json!({ "do": "sit", "seat": 1 }));
    socket.wait_for_event(0, "wagers_opened");
    (ann, socket)
}

#[test]
fn hints_deliver_events_of_another_process_at_once() {
    let database = Database::new();
    let (one, other, olga) = start_two(&database, &[]);
    open(&one, &olga, "told", SLOW);
    let (ann, here) = seated(&one, "told");
    let mut there = Socket::watch(&other.address, "told");
    let delays = delays(15, here, &ann, &mut there);
    let (median, max) = (delays[delays.len() / 2], delays[delays.len() - 1]);
    eprintln!("delivered to the other process after {median:?}, at most {max:?}");
    assert!(median < POLL / 8, "{delays:?}");
    assert!(max < POLL, "{delays:?}");
}

#[test]
fn polling_delivers_events_of_another_process_without_hints() {
    let database = Database::new();
    let (one, other, olga) = start_two(&database, &[]);
    open(&one, &olga, "untold", SLOW);
    let (ann, here) = seated(&one, "untold");
    let mut there = Socket::watch(&other.address, "untold");
    // Terminates every new connection that listens for hints.
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
            assert!(cut >= 4, "both processes must reconnect: {cut}");
        });
        let delays = delays(4, here, &ann, &mut there);
        drop(stop);
        delays
    });
    eprintln!("without hints after {delays:?}");
    let max = delays[delays.len() - 1];
    assert!(max > POLL / 8, "a hint was delivered: {delays:?}");
    // The margin above the poll interval allows for a busy machine.
    assert!(max < 3 * POLL, "{delays:?}");
}
