//! Provenance of values: fixed by the document, left to the house, or assumed because the document is silent.
//!
//! A cited table gives the provenance in three keys. `cite` names the passages that fix values. `option` names the
//! passages that leave a value to the house. `assumed` gives the reasons for values that no passage decides. Each key
//! is either a table with an entry for each of its values, or a text that applies to every value not listed elsewhere.

use super::spec::{FieldType, Spec};
use super::{DocumentTable, Node, Problem, Value};
use crate::Amount;
use crate::document::check::percent_basis_points;
use std::fmt;

/// Keys of a table that give the provenance of its values, in the order of [`ValueKind::ALL`].
pub(crate) const PROVENANCE_KEYS: [&str; 3] = ["cite", "option", "assumed"];

/// The authority that decides a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ValueKind {
    /// The document fixes the value.
    Fixed,
    /// The document leaves the value to the house.
    Option,
    /// The document is silent, and the book assumes the value.
    Assumed,
}

impl ValueKind {
    /// All kinds.
    pub const ALL: [ValueKind; 3] = [ValueKind::Fixed, ValueKind::Option, ValueKind::Assumed];

    /// Returns the name used in responses.
    pub const fn name(self) -> &'static str {
        match self {
            ValueKind::Fixed => "fixed",
            ValueKind::Option => "option",
            ValueKind::Assumed => "assumed",
        }
    }
}

/// The provenance of a value.
///
/// `Display` prints the citation: the passage, or `assumed:` and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Provenance {
    /// The authority that decides the value.
    pub kind: ValueKind,
    /// Passage of the document that fixes the value or leaves it open, or that is nearest to an assumption.
    pub cite: Option<String>,
    /// Reason for an assumed value.
    pub because: Option<String>,
    /// Values that a house may choose.
    pub range: ValueRange,
}

/// The values that a house may choose.
///
/// `Display` prints `every or active`, `only 53` or `from 1.00 to 5.00`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValueRange {
    /// Any value of the right type.
    Any,
    /// One of these values, in the syntax of a file. For a list, every item must be one of them.
    Choices(Vec<String>),
    /// A value between two inclusive bounds, either of which may be missing.
    Between(Option<String>, Option<String>),
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind, &self.because, &self.cite) {
            (ValueKind::Assumed, Some(because), Some(cite)) => write!(f, "assumed: {because} ({cite})"),
            (ValueKind::Assumed, Some(because), None) => write!(f, "assumed: {because}"),
            (_, _, Some(cite)) => f.write_str(cite),
            (_, _, None) => Ok(()),
        }
    }
}

impl Provenance {
    fn new(kind: ValueKind, text: &str) -> Provenance {
        let (kind, text) = match assumption(text) {
            Some(reason) => (ValueKind::Assumed, reason),
            None => (kind, text),
        };
        let assumed = kind == ValueKind::Assumed;
        Provenance {
            kind,
            cite: (!assumed).then(|| text.to_owned()),
            because: assumed.then(|| text.to_owned()),
            range: ValueRange::Any,
        }
    }

    fn of_entry(kind: ValueKind, node: &Node) -> Provenance {
        match &node.value {
            Value::Text(text) => Provenance::new(kind, text),
            Value::Table(entry) => Provenance {
                kind,
                cite: entry.text("cite").map(str::to_owned),
                because: entry.text("because").map(str::to_owned),
                range: ValueRange::of_entry(entry),
            },
            _ => Provenance { kind, cite: None, because: None, range: ValueRange::Any },
        }
    }

    /// Returns the provenance for a value of this type. A missing range becomes the range of the type.
    #[must_use]
    pub(crate) fn for_type(mut self, field_type: &FieldType) -> Provenance {
        if self.range == ValueRange::Any {
            self.range = ValueRange::of_type(field_type);
        }
        self
    }

    /// Returns `true` if a house may choose this value. A fixed value leaves no choice.
    pub fn allows(&self, value: &Node, field_type: Option<&FieldType>) -> bool {
        self.kind != ValueKind::Fixed && self.range.contains(value, field_type)
    }
}

