//! Jurisdictions: no code contains the name of a rule book, a house way or a jurisdiction.
//!
//! Adding a jurisdiction must need no change to Rust code, so code must not depend on which jurisdiction it runs for.
//! The names are those of the files under `crates/paigow/rulebooks/` and the fixed list [`JURISDICTIONS`]. Tests,
//! benches and examples may use them.

use super::fault::Fault;
use super::tree::Tree;
use super::{rust_text, words};
use std::collections::BTreeSet;
use std::path::Path;

/// Jurisdictions and casinos that rule books are written for, independent of the names of the files.
const JURISDICTIONS: &[&str] =
    &["south-dakota", "washington", "california", "south-beach", "nevada", "manitoba"];

/// File stems up to this length also occur in ordinary words, so they count only as a whole string literal.
const SHORT_LETTERS_MAX: usize = 3;

pub(crate) fn check(tree: &Tree) -> Vec<Fault> {
    let needles: BTreeSet<String> = names(tree).iter().flat_map(|name| needles(name)).collect();
    let mut faults = Vec::new();
    for (path, text) in tree.with_extension(&["rs"]) {
        let is_test = path.split('/').any(|folder| matches!(folder, "tests" | "benches" | "examples"));
        if is_test || path.starts_with("xtask/") {
            continue;
        }
        // Lowering ASCII only keeps all byte offsets.
        let code = rust_text::without_tests(text).to_ascii_lowercase();
        for needle in &needles {
            for at in words::positions(&code, needle) {
                let message =
                    format!("names `{needle}`: code must depend on the values of a book, not on its name");
                faults.push(Fault::new(path, words::line_of(&code, at), message));
            }
        }
    }
    faults
}

/// Returns all names in lower case, with hyphens between words.
fn names(tree: &Tree) -> BTreeSet<String> {
    let stems = tree.with_extension(&["toml"]).filter_map(|(path, _)| {
        let path = Path::new(path);
        let is_book = ["crates/paigow/rulebooks", "crates/paigow/rulebooks/house-ways"]
            .iter()
            .any(|folder| path.parent() == Some(Path::new(folder)));
        Some(path.file_stem().filter(|_| is_book)?.to_str()?.to_ascii_lowercase())
    });
    stems.chain(JURISDICTIONS.iter().map(ToString::to_string)).collect()
}

/// Returns the spellings of a name that code could use.
fn needles(name: &str) -> Vec<String> {
    if name.len() <= SHORT_LETTERS_MAX {
        return vec![format!("\"{name}\"")];
    }
    // The last spelling is that of a type or an enum variant.
    ["-", " ", "_", ""].map(|joint| name.replace('-', joint)).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::fault::assert_faults;

    fn check_source(path: &str, text: &str) -> Vec<Fault> {
        check(&Tree::of(&[
            (path, text),
            ("crates/paigow/rulebooks/ez.toml", ""),
            ("crates/paigow/rulebooks/house-ways/old-town.toml", ""),
        ]))
    }

    #[test]
    fn names_are_found_in_every_spelling() {
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
    fn fixed_names_need_no_rule_book() {
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
