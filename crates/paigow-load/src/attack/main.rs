//! Attacks on a server of its own, one after the other, and what others notice of each. `cargo xtask attack` runs it.

// It measures: it reads the clock, and prints rates.
#![allow(clippy::disallowed_methods)]
#![allow(clippy::unwrap_used, clippy::expect_used)] // a measurement that cannot be made has nothing to say

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

/// What is attacked, and for how long.
#[derive(Parser)]
struct Args {
    /// The program.
    #[arg(long)]
    program: String,
    /// For how long each attack lasts.
    #[arg(long, default_value_t = 6, value_parser = value_parser!(u64).range(1..=600))]
    seconds: u64,
    /// How many connections an attack has at most.
    #[arg(long, default_value_t = 4_600, value_parser = value_parser!(u16).range(1..=20_000))]
    connections: u16,
    /// One attack alone, by a part of its name.
    #[arg(long)]
    only: Option<String>,
}

/// A server, ended when it is dropped.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    /// Starts the program with its default limits over a store of its own.
    fn start(program: &str, folder: &std::path::Path) -> Server {
        let mut child = Command::new(program)
            .args(["serve", "--listen", "[::]:0", "--bots", "false", "--log-level", "error", "--store"])
            .arg(folder.join("paigow.db"))
            // What was counted before would be answered at once.
            .env("PAIGOW_CACHE", folder.join("cache"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let greeting = lines.next().expect("it says where it listens").unwrap();
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
        // A store and a process each: what one attack leaves behind is not the next one's.
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
            measured.counts.says(),
            measured.health.times.len(),
            measured.health.asked,
            measured.health.slowest(),
            measured.commands.times.len(),
            measured.commands.asked,
            measured.commands.median(),
            measured.commands.slowest(),
            measured.processor / 100,
            measured.processor % 100,
            measured.processor_after / 100,
            measured.processor_after % 100,
            measured.memory / 1_024,
            measured.lobby / 1_000,
        );
    }
}
