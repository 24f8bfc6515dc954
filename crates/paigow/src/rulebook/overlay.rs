//! Merging of a book with the book it extends, and of single overrides with a book.
//!
//! A changed value loses its citation. A book that changes a fixed value must cite the new one. Values that a question
//! or a table changes are listed as [`Departure`]s if the document does not allow them.

use super::RULE_BOOK_SPEC;
use super::library::BookSource;
use crate::document::provenance::PROVENANCE_KEYS;
use crate::document::{
    Document, DocumentEntry, DocumentTable, Field, FieldType, Node, Problem, Provenance, Source, Span, Spec,
    Value, ValueKind,
};
use std::borrow::Cow;

/// Maximum number of keys in the path of an override. No spec is this deep. Documents are walked recursively, so longer
/// paths are refused before tables are built from them.
const KEYS_MAX: usize = 8;

/// Maximum number of `extends` levels. A longer chain is a mistake or a cycle.
pub(super) const EXTENSIONS_MAX: usize = 8;

/// Override of a value that the document fixes, or outside the range that it allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Departure {
    /// Path of the value in the file.
    pub value: String,
    /// New value, as written in a file.
    pub given: String,
    /// Value in the book; `None` if the book does not have it.
    pub book: Option<String>,
    /// Provenance of the book's value; `None` if the book states none.
    pub provenance: Option<Provenance>,
}

/// Message of a refusal: the key, the new value, the value in the book and the passage.
impl std::fmt::Display for Departure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Departure { value, given, book, provenance } = self;
        let (given, book) = (truncated(given), book.as_deref().map(truncated));
        match (&book, provenance) {
            (Some(book), Some(provenance)) if provenance.kind == ValueKind::Fixed => {
                write!(f, "{value} is fixed by the document as {book}, not {given} ({provenance})")
            }
            (_, Some(provenance)) if provenance.kind != ValueKind::Fixed => {
                write!(f, "{value} = {given} is out of range; allowed: {} ({provenance})", provenance.range)
            }
            (Some(book), _) => write!(f, "{value} is {book} in the book, not {given}"),
            (None, Some(provenance)) => {
                write!(f, "{value} = {given}: the document does not have this value ({provenance})")
            }
            (None, None) => write!(f, "{value} = {given}: the book does not have this value"),
        }
    }
}

/// Truncates a value, because a whole paytable is too long for a message.
fn truncated(written: &str) -> Cow<'_, str> {
    const CHARS_MAX: usize = 60;
    match written.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => Cow::Owned(format!("{}…", &written[..end])),
        None => Cow::Borrowed(written),
    }
}

/// Parses a book and merges it with the books it extends. Problems of the merge are appended to `problems`.
///
/// # Errors
/// An extended book is missing or the chain is too long, or a text is not valid TOML.
pub(super) fn load_extended(
    source: &Source,
    book_source: &dyn BookSource,
    depth: usize,
    problems: &mut Vec<Problem>,
) -> Result<Document, Vec<Problem>> {
    let document = Document::parse(source)?;
    let Some((node, name)) = document.root.get("extends").and_then(|node| Some((node, node.text()?))) else {
        return Ok(document);
    };
    if depth == 0 {
        let message = format!("`extends` forms a cycle or has more than {EXTENSIONS_MAX} levels");
        return Err(vec![Problem::new(&node.span, message)]);
    }
    let Some(base) = book_source.book(name, Some(source)) else {
        let why = book_source.unreadable_reason(name, Some(source));
        let message = why.map_or(format!("there is no rule book `{name}`"), |why| format!("`{name}`: {why}"));
        return Err(vec![
            Problem::new(&node.span, message).help("use the name of a built-in book, or a path"),
        ]);
    };
    let mut base = load_extended(&base, book_source, depth - 1, problems)?;
    let mut passages = Vec::new();
    RULE_BOOK_SPEC.passages(&base.root, &mut passages);
    let mut merge = CitationMerge { problems, passages, fixed_changes: 0, dropped: Vec::new() };
    let mut document = document;
    merge.tables(&RULE_BOOK_SPEC, &mut base.root, &mut document.root);
    let CitationMerge { problems, mut fixed_changes, mut dropped, .. } = merge;
    let without: Vec<Node> = document.root.get("without").map_or_else(Vec::new, |node| match node.items() {
        Some(items) => items.to_vec(),
        None => vec![node.clone()],
    });
    for node in &without {
        let path: Vec<&str> = node.text().unwrap_or_default().split('.').collect();
        fixed_changes += usize::from(base.root.fixes(&path));
        RULE_BOOK_SPEC.passages_at(&path, &base.root, &mut dropped);
    }
    if fixed_changes > 0 {
        check_own_heading(&base.root, &document.root, problems);
        // The date and the duties describe the document of the extended book.
        base.root.remove(&["effective"]);
        let restated = document.root.table("duties").cloned();
        for duty in duties_of(&dropped) {
            if restated.as_ref().is_none_or(|own| own.get(duty).is_none()) {
                base.root.remove(&["duties", duty]);
            }
        }
    }
    let mut document = base.overlaid(document);
    for node in &without {
        let path: Vec<&str> = node.text().unwrap_or_default().split('.').collect();
        if !document.root.remove(&path) {
            problems.push(Problem::new(
                &node.span,
                format!("the extended book has no `{}` to leave out", path.join(".")),
            ));
        }
    }
    Ok(document)
}

