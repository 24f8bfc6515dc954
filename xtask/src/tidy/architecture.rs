//! Architecture: every path that `README.md` and `ARCHITECTURE.md` name exists.
//!
//! Text in backticks outside code blocks that looks like a path is treated as a path from the root of the repository.
//! Write a name without backticks if it looks like a path but is none.

use super::fault::Fault;
use super::tree::Tree;

const PAGES: &[&str] = &["ARCHITECTURE.md", "README.md"];

pub(crate) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (page, text) in PAGES.iter().filter_map(|page| Some((page, tree.text(page)?))) {
        for (line, span) in code_spans(text) {
            let path = without_line(span).trim_end_matches('/');
            if looks_like_path(span) && !tree.contains(path) {
                faults.push(Fault::new(page, line, format!("`{path}` does not exist")));
            }
        }
    }
    faults
}

/// Returns the code spans of a page with their line numbers. A span across lines is skipped: it holds no path.
fn code_spans(text: &str) -> Vec<(usize, &str)> {
    let (mut spans, mut is_fenced, mut is_open) = (Vec::new(), false, false);
    for (line_index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
        } else if line.trim().is_empty() {
            // An unmatched backtick affects only its own paragraph.
            is_open = false;
        } else if !is_fenced {
            let pieces: Vec<&str> = line.split('`').collect();
            for (index, piece) in pieces.iter().enumerate() {
                if is_open && 0 < index && index + 1 < pieces.len() {
                    spans.push((line_index + 1, *piece));
                }
                is_open ^= index + 1 < pieces.len();
            }
        }
    }
    spans
}

/// Strips a trailing `:line` or `:line:column`.
fn without_line(span: &str) -> &str {
    let split = span.split_once(':').filter(|(_, line)| line.chars().all(|c| c.is_ascii_digit() || c == ':'));
    split.map_or(span, |(path, _)| path)
}

fn looks_like_path(span: &str) -> bool {
    let has_shape = span.contains('/')
        || [".rs", ".toml", ".md", ".golden"].iter().any(|end| without_line(span).ends_with(end));
    // An absolute path is a route of the server or a path on a user's machine.
    let is_foreign = ["-", "$", "/", "target/"].iter().any(|start| span.starts_with(start));
    has_shape && !is_foreign && !span.contains("://") && !span.contains([' ', '<', '*'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::fault::assert_faults;

    #[test]
    fn missing_paths_are_faults() {
        let text = "See `crates/gone/`,\n`gone/v2:7` and `a\nb` with `golden/x.golden`.\n\nA stray ` here.\n\n`gone.toml`";
        for page in PAGES {
            let at = [(1, "crates/gone"), (2, "gone/v2"), (3, "golden/x.golden"), (7, "gone.toml")];
            let at = at.map(|(line, path)| format!("{page}:{line}: `{path}` does not exist"));
            assert_faults(check(&Tree::of(&[(page, text)])), &at.each_ref().map(String::as_str));
        }
    }

    #[test]
    fn existing_paths_and_other_spans_pass() {
        let text = "`src/a.rs`, `src/a.rs:12:3`, `src/`, `cargo run src/b`, `crates/<name>`, `*/b.rs`, `--x=a/b`, `/v1/x`,\n\
                    `https://a.b/c`, `$HOME/x`, `target/debug`, `word`\n```\n`src/b.rs`\n```\n";
        assert_faults(check(&Tree::of(&[("ARCHITECTURE.md", text), ("src/a.rs", "")])), &[]);
    }
}
