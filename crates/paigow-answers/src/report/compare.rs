//! Comparison of two reports: changed rules, and each figure with its exact difference.

use super::files::{DIGESTS_FILE, JSON_FILE};
use super::{FORMAT, sha256};
use crate::{DIGITS, Fault, Faults};
use indexmap::IndexMap;
use paigow_math::{DecimalRounding, Fraction};
use serde::Serialize;
use serde_json::Value;

/// Maximum number of digits of a number in a report. Exact figures have up to a few hundred.
const NUMBER_MAX: usize = 4_096;

/// A report that was read from its files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredReport {
    book: String,
    title: String,
    program: String,
    digest: String,
    /// Values and citations of the rules, by path.
    rules: IndexMap<String, (String, String)>,
    /// Value and exact fraction of the figures, by path.
    figures: IndexMap<String, (String, Option<String>)>,
}

/// Differences between two reports.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReportComparison {
    /// The older report: book, title, program and digest of the rules.
    pub before: ComparedReport,
    /// The newer report.
    pub after: ComparedReport,
    /// Whether both have the same rules and figures.
    pub equal: bool,
    /// Changed, added and removed values of the rules.
    pub rules: Vec<ChangedRule>,
    /// Values of the rules whose citation alone differs.
    pub citations: Vec<ChangedRule>,
    /// Changed, added and removed figures.
    pub figures: Vec<ChangedFigure>,
    /// Number of figures that are equal.
    pub equal_figures: usize,
}

/// A report of a comparison.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ComparedReport {
    /// Id of the book.
    pub book: String,
    /// Title of the book.
    pub title: String,
    /// Version and commit of the program.
    pub program: String,
    /// Digest of every value of the rules.
    pub digest: String,
}

/// A value of the rules that differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChangedRule {
    /// Path of the value.
    pub path: String,
    /// Value before. `null` if it was added.
    pub before: Option<String>,
    /// Value after. `null` if it was removed.
    pub after: Option<String>,
    /// Citation before.
    pub cite_before: Option<String>,
    /// Citation after.
    pub cite_after: Option<String>,
}

/// A figure that differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChangedFigure {
    /// Path of the figure.
    pub figure: String,
    /// Figure before. `null` if it was added.
    pub before: Option<String>,
    /// Figure after. `null` if it was removed.
    pub after: Option<String>,
    /// Difference: after minus before.
    pub difference: Option<String>,
    /// Exact fraction before, if the figure has one.
    pub before_exact: Option<String>,
    /// Exact fraction after, if the figure has one.
    pub after_exact: Option<String>,
    /// Difference as an exact fraction. `null` for roots, whose difference is that of the decimals.
    pub difference_exact: Option<String>,
}

impl StoredReport {
    /// Reads the files of a report. `file` returns the contents of a file of the folder, `at` names the folder in faults.
    ///
    /// # Errors
    /// Every fault: a missing file, a file that is not that of a report or has another digest than listed.
    pub fn read(at: &str, file: impl Fn(&str) -> Result<Vec<u8>, String>) -> Result<StoredReport, Faults> {
        let mut faults = Faults::default();
        let mut fault = |code: &'static str, message: String| {
            faults.push(Fault::new(code, at, format!("{at}: {message}")));
        };
        let mut json = |name: &str| -> Option<(Vec<u8>, Value)> {
            let bytes = file(name).map_err(|reason| fault("unreadable", format!("{name}: {reason}"))).ok()?;
            let value = serde_json::from_slice(&bytes)
                .map_err(|error| fault("bad_json", format!("{name} is not JSON: {error}")))
                .ok()?;
            Some((bytes, value))
        };
        let digests = json(DIGESTS_FILE);
        let report = json(JSON_FILE);
        for (name, found) in [(DIGESTS_FILE, &digests), (JSON_FILE, &report)] {
            if let Some((_, value)) = found
                && value["report"] != FORMAT
            {
                fault("not_a_report", format!("{name} is not that of a game report (`{FORMAT}`)"));
            }
        }
        if let Some((_, digests)) = &digests {
            for listed in digests["files"].as_array().into_iter().flatten() {
                let (Some(name), Some(digest)) = (listed["file"].as_str(), listed["sha256"].as_str()) else {
                    fault("not_a_report", format!("{DIGESTS_FILE} has an entry without name or digest"));
                    continue;
                };
                // A name with a folder could lead out of the report.
                if name.contains(['/', '\\']) {
                    fault("not_a_report", format!("{DIGESTS_FILE} names a file outside the folder: {name}"));
                    continue;
                }
                match file(name) {
                    Err(reason) => fault("unreadable", format!("{name}: {reason}")),
                    Ok(bytes) if sha256(&bytes) != digest => {
                        fault("changed_file", format!("{name} is not the file that {DIGESTS_FILE} lists"));
                    }
                    Ok(_) => {}
                }
            }
        }
        let stored = report.and_then(|(_, value)| {
            let stored = StoredReport::of(&value);
            if let Err(reason) = &stored
                && value["report"] == FORMAT
            {
                fault("not_a_report", format!("{JSON_FILE}: {reason}"));
            }
            stored.ok()
        });
        faults.into_result(stored)
    }

    /// Reads the values of `report.json`.
    fn of(report: &Value) -> Result<StoredReport, String> {
        let text = |value: &Value, key: &str| {
            value[key].as_str().map(str::to_owned).ok_or_else(|| format!("`{key}` is missing or not text"))
        };
        let list =
            |key: &str| report[key].as_array().ok_or_else(|| format!("`{key}` is missing or not a list"));
        let mut rules = IndexMap::new();
        for value in list("rule_values")? {
            rules.insert(text(value, "path")?, (text(value, "value")?, text(value, "cite")?));
        }
        let mut figures = IndexMap::new();
        for figure in list("figures")? {
            let (name, value) = (text(figure, "figure")?, text(figure, "value")?);
            let exact = figure["exact"].as_str().map(str::to_owned);
            for number in [Some(&value), exact.as_ref()].into_iter().flatten() {
                if number.len() > NUMBER_MAX || Fraction::parse(number).is_none() {
                    return Err(format!("the figure `{name}` is not a number"));
                }
            }
            figures.insert(name, (value, exact));
        }
        let program = &report["program"];
        Ok(StoredReport {
            book: text(report, "book")?,
            title: text(report, "title")?,
            program: format!("{} ({})", text(program, "version")?, text(program, "commit")?),
            digest: text(&report["digests"], "rule_values")?,
            rules,
            figures,
        })
    }

    fn head(&self) -> ComparedReport {
        ComparedReport {
            book: self.book.clone(),
            title: self.title.clone(),
            program: self.program.clone(),
            digest: self.digest.clone(),
        }
    }
}

