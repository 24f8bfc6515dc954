//! Left-overs: what is written while working and must not stay.
//!
//! The words are put together by the compiler, so that this file is not full of faults itself.

use super::fault::Fault;
use super::tree::Tree;
use super::words;

/// Not in what is run: source, styles and settings.
const UNFINISHED: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("dbg", "!("),
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("#[", "ignore"),
];

/// Not in any file: folders of one person's machine.
const MACHINE: &[&str] =
    &[concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/wo", "rk/"), concat!("../sha", "red")];

pub(crate) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, text) in tree.with_extension(&["rs", "toml", "js", "css"]) {
        for word in UNFINISHED {
            for at in words::places(text, word) {
                faults.push(Fault::new(path, words::line_of(text, at), format!("`{word}` is left over")));
            }
        }
    }
    for (path, text) in tree.files() {
        for folder in MACHINE {
            for (at, _) in text.match_indices(folder) {
                // After a name or `~` it is the middle of some other path or address.
                if !text[..at].ends_with(|c: char| c.is_alphanumeric() || "_-.~})".contains(c)) {
                    let message = format!("`{folder}` is a path of one machine");
                    faults.push(Fault::new(path, words::line_of(text, at), message));
                }
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
    fn every_word_is_found_in_every_kind_of_file() {
        for word in UNFINISHED {
            for path in ["a.rs", "b/c.toml", "d.js", "e.css"] {
                let found = check(&Tree::of(&[(path, &format!("\n  {word}"))]));
                assert_faults(found, &[&format!("{path}:2: `{word}`")]);
            }
        }
        for folder in MACHINE {
            for path in ["a.rs", "docs/a.md", ".ci/run"] {
                let found = check(&Tree::of(&[(path, &format!("\n\"{folder}x\""))]));
                assert_faults(found, &[&format!("{path}:2: `{folder}`")]);
            }
        }
    }

    #[test]
    fn longer_words_paths_and_pages_pass() {
        let inner = MACHINE[0];
        let code = format!("\"https://a.b{inner}\", \"~{inner}\", \"{}S\", my_todos!()", UNFINISHED[0]);
        assert_faults(check(&Tree::of(&[("a.rs", &code), ("a.md", UNFINISHED[0])])), &[]);
    }
}
