//! Numbers of rounds that tell a faulty game from bad luck.
//!
//! The mean result of many rounds is nearly normal. Its band follows from the variance of one round, and the error of
//! that approximation is bounded by the third absolute moment (Berry and Esseen). A hand that is dealt rarely is counted
//! instead: the number of rounds in which it is dealt is nearly a Poisson number, whose limits are exact here.

use crate::{Fraction, Moments};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

/// Probability that a fair game stays within a band, and that a faulty one leaves it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TestLevel {
    /// Probability that a fair game stays within the band, in thousandths.
    pub within_per_mille: u32,
    /// Probability that a game with the stated fault is detected, in thousandths.
    pub power_per_mille: u32,
    /// Two-sided quantile of the standard normal distribution for `within_per_mille`, in units of 10⁻¹⁵.
    within_quantile: i64,
    /// One-sided quantile for `power_per_mille`, in units of 10⁻¹⁵.
    power_quantile: i64,
}

/// Number of rounds in which a row is expected to pay, with limits for a fair game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HitLimits {
    /// Expected number.
    pub expected: Fraction,
    /// Smallest number that is within the level.
    pub least: u64,
    /// Largest number that is within the level.
    pub most: u64,
    /// Whether the limits are those of a Poisson number. The others are normal.
    pub is_poisson: bool,
}

/// Largest expected number whose limits are counted term by term.
const POISSON_MAX: u32 = 1_000;
/// Inverse of the largest probability for which a number of hits is nearly a Poisson number.
const RARE: u32 = 100;
/// Constant of the theorem of Berry and Esseen for equal summands, in ten-thousandths (Shevtsova, 2011).
const BERRY_ESSEEN: u32 = 4_748;

impl TestLevel {
    /// The levels of a report.
    pub const ALL: [TestLevel; 3] = [
        TestLevel {
            within_per_mille: 950,
            power_per_mille: 800,
            within_quantile: 1_959_963_984_540_054,
            power_quantile: 841_621_233_572_914,
        },
        TestLevel {
            within_per_mille: 990,
            power_per_mille: 900,
            within_quantile: 2_575_829_303_548_901,
            power_quantile: 1_281_551_565_544_600,
        },
        TestLevel {
            within_per_mille: 999,
            power_per_mille: 990,
            within_quantile: 3_290_526_731_491_895,
            power_quantile: 2_326_347_874_040_841,
        },
    ];

    /// Two-sided quantile of the standard normal distribution.
    pub fn quantile(&self) -> Fraction {
        Fraction::new(self.within_quantile, QUANTILE_UNITS)
    }

    /// One-sided quantile of the standard normal distribution for the power.
    pub fn power_quantile(&self) -> Fraction {
        Fraction::new(self.power_quantile, QUANTILE_UNITS)
    }

    /// Square of half the width of the band of the mean of `rounds` results.
    ///
    /// # Panics
    /// If `rounds` is zero.
    pub fn half_width_squared(&self, variance: &Fraction, rounds: u64) -> Fraction {
        &self.quantile().squared() * &(variance / &Fraction::new(rounds, 1))
    }

    /// Number of rounds after which a mean that is wrong by `shift` is detected.
    ///
    /// # Panics
    /// If `shift` is zero.
    pub fn rounds_to_detect(&self, variance: &Fraction, shift: &Fraction) -> u128 {
        let quantiles = self.quantile() + self.power_quantile();
        let rounds = &(&quantiles.squared() * variance) / &shift.squared();
        rounds.ceil().to_u128().unwrap_or(u128::MAX)
    }

    /// Limits of the number of hits among `rounds` rounds. Each tail has at most half of the rest of the level.
    pub fn hit_limits(&self, probability: &Fraction, rounds: u64) -> HitLimits {
        let expected = probability * &Fraction::new(rounds, 1);
        let is_rare = *probability <= Fraction::new(1, RARE) && expected <= Fraction::new(POISSON_MAX, 1);
        let (least, most) = if is_rare {
            poisson_limits(&expected, &Fraction::new(1_000 - self.within_per_mille, 2_000))
        } else {
            let variance = &expected * &(&Fraction::one() - probability);
            let half = (&self.quantile().squared() * &variance).root_to_digits(6);
            let least = (&expected - &half).floor().max(BigInt::zero());
            let most = (&expected + &half).ceil().min(BigInt::from(rounds));
            (least.to_u64().unwrap_or(0), most.to_u64().unwrap_or(rounds))
        };
        HitLimits { expected, least, most: most.min(rounds), is_poisson: is_rare }
    }
}

/// Number of units of a quantile.
const QUANTILE_UNITS: i64 = 1_000_000_000_000_000;

impl Moments {
    /// Square of a bound of the error of the normal approximation: no probability of the mean of `rounds` results is off
    /// by more than the root. `None` without variance.
    ///
    /// # Panics
    /// If `rounds` is zero.
    pub fn normal_error_squared(&self, rounds: u64) -> Option<Fraction> {
        if self.variance == Fraction::zero() {
            return None;
        }
        let constant = Fraction::new(BERRY_ESSEEN, 10_000);
        let cube = &self.variance.squared() * &self.variance;
        let bound = (&constant * &self.absolute_third).squared();
        Some(&(&bound / &cube) / &Fraction::new(rounds, 1))
    }
}

