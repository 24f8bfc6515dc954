//! TOML files parsed with the offsets of keys and tables, so that faults can name a line.

use super::fault::Fault;
use super::words;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Parses a TOML text and returns its root table, or the syntax error as a fault.
pub(crate) fn parse<'a>(path: &str, text: &'a str) -> Result<DeTable<'a>, Fault> {
    DeTable::parse(text).map(Spanned::into_inner).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        Fault::new(path, words::line_of(text, at), error.message())
    })
}

/// Returns the value at a path of keys, such as `["lints", "workspace"]`.
pub(crate) fn get<'t, 'a>(table: &'t DeTable<'a>, keys: &[&str]) -> Option<&'t DeValue<'a>> {
    let (first, rest) = keys.split_first()?;
    let mut value = table.get(*first)?.get_ref();
    for key in rest {
        value = value.get(*key)?.get_ref();
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::fault::assert_faults;

    #[test]
    fn syntax_error_names_its_line() {
        assert_faults(vec![parse("a.toml", "a = 1\nb = \n").unwrap_err()], &["a.toml:2: "]);
    }
}
