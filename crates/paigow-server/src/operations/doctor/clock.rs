//! Checks of the wall clock against the program, the store and the database.

use super::DoctorCheck;
use crate::{COMMIT_SECONDS, Environment, SystemEnvironment};
use paigow_answers::puzzle::Day;
use paigow_table::Time;

const NAME: &str = "clock";
const ADVICE: &str = "synchronize the clock with NTP, then restart the server";
const YEAR_MS: u64 = 365 * 86_400_000;
/// Age of a program beyond which the clock is suspect.
const YEARS_MAX: u64 = 10;
/// How far the clock may be behind the newest entry. The server tolerates the same.
const BEHIND_MS: u64 = 60_000;
/// How far the clock may be ahead of the newest entry before the server expires sessions with care.
const AHEAD_MS: u64 = 7 * 86_400_000;
/// Offset of the database's clock that deadlines do not notice.
const OFFSET_MS: i64 = 1_000;
/// Offset with which processes on other machines fire deadlines early or late.
const OFFSET_FAULT_MS: i64 = 60_000;
/// Change of the offset within the half second between two readings.
const DRIFT_MS: i64 = 100;

/// Formats a time, such as `2026-11-18 07:14:02 UTC`.
fn utc(Time(ms): Time) -> String {
    let seconds = ms / 1_000 % 86_400;
    let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    format!("{} {hour:02}:{minute:02}:{second:02} UTC", Day::at_ms(ms))
}

/// Compares the clock with the time of the commit that the program was built from.
pub(super) fn against_build() -> DoctorCheck {
    build_check(SystemEnvironment.now(), COMMIT_SECONDS.parse().ok())
}

fn build_check(time: Time, built: Option<u64>) -> DoctorCheck {
    let now = utc(time);
    let Some(built_at) = built.map(|seconds| Time(seconds * 1_000)) else {
        return DoctorCheck::ok(NAME, format!("{now}; the program does not know when it was built"));
    };
    let built = utc(built_at);
    if time < built_at {
        let found = format!("{now} is before the program was built, {built}");
        return DoctorCheck::fault(NAME, found, ADVICE);
    }
    if time.0 - built_at.0 > YEARS_MAX * YEAR_MS {
        let found = format!("{now} is more than {YEARS_MAX} years after the program was built, {built}");
        return DoctorCheck::warning(NAME, found, ADVICE);
    }
    DoctorCheck::ok(NAME, now)
}

/// Compares the clock with the newest entry of the store.
pub(super) fn against_store(newest: Option<Time>) -> DoctorCheck {
    store_check(SystemEnvironment.now(), newest)
}

fn store_check(now: Time, newest: Option<Time>) -> DoctorCheck {
    const NAME: &str = "clock and store";
    let Some(newest) = newest else { return DoctorCheck::ok(NAME, "the store has no entry yet") };
    let found = format!("the newest entry is of {}", utc(newest));
    if now.0 + BEHIND_MS < newest.0 {
        let found = format!("{found}, {} s after the clock", (newest.0 - now.0) / 1_000);
        return DoctorCheck::fault(NAME, found, ADVICE);
    }
    if now.0 > newest.0 + AHEAD_MS {
        let days = (now.0 - newest.0) / 86_400_000;
        let advice = "if the server ran since then, the clock is wrong; if it did not, nothing is to be done";
        return DoctorCheck::warning(NAME, format!("{found}, {days} days before the clock"), advice);
    }
    DoctorCheck::ok(NAME, found)
}

/// Compares the clock with that of the database. The offsets are two readings, half a second apart.
pub(super) fn against_database([first, second]: [i64; 2]) -> DoctorCheck {
    const NAME: &str = "clock and database";
    let side = if second < 0 { "behind" } else { "ahead of" };
    let found = format!("the database is {} ms {side} this machine", second.abs());
    let drift = second - first;
    let advice = "synchronize the clocks of both machines with NTP";
    if drift.abs() > DRIFT_MS {
        let found = format!("{found}, and the difference changed by {} ms in half a second", drift.abs());
        return DoctorCheck::warning(NAME, found, advice);
    }
    match second.abs() {
        offset if offset > OFFSET_FAULT_MS => DoctorCheck::fault(NAME, found, advice),
        offset if offset > OFFSET_MS => DoctorCheck::warning(NAME, found, advice),
        _ => DoctorCheck::ok(NAME, found),
    }
}

#[cfg(test)]
mod tests {
    use super::super::CheckLevel::{Fault, Ok, Warning};
    use super::*;

    #[test]
    fn clock_is_compared_with_the_build() {
        let at = |ms: u64| build_check(Time(ms), Some(1_700_000_000)).level;
        assert_eq!(at(1_699_999_999_999), Fault);
        assert_eq!(at(1_700_000_000_000 + YEARS_MAX * YEAR_MS), Ok);
        assert_eq!(at(1_700_000_000_001 + YEARS_MAX * YEAR_MS), Warning);
        assert_eq!(build_check(Time(0), None).level, Ok);
    }

    #[test]
    fn clock_is_compared_with_the_newest_entry() {
        let newest = 1_700_000_000_000;
        let at = |ms: u64| store_check(Time(ms), Some(Time(newest))).level;
        assert_eq!((at(newest - BEHIND_MS), at(newest - BEHIND_MS - 1)), (Ok, Fault));
        assert_eq!((at(newest + AHEAD_MS), at(newest + AHEAD_MS + 1)), (Ok, Warning));
        assert_eq!(store_check(Time(0), None).level, Ok);
    }

    #[test]
    fn clock_is_compared_with_the_database() {
        let level = |first, second| against_database([first, second]).level;
        assert_eq!((level(0, 20), level(-950, -1_000)), (Ok, Ok));
        assert_eq!((level(1_001, 1_001), level(-60_000, -60_000)), (Warning, Warning));
        assert_eq!((level(60_001, 60_001), level(-90_000, -90_000)), (Fault, Fault));
        assert_eq!(level(0, 101), Warning);
    }
}
