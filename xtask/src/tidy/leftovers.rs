//! Leftovers: marks of unfinished work and paths of one machine.
//!
//! The words are joined with `concat!`, so that this file does not match itself.

use super::fault::Fault;
use super::tree::Tree;
use super::words;

/// Words that must not occur in source, style sheets and settings.
const UNFINISHED: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("dbg", "!("),
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("#[", "ignore"),
];

/// Folders of a developer's machine, which must not occur in any file.
const MACHINE: &[&str] =
    &[concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/wo", "rk/"), concat!("../sha", "red")];

pub(crate) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, text) in tree.with_extension(&["rs", "toml", "js", "css"]) {
        for word in UNFINISHED {
            for at in words::positions(text, word) {
                faults.push(Fault::new(path, words::line_of(text, at), format!("`{word}` is left over")));
            }
        }
    }
    for (path, text) in tree.files() {
        for folder in MACHINE {
            for (at, _) in text.match_indices(folder) {
                // After a name or `~`, the match is inside a longer path or an address.
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
    fn every_word_is_found_in_every_file_type() {
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
    fn longer_words_longer_paths_and_pages_pass() {
        let inner = MACHINE[0];
        let code = format!("\"https://a.b{inner}\", \"~{inner}\", \"{}S\", my_todos!()", UNFINISHED[0]);
        assert_faults(check(&Tree::of(&[("a.rs", &code), ("a.md", UNFINISHED[0])])), &[]);
    }
}
