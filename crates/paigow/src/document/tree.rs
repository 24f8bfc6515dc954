//! The tree of a document. Every value has its span.

use super::{Problem, Source, Span, sorted_problems};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Maximum size of a document. Real documents are much smaller.
const BYTES_MAX: usize = 1_000_000;

/// A parsed document, or several overlaid documents.
#[derive(Clone, Debug)]
pub struct Document {
    /// The root table. Its span is the first line of the file.
    pub root: DocumentTable,
}

/// A value with its span.
#[derive(Clone, Debug)]
pub struct Node {
    /// Location of the value.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// A value of a document.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the names are self-explanatory
pub enum Value {
    Text(String),
    Integer(i64),
    Bool(bool),
    List(Vec<Node>),
    Table(DocumentTable),
    /// A TOML value that documents do not use, such as a float or an unquoted date. Contains its description.
    Other(&'static str),
}

/// Keys and their values, in the order of the file.
#[derive(Clone, Debug)]
pub struct DocumentTable {
    /// Span of the table's name, or of the whole table if it is inline.
    pub span: Span,
    /// The entries.
    pub entries: Vec<DocumentEntry>,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub struct DocumentEntry {
    /// The key.
    pub key: String,
    /// Location of the key.
    pub key_span: Span,
    /// The value.
    pub node: Node,
}

impl Document {
    /// Parses a document.
    ///
    /// # Errors
    /// Returns every syntax error of the TOML text, or a problem if the text is too long.
    pub fn parse(source: &Source) -> Result<Document, Vec<Problem>> {
        if source.text.len() > BYTES_MAX {
            let start = Span { source: source.clone(), start: 0, end: 0 };
            let message = format!("the text has {} bytes; the maximum is {BYTES_MAX}", source.text.len());
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
            return Err(sorted_problems(problems));
        }
        let first_line = source.text.find('\n').unwrap_or(source.text.len());
        let span = Span { source: source.clone(), start: 0, end: first_line };
        Ok(Document { root: table(root.get_ref(), span, source) })
    }

    /// Returns the value at a path of keys separated by dots, such as `ranking.wheel`.
    pub fn at(&self, path: &str) -> Option<&Node> {
        let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
        let mut node = self.root.get(first)?;
        for key in rest.into_iter().flat_map(|rest| rest.split('.')) {
            node = node.table()?.get(key)?;
        }
        Some(node)
    }

    /// Returns this document overlaid with another.
    ///
    /// Tables are merged key by key. Other values of `over` replace the values of this document.
    #[must_use]
    pub fn overlaid(self, over: Document) -> Document {
        Document { root: self.root.overlaid(over.root) }
    }
}

impl Node {
    /// Returns the text, or `None` if the value is not text.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the table, or `None` if the value is not a table.
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

    /// Returns the value in the syntax of a file, without quotation marks.
    pub fn written(&self) -> String {
        match &self.value {
            Value::Text(text) => text.clone(),
            Value::Integer(integer) => integer.to_string(),
            Value::Bool(boolean) => boolean.to_string(),
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

    /// Returns the items, or `None` if the value is not a list.
    pub fn items(&self) -> Option<&[Node]> {
        match &self.value {
            Value::List(items) => Some(items),
            _ => None,
        }
    }
}

impl DocumentTable {
    /// Returns the text of a key, or `None` if the key is missing or not text.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.text()
    }

    /// Returns the boolean of a key, or `None` if the key is missing or not a boolean.
    pub fn boolean(&self, key: &str) -> Option<bool> {
        match self.get(key)?.value {
            Value::Bool(boolean) => Some(boolean),
            _ => None,
        }
    }

    /// Returns the whole number of a key, or `None` if the key is missing or not a whole number.
    pub fn integer(&self, key: &str) -> Option<i64> {
        match self.get(key)?.value {
            Value::Integer(integer) => Some(integer),
            _ => None,
        }
    }

    /// Returns the table of a key, or `None` if the key is missing or not a table.
    pub fn table(&self, key: &str) -> Option<&DocumentTable> {
        self.get(key)?.table()
    }

    /// Returns the value of a key, or `None` if the key is missing.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// Returns a mutable reference to the value at a path of keys.
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

    /// Removes the value at a path of keys. Returns `true` if there was one.
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
    /// Returns a description of the value's type, for messages.
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
    /// Parses a single value, or returns `None` if the text is not a value. Every part of it gets the same span.
    pub(crate) fn parse(text: &str, span: &Span) -> Option<Node> {
        let value = DeValue::parse(text).ok()?;
        let mut node = node(&value, &Source::new("", ""));
        node.set_span(span);
        Some(node)
    }

    fn set_span(&mut self, span: &Span) {
        self.span = span.clone();
        match &mut self.value {
            Value::List(items) => items.iter_mut().for_each(|item| item.set_span(span)),
            Value::Table(table) => {
                table.span = span.clone();
                for entry in &mut table.entries {
                    entry.key_span = span.clone();
                    entry.node.set_span(span);
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
        DeValue::Boolean(boolean) => Value::Bool(*boolean),
        DeValue::Datetime(_) => Value::Other("a date without quotation marks"),
        DeValue::Array(items) => Value::List(items.iter().map(|item| node(item, source)).collect()),
        DeValue::Table(entries) => Value::Table(table(entries, span.clone(), source)),
    };
    Node { span, value }
}
