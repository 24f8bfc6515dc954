//! Prose: required pages of the repository, and a header in every Rust file.

use super::fault::Fault;
use super::tree::Tree;

const PAGES: &[&str] = &["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

pub(crate) fn check(tree: &Tree) -> Vec<Fault> {
    let missing = PAGES.iter().filter(|page| tree.text(page).is_none_or(|text| text.trim().is_empty()));
    let headless = tree.with_extension(&["rs"]).filter(|(_, text)| !text.starts_with("//!"));
    missing
        .map(|page| Fault::new(page, 1, "is missing or empty"))
        .chain(headless.map(|(path, _)| Fault::new(path, 1, "does not begin with a `//!` header")))
        .collect()
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
}
