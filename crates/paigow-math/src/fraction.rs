//! Exact fractions and their decimal representation. Rounding happens only when a fraction is printed.

use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// An exact fraction in lowest terms. It prints as `num/den`.
///
/// # Examples
///
/// ```
/// use paigow_math::{DecimalRounding, Fraction};
///
/// let sum = Fraction::new(1, 2) + Fraction::new(1, 6);
/// assert_eq!(sum.to_string(), "2/3");
/// assert_eq!(sum.decimal(4, DecimalRounding::Rounded), "0.6667");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fraction(BigRational);

/// Rounding mode for a fraction with more decimal digits than are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecimalRounding {
    /// To the nearest, halves away from zero.
    Rounded,
    /// Toward zero.
    Truncated,
}

impl Fraction {
    /// Creates the fraction `num / den`.
    ///
    /// # Panics
    /// If `den` is zero.
    pub fn new(num: impl Into<BigInt>, den: impl Into<BigInt>) -> Fraction {
        Fraction(BigRational::new(num.into(), den.into()))
    }

    /// The fraction 0.
    pub fn zero() -> Fraction {
        Fraction(BigRational::zero())
    }

    /// The fraction 1.
    pub fn one() -> Fraction {
        Fraction(BigRational::one())
    }

    /// Returns the square.
    #[must_use]
    pub fn squared(&self) -> Fraction {
        Fraction(&self.0 * &self.0)
    }

    /// Returns the absolute value.
    #[must_use]
    pub fn abs(&self) -> Fraction {
        Fraction(self.0.abs())
    }

    /// Formats the fraction as a decimal with `digits` digits after the point.
    pub fn decimal(&self, digits: u32, rounding: DecimalRounding) -> String {
        insert_point(&self.units(digits, rounding), digits)
    }

    /// Rounds the fraction to `digits` decimal digits.
    #[must_use]
    pub fn to_digits(&self, digits: u32, rounding: DecimalRounding) -> Fraction {
        Fraction::new(self.units(digits, rounding), BigInt::from(10).pow(digits))
    }

    /// The fraction in units of its last decimal digit.
    fn units(&self, digits: u32, rounding: DecimalRounding) -> BigInt {
        let scaled = &self.0 * BigRational::from_integer(BigInt::from(10).pow(digits));
        let whole = match rounding {
            DecimalRounding::Rounded => scaled.round(),
            DecimalRounding::Truncated => scaled.trunc(),
        };
        whole.to_integer()
    }

    /// Formats the square root as a rounded decimal with `digits` digits after the point. Negative fractions give zero.
    pub fn root(&self, digits: u32) -> String {
        insert_point(&self.root_units(digits), digits)
    }

    /// Formats the root of the absolute value, with the sign of the fraction.
    pub fn signed_root(&self, digits: u32) -> String {
        let root = self.abs().root_units(digits);
        insert_point(&if self.0.is_negative() { -root } else { root }, digits)
    }

    /// Rounds the square root to `digits` decimal digits. Negative fractions give zero.
    #[must_use]
    pub fn root_to_digits(&self, digits: u32) -> Fraction {
        Fraction::new(self.root_units(digits), BigInt::from(10).pow(digits))
    }

    /// The square root in units of its last decimal digit.
    fn root_units(&self, digits: u32) -> BigInt {
        let scale = BigInt::from(10).pow(digits);
        // The root of four times the value: its last bit decides the rounding.
        let scaled = &self.0 * BigRational::from_integer(&scale * &scale * 4);
        let doubled = scaled.to_integer().max(BigInt::zero()).sqrt();
        (doubled + 1) / 2
    }

    /// Parses an integer, a decimal such as `-0.25` or a fraction such as `-1/4`. Returns `None` for any other text.
    pub fn parse(text: &str) -> Option<Fraction> {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let (sign, number) = text.strip_prefix('-').map_or((1, text), |number| (-1, number));
        let (num, den) = if let Some((num, den)) = number.split_once('/') {
            let is_fraction = digits(num) && digits(den);
            is_fraction.then(|| (num.to_owned(), den.to_owned()))?
        } else if let Some((whole, rest)) = number.split_once('.') {
            let is_decimal = digits(whole) && digits(rest);
            is_decimal.then(|| (format!("{whole}{rest}"), format!("1{}", "0".repeat(rest.len()))))?
        } else {
            digits(number).then(|| (number.to_owned(), "1".to_owned()))?
        };
        let (num, den): (BigInt, BigInt) = (num.parse().ok()?, den.parse().ok()?);
        (!den.is_zero()).then(|| Fraction::new(num * sign, den))
    }

