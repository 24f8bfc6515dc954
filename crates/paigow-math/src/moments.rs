//! Moments of the net win of a wager: mean, variance, skewness, and the third absolute moment.

use crate::Fraction;

/// Exact moments of the net win per unit wagered.
///
/// # Examples
///
/// ```
/// use paigow_math::{Fraction, Moments};
///
/// // A wager that pays 9 to 1 once in ten rounds.
/// let won = (Fraction::new(9, 1), Fraction::new(1, 10));
/// let lost = (Fraction::new(-1, 1), Fraction::new(9, 10));
/// let moments = Moments::of(&[won, lost]);
/// assert_eq!((moments.mean, moments.variance), (Fraction::zero(), Fraction::new(9, 1)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moments {
    /// Expected net win.
    pub mean: Fraction,
    /// Variance of the net win.
    pub variance: Fraction,
    /// Third central moment.
    pub third: Fraction,
    /// Third absolute central moment, of which the error of a normal approximation is a multiple.
    pub absolute_third: Fraction,
}

impl Moments {
    /// Computes the moments of results, each with its probability. The probabilities add up to 1.
    pub fn of(results: &[(Fraction, Fraction)]) -> Moments {
        let mean: Fraction = results.iter().map(|(result, probability)| result * probability).sum();
        let sum = |power: &dyn Fn(Fraction) -> Fraction| -> Fraction {
            results.iter().map(|(result, probability)| &power(result - &mean) * probability).sum()
        };
        let cubed = |distance: Fraction| &distance.squared() * &distance;
        Moments {
            variance: sum(&|distance| distance.squared()),
            third: sum(&cubed),
            absolute_third: sum(&|distance| cubed(distance).abs()),
            mean,
        }
    }

    /// Square of the skewness, with the sign of the skewness: the skewness is its signed root. `None` without variance.
    pub fn skewness_squared(&self) -> Option<Fraction> {
        if self.variance == Fraction::zero() {
            return None;
        }
        let cube = &self.variance.squared() * &self.variance;
        let square = &self.third.squared() / &cube;
        Some(if self.third < Fraction::zero() { -square } else { square })
    }

    /// The skewness as a decimal with `digits` digits after the point. `None` without variance.
    pub fn skewness(&self, digits: u32) -> Option<String> {
        Some(self.skewness_squared()?.signed_root(digits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_definition() {
        let results = [(3, 1), (0, 2), (-1, 7)];
        let fractions: Vec<(Fraction, Fraction)> =
            results.map(|(win, tenths)| (Fraction::new(win, 1), Fraction::new(tenths, 10))).to_vec();
        let moments = Moments::of(&fractions);
        // In tenths of a unit: the mean is -4, the distances are 34, 4 and -6.
        assert_eq!(moments.mean, Fraction::new(-4, 10));
        assert_eq!(moments.variance, Fraction::new(34 * 34 + 2 * 16 + 7 * 36, 1_000));
        assert_eq!(moments.third, Fraction::new(34 * 34 * 34 + 2 * 64 - 7 * 216, 10_000));
        assert_eq!(moments.absolute_third, Fraction::new(34 * 34 * 34 + 2 * 64 + 7 * 216, 10_000));
    }

    #[test]
    fn skewness_has_the_sign_of_the_longer_tail() {
        let skewness = |win: i64| {
            let results = [
                (Fraction::new(win, 1), Fraction::new(1, 10)),
                (Fraction::new(-win, 9), Fraction::new(9, 10)),
            ];
            Moments::of(&results).skewness(4)
        };
        // A result with probability p has the skewness (1 - 2p) / sqrt(p (1 - p)).
        assert_eq!(skewness(9).as_deref(), Some("2.6667"));
        assert_eq!(skewness(-9).as_deref(), Some("-2.6667"));
        assert_eq!(skewness(0), None);
    }
}
