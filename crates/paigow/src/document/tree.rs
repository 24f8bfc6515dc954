//! The tree of a document, every value with its place.

use super::{Problem, Source, Span, in_order};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// No text of rules is so long.
const BYTES_MAX: usize = 1_000_000;

/// A document read, or several laid over one another.
#[derive(Clone, Debug)]
pub struct Document {
    /// The root. Its span is the first line of the file.
    pub root: DocumentTable,
}

/// A value and where it stands.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where.
    pub span: Span,
    /// What.
    pub value: Value,
}

/// What a value is.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the names say it
pub enum Value {
    Text(String),
    Integer(i64),
    Bool(bool),
    List(Vec<Node>),
    Table(DocumentTable),
    /// A kind of value that no document here has any use for: a float, a date that is not text.
    Other(&'static str),
}

/// Keys and their values, in the order of the file.
#[derive(Clone, Debug)]
pub struct DocumentTable {
    /// Where the table is named; of an inline table, all of it.
    pub span: Span,
    /// What is in it.
    pub entries: Vec<DocumentEntry>,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub struct DocumentEntry {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub node: Node,
}

impl Document {
    /// Reads a document.
    ///
    /// # Errors
    /// Every place where the text is not TOML.
    pub fn parse(source: &Source) -> Result<Document, Vec<Problem>> {
        if source.text.len() > BYTES_MAX {
            let start = Span { source: source.clone(), start: 0, end: 0 };
            let message = format!("the text has {} bytes, and may have {BYTES_MAX}", source.text.len());
            return Err(vec![Problem::new(&start, message)]);
        }
        let (root, errors) = DeTable::parse_recoverable(&source.text);
        let problems: Vec<Problem> = errors
            .iter()
            .map(|error| {
                let span = error.span().unwrap_or(0..0);
                let span = Span { source: source.clone(), start: span.start, end: span.end };
                Problem::new(&span, error.message()).help("the file must be TOML")
            })
            .collect();
        if !problems.is_empty() {
            return Err(in_order(problems));
        }
        let first_line = source.text.find('\n').unwrap_or(source.text.len());
        let span = Span { source: source.clone(), start: 0, end: first_line };
        Ok(Document { root: table(root.get_ref(), span, source) })
    }

    /// The value at a path of keys separated by dots, such as `ranking.wheel`.
    pub fn at(&self, path: &str) -> Option<&Node> {
        let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
        let mut node = self.root.get(first)?;
        for key in rest.into_iter().flat_map(|rest| rest.split('.')) {
            node = node.table()?.get(key)?;
        }
        Some(node)
    }

    /// This document with another laid over it: its tables are merged key by key, its other values replace.
    #[must_use]
    pub fn overlaid(self, over: Document) -> Document {
        Document { root: self.root.overlaid(over.root) }
    }
}

impl Node {
    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The table, if it is one.
    pub fn table(&self) -> Option<&DocumentTable> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    pub(crate) fn table_mut(&mut self) -> Option<&mut DocumentTable> {
        match &mut self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The value as it is written in a file, without quotation marks.
    pub fn written(&self) -> String {
        match &self.value {
            Value::Text(text) => text.clone(),
            Value::Integer(integer) => integer.to_string(),
            Value::Bool(truth) => truth.to_string(),
            Value::List(items) => {
                let items: Vec<String> = items.iter().map(Node::written).collect();
                format!("[{}]", items.join(", "))
            }
            Value::Table(table) => {
                let entry = |entry: &DocumentEntry| format!("{} = {}", entry.key, entry.node.written());
                format!("{{ {} }}", table.entries.iter().map(entry).collect::<Vec<_>>().join(", "))
            }
            Value::Other(kind) => (*kind).to_owned(),
        }
    }

    /// The items, if it is a list.
    pub fn items(&self) -> Option<&[Node]> {
        match &self.value {
            Value::List(items) => Some(items),
            _ => None,
        }
    }
}

impl DocumentTable {
    /// The text of a key, if it has one.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.text()
    }

    /// The truth of a key, if it has one.
    pub fn truth(&self, key: &str) -> Option<bool> {
        match self.get(key)?.value {
            Value::Bool(truth) => Some(truth),
            _ => None,
        }
    }