/// Checks that a book that changes fixed values has its own title, source and comparison date.
fn check_own_heading(base: &DocumentTable, own: &DocumentTable, problems: &mut Vec<Problem>) {
    let span = own.get("extends").map_or(&own.span, |node| &node.span);
    for key in ["title", "source"] {
        if own.text(key).is_none() || own.text(key) == base.text(key) {
            let message =
                format!("this book changes fixed values but keeps the {key} of the book it extends");
            problems.push(Problem::new(span, message).help(format!("set its own `{key}`")));
        }
    }
    if own.get("checked_on").is_none() {
        let message = "this book changes fixed values but has no date of comparison with its source";
        problems.push(Problem::new(span, message).help("set its own `checked_on`"));
    }
}

/// Returns the keys of duties at the start of passages: `WA-4` of `WA-4, paytable options, FPG-08`.
fn duties_of(passages: &[String]) -> impl Iterator<Item = &str> {
    let parts = passages.iter().flat_map(|passage| passage.split(';'));
    parts.filter_map(|part| part.split([',', ':']).next()).map(str::trim)
}

/// Returns a citation without case, spaces and punctuation, for comparison.
fn normalized(cite: &str) -> String {
    cite.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

impl Spec {
    /// Collects the passages that fix values of a table and of its subtables.
    fn passages(&self, table: &DocumentTable, passages: &mut Vec<String>) {
        for entry in &table.entries {
            let field = self.fields.iter().find(|field| field.name == entry.key && !field.descriptive);
            let Some(field) = field else { continue };
            match (&field.field_type, entry.node.table()) {
                (FieldType::Table(spec), Some(table)) => spec.passages(table, passages),
                (FieldType::Named(spec), Some(named)) => {
                    let tables = named.entries.iter().filter_map(|entry| entry.node.table());
                    tables.for_each(|table| spec.passages(table, passages));
                }
                _ => {
                    let from = table.provenance(&entry.key).filter(|from| from.kind == ValueKind::Fixed);
                    passages.extend(from.and_then(|from| from.cite));
                }
            }
        }
    }

    /// Collects the passages that fix the value or the table at a path.
    fn passages_at(&self, path: &[&str], table: &DocumentTable, passages: &mut Vec<String>) {
        let Some((key, rest)) = path.split_first() else { return self.passages(table, passages) };
        let Some(field) = self.fields.iter().find(|field| field.name == *key) else { return };
        match (&field.field_type, table.table(key), rest) {
            (FieldType::Table(spec), Some(inner), rest) => spec.passages_at(rest, inner, passages),
            (FieldType::Named(spec), Some(named), [name, rest @ ..]) => {
                if let Some(inner) = named.table(name) {
                    spec.passages_at(rest, inner, passages);
                }
            }
            (FieldType::Named(spec), Some(named), []) => {
                let tables = named.entries.iter().filter_map(|entry| entry.node.table());
                tables.for_each(|table| spec.passages(table, passages));
            }
            _ => passages.extend(table.provenance(key).and_then(|from| from.cite)),
        }
    }
}

/// Merge of the citations of a base book and of the book that extends it.
struct CitationMerge<'a> {
    problems: &'a mut Vec<Problem>,
    /// Passages that fix values of the base.
    passages: Vec<String>,
    /// Passages that fixed values that are changed.
    dropped: Vec<String>,
    /// Number of changed values that the document of the base fixes.
    fixed_changes: usize,
}

