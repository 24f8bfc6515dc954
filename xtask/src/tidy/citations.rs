//! Citations: every table of a rule book states the source of its values.
//!
//! The source is in the key `cite`, `option` or `assumed`, as a string or as a table with an entry per value. It covers
//! its own table and all nested tables. A citation at the root does not count, because it would cover the whole file. A
//! table that only groups other tables needs no citation. The parser of rule books checks that every value is covered.

use super::fault::Fault;
use super::tree::Tree;
use super::{toml_text, words};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub(crate) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, text) in
        tree.with_extension(&["toml"]).filter(|(path, _)| path.starts_with("crates/paigow/rulebooks/"))
    {
        match toml_text::parse(path, text) {
            Ok(book) => {
                for (name, at) in uncited(&book) {
                    let message = format!(
                        "table `{name}` has no `cite`, `option` or `assumed`, and neither has an enclosing table"
                    );
                    faults.push(Fault::new(path, words::line_of(text, at), message));
                }
            }
            Err(fault) => faults.push(fault),
        }
    }
    faults
}

/// Returns name and offset of the tables in `outer` that have no citation and inherit none.
fn uncited(outer: &DeTable<'_>) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (key, value) in outer {
        for (at, table) in tables(value) {
            if ["cite", "option", "assumed"].iter().any(|key| has_citation(table, key)) {
                continue;
            }
            let only_groups = !table.is_empty() && table.values().all(|value| !tables(value).is_empty());
            if only_groups {
                found.extend(uncited(table));
            } else {
                // Nested tables would only repeat the fault.
                found.push((key.get_ref().to_string(), at));
            }
        }
    }
    found
}

/// Whether this key of the table holds a citation or a reason: a non-empty string or a non-empty table.
fn has_citation(table: &DeTable<'_>, key: &str) -> bool {
    toml_text::get(table, &[key]).is_some_and(|value| match value {
        DeValue::String(text) => !text.trim().is_empty(),
        DeValue::Table(entries) => !entries.is_empty(),
        _ => false,
    })
}

/// Returns the tables in a value with their offsets: the value itself, or the elements of an array.
fn tables<'t, 'a>(value: &'t Spanned<DeValue<'a>>) -> Vec<(usize, &'t DeTable<'a>)> {
    let items = value.get_ref().as_array().map_or(std::slice::from_ref(value), |array| array);
    items.iter().filter_map(|item| Some((item.span().start, item.get_ref().as_table()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::fault::assert_faults;

    fn check_book(text: &str) -> Vec<Fault> {
        check(&Tree::of(&[("crates/paigow/rulebooks/house-ways/a.toml", text), ("a.toml", "[a]\nb = 1")]))
    }

    #[test]
    fn tables_without_a_citation_are_faults() {
        for (text, at) in [
            ("cite = \"x\"\n[deck]\ncards = 53", "2: table `deck`"),
            ("[deck]\ncards = 53\ncite = \" \"", "1: table `deck`"),
            ("[[clause]]\ncite = \"x\"\n[[clause]]\nset = 1", "3: table `clause`"),
            ("[wagers.one]\ncite = \"x\"\n[wagers.two]\npays = 1", "3: table `two`"),
            ("a = 1\nb = { c = 1 }", "2: table `b`"),
            ("[a]\n", "1: table `a`"),
            ("[a]\nb = 1\nassumed = { }\noption = \"\"", "1: table `a`"),
            ("[a", "1: "),
        ] {
            assert_faults(check_book(text), &[&format!("crates/paigow/rulebooks/house-ways/a.toml:{at}")]);
        }
    }

    #[test]
    fn citation_covers_nested_tables() {
        let text = "id = \"a\"\n[deck]\ncards = 53\ncite = \"x\"\n[deck.joker]\nuse = 1\n\
                    [[wagers.one]]\npays = [{ a = 1 }, { a = 2 }]\ncite = \"assumed: x\"";
        assert_faults(check_book(text), &[]);
    }

    #[test]
    fn option_and_assumed_count_as_citations() {
        let text = "[deck]\ncards = 53\noption = \"x\"\n[seats]\nplayers = 6\nassumed.players = \"x\"\n\
                    [limits]\nmin = 1\ncite = { min = \"x\" }";
        assert_faults(check_book(text), &[]);
    }
}