impl ValueRange {
    fn of_entry(entry: &DocumentTable) -> ValueRange {
        match entry.get("choices").and_then(Node::items) {
            Some(items) => ValueRange::Choices(items.iter().map(Node::written).collect()),
            None if entry.get("from").is_some() || entry.get("to").is_some() => {
                let bound = |key| entry.get(key).map(Node::written);
                ValueRange::Between(bound("from"), bound("to"))
            }
            None => ValueRange::Any,
        }
    }

    /// Returns the values of a type, or `Any` if they can neither be listed nor bounded.
    fn of_type(field_type: &FieldType) -> ValueRange {
        let words = |words: &[&str]| ValueRange::Choices(words.iter().map(ToString::to_string).collect());
        match field_type {
            FieldType::Bool => words(&["true", "false"]),
            FieldType::Choice(choices) | FieldType::Choices(choices) | FieldType::ChoicesOrNone(choices) => {
                words(choices)
            }
            FieldType::Count(only, max) if only == max => ValueRange::Choices(vec![only.to_string()]),
            FieldType::Count(min, max) => ValueRange::Between(Some(min.to_string()), Some(max.to_string())),
            FieldType::Percent => ValueRange::Between(Some("0".to_owned()), Some("100".to_owned())),
            _ => ValueRange::Any,
        }
    }

    /// Returns the range with `write` applied to each of its values.
    #[must_use]
    pub(crate) fn with_values(&self, write: impl Fn(&str) -> String) -> ValueRange {
        match self {
            ValueRange::Any => ValueRange::Any,
            ValueRange::Choices(choices) => {
                ValueRange::Choices(choices.iter().map(|choice| write(choice)).collect())
            }
            ValueRange::Between(from, to) => {
                ValueRange::Between(from.as_deref().map(&write), to.as_deref().map(&write))
            }
        }
    }

    fn contains(&self, node: &Node, field_type: Option<&FieldType>) -> bool {
        match (self, &node.value) {
            (ValueRange::Any, _) => true,
            (ValueRange::Choices(choices), Value::List(items)) => {
                items.iter().all(|item| choices.contains(&item.written()))
            }
            (ValueRange::Choices(choices), _) => choices.contains(&node.written()),
            (ValueRange::Between(from, to), _) => {
                let number = |text: &str| number(text, field_type);
                let Some(value) = number(&node.written()) else { return false };
                let above_min =
                    from.as_deref().is_none_or(|from| number(from).is_some_and(|from| from <= value));
                above_min && to.as_deref().is_none_or(|to| number(to).is_some_and(|to| value <= to))
            }
        }
    }
}

impl fmt::Display for ValueRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueRange::Choices(choices) if choices.len() == 1 => write!(f, "only {}", choices[0]),
            ValueRange::Choices(choices) => f.write_str(&choices.join(" or ")),
            ValueRange::Between(Some(from), Some(to)) => write!(f, "from {from} to {to}"),
            ValueRange::Between(Some(from), None) => write!(f, "from {from}"),
            ValueRange::Between(None, Some(to)) => write!(f, "up to {to}"),
            ValueRange::Any | ValueRange::Between(None, None) => f.write_str("any"),
        }
    }
}

/// Returns the numeric size of a value: cents, hundredths of a percent or a count. Other types have none.
fn number(text: &str, field_type: Option<&FieldType>) -> Option<u64> {
    match field_type {
        Some(FieldType::Amount) => text.parse::<Amount>().ok().map(Amount::cents),
        Some(FieldType::Percent) => percent_basis_points(text).map(u64::from),
        Some(FieldType::Count(..)) => text.parse().ok(),
        _ => None,
    }
}

/// Returns the reason in a citation of the form `assumed: REASON`, or `None` for a citation of a document.
pub fn assumption(cite: &str) -> Option<&str> {
    let (word, reason) = cite.trim().split_once(':')?;
    word.eq_ignore_ascii_case("assumed").then_some(reason.trim())
}

impl DocumentTable {
    /// Returns the provenance of the value of a key, or `None` if the table does not give it.
    pub fn provenance(&self, key: &str) -> Option<Provenance> {
        let given = PROVENANCE_KEYS
            .iter()
            .zip(ValueKind::ALL)
            .filter_map(|(word, kind)| Some((kind, self.get(word)?)));
        let listed = given.clone().find_map(|(kind, node)| {
            let entry = node.table()?.get(key)?;
            Some(Provenance::of_entry(kind, entry))
        });
        listed.or_else(|| {
            let mut texts = given.filter_map(|(kind, node)| Some(Provenance::new(kind, node.text()?)));
            texts.next()
        })
    }
}

