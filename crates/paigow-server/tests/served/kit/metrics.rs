//! Samples of `/metrics`.

use super::Browser;
use std::collections::BTreeMap;

/// A sample: the name of its series, its labels and its value.
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) value: String,
}

impl Sample {
    pub(crate) fn label(&self, name: &str) -> &str {
        self.labels.get(name).unwrap_or_else(|| panic!("{} has no label {name}", self.name))
    }

    pub(crate) fn cents(&self) -> i64 {
        self.value.parse().unwrap()
    }
}

/// Reads the metrics of a server.
pub(crate) async fn samples(browser: &Browser) -> Vec<Sample> {
    let text = browser.get("/metrics").await.text();
    text.lines().filter(|line| !line.starts_with('#')).map(parse).collect()
}

fn parse(line: &str) -> Sample {
    let (series, value) = line.rsplit_once(' ').unwrap();
    let (name, labels) = series.split_once('{').unwrap_or((series, "}"));
    // No label of the server has a comma, a quote or a brace in its value, except paths of the API.
    let labels = labels.strip_suffix('}').unwrap().split("\",").filter(|label| !label.is_empty());
    let pair = |label: &str| {
        let (name, value) = label.split_once("=\"").unwrap();
        (name.to_owned(), value.trim_end_matches('"').to_owned())
    };
    Sample { name: name.to_owned(), labels: labels.map(pair).collect(), value: value.to_owned() }
}
