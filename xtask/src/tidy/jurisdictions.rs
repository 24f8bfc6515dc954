//! Jurisdictions: no code knows the name of a rule book or of a house way.
//!
//! Adding a jurisdiction touches no Rust, and code never asks which one it is in. A name in the
//! source is the first step to breaking that. The names are those of the files under `rulebooks/`,
//! and a few that no file need carry; tests, benches and examples may name what they use.

use super::fault::Fault;
use super::tree::Tree;
use super::{rust_text, words};
use std::collections::BTreeSet;
use std::path::Path;

/// Places whose rules books are written for, whatever their files are called.
const PLACES: &[&str] = &["south-dakota", "washington", "california", "south-beach", "nevada", "manitoba"];

/// Stems this short are also syllables of ordinary code: they count only as a whole string.
const SHORT_LETTERS_MAX: usize = 3;

pub(crate) fn check(tree: &Tree) -> Vec<Fault> {
    let needles: BTreeSet<String> = names(tree).iter().flat_map(|name| needles(name)).collect();
    let mut faults = Vec::new();
    for (path, text) in tree.with_extension(&["rs"]) {
        let is_test = path.split('/').any(|folder| matches!(folder, "tests" | "benches" | "examples"));
        if is_test || path.starts_with("xtask/") {
            continue;
        }
        // ASCII only: it keeps every place where it was.
        let code = rust_text::without_tests(text).to_ascii_lowercase();
        for needle in &needles {
            for at in words::places(&code, needle) {
                let message =
                    format!("names `{needle}`: jurisdictions are data, code knows only the fields of a book");
                faults.push(Fault::new(path, words::line_of(&code, at), message));
            }
        }
    }
    faults
}

/// The names in lower case, their words joined by hyphens.
fn names(tree: &Tree) -> BTreeSet<String> {
    let stems = tree.with_extension(&["toml"]).filter_map(|(path, _)| {
        let path = Path::new(path);
        let is_book = ["rulebooks", "rulebooks/house-ways"]
            .iter()
            .any(|folder| path.parent() == Some(Path::new(folder)));
        Some(path.file_stem().filter(|_| is_book)?.to_str()?.to_ascii_lowercase())
    });
    stems.chain(PLACES.iter().map(ToString::to_string)).collect()
}

/// The ways a name is written in code.
fn needles(name: &str) -> Vec<String> {
    if name.len() <= SHORT_LETTERS_MAX {
        return vec![format!("\"{name}\"")];
    }
    // The last is that of a type or a variant.
    ["-", " ", "_", ""].map(|joint| name.replace('-', joint)).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::fault::assert_faults;

    fn check_source(path: &str, text: &str) -> Vec<Fault> {
        check(&Tree::of(&[
            (path, text),
            ("rulebooks/ez.toml", ""),
            ("rulebooks/house-ways/old-town.toml", ""),
        ]))
    }

    #[test]
    fn names_are_found_however_they_are_written() {
        for name in
            ["Old-Town", "old town", "OLD_TOWN_RATE", "Book::OldTown", "\"EZ\"", "south beach", "nevada_tax"]
        {
            assert_faults(
                check_source("crates/a/src/b.rs", &format!("\nlet x = {name};")),
                &["crates/a/src/b.rs:2: names"],
            );
        }
    }

    #[test]
    fn places_need_no_rule_book() {
        assert_faults(check(&Tree::of(&[("a.rs", "// Manitoba")])), &["a.rs:1: names `manitoba`"]);
    }

    #[test]
    fn other_words_and_tests_pass() {
        for text in ["ez(\"ezra\")", "cold towns", "#[cfg(test)]\nmod tests { \"old-town\" }"] {
            assert_faults(check_source("crates/a/src/b.rs", text), &[]);
        }
        for path in
            ["crates/a/tests/b.rs", "crates/a/benches/b.rs", "crates/a/examples/b/main.rs", "xtask/src/b.rs"]
        {
            assert_faults(check_source(path, "old-town"), &[]);
        }
    }
}