impl CitationMerge<'_> {
    fn tables(&mut self, spec: &'static Spec, base: &mut DocumentTable, over: &mut DocumentTable) {
        for field in spec.fields {
            let Some(over_table) = over.at_mut(&[field.name]).and_then(Node::table_mut) else { continue };
            let base_table = base.at_mut(&[field.name]).and_then(Node::table_mut);
            match (&field.field_type, base_table) {
                (FieldType::Table(spec), Some(base_table)) => self.tables(spec, base_table, over_table),
                (FieldType::Named(spec), Some(base_table)) => {
                    for entry in &mut over_table.entries {
                        let named = base_table.at_mut(&[&entry.key]).and_then(Node::table_mut);
                        match (named, entry.node.table_mut()) {
                            (Some(base), Some(over)) => self.tables(spec, base, over),
                            // A side wager or a paytable that the document does not have.
                            _ => self.fixed_changes += usize::from(!field.descriptive),
                        }
                    }
                }
                (FieldType::Table(_) | FieldType::Named(_), None) => {
                    self.fixed_changes += usize::from(!field.descriptive);
                }
                _ => {}
            }
        }
        if spec.cited {
            self.table(spec, base, over);
        }
    }

    /// Returns whether the base cites this passage for a fixed value.
    fn is_cited_by_base(&self, cite: &str) -> bool {
        self.passages.iter().any(|passage| normalized(passage) == normalized(cite))
    }

    /// Merges the citations of one table: unchanged values keep those of the base, the others need their own.
    fn table(&mut self, spec: &'static Spec, base: &mut DocumentTable, over: &mut DocumentTable) {
        let values = |table: &DocumentTable| -> Vec<&'static Field> {
            let fields = spec.fields.iter().filter(|field| field.field_type.is_value());
            fields.filter(|field| table.get(field.name).is_some()).collect()
        };
        let is_malformed = |node: &Node| node.text().is_none() && node.table().is_none();
        if PROVENANCE_KEYS.iter().any(|word| over.get(word).is_some_and(is_malformed)) {
            // The check against the spec reports it.
            return;
        }
        let has_citations = PROVENANCE_KEYS.iter().any(|word| over.get(word).is_some());
        let mut own = Vec::new();
        for field in values(over) {
            let (Some(given), before) = (over.get(field.name), base.provenance(field.name)) else { continue };
            let same = base.get(field.name).is_some_and(|node| node.written() == given.written());
            let open = before.as_ref().is_some_and(|before| before.allows(given, Some(&field.field_type)));
            let changed = !same && !open && !field.descriptive;
            self.fixed_changes += usize::from(changed);
            if changed {
                self.dropped.extend(before.and_then(|before| before.cite));
            }
            if let Some(from) = over.provenance(field.name) {
                own.push(field.name);
                // An assumption may cite the nearest passage. Its reason explains why the book departs from it.
                let cited = from.cite.filter(|_| from.kind != ValueKind::Assumed);
                let copied = cited.filter(|cite| changed && self.is_cited_by_base(cite));
                if let Some(cite) = copied {
                    let message = format!(
                        "`{}` is changed but cites a passage of the extended book: {cite}",
                        field.name
                    );
                    self.problems.push(
                        Problem::new(&given.span, message).help("cite the passage that states the new value"),
                    );
                }
            } else if changed {
                let message = format!("`{}` is changed without a citation", field.name);
                self.problems.push(
                    Problem::new(&given.span, message)
                        .help("cite the passage in `cite`, or list the key in `option` or `assumed`"),
                );
            }
        }
        // An entry may also cite a value that it does not change. Listing a fixed value as an option or assumption
        // counts as a change.
        for (word, kind) in PROVENANCE_KEYS.iter().zip(ValueKind::ALL) {
            let listed = over.get(word).and_then(Node::table).map(|list| &list.entries[..]);
            for entry in listed.unwrap_or_default() {
                let Some(field) = spec.fields.iter().find(|field| field.name == entry.key) else {
                    let message =
                        format!("`{}` is listed in `{word}`, but is not a key of this table", entry.key);
                    self.problems.push(Problem::new(&entry.key_span, message));
                    continue;
                };
                let fixed_by = base.provenance(field.name).filter(|from| from.kind == ValueKind::Fixed);
                if let Some(from) = fixed_by.filter(|_| kind != ValueKind::Fixed) {
                    self.fixed_changes += 1;
                    self.dropped.extend(from.cite);
                }
                if !own.contains(&field.name) {
                    own.push(field.name);
                }
            }
        }
        let of_base = spec.fields.iter().filter(|field| field.field_type.is_value());
        let of_base = of_base.filter(|field| base.get(field.name).is_some() || base.leaves_open(field.name));
        let kept: Vec<&str> = of_base.map(|field| field.name).filter(|name| !own.contains(name)).collect();
        base.list_provenance(&kept);
        if has_citations {
            over.list_provenance(&own);
        }
    }
}

