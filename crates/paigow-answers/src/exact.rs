//! Exact numbers in answers: they serialize as decimals, with the fraction beside them.

use paigow_math::{DecimalRounding, Fraction, PrintedFigure};
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

/// How many digits decimals have after the point.
pub const DIGITS: u32 = 12;

/// A number, given as a decimal.
#[derive(Clone, PartialEq, Eq, Debug, ToSchema)]
#[schema(value_type = String, example = "0.025500000000")]
pub struct Decimal(pub Fraction);

/// A number, given as a fraction in lowest terms.
#[derive(Clone, PartialEq, Eq, Debug, ToSchema)]
#[schema(value_type = String, example = "51/2000")]
pub struct Exact(pub Fraction);

/// The square root of a number, given as a decimal.
#[derive(Clone, PartialEq, Eq, Debug, ToSchema)]
#[schema(value_type = String, example = "0.957427107756")]
pub struct SquareRoot(pub Fraction);

/// A number given as a document prints it, with more digits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenNumber {
    /// What the document prints.
    pub printed: PrintedFigure,
    /// The number.
    pub value: Fraction,
}

/// A number both ways.
pub(crate) fn both(fraction: Fraction) -> (Decimal, Exact) {
    (Decimal(fraction.clone()), Exact(fraction))
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.decimal(DIGITS, DecimalRounding::Rounded))
    }
}

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl Serialize for SquareRoot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.root(DIGITS))
    }
}

impl Serialize for WrittenNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.printed.write_to(&self.value, DIGITS))
    }
}
