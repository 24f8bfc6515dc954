//! Every value of a book with where it comes from, and how many there are of each kind.

use super::{RULE_BOOK_SPEC, Rulebook};
use crate::document::{Kind, Node, Provenance, Spec, Table, ValueKind};

/// A value of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookValue {
    /// Its path in the file.
    pub path: String,
    /// The value as it is written in the file; of a paytable, how many rows it has.
    pub written: String,
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

impl Rulebook {
    /// Every value that the book gives, in the order of its file; texts that only describe are not among them.
    pub fn values(&self) -> Vec<BookValue> {
        let mut values = Vec::new();
        RULE_BOOK_SPEC.values("", &self.document.root, &mut values);
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
}

impl Spec {
    fn values(&self, under: &str, table: &Table, values: &mut Vec<BookValue>) {
        for entry in &table.entries {
            let field = self.fields.iter().find(|field| field.name == entry.key && !field.descriptive);
            let Some(field) = field else { continue };
            let path = if under.is_empty() { entry.key.clone() } else { format!("{under}.{}", entry.key) };
            match (&field.kind, entry.node.table()) {
                (Kind::Table(spec), Some(table)) => spec.values(&path, table, values),
                (Kind::Named(spec), Some(named)) => {
                    for entry in &named.entries {
                        if let Some(table) = entry.node.table() {
                            spec.values(&format!("{path}.{}", entry.key), table, values);
                        }
                    }
                }
                _ => values.extend(table.provenance(&entry.key).map(|provenance| BookValue {
                    path,
                    written: written(&field.kind, &entry.node),
                    provenance,
                })),
            }
        }
    }
}

fn written(kind: &Kind, node: &Node) -> String {
    match (kind, node.items()) {
        (Kind::Rows(_), Some([_])) => "1 row".to_owned(),
        (Kind::Rows(_), Some(rows)) => format!("{} rows", rows.len()),
        _ => node.written(),
    }
}
