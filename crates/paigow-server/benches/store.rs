//! Durable rounds per second: six seats at each of 1,000 tables. Every command is decided, stored with its events and
//! transfers, and then acknowledged. For comparison, the same run writes the same rows directly to the database in
//! groups of the same size. The bench also measures the memory of an idle table and the time to load tables after a
//! restart.
//!
//! A round has nineteen commands: six wagers, six readies, the last of which deals, six hands set, the last of which
//! settles, and the tick that begins the next round.
//!
//! Then a store is moved to the other database and back.
//!
//! `cargo bench -p paigow-server --bench store`, or with `sqlite`, `postgres` or `move` after `--`.

// A bench needs the system clock and floating-point rates.
#![allow(clippy::disallowed_methods, clippy::float_arithmetic, clippy::cast_precision_loss)]
#![allow(clippy::unwrap_used)] // a failed unwrap ends the bench

#[path = "../tests/kit/mod.rs"]
mod kit;

mod raw;

use kit::cluster::Cluster;
use kit::{config, name, operator, player_account, wager};
use paigow::rulebook::BuiltIn;
use paigow_server::settings::StoreLocation;
use paigow_server::{AnyStore, Batch, Host, MoveOptions, RulesCache, SystemEnvironment, audit, move_store};
use paigow_table::{Actor, Clocks, Command, Table, TableId, TablePhase};
use raw::Recorder;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const TABLES: usize = 1_000;
const SEATS: u8 = 6;
/// Commands per round.
const COMMANDS: usize = 19;
/// Time between rounds.
const BETWEEN_MS: u64 = 1;
/// Timed rounds at each table.
const ROUNDS: usize = 3;
/// Number of tables that play concurrently, and of clients that wait for the store.
const CONCURRENT_TABLES: usize = 256;
/// Minimum number of rounds that are loaded after the restart.
const RECOVERED_ROUNDS: usize = 10_000;

type Tables = Host<Recorder, SystemEnvironment>;

fn main() {
    let selected: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let is_selected = |name: &str| selected.is_empty() || selected.iter().any(|selected| selected == name);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    if is_selected("sqlite") {
        let folder = tempfile::tempdir().unwrap();
        let path = |file: &str| folder.path().join(file).to_str().unwrap().to_owned();
        runtime.block_on(measure("SQLite", &path("played.db"), &path("raw.db")));
    }
    if is_selected("postgres") {
        let cluster = Cluster::start();
        let (played, raw) = runtime.block_on(async { (cluster.database().await, cluster.database().await) });
        runtime.block_on(measure("PostgreSQL", &played, &raw));
    }
    if is_selected("move") {
        let (folder, cluster) = (tempfile::tempdir().unwrap(), Cluster::start());
        let path = |file: &str| folder.path().join(file).to_str().unwrap().to_owned();
        let database = runtime.block_on(async {
            let store = Recorder::new(AnyStore::open(&path("played.db")).await.unwrap());
            let host = Arc::new(Host::new(store, SystemEnvironment, RulesCache::new(BuiltIn), kit::keys()));
            for_each_table(&host, |host, number| async move {
                set_up(&host, number).await;
                play(&host, number, ROUNDS).await;
            })
            .await;
            cluster.database().await
        });
        measure_move("SQLite to PostgreSQL", path("played.db"), database.clone());
        measure_move("PostgreSQL to SQLite", database, path("back.db"));
    }
}

/// Moves a store and prints the time of the copy and of the whole move.
fn measure_move(what: &str, from: String, to: String) {
    let (from, to) = (StoreLocation::from(from), StoreLocation::from(to));
    let steps = Arc::new(Mutex::new(Vec::new()));
    let begun = steps.clone();
    let progress = move |_: &str, _: u64| -> Box<dyn Fn(u64) + Send + Sync> {
        begun.lock().unwrap().push(Instant::now());
        Box::new(|_| {})
    };
    let (start, rules) = (Instant::now(), RulesCache::new(BuiltIn));
    let options = MoveOptions { from: &from, to: &to, rules, keys: None, progress: &progress };
    let report = move_store(options).unwrap();
    let time = start.elapsed().as_secs_f64();
    // The steps are the audit of the source, the copy, the audit of the target and the comparison.
    let steps = steps.lock().unwrap();
    let copy = steps[2].duration_since(steps[1]).as_secs_f64();
    let rows = report.tables.iter().map(|table| table.rows).sum::<u64>();
    println!(
        "{what}: {rows} rows of {} rounds copied in {copy:.1} s, {:.0} rows per second; {time:.1} s with audits and comparison",
        TABLES * ROUNDS,
        rows as f64 / copy,
    );
}