/// Smallest and largest number of a Poisson distribution so that each tail outside has at most the probability `tail`.
///
/// The terms λᵏ/k! are summed as integers with forty digits after the point, and compared with the whole sum, which is
/// the exponential of λ.
fn poisson_limits(mean: &Fraction, tail: &Fraction) -> (u64, u64) {
    let (numer, denom) = mean.parts();
    let mut terms = vec![BigInt::from(10).pow(40)];
    while let Some(last) = terms.last().filter(|last| !last.is_zero()) {
        let next = last * numer / (denom * BigInt::from(terms.len()));
        terms.push(next);
    }
    let all: BigInt = terms.iter().sum();
    let (tail_numer, tail_denom) = tail.parts();
    let bound = &all * tail_numer;
    let first_above = |bound: &BigInt| {
        let mut sum = BigInt::zero();
        let at = terms.iter().position(|term| {
            sum += term;
            &(&sum * tail_denom) > bound
        });
        at.unwrap_or(terms.len() - 1) as u64
    };
    // The largest number is the first at which the rest is at most the tail.
    let rest = &all * tail_denom - &bound - BigInt::one();
    (first_above(&bound), first_above(&rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cumulative Poisson probability in floating point, as a plain second computation.
    #[allow(clippy::float_arithmetic, clippy::cast_precision_loss)]
    fn cumulative(mean: f64, upto: u64) -> f64 {
        let mut term = (-mean).exp();
        let mut sum = term;
        for k in 1..=upto {
            term *= mean / k as f64;
            sum += term;
        }
        sum
    }

    #[test]
    #[allow(clippy::float_arithmetic, clippy::cast_precision_loss)]
    fn poisson_limits_leave_at_most_the_tail_on_each_side() {
        for (numer, denom) in [(0, 1), (1, 50), (1, 2), (3, 1), (10, 1), (377, 10), (200, 1)] {
            for level in TestLevel::ALL {
                let tail = f64::from(1_000 - level.within_per_mille) / 2_000.0;
                let mean = f64::from(numer) / f64::from(denom);
                let tail_fraction = Fraction::new(1_000 - level.within_per_mille, 2_000);
                let (least, most) = poisson_limits(&Fraction::new(numer, denom), &tail_fraction);
                let below = |k: u64| if k == 0 { 0.0 } else { cumulative(mean, k - 1) };
                assert!(below(least) <= tail && cumulative(mean, least) > tail, "{mean} {least}");
                let above = |k: u64| 1.0 - cumulative(mean, k);
                assert!(above(most) <= tail, "{mean} {most}");
                assert!(most == 0 || above(most - 1) > tail, "{mean} {most}");
            }
        }
    }

    #[test]
    fn common_hits_have_normal_limits() {
        let limits = TestLevel::ALL[0].hit_limits(&Fraction::new(1, 2), 10_000);
        assert!(!limits.is_poisson);
        assert_eq!((limits.least, limits.most), (4_902, 5_098));
        let rare = TestLevel::ALL[2].hit_limits(&Fraction::new(1, 1_000_000), 1_000);
        assert_eq!((rare.is_poisson, rare.least, rare.most), (true, 0, 1));
        assert_eq!(rare.expected, Fraction::new(1, 1_000));
    }

    /// The quantiles against the error function, computed by its series.
    #[test]
    #[allow(clippy::float_arithmetic, clippy::cast_precision_loss)]
    fn quantiles_are_those_of_the_normal_distribution() {
        let normal = |z: f64| {
            let (mut term, mut sum) = (z, z);
            for k in 1..200 {
                term *= z * z / f64::from(2 * k + 1);
                sum += term;
            }
            0.5 + sum * (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
        };
        for level in TestLevel::ALL {
            let within = 2.0 * normal(level.within_quantile as f64 / 1e15) - 1.0;
            assert!((within * 1_000.0 - f64::from(level.within_per_mille)).abs() < 1e-9, "{within}");
            let power = normal(level.power_quantile as f64 / 1e15);
            assert!((power * 1_000.0 - f64::from(level.power_per_mille)).abs() < 1e-9, "{power}");
        }
    }

    #[test]
    fn detection_needs_a_hundred_times_the_rounds_for_a_tenth_of_the_fault() {
        let (one, level) = (Fraction::one(), TestLevel::ALL[0]);
        // (1.95996 + 0.84162)² = 7.84888
        assert_eq!(level.rounds_to_detect(&one, &Fraction::new(1, 100)), 78_489);
        assert_eq!(level.rounds_to_detect(&one, &Fraction::new(1, 1_000)), 7_848_880);
        assert_eq!(level.half_width_squared(&one, 100).root(6), "0.195996");
    }

    /// A fair coin: the bound is 0.4748 / √n.
    #[test]
    fn error_of_the_normal_approximation_falls_with_the_root_of_the_rounds() {
        let half = || Fraction::new(1, 2);
        let coin = Moments::of(&[(Fraction::one(), half()), (Fraction::new(-1, 1), half())]);
        assert_eq!(coin.normal_error_squared(10_000).map(|error| error.root(6)), Some("0.004748".to_owned()));
    }
}
