//! Paths of keys and list indices for spans of a text.

use paigow::document::{Document, DocumentTable, Node, Source, Span, Value};
use std::cmp::Reverse;
use std::slice;
use std::sync::Arc;

/// Spans of all keys and values of a text, with their paths.
pub(crate) struct FaultPaths {
    source: Source,
    all: Vec<(Span, Vec<String>)>,
}

impl FaultPaths {
    /// Collects the paths of a text. There are none if the text is not valid TOML.
    pub(crate) fn of(source: &Source) -> FaultPaths {
        let mut paths = FaultPaths { source: source.clone(), all: Vec::new() };
        if let Ok(document) = Document::parse(source) {
            paths.add_table(&document.root, &[]);
        }
        paths
    }

    /// Returns the path of the smallest key or value that contains the span, or `None` for a span of another text.
    ///
    /// The path is empty if only the whole text contains the span.
    pub(crate) fn path(&self, span: &Span) -> Option<&[String]> {
        if !Arc::ptr_eq(&span.source.text, &self.source.text) {
            return None;
        }
        let around = |(other, _): &&(Span, _)| other.start <= span.start && span.end <= other.end;
        let size = |(other, path): &&(Span, Vec<String>)| (other.end - other.start, Reverse(path.len()));
        Some(self.all.iter().filter(around).min_by_key(size).map_or(&[], |(_, path)| path))
    }

    fn add_table(&mut self, table: &DocumentTable, path: &[String]) {
        for entry in &table.entries {
            let path = [path, slice::from_ref(&entry.key)].concat();
            self.all.push((entry.key_span.clone(), path.clone()));
            self.add_node(&entry.node, path);
        }
    }

    fn add_node(&mut self, node: &Node, path: Vec<String>) {
        match &node.value {
            Value::Table(table) => {
                self.all.push((table.span.clone(), path.clone()));
                self.add_table(table, &path);
            }
            Value::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.add_node(item, [&path[..], &[index.to_string()]].concat());
                }
            }
            _ => {}
        }
        self.all.push((node.span.clone(), path));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, part: &str, expect: &str) {
        let source = Source::new("text", text);
        let start = text.find(part).unwrap();
        let span = Span { source: source.clone(), start, end: start + part.len() };
        assert_eq!(FaultPaths::of(&source).path(&span).unwrap().join("."), expect, "{part}");
    }

    #[test]
    fn span_has_the_path_of_its_key_or_value() {
        let text = "a = 1\nb = { c = [2, { d = 3 }] }\n[[e]]\nf = 4\n[[e]]\ng.h = 5\n[i.\"j k\"]\nl = 6\n";
        let parts = [
            ("1", "a"),
            ("2", "b.c.0"),
            ("3", "b.c.1.d"),
            ("{ d", "b.c.1"),
            ("4", "e.0.f"),
            ("5", "e.1.g.h"),
        ];
        for (part, expect) in parts {
            check(text, part, expect);
        }
        check(text, "6", "i.j k.l");
        check(text, "l", "i.j k.l");
        check(text, "1\nb", "");
    }

    #[test]
    fn span_of_another_text_has_no_path() {
        let [source, other] = ["a = 1", "a = 1"].map(|text| Source::new("text", text));
        let paths = FaultPaths::of(&source);
        assert!(paths.path(&Span { source: other, start: 0, end: 1 }).is_none());
        assert!(paths.path(&Span { source, start: 0, end: 1 }).is_some());
    }
}
