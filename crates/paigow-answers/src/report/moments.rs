//! Variance, standard deviation and skewness in a report.

use crate::exact::decimal_and_exact;
use crate::{DIGITS, Decimal, Exact, SquareRoot};
use paigow_math::Moments;
use serde::Serialize;

/// Spread of the net win per unit wagered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MomentFigures {
    /// Variance.
    pub variance: Decimal,
    /// Variance as an exact fraction.
    pub variance_exact: Exact,
    /// Standard deviation: the root of the variance.
    pub standard_deviation: SquareRoot,
    /// Skewness: third central moment divided by the cube of the standard deviation. `null` without variance.
    pub skewness: Option<String>,
    /// Square of the skewness with the sign of the skewness, as an exact fraction.
    pub skewness_squared_exact: Option<Exact>,
}

impl MomentFigures {
    /// Converts exact moments.
    pub fn of(moments: &Moments) -> MomentFigures {
        let (variance, variance_exact) = decimal_and_exact(moments.variance.clone());
        MomentFigures {
            variance,
            variance_exact,
            standard_deviation: SquareRoot(moments.variance.clone()),
            skewness: moments.skewness(DIGITS),
            skewness_squared_exact: moments.skewness_squared().map(Exact),
        }
    }
}