async fn measure(what: &str, played: &str, raw: &str) {
    let store = Recorder::new(AnyStore::open(played).await.unwrap());
    let host = Arc::new(Host::new(store, SystemEnvironment, RulesCache::new(BuiltIn), kit::keys()));
    for_each_table(&host, |host, number| async move { set_up(&host, number).await }).await;

    host.store().record();
    let groups = host.store().groups();
    let start = Instant::now();
    let played_each =
        for_each_table(&host, |host, number| async move { play(&host, number, ROUNDS).await }).await;
    let time = start.elapsed();
    let groups = host.store().groups() - groups;
    let batches = host.store().recorded();
    let rounds = TABLES * ROUNDS;
    let group = batches.len().div_ceil(groups as usize);

    let raw_time = raw::write(raw, batches, group).await;
    let rate = |time: Duration| rounds as f64 / time.as_secs_f64();
    println!(
        "{what}: {:.0} rounds per second, {:.0} commands; raw {:.0} rounds per second in groups of {group}: {:.2} times the raw time",
        rate(time),
        rate(time) * COMMANDS as f64,
        rate(raw_time),
        time.as_secs_f64() / raw_time.as_secs_f64(),
    );
    let mut times = played_each.concat();
    println!(
        "{what}: 50 % of the commands answered within {:.1} ms, 99 % within {:.1} ms",
        percentile(&mut times, 50),
        percentile(&mut times, 99),
    );

    // More rounds at a tenth of the tables, to have enough to load.
    let additional_rounds = (RECOVERED_ROUNDS - rounds).div_ceil(TABLES / 10);
    let tenth = (0..TABLES / 10).map(|number| {
        let host = host.clone();
        tokio::spawn(async move { play(&host, number, additional_rounds).await })
    });
    for table in tenth.collect::<Vec<_>>() {
        table.await.unwrap();
    }
    drop(host);

    let store = Recorder::new(AnyStore::open_existing(played).await.unwrap());
    let host = Arc::new(Host::new(store, SystemEnvironment, RulesCache::new(BuiltIn), kit::keys()));
    let start = Instant::now();
    for_each_table(&host, |host, number| async move { drop(host.table(&table(number)).await.unwrap()) })
        .await;
    let time = start.elapsed();
    let rounds = rounds + additional_rounds * TABLES / 10;
    let start = Instant::now();
    let report = audit(host.store(), RulesCache::new(BuiltIn)).await.unwrap();
    assert_eq!(report.findings, []);
    println!("{what}: audit of all tables: {:.2} s", start.elapsed().as_secs_f64());
    // A clone shows the memory of a table. Tables share their rules.
    let (idle, _) = host.table(&table(0)).await.unwrap();
    let heap = allocation_counter::measure(|| drop(black_box(idle.clone()))).bytes_max;
    println!(
        "{what}: {rounds} rounds of {TABLES} tables loaded in {:.2} s: {:.0} rounds per second; {} bytes per table",
        time.as_secs_f64(),
        rounds as f64 / time.as_secs_f64(),
        heap + size_of::<Table>() as u64,
    );
}

fn table(number: usize) -> TableId {
    name(&format!("t{number}"))
}

fn player(number: usize, seat: u8) -> String {
    format!("t{number}-p{seat}")
}

/// Runs `work` for every table, `CONCURRENT_TABLES` at a time.
async fn for_each_table<T: Send + 'static, F: Future<Output = T> + Send + 'static>(
    host: &Arc<Tables>,
    work: impl Fn(Arc<Tables>, usize) -> F + Send + Sync + Copy + 'static,
) -> Vec<T> {
    let next = Arc::new(AtomicU64::new(0));
    let workers = (0..CONCURRENT_TABLES).map(|_| {
        let (host, next) = (host.clone(), next.clone());
        tokio::spawn(async move {
            let mut done = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed) as usize;
                if number >= TABLES {
                    return done;
                }
                done.push(work(host.clone(), number).await);
            }
        })
    });
    let mut done = Vec::with_capacity(TABLES);
    for worker in workers.collect::<Vec<_>>() {
        done.extend(worker.await.unwrap());
    }
    done
}

async fn set_up(host: &Tables, number: usize) {
    let clocks = Clocks { bank: 600_000, wagers: 600_000, settings: 600_000, between: BETWEEN_MS };
    let config = paigow_table::Config { clocks, ..config(&format!("t{number}"), "washington") };
    host.open(&operator(), &name(&format!("open-{number}")), config).await.unwrap();
    for seat in 1..=SEATS {
        let who = player(number, seat);
        host.issue(&operator(), &name(&format!("issue-{who}")), player_account(&who), 100_000_000)
            .await
            .unwrap();
        send_command(host, number, seat, &format!("sit-{who}"), &Command::Sit { seat }).await;
    }
}

/// Sends a command and returns its response time.
async fn send_command(host: &Tables, number: usize, seat: u8, id: &str, command: &Command) -> Duration {
    let by = Actor::Player(name(&player(number, seat)));
    let start = Instant::now();
    host.command(&table(number), &by, &name(id), command).await.unwrap();
    start.elapsed()
}

/// Plays rounds and returns the response time of every command.
async fn play(host: &Tables, number: usize, rounds: usize) -> Vec<Duration> {
    let mut times = Vec::with_capacity(rounds * COMMANDS);
    let (now, mut seq) = host.table(&table(number)).await.unwrap();
    assert!(matches!(now.phase(), TablePhase::Wagers { .. }));
    for _ in 0..rounds {
        for seat in 1..=SEATS {
            times.push(send_command(host, number, seat, &format!("w{seq}"), &wager(1_000)).await);
            times.push(send_command(host, number, seat, &format!("r{seq}"), &Command::Ready).await);
        }
        for seat in 1..=SEATS {
            times.push(send_command(host, number, seat, &format!("h{seq}"), &Command::HouseWay).await);
        }
        // A tick before the deadline would do nothing.
        tokio::time::sleep(Duration::from_millis(BETWEEN_MS + 1)).await;
        let start = Instant::now();
        seq = host.tick(&table(number)).await.unwrap().unwrap().seq;
        times.push(start.elapsed());
    }
    times
}

/// Returns a percentile of the response times, in milliseconds.
fn percentile(times: &mut [Duration], percent: usize) -> f64 {
    times.sort_unstable();
    times[(times.len() * percent / 100).min(times.len() - 1)].as_secs_f64() * 1e3
}

/// Recorded batches.
pub(crate) type Batches = Vec<Batch>;
