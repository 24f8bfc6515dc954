//! Time that a jump of the wall clock does not change at once.
//!
//! The time served is the wall clock's as long as that one goes as fast as the monotonic clock, give or take two seconds a minute. If the wall
//! clock jumps, the time served goes on by the monotonic clock. If the wall clock comes back, nothing has happened; if it then agrees with
//! itself for five minutes, it was set on purpose, or the machine slept, and the time served follows it. For a day after a jump forward
//! that was followed, sessions are judged by the time from before it: a session that is used within that day is kept.

use crate::Environment;
use paigow_table::Time;
use prometheus_client::metrics::counter::Counter;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Deviation that is not followed: reading two clocks one after the other gives that much.
const NOISE_MS: u64 = 100;
/// Monotonic milliseconds that allow the wall clock to drift by one: two seconds a minute.
const MS_PER_DRIFT: u64 = 30;
/// Most drift that is allowed at once.
const DRIFT_MS_MAX: u64 = 2_000;
/// How long the wall clock must agree with itself before a jump is followed.
const AGREES_MS: u64 = 5 * 60_000;
/// How long sessions are judged by the time from before a jump that was followed.
const GRACE_MS: u64 = 24 * 3_600_000;
/// At a start: how far behind the newest stored event the wall clock may be,
const BEHIND_MS: u64 = 60_000;
/// and how far ahead of it.
const AHEAD_MS: u64 = 7 * 24 * 3_600_000;
/// How often both clocks are read before a slow reading is used.
const READINGS: usize = 3;

/// The clocks of a machine.
pub trait TimeSource: Send + Sync {
    /// The wall clock, which may be set.
    fn wall(&self) -> Time;

    /// Time since some moment, which only goes forward.
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
        // A clock before 1970 is set wrongly; deadlines then count from there.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Time(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    fn monotonic(&self) -> Duration {
        self.start.elapsed()
    }
}

/// Counters of jumps.
#[derive(Clone, Debug, Default)]
pub(crate) struct JumpCounts {
    /// Jumps of the wall clock.
    pub(crate) jumps: Counter,
    /// Jumps that were followed.
    pub(crate) followed: Counter,
}

/// Checked time, and the random numbers of the operating system.
pub struct CheckedEnvironment<T = SystemClocks> {
    source: T,
    state: Mutex<State>,
    counts: JumpCounts,
}

struct State {
    /// Wall clock less monotonic clock, in milliseconds, that the time served goes by.
    offset: i64,
    /// Monotonic milliseconds that have not been used to allow a drift.
    unused_ms: u64,
    /// When that was counted last, by the monotonic clock.
    counted: u64,
    jump: Option<Jump>,
    grace: Option<Grace>,
}

/// A jump that is not followed yet.
#[derive(Clone, Copy)]
struct Jump {
    offset: i64,
    /// Since when the wall clock agrees with itself, by the monotonic clock.
    since: u64,
}

/// Sessions are judged by an earlier time.
#[derive(Clone, Copy)]
struct Grace {
    earlier_ms: u64,
    /// By the monotonic clock.
    until: u64,
}

/// One reading of both clocks, in milliseconds.
#[derive(Clone, Copy)]
struct Reading {
    monotonic: u64,
    /// Wall clock less monotonic clock.
    offset: i64,
}

impl CheckedEnvironment {
    /// The time and the random numbers of the operating system.
    pub(crate) fn system(counts: JumpCounts) -> CheckedEnvironment {
        CheckedEnvironment::with(SystemClocks::default(), counts)
    }
}

impl<T: TimeSource> CheckedEnvironment<T> {
    /// Time checked from now on.
    pub fn new(source: T) -> CheckedEnvironment<T> {
        CheckedEnvironment::with(source, JumpCounts::default())
    }

