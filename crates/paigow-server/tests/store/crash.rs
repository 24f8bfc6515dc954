//! Real crashes: processes killed under load, a database stopped like a power cut, several processes at the same
//! tables, a process suspended past its deadlines, a full disk. Every acknowledged command is stored once, and an audit
//! finds nothing.
//!
//! The processes are this test binary, started with a store in the environment. Each prints a line per acknowledged
//! command before it sends the next. The parent checks that every line it has read is in the store. `cargo xtask crash
//! --kills N` kills more often.

use crate::kit::cluster::Cluster;
use crate::kit::{chips, name, operator, player_account};
use paigow::rulebook::BuiltIn;
use paigow_server::{AnyStore, Host, HostError, RulesCache, Store, SystemEnvironment, audit};
use paigow_table::{Actor, Clocks, Command, CommandId, Config, SeatBytes, Stake, Table, TableId, TablePhase};
use paigow_testkit::Rng;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command as Process, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// Environment variables of a started process: its store, and the prefix of its command ids.
const STORE: &str = "PAIGOW_CRASH_STORE";
const ID_PREFIX: &str = "PAIGOW_CRASH_NAMES";
/// Environment variable with the number of kills per store.
const KILLS: &str = "PAIGOW_KILLS";

/// Maximum time until a process acknowledges the next command.
const ACKNOWLEDGE_TIMEOUT: Duration = Duration::from_mins(1);

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
        name: None,
        private: false,
        house_way_toml: None,
    }
}

// The worker process.

/// Plays until the process is killed.
fn play_until_killed(store: &str) {
    let id_prefix = std::env::var(ID_PREFIX).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let store = AnyStore::open(store).await.unwrap();
        let host = Host::new(store, SystemEnvironment, RulesCache::new(BuiltIn), crate::kit::keys());
        let host: &'static Host<_, _> = Box::leak(Box::new(host));
        set_up(host).await;
        let tables = (0..TABLES).map(|number| tokio::spawn(play(host, number, id_prefix.clone())));
        for table in tables.collect::<Vec<_>>() {
            table.await.unwrap();
        }
    });
}

/// Opens the tables and issues chips. The ids are the same in every process, so each command is applied once.
async fn set_up(host: &Host<AnyStore, SystemEnvironment>) {
    for number in 0..TABLES {
        let opened = host.open(&operator(), &name(&format!("open-{number}")), config(number)).await;
        assert!(matches!(opened, Ok(_) | Err(HostError::TableExists(_))), "{opened:?}");
        for seat in 1..=SEATS {
            let Actor::Player(who) = player(number, seat) else { unreachable!() };
            let id = name(&format!("issue-{number}-{seat}"));
            host.issue(&operator(), &id, player_account(who.as_str()), 100_000_000).await.unwrap();
        }
    }
}

