//! Real faults: processes killed at any moment under load, a database stopped like a power cut, two processes at the same tables, a process
//! that sleeps past its deadlines, a disk that is full. What was acknowledged is there, once, and an audit finds nothing off.
//!
//! The processes are this test binary started again, with a store to play on in its environment. They print a line for every command
//! that was acknowledged, before they give another one; what the parent has read of that when they die is what must be
//! found again. `cargo xtask crash --kills N` kills more often.

use crate::kit::cluster::Cluster;
use crate::kit::{chips, name, operator, purse};
use paigow::rulebook::BuiltIn;
use paigow_server::{AnyStore, Host, HostError, RulesCache, Store, SystemEnvironment, audit};
use paigow_table::{Actor, Clocks, Command, CommandId, Config, SeatBytes, Stake, Table, TableId, TablePhase};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command as Process, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// The store a started process plays on, and the first part of its commands' names.
const STORE: &str = "PAIGOW_CRASH_STORE";
const NAMES: &str = "PAIGOW_CRASH_NAMES";
/// How often processes are killed on each store.
const KILLS: &str = "PAIGOW_KILLS";

/// How long a process may take until it has something acknowledged.
const HEARD_OF: Duration = Duration::from_mins(1);

const TABLES: usize = 4;
const SEATS: u8 = 3;

fn table(number: usize) -> TableId {
    name(&format!("t{number}"))
}

fn player(table: usize, seat: u8) -> Actor {
    Actor::Player(name(&format!("p{table}-{seat}")))
}

fn config(number: usize) -> Config {
    let books: Vec<&str> = BuiltIn::book_names().collect();
    Config {
        table: table(number),
        book: books[number % books.len()].to_owned(),
        paytables: BTreeMap::new(),
        changes: BTreeMap::new(),
        currency: chips(),
        clocks: Clocks { bank: 5, wagers: 20, settings: 20, between: 5 },
        dealer_wager_cents: 0,
        bots: 0,
    }
}

// The process that is killed.

/// Plays for as long as it lives, if it was started to; among the tests it does nothing.
#[test]
fn a_process_that_plays() {
    let Ok(store) = std::env::var(STORE) else { return };
    let names = std::env::var(NAMES).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let store = AnyStore::open(&store).await.unwrap();
        let host = Host::new(store, SystemEnvironment, RulesCache::new(BuiltIn), crate::kit::keys());
        let host: &'static Host<_, _> = Box::leak(Box::new(host));
        set_up(host).await;
        let tables = (0..TABLES).map(|number| tokio::spawn(play(host, number, names.clone())));
        for table in tables.collect::<Vec<_>>() {
            table.await.unwrap();
        }
    });
}

/// The same names in every process: whoever comes first does it, the others are told that it is done.
async fn set_up(host: &Host<AnyStore, SystemEnvironment>) {
    for number in 0..TABLES {
        let opened = host.open(&operator(), &name(&format!("open-{number}")), config(number)).await;
        assert!(matches!(opened, Ok(_) | Err(HostError::TableExists(_))), "{opened:?}");
        for seat in 1..=SEATS {
            let Actor::Player(who) = player(number, seat) else { unreachable!() };
            let id = name(&format!("issue-{number}-{seat}"));
            host.issue(&operator(), &id, purse(who.as_str()), 100_000_000).await.unwrap();
        }
    }
}

async fn play(host: &'static Host<AnyStore, SystemEnvironment>, number: usize, names: String) {
    let id = table(number);
    let mut given = 0u64;
    loop {
        let commands: Vec<(Actor, Command)> = match host.table(&id).await {
            Ok((table, _)) => next_commands(number, &table),
            Err(error) => return fail(&error),
        };
        for (by, command) in commands {
            given += 1;
            let command_id: CommandId = name(&format!("{names}-{number}-{given}"));
            match host.command(&id, &by, &command_id, &command).await {
                Ok(done) => acknowledge(&by, &command_id, done.seq),
                Err(HostError::Refused { .. }) => {}
                Err(error) => return fail(&error),
            }
        }
        if let Err(error) = host.tick(&id).await {
            return fail(&error);
        }
        tokio::task::yield_now().await;
    }
}

/// A store that is gone ends the process: there is nothing to acknowledge any more.
fn fail(error: &HostError) {
    eprintln!("{error}");
    std::process::exit(3);
}

