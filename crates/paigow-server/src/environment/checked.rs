//! Time that does not follow a jump of the wall clock at once.
//!
//! The served time is the wall clock's while the wall clock runs as fast as the monotonic clock, within two seconds a
//! minute. After a jump of the wall clock, the served time continues by the monotonic clock. If the wall clock jumps
//! back, the jump has no effect. If it stays consistent at its new time for five minutes, it was set on purpose or the
//! machine slept, and the served time follows it. For a day after following a jump forward, sessions expire by the time
//! before the jump, so that a session used within that day is kept.

use crate::Environment;
use paigow_table::Time;
use prometheus_client::metrics::counter::Counter;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Deviation that is ignored: reading two clocks one after the other can cause this much.
const NOISE_MS: u64 = 100;
/// Monotonic milliseconds per millisecond of allowed drift: two seconds a minute.
const MS_PER_DRIFT: u64 = 30;
/// Maximum drift that is followed at once.
const DRIFT_MS_MAX: u64 = 2_000;
/// How long the wall clock must stay consistent before a jump is followed.
const CONSISTENT_MS: u64 = 5 * 60_000;
/// How long sessions expire by the earlier time after a jump was followed.
const GRACE_MS: u64 = 24 * 3_600_000;
/// How far the wall clock may be behind the newest stored event at startup.
const BEHIND_MS: u64 = 60_000;
/// How far the wall clock may be ahead of the newest stored event at startup.
const AHEAD_MS: u64 = 7 * 24 * 3_600_000;
/// Maximum attempts at a reading. If all are slow, the fastest is used.
const READINGS: usize = 3;

/// The clocks of a machine.
pub trait TimeSource: Send + Sync {
    /// Reads the wall clock, which can be set.
    fn wall(&self) -> Time;

    /// Reads the monotonic clock: the time since an arbitrary moment.
    fn monotonic(&self) -> Duration;
}

/// The clocks of the operating system.
#[derive(Clone, Copy, Debug)]
pub struct SystemClocks {
    start: Instant,
}

impl Default for SystemClocks {
    fn default() -> SystemClocks {
        SystemClocks { start: Instant::now() }
    }
}

impl TimeSource for SystemClocks {
    fn wall(&self) -> Time {
        // A clock before 1970 is wrong. It reads as 1970.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Time(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    fn monotonic(&self) -> Duration {
        self.start.elapsed()
    }
}

/// Counters of wall clock jumps.
#[derive(Clone, Debug, Default)]
pub(crate) struct JumpCounts {
    /// Jumps noticed.
    pub(crate) jumps: Counter,
    /// Jumps that were followed.
    pub(crate) followed: Counter,
}

/// Environment with checked time and the random number generator of the operating system.
pub struct CheckedEnvironment<T = SystemClocks> {
    source: T,
    state: Mutex<State>,
    counts: JumpCounts,
}

struct State {
    /// Served time minus monotonic clock, in milliseconds.
    offset: i64,
    /// Monotonic milliseconds not yet spent on a drift.
    unused_ms: u64,
    /// Monotonic time of the last reading, in milliseconds.
    read_at: u64,
    jump: Option<Jump>,
    grace: Option<Grace>,
}

/// A jump that is not followed yet.
#[derive(Clone, Copy)]
struct Jump {
    offset: i64,
    /// Monotonic time since which the wall clock is consistent.
    since: u64,
}

/// Period in which sessions expire by an earlier time.
#[derive(Clone, Copy)]
struct Grace {
    /// How much earlier than the served time.
    earlier_ms: u64,
    /// End of the period by the monotonic clock.
    until: u64,
}

/// One reading of both clocks, in milliseconds.
#[derive(Clone, Copy)]
struct Reading {
    monotonic: u64,
    /// Wall clock minus monotonic clock.
    offset: i64,
}

impl CheckedEnvironment {
    /// Creates an environment over the clocks of the operating system.
    pub(crate) fn system(counts: JumpCounts) -> CheckedEnvironment {
        CheckedEnvironment::with(SystemClocks::default(), counts)
    }
}

impl<T: TimeSource> CheckedEnvironment<T> {
    /// Creates an environment that trusts the wall clock's current time.
    pub fn new(source: T) -> CheckedEnvironment<T> {
        CheckedEnvironment::with(source, JumpCounts::default())
    }