async fn play(host: &'static Host<AnyStore, SystemEnvironment>, number: usize, id_prefix: String) {
    let id = table(number);
    let mut sent = 0u64;
    loop {
        let commands: Vec<(Actor, Command)> = match host.table(&id).await {
            Ok((table, _)) => next_commands(number, &table),
            Err(error) => return fail(&error),
        };
        for (by, command) in commands {
            sent += 1;
            let command_id: CommandId = name(&format!("{id_prefix}-{number}-{sent}"));
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

/// Ends the process after a store error.
fn fail(error: &HostError) {
    eprintln!("{error}");
    std::process::exit(3);
}

/// Returns the next commands of the players. Each commits to bytes and reveals them.
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

/// Prints an acknowledged command in one write, so that the line is complete or missing.
fn acknowledge(by: &Actor, id: &CommandId, seq: u64) {
    let line = format!("\nack {} {id} {seq}\n", serde_json::to_string(by).unwrap());
    let mut out = std::io::stdout().lock();
    // The parent may have ended.
    let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
}

// The parent process.

/// A running worker process, and the commands it has acknowledged.
struct Worker {
    child: Child,
    acknowledged: Receiver<(Actor, CommandId, u64)>,
}

impl Worker {
    fn start(store: &str, id_prefix: &str) -> Worker {
        Worker::start_by(Process::new(std::env::current_exe().unwrap()), store, id_prefix)
    }

    fn start_by(mut process: Process, store: &str, id_prefix: &str) -> Worker {
        let mut child = process
            .args(["--exact", "crash::kills_lose_nothing_on_sqlite", "--nocapture", "--test-threads", "1"])
            .env(STORE, store)
            .env(ID_PREFIX, id_prefix)
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

    /// Waits for `count` acknowledged commands and returns them.
    fn wait_for_acknowledged(&self, count: usize) -> Vec<(Actor, CommandId, u64)> {
        let next = || self.acknowledged.recv_timeout(ACKNOWLEDGE_TIMEOUT).expect("the worker does not play");
        (0..count).map(|_| next()).collect()
    }

    /// Kills the worker during play and returns the commands it has acknowledged.
    fn kill_running(mut self) -> Vec<(Actor, CommandId, u64)> {
        let ended = self.child.try_wait().unwrap();
        assert!(ended.is_none(), "the worker ended before it was killed: {ended:?}");
        self.kill()
    }

    /// Kills the worker if it is still running, and returns the commands it has acknowledged.
    fn kill(mut self) -> Vec<(Actor, CommandId, u64)> {
        let _ = self.child.kill();
        self.child.wait().unwrap();
        self.acknowledged.iter().collect()
    }
}

fn kills() -> u64 {
    std::env::var(KILLS).ok().and_then(|kills| kills.parse().ok()).unwrap_or(200)
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// Asserts that every acknowledged command is stored once with the same answer, and that the audit finds nothing.
async fn check(store: &str, acknowledged: &[(Actor, CommandId, u64)]) -> u64 {
    let store = AnyStore::open(store).await.unwrap();
    for (by, id, seq) in acknowledged {
        let stored = store.stored_command(by, id).await.unwrap();
        let stored = stored.unwrap_or_else(|| panic!("{id} of {by} was acknowledged, but is not stored"));
        let answer: paigow_server::CommandResult = serde_json::from_str(&stored.answer).unwrap();
        assert_eq!(answer.seq, *seq, "the stored answer to {id} differs");
    }
    let report = audit(&store, RulesCache::new(BuiltIn)).await.unwrap();
    assert_eq!(report.findings, []);
    for (account, cents) in store.trial_balance().await.unwrap() {
        assert!(cents >= 0 || account.owner.may_owe(), "{account:?} has {cents}");
    }
    report.rounds
}

/// Kills workers at random times, at least `kills()` times and until as many commands were acknowledged.
fn check_kills(store: &str, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut acknowledged = Vec::new();
    let mut kill = 0;
    while kill < kills() || (acknowledged.len() as u64) < kills() {
        let worker = Worker::start(store, &format!("k{seed}-{kill}"));
        if kill.is_multiple_of(2) {
            // At any time, also before the store is open.
            thread::sleep(Duration::from_millis(20 + rng.below(160)));
        } else {
            // During play even on a slow machine: some time after a number of answers.
            acknowledged.extend(worker.wait_for_acknowledged(rng.index(12) + 1));
            thread::sleep(Duration::from_micros(rng.below(4_000)));
        }
        acknowledged.extend(worker.kill_running());
        kill += 1;
    }
    let rounds = runtime().block_on(check(store, &acknowledged));
    eprintln!("{kill} kills, {} commands acknowledged, {rounds} rounds, nothing lost", acknowledged.len());
}

#[test]
fn kills_lose_nothing_on_sqlite() {
    // A worker is this test with a store in the environment.
    if let Ok(store) = std::env::var(STORE) {
        return play_until_killed(&store);
    }
    let folder = tempfile::tempdir().unwrap();
    check_kills(folder.path().join("paigow.db").to_str().unwrap(), 1);
}

#[test]
fn kills_lose_nothing_on_postgresql() {
    let cluster = Cluster::start();
    let store = runtime().block_on(cluster.database());
    check_kills(&store, 2);
}

/// Three processes at the same tables: one is killed and restarted repeatedly, one is suspended past its deadlines.
#[test]
fn concurrent_and_suspended_processes_lose_nothing() {
    let cluster = Cluster::start();
    let store = runtime().block_on(cluster.database());
    let mut rng = Rng::new(3);
    let mut acknowledged = Vec::new();
    let sleeper = Worker::start(&store, "sleeper");
    let other = Worker::start(&store, "other");
    acknowledged.extend(sleeper.wait_for_acknowledged(1));
    acknowledged.extend(other.wait_for_acknowledged(1));
    for turn in 0..20 {
        let third = Worker::start(&store, &format!("third-{turn}"));
        sleeper.signal("-STOP");
        thread::sleep(Duration::from_millis(50 + rng.below(100)));
        sleeper.signal("-CONT");
        thread::sleep(Duration::from_millis(30 + rng.below(60)));
        acknowledged.extend(third.kill_running());
    }
    acknowledged.extend(sleeper.kill_running());
    acknowledged.extend(other.kill_running());
    let rounds = runtime().block_on(check(&store, &acknowledged));
    eprintln!(
        "{} commands acknowledged by three processes, {rounds} rounds, nothing lost",
        acknowledged.len()
    );
}

/// PostgreSQL stops under load as in a power cut.
#[test]
fn postgresql_stop_loses_nothing() {
    let cluster = Cluster::start();
    let store = runtime().block_on(cluster.database());
    let mut rng = Rng::new(4);
    let mut acknowledged = Vec::new();
    for turn in 0..6 {
        let worker = Worker::start(&store, &format!("cut-{turn}"));
        acknowledged.extend(worker.wait_for_acknowledged(1));
        thread::sleep(Duration::from_millis(rng.below(250)));
        assert!(cluster.stop());
        acknowledged.extend(worker.kill());
        cluster.launch();
    }
    runtime().block_on(check(&store, &acknowledged));
}

/// A file size limit of the process acts like a full disk on SQLite.
#[test]
fn full_disk_loses_nothing_and_play_continues_with_space() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("paigow.db").to_str().unwrap().to_owned();
    let mut acknowledged = Vec::new();
    for turn in 0..3 {
        // In blocks of 512 bytes: enough for some rounds before a checkpoint.
        let mut process = Process::new("sh");
        let limited = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"", 4000 + 1000 * turn);
        process.args(["-c", &limited]).arg(std::env::current_exe().unwrap());
        let mut worker = Worker::start_by(process, &store, &format!("full-{turn}"));
        // The worker ends when a write fails.
        let ended = (0..2_400).find_map(|_| {
            thread::sleep(Duration::from_millis(50));
            worker.child.try_wait().unwrap()
        });
        assert!(ended.is_some_and(|status| !status.success()), "the worker did not fail: {ended:?}");
        acknowledged.extend(worker.kill());
    }
    assert!(!acknowledged.is_empty());
    let before = runtime().block_on(check(&store, &acknowledged));
    let worker = Worker::start(&store, "room");
    // Enough for a round at every table.
    acknowledged.extend(worker.wait_for_acknowledged(80));
    acknowledged.extend(worker.kill_running());
    let after = runtime().block_on(check(&store, &acknowledged));
    assert!(after > before, "no rounds after the limit was lifted: {before}, then {after}");
}