/// What the players do next. Each commits to bytes and reveals them.
fn next_commands(number: usize, table: &Table) -> Vec<(Actor, Command)> {
    let seats = 1..=SEATS;
    let bytes = |seat: u8| SeatBytes::new(vec![seat; 32]).unwrap();
    let committed = |seat: u8| bytes(seat).commitment(table.id(), table.round_number(), seat);
    if table.players().count() < usize::from(SEATS) {
        return seats.map(|seat| (player(number, seat), Command::Sit { seat })).collect();
    }
    let wager = |cents| Stake { wager: "pai-gow".to_owned(), cents, color: None };
    match table.phase() {
        TablePhase::Offering { seat, .. } => {
            vec![(player(number, seat), Command::TakeBank { cents: 50_000 })]
        }
        TablePhase::Wagers { .. } => seats
            .flat_map(|seat| {
                let wagers = vec![wager(500 * u64::from(seat) + 500)];
                let wagers = Command::Wagers { wagers, ready: false, commitment: Some(committed(seat)) };
                [(player(number, seat), wagers), (player(number, seat), Command::Ready)]
            })
            .collect(),
        TablePhase::Revealing { .. } => {
            seats.map(|seat| (player(number, seat), Command::Reveal { bytes: bytes(seat) })).collect()
        }
        TablePhase::Settings { .. } => seats.map(|seat| (player(number, seat), Command::HouseWay)).collect(),
        TablePhase::Waiting | TablePhase::Between { .. } => {
            seats.map(|seat| (player(number, seat), Command::Return)).collect()
        }
    }
}

/// Says that a command was acknowledged, as one write that is there or is not.
fn acknowledge(by: &Actor, id: &CommandId, seq: u64) {
    let line = format!("\nack {} {id} {seq}\n", serde_json::to_string(by).unwrap());
    let mut out = std::io::stdout().lock();
    // Whoever listened may have gone.
    let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
}

// Those who kill it.

/// A process at play, and what it has acknowledged.
struct Worker {
    child: Child,
    acknowledged: Receiver<(Actor, CommandId, u64)>,
}

impl Worker {
    fn start(store: &str, names: &str) -> Worker {
        Worker::start_by(Process::new(std::env::current_exe().unwrap()), store, names)
    }

    fn start_by(mut process: Process, store: &str, names: &str) -> Worker {
        let mut child = process
            .args(["--exact", "crash::a_process_that_plays", "--nocapture", "--test-threads", "1"])
            .env(STORE, store)
            .env(NAMES, names)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let (send, acknowledged) = channel();
        let out = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                let Some(rest) = line.strip_prefix("ack ") else { continue };
                let mut parts = rest.rsplitn(3, ' ');
                let (seq, id, by) = (parts.next(), parts.next(), parts.next());
                let (Some(seq), Some(id), Some(by)) = (seq, id, by) else { continue };
                let by: Actor = serde_json::from_str(by).unwrap();
                let _ = send.send((by, name(id), seq.parse().unwrap()));
            }
        });
        Worker { child, acknowledged }
    }

    fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        assert!(Process::new("kill").args([signal, &pid]).status().unwrap().success());
    }

    /// Waits until it has acknowledged so many commands.
    fn acknowledges(&self, count: usize) -> Vec<(Actor, CommandId, u64)> {
        let next = || self.acknowledged.recv_timeout(HEARD_OF).expect("it plays");
        (0..count).map(|_| next()).collect()
    }

    /// Kills it in the middle of play, and gives what it had acknowledged.
    fn kill_at_play(mut self) -> Vec<(Actor, CommandId, u64)> {
        let ended = self.child.try_wait().unwrap();
        assert!(ended.is_none(), "it ended by itself: {ended:?}");
        self.kill()
    }

    /// Ends it if it has not ended, and gives what it had acknowledged.
    fn kill(mut self) -> Vec<(Actor, CommandId, u64)> {
        let _ = self.child.kill();
        self.child.wait().unwrap();
        self.acknowledged.iter().collect()
    }
}

/// Chance for moments (splitmix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % count
    }
}

