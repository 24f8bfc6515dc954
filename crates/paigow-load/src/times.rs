//! Response time percentiles.

use std::time::Duration;

/// Percentiles of response times, in milliseconds.
pub(crate) struct ResponseTimes {
    pub(crate) count: usize,
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    pub(crate) p999: f64,
    pub(crate) max: f64,
}

impl ResponseTimes {
    pub(crate) fn of(mut times: Vec<Duration>) -> ResponseTimes {
        times.sort_unstable();
        let at = |per_mille: usize| {
            let index = (times.len() * per_mille / 1_000).min(times.len().saturating_sub(1));
            times.get(index).map_or(0.0, |time| time.as_secs_f64() * 1_000.0)
        };
        ResponseTimes { count: times.len(), p50: at(500), p99: at(990), p999: at(999), max: at(1_000) }
    }
}
