//! Decides when the listeners of a table wake up for an event.
//!
//! They wake up at once, unless the event can wait and they woke up a short time ago.

use std::time::Duration;
use tokio::time::Instant;

/// Maximum delay of an event that can wait.
const LINGER_MS: u64 = 500;
/// Maximum number of delayed events.
const WAITING_MAX: u32 = 16;

/// Time of the last or next wake-up, and the events that wait for it.
#[derive(Default)]
pub(super) struct WakeBatcher {
    /// Time of the last wake-up, or of the next one if it is scheduled.
    woken: Option<Instant>,
    /// Number of events that wait for it.
    waiting: u32,
}

/// Time to wake the listeners.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Wake {
    Now,
    At(Instant),
    /// A wake-up is already scheduled.
    Already,
}

impl WakeBatcher {
    /// Returns when to wake the listeners for an event that happened now.
    pub(super) fn schedule(&mut self, can_wait: bool, now: Instant) -> Wake {
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
    fn events_that_can_wait_are_batched() {
        let start = Instant::now();
        let after = |ms| start + Duration::from_millis(ms);
        let mut wake_batcher = WakeBatcher::default();
        assert_eq!(wake_batcher.schedule(true, after(0)), Wake::Now, "no wake-up for a while");
        assert_eq!(wake_batcher.schedule(true, after(100)), Wake::At(after(500)));
        assert_eq!(wake_batcher.schedule(true, after(200)), Wake::Already);
        assert_eq!(wake_batcher.schedule(true, after(600)), Wake::At(after(1_000)));
        assert_eq!(wake_batcher.schedule(false, after(700)), Wake::Now, "the event cannot wait");
        assert_eq!(wake_batcher.schedule(true, after(1_300)), Wake::Now);
        assert_eq!(wake_batcher.schedule(true, after(1_301)), Wake::At(after(1_800)));
        let wakes: Vec<Wake> = (0..WAITING_MAX).map(|_| wake_batcher.schedule(true, after(1_302))).collect();
        assert_eq!(wakes.iter().position(|wake| *wake == Wake::Now), Some(15), "too many events wait");
    }
}
