//! Text that is safe inside an element or a quoted attribute, and numbers as the report prints them.

use paigow::Amount;
use paigow_math::{DecimalRounding, Fraction};
use std::fmt;

/// A piece of HTML. Text becomes markup by being escaped, so that no name of a book or a paytable can add an element.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Markup(String);

impl Markup {
    /// Markup that this module's callers write themselves, never text from a book.
    pub(super) fn of_html(html: impl Into<String>) -> Markup {
        Markup(html.into())
    }

    /// Wraps the markup in an element.
    pub(super) fn within(self, element: &str) -> Markup {
        let name = element.split(' ').next().unwrap_or(element);
        Markup(format!("<{element}>{}</{name}>", self.0))
    }

    /// Appends more markup.
    pub(super) fn and(mut self, more: impl Into<Markup>) -> Markup {
        self.0.push_str(&more.into().0);
        self
    }
}

impl From<&str> for Markup {
    fn from(text: &str) -> Markup {
        let mut escaped = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                '&' => escaped.push_str("&amp;"),
                '<' => escaped.push_str("&lt;"),
                '>' => escaped.push_str("&gt;"),
                '"' => escaped.push_str("&quot;"),
                '\'' => escaped.push_str("&#39;"),
                // A control character is not allowed in HTML, and could hide text.
                c if c.is_control() && c != '\n' => escaped.push(char::REPLACEMENT_CHARACTER),
                c => escaped.push(c),
            }
        }
        Markup(escaped)
    }
}

impl From<String> for Markup {
    fn from(text: String) -> Markup {
        Markup::from(text.as_str())
    }
}

impl From<&String> for Markup {
    fn from(text: &String) -> Markup {
        Markup::from(text.as_str())
    }
}

impl fmt::Display for Markup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Text in the type of a program.
pub(super) fn mono(text: impl Into<Markup>) -> Markup {
    text.into().within("code")
}

/// The path of a value, which may be broken after its dots and underscores.
pub(super) fn path(text: &str) -> Markup {
    let pieces = text.split_inclusive(['.', '_']).map(|piece| Markup::from(piece).to_string());
    Markup(pieces.collect::<Vec<_>>().join("<wbr/>")).within("code class=\"path\"")
}

/// A count with thousands separators.
pub(super) fn count(number: impl fmt::Display) -> String {
    let digits = number.to_string();
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits.as_str()), |digits| ("−", digits));
    let mut text = String::from(sign);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A fraction in percent.
pub(super) fn percent(fraction: &Fraction, digits: u32) -> String {
    let hundred = fraction * &Fraction::new(100, 1);
    format!("{} %", minus(&hundred.decimal(digits, DecimalRounding::Rounded)))
}

/// A fraction as a decimal.
pub(super) fn decimal(fraction: &Fraction, digits: u32) -> String {
    minus(&fraction.decimal(digits, DecimalRounding::Rounded))
}

/// The root of a fraction, in percent.
pub(super) fn root_percent(square: &Fraction, digits: u32) -> String {
    format!("{} %", (square * &Fraction::new(10_000, 1)).root(digits))
}

/// A decimal with a typographic minus.
pub(super) fn minus(decimal: &str) -> String {
    decimal.replace('-', "−")
}

/// An exact fraction, which may be long.
pub(super) fn exact(fraction: &Fraction) -> Markup {
    Markup::from(minus(&fraction.to_string())).within("span class=\"exact\"")
}

/// A decimal over its exact fraction.
pub(super) fn with_exact(text: String, fraction: &Fraction) -> Markup {
    Markup::from(text).and(Markup::of_html("<br/>")).and(exact(fraction))
}

/// Money.
pub(super) fn money(cents: u64) -> String {
    format!("${:#}", Amount::from_cents(cents))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let hostile = "<script>alert('x')</script>\" onload=\"&\u{1b}";
        let markup = Markup::from(hostile).to_string();
        assert!(!markup.contains(['<', '>', '"', '\'', '\u{1b}']), "{markup}");
        assert!(markup.contains("&lt;script&gt;alert(&#39;x&#39;)"));
    }

    #[test]
    fn numbers_have_separators_and_signs() {
        assert_eq!([count(7), count(154_143_080), count(-1_234)], ["7", "154,143,080", "−1,234"]);
        assert_eq!(percent(&Fraction::new(-1, 400), 2), "−0.25 %");
        assert_eq!(root_percent(&Fraction::new(1, 4), 1), "50.0 %");
    }
}