    /// The number of a key, if it has one.
    pub fn integer(&self, key: &str) -> Option<i64> {
        match self.get(key)?.value {
            Value::Integer(integer) => Some(integer),
            _ => None,
        }
    }

    /// The table of a key, if it has one.
    pub fn table(&self, key: &str) -> Option<&DocumentTable> {
        self.get(key)?.table()
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// The value at a path of keys, to be changed.
    pub(crate) fn at_mut(&mut self, path: &[&str]) -> Option<&mut Node> {
        let (first, rest) = path.split_first()?;
        let node = self.entries.iter_mut().find(|entry| entry.key == *first).map(|entry| &mut entry.node)?;
        if rest.is_empty() {
            return Some(node);
        }
        match &mut node.value {
            Value::Table(table) => table.at_mut(rest),
            _ => None,
        }
    }

    /// Takes out the value at a path of keys, and says whether there was one.
    pub(crate) fn remove(&mut self, path: &[&str]) -> bool {
        let Some((last, parents)) = path.split_last() else { return false };
        let table = match parents {
            [] => Some(self),
            parents => self.at_mut(parents).and_then(|node| match &mut node.value {
                Value::Table(table) => Some(table),
                _ => None,
            }),
        };
        let Some(table) = table else { return false };
        let before = table.entries.len();
        table.entries.retain(|entry| entry.key != *last);
        table.entries.len() < before
    }

    fn overlaid(mut self, over: DocumentTable) -> DocumentTable {
        for entry in over.entries {
            match self.entries.iter_mut().find(|mine| mine.key == entry.key) {
                None => self.entries.push(entry),
                Some(mine) => {
                    mine.key_span = entry.key_span;
                    mine.node = match (std::mem::replace(&mut mine.node.value, Value::Other("")), entry.node)
                    {
                        (Value::Table(under), Node { span, value: Value::Table(over) }) => {
                            Node { span, value: Value::Table(under.overlaid(over)) }
                        }
                        (_, node) => node,
                    };
                }
            }
        }
        DocumentTable { span: over.span, ..self }
    }
}

impl Value {
    /// What kind of value it is, in words.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Text(_) => "text",
            Value::Integer(_) => "a whole number",
            Value::Bool(_) => "true or false",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
            Value::Other(kind) => kind,
        }
    }
}

impl Node {
    /// A value written on its own, all of it at one place; nothing if the text is no value.
    pub(crate) fn parse(text: &str, span: &Span) -> Option<Node> {
        let value = DeValue::parse(text).ok()?;
        let mut node = node(&value, &Source::new("", ""));
        node.move_to(span);
        Some(node)
    }

    fn move_to(&mut self, span: &Span) {
        self.span = span.clone();
        match &mut self.value {
            Value::List(items) => items.iter_mut().for_each(|item| item.move_to(span)),
            Value::Table(table) => {
                table.span = span.clone();
                for entry in &mut table.entries {
                    entry.key_span = span.clone();
                    entry.node.move_to(span);
                }
            }
            _ => {}
        }
    }
}

fn table(table: &DeTable<'_>, span: Span, source: &Source) -> DocumentTable {
    let mut entries: Vec<DocumentEntry> = table
        .iter()
        .map(|(key, value)| DocumentEntry {
            key: key.get_ref().to_string(),
            key_span: Span { source: source.clone(), start: key.span().start, end: key.span().end },
            node: node(value, source),
        })
        .collect();
    entries.sort_by_key(|entry| entry.key_span.start);
    DocumentTable { span, entries }
}

fn node(value: &Spanned<DeValue<'_>>, source: &Source) -> Node {
    let span = Span { source: source.clone(), start: value.span().start, end: value.span().end };
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(integer) => match i64::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(integer) => Value::Integer(integer),
            Err(_) => Value::Other("a number out of range"),
        },
        DeValue::Float(_) => Value::Other("a number with a fraction"),
        DeValue::Boolean(truth) => Value::Bool(*truth),
        DeValue::Datetime(_) => Value::Other("a date without quotation marks"),
        DeValue::Array(items) => Value::List(items.iter().map(|item| node(item, source)).collect()),
        DeValue::Table(entries) => Value::Table(table(entries, span.clone(), source)),
    };
    Node { span, value }
}
