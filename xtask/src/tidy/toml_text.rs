//! A TOML file read with the places of its keys and tables, so that faults can name their line.

use super::fault::Fault;
use super::words;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The root table of a TOML text, or the fault that keeps it from being read.
pub(crate) fn parse<'a>(path: &str, text: &'a str) -> Result<DeTable<'a>, Fault> {
    DeTable::parse(text).map(Spanned::into_inner).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        Fault::new(path, words::line_of(text, at), error.message())
    })
}

/// The value behind a chain of keys, such as `["lints", "workspace"]`.
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
    fn names_the_line_that_cannot_be_read() {
        assert_faults(vec![parse("a.toml", "a = 1\nb = \n").unwrap_err()], &["a.toml:2: "]);
    }
}
