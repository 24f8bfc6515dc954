//! A book laid over the book it extends, and single values laid over a book.
//!
//! A changed value loses its citation: a book that changes a fixed value must cite the new one, and values that a question or a table changes are listed as [`Departure`]s where the document does not allow them.

use super::RULE_BOOK_SPEC;
use super::library::Shelf;
use crate::document::provenance::KEYS;
use crate::document::{
    Document, Entry, Field, Kind, Node, Problem, Provenance, Source, Span, Spec, Table, Value, ValueKind,
};
use std::borrow::Cow;

/// The most keys in the path of a value that can be replaced; no spec is so deep. Documents are walked by recursion, so a longer path is refused before
/// tables are made of it.
const KEYS_MAX: usize = 8;

/// How many books may extend one another: more is a mistake, or a circle.
pub(super) const EXTENSIONS_MAX: usize = 8;

/// A value that was changed although the document fixes it, or beyond the range it allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Departure {
    /// The path of the value in the file.
    pub value: String,
    /// What it was changed to, as it is written in a file.
    pub given: String,
    /// What the book says; `None` where it has no such value.
    pub book: Option<String>,
    /// Where the book's value comes from; `None` where nothing says.
    pub provenance: Option<Provenance>,
}

/// As a refusal says it: the value, what the book has, and the passage.
impl std::fmt::Display for Departure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Departure { value, given, book, provenance } = self;
        let (given, book) = (shortened(given), book.as_deref().map(shortened));
        match (&book, provenance) {
            (Some(book), Some(provenance)) if provenance.kind == ValueKind::Fixed => {
                write!(f, "{value} is fixed by the document as {book}, not {given} ({provenance})")
            }
            (_, Some(provenance)) if provenance.kind != ValueKind::Fixed => {
                write!(f, "{value} = {given} is out of range; allowed: {} ({provenance})", provenance.range)
            }
            (Some(book), _) => write!(f, "{value} is part of the book, as {book}, not {given}"),
            (None, Some(provenance)) => {
                write!(f, "the document has no {value} = {given} ({provenance})")
            }
            (None, None) => write!(f, "the book has no {value} = {given}"),
        }
    }
}

/// A sentence has no room for a whole paytable.
fn shortened(written: &str) -> Cow<'_, str> {
    const MOST: usize = 60;
    match written.char_indices().nth(MOST) {
        Some((end, _)) => Cow::Owned(format!("{}…", &written[..end])),
        None => Cow::Borrowed(written),
    }
}

/// Reads a book and lays it over the books it extends. Problems of what it lays over them are added to the others.
///
/// # Errors
/// There is nothing to lay it over, or the text is no TOML.
pub(super) fn extended(
    source: &Source,
    shelf: &dyn Shelf,
    depth: usize,
    problems: &mut Vec<Problem>,
) -> Result<Document, Vec<Problem>> {
    let document = Document::parse(source)?;
    let Some((node, name)) = document.root.get("extends").and_then(|node| Some((node, node.text()?))) else {
        return Ok(document);
    };
    if depth == 0 {
        return Err(vec![Problem::new(
            &node.span,
            "the books extend one another in a circle, or too many times",
        )]);
    }
    let Some(base) = shelf.book(name, Some(source)) else {
        let why = shelf.why_not(name, Some(source));
        let message = why.map_or(format!("there is no rule book `{name}`"), |why| format!("`{name}`: {why}"));
        return Err(vec![
            Problem::new(&node.span, message).help("a book that comes with the program, or a path"),
        ]);
    };
    let mut base = extended(&base, shelf, depth - 1, problems)?;
    let mut recited = Recited { problems, fixed: 0 };
    let mut document = document;
    recited.tables(&RULE_BOOK_SPEC, &mut base.root, &mut document.root);
    let Recited { problems, mut fixed } = recited;
    let without: Vec<Node> = document.root.get("without").map_or_else(Vec::new, |node| match node.items() {
        Some(items) => items.to_vec(),
        None => vec![node.clone()],
    });
    let of_base = base.root.text("title").map(str::to_owned);
    for node in &without {
        let path: Vec<&str> = node.text().unwrap_or_default().split('.').collect();
        fixed += usize::from(base.root.fixes(&path));
    }
    let own = document.root.text("title").map(str::to_owned);
    if fixed > 0 && (own.is_none() || own == of_base) {
        let span = document.root.get("extends").map_or(&document.root.span, |node| &node.span);
        let message = "this book changes what its document fixes, and has the title of the book it extends";
        problems.push(Problem::new(span, message).help("give it a `title` and a `source` of its own"));
    }
    let mut document = base.overlaid(document);
    for node in &without {
        let path: Vec<&str> = node.text().unwrap_or_default().split('.').collect();
        if !document.root.remove(&path) {
            problems.push(Problem::new(&node.span, format!("there is no `{}` to leave out", path.join("."))));
        }
    }
    Ok(document)
}