    fn with(source: T, counts: JumpCounts) -> CheckedEnvironment<T> {
        let Reading { monotonic, offset } = read(&source);
        let unused_ms = DRIFT_MS_MAX * MS_PER_DRIFT;
        let state = State { offset, unused_ms, read_at: monotonic, jump: None, grace: None };
        CheckedEnvironment { source, state: Mutex::new(state), counts }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the time by which sessions expire: [`Environment::now`], or an earlier time for a day after a jump
    /// forward.
    pub fn session_now(&self) -> Time {
        let now = self.now();
        let monotonic = millis(self.source.monotonic());
        let grace = self.state().grace.filter(|grace| monotonic < grace.until);
        Time(now.0.saturating_sub(grace.map_or(0, |grace| grace.earlier_ms)))
    }

    /// Milliseconds by which the wall clock is ahead of the served time, or `None` without a jump that is not followed
    /// yet.
    pub fn jumped_ms(&self) -> Option<i64> {
        self.now();
        let state = self.state();
        state.jump.map(|jump| jump.offset - state.offset)
    }

    /// Number of jumps, and how many of them were followed.
    pub fn jumps(&self) -> (u64, u64) {
        (self.counts.jumps.get(), self.counts.followed.get())
    }

    /// Compares the wall clock with the newest stored event at startup, because there is nothing else to compare it
    /// with.
    pub fn compare_with_stored(&self, newest: Time) {
        let now = self.now();
        let (behind, ahead) = (newest.0.saturating_sub(now.0), now.0.saturating_sub(newest.0));
        if behind > BEHIND_MS {
            tracing::warn!(
                seconds = behind / 1_000,
                "the clock is behind the newest stored event: check that it is right"
            );
        }
        if ahead > AHEAD_MS {
            let days = ahead / (24 * 3_600_000);
            tracing::warn!(
                days,
                "the clock is far ahead of the newest stored event: check that it is right; sessions are kept for a day"
            );
            let until = millis(self.source.monotonic()).saturating_add(GRACE_MS);
            self.state().grace = Some(Grace { earlier_ms: ahead, until });
        }
    }
}

impl<T: TimeSource> Environment for CheckedEnvironment<T> {
    fn now(&self) -> Time {
        // Read under the lock, so that readings are in order.
        let mut state = self.state();
        let reading = read(&self.source);
        state.update(reading, &self.counts);
        Time(reading.monotonic.saturating_add_signed(state.offset))
    }

    fn entropy(&self) -> Result<[u8; 32], getrandom::Error> {
        crate::SystemEnvironment.entropy()
    }
}

impl State {
    /// Processes a reading: follows a drift, notices a jump, or follows a jump that has lasted long enough.
    fn update(&mut self, Reading { monotonic, offset }: Reading, counts: &JumpCounts) {
        let passed = monotonic.saturating_sub(self.read_at);
        self.read_at = monotonic;
        self.unused_ms = self.unused_ms.saturating_add(passed).min(DRIFT_MS_MAX * MS_PER_DRIFT);
        let deviation = offset.abs_diff(self.offset);
        let ahead_ms = offset - self.offset;
        if deviation <= NOISE_MS || deviation.saturating_mul(MS_PER_DRIFT) <= self.unused_ms {
            if deviation > NOISE_MS {
                self.unused_ms -= deviation * MS_PER_DRIFT;
                self.offset = offset;
            }
            if self.jump.take().is_some() {
                tracing::warn!("the wall clock jumped back; the jump was not followed");
            }
            return;
        }
        match self.jump {
            Some(jump) if offset.abs_diff(jump.offset) <= DRIFT_MS_MAX => {
                if monotonic.saturating_sub(jump.since) >= CONSISTENT_MS {
                    counts.followed.inc();
                    tracing::warn!(ahead_ms, "the wall clock kept its new time; the jump is followed");
                    self.follow(offset, monotonic);
                }
            }
            _ => {
                counts.jumps.inc();
                // Repeated jumps are logged once.
                if self.jump.is_none() {
                    tracing::warn!(
                        ahead_ms,
                        "the wall clock jumped; the jump is not followed unless it lasts"
                    );
                }
                self.jump = Some(Jump { offset, since: monotonic });
            }
        }
    }

    fn follow(&mut self, offset: i64, monotonic: u64) {
        let grace = self.grace.filter(|grace| monotonic < grace.until);
        let earlier = grace.map_or(0, |grace| grace.earlier_ms);
        let earlier_ms = earlier.saturating_add_signed(offset - self.offset);
        let until = monotonic.saturating_add(GRACE_MS);
        self.grace = (earlier_ms > 0).then_some(Grace { earlier_ms, until });
        self.offset = offset;
        self.unused_ms = DRIFT_MS_MAX * MS_PER_DRIFT;
        self.jump = None;
    }
}

/// Reads both clocks. Retries if the process was suspended between the two readings.
fn read(source: &impl TimeSource) -> Reading {
    let once = || {
        let before = millis(source.monotonic());
        let wall = source.wall().0;
        let monotonic = millis(source.monotonic());
        let took = monotonic.saturating_sub(before);
        (took, Reading { monotonic, offset: wall.cast_signed().saturating_sub(monotonic.cast_signed()) })
    };
    let mut best = once();
    for _ in 1..READINGS {
        if best.0 < NOISE_MS {
            break;
        }
        best = std::cmp::min_by_key(best, once(), |(took, _)| *took);
    }
    best.1
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
