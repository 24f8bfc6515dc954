//! Amounts of money in whole cents, never negative.

use std::fmt::{self, Write};
use std::str::FromStr;

/// An amount of money, in cents.
///
/// The text form is digits with an optional point and at most two decimal digits, such as `25.00`. `Display` prints
/// `10000.00`. The alternate form `{:#}` separates thousands and omits zero cents: `10,000`, `0.25`.
///
/// # Examples
///
/// ```
/// use paigow::Amount;
///
/// let wager: Amount = "25.50".parse()?;
/// assert_eq!(wager.cents(), 2_550);
/// assert_eq!(wager.times(2).to_string(), "51.00");
/// assert_eq!(format!("{:#}", Amount::from_cents(1_000_000)), "10,000");
/// # Ok::<(), paigow::AmountFault>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Amount(u64);

/// Error returned when a text is not a valid [`Amount`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AmountFault {
    /// The text is not digits with an optional point and cents.
    #[error("an amount is written in digits, with a point before the cents, such as 25.00")]
    NotANumber,
    /// The text has more than two digits after the point.
    #[error("an amount has at most two digits after the point")]
    TooFine,
    /// The amount exceeds [`Amount::MAX`].
    #[error("an amount is at most 10,000,000,000.00")]
    TooLarge,
}

impl Amount {
    /// Zero.
    pub const ZERO: Amount = Amount(0);
    /// Largest amount that can be parsed: far above any wager, and far below the point where sums could overflow.
    pub const MAX: Amount = Amount(1_000_000_000_000);

    /// Creates an amount from a number of cents.
    pub const fn from_cents(cents: u64) -> Amount {
        Amount(cents)
    }

    /// Returns this amount multiplied by `factor`.
    #[must_use]
    pub const fn times(self, factor: u32) -> Amount {
        Amount(self.0 * factor as u64)
    }

    /// Returns the amount in cents.
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

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = (self.0 / 100).to_string();
        for (index, digit) in whole.chars().enumerate() {
            if f.alternate() && index > 0 && (whole.len() - index).is_multiple_of(3) {
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
    fn parses_amounts() {
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
    fn display_prints_two_decimals() {
        assert_eq!(Amount::from_cents(5).to_string(), "0.05");
        assert_eq!(Amount::from_cents(2_000_000).to_string(), "20000.00");
    }

    #[test]
    fn alternate_display_separates_thousands_and_keeps_cents() {
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
