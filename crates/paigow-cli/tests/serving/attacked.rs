//! Short attacks on a server with default limits. `cargo xtask attack` runs the same attacks for longer.

use crate::attack::kinds::Attack;
use crate::attack::run::measure;
use crate::process::Server;
use crate::program::paigow;
use std::time::Duration;
use tempfile::TempDir;

/// Duration of each attack.
const DURATION: Duration = Duration::from_secs(1);
/// Number of connections of each attack.
const CONNECTIONS: usize = 600;
/// Maximum memory of the server, in KiB. The attack with odds questions is exempt, because counting a base game needs
/// more. The server counts one at a time.
const MEMORY_MAX: u64 = 200 << 10;
/// Maximum size of the first page of the lobby, in bytes.
const LOBBY_BYTES_MAX: usize = 150_000;

fn assert_survives(attack: Attack) {
    let folder = TempDir::new().unwrap();
    let mut command = paigow();
    command.args(["serve", "--listen", "[::]:0", "--bots", "false", "--store"]);
    command.arg(folder.path().join("paigow.db")).env("PAIGOW_CACHE", folder.path().join("cache"));
    let server = Server::start_command(command);
    let port = server.address.rsplit(':').next().unwrap().parse().unwrap();
    let measured = measure(attack, server.id(), port, DURATION, CONNECTIONS).expect("a seated player");
    let label = format!("{}: {}", attack.name(), measured.counts.summary());
    println!("{label}; {:?}; {:?}; {} KiB", measured.health, measured.commands, measured.memory);
    let (answered, sent) = (measured.health.times.len(), measured.health.sent);
    assert!(sent >= 3 && answered + 1 >= sent, "{label}: {answered} of {sent} health checks");
    let (answered, sent) = (measured.commands.times.len(), measured.commands.sent);
    assert!(sent >= 2 && answered == sent, "{label}: {answered} of {sent} commands");
    assert!(attack == Attack::Odds || measured.memory < MEMORY_MAX, "{label}: {} KiB", measured.memory);
    assert!(
        measured.lobby > 0 && measured.lobby < LOBBY_BYTES_MAX,
        "{label}: a lobby of {} bytes",
        measured.lobby
    );
}

#[test]
fn health_checks_and_players_are_answered_under_every_attack() {
    for attack in Attack::ALL {
        assert_survives(attack);
    }
}
