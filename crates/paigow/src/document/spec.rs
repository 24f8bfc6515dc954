//! What a document may contain, as data: checked by `check.rs`, told to editors by `schema.rs`.

use super::provenance::KEYS;

/// A kind of table.
#[derive(Debug)]
pub struct Spec {
    /// What the table is about, for people.
    pub about: &'static str,
    /// Its keys.
    pub fields: &'static [Field],
    /// Whether it must say where its values come from, in `cite`, `option` and `assumed`.
    pub cited: bool,
}

/// A key a table may have.
#[derive(Debug)]
pub struct Field {
    /// The key.
    pub name: &'static str,
    /// What its value must be.
    pub kind: FieldType,
    /// Whether the table must have it.
    pub required: bool,
    /// What it says, for people.
    pub about: &'static str,
    /// Whether it only describes: nothing is played, paid or refused by it, and it is not part of the rules' digest.
    pub descriptive: bool,
}

/// What a value must be.
#[derive(Debug)]
pub enum FieldType {
    /// Any text but an empty one.
    Text,
    /// One text or a list of them.
    Texts,
    /// True or false.
    Bool,
    /// A whole number from the first to the second.
    Count(i64, i64),
    /// Money as text: `"25.00"`.
    Amount,
    /// A percentage from 0 to 100 as text: `"2.5"`.
    Percent,
    /// A day as text: `"2012-12-03"`.
    Date,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A list of some of these words, at least one, none twice.
    Choices(&'static [&'static str]),
    /// The same, or an empty list.
    ChoicesOrNone(&'static [&'static str]),
    /// What a row of a paytable pays: so many to one, or the word `push`.
    Pays,
    /// Anything: what it must be depends on what else is there, and its reader says.
    Open,
    /// A table.
    Table(&'static Spec),
    /// Tables by name, at least one.
    Named(&'static Spec),
    /// A list of tables, at least one.
    Rows(&'static Spec),
}

impl Spec {
    /// What the value at a path of keys must be, if the document may have one there.
    pub(crate) fn kind_at(&self, path: &[&str]) -> Option<&FieldType> {
        let (first, rest) = path.split_first()?;
        let kind = &self.fields.iter().find(|field| field.name == *first)?.kind;
        match (kind, rest) {
            (_, []) => Some(kind),
            (FieldType::Table(spec), rest) | (FieldType::Named(spec), [_, rest @ ..]) => spec.kind_at(rest),
            _ => None,
        }
    }
}

impl Spec {
    /// The paths of the keys that hold values, those under `Named` tables and rows with `NAME` or `ROW` in place of the name.
    /// Every path comes with its field.
    pub fn paths(&'static self) -> Vec<(String, &'static Field)> {
        let mut paths = Vec::new();
        self.add_paths("", &mut paths);
        paths
    }

    /// The paths of the keys that only describe, those that say where values come from among them.
    pub fn descriptive_paths(&'static self) -> Vec<String> {
        let fields = self.paths().into_iter().filter(|(_, field)| field.descriptive).map(|(path, _)| path);
        fields.chain(KEYS.map(|key| format!("*.{key}"))).collect()
    }

    fn add_paths(&'static self, under: &str, paths: &mut Vec<(String, &'static Field)>) {
        for field in self.fields {
            let path = format!("{under}{}", field.name);
            match field.kind {
                FieldType::Table(spec) if !field.descriptive => spec.add_paths(&format!("{path}."), paths),
                FieldType::Named(spec) if !field.descriptive => {
                    spec.add_paths(&format!("{path}.NAME."), paths)
                }
                FieldType::Rows(spec) if !field.descriptive => spec.add_paths(&format!("{path}.ROW."), paths),
                _ => paths.push((path, field)),
            }
        }
    }
}

impl FieldType {
    /// Whether it is a value, and not a table of values.
    pub(crate) fn is_value(&self) -> bool {
        !matches!(self, FieldType::Table(_) | FieldType::Named(_))
    }

    /// Whether it is written as text, and nothing else will do.
    pub(crate) fn is_text(&self) -> bool {
        matches!(
            self,
            FieldType::Text | FieldType::Amount | FieldType::Percent | FieldType::Date | FieldType::Choice(_)
        )
    }
}

/// A key that must be there.
pub(crate) const fn required(name: &'static str, kind: FieldType, about: &'static str) -> Field {
    Field { name, kind, required: true, about, descriptive: false }
}

/// A key that may be left out.
pub(crate) const fn optional(name: &'static str, kind: FieldType, about: &'static str) -> Field {
    Field { name, kind, required: false, about, descriptive: false }
}

/// The same key, only describing.
pub(crate) const fn descriptive(field: Field) -> Field {
    Field { descriptive: true, ..field }
}
