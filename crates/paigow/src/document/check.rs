//! Checks documents against their specs, and collects every problem.

use super::provenance::PROVENANCE_KEYS;
use super::spec::{Field, FieldType, Spec};
use super::{DocumentTable, Node, Problem, Value};
use crate::Amount;
use std::str::FromStr;

/// Whether a table is complete or an overlay of another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Whole,
    Part,
}

impl Spec {
    /// Checks a complete table: adds a problem for everything that is not allowed or is missing.
    pub(crate) fn check(&self, table: &DocumentTable, problems: &mut Vec<Problem>) {
        self.check_as(Extent::Whole, table, problems);
    }

    /// Checks a partial table: adds a problem for everything that is not allowed. Required keys may be missing.
    pub(crate) fn check_part(&self, table: &DocumentTable, problems: &mut Vec<Problem>) {
        self.check_as(Extent::Part, table, problems);
    }

    fn check_as(&self, extent: Extent, table: &DocumentTable, problems: &mut Vec<Problem>) {
        let required = self.fields.iter().filter(|field| field.required && extent == Extent::Whole);
        for field in required {
            if table.get(field.name).is_none() {
                let message = format!("`{}` is missing", field.name);
                problems.push(Problem::new(&table.span, message).help(field.about));
            }
        }
        if self.cited {
            self.check_citation(extent, table, problems);
        }
        for entry in &table.entries {
            let citation = self.cited && PROVENANCE_KEYS.contains(&entry.key.as_str());
            match self.fields.iter().find(|field| field.name == entry.key) {
                Some(field) => field.field_type.check(extent, &entry.key, &entry.node, problems),
                None if citation => {}
                None => {
                    let message = format!("`{}` is not a key of this table", entry.key);
                    problems.push(Problem::new(&entry.key_span, message).help(self.keys_like(&entry.key)));
                }
            }
        }
    }

    /// Checks the provenance keys. A complete table must have one; an overlay may rely on the table below it.
    fn check_citation(&self, extent: Extent, table: &DocumentTable, problems: &mut Vec<Problem>) {
        let has_provenance = PROVENANCE_KEYS.iter().any(|word| table.get(word).is_some());
        if extent == Extent::Whole && !has_provenance {
            problems.push(
                Problem::new(&table.span, "no source is given for the values: `cite` is missing")
                    .help("name the passage, or write `assumed = \"…\"` with the reason"),
            );
            return;
        }
        self.check_provenance(extent == Extent::Whole, table, problems);
    }

    /// Returns help for an unknown key: the closest key, or all allowed keys.
    pub(super) fn keys_like(&self, key: &str) -> String {
        let names = || self.fields.iter().map(|field: &Field| field.name);
        match closest(names(), key) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("allowed: {}", list(names())),
        }
    }
}

/// Returns the word that was probably meant, within an edit distance of two.
fn closest<'a>(words: impl Iterator<Item = &'a str>, written: &str) -> Option<&'a str> {
    words
        .map(|word| (edit_distance(word, written), word))
        .min()
        .filter(|(distance, _)| *distance <= 2)
        .map(|(_, word)| word)
}

impl FieldType {
    fn check(&self, extent: Extent, key: &str, node: &Node, problems: &mut Vec<Problem>) {
        match (self, &node.value) {
            (FieldType::Table(spec), Value::Table(table)) => spec.check_as(extent, table, problems),
            (FieldType::Named(spec), Value::Table(table)) if !table.entries.is_empty() => {
                for entry in &table.entries {
                    match &entry.node.value {
                        Value::Table(table) => spec.check_as(extent, table, problems),
                        other => problems.push(wrong_value(&entry.key, other.kind(), "a table", &entry.node)),
                    }
                }
            }
            (FieldType::Rows(spec), Value::List(rows)) if !rows.is_empty() => {
                for row in rows {
                    match &row.value {
                        Value::Table(table) => spec.check_as(extent, table, problems),
                        other => problems.push(wrong_value(key, other.kind(), "a list of tables", row)),
                    }
                }
            }
            (FieldType::Choices(words) | FieldType::ChoicesOrNone(words), Value::List(items))
                if self.allows_list_of(items.len()) =>
            {
                for (i, item) in items.iter().enumerate() {
                    FieldType::Choice(words).check(extent, key, item, problems);
                    if let Value::Text(text) = &item.value
                        && items[..i]
                            .iter()
                            .any(|before| matches!(&before.value, Value::Text(t) if t == text))
                    {
                        problems.push(Problem::new(&item.span, format!("`{text}` is listed twice")));
                    }
                }
            }
            (FieldType::Texts, Value::List(items)) if !items.is_empty() => {
                for item in items {
                    FieldType::Text.check(extent, key, item, problems);
                }
            }
            (field_type, value) => {
                if !field_type.allows(value) {
                    let found = match value {
                        Value::Text(text) => format!("{text:?}"),
                        Value::Integer(integer) => integer.to_string(),
                        Value::List(items) if items.is_empty() => "an empty list".to_owned(),
                        Value::Table(table) if table.entries.is_empty() => "an empty table".to_owned(),
                        other => other.kind().to_owned(),
                    };
                    let meant = match (field_type, value) {
                        (FieldType::Choice(words), Value::Text(text)) => closest(words.iter().copied(), text),
                        _ => None,
                    };
                    problems.push(match meant {
                        Some(word) => Problem::new(&node.span, format!("`{key}` is {found}"))
                            .help(format!("did you mean `{word}`?")),
                        None => wrong_value(key, &found, &field_type.expected(), node),
                    });
                }
            }
        }
    }

