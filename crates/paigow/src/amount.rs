//! Money: whole cents, never negative.

use std::fmt::{self, Write};
use std::str::FromStr;

/// An amount of money in cents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Amount(u64);

/// Why a text is no amount.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AmountFault {
    /// Not digits with perhaps a point and cents.
    #[error("an amount is written in digits, with a point before the cents, such as 25.00")]
    NotANumber,
    /// More than two digits after the point.
    #[error("an amount has at most two digits after the point")]
    TooFine,
    /// More than any table could hold.
    #[error("an amount is at most 10,000,000,000.00")]
    TooLarge,
}

impl Amount {
    /// No money.
    pub const ZERO: Amount = Amount(0);
    /// The most that can be written: a limit far above any wager, and far below where sums could overflow.
    pub const MAX: Amount = Amount(1_000_000_000_000);

    /// So many cents.
    pub const fn from_cents(cents: u64) -> Amount {
        Amount(cents)
    }

    /// So many times this.
    #[must_use]
    pub const fn times(self, times: u32) -> Amount {
        Amount(self.0 * times as u64)
    }

    /// How many cents.
    pub const fn cents(self) -> u64 {
        self.0
    }
}

impl FromStr for Amount {
    type Err = AmountFault;

    fn from_str(text: &str) -> Result<Amount, AmountFault> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(fraction) {
            return Err(AmountFault::NotANumber);
        }
        if fraction.len() > 2 {
            return Err(AmountFault::TooFine);
        }
        let whole: u64 = whole.parse().map_err(|_| AmountFault::TooLarge)?;
        let cents: u64 = format!("{fraction:0<2}").parse().map_err(|_| AmountFault::NotANumber)?;
        let amount = whole.checked_mul(100).and_then(|whole| whole.checked_add(cents)).map(Amount);
        amount.filter(|amount| *amount <= Amount::MAX).ok_or(AmountFault::TooLarge)
    }
}

/// As it is read, such as `10000.00`; in a sentence, with `{:#}`, as casinos print it: `10,000`, `0.25`.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = (self.0 / 100).to_string();
        for (place, digit) in whole.chars().enumerate() {
            if f.alternate() && place > 0 && (whole.len() - place).is_multiple_of(3) {
                f.write_char(',')?;
            }
            f.write_char(digit)?;
        }
        match self.0 % 100 {
            0 if f.alternate() => Ok(()),
            cents => write!(f, ".{cents:02}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Result<u64, AmountFault>) {
        assert_eq!(text.parse::<Amount>().map(Amount::cents), expect, "{text:?}");
    }

    #[test]
    fn amounts_are_read_to_the_cent() {
        check("25.00", Ok(2_500));
        check("25", Ok(2_500));
        check("0.5", Ok(50));
        check("0.05", Ok(5));
        check("10000000000.00", Ok(1_000_000_000_000));
        check("10000000000.01", Err(AmountFault::TooLarge));
        check("99999999999999999999", Err(AmountFault::TooLarge));
        check("1.005", Err(AmountFault::TooFine));
        for text in ["", ".", "5.", ".5", "-1", "+1", "1,000", "1e3", " 1", "$5", "١"] {
            check(text, Err(AmountFault::NotANumber));
        }
    }

    #[test]
    fn amounts_are_printed_as_they_are_read() {
        assert_eq!(Amount::from_cents(5).to_string(), "0.05");
        assert_eq!(Amount::from_cents(2_000_000).to_string(), "20000.00");
    }

    #[test]
    fn a_sentence_keeps_thousands_apart_and_leaves_out_no_cents() {
        let cases = [
            (5, "0.05"),
            (99_999, "999.99"),
            (100_000, "1,000"),
            (12_345_678, "123,456.78"),
            (1_000_000_000_000, "10,000,000,000"),
        ];
        for (cents, expect) in cases {
            assert_eq!(format!("{:#}", Amount::from_cents(cents)), expect);
        }
    }
}
