//! Exact numbers in answers, as decimals and as fractions.

use paigow_answers::DIGITS;
use paigow_math::{BaseOdds, DecimalRounding, Fraction};
use serde_json::{Value, json};

/// Formats a fraction as a decimal.
pub(crate) fn decimal(fraction: &Fraction) -> String {
    fraction.decimal(DIGITS, DecimalRounding::Rounded)
}

/// Formats a fraction in percent, for people.
pub(crate) fn percent(fraction: &Fraction, digits: u32) -> String {
    let hundred = fraction.clone() * Fraction::new(100, 1);
    format!("{} %", hundred.decimal(digits, DecimalRounding::Rounded))
}

/// Adds a fraction as a decimal under `key` and as a fraction under `{key}_exact`.
pub(crate) fn fraction(json: &mut Value, key: &str, fraction: &Fraction) {
    json[key] = decimal(fraction).into();
    json[format!("{key}_exact")] = fraction.to_string().into();
}

/// Returns outcomes, edge and standard deviation of a base wager as JSON.
pub(crate) fn outcomes_json(odds: &BaseOdds) -> Value {
    let outcomes = odds.outcomes;
    let mut json = json!({
        "win": outcomes.win as i64,
        "push": outcomes.push as i64,
        "lose": outcomes.lose as i64,
    });
    fraction(&mut json, "edge", &odds.edge());
    json["standard_deviation"] = odds.variance().root(DIGITS).into();
    json
}

/// Adds the keys of one object to another.
pub(crate) fn extend(json: &mut Value, with: Value) {
    if let (Value::Object(json), Value::Object(with)) = (json, with) {
        json.extend(with);
    }
}