impl DocumentTable {
    /// Returns whether the path leads to a table or to a value that the document fixes.
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

    /// Replaces the citations of the table by one entry for each of these keys.
    fn list_provenance(&mut self, keys: &[&str]) {
        let mut lists: [Vec<DocumentEntry>; 3] = Default::default();
        for key in keys {
            let listed = PROVENANCE_KEYS.iter().position(|word| {
                self.get(word).and_then(Node::table).is_some_and(|list| list.get(key).is_some())
            });
            let position = listed.or_else(|| {
                PROVENANCE_KEYS
                    .iter()
                    .position(|word| self.get(word).is_some_and(|node| node.text().is_some()))
            });
            let Some(position) = position else { continue };
            let Some(citation) = self.get(PROVENANCE_KEYS[position]) else { continue };
            let node = citation.table().and_then(|list| list.get(key)).unwrap_or(citation).clone();
            let key_span = node.span.clone();
            lists[position].push(DocumentEntry { key: (*key).to_owned(), key_span, node });
        }
        for (word, entries) in PROVENANCE_KEYS.iter().zip(lists) {
            let span = self.get(word).map_or_else(|| self.span.clone(), |node| node.span.clone());
            self.remove(&[word]);
            if !entries.is_empty() {
                let table = DocumentTable { span: span.clone(), entries };
                let node = Node { span: span.clone(), value: Value::Table(table) };
                self.entries.push(DocumentEntry { key: (*word).to_owned(), key_span: span, node });
            }
        }
    }
}

/// Returns the document with one override applied, as in `--set KEY=VALUE`. Text needs no quotation marks.
pub(super) fn apply_override(
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
        let help = "use keys separated by dots, such as ranking.wheel";
        problems.push(
            Problem::new(&key_span, format!("`{key}` is not a value that can be overridden")).help(help),
        );
        return document;
    }
    let text = Node { span: value_span.clone(), value: Value::Text(value.to_owned()) };
    let expects_text = RULE_BOOK_SPEC.type_at(&path).is_some_and(FieldType::is_text);
    let fits = |node: &Node| !expects_text || node.text().is_some();
    let mut node = Node::parse(value, &value_span).filter(fits).unwrap_or(text);
    for key in path.iter().rev() {
        let entry = DocumentEntry { key: (*key).to_owned(), key_span: key_span.clone(), node };
        let table = DocumentTable { span: key_span.clone(), entries: vec![entry] };
        node = Node { span: key_span.clone(), value: Value::Table(table) };
    }
    let Value::Table(root) = node.value else { return document };
    RULE_BOOK_SPEC.departures("", Some(&original.root), &root, departures);
    document.overlaid(Document { root })
}

impl Spec {
    /// Collects the values of `given` that the document of `original` does not allow.
    fn departures(
        &self,
        prefix: &str,
        original: Option<&DocumentTable>,
        given: &DocumentTable,
        departures: &mut Vec<Departure>,
    ) {
        for entry in &given.entries {
            let path = if prefix.is_empty() { entry.key.clone() } else { format!("{prefix}.{}", entry.key) };
            let field = self.fields.iter().find(|field| field.name == entry.key);
            let before = original.and_then(|table| table.get(&entry.key));
            let rule = field.filter(|field| !field.descriptive).map(|field| &field.field_type);
            match (rule, entry.node.table()) {
                (Some(FieldType::Table(spec)), Some(table)) if before.is_some() => {
                    spec.departures(&path, before.and_then(Node::table), table, departures);
                }
                (Some(FieldType::Named(spec)), Some(named)) => {
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
                (field_type, _) => {
                    let provenance = original
                        .filter(|_| field.is_some_and(|field| !field.descriptive))
                        .and_then(|table| table.provenance(&entry.key));
                    let same = before.is_some_and(|before| before.written() == entry.node.written());
                    let open = provenance.as_ref().is_some_and(|it| it.allows(&entry.node, field_type));
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