/// Citations being moved from a base to what is laid over it.
struct Recited<'a> {
    problems: &'a mut Vec<Problem>,
    /// How many values are changed that the base's document fixes.
    fixed: usize,
}

impl Recited<'_> {
    fn tables(&mut self, spec: &'static Spec, base: &mut Table, over: &mut Table) {
        for field in spec.fields {
            let (Some(under), Some(laid)) =
                (base.at_mut(&[field.name]).and_then(Node::table_mut), over.at_mut(&[field.name]))
            else {
                continue;
            };
            let Some(laid) = laid.table_mut() else { continue };
            match field.kind {
                Kind::Table(spec) => self.tables(spec, under, laid),
                Kind::Named(spec) => {
                    for entry in &mut laid.entries {
                        let named = under.at_mut(&[&entry.key]).and_then(Node::table_mut);
                        if let (Some(under), Some(laid)) = (named, entry.node.table_mut()) {
                            self.tables(spec, under, laid);
                        }
                    }
                }
                _ => {}
            }
        }
        if spec.cited {
            self.table(spec, base, over);
        }
    }

    /// One cited table: the base keeps its citations for what stays, and what is laid over brings its own.
    fn table(&mut self, spec: &'static Spec, base: &mut Table, over: &mut Table) {
        let values = |table: &Table| -> Vec<&'static Field> {
            let fields = spec.fields.iter().filter(|field| field.kind.is_value());
            fields.filter(|field| table.get(field.name).is_some()).collect()
        };
        let is_odd = |node: &Node| node.text().is_none() && node.table().is_none();
        if KEYS.iter().any(|word| over.get(word).is_some_and(is_odd)) {
            // Checking the whole names it.
            return;
        }
        let said = KEYS.iter().any(|word| over.get(word).is_some());
        let mut own = Vec::new();
        for field in values(over) {
            let (Some(given), before) = (over.get(field.name), base.provenance(field.name)) else { continue };
            let same = base.get(field.name).is_some_and(|node| node.written() == given.written());
            let open = before.as_ref().is_some_and(|before| before.allows(given, Some(&field.kind)));
            self.fixed += usize::from(!same && !open && !field.descriptive);
            if over.provenance(field.name).is_some() {
                own.push(field.name);
            } else if !same && !open && !field.descriptive {
                let message = format!("this changes `{}` and does not say where that comes from", field.name);
                self.problems.push(
                    Problem::new(&given.span, message)
                        .help("name the passage in `cite`, or list the key in `option` or `assumed`"),
                );
            }
        }
        // An entry may also cite a value that it does not change. Listing a fixed value as an option or assumption counts as a change.
        for (word, kind) in KEYS.iter().zip(ValueKind::ALL) {
            let listed = over.get(word).and_then(Node::table).map(|list| &list.entries[..]);
            for entry in listed.unwrap_or_default() {
                let Some(field) = spec.fields.iter().find(|field| field.name == entry.key) else {
                    let message =
                        format!("`{}` is listed in `{word}`, but is not a key of this table", entry.key);
                    self.problems.push(Problem::new(&entry.key_span, message));
                    continue;
                };
                let was_fixed = base.provenance(field.name).is_some_and(|from| from.kind == ValueKind::Fixed);
                self.fixed += usize::from(was_fixed && kind != ValueKind::Fixed);
                if !own.contains(&field.name) {
                    own.push(field.name);
                }
            }
        }
        let kept: Vec<&str> =
            values(base).into_iter().map(|field| field.name).filter(|name| !own.contains(name)).collect();
        base.list_provenance(&kept);
        if said {
            over.list_provenance(&own);
        }
    }
}

impl Table {
    /// Whether the document fixes what is at a path: a value of that kind, or a table.
    fn fixes(&self, path: &[&str]) -> bool {
        let Some((key, tables)) = path.split_last() else { return false };
        let mut table = self;
        for name in tables {
            let Some(next) = table.table(name) else { return false };
            table = next;
        }
        match table.get(key).map(|node| &node.value) {
            None => false,
            Some(Value::Table(_)) => true,
            Some(_) => table.provenance(key).is_none_or(|from| from.kind == ValueKind::Fixed),
        }
    }

