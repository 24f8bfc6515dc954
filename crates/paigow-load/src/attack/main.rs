//! Attacks a local server in several ways and measures the effect on other clients. Run by `cargo xtask attack`.

// Measuring needs the system clock.
#![allow(clippy::disallowed_methods)]
#![allow(clippy::unwrap_used, clippy::expect_used)] // a failed measurement ends the program

mod kinds;
mod probe;
mod run;
mod wire;

use clap::{Parser, value_parser};
use kinds::Attack;
use run::measure;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Options of the attacks.
#[derive(Parser)]
struct Args {
    /// Path of the server program.
    #[arg(long)]
    program: String,
    /// Duration of each attack, in seconds.
    #[arg(long, default_value_t = 6, value_parser = value_parser!(u64).range(1..=600))]
    seconds: u64,
    /// Maximum number of connections of an attack.
    #[arg(long, default_value_t = 4_600, value_parser = value_parser!(u16).range(1..=20_000))]
    connections: u16,
    /// Run only the attacks whose name contains this text.
    #[arg(long)]
    only: Option<String>,
}

/// A server process, killed on drop.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    /// Starts the program with default limits and a new store.
    fn start(program: &str, folder: &std::path::Path) -> Server {
        let mut child = Command::new(program)
            .args(["serve", "--listen", "[::]:0", "--bots", "false", "--log-level", "error", "--store"])
            .arg(folder.join("paigow.db"))
            // A shared cache would answer requests for odds without counting.
            .env("PAIGOW_CACHE", folder.join("cache"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let greeting = lines.next().expect("the server prints its address").unwrap();
        let port = greeting.trim().rsplit(':').next().unwrap().parse().expect("a port");
        Server { child, port }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn main() {
    let args = Args::parse();
    let wanted = |attack: &Attack| args.only.as_ref().is_none_or(|part| attack.name().contains(part));
    println!(
        "| attack, {} s | attacker | health checks answered, slowest | commands answered, median, slowest | cores, after it | memory | lobby |",
        args.seconds
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for attack in Attack::ALL.into_iter().filter(wanted) {
        // Each attack has its own store and process, so that attacks do not affect each other.
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(&args.program, folder.path());
        let time = Duration::from_secs(args.seconds);
        let measured = measure(attack, server.child.id(), server.port, time, args.connections.into());
        let Some(measured) = measured else {
            println!("| {} | | no player could sit down | | | | |", attack.name());
            continue;
        };
        println!(
            "| {} | {} | {} of {}, {:.0?} | {} of {}, {:.0?}, {:.0?} | {}.{:02}, {}.{:02} | {} MiB | {} KB |",
            attack.name(),
            measured.counts.summary(),
            measured.health.times.len(),
            measured.health.sent,
            measured.health.slowest(),
            measured.commands.times.len(),
            measured.commands.sent,
            measured.commands.median(),
            measured.commands.slowest(),
            measured.cpu / 100,
            measured.cpu % 100,
            measured.cpu_after / 100,
            measured.cpu_after % 100,
            measured.memory / 1_024,
            measured.lobby / 1_000,
        );
    }
}
