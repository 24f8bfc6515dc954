//! Prose: required pages of the repository, a header in every Rust file, and no words that hide the actor.

use super::fault::Fault;
use super::tree::Tree;
use super::words;

const PAGES: &[&str] = &["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Words that replace the name of an actor or of a thing. They are joined with `concat!`, so that this file does not
/// match itself.
const VAGUE: &[&str] = &[
    concat!("some", "body"),
    concat!("no", "body"),
    concat!("who", "ever"),
    concat!("every", "body"),
    concat!("any", "body"),
    concat!("what", "ever"),
    concat!("by it", "self"),
];

/// Folders with texts that must not change: golden files, rule books, and transcripts that print texts of rule books.
const FIXED: &[&str] = &["golden/", "crates/paigow/rulebooks/", "crates/paigow-cli/tests/cmd/"];

pub(crate) fn check(tree: &Tree) -> Vec<Fault> {
    let missing = PAGES.iter().filter(|page| tree.text(page).is_none_or(|text| text.trim().is_empty()));
    let headless = tree.with_extension(&["rs"]).filter(|(_, text)| !text.starts_with("//!"));
    missing
        .map(|page| Fault::new(page, 1, "is missing or empty"))
        .chain(headless.map(|(path, _)| Fault::new(path, 1, "does not begin with a `//!` header")))
        .chain(vague_words(tree))
        .collect()
}

/// Returns a fault for each vague word in source, pages, style sheets and settings.
fn vague_words(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, text) in tree.with_extension(&["rs", "md", "js", "css", "toml"]) {
        if FIXED.iter().any(|folder| path.starts_with(folder)) {
            continue;
        }
        // Lowering ASCII only keeps all byte offsets.
        let text = text.to_ascii_lowercase();
        for word in VAGUE {
            for at in words::positions(&text, word) {
                let message = format!("`{word}` is vague: name the actor or the thing");
                faults.push(Fault::new(path, words::line_of(&text, at), message));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::fault::assert_faults;

    #[test]
    fn pages_and_headers_are_required() {
        let mut files: Vec<_> = PAGES.iter().map(|&page| (page, "text")).collect();
        files.push(("a/tests/b.rs", "//! Text.\n"));
        assert_faults(check(&Tree::of(&files)), &[]);

        files[0].1 = "\n";
        files.remove(1);
        files.push(("a/mod.rs", "use b;\n//! Late."));
        let expected =
            ["ARCHITECTURE.md:1: is missing", "README.md:1: is missing", "a/mod.rs:1: does not begin"];
        assert_faults(check(&Tree::of(&files)), &expected);
    }

    #[test]
    fn every_vague_word_is_found_in_every_file_type() {
        for word in VAGUE {
            for path in ["a.rs", "docs/b.md", "web/c.js", "d.css", "e.toml"] {
                let text = format!("//!\n /* {}. */", word.to_ascii_uppercase());
                assert_faults(vague_words(&Tree::of(&[(path, &text)])), &[&format!("{path}:2: `{word}`")]);
            }
        }
    }

    #[test]
    fn longer_words_other_files_and_fixed_texts_pass() {
        let word = VAGUE[0];
        assert_faults(vague_words(&Tree::of(&[("a.rs", &format!("//! {word}s")), ("b.sql", word)])), &[]);
        for folder in FIXED {
            assert_faults(vague_words(&Tree::of(&[(&format!("{folder}a.toml"), word)])), &[]);
        }
    }
}
