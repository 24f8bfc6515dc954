//! Distance of a result from its expectation, in standard deviations.

use crate::Fraction;

/// Returns the signed distance of a result from its expectation, in standard deviations, as a decimal with `digits`
/// digits after the point. Returns `None` if the variance is zero.
///
/// # Examples
///
/// ```
/// use paigow_math::{Fraction, standard_deviations};
///
/// let (result, expected, variance) = (Fraction::new(-7, 1), Fraction::new(1, 1), Fraction::new(16, 1));
/// assert_eq!(standard_deviations(&result, &expected, &variance, 2).as_deref(), Some("-2.00"));
/// ```
pub fn standard_deviations(
    result: &Fraction,
    expected: &Fraction,
    variance: &Fraction,
    digits: u32,
) -> Option<String> {
    if *variance <= Fraction::zero() {
        return None;
    }
    let root = (&(result - expected).squared() / variance).root(digits);
    let is_zero = root.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    Some(if result < expected && !is_zero { format!("-{root}") } else { root })
}