    fn allows_list_of(&self, items: usize) -> bool {
        items > 0 || matches!(self, FieldType::ChoicesOrNone(_))
    }

    /// Returns `true` if the value is valid for this type, or is a valid item of this list type.
    pub(super) fn allows_item(&self, value: &Value) -> bool {
        match self {
            FieldType::Choices(words) | FieldType::ChoicesOrNone(words) => {
                FieldType::Choice(words).allows(value)
            }
            _ => self.allows(value),
        }
    }

    fn allows(&self, value: &Value) -> bool {
        match (self, value) {
            (FieldType::Text | FieldType::Texts, Value::Text(text)) => !text.trim().is_empty(),
            (FieldType::Open, _) | (FieldType::Bool, Value::Bool(_)) => true,
            (FieldType::Count(min, max), Value::Integer(count)) => (min..=max).contains(&count),
            (FieldType::Amount, Value::Text(text)) => Amount::from_str(text).is_ok(),
            (FieldType::Percent, Value::Text(text)) => percent_basis_points(text).is_some(),
            (FieldType::Date, Value::Text(text)) => is_date(text),
            (FieldType::Choice(words), Value::Text(text)) => words.contains(&text.as_str()),
            (FieldType::Pays, Value::Text(text)) => text == "push",
            (FieldType::Pays, Value::Integer(pays)) => (1..=1_000_000).contains(pays),
            _ => false,
        }
    }

    /// Returns a description of the allowed values, for messages.
    pub(super) fn expected(&self) -> String {
        match self {
            FieldType::Text => "non-empty text".to_owned(),
            FieldType::Texts => "non-empty text, or a list of such texts".to_owned(),
            FieldType::Bool => "true or false".to_owned(),
            FieldType::Count(min, max) => format!("a whole number from {min} to {max}"),
            FieldType::Amount => "an amount such as \"25.00\"".to_owned(),
            FieldType::Percent => {
                "a percentage from 0 to 100 with at most two decimals, such as \"5\"".to_owned()
            }
            FieldType::Date => "a date such as \"2012-12-03\"".to_owned(),
            FieldType::Choice(words) => format!("one of {}", list(words.iter().copied())),
            FieldType::Choices(words) | FieldType::ChoicesOrNone(words) => {
                format!("a list of some of {}", list(words.iter().copied()))
            }
            FieldType::Pays => "a whole number from 1 to 1000000, or \"push\"".to_owned(),
            FieldType::Open => "anything".to_owned(),
            FieldType::Table(_) => "a table".to_owned(),
            FieldType::Named(_) => "tables by name".to_owned(),
            FieldType::Rows(_) => "a list of tables".to_owned(),
        }
    }
}

fn wrong_value(key: &str, found: &str, allowed: &str, node: &Node) -> Problem {
    Problem::new(&node.span, format!("`{key}` is {found}")).help(format!("it must be {allowed}"))
}

/// Parses a percentage from 0 to 100 into hundredths of a percent.
pub(crate) fn percent_basis_points(text: &str) -> Option<u32> {
    let amount = Amount::from_str(text).ok()?;
    let points = u32::try_from(amount.cents()).ok()?;
    (points <= 10_000).then_some(points)
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts[..] else { return false };
    let number = |part: &str, digits: usize| {
        (part.len() == digits && part.bytes().all(|b| b.is_ascii_digit()))
            .then(|| part.parse::<u32>().ok())
            .flatten()
    };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2)) else {
        return false;
    };
    let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    };
    (1..=days).contains(&day)
}

fn list<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// Returns the Levenshtein distance between two words.
fn edit_distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &b) in other.iter().enumerate() {
            let change = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edit_distance_counts_changes() {
        assert_eq!(
            [
                edit_distance("wheel", "wheel"),
                edit_distance("wheel", "whel"),
                edit_distance("", "abc"),
                edit_distance("kitten", "sitting")
            ],
            [0, 1, 3, 3]
        );
    }

    #[test]
    fn is_date_accepts_only_calendar_dates() {
        assert!(["2012-12-03", "2024-02-29", "2000-02-29"].iter().all(|day| is_date(day)));
        assert!(
            ["2012-13-01", "2023-02-29", "1900-02-29", "2012-1-1", "2012-04-31", "12/03/2012", ""]
                .iter()
                .all(|day| !is_date(day))
        );
    }
}
