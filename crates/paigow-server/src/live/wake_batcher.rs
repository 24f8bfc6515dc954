//! When those who look at a table are woken: at once, unless what has happened can wait and they were woken a moment ago.

use std::time::Duration;
use tokio::time::Instant;

/// How long what can wait waits at most,
const LINGER_MS: u64 = 500;
/// and how much of it.
const WAITING_MAX: u32 = 16;

/// What is still to be told.
#[derive(Default)]
pub(super) struct WakeBatcher {
    /// When everybody was woken last, or will be next.
    woken: Option<Instant>,
    /// How many events wait for that.
    waiting: u32,
}

/// When to wake everybody.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Wake {
    Now,
    At(Instant),
    /// They will be woken soon.
    Already,
}

impl WakeBatcher {
    /// When to wake everybody for what has happened now.
    pub(super) fn of(&mut self, can_wait: bool, now: Instant) -> Wake {
        if let Some(woken) = self.woken
            && can_wait
            && self.waiting < WAITING_MAX
        {
            if now < woken {
                self.waiting += 1;
                return Wake::Already;
            }
            let due = woken + Duration::from_millis(LINGER_MS);
            if now < due {
                *self = WakeBatcher { woken: Some(due), waiting: 1 };
                return Wake::At(due);
            }
        }
        *self = WakeBatcher { woken: Some(now), waiting: 0 };
        Wake::Now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_wait_is_told_at_once_or_with_what_comes_within_a_moment() {
        let start = Instant::now();
        let after = |ms| start + Duration::from_millis(ms);
        let mut wake_batcher = WakeBatcher::default();
        assert_eq!(wake_batcher.of(true, after(0)), Wake::Now, "nothing was told for a while");
        assert_eq!(wake_batcher.of(true, after(100)), Wake::At(after(500)));
        assert_eq!(wake_batcher.of(true, after(200)), Wake::Already);
        assert_eq!(wake_batcher.of(true, after(600)), Wake::At(after(1_000)));
        assert_eq!(wake_batcher.of(false, after(700)), Wake::Now, "somebody waits for this");
        assert_eq!(wake_batcher.of(true, after(1_300)), Wake::Now);
        assert_eq!(wake_batcher.of(true, after(1_301)), Wake::At(after(1_800)));
        let wakes: Vec<Wake> = (0..WAITING_MAX).map(|_| wake_batcher.of(true, after(1_302))).collect();
        assert_eq!(wakes.iter().position(|wake| *wake == Wake::Now), Some(15), "it is much by now");
    }
}
