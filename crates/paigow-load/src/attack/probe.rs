//! What others notice while a server is attacked: health checks, a player's commands, and what the process takes.

use super::wire::{ask, values};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long a health check waits for its answer, and how often one is made.
const CHECK_WAIT: Duration = Duration::from_secs(1);
const CHECK_EVERY: Duration = Duration::from_millis(100);
/// The same of a player's command.
const COMMAND_WAIT: Duration = Duration::from_secs(20);
const COMMAND_EVERY: Duration = Duration::from_millis(150);

/// Questions that were asked, answered as they should be, and how long the answers took.
#[derive(Default, Debug)]
pub(crate) struct Answers {
    pub(crate) asked: usize,
    pub(crate) times: Vec<Duration>,
}

impl Answers {
    pub(crate) fn slowest(&self) -> Duration {
        self.times.iter().max().copied().unwrap_or_default()
    }

    pub(crate) fn median(&self) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or_default()
    }
}

fn repeat(stop: &AtomicBool, every: Duration, mut question: impl FnMut(usize) -> bool) -> Answers {
    let mut answers = Answers::default();
    while !stop.load(Ordering::Relaxed) {
        let start = Instant::now();
        if question(answers.asked) {
            answers.times.push(start.elapsed());
        }
        answers.asked += 1;
        thread::sleep(every);
    }
    answers
}

/// Checks the health of a server, each time on a new connection.
pub(crate) fn check_health(address: SocketAddr, stop: &AtomicBool) -> Answers {
    let check = |_| ask(address, CHECK_WAIT, ("GET", "/healthz", "", ""));
    repeat(stop, CHECK_EVERY, |number| check(number).is_ok_and(|answer| answer.status == 200))
}

/// A player who sits at a table.
pub(crate) struct Player {
    address: SocketAddr,
    cookie: String,
    table: String,
}

impl Player {
    /// Begins a session and sits down; `None` where the server does not let them.
    pub(crate) fn sit(address: SocketAddr) -> Option<Player> {
        let guest = ask(address, COMMAND_WAIT, ("POST", "/api/session", "", "{}")).ok()?;
        let table = values(address, "/api/tables", "table").into_iter().next()?;
        let player = Player { address, cookie: guest.cookie()?, table };
        player.command("sit", "{\"do\":\"sit\",\"seat\":1}").then_some(player)
    }

    fn command(&self, id: &str, command: &str) -> bool {
        let body = format!("{{\"id\":\"{id}\",\"command\":{command}}}");
        let path = format!("/api/tables/{}/commands", self.table);
        let answer = ask(self.address, COMMAND_WAIT, ("POST", &path, &self.cookie, &body));
        // A refusal by the rules of the game is an answer too.
        answer.is_ok_and(|answer| matches!(answer.status, 200 | 409))
    }

    /// Sits out and returns, again and again: each command is on the disk when it is answered.
    pub(crate) fn play(&self, stop: &AtomicBool) -> Answers {
        repeat(stop, COMMAND_EVERY, |number| {
            let command = if number % 2 == 0 { "{\"do\":\"sit_out\"}" } else { "{\"do\":\"return\"}" };
            self.command(&format!("c-{:?}-{number}", thread::current().id()).replace(['(', ')'], ""), command)
        })
    }
}

/// What the operating system says of a process.
pub(crate) struct Usage {
    /// Processor time in hundredths of a second.
    pub(crate) processor: u64,
    /// Memory in KiB.
    pub(crate) memory: u64,
}

/// What a process has taken so far, on Linux; nothing elsewhere.
pub(crate) fn usage(process: u32) -> Usage {
    let read = |file: &str| std::fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default();
    let stat = read("stat");
    // The name, in parentheses, may have anything in it; of what follows the twelfth and thirteenth are meant.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let processor = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    let status = read("status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let memory = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0);
    Usage { processor, memory }
}