impl Spec {
    /// Checks the provenance keys of a table, and adds every problem to the list.
    pub(super) fn check_provenance(&self, whole: bool, table: &DocumentTable, problems: &mut Vec<Problem>) {
        let mut texts = 0;
        for word in PROVENANCE_KEYS {
            match table.get(word).map(|node| (node, &node.value)) {
                None => {}
                Some((node, Value::Text(text))) => {
                    texts += 1;
                    if assumption(text).unwrap_or(text).trim().is_empty() {
                        problems.push(
                            Problem::new(&node.span, format!("`{word}` is empty"))
                                .help("name the passage, or the reason for an assumption"),
                        );
                    }
                    if texts > 1 {
                        problems.push(
                            Problem::new(
                                &node.span,
                                format!("`{word}` is a second text for all values"),
                            )
                            .help("only one of `cite`, `option` and `assumed` may be a text; the others list keys"),
                        );
                    }
                }
                Some((_, Value::Table(entries))) => self.check_entries(word, table, entries, problems),
                Some((node, other)) => problems.push(
                    Problem::new(&node.span, format!("`{word}` is {}", other.kind()))
                        .help("text for all values, or an entry for each key: `{ key = \"…\" }`"),
                ),
            }
        }
        if !whole || texts > 0 {
            return;
        }
        let value_fields =
            self.fields.iter().filter(|field| !field.descriptive && field.field_type.is_value());
        for field in value_fields {
            // An override of one value needs no citation because it is listed as an override.
            let from_text =
                table.get(field.name).is_some_and(|node| node.span.source.changed_key().is_none());
            if from_text && table.provenance(field.name).is_none() {
                let message = format!("no source is given for `{}`", field.name);
                problems.push(Problem::new(&table.span, message).help(
                    "name the passage in `cite`, or list the key in `option` or `assumed` with its reason",
                ));
            }
        }
    }

    fn check_entries(
        &self,
        word: &str,
        table: &DocumentTable,
        entries: &DocumentTable,
        problems: &mut Vec<Problem>,
    ) {
        for entry in &entries.entries {
            let Some(field) = self.fields.iter().find(|field| field.name == entry.key) else {
                let message =
                    format!("`{}` is listed in `{word}`, but is not a key of this table", entry.key);
                problems.push(Problem::new(&entry.key_span, message).help(self.keys_like(&entry.key)));
                continue;
            };
            let listed = PROVENANCE_KEYS.iter().filter(|word| {
                table.get(word).and_then(Node::table).is_some_and(|list| list.get(&entry.key).is_some())
            });
            if listed.count() > 1 {
                let message = format!("`{}` is listed more than once", entry.key);
                let help = "a value is fixed, an option or assumed";
                problems.push(Problem::new(&entry.key_span, message).help(help));
            }
            check_entry(word, entry, &field.field_type, problems);
            let value = table.get(&entry.key);
            let range = entry.node.table().map(ValueRange::of_entry);
            // An override outside the range asks about a different game. It is not a mistake in the file.
            if let (Some(value), Some(range)) = (value, range)
                && value.span.source.changed_key().is_none()
                && !range.contains(value, Some(&field.field_type))
            {
                let message = format!("`{}` is outside its own range", entry.key);
                problems.push(Problem::new(&value.span, message).help(format!("allowed: {range}")));
            }
        }
    }
}

