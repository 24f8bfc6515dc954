//! Durable rounds a second: six seats at each of 1,000 tables, every command decided, its events and money kept, and acknowledged
//! only then. Beside it, in the same run, the raw store doing the same writes in groups of the same size. Also what an idle table costs
//! in memory, and how fast tables come back after a restart.
//!
//! A round is nineteen commands: six wagers, six times ready, of which the last deals, six hands set, of which the last settles, and
//! the clock that begins the next.
//!
//! `cargo bench -p paigow-server --bench store`, or with `sqlite` or `postgres` after `--`.

// A bench reads the clock, and prints rates and ratios.
#![allow(clippy::disallowed_methods, clippy::float_arithmetic, clippy::cast_precision_loss)]
#![allow(clippy::unwrap_used)] // a bench that cannot do its work has nothing to say

#[path = "../tests/kit/mod.rs"]
mod kit;

mod raw;

use kit::cluster::Cluster;
use kit::{config, name, operator, purse, wager};
use paigow::rulebook::BuiltIn;
use paigow_server::{AnyStore, Batch, Host, RulesCache, SystemEnvironment, audit};
use paigow_table::{Actor, Clocks, Command, Table, TableId, TablePhase};
use raw::Recorder;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const TABLES: usize = 1_000;
const SEATS: u8 = 6;
/// Commands a round.
const COMMANDS: usize = 19;
/// How long a table waits between rounds.
const BETWEEN_MS: u64 = 1;
/// Rounds at each table, timed.
const ROUNDS: usize = 3;
/// How many tables play at the same time: as many clients wait for the store at once.
const AT_ONCE: usize = 256;
/// How many rounds are read back after a restart.
const RECOVERED: usize = 10_000;

type Tables = Host<Recorder, SystemEnvironment>;

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let is_asked = |name: &str| asked.is_empty() || asked.iter().any(|asked| asked == name);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    if is_asked("sqlite") {
        let folder = tempfile::tempdir().unwrap();
        let place = |file: &str| folder.path().join(file).to_str().unwrap().to_owned();
        runtime.block_on(measure("SQLite", &place("played.db"), &place("raw.db")));
    }
    if is_asked("postgres") {
        let cluster = Cluster::start();
        let (played, raw) = runtime.block_on(async { (cluster.database().await, cluster.database().await) });
        runtime.block_on(measure("PostgreSQL", &played, &raw));
    }
}

async fn measure(what: &str, played: &str, raw: &str) {
    let store = Recorder::new(AnyStore::open(played).await.unwrap());
    let host = Arc::new(Host::new(store, SystemEnvironment, RulesCache::new(BuiltIn), kit::keys()));
    each_table(&host, |host, number| async move { set_up(&host, number).await }).await;

    host.store().record();
    let groups = host.store().groups();
    let start = Instant::now();
    let played_each =
        each_table(&host, |host, number| async move { play(&host, number, ROUNDS).await }).await;
    let time = start.elapsed();
    let groups = host.store().groups() - groups;
    let batches = host.store().recorded();
    let rounds = TABLES * ROUNDS;
    let group = batches.len().div_ceil(groups as usize);

    let raw_time = raw::write(raw, batches, group).await;
    let rate = |time: Duration| rounds as f64 / time.as_secs_f64();
    println!(
        "{what}: {:.0} rounds a second, {:.0} commands; raw {:.0} rounds a second in groups of {group}: {:.2} times the raw time",
        rate(time),
        rate(time) * COMMANDS as f64,
        rate(raw_time),
        time.as_secs_f64() / raw_time.as_secs_f64(),
    );
    let mut answers = played_each.concat();
    println!(
        "{what}: half of the commands are answered within {:.1} ms, 99 of 100 within {:.1} ms",
        percentile(&mut answers, 50),
        percentile(&mut answers, 99),
    );

    // More rounds at a tenth of the tables, so that there is something to recover.
    let more = (RECOVERED - rounds).div_ceil(TABLES / 10);
    let tenth = (0..TABLES / 10).map(|number| {
        let host = host.clone();
        tokio::spawn(async move { play(&host, number, more).await })
    });
    for table in tenth.collect::<Vec<_>>() {
        table.await.unwrap();
    }
    drop(host);

    let store = Recorder::new(AnyStore::open_existing(played).await.unwrap());
    let host = Arc::new(Host::new(store, SystemEnvironment, RulesCache::new(BuiltIn), kit::keys()));
    let start = Instant::now();
    each_table(&host, |host, number| async move { drop(host.table(&table(number)).await.unwrap()) }).await;
    let time = start.elapsed();
    let rounds = rounds + more * TABLES / 10;
    let start = Instant::now();
    let report = audit(host.store(), RulesCache::new(BuiltIn)).await.unwrap();
    assert_eq!(report.findings, []);
    println!("{what}: an audit of all of it takes {:.2} s", start.elapsed().as_secs_f64());
    // A table in memory is what a copy of it takes; its rules it shares.
    let (idle, _) = host.table(&table(0)).await.unwrap();
    let heap = allocation_counter::measure(|| drop(black_box(idle.clone()))).bytes_max;
    println!(
        "{what}: {rounds} rounds of {TABLES} tables read back in {:.2} s: {:.0} rounds a second; {} bytes a table",
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

/// Does something for every table, so many at once.
async fn each_table<T: Send + 'static, F: Future<Output = T> + Send + 'static>(
    host: &Arc<Tables>,
    work: impl Fn(Arc<Tables>, usize) -> F + Send + Sync + Copy + 'static,
) -> Vec<T> {
    let next = Arc::new(AtomicU64::new(0));
    let workers = (0..AT_ONCE).map(|_| {
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
        host.issue(&operator(), &name(&format!("issue-{who}")), purse(&who), 100_000_000).await.unwrap();
        give(host, number, seat, &format!("sit-{who}"), &Command::Sit { seat }).await;
    }
}

/// Gives a command, and says how long the answer took.
async fn give(host: &Tables, number: usize, seat: u8, id: &str, command: &Command) -> Duration {
    let by = Actor::Player(name(&player(number, seat)));
    let start = Instant::now();
    host.command(&table(number), &by, &name(id), command).await.unwrap();
    start.elapsed()
}

/// Plays rounds, and says how long each answer took.
async fn play(host: &Tables, number: usize, rounds: usize) -> Vec<Duration> {
    let mut answers = Vec::with_capacity(rounds * COMMANDS);
    let (now, mut seq) = host.table(&table(number)).await.unwrap();
    assert!(matches!(now.phase(), TablePhase::Wagers { .. }));
    for _ in 0..rounds {
        for seat in 1..=SEATS {
            answers.push(give(host, number, seat, &format!("w{seq}"), &wager(1_000)).await);
            answers.push(give(host, number, seat, &format!("r{seq}"), &Command::Ready).await);
        }
        for seat in 1..=SEATS {
            answers.push(give(host, number, seat, &format!("h{seq}"), &Command::HouseWay).await);
        }
        // The clock comes when it is due, and not before.
        tokio::time::sleep(Duration::from_millis(BETWEEN_MS + 1)).await;
        let start = Instant::now();
        seq = host.tick(&table(number)).await.unwrap().unwrap().seq;
        answers.push(start.elapsed());
    }
    answers
}

/// The answer time that so many in a hundred do not exceed.
fn percentile(answers: &mut [Duration], hundredths: usize) -> f64 {
    answers.sort_unstable();
    answers[(answers.len() * hundredths / 100).min(answers.len() - 1)].as_secs_f64() * 1e3
}

/// What was offered to a store.
pub(crate) type Batches = Vec<Batch>;
