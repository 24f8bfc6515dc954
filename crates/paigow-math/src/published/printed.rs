//! A figure as a document prints it.

use crate::{DecimalRounding, Fraction};
use std::fmt;

/// A number as printed: 8.00%, 0.00166079 or 4,188,528.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintedFigure {
    text: String,
    percent: bool,
    /// Number of digits after the decimal point.
    digits: u32,
}

/// Number of additional digits in an exact value.
const FINER_DIGITS: u32 = 4;

impl PrintedFigure {
    /// Parses a printed figure. Returns `None` if the text is not a number.
    pub(super) fn new(text: &str) -> Option<PrintedFigure> {
        let number = text.strip_suffix('%').unwrap_or(text);
        let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
        let whole = whole.strip_prefix('-').unwrap_or(whole).replace(',', "");
        let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let is_number = !whole.is_empty() && are_digits(&whole) && are_digits(decimals);
        let percent = text.ends_with('%');
        is_number.then(|| PrintedFigure { text: text.to_owned(), percent, digits: decimals.len() as u32 })
    }

    /// Whether a value, rounded to the same digits, equals the printed figure.
    pub fn matches(&self, value: &Fraction, rounding: DecimalRounding) -> bool {
        self.format(value, rounding) == self.text
    }

    /// Formats a value with the same number of digits.
    pub fn format(&self, value: &Fraction, rounding: DecimalRounding) -> String {
        self.format_digits(value, self.digits, rounding)
    }

    /// Formats a value with four additional digits, or as an integer if the figure is a count.
    pub fn format_finer(&self, value: &Fraction) -> String {
        self.format_with_digits(value, 0)
    }

    /// Formats a value with at least `digits` digits after the point, or as an integer if the figure is a count.
    pub fn format_with_digits(&self, value: &Fraction, digits: u32) -> String {
        let is_count = self.digits == 0 && !self.percent;
        let digits = if is_count { 0 } else { digits.max(self.digits + FINER_DIGITS) };
        self.format_digits(value, digits, DecimalRounding::Rounded)
    }

    fn format_digits(&self, value: &Fraction, digits: u32, rounding: DecimalRounding) -> String {
        if self.percent {
            return format!("{}%", (value * &Fraction::new(100, 1)).decimal(digits, rounding));
        }
        let text = value.decimal(digits, rounding);
        if digits == 0 { with_separators(&text) } else { text }
    }
}

impl fmt::Display for PrintedFigure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// Formats 4188528 as 4,188,528.
fn with_separators(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    text.push_str(sign);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_formatted_like_the_figure() {
        let write =
            |text: &str, value| PrintedFigure::new(text).unwrap().format(&value, DecimalRounding::Rounded);
        assert_eq!(write("8.00%", Fraction::new(1, 12)), "8.33%");
        assert_eq!(write("0.001", Fraction::new(-2, 3)), "-0.667");
        assert_eq!(write("4,188,528", Fraction::new(154_143_080, 1)), "154,143,080");
        assert_eq!(write("32", Fraction::new(72, 1)), "72");
        assert_eq!(PrintedFigure::new("8.00%").unwrap().format_finer(&Fraction::new(1, 12)), "8.333333%");
    }

    #[test]
    fn text_that_is_not_a_number_is_rejected() {
        for text in ["", "-", "%", "Push", "5 to 1", "1.2.3", "0x1"] {
            assert_eq!(PrintedFigure::new(text), None, "{text}");
        }
    }
}
