//! Thousands of players at a server, over sockets: how many rounds it plays, and how long it takes to answer.
//!
//! `cargo xtask load` builds the program and this, starts one server or several over a store of its own, has six players sit down at
//! each of many tables, and lets them play for a while: a round is twelve commands (all wagers at once, the hand the house way) and what the
//! clock does. The answer time is what a player sees: from sending a command until it is said to be done, and so on the disk.

// It measures: it reads the clock, and prints rates.
#![allow(clippy::disallowed_methods, clippy::float_arithmetic, clippy::cast_precision_loss)]
#![allow(clippy::unwrap_used, clippy::expect_used)] // a measurement that cannot be made has nothing to say

#[path = "../../paigow-server/tests/kit/cluster.rs"]
#[allow(dead_code)] // tests of crashes stop it and start it again
mod cluster;
mod house;
mod player;
mod server;
mod times;

use clap::{Parser, ValueEnum, value_parser};
use cluster::Cluster;
use house::House;
use player::{Heard, Pace, Player};
use server::{Server, processor};
use std::sync::Arc;
use std::time::{Duration, Instant};
use times::Times;

/// A kind of store.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Kind {
    /// A file.
    Sqlite,
    /// A throw-away PostgreSQL.
    Postgres,
}

/// What is measured.
#[derive(Parser)]
struct Args {
    /// The program, built for release.
    #[arg(long)]
    program: String,
    /// Where tables and money are kept.
    #[arg(long, value_enum, default_value_t = Kind::Sqlite)]
    store: Kind,
    /// How many processes serve it.
    #[arg(long, default_value_t = 1, value_parser = value_parser!(u16).range(1..=16))]
    processes: u16,
    /// How many tables.
    #[arg(long, default_value_t = 1_000, value_parser = value_parser!(u16).range(1..=3_000))]
    tables: u16,
    /// How many seats at each.
    #[arg(long, default_value_t = 6, value_parser = value_parser!(u8).range(1..=6))]
    seats: u8,
    /// How many rounds a second are aimed at: players take their time so that it comes to that.
    #[arg(long, default_value_t = 500, value_parser = value_parser!(u32).range(1..=100_000))]
    rounds: u32,
    /// For how long it is measured.
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
        servers.push(Server::start(&args.program, &store, &folder.path().join("paigow.key")).await);
    }
    let secret =
        servers.iter().find_map(|server| server.secret.clone()).expect("a new store has a new secret");
    let house = House::new(&servers[0].address, &secret);
    let every = Duration::from_secs(1) * u32::from(args.tables) / args.rounds;
    let start = Instant::now();
    house.open_tables(args.tables);
    let addresses: Vec<String> = servers.iter().map(|server| server.address.clone()).collect();
    let heard = Arc::new(Heard::default());
    let mut players = Vec::new();
    for table in 0..args.tables {
        // Tables do not play in step, nor do players: they think for two fifths of a round at most, each time they are asked.
        let late = every * u32::from(table) / u32::from(args.tables);
        for seat in 1..=args.seats {
            // The players of a table are spread over all processes.
            let address = &addresses[(usize::from(table) + usize::from(seat)) % addresses.len()];
            let thinks = every * 2 * u32::from(seat - 1) / (5 * u32::from(args.seats));
            let pace = Pace { every, late, thinks };
            players.push(Player::new(address, &format!("load-{table}"), seat, pace, heard.clone()));
        }
    }
    let sockets = players.len();
    player::all_sit(players).await;
    println!("{sockets} players sit at {} tables after {:.1} s", args.tables, start.elapsed().as_secs_f64());

    // A third as long to come into step, then what counts.
    tokio::time::sleep(Duration::from_secs(args.seconds.div_ceil(3).max(5))).await;
    heard.begin();
    let used = || (servers.iter().map(Server::processor).sum::<f64>(), processor("self"));
    let (start, before) = (Instant::now(), used());
    tokio::time::sleep(Duration::from_secs(args.seconds)).await;
    let (rounds, times, broken) = heard.end();
    let (rate, after) = (rounds as f64 / start.elapsed().as_secs_f64(), used());
    let each = |seconds: f64| seconds * 1_000.0 / rounds.max(1) as f64;
    let Times { count, p50, p99, p999, most } = times;
    println!(
        "{:?}, {} process(es): {rate:.0} rounds a second, {count} commands answered; 50 % within {p50:.1} ms, 99 % {p99:.1} ms, 99.9 % {p999:.1} ms, all {most:.1} ms; {broken} sockets broke",
        args.store, args.processes
    );
    println!(
        "processor time a round: {:.2} ms of the server's, {:.2} ms of the players'",
        each(after.0 - before.0),
        each(after.1 - before.1)
    );
    for server in &servers {
        println!(
            "a server's memory: {:.0} MiB, at most {:.0} MiB",
            server.memory("VmRSS"),
            server.memory("VmHWM")
        );
    }
    for server in servers {
        server.stop().await;
    }
}
