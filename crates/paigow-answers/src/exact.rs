//! Exact numbers in answers, serialized as decimals and as fractions.

use paigow_math::{DecimalRounding, Fraction, PrintedFigure};
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

/// Number of digits after the decimal point.
pub const DIGITS: u32 = 12;

/// A number that serializes as a decimal.
#[derive(Clone, PartialEq, Eq, Debug, ToSchema)]
#[schema(value_type = String, example = "0.025500000000")]
pub struct Decimal(pub Fraction);

/// A number that serializes as a fraction in lowest terms.
#[derive(Clone, PartialEq, Eq, Debug, ToSchema)]
#[schema(value_type = String, example = "51/2000")]
pub struct Exact(pub Fraction);

/// The square root of a number, serialized as a decimal.
#[derive(Clone, PartialEq, Eq, Debug, ToSchema)]
#[schema(value_type = String, example = "0.957427107756")]
pub struct SquareRoot(pub Fraction);

/// A number that serializes in the form a document prints it, with more digits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenNumber {
    /// The figure in the document.
    pub printed: PrintedFigure,
    /// The exact value.
    pub value: Fraction,
}

/// Returns a number in both forms.
pub(crate) fn decimal_and_exact(fraction: Fraction) -> (Decimal, Exact) {
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
        serializer.serialize_str(&self.printed.format_with_digits(&self.value, DIGITS))
    }
}
