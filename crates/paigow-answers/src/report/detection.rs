//! Bands of the mean return, rounds that detect a fault, and limits of the number of hits.

use crate::exact::decimal_and_exact;
use crate::{Decimal, Exact, SquareRoot};
use paigow_math::{Fraction, Moments, TestLevel, WagerOdds};
use serde::Serialize;

/// Numbers of rounds of the bands.
const ROUNDS: [u64; 6] = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// Numbers of rounds for which hits are limited.
pub(super) const HIT_ROUNDS: [u64; 3] = [10_000, 1_000_000, 100_000_000];

/// Errors of the edge that are to be detected, as fractions of the wager: 1 %, 0.1 % and 0.01 %.
const SHIFTS: [i64; 3] = [100, 1_000, 10_000];

/// Figures that tell a faulty game from bad luck.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DetectionFigures {
    /// Bands of the mean return by number of rounds.
    pub bands: Vec<Band>,
    /// Rounds after which a wrong edge is detected.
    pub rounds_to_detect: Vec<RoundsToDetect>,
}

/// Band of the mean return of a number of rounds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Band {
    /// Number of rounds with one unit wagered in each.
    pub rounds: u64,
    /// Expected return of a unit wagered, with the wager: 1 minus the edge.
    pub expected_return: Decimal,
    /// Expected return as an exact fraction.
    pub expected_return_exact: Exact,
    /// Half of the width of the band at 95 %.
    pub half_width_95: SquareRoot,
    /// Half of the width of the band at 99 %.
    pub half_width_99: SquareRoot,
    /// Half of the width of the band at 99.9 %.
    pub half_width_999: SquareRoot,
    /// Bound of the error of the normal approximation, as a probability (Berry and Esseen). More than 1 says nothing.
    pub normal_error: Option<SquareRoot>,
    /// Expected number of rounds in which the rarest row pays. `null` for the base game.
    pub rarest_hits: Option<Decimal>,
}

/// Number of rounds after which an edge that is wrong by `shift` is detected.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RoundsToDetect {
    /// Error of the edge, as a fraction of the wager.
    pub shift: Decimal,
    /// Error as an exact fraction.
    pub shift_exact: Exact,
    /// Probability that a fair game is suspected, in thousandths.
    pub false_alarm_per_mille: u32,
    /// Probability that the fault is detected, in thousandths.
    pub power_per_mille: u32,
    /// Number of rounds.
    pub rounds: u64,
}

/// Number of hits of a row in a number of rounds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReportedHits {
    /// Row of the paytable.
    pub hand: String,
    /// Number of rounds.
    pub rounds: u64,
    /// Expected number of hits.
    pub expected: Decimal,
    /// Expected number as an exact fraction.
    pub expected_exact: Exact,
    /// Smallest number of hits of a fair game, at 99.9 %.
    pub least: u64,
    /// Largest number of hits of a fair game, at 99.9 %.
    pub most: u64,
    /// `poisson` or `normal`.
    pub method: &'static str,
}

impl DetectionFigures {
    /// Computes the figures from the moments of the net win and the probability of the rarest row that pays.
    pub fn of(moments: &Moments, rarest: Option<&Fraction>) -> DetectionFigures {
        let band = |rounds: u64| {
            let (expected_return, expected_return_exact) =
                decimal_and_exact(&Fraction::one() + &moments.mean);
            let half = |level: TestLevel| SquareRoot(level.half_width_squared(&moments.variance, rounds));
            let [at_95, at_99, at_999] = TestLevel::ALL;
            Band {
                rounds,
                expected_return,
                expected_return_exact,
                half_width_95: half(at_95),
                half_width_99: half(at_99),
                half_width_999: half(at_999),
                normal_error: moments.normal_error_squared(rounds).map(SquareRoot),
                rarest_hits: rarest.map(|probability| Decimal(probability * &Fraction::new(rounds, 1))),
            }
        };
        let detect = |(shift, level): (i64, TestLevel)| {
            let shift = Fraction::new(1, shift);
            let rounds = level.rounds_to_detect(&moments.variance, &shift);
            let (shift, shift_exact) = decimal_and_exact(shift);
            RoundsToDetect {
                shift,
                shift_exact,
                false_alarm_per_mille: 1_000 - level.within_per_mille,
                power_per_mille: level.power_per_mille,
                rounds: u64::try_from(rounds).unwrap_or(u64::MAX),
            }
        };
        let pairs = SHIFTS.into_iter().flat_map(|shift| TestLevel::ALL.map(|level| (shift, level)));
        DetectionFigures {
            bands: ROUNDS.into_iter().map(band).collect(),
            rounds_to_detect: pairs.map(detect).collect(),
        }
    }
}

impl ReportedHits {
    /// Limits of the hits of every row, at the highest level.
    pub(super) fn all_of(odds: &WagerOdds<'_>, names: &[String]) -> Vec<ReportedHits> {
        let level = TestLevel::ALL[2];
        let rows = odds.rows.iter().zip(names).flat_map(|((_, count), hand)| {
            let probability = odds.probability(*count);
            HIT_ROUNDS.map(|rounds| {
                let limits = level.hit_limits(&probability, rounds);
                let (expected, expected_exact) = decimal_and_exact(limits.expected);
                ReportedHits {
                    hand: hand.clone(),
                    rounds,
                    expected,
                    expected_exact,
                    least: limits.least,
                    most: limits.most,
                    method: if limits.is_poisson { "poisson" } else { "normal" },
                }
            })
        });
        rows.collect()
    }
}
