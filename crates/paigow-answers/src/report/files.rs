//! The files of a report, and the list of their digests, which is written last.

use super::{GameReport, html, sha256};
use serde_json::{Value, json};

/// Name of the HTML file.
pub const HTML_FILE: &str = "report.html";
/// Name of the JSON file.
pub const JSON_FILE: &str = "report.json";
/// Name of the list of digests.
pub const DIGESTS_FILE: &str = "digests.json";

/// A file of a report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportFile {
    /// Name within the folder.
    pub name: &'static str,
    /// Contents, UTF-8.
    pub text: String,
}

impl GameReport {
    /// Returns the report as one HTML document without scripts and references.
    pub fn html(&self) -> String {
        html::document(self)
    }

    /// Returns all files of the report. The last one lists the digests of the others.
    pub fn files(&self) -> Vec<ReportFile> {
        let mut files = vec![
            ReportFile { name: HTML_FILE, text: self.html() },
            ReportFile { name: JSON_FILE, text: format!("{:#}\n", json!(self)) },
            ReportFile { name: "figures.csv", text: self.figures_csv() },
            ReportFile { name: "rules.csv", text: self.rules_csv() },
            ReportFile { name: "rules.txt", text: self.canonical.clone() },
        ];
        let list: Vec<Value> = files
            .iter()
            .map(|file| json!({ "file": file.name, "bytes": file.text.len(), "sha256": sha256(file.text.as_bytes()) }))
            .collect();
        let digests = json!({
            "report": super::FORMAT,
            "program": self.program,
            "rules": self.digests.rules,
            "house_way": self.digests.house_way,
            "rule_values": self.digests.rule_values,
            "files": list,
        });
        files.push(ReportFile { name: DIGESTS_FILE, text: format!("{digests:#}\n") });
        files
    }

    fn figures_csv(&self) -> String {
        let head = csv_line(["figure", "value", "exact"]);
        let line = |figure: &super::ReportFigure| {
            csv_line([&figure.figure, &figure.value, figure.exact.as_deref().unwrap_or("")])
        };
        head + &self.figures.iter().map(line).collect::<String>()
    }

    fn rules_csv(&self) -> String {
        let head = csv_line(["path", "value", "kind", "cite"]);
        let line = |value: &super::RuleValue| {
            csv_line([&value.path, &value.value, &value.kind, &value.cite].map(String::as_str))
        };
        head + &self.rule_values.iter().map(line).collect::<String>()
    }
}

/// One line of CSV. A field with a comma, a quotation mark or a line break is quoted.
fn csv_line<'a>(fields: impl IntoIterator<Item = &'a str>) -> String {
    let quoted = |field: &str| {
        if field.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field.to_owned()
        }
    };
    let fields: Vec<String> = fields.into_iter().map(quoted).collect();
    fields.join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::csv_line;

    #[test]
    fn csv_fields_are_quoted_if_needed() {
        assert_eq!(
            csv_line(["plain", "", "a,b", "say \"x\"", "a\nb"]),
            "plain,,\"a,b\",\"say \"\"x\"\"\",\"a\nb\"\n"
        );
    }
}
