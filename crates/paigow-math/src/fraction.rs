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
        let scale = BigInt::from(10).pow(digits);
        // The root of four times the value: its last bit decides the rounding.
        let scaled = &self.0 * BigRational::from_integer(&scale * &scale * 4);
        let doubled = scaled.to_integer().max(BigInt::zero()).sqrt();
        insert_point(&((doubled + 1) / 2), digits)
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
    }
}
