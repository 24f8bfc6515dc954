//! Load generator: thousands of players over `WebSockets`; prints rounds per second and response times.
//!
//! `cargo xtask load` builds the server and this program, starts one or more server processes on a temporary store,
//! seats six players at each of many tables, and lets them play. A round has eighteen commands: each of six players
//! sends all wagers in one command, reveals its bytes, and sets the hand the house way. Deadlines cause further events.
//! The response time is the one a player experiences: from sending a command until the server acknowledges it, by which
//! time the command is on disk.

// Measuring needs the system clock and floating-point rates.
#![allow(clippy::disallowed_methods, clippy::float_arithmetic, clippy::cast_precision_loss)]
#![allow(clippy::unwrap_used, clippy::expect_used)] // a failed measurement ends the program

#[path = "../../paigow-server/tests/kit/authenticator.rs"]
mod authenticator;
#[path = "../../paigow-server/tests/kit/cluster.rs"]
#[allow(dead_code)] // only the crash tests stop and restart the cluster
mod cluster;
mod operator;
mod player;
mod server;
mod times;

use clap::{Parser, ValueEnum, value_parser};
use cluster::Cluster;
use operator::Operator;
use player::{Measurements, Pace, Player};
use server::{SECRET_FILE, Server, cpu_seconds};
use std::sync::Arc;
use std::time::{Duration, Instant};
use times::ResponseTimes;

/// Database of the measured server.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Kind {
    /// An SQLite file.
    Sqlite,
    /// A temporary PostgreSQL cluster.
    Postgres,
}

/// Options of the measurement.
#[derive(Parser)]
struct Args {
    /// Path of the server program, a release build.
    #[arg(long)]
    program: String,
    /// Database that the server uses.
    #[arg(long, value_enum, default_value_t = Kind::Sqlite)]
    store: Kind,
    /// Number of server processes.
    #[arg(long, default_value_t = 1, value_parser = value_parser!(u16).range(1..=16))]
    processes: u16,
    /// Number of tables.
    #[arg(long, default_value_t = 1_000, value_parser = value_parser!(u16).range(1..=3_000))]
    tables: u16,
    /// Number of seats at each table.
    #[arg(long, default_value_t = 6, value_parser = value_parser!(u8).range(1..=6))]
    seats: u8,
    /// Target number of rounds per second; players delay their commands to match it.
    #[arg(long, default_value_t = 500, value_parser = value_parser!(u32).range(1..=100_000))]
    rounds: u32,
    /// Duration of the measurement, in seconds.
    #[arg(long, default_value_t = 30, value_parser = value_parser!(u64).range(1..=3_600))]
    seconds: u64,
}

fn main() {
    let args = Args::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(measure(&args));
}

async fn measure(args: &Args) {
    let folder = tempfile::tempdir().unwrap();
    let cluster = (args.store == Kind::Postgres).then(Cluster::start);
    let store = match &cluster {
        Some(cluster) => cluster.database().await,
        None => folder.path().join("paigow.db").display().to_string(),
    };
    let mut servers = Vec::new();
    for _ in 0..args.processes {
        servers.push(Server::start(&args.program, &store, folder.path()).await);
    }
    let secret = std::fs::read_to_string(folder.path().join(SECRET_FILE)).expect("the operator secret");
    let operator = Operator::enrol(&servers[0].address, secret.trim());
    let interval = Duration::from_secs(1) * u32::from(args.tables) / args.rounds;
    let start = Instant::now();
    operator.open_tables(args.tables);
    let addresses: Vec<String> = servers.iter().map(|server| server.address.clone()).collect();
    let measurements = Arc::new(Measurements::default());
    let mut players = Vec::new();
    for table in 0..args.tables {
        // Tables and players are out of step. A player delays each decision by at most two fifths of a round.
        let offset = interval * u32::from(table) / u32::from(args.tables);
        for seat in 1..=args.seats {
            // The players of a table are spread over all processes.
            let address = &addresses[(usize::from(table) + usize::from(seat)) % addresses.len()];
            let delay = interval * 2 * u32::from(seat - 1) / (5 * u32::from(args.seats));
            let pace = Pace { interval, offset, delay };
            players.push(Player::new(address, &format!("load-{table}"), seat, pace, measurements.clone()));
        }
    }
    let sockets = players.len();
    player::seat_all(players).await;
    println!(
        "{sockets} players seated at {} tables after {:.1} s",
        args.tables,
        start.elapsed().as_secs_f64()
    );

    // The load settles for a third of the time before the measurement starts.
    tokio::time::sleep(Duration::from_secs(args.seconds.div_ceil(3).max(5))).await;
    measurements.begin();
    let used = || (servers.iter().map(Server::cpu_seconds).sum::<f64>(), cpu_seconds("self"));
    let (start, before) = (Instant::now(), used());
    tokio::time::sleep(Duration::from_secs(args.seconds)).await;
    let (rounds, times, broken) = measurements.end();
    let (rate, after) = (rounds as f64 / start.elapsed().as_secs_f64(), used());
    let each = |seconds: f64| seconds * 1_000.0 / rounds.max(1) as f64;
    let ResponseTimes { count, p50, p99, p999, max } = times;
    println!(
        "{:?}, {} process(es): {rate:.0} rounds per second, {count} commands answered; 50 % within {p50:.1} ms, 99 % {p99:.1} ms, 99.9 % {p999:.1} ms, all {max:.1} ms; {broken} sockets broke",
        args.store, args.processes
    );
    println!(
        "CPU time per round: server {:.2} ms, players {:.2} ms",
        each(after.0 - before.0),
        each(after.1 - before.1)
    );
    for server in &servers {
        println!("server memory: {:.0} MiB, peak {:.0} MiB", server.memory("VmRSS"), server.memory("VmHWM"));
    }
    for server in servers {
        server.stop().await;
    }
}
