//! Citations: every table of a rule book says where its values come from.
//!
//! A table says so in `cite`, `option` or `assumed`, as a text or with an entry for each value. It covers its table and all
//! tables inside. One at the root would cover everything and so say nothing; it does not count. A table that only groups others
//! states nothing and needs none. Whether every value is covered is checked by the reader of books.

use super::fault::Fault;
use super::tree::Tree;
use super::{toml_text, words};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub(crate) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, text) in tree.with_extension(&["toml"]).filter(|(path, _)| path.starts_with("rulebooks/")) {
        match toml_text::parse(path, text) {
            Ok(book) => {
                for (name, at) in uncited(&book) {
                    let message = format!(
                        "table `{name}` has no `cite`, `option` or `assumed`, nor has a table around it"
                    );
                    faults.push(Fault::new(path, words::line_of(text, at), message));
                }
            }
            Err(fault) => faults.push(fault),
        }
    }
    faults
}

/// The tables below this one that lack a citation, if it has none itself: name and place.
fn uncited(outer: &DeTable<'_>) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (key, value) in outer {
        for (at, table) in tables(value) {
            if ["cite", "option", "assumed"].iter().any(|key| says_where(table, key)) {
                continue;
            }
            let only_groups = !table.is_empty() && table.values().all(|value| !tables(value).is_empty());
            if only_groups {
                found.extend(uncited(table));
            } else {
                // Those inside would only repeat the fault.
                found.push((key.get_ref().to_string(), at));
            }
        }
    }
    found
}

/// Whether a key of a table names a passage or a reason: a text, or an entry for some value.
fn says_where(table: &DeTable<'_>, key: &str) -> bool {
    toml_text::get(table, &[key]).is_some_and(|value| match value {
        DeValue::String(text) => !text.trim().is_empty(),
        DeValue::Table(entries) => !entries.is_empty(),
        _ => false,
    })
}

/// The table that a value is, or the tables it is an array of.
fn tables<'t, 'a>(value: &'t Spanned<DeValue<'a>>) -> Vec<(usize, &'t DeTable<'a>)> {
    let items = value.get_ref().as_array().map_or(std::slice::from_ref(value), |array| array);
    items.iter().filter_map(|item| Some((item.span().start, item.get_ref().as_table()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::fault::assert_faults;

    fn check_book(text: &str) -> Vec<Fault> {
        check(&Tree::of(&[("rulebooks/house-ways/a.toml", text), ("a.toml", "[a]\nb = 1")]))
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
            assert_faults(check_book(text), &[&format!("rulebooks/house-ways/a.toml:{at}")]);
        }
    }

    #[test]
    fn a_citation_covers_the_tables_inside() {
        let text = "id = \"a\"\n[deck]\ncards = 53\ncite = \"x\"\n[deck.joker]\nuse = 1\n\
                    [[wagers.one]]\npays = [{ a = 1 }, { a = 2 }]\ncite = \"assumed: x\"";
        assert_faults(check_book(text), &[]);
    }

    #[test]
    fn options_and_assumptions_are_citations_too() {
        let text = "[deck]\ncards = 53\noption = \"x\"\n[seats]\nplayers = 6\nassumed.players = \"x\"\n\
                    [limits]\nmin = 1\ncite = { min = \"x\" }";
        assert_faults(check_book(text), &[]);
    }
}