/// Compares two reports.
pub fn compare(before: &StoredReport, after: &StoredReport) -> ReportComparison {
    let (mut rules, mut citations) = (Vec::new(), Vec::new());
    for path in paths(&before.rules, &after.rules) {
        let (old, new) = (before.rules.get(path), after.rules.get(path));
        if old == new {
            continue;
        }
        let value = |rule: Option<&(String, String)>| rule.map(|(value, _)| value.clone());
        let cite = |rule: Option<&(String, String)>| rule.map(|(_, cite)| cite.clone());
        let changed = ChangedRule {
            path: path.clone(),
            before: value(old),
            after: value(new),
            cite_before: cite(old),
            cite_after: cite(new),
        };
        let list = if changed.before == changed.after { &mut citations } else { &mut rules };
        list.push(changed);
    }
    let all: Vec<&String> = paths(&before.figures, &after.figures).collect();
    let figures: Vec<ChangedFigure> = all
        .iter()
        .filter_map(|path| {
            let (old, new) = (before.figures.get(*path), after.figures.get(*path));
            (old != new).then(|| ChangedFigure::of(path, old, new))
        })
        .collect();
    ReportComparison {
        before: before.head(),
        after: after.head(),
        equal: rules.is_empty() && citations.is_empty() && figures.is_empty(),
        equal_figures: all.len() - figures.len(),
        rules,
        citations,
        figures,
    }
}

/// Paths of both maps: those of the first in its order, then the additional ones of the second.
fn paths<'a, T>(
    one: &'a IndexMap<String, T>,
    other: &'a IndexMap<String, T>,
) -> impl Iterator<Item = &'a String> {
    one.keys().chain(other.keys().filter(|path| !one.contains_key(*path)))
}

impl ChangedFigure {
    fn of(
        figure: &str,
        before: Option<&(String, Option<String>)>,
        after: Option<&(String, Option<String>)>,
    ) -> ChangedFigure {
        let value = |found: Option<&(String, Option<String>)>| found.map(|(value, _)| value.clone());
        let exact = |found: Option<&(String, Option<String>)>| found.and_then(|(_, exact)| exact.clone());
        let difference = |before: Option<&str>, after: Option<&str>| -> Option<Fraction> {
            Some(Fraction::parse(after?)? - Fraction::parse(before?)?)
        };
        let (old, new) = (value(before), value(after));
        let (old_exact, new_exact) = (exact(before), exact(after));
        let of_exact = difference(old_exact.as_deref(), new_exact.as_deref());
        let of_values = difference(old.as_deref(), new.as_deref());
        let digits = if old.iter().chain(&new).all(|text| !text.contains('.')) { 0 } else { DIGITS };
        let shown = of_exact.as_ref().or(of_values.as_ref());
        ChangedFigure {
            figure: figure.to_owned(),
            difference: shown.map(|difference| difference.decimal(digits, DecimalRounding::Rounded)),
            difference_exact: of_exact.map(|difference| difference.to_string()),
            before: old,
            after: new,
            before_exact: old_exact,
            after_exact: new_exact,
        }
    }
}
