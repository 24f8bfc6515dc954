//! Schemas of documents, as data. `check.rs` checks documents against them, and the JSON Schemas for editors are made
//! from them (`tests/rules/schema.rs`).

use super::provenance::PROVENANCE_KEYS;

/// The schema of a table.
#[derive(Debug)]
pub struct Spec {
    /// Description of the table.
    pub about: &'static str,
    /// The keys that the table may have.
    pub fields: &'static [Field],
    /// Whether the table must give the source of its values in `cite`, `option` and `assumed`.
    pub cited: bool,
}

/// The schema of a key in a table.
#[derive(Debug)]
pub struct Field {
    /// The key.
    pub name: &'static str,
    /// Type of the value.
    pub field_type: FieldType,
    /// Whether the table must have the key.
    pub required: bool,
    /// Description of the value.
    pub about: &'static str,
    /// Whether the value is descriptive: it affects no play, payout or refusal, and is not part of the rules' digest.
    pub descriptive: bool,
}

/// The type of a value.
#[derive(Debug)]
pub enum FieldType {
    /// Text that is not empty.
    Text,
    /// A text, or a list of texts.
    Texts,
    /// `true` or `false`.
    Bool,
    /// A whole number between two inclusive bounds.
    Count(i64, i64),
    /// An amount of money as text, such as `"25.00"`.
    Amount,
    /// A percentage from 0 to 100 as text, such as `"2.5"`.
    Percent,
    /// A date as text, such as `"2012-12-03"`.
    Date,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A list of at least one of these words, without duplicates.
    Choices(&'static [&'static str]),
    /// A list of these words, without duplicates. The list may be empty.
    ChoicesOrNone(&'static [&'static str]),
    /// The payout of a paytable row: a number to one, or the word `push`.
    Pays,
    /// Any value. The parser of the document checks it, because its type depends on other values.
    Open,
    /// A table.
    Table(&'static Spec),
    /// A table of at least one named table.
    Named(&'static Spec),
    /// A list of at least one table.
    Rows(&'static Spec),
}

impl Spec {
    /// Returns the type of the value at a path of keys, or `None` if the schema has no such path.
    pub(crate) fn type_at(&self, path: &[&str]) -> Option<&FieldType> {
        let (first, rest) = path.split_first()?;
        let field_type = &self.fields.iter().find(|field| field.name == *first)?.field_type;
        match (field_type, rest) {
            (_, []) => Some(field_type),
            (FieldType::Table(spec), rest) | (FieldType::Named(spec), [_, rest @ ..]) => spec.type_at(rest),
            _ => None,
        }
    }
}

impl Spec {
    /// Returns the paths of all keys that hold values, with their fields.
    ///
    /// In paths through [`FieldType::Named`] and [`FieldType::Rows`], `NAME` and `ROW` replace the name and the row.
    pub fn paths(&'static self) -> Vec<(String, &'static Field)> {
        let mut paths = Vec::new();
        self.add_paths("", &mut paths);
        paths
    }

    /// Returns the paths of all descriptive keys, including the keys that give the source of values.
    pub fn descriptive_paths(&'static self) -> Vec<String> {
        let fields = self.paths().into_iter().filter(|(_, field)| field.descriptive).map(|(path, _)| path);
        fields.chain(PROVENANCE_KEYS.map(|key| format!("*.{key}"))).collect()
    }

    fn add_paths(&'static self, prefix: &str, paths: &mut Vec<(String, &'static Field)>) {
        for field in self.fields {
            let path = format!("{prefix}{}", field.name);
            match field.field_type {
                FieldType::Table(spec) if !field.descriptive => spec.add_paths(&format!("{path}."), paths),
                FieldType::Named(spec) if !field.descriptive => {
                    spec.add_paths(&format!("{path}.NAME."), paths);
                }
                FieldType::Rows(spec) if !field.descriptive => spec.add_paths(&format!("{path}.ROW."), paths),
                _ => paths.push((path, field)),
            }
        }
    }
}

impl FieldType {
    /// Returns `true` for a value, `false` for a table of values.
    pub(crate) fn is_value(&self) -> bool {
        !matches!(self, FieldType::Table(_) | FieldType::Named(_))
    }

    /// Returns `true` if only text is valid.
    pub(crate) fn is_text(&self) -> bool {
        matches!(
            self,
            FieldType::Text | FieldType::Amount | FieldType::Percent | FieldType::Date | FieldType::Choice(_)
        )
    }
}

/// Creates a required key.
pub(crate) const fn required(name: &'static str, field_type: FieldType, about: &'static str) -> Field {
    Field { name, field_type, required: true, about, descriptive: false }
}

/// Creates an optional key.
pub(crate) const fn optional(name: &'static str, field_type: FieldType, about: &'static str) -> Field {
    Field { name, field_type, required: false, about, descriptive: false }
}

/// Marks a key as descriptive.
pub(crate) const fn descriptive(field: Field) -> Field {
    Field { descriptive: true, ..field }
}