/// Checks an entry of `cite`, `option` or `assumed`.
fn check_entry(
    word: &str,
    entry: &super::DocumentEntry,
    field_type: &FieldType,
    problems: &mut Vec<Problem>,
) {
    let node = &entry.node;
    let has_source = match &node.value {
        Value::Text(text) => !assumption(text).unwrap_or(text).trim().is_empty(),
        Value::Table(table) if word != "cite" => {
            let allowed = if word == "option" {
                &["cite", "choices", "from", "to"][..]
            } else {
                &["because", "cite", "choices", "from", "to"][..]
            };
            for inner in table.entries.iter().filter(|inner| !allowed.contains(&inner.key.as_str())) {
                let message = format!("`{}` is not a key of this table", inner.key);
                let help = format!("allowed: {}", allowed.join(", "));
                problems.push(Problem::new(&inner.key_span, message).help(help));
            }
            check_range(table, field_type, problems);
            let text = if word == "option" { table.text("cite") } else { table.text("because") };
            text.is_some_and(|text| !text.trim().is_empty())
        }
        _ => false,
    };
    if !has_source {
        let help = match word {
            "cite" => "the passage as text",
            "option" => "the passage as text, or a table with `cite` and `choices`, `from` or `to`",
            _ => "the reason as text, or a table with `because`",
        };
        let message = format!("the entry for `{}` gives no source", entry.key);
        problems.push(Problem::new(&node.span, message).help(help));
    }
}

/// Checks that the range of an entry suits the type of the value.
fn check_range(entry: &DocumentTable, field_type: &FieldType, problems: &mut Vec<Problem>) {
    if let Some(node) = entry.get("choices") {
        match node.items().filter(|items| !items.is_empty()) {
            None => problems.push(
                Problem::new(&node.span, "`choices` must be a list of at least one value")
                    .help("the values that the house may choose"),
            ),
            Some(items) => {
                for item in items.iter().filter(|item| !field_type.allows_item(&item.value)) {
                    let message = format!("`{}` is not a value of this key", item.written());
                    problems.push(Problem::new(&item.span, message).help(field_type.expected()));
                }
            }
        }
    }
    for key in ["from", "to"] {
        if let Some(node) = entry.get(key)
            && number(&node.written(), Some(field_type)).is_none()
        {
            let message = format!("`{key}` is not a valid bound");
            problems.push(Problem::new(&node.span, message).help(field_type.expected()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Document, Source};
    use super::*;

    fn table(text: &str) -> DocumentTable {
        match Document::parse(&Source::new("test", text)) {
            Ok(document) => document.root,
            Err(problems) => panic!("{problems:?}"),
        }
    }

    #[test]
    fn entry_takes_precedence_over_text() {
        let table = table(
            "cite = \"step 1\"\noption = { b = { cite = \"step 2\", choices = [\"x\", \"y\"] } }\n\
             assumed = { c = \"silent\", d = { because = \"two readings\", cite = \"step 3\", from = \"1.00\" } }",
        );
        let shown = |key: &str| {
            let provenance = table.provenance(key).map(|it| format!("{} {it} {}", it.kind.name(), it.range));
            provenance.unwrap_or_default()
        };
        assert_eq!(shown("a"), "fixed step 1 any");
        assert_eq!(shown("b"), "option step 2 x or y");
        assert_eq!(shown("c"), "assumed assumed: silent any");
        assert_eq!(shown("d"), "assumed assumed: two readings (step 3) from 1.00");
    }

    #[test]
    fn missing_range_becomes_range_of_type() {
        let provenance = Provenance::new(ValueKind::Assumed, "silent");
        let range = |field_type: &FieldType| provenance.clone().for_type(field_type).range.to_string();
        assert_eq!(range(&FieldType::Count(53, 53)), "only 53");
        assert_eq!(range(&FieldType::Count(1, 7)), "from 1 to 7");
        assert_eq!(range(&FieldType::Choice(&["returned"])), "only returned");
        assert_eq!(range(&FieldType::Choice(&["up", "down"])), "up or down");
        assert_eq!(range(&FieldType::Bool), "true or false");
        assert_eq!(range(&FieldType::Percent), "from 0 to 100");
        assert_eq!(range(&FieldType::Amount), "any");
    }

    #[test]
    fn range_contains_values_between_bounds() {
        let node = |text: &str| Node { span: table("").span, value: Value::Text(text.to_owned()) };
        let range = ValueRange::Between(Some("1.00".to_owned()), Some("5".to_owned()));
        let amounts = ["0.99", "1", "5.00", "5.01", "x"];
        assert_eq!(
            amounts.map(|text| range.contains(&node(text), Some(&FieldType::Amount))),
            [false, true, true, false, false]
        );
        assert!(!range.contains(&node("2"), None), "a value without a type has no size");
    }
}
