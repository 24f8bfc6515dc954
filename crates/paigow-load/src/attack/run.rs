//! Measurement of one attack.

use super::kinds::{Attack, Counts};
use super::probe::{Player, ResponseLog, check_health, usage};
use super::wire::send;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Time for the server to notice that the attacker has disconnected.
const SETTLE_TIME: Duration = Duration::from_millis(300);
/// Time between two samples of the memory use.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(100);

/// Results of one attack.
pub(crate) struct Measurement {
    /// The attacker's attempts by outcome.
    pub(crate) counts: Counts,
    /// Health checks from the attacker's own address.
    pub(crate) health: ResponseLog,
    /// Commands of a player from another address.
    pub(crate) commands: ResponseLog,
    /// CPU use during the attack, in hundredths of a core.
    pub(crate) cpu: u64,
    /// CPU use in the half second after the attacker has disconnected, in hundredths of a core.
    pub(crate) cpu_after: u64,
    /// Peak memory in KiB.
    pub(crate) memory: u64,
    /// Bytes of the lobby's response after the attack.
    pub(crate) lobby: usize,
}

/// Attacks a server that listens on `port` on all addresses. The attacker and the health checks use the IPv4 loopback
/// address, the player the IPv6 one. Returns `None` if the player cannot sit down.
pub(crate) fn measure(
    attack: Attack,
    process: u32,
    port: u16,
    time: Duration,
    connections: usize,
) -> Option<Measurement> {
    let attacker = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let player = Player::sit(SocketAddr::from((Ipv6Addr::LOCALHOST, port)))?;
    let stop = AtomicBool::new(false);
    let (start, before) = (Instant::now(), usage(process).cpu);
    let mut memory = 0;
    let (counts, health, commands) = thread::scope(|scope| {
        let attacking = scope.spawn(|| attack.run(attacker, &stop, connections));
        let checking = scope.spawn(|| check_health(attacker, &stop));
        let playing = scope.spawn(|| player.play(&stop));
        while start.elapsed() < time {
            memory = memory.max(usage(process).memory);
            thread::sleep(SAMPLE_INTERVAL);
        }
        stop.store(true, Ordering::Relaxed);
        Some((attacking.join().ok()?, checking.join().ok()?, playing.join().ok()?))
    })?;
    let milliseconds = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX).max(1);
    let cpu = (usage(process).cpu - before) * 1_000 / milliseconds;
    thread::sleep(SETTLE_TIME);
    let left = usage(process).cpu;
    thread::sleep(Duration::from_millis(500));
    let cpu_after = 2 * (usage(process).cpu - left);
    let lobby = send(
        SocketAddr::from((Ipv6Addr::LOCALHOST, port)),
        Duration::from_secs(5),
        ("GET", "/api/tables", "", ""),
    );
    let lobby = lobby.map_or(0, |response| response.text.len());
    Some(Measurement { counts, health, commands, cpu, cpu_after, memory, lobby })
}
