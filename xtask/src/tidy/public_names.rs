//! Public names: no two public types of the crates share a name.
//!
//! A name must have one meaning in the whole workspace. Types that macros declare are not found.

use super::fault::Fault;
use super::rust_text;
use super::tree::Tree;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

pub(crate) fn check(tree: &Tree) -> Vec<Fault> {
    let mut paths: BTreeMap<&str, &str> = BTreeMap::new();
    let mut faults = Vec::new();
    for (path, text) in tree.with_extension(&["rs"]).filter(|(path, _)| is_crate_source(path)) {
        for (index, line) in text.lines().enumerate() {
            let Some(name) = rust_text::public_type(line) else { continue };
            match paths.entry(name) {
                Entry::Vacant(entry) => {
                    entry.insert(path);
                }
                Entry::Occupied(entry) => {
                    let message = format!("`{name}` is also a public type in {}: rename one", entry.get());
                    faults.push(Fault::new(path, index + 1, message));
                }
            }
        }
    }
    faults
}

/// Whether a file is in `crates/NAME/src/`.
fn is_crate_source(path: &str) -> bool {
    let inside = path.strip_prefix("crates/").and_then(|rest| rest.split_once('/'));
    inside.is_some_and(|(_, inside)| inside.starts_with("src/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::fault::assert_faults;

    #[test]
    fn shared_names_are_faults() {
        let tree = Tree::of(&[
            ("crates/a/src/lib.rs", "pub struct Card(u8);\npub enum Suit {}\n"),
            ("crates/b/src/c/d.rs", "pub trait Shuffle<T> {}\npub type Card = u8;\npub trait Suit {}\n"),
        ]);
        let expected = [
            "crates/b/src/c/d.rs:2: `Card` is also a public type in crates/a/src/lib.rs",
            "crates/b/src/c/d.rs:3: `Suit` is also a public type in crates/a/src/lib.rs",
        ];
        assert_faults(check(&tree), &expected);
    }

    #[test]
    fn private_types_longer_names_and_files_outside_of_sources_pass() {
        let tree = Tree::of(&[
            ("crates/a/src/lib.rs", "pub struct Card;\n"),
            ("crates/b/src/lib.rs", "pub(crate) struct Card;\nstruct Card;\n// pub struct Card;\n"),
            ("crates/b/src/c.rs", "pub struct Cards;\npub fn card() {}\npub use a::Card;\n"),
            ("crates/b/tests/src.rs", "pub struct Card;\n"),
            ("xtask/src/d.rs", "pub struct Card;\n"),
        ]);
        assert_faults(check(&tree), &[]);
    }
}