    fn with(source: T, counts: JumpCounts) -> CheckedEnvironment<T> {
        let Reading { monotonic, offset } = read(&source);
        let unused_ms = DRIFT_MS_MAX * MS_PER_DRIFT;
        let state = State { offset, unused_ms, counted: monotonic, jump: None, grace: None };
        CheckedEnvironment { source, state: Mutex::new(state), counts }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time by which sessions are judged: that of [`Environment::now`], or an earlier one for a day after a jump forward.
    pub fn session_now(&self) -> Time {
        let now = self.now();
        let monotonic = millis(self.source.monotonic());
        let grace = self.state().grace.filter(|grace| monotonic < grace.until);
        Time(now.0.saturating_sub(grace.map_or(0, |grace| grace.earlier_ms)))
    }

    /// Milliseconds by which the wall clock is ahead of the time served; `None` unless it jumped and the jump is not followed.
    pub fn jumped_ms(&self) -> Option<i64> {
        self.now();
        let state = self.state();
        state.jump.map(|jump| jump.offset - state.offset)
    }

    /// How many jumps there were, and how many of them were followed.
    pub fn jumps(&self) -> (u64, u64) {
        (self.counts.jumps.get(), self.counts.followed.get())
    }

    /// Compares the wall clock with the newest stored event, at a start: there is nothing else to compare it with.
    pub fn compare_with_stored(&self, newest: Time) {
        let now = self.now();
        let (behind, ahead) = (newest.0.saturating_sub(now.0), now.0.saturating_sub(newest.0));
        if behind > BEHIND_MS {
            tracing::warn!(
                seconds = behind / 1_000,
                "the clock is behind the newest stored event; is it set right?"
            );
        }
        if ahead > AHEAD_MS {
            let days = ahead / (24 * 3_600_000);
            tracing::warn!(
                days,
                "the clock is far ahead of the newest stored event; is it set right? Sessions are kept for a day"
            );
            let until = millis(self.source.monotonic()).saturating_add(GRACE_MS);
            self.state().grace = Some(Grace { earlier_ms: ahead, until });
        }
    }
}

impl<T: TimeSource> Environment for CheckedEnvironment<T> {
    fn now(&self) -> Time {
        // Read under the lock: readings come in order.
        let mut state = self.state();
        let reading = read(&self.source);
        state.learn(reading, &self.counts);
        Time(reading.monotonic.saturating_add_signed(state.offset))
    }

    fn entropy(&self) -> Result<[u8; 32], getrandom::Error> {
        crate::SystemEnvironment.entropy()
    }
}

impl State {
    /// Takes a reading: follows a drift, notices a jump, or follows a jump that lasts.
    fn learn(&mut self, Reading { monotonic, offset }: Reading, counts: &JumpCounts) {
        let passed = monotonic.saturating_sub(self.counted);
        self.counted = monotonic;
        self.unused_ms = self.unused_ms.saturating_add(passed).min(DRIFT_MS_MAX * MS_PER_DRIFT);
        let off = offset.abs_diff(self.offset);
        let ahead_ms = offset - self.offset;
        if off <= NOISE_MS || off.saturating_mul(MS_PER_DRIFT) <= self.unused_ms {
            if off > NOISE_MS {
                self.unused_ms -= off * MS_PER_DRIFT;
                self.offset = offset;
            }
            if self.jump.take().is_some() {
                tracing::warn!("the wall clock is right again; its jump was not followed");
            }
            return;
        }
        match self.jump {
            Some(jump) if offset.abs_diff(jump.offset) <= DRIFT_MS_MAX => {
                if monotonic.saturating_sub(jump.since) >= AGREES_MS {
                    counts.followed.inc();
                    tracing::warn!(ahead_ms, "the wall clock keeps its new time; it is followed from now on");
                    self.follow(offset, monotonic);
                }
            }
            _ => {
                counts.jumps.inc();
                // A clock that jumps all the time is logged once.
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

/// Reads both clocks. A process that is put to sleep between the two readings reads again.
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
