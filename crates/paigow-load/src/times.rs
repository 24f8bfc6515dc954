//! How long things took.

use std::time::Duration;

/// The times below which most answers stay, in milliseconds.
pub(crate) struct Times {
    pub(crate) count: usize,
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    pub(crate) p999: f64,
    pub(crate) most: f64,
}

impl Times {
    pub(crate) fn of(mut times: Vec<Duration>) -> Times {
        times.sort_unstable();
        let at = |of_thousand: usize| {
            let place = (times.len() * of_thousand / 1_000).min(times.len().saturating_sub(1));
            times.get(place).map_or(0.0, |time| time.as_secs_f64() * 1_000.0)
        };
        Times { count: times.len(), p50: at(500), p99: at(990), p999: at(999), most: at(1_000) }
    }
}
