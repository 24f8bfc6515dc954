//! The program with its default limits under one attack after the other, in short: `cargo xtask attack` measures the same for longer.

use crate::attack::kinds::Attack;
use crate::attack::run::measure;
use crate::process::Server;
use crate::program::paigow;
use std::time::Duration;
use tempfile::TempDir;

/// How long each attack lasts, and how many connections it has.
const TIME: Duration = Duration::from_secs(1);
const CONNECTIONS: usize = 600;
/// What the server may take in memory, in KiB. A count of the base game takes more, and one at a time is done: it is measured apart.
const MEMORY: u64 = 200 << 10;
/// The lobby's first page, in bytes.
const LOBBY: usize = 150_000;

fn survives(attack: Attack) {
    let folder = TempDir::new().unwrap();
    let mut command = paigow();
    command.args(["serve", "--listen", "[::]:0", "--bots", "false", "--store"]);
    command.arg(folder.path().join("paigow.db")).env("PAIGOW_CACHE", folder.path().join("cache"));
    let server = Server::start_by(command);
    let port = server.address.rsplit(':').next().unwrap().parse().unwrap();
    let measured = measure(attack, server.id(), port, TIME, CONNECTIONS).expect("a player sits down");
    let what = format!("{}: {}", attack.name(), measured.counts.says());
    println!("{what}; {:?}; {:?}; {} KiB", measured.health, measured.commands, measured.memory);
    let (answered, asked) = (measured.health.times.len(), measured.health.asked);
    assert!(asked >= 3 && answered + 1 >= asked, "{what}: {answered} of {asked} health checks");
    let (answered, asked) = (measured.commands.times.len(), measured.commands.asked);
    assert!(asked >= 2 && answered == asked, "{what}: {answered} of {asked} commands");
    assert!(attack == Attack::Odds || measured.memory < MEMORY, "{what}: {} KiB", measured.memory);
    assert!(measured.lobby > 0 && measured.lobby < LOBBY, "{what}: a lobby of {} bytes", measured.lobby);
}

#[test]
fn health_checks_and_players_are_answered_under_every_attack() {
    for attack in Attack::ALL {
        survives(attack);
    }
}
