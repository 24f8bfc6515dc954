//! One attack, measured.

use super::kinds::{Attack, Counts};
use super::probe::{Answers, Player, check_health, usage};
use super::wire::ask;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long the server has to notice that the attacker has left.
const SETTLE: Duration = Duration::from_millis(300);
/// How often memory is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// What was measured.
pub(crate) struct Measured {
    /// What the attacker did and what came of it.
    pub(crate) counts: Counts,
    /// Health checks from the attacker's own address.
    pub(crate) health: Answers,
    /// Commands of a player at another address.
    pub(crate) commands: Answers,
    /// Processor time in milliseconds of a core.
    pub(crate) processor: u64,
    /// The same in the half second after the attacker has left.
    pub(crate) processor_after: u64,
    /// The most memory in KiB.
    pub(crate) memory: u64,
    /// Bytes of the lobby's first answer afterwards.
    pub(crate) lobby: usize,
}

/// Attacks a server that listens at this port of all addresses for so long. The attacker and the health checks come from the IPv4 loopback
/// address, the player from the IPv6 one.
pub(crate) fn measure(
    attack: Attack,
    process: u32,
    port: u16,
    time: Duration,
    connections: usize,
) -> Option<Measured> {
    let attacker = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let player = Player::sit(SocketAddr::from((Ipv6Addr::LOCALHOST, port)))?;
    let stop = AtomicBool::new(false);
    let (start, before) = (Instant::now(), usage(process).processor);
    let mut memory = 0;
    let (counts, health, commands) = thread::scope(|scope| {
        let attacking = scope.spawn(|| attack.run(attacker, &stop, connections));
        let checking = scope.spawn(|| check_health(attacker, &stop));
        let playing = scope.spawn(|| player.play(&stop));
        while start.elapsed() < time {
            memory = memory.max(usage(process).memory);
            thread::sleep(LOOK);
        }
        stop.store(true, Ordering::Relaxed);
        Some((attacking.join().ok()?, checking.join().ok()?, playing.join().ok()?))
    })?;
    let milliseconds = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX).max(1);
    let processor = (usage(process).processor - before) * 1_000 / milliseconds;
    thread::sleep(SETTLE);
    let left = usage(process).processor;
    thread::sleep(Duration::from_millis(500));
    let processor_after = 2 * (usage(process).processor - left);
    let lobby = ask(
        SocketAddr::from((Ipv6Addr::LOCALHOST, port)),
        Duration::from_secs(5),
        ("GET", "/api/tables", "", ""),
    );
    let lobby = lobby.map_or(0, |answer| answer.text.len());
    Some(Measured { counts, health, commands, processor, processor_after, memory, lobby })
}