    /// Replaces what the table says about where its values come from by an entry for each of these keys.
    fn list_provenance(&mut self, keys: &[&str]) {
        let mut lists: [Vec<Entry>; 3] = Default::default();
        for key in keys {
            let listed = KEYS.iter().position(|word| {
                self.get(word).and_then(Node::table).is_some_and(|list| list.get(key).is_some())
            });
            let position = listed.or_else(|| {
                KEYS.iter().position(|word| self.get(word).is_some_and(|node| node.text().is_some()))
            });
            let Some(position) = position else { continue };
            let Some(said) = self.get(KEYS[position]) else { continue };
            let node = said.table().and_then(|list| list.get(key)).unwrap_or(said).clone();
            let key_span = node.span.clone();
            lists[position].push(Entry { key: (*key).to_owned(), key_span, node });
        }
        for (word, entries) in KEYS.iter().zip(lists) {
            let span = self.get(word).map_or_else(|| self.span.clone(), |node| node.span.clone());
            self.remove(&[word]);
            if !entries.is_empty() {
                let table = Table { span: span.clone(), entries };
                let node = Node { span: span.clone(), value: Value::Table(table) };
                self.entries.push(Entry { key: (*word).to_owned(), key_span: span, node });
            }
        }
    }
}

/// The document with one value replaced, as `--set KEY=VALUE` asks for. Text may be given without quotation marks.
pub(super) fn changed(
    document: Document,
    original: &Document,
    (key, value): (&str, &str),
    problems: &mut Vec<Problem>,
    departures: &mut Vec<Departure>,
) -> Document {
    let source = Source::change(key, value);
    let key_span = Span { source: source.clone(), start: 0, end: key.len() };
    let value_span = Span { source, start: key.len() + 1, end: key.len() + 1 + value.len() };
    let path: Vec<&str> = key.split('.').collect();
    let is_key = |key: &&str| {
        !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
    };
    if path.len() > KEYS_MAX || !path.iter().all(is_key) || matches!(path[0], "extends" | "without") {
        let help = "keys with dots between them, such as ranking.wheel";
        problems
            .push(Problem::new(&key_span, format!("`{key}` is no value that can be replaced")).help(help));
        return document;
    }
    let text = Node { span: value_span.clone(), value: Value::Text(value.to_owned()) };
    let text_wanted = RULE_BOOK_SPEC.kind_at(&path).is_some_and(Kind::is_text);
    let fits = |node: &Node| !text_wanted || node.text().is_some();
    let mut node = Node::parse(value, &value_span).filter(fits).unwrap_or(text);
    for key in path.iter().rev() {
        let entry = Entry { key: (*key).to_owned(), key_span: key_span.clone(), node };
        let table = Table { span: key_span.clone(), entries: vec![entry] };
        node = Node { span: key_span.clone(), value: Value::Table(table) };
    }
    let Value::Table(root) = node.value else { return document };
    RULE_BOOK_SPEC.departures("", Some(&original.root), &root, departures);
    document.overlaid(Document { root })
}

impl Spec {
    /// The values of `given` that the document of `original` does not allow.
    fn departures(
        &self,
        under: &str,
        original: Option<&Table>,
        given: &Table,
        departures: &mut Vec<Departure>,
    ) {
        for entry in &given.entries {
            let path = if under.is_empty() { entry.key.clone() } else { format!("{under}.{}", entry.key) };
            let field = self.fields.iter().find(|field| field.name == entry.key);
            let before = original.and_then(|table| table.get(&entry.key));
            let rule = field.filter(|field| !field.descriptive).map(|field| &field.kind);
            match (rule, entry.node.table()) {
                (Some(Kind::Table(spec)), Some(table)) if before.is_some() => {
                    spec.departures(&path, before.and_then(Node::table), table, departures);
                }
                (Some(Kind::Named(spec)), Some(named)) => {
                    for entry in &named.entries {
                        let path = format!("{path}.{}", entry.key);
                        let before = before.and_then(Node::table).and_then(|table| table.get(&entry.key));
                        match (before.and_then(Node::table), entry.node.table()) {
                            (Some(before), Some(table)) => {
                                spec.departures(&path, Some(before), table, departures);
                            }
                            _ => departures.push(departure(path, &entry.node, before, None)),
                        }
                    }
                }
                (kind, _) => {
                    let provenance = original
                        .filter(|_| field.is_some_and(|field| !field.descriptive))
                        .and_then(|table| table.provenance(&entry.key));
                    let same = before.is_some_and(|before| before.written() == entry.node.written());
                    let open = provenance.as_ref().is_some_and(|it| it.allows(&entry.node, kind));
                    if !same && !open {
                        departures.push(departure(path, &entry.node, before, provenance));
                    }
                }
            }
        }
    }
}

fn departure(value: String, given: &Node, before: Option<&Node>, from: Option<Provenance>) -> Departure {
    Departure { value, given: given.written(), book: before.map(Node::written), provenance: from }
}