    /// Numerator and denominator in lowest terms.
    pub(crate) fn parts(&self) -> (&BigInt, &BigInt) {
        (self.0.numer(), self.0.denom())
    }

    /// Largest integer that is at most the fraction.
    pub(crate) fn floor(&self) -> BigInt {
        self.0.floor().to_integer()
    }

    /// Smallest integer that is at least the fraction.
    pub(crate) fn ceil(&self) -> BigInt {
        self.0.ceil().to_integer()
    }
}

/// Formats an integer with a decimal point before its last `digits` digits.
fn insert_point(number: &BigInt, digits: u32) -> String {
    let digits = digits as usize;
    let text = format!("{:0>width$}", number.magnitude().to_string(), width = digits + 1);
    let (whole, rest) = text.split_at(text.len() - digits);
    let sign = if number.sign() == Sign::Minus { "-" } else { "" };
    let point = if digits == 0 { "" } else { "." };
    format!("{sign}{whole}{point}{rest}")
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.0.numer(), self.0.denom())
    }
}

macro_rules! operations {
    ($($operation:ident $name:ident)*) => {$(
        impl $operation for Fraction {
            type Output = Fraction;

            fn $name(self, other: Fraction) -> Fraction {
                Fraction(self.0.$name(other.0))
            }
        }

        impl $operation<&Fraction> for &Fraction {
            type Output = Fraction;

            fn $name(self, other: &Fraction) -> Fraction {
                Fraction((&self.0).$name(&other.0))
            }
        }
    )*};
}

operations! { Add add Sub sub Mul mul Div div }

impl Neg for Fraction {
    type Output = Fraction;

    fn neg(self) -> Fraction {
        Fraction(-self.0)
    }
}

impl std::iter::Sum for Fraction {
    fn sum<I: Iterator<Item = Fraction>>(parts: I) -> Fraction {
        parts.fold(Fraction::zero(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_rounded_or_truncated() {
        let third = Fraction::new(-2, 3);
        assert_eq!(third.decimal(4, DecimalRounding::Rounded), "-0.6667");
        assert_eq!(third.decimal(4, DecimalRounding::Truncated), "-0.6666");
        assert_eq!(third.decimal(0, DecimalRounding::Rounded), "-1");
        assert_eq!(Fraction::new(1, 8).decimal(2, DecimalRounding::Rounded), "0.13");
        assert_eq!(Fraction::new(12_345, 10).decimal(2, DecimalRounding::Rounded), "1234.50");
        assert_eq!(Fraction::new(-1, 1_000).decimal(2, DecimalRounding::Rounded), "0.00");
        assert_eq!(third.to_digits(2, DecimalRounding::Rounded), Fraction::new(-67, 100));
    }

    #[test]
    fn roots_are_rounded() {
        assert_eq!(Fraction::new(2, 1).root(5), "1.41421");
        assert_eq!(Fraction::new(3, 1).root(4), "1.7321");
        assert_eq!(Fraction::new(9, 4).root(3), "1.500");
        assert_eq!(Fraction::new(-9, 4).signed_root(1), "-1.5");
        assert_eq!(Fraction::new(2, 1).root_to_digits(2), Fraction::new(141, 100));
    }

    #[test]
    fn numbers_are_parsed_in_every_printed_form() {
        for (text, num, den) in
            [("7", 7, 1), ("-7", -7, 1), ("-0.25", -1, 4), ("3/6", 1, 2), ("0.000", 0, 1), ("-1/4", -1, 4)]
        {
            assert_eq!(Fraction::parse(text), Some(Fraction::new(num, den)), "{text}");
        }
        for text in ["", "-", "1/0", "1.", ".5", "1e3", "1/2/3", "1.2/3", "--1", "+1", " 1", "x"] {
            assert_eq!(Fraction::parse(text), None, "{text}");
        }
    }
}
