//! Days of the calendar, without time zones.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds of a day.
pub(super) const DAY_MS: u64 = 86_400_000;

/// A day in UTC, as the number of days since 1970-01-01. It is written as `2026-11-17`.
///
/// # Examples
///
/// ```
/// use paigow_answers::puzzle::Day;
///
/// let day: Day = "2026-11-17".parse()?;
/// assert_eq!(day.to_string(), "2026-11-17");
/// assert_eq!(Day::at_ms(1_794_873_600_000), day);
/// assert!("2026-02-29".parse::<Day>().is_err());
/// # Ok::<(), paigow_answers::puzzle::DayError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Day(pub u32);

/// Error returned for a text that is not a day.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DayError;

impl fmt::Display for DayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a day such as `2026-11-17`")
    }
}

impl std::error::Error for DayError {}

impl Day {
    /// Creates the day of a year, a month and a day of the month, each from 1.
    pub const fn new(year: u32, month: u32, day: u32) -> Day {
        // Years begin in March, so that a leap day is the last day of its year.
        let year = if month <= 2 { year - 1 } else { year };
        let month = (month + 9) % 12;
        let leap_days = year / 4 - year / 100 + year / 400;
        Day(year * 365 + leap_days + (month * 153 + 2) / 5 + day - 1 - DAYS_BEFORE_1970)
    }

    /// Returns the day that contains a time in milliseconds since 1970-01-01.
    pub fn at_ms(ms: u64) -> Day {
        Day(u32::try_from(ms / DAY_MS).unwrap_or(u32::MAX))
    }

    /// Returns the current day of the system's clock.
    pub fn today() -> Day {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Day::at_ms(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    /// Returns the year, the month and the day of the month.
    pub fn parts(self) -> (u32, u32, u32) {
        let days = u64::from(self.0) + u64::from(DAYS_BEFORE_1970);
        // 400 years have 146,097 days. The last day of such a period is a leap day.
        let (era, day_of_era) = (days / 146_097, days % 146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        let year = era * 400 + year_of_era + u64::from(month <= 2);
        (year as u32, month as u32, day as u32)
    }

    /// Returns the start of the day in milliseconds since 1970-01-01.
    pub fn start_ms(self) -> u64 {
        u64::from(self.0) * DAY_MS
    }
}

/// Days from March 1 of the year 0 to 1970-01-01.
const DAYS_BEFORE_1970: u32 = 719_468;

impl FromStr for Day {
    type Err = DayError;

    fn from_str(text: &str) -> Result<Day, DayError> {
        let is_day = text.len() == 10
            && text.bytes().enumerate().all(|(i, byte)| match i {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        let number = |range| text.get(range).and_then(|digits: &str| digits.parse().ok()).ok_or(DayError);
        if !is_day {
            return Err(DayError);
        }
        let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
        if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return Err(DayError);
        }
        // A day that the month does not have becomes a day of the next month.
        Some(Day::new(year, month, day)).filter(|found| found.parts() == (year, month, day)).ok_or(DayError)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.parts();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_until_2400_is_the_day_after_the_one_before() {
        let lengths =
            |year: u32| [31, if is_leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let mut number = 0;
        for year in 1970..2400 {
            for (month, length) in (1..).zip(lengths(year)) {
                for day in 1..=length {
                    assert_eq!(Day::new(year, month, day), Day(number));
                    assert_eq!(Day(number).parts(), (year, month, day));
                    number += 1;
                }
            }
        }
    }

    fn is_leap(year: u32) -> bool {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "today",
            "2026-11-7",
            "2026-13-01",
            "2026-00-10",
            "2026-04-31",
            "1969-12-31",
            "2026-11-17 ",
            "+026-11-17",
            "２０２６-11-17",
        ] {
            assert_eq!(text.parse::<Day>(), Err(DayError), "{text}");
        }
    }
}
