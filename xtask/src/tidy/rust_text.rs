//! Blanks parts of Rust source: comments and literals, or the test modules. Finds declarations of public types.
//!
//! Blanking replaces every byte except line ends with a space, so that offsets and line numbers stay the same. This is
//! not a parser: it finds the ends of comments, strings and character literals, and counts braces outside them. Nested
//! block comments are not supported.

use std::ops::Range;

/// Returns the source with comments, strings and character literals blanked.
pub(crate) fn code_only(text: &str) -> String {
    let mut code = text.to_owned();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let len = literal_len(&text[..at], &text[at..]);
        if 0 < len {
            blank(&mut code, at..at + len);
        }
        at += len.max(first.len_utf8());
    }
    code
}

/// Returns the source with its `#[cfg(test)] mod … { … }` blocks blanked.
pub(crate) fn without_tests(text: &str) -> String {
    let code = code_only(text);
    let mut kept = text.to_owned();
    for (start, attribute) in code.match_indices("#[cfg(test)]") {
        let item = start + attribute.len();
        // More attributes and a visibility may precede the brace, but no other item.
        let Some(open) = code[item..].find(['{', ';']).map(|length| item + length) else { continue };
        if code[open..].starts_with('{') && code[item..open].split_whitespace().any(|word| word == "mod") {
            blank(&mut kept, start..open + block_len(&code[open..]));
        }
    }
    kept
}

/// Returns the name of the public type that a line declares. Types that macros declare are not found.
pub(crate) fn public_type(line: &str) -> Option<&str> {
    let declaration = line.strip_prefix("pub ")?;
    let name =
        ["struct ", "enum ", "trait ", "type "].iter().find_map(|word| declaration.strip_prefix(word))?;
    let end = name.find(|c: char| !c.is_alphanumeric()).unwrap_or(name.len());
    Some(&name[..end])
}

/// Length of the comment or literal at the start of `rest`, or 0 if there is none.
fn literal_len(before: &str, rest: &str) -> usize {
    let quoted =
        |open: usize, close: &str| rest[open..].find(close).map_or(rest.len(), |n| open + n + close.len());
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return quoted(2, "*/");
    }
    if rest.starts_with('"') {
        // The opening hashes of a raw string are at the end of `before`. The string ends with as many.
        let bare = before.trim_end_matches('#');
        let is_raw = ["r", "br", "cr"].iter().any(|prefix| ends_with_word(bare, prefix));
        return if is_raw {
            quoted(1, &format!("\"{}", &before[bare.len()..]))
        } else {
            escaped_len(rest, '"')
        };
    }
    let mut chars = rest.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some('\''), Some('\\'), _) => escaped_len(rest, '\''),
        (Some('\''), Some(inner), Some('\'')) => inner.len_utf8() + 2,
        // Anything else after a quote is a lifetime.
        _ => 0,
    }
}

/// Length of the literal at the start of `rest`, up to the first closing quote that is not escaped.
fn escaped_len(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if c == quote && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    rest.len()
}

/// Length of the block whose opening brace is at the start of `code`.
pub(crate) fn block_len(code: &str) -> usize {
    let mut depth = 0;
    for (at, c) in code.char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if depth == 0 {
            return at + c.len_utf8();
        }
    }
    code.len()
}

fn ends_with_word(text: &str, word: &str) -> bool {
    text.strip_suffix(word).is_some_and(|front| !front.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

fn blank(text: &mut String, range: Range<usize>) {
    let spaces: String = text[range.clone()].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }).collect();
    text.replace_range(range, &spaces);
}

#[cfg(test)]
mod tests {
    use super::super::words;
    use super::*;

    #[test]
    fn comments_and_literals_are_blanked_in_place() {
        let cases = [
            ("a // é {\nb", "a        \nb"),
            ("a /* {\n} */ b", "a     \n     b"),
            (r#"f("\"{") g"#, "f(     ) g"),
            (r##"r#"{" "{"# g"##, "r#         g"),
            (r"('{', '\'', '\u{7d}', &'a str)", "(   ,     ,         , &'a str)"),
        ];
        for (text, code) in cases {
            assert_eq!(code_only(text), code, "{text}");
        }
    }

    #[test]
    fn test_modules_are_blanked_and_line_numbers_kept() {
        let text = "fn a() {}\n#[cfg(test)]\n#[allow(x)]\nmod tests {\n    f(\"}\", '}'); // }\n    { x }\n}\nfn b() {}\n";
        let kept = without_tests(text);
        assert_eq!(kept.split_whitespace().collect::<String>(), "fna(){}fnb(){}");
        assert_eq!(words::line_of(&kept, kept.find("fn b").unwrap()), 8);
    }

    #[test]
    fn public_types_are_found_by_their_declaration() {
        let lines =
            ["pub struct Card(u8);", "pub enum Suit {", "pub trait Shuffle<T> {}", "pub type Id = u8;"];
        assert_eq!(lines.map(public_type), [Some("Card"), Some("Suit"), Some("Shuffle"), Some("Id")]);
        let lines = ["pub(crate) struct Key;", "    pub enum Inner {}", "pub fn card() {}", "struct Pile;"];
        assert_eq!(lines.map(public_type), [None; 4]);
    }

    #[test]
    fn other_items_are_not_blanked() {
        for text in [
            "// #[cfg(test)]\nmod a { b }",
            "#[cfg(test)]\nfn mod_a() { b }",
            "#[cfg(test)] mod a;\nmod b { c }",
        ] {
            assert_eq!(without_tests(text), text);
        }
    }
}
