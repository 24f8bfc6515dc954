//! Measurements during an attack: health checks, a player's commands, CPU time and memory.

use super::wire::{send, values};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Timeout of a health check, and pause between two.
const CHECK_TIMEOUT: Duration = Duration::from_secs(1);
const CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// Timeout of a player's command, and pause between two.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(20);
const COMMAND_INTERVAL: Duration = Duration::from_millis(150);

/// Number of requests sent, and the response times of those that succeeded.
#[derive(Default, Debug)]
pub(crate) struct ResponseLog {
    pub(crate) sent: usize,
    pub(crate) times: Vec<Duration>,
}

impl ResponseLog {
    pub(crate) fn slowest(&self) -> Duration {
        self.times.iter().max().copied().unwrap_or_default()
    }

    pub(crate) fn median(&self) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or_default()
    }
}

fn repeat(stop: &AtomicBool, interval: Duration, mut attempt: impl FnMut(usize) -> bool) -> ResponseLog {
    let mut log = ResponseLog::default();
    while !stop.load(Ordering::Relaxed) {
        let start = Instant::now();
        if attempt(log.sent) {
            log.times.push(start.elapsed());
        }
        log.sent += 1;
        thread::sleep(interval);
    }
    log
}

/// Requests `/healthz` until `stop` is set, each time on a new connection.
pub(crate) fn check_health(address: SocketAddr, stop: &AtomicBool) -> ResponseLog {
    let check = |_| send(address, CHECK_TIMEOUT, ("GET", "/healthz", "", ""));
    repeat(stop, CHECK_INTERVAL, |number| check(number).is_ok_and(|response| response.status == 200))
}

/// A player seated at a table.
pub(crate) struct Player {
    address: SocketAddr,
    cookie: String,
    table: String,
}

impl Player {
    /// Starts a session and sits down. Returns `None` if the server refuses.
    pub(crate) fn sit(address: SocketAddr) -> Option<Player> {
        let guest = send(address, COMMAND_TIMEOUT, ("POST", "/api/session", "", "{}")).ok()?;
        let table = values(address, "/api/tables", "table").into_iter().next()?;
        let player = Player { address, cookie: guest.cookie()?, table };
        player.command("sit", "{\"do\":\"sit\",\"seat\":1}").then_some(player)
    }

    fn command(&self, id: &str, command: &str) -> bool {
        let body = format!("{{\"id\":\"{id}\",\"command\":{command}}}");
        let path = format!("/api/tables/{}/commands", self.table);
        let response = send(self.address, COMMAND_TIMEOUT, ("POST", &path, &self.cookie, &body));
        // 409 is a refusal by the rules of the game, which is a response as well.
        response.is_ok_and(|response| matches!(response.status, 200 | 409))
    }

    /// Alternates between sitting out and returning. Each command is on disk before its response.
    pub(crate) fn play(&self, stop: &AtomicBool) -> ResponseLog {
        repeat(stop, COMMAND_INTERVAL, |number| {
            let command = if number % 2 == 0 { "{\"do\":\"sit_out\"}" } else { "{\"do\":\"return\"}" };
            self.command(&format!("c-{:?}-{number}", thread::current().id()).replace(['(', ')'], ""), command)
        })
    }
}

/// Resources used by a process.
pub(crate) struct Usage {
    /// CPU time in hundredths of a second.
    pub(crate) cpu: u64,
    /// Memory in KiB.
    pub(crate) memory: u64,
}

/// Returns the resources that a process has used so far. Zero on systems without `/proc`.
pub(crate) fn usage(process: u32) -> Usage {
    let read = |file: &str| std::fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default();
    let stat = read("stat");
    // The process name, in parentheses, can contain spaces. After it, `utime` and `stime` are fields 12 and 13.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let cpu = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    let status = read("status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let memory = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0);
    Usage { cpu, memory }
}
