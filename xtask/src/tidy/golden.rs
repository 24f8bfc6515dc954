//! Golden files: each is named in a Rust file or a Markdown page, so that none is left unused.

use super::fault::Fault;
use super::tree::Tree;

pub(crate) fn check(tree: &Tree) -> Vec<Fault> {
    let is_golden = |path: &str| path.starts_with("golden/");
    let readers: Vec<&str> = tree
        .with_extension(&["rs", "md"])
        .filter(|(path, _)| !is_golden(path))
        .map(|(_, text)| text)
        .collect();
    let mut faults = Vec::new();
    for (path, _) in tree.files().filter(|(path, _)| is_golden(path)) {
        let name = path.rsplit('/').next().unwrap_or(path);
        if !readers.iter().any(|text| names(text, name)) {
            faults.push(Fault::new(path, 1, "no Rust file or page names it: use it or delete it"));
        }
    }
    faults
}

/// Whether the text contains the name as a whole word, not as part of a longer name.
fn names(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::fault::assert_faults;

    #[test]
    fn unused_golden_files_are_faults() {
        let check = |path, text| check(&Tree::of(&[("golden/deep/an.example", ""), (path, text)]));
        for (path, text) in [("a.rs", "more-an.example"), ("a.txt", "an.example"), ("a.md", "an.examples")] {
            assert_faults(check(path, text), &["golden/deep/an.example:1: no Rust file"]);
        }
        for path in ["a.rs", "docs/a.md"] {
            assert_faults(check(path, "see `golden/deep/an.example`."), &[]);
        }
        let own = [("golden/README.md", "an.example, README.md"), ("golden/an.example", "")];
        assert_eq!(super::check(&Tree::of(&own)).len(), 2, "mentions within golden/ do not count");
    }
}
