//! Every value of a book with where it comes from, and how many there are of each kind.

use super::{RULE_BOOK_SPEC, Rulebook};
use crate::Amount;
use crate::document::{DocumentTable, Field, FieldType, Node, Provenance, Spec, ValueKind, ValueRange};

/// A value of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookValue {
    /// Its path in the file.
    pub path: String,
    /// The value as it is written in the file; of a paytable, how many rows it has; `not set` where the book leaves an option open.
    pub written: String,
    /// The same for people: amounts as casinos print them, words in the terms of the book.
    pub shown: String,
    /// What a house may set it to, in the same words; empty for a fixed value.
    pub may_be: String,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// How many values of each kind a book has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)] // as in `ValueKind`
pub struct KindCounts {
    pub fixed: usize,
    pub options: usize,
    pub assumed: usize,
}

impl KindCounts {
    fn count(&mut self, kind: ValueKind) {
        *match kind {
            ValueKind::Fixed => &mut self.fixed,
            ValueKind::Option => &mut self.options,
            ValueKind::Assumed => &mut self.assumed,
        } += 1;
    }
}

/// What stands for the value of an option that the book leaves open.
const NOT_SET: &str = "not set";

impl Rulebook {
    /// Every value that the book gives and every option that it leaves open, in the order of its file; texts that only describe are not among them.
    pub fn values(&self) -> Vec<BookValue> {
        let mut values = Vec::new();
        self.add_values(&RULE_BOOK_SPEC, "", &self.document.root, &mut values);
        values
    }

    /// How many values of each kind the book has.
    pub fn kinds(&self) -> KindCounts {
        let mut counts = KindCounts::default();
        self.values().iter().for_each(|value| counts.count(value.provenance.kind));
        counts
    }

    /// What a row of a paytable is taken to be for, where the document can be read in several ways.
    pub fn reading(&self, wager: &str, paytable: &str, row: usize) -> Option<&str> {
        let paytables = self.document.root.table("wagers")?.table(wager)?.table("paytables")?;
        paytables.table(paytable)?.get("pays")?.items()?.get(row)?.table()?.text("reading")
    }

    fn add_values(&self, spec: &Spec, under: &str, table: &DocumentTable, values: &mut Vec<BookValue>) {
        let path_of = |key: &str| if under.is_empty() { key.to_owned() } else { format!("{under}.{key}") };
        for entry in &table.entries {
            let field = spec.fields.iter().find(|field| field.name == entry.key && !field.descriptive);
            let Some(field) = field else { continue };
            let path = path_of(&entry.key);
            match (&field.kind, entry.node.table()) {
                (FieldType::Table(spec), Some(table)) => self.add_values(spec, &path, table, values),
                (FieldType::Named(spec), Some(named)) => {
                    for entry in &named.entries {
                        if let Some(table) = entry.node.table() {
                            self.add_values(spec, &format!("{path}.{}", entry.key), table, values);
                        }
                    }
                }
                _ => values.extend(self.value(path, field, Some(&entry.node), table)),
            }
        }
        let open = spec.fields.iter().filter(|field| field.kind.is_value() && !field.descriptive);
        let open = open.filter(|field| table.leaves_open(field.name));
        values.extend(open.filter_map(|field| self.value(path_of(field.name), field, None, table)));
    }

    fn value(
        &self,
        path: String,
        field: &Field,
        node: Option<&Node>,
        table: &DocumentTable,
    ) -> Option<BookValue> {
        let provenance = table.provenance(field.name)?.for_kind(&field.kind);
        let may_be = match provenance.kind {
            ValueKind::Fixed => String::new(),
            ValueKind::Option | ValueKind::Assumed => self.may_be(field, &provenance.range),
        };
        Some(BookValue {
            path,
            written: node.map_or(NOT_SET.to_owned(), |node| written(&field.kind, node)),
            shown: node
                .map_or(NOT_SET.to_owned(), |node| self.shown(&field.kind, &written(&field.kind, node))),
            may_be,
            provenance,
        })
    }

    /// A value for people.
    fn shown(&self, kind: &FieldType, written: &str) -> String {
        match kind {
            FieldType::Amount => {
                let amount = written.parse::<Amount>();
                amount.map_or_else(|_| written.to_owned(), |amount| format!("${amount:#}"))
            }
            FieldType::Percent => format!("{written}%"),
            FieldType::Choice(_) | FieldType::Choices(_) | FieldType::ChoicesOrNone(_) => {
                self.in_its_terms(written)
            }
            _ => written.to_owned(),
        }
    }

    /// What a house may set a value to, for people.
    fn may_be(&self, field: &Field, range: &ValueRange) -> String {
        match (range, &field.kind) {
            (ValueRange::Any, FieldType::Amount) => "any amount".to_owned(),
            (ValueRange::Any, FieldType::Rows(_)) => "any rows".to_owned(),
            (ValueRange::Any, _) => field.about.to_owned(),
            (range, kind) => range.with_values(|value| self.shown(kind, value)).to_string(),
        }
    }
}

impl DocumentTable {
    /// Whether the table has no such value and says that the house may set one.
    pub(super) fn leaves_open(&self, key: &str) -> bool {
        let said = |word: &&str| match self.get(word) {
            Some(node) if node.table().is_some_and(|list| list.get(key).is_some()) => true,
            Some(node) => node.text().is_some() && *word == "option",
            None => false,
        };
        self.get(key).is_none() && ["option", "assumed"].iter().any(said)
    }
}

fn written(kind: &FieldType, node: &Node) -> String {
    match (kind, node.items()) {
        (FieldType::Rows(_), Some([_])) => "1 row".to_owned(),
        (FieldType::Rows(_), Some(rows)) => format!("{} rows", rows.len()),
        _ => node.written(),
    }
}
