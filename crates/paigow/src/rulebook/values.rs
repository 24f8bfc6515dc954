//! All values of a book with their provenance, and the number of values of each kind.

use super::{RULE_BOOK_SPEC, Rulebook};
use crate::Amount;
use crate::document::{DocumentTable, Field, FieldType, Node, Provenance, Spec, ValueKind, ValueRange};

/// A value of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookValue {
    /// Path of the value in the file.
    pub path: String,
    /// Value as written in the file. The number of rows for a paytable, `not set` for an option that the book leaves
    /// open.
    pub written: String,
    /// Value for display: amounts as casinos print them, choices in the terms of the book.
    pub shown: String,
    /// Values that the house may set, for display. Empty for a fixed value.
    pub may_be: String,
    /// Provenance of the value.
    pub provenance: Provenance,
}

/// Number of values of each kind in a book.
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

/// Text shown for an option that the book leaves open.
const NOT_SET: &str = "not set";

impl Rulebook {
    /// Returns all values and open options, in the order of the file, without descriptive texts.
    pub fn values(&self) -> Vec<BookValue> {
        let mut values = Vec::new();
        self.add_values(&RULE_BOOK_SPEC, "", &self.document.root, &mut values);
        values
    }

    /// Counts the values of each kind.
    pub fn kinds(&self) -> KindCounts {
        let mut counts = KindCounts::default();
        self.values().iter().for_each(|value| counts.count(value.provenance.kind));
        counts
    }

    /// Returns the interpretation of a paytable row, if the document can be read in several ways.
    pub fn reading(&self, wager: &str, paytable: &str, row: usize) -> Option<&str> {
        let paytables = self.document.root.table("wagers")?.table(wager)?.table("paytables")?;
        paytables.table(paytable)?.get("pays")?.items()?.get(row)?.table()?.text("reading")
    }

    fn add_values(&self, spec: &Spec, prefix: &str, table: &DocumentTable, values: &mut Vec<BookValue>) {
        let path_of = |key: &str| if prefix.is_empty() { key.to_owned() } else { format!("{prefix}.{key}") };
        for entry in &table.entries {
            let field = spec.fields.iter().find(|field| field.name == entry.key && !field.descriptive);
            let Some(field) = field else { continue };
            let path = path_of(&entry.key);
            match (&field.field_type, entry.node.table()) {
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
        let open = spec.fields.iter().filter(|field| field.field_type.is_value() && !field.descriptive);
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
        let provenance = table.provenance(field.name)?.for_type(&field.field_type);
        let may_be = match provenance.kind {
            ValueKind::Fixed => String::new(),
            ValueKind::Option | ValueKind::Assumed => self.may_be(field, &provenance.range),
        };
        Some(BookValue {
            path,
            written: node.map_or(NOT_SET.to_owned(), |node| written(&field.field_type, node)),
            shown: node.map_or(NOT_SET.to_owned(), |node| {
                self.shown(&field.field_type, &written(&field.field_type, node))
            }),
            may_be,
            provenance,
        })
    }

    /// Formats a value for display.
    fn shown(&self, field_type: &FieldType, written: &str) -> String {
        match field_type {
            FieldType::Amount => {
                let amount = written.parse::<Amount>();
                amount.map_or_else(|_| written.to_owned(), |amount| format!("${amount:#}"))
            }
            FieldType::Percent => format!("{written}%"),
            FieldType::Choice(_) | FieldType::Choices(_) | FieldType::ChoicesOrNone(_) => {
                self.with_book_terms(written)
            }
            _ => written.to_owned(),
        }
    }

    /// Formats the values that the house may set, for display.
    fn may_be(&self, field: &Field, range: &ValueRange) -> String {
        match (range, &field.field_type) {
            (ValueRange::Any, FieldType::Amount) => "any amount".to_owned(),
            (ValueRange::Any, FieldType::Rows(_)) => "any rows".to_owned(),
            (ValueRange::Any, _) => field.about.to_owned(),
            (range, field_type) => range.with_values(|value| self.shown(field_type, value)).to_string(),
        }
    }
}

impl DocumentTable {
    /// Returns whether the table omits a value that the house may set.
    pub(super) fn leaves_open(&self, key: &str) -> bool {
        let is_listed = |word: &&str| match self.get(word) {
            Some(node) if node.table().is_some_and(|list| list.get(key).is_some()) => true,
            Some(node) => node.text().is_some() && *word == "option",
            None => false,
        };
        self.get(key).is_none() && ["option", "assumed"].iter().any(is_listed)
    }
}

fn written(field_type: &FieldType, node: &Node) -> String {
    match (field_type, node.items()) {
        (FieldType::Rows(_), Some([_])) => "1 row".to_owned(),
        (FieldType::Rows(_), Some(rows)) => format!("{} rows", rows.len()),
        _ => node.written(),
    }
}
