//! Glossary: every public type of the rules crates is listed in `docs/glossary.md`.

use super::fault::Fault;
use super::rust_text;
use super::tree::Tree;

const PAGE: &str = "docs/glossary.md";
const CRATES: [&str; 3] = ["crates/paigow/src/", "crates/paigow-math/src/", "crates/paigow-table/src/"];

pub(crate) fn check(tree: &Tree) -> Vec<Fault> {
    let page = tree.text(PAGE).unwrap_or_default();
    let mut faults = Vec::new();
    for (path, text) in tree.with_extension(&["rs"]) {
        if !CRATES.iter().any(|folder| path.starts_with(folder)) {
            continue;
        }
        for (index, line) in text.lines().enumerate() {
            let name = rust_text::public_type(line);
            if let Some(name) = name.filter(|name| !page.contains(&format!("| `{name}` |"))) {
                faults.push(Fault::new(path, index + 1, format!("`{name}` is missing in {PAGE}")));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::super::fault::assert_faults;
    use super::*;

    fn tree(page: &str) -> Tree {
        let source =
            "pub struct Card(u8);\npub(crate) struct Key;\n    pub enum Inner {}\npub trait Shuffle<T> {}\n";
        Tree::of(&[
            (PAGE, page),
            ("crates/paigow/src/card.rs", source),
            ("crates/paigow-cli/src/a.rs", source),
        ])
    }

    #[test]
    fn listed_types_pass() {
        assert_faults(check(&tree("| `Card` | A card. |\n| `Shuffle` | An order. |")), &[]);
    }

    #[test]
    fn unlisted_types_are_faults() {
        let expected = ["crates/paigow/src/card.rs:4: `Shuffle` is missing in docs/glossary.md"];
        assert_faults(check(&tree("| `Card` | A card, not `Shuffle`. |")), &expected);
    }
}
