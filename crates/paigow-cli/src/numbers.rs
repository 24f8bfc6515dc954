//! Exact numbers for people.

use paigow_math::{DecimalRounding, Fraction};

/// Formats a fraction in percent, for people.
pub(crate) fn percent(fraction: &Fraction, digits: u32) -> String {
    let hundred = fraction.clone() * Fraction::new(100, 1);
    format!("{} %", hundred.decimal(digits, DecimalRounding::Rounded))
}