fn kills() -> u64 {
    std::env::var(KILLS).ok().and_then(|kills| kills.parse().ok()).unwrap_or(200)
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// Everything acknowledged is in the store, once, with the same answer; and the audit finds nothing off.
async fn check(store: &str, acknowledged: &[(Actor, CommandId, u64)]) -> u64 {
    let store = AnyStore::open(store).await.unwrap();
    for (by, id, seq) in acknowledged {
        let kept = store.kept(by, id).await.unwrap();
        let kept = kept.unwrap_or_else(|| panic!("{by} was told that {id} is done, and it is not there"));
        let answer: paigow_server::CommandResult = serde_json::from_str(&kept.answer).unwrap();
        assert_eq!(answer.seq, *seq, "{id} was answered differently");
    }
    let report = audit(&store, RulesCache::new(BuiltIn)).await.unwrap();
    assert_eq!(report.findings, []);
    for (account, cents) in store.trial_balance().await.unwrap() {
        assert!(cents >= 0 || account.owner.may_owe(), "{account:?} has {cents}");
    }
    report.rounds
}

/// Kills one process after another at moments of chance, as often as was asked for, and on until as many commands were acknowledged.
fn kill_again_and_again(store: &str, seed: u64) {
    let mut chance = Chance(seed);
    let mut acknowledged = Vec::new();
    let mut kill = 0;
    while kill < kills() || (acknowledged.len() as u64) < kills() {
        let worker = Worker::start(store, &format!("k{seed}-{kill}"));
        if kill.is_multiple_of(2) {
            // From before the store is open to wherever it has come.
            thread::sleep(Duration::from_millis(20 + chance.below(160)));
        } else {
            // At play for certain, however slow the machine: after so many answers, and a little later.
            acknowledged.extend(worker.acknowledges(chance.below(12) as usize + 1));
            thread::sleep(Duration::from_micros(chance.below(4_000)));
        }
        acknowledged.extend(worker.kill_at_play());
        kill += 1;
    }
    let rounds = runtime().block_on(check(store, &acknowledged));
    eprintln!("{kill} kills, {} commands acknowledged, {rounds} rounds, nothing lost", acknowledged.len());
}

#[test]
fn killed_at_any_moment_a_file_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    kill_again_and_again(folder.path().join("paigow.db").to_str().unwrap(), 1);
}

#[test]
fn killed_at_any_moment_a_database_loses_nothing() {
    let cluster = Cluster::start();
    let store = runtime().block_on(cluster.database());
    kill_again_and_again(&store, 2);
}

/// Three processes at the same tables, each killed and started again at other moments, and one put to sleep past its deadlines.
#[test]
fn processes_that_fight_over_tables_and_sleep_lose_nothing() {
    let cluster = Cluster::start();
    let store = runtime().block_on(cluster.database());
    let mut chance = Chance(3);
    let mut acknowledged = Vec::new();
    let sleeper = Worker::start(&store, "sleeper");
    let other = Worker::start(&store, "other");
    acknowledged.extend(sleeper.acknowledges(1));
    acknowledged.extend(other.acknowledges(1));
    for turn in 0..20 {
        let third = Worker::start(&store, &format!("third-{turn}"));
        sleeper.signal("-STOP");
        thread::sleep(Duration::from_millis(50 + chance.below(100)));
        sleeper.signal("-CONT");
        thread::sleep(Duration::from_millis(30 + chance.below(60)));
        acknowledged.extend(third.kill_at_play());
    }
    acknowledged.extend(sleeper.kill_at_play());
    acknowledged.extend(other.kill_at_play());
    let rounds = runtime().block_on(check(&store, &acknowledged));
    eprintln!(
        "{} commands acknowledged by three processes, {rounds} rounds, nothing lost",
        acknowledged.len()
    );
}

/// The database itself goes down as in a power cut, under load.
#[test]
fn a_database_that_stops_at_once_loses_nothing() {
    let cluster = Cluster::start();
    let store = runtime().block_on(cluster.database());
    let mut chance = Chance(4);
    let mut acknowledged = Vec::new();
    for turn in 0..6 {
        let worker = Worker::start(&store, &format!("cut-{turn}"));
        acknowledged.extend(worker.acknowledges(1));
        thread::sleep(Duration::from_millis(chance.below(250)));
        assert!(cluster.stop());
        acknowledged.extend(worker.kill());
        cluster.launch();
    }
    runtime().block_on(check(&store, &acknowledged));
}

/// No file of the process may grow beyond a size: to SQLite that is a disk that is full.
#[test]
fn a_full_disk_loses_nothing_and_play_goes_on_when_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("paigow.db").to_str().unwrap().to_owned();
    let mut acknowledged = Vec::new();
    for turn in 0..3 {
        // In blocks of 512 bytes: room for some rounds before the log is written back.
        let mut process = Process::new("sh");
        let limited = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"", 4000 + 1000 * turn);
        process.args(["-c", &limited]).arg(std::env::current_exe().unwrap());
        let mut worker = Worker::start_by(process, &store, &format!("full-{turn}"));
        // It ends by itself when nothing can be written any more.
        let ended = (0..2_400).find_map(|_| {
            thread::sleep(Duration::from_millis(50));
            worker.child.try_wait().unwrap()
        });
        assert!(ended.is_some_and(|status| !status.success()), "the disk is full: {ended:?}");
        acknowledged.extend(worker.kill());
    }
    assert!(!acknowledged.is_empty());
    let before = runtime().block_on(check(&store, &acknowledged));
    let worker = Worker::start(&store, "room");
    // Enough for a round at every table.
    acknowledged.extend(worker.acknowledges(80));
    acknowledged.extend(worker.kill_at_play());
    let after = runtime().block_on(check(&store, &acknowledged));
    assert!(after > before, "rounds go on: {before}, then {after}");
}
