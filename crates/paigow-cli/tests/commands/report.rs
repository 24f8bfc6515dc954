//! `paigow report` against the other commands, the golden odds and itself.

use crate::program;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

const BOOK: &str = "washington";
/// Few rounds: the test of the simulation is elsewhere.
const ROUNDS: [&str; 2] = ["--rounds", "20000"];

fn paigow(args: &[&str]) -> Output {
    program::paigow().args(args).output().unwrap()
}

fn json_of(args: &[&str]) -> Value {
    let output = paigow(&[args, &["--format", "json"]].concat());
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reports").join(name);
    fs::create_dir_all(folder.parent().unwrap()).unwrap();
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn write_report(book: &str, folder: &Path, options: &[&str]) {
    let out = folder.to_str().unwrap();
    let output = paigow(&[&["report", book, "--out", out][..], &ROUNDS, options].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The report of the book, made once for all tests.
fn report() -> &'static (PathBuf, Value) {
    static REPORT: OnceLock<(PathBuf, Value)> = OnceLock::new();
    REPORT.get_or_init(|| {
        let folder = folder("book");
        write_report(BOOK, &folder, &[]);
        let json = serde_json::from_slice(&fs::read(folder.join("report.json")).unwrap()).unwrap();
        (folder, json)
    })
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

#[test]
fn figures_are_those_of_the_other_commands() {
    let (_, report) = report();
    let odds = json_of(&["odds", BOOK]);
    assert_eq!(report["base_game"]["odds"], odds["base_game"]);
    let wagers = report["wagers"].as_array().unwrap();
    assert_eq!(wagers.len(), odds["wagers"].as_array().unwrap().len());
    for (reported, odds) in wagers.iter().zip(odds["wagers"].as_array().unwrap()) {
        for (key, value) in odds.as_object().unwrap() {
            assert_eq!(reported[key], *value, "{key}");
        }
    }
    let plays = report["base_game"]["plays"].as_array().unwrap();
    let price = json_of(&["price", "foxwoods", "--book", BOOK]);
    for (play, expected) in plays.iter().zip([&price["ways"][0], &price["best"]]) {
        for key in ["win", "push", "lose", "edge", "edge_exact", "standard_deviation"] {
            assert_eq!(play[key], expected[key], "{key}");
        }
    }
    assert_eq!(plays[1]["edge_exact"], price["best_edge_exact"]);
    let census = json_of(&["census"]);
    let classes: Vec<Value> =
        census["classes"].as_object().unwrap().iter().map(|(class, hands)| json!([class, hands])).collect();
    assert_eq!(report["census"], json!(classes));
    let check = json_of(&["check", "foxwoods"]);
    let clauses = check["files"][0]["clauses"].as_array().unwrap();
    for (reported, clause) in report["house_way"]["clauses"].as_array().unwrap().iter().zip(clauses) {
        for key in ["when", "hands", "classes", "example"] {
            assert_eq!(reported[key], clause[key], "{key}");
        }
    }
    let rules = json_of(&["rules", BOOK]);
    assert_eq!(report["rules"], rules);
    assert_eq!(report["digests"]["rules"], rules["digest"]);
    let simulated = json_of(&[&["simulate", BOOK][..], &ROUNDS].concat());
    assert_eq!(report["simulation"][0]["wagers"], simulated["wagers"]);
}

#[test]
fn edges_are_those_of_the_golden_odds() {
    let (_, report) = report();
    let golden =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/odds.golden")).unwrap();
    let lines: Vec<Vec<&str>> = golden.lines().map(|line| line.split_whitespace().collect()).collect();
    let mut compared = 0;
    for wager in report["wagers"].as_array().unwrap() {
        let line = lines.iter().find(|line| {
            line.len() == 6 && line[0] == BOOK && wager["wager"] == line[1] && wager["paytable"] == line[2]
        });
        let line = line.unwrap();
        assert_eq!(wager["edge_exact"], line[3]);
        assert_eq!(wager["hit_frequency_exact"], line[4]);
        assert_eq!(wager["envy_return_exact"], line[5]);
        compared += 1;
    }
    assert_eq!(compared, 11);
}

/// Splits a line of CSV.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                fields.last_mut().unwrap().push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().unwrap().push(c),
        }
    }
    fields
}

#[test]
fn csv_json_and_html_have_the_same_numbers() {
    let (folder, report) = report();
    let csv = fs::read_to_string(folder.join("figures.csv")).unwrap();
    let figures = report["figures"].as_array().unwrap();
    assert_eq!(csv.lines().count(), figures.len() + 1);
    for (line, figure) in csv.lines().skip(1).zip(figures) {
        let [name, value, exact] = &fields(line)[..] else { panic!("{line}") };
        assert_eq!((&figure["figure"], &figure["value"]), (&json!(name), &json!(value)));
        assert_eq!(figure["exact"].as_str().unwrap_or(""), exact);
    }
    let find = |name: &str| {
        let found = figures.iter().find(|figure| figure["figure"] == name);
        found.unwrap_or_else(|| panic!("{name}"))
    };
    let html = fs::read_to_string(folder.join("report.html")).unwrap();
    for wager in report["wagers"].as_array().unwrap() {
        let path =
            format!("wagers.{}.{}", wager["wager"].as_str().unwrap(), wager["paytable"].as_str().unwrap());
        assert_eq!(find(&format!("{path}.edge"))["exact"], wager["edge_exact"]);
        assert_eq!(find(&format!("{path}.variance"))["exact"], wager["moments"]["variance_exact"]);
        assert_eq!(find(&format!("{path}.skewness"))["value"], wager["moments"]["skewness"]);
        let exposure = wager["exposure"]["round_cents"].as_u64().unwrap().to_string();
        assert_eq!(find(&format!("{path}.exposure.round_cents"))["value"], exposure);
        for text in [&wager["edge_exact"], &wager["moments"]["variance_exact"]] {
            assert!(html.contains(text.as_str().unwrap()), "{text}");
        }
    }
    let rules = fs::read_to_string(folder.join("rules.csv")).unwrap();
    assert_eq!(rules.lines().count(), report["rule_values"].as_array().unwrap().len() + 1);
    let canonical = paigow(&["rules", BOOK, "--canonical"]).stdout;
    assert_eq!(fs::read(folder.join("rules.txt")).unwrap(), canonical);
}

/// Checks that every element is closed, and returns the names of all elements and the attributes.
fn elements(html: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut found = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut rest = html.strip_prefix("<!DOCTYPE html>").unwrap();
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').unwrap();
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closed in another order");
            continue;
        }
        let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "{tag}");
        let mut pairs = Vec::new();
        let mut attributes = attributes.trim();
        while let Some((key, value)) = attributes.split_once("=\"") {
            let (value, after) = value.split_once('"').unwrap();
            pairs.push((key.trim().to_owned(), value.to_owned()));
            attributes = after;
        }
        assert_eq!(attributes.trim(), "", "an attribute without quotes in {tag}");
        found.push((name.to_owned(), pairs));
        if name == "style" {
            rest = &rest[rest.find("</style>").unwrap()..];
        }
        if !is_empty {
            open.push(name.to_owned());
        }
    }
    assert!(open.is_empty(), "not closed: {open:?}");
    found
}

fn check_html(html: &str) {
    let all = elements(html);
    let ids: Vec<&str> = all
        .iter()
        .flat_map(|(_, attributes)| attributes)
        .filter(|(key, _)| key == "id")
        .map(|(_, id)| id.as_str())
        .collect();
    let unique: std::collections::BTreeSet<&&str> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len(), "an id is used twice");
    for (name, attributes) in &all {
        assert!(
            !["script", "link", "img", "iframe", "object", "embed", "form"].contains(&name.as_str()),
            "{name}"
        );
        for (key, value) in attributes {
            assert!(!key.starts_with("on") && key != "src" && key != "style", "{key} of {name}");
            if key == "href" {
                let target = value.strip_prefix('#').expect("a link to another file");
                assert!(ids.contains(&target), "no target: {target}");
            }
        }
    }
    let outside = html.replace("http://www.w3.org/2000/svg", "");
    for word in ["url(", "@import", "http:", "https:", "javascript:"] {
        assert!(!outside.contains(word), "{word}");
    }
}

#[test]
fn html_is_well_formed_and_refers_to_nothing() {
    let (folder, _) = report();
    let html = fs::read_to_string(folder.join("report.html")).unwrap();
    check_html(&html);
    for title in ["Assumptions", "House way", "Signatures", "Method, and how to make this report again"] {
        assert!(html.contains(title), "{title}");
    }
    assert!(html.matches("<svg").count() > 10);
}

/// The second report is computed again, without the cache of results, in a folder of another name.
#[test]
fn report_is_made_again_byte_for_byte() {
    let (first, _) = report();
    let second = folder("made-again");
    write_report(BOOK, &second, &["--no-cache"]);
    let (one, other) = (files(first), files(&second));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in &one {
        assert!(bytes == &other[name], "{name} differs");
    }
    assert_eq!(one.len(), 6);
    let digests: Value = serde_json::from_slice(&one["digests.json"]).unwrap();
    assert_eq!(digests["files"].as_array().unwrap().len(), 5);
    let comparison = json_of(&["report", "--compare", first.to_str().unwrap(), second.to_str().unwrap()]);
    assert_eq!((&comparison["equal"], &comparison["rules"]), (&json!(true), &json!([])));
}

/// Rows of a paytable as a value of `--set`, with one payout changed.
fn changed_rows(report: &Value, hand: &str, pays: u64) -> String {
    let wager =
        report["rules"]["wagers"].as_array().unwrap().iter().find(|wager| wager["wager"] == "fortune");
    let table = wager.unwrap()["paytables"].as_array().unwrap().iter().find(|t| t["paytable"] == "FPG-01");
    let rows = table.unwrap()["rows"].as_array().unwrap().iter().map(|row| {
        let name = row["hand"].as_str().unwrap();
        let times = if name == hand { pays } else { row["pays"].as_u64().unwrap() };
        let times = if times == 0 { "\"push\"".to_owned() } else { times.to_string() };
        let envy = row["envy_cents"].as_u64().map(|cents| format!(", envy = \"{}.00\"", cents / 100));
        format!("{{hand = \"{name}\", pays = {times}{}}}", envy.unwrap_or_default())
    });
    format!("[{}]", rows.collect::<Vec<_>>().join(", "))
}

#[test]
fn comparison_has_the_exact_difference_of_a_changed_paytable() {
    let (first, report) = report();
    let second = folder("changed-paytable");
    let set = format!("wagers.fortune.paytables.FPG-01.pays={}", changed_rows(report, "full_house", 6));
    write_report(BOOK, &second, &["--set", &set]);
    let (first, second) = (first.to_str().unwrap(), second.to_str().unwrap());
    let comparison = json_of(&["report", "--compare", first, second]);
    assert_eq!(comparison["equal"], false);
    let rules = comparison["rules"].as_array().unwrap();
    let [rule] = &rules[..] else { panic!("{rules:?}") };
    assert_eq!(rule["path"], "wagers.fortune.paytables.FPG-01.pays.full_house");
    assert_eq!((&rule["before"], &rule["after"]), (&json!("5 to 1"), &json!("6 to 1")));
    let figures = comparison["figures"].as_array().unwrap();
    let edge = figures.iter().find(|figure| figure["figure"] == "wagers.fortune.FPG-01.edge").unwrap();
    // 4,188,528 full houses of 154,143,080 hands win one unit more.
    assert_eq!(edge["difference_exact"], "-30798/1133405");
    assert!(edge["difference"].as_str().unwrap().starts_with("-0.02717"), "{edge}");
    // Figures of other paytables and of the base game stay.
    let of_others = figures
        .iter()
        .map(|figure| figure["figure"].as_str().unwrap())
        .filter(|name| !name.starts_with("wagers.fortune.FPG-01.") && !name.starts_with("simulation."));
    assert_eq!(of_others.collect::<Vec<_>>(), Vec::<&str>::new());

    let html = fs::read_to_string(Path::new(second).join("report.html")).unwrap();
    check_html(&html);
    for format in ["table", "csv", "markdown"] {
        let output = paigow(&["report", "--compare", first, second, "--format", format]);
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("Changed rules: 1, changed figures: "), "{text}");
        // A table wraps long paths.
        assert!(
            format == "table"
                || text.contains("wagers.fortune.FPG-01.edge,")
                || text.contains("wagers.fortune.FPG-01.edge |"),
            "{text}"
        );
    }
}

#[test]
fn folders_that_are_not_reports_are_refused_with_every_fault() {
    let (first, _) = report();
    let broken = folder("broken");
    fs::create_dir(&broken).unwrap();
    for (name, bytes) in files(first) {
        fs::write(broken.join(name), bytes).unwrap();
    }
    let mut csv = fs::read(broken.join("figures.csv")).unwrap();
    csv.push(b'\n');
    fs::write(broken.join("figures.csv"), csv).unwrap();
    fs::remove_file(broken.join("rules.txt")).unwrap();
    let other = folder("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("report.json"), "{\"report\": 1}").unwrap();
    fs::write(other.join("digests.json"), "not JSON").unwrap();
    let output = paigow(&["report", "--compare", broken.to_str().unwrap(), other.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    for part in
        ["figures.csv is not the file", "rules.txt", "report.json is not that of", "digests.json is not JSON"]
    {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert_eq!(paigow(&["report", "--compare", "only-one"]).status.code(), Some(2));
    assert_eq!(paigow(&["report", BOOK]).status.code(), Some(2));
    assert_eq!(paigow(&["report", BOOK, "--out", "x", "--compare", "a", "b"]).status.code(), Some(2));
}

#[test]
fn other_folders_are_not_overwritten_and_faults_come_before_the_work() {
    let strange = folder("strange");
    fs::create_dir(&strange).unwrap();
    fs::write(strange.join("letter.txt"), "keep").unwrap();
    let missing = strange.join("missing/report");
    for (out, reason) in [
        (&strange, "not an earlier report"),
        (&strange.join("letter.txt"), "is not a folder"),
        (&missing, "does not exist"),
    ] {
        let output = paigow(&["report", BOOK, "--out", out.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(reason), "{message}");
    }
    assert_eq!(fs::read_to_string(strange.join("letter.txt")).unwrap(), "keep");
    let output = paigow(&["report", "no-such-book", "--house-way", "no-such-way", "--out", "x"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("no-such-book") && message.contains("no-such-way"), "{message}");

    // An earlier report is replaced as a whole, unless other files are beside its own.
    let (first, _) = report();
    let again = folder("again");
    fs::create_dir(&again).unwrap();
    write_report(BOOK, &again, &[]);
    fs::write(again.join("report.html"), "changed").unwrap();
    write_report(BOOK, &again, &[]);
    assert_eq!(files(&again), files(first));
    fs::write(again.join("notes.txt"), "keep").unwrap();
    let output = paigow(&["report", BOOK, "--out", again.to_str().unwrap()]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("notes.txt"));
    let left: Vec<String> = files(again.parent().unwrap().join("again").as_path()).into_keys().collect();
    assert_eq!(left.len(), 7);
}

/// A book whose titles are written to break out of the document.
#[test]
fn hostile_names_are_text() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile.toml");
    let title = "</style><script>alert(1)</script>";
    let book = format!(
        "extends = \"{BOOK}\"\ntitle = {title:?}\nsource = \"<img src=x onerror=alert(1)>\"\nchecked_on = \"2026-11-17\"\n"
    );
    fs::write(&path, book).unwrap();
    let folder = folder("hostile");
    write_report(path.to_str().unwrap(), &folder, &[]);
    let html = fs::read_to_string(folder.join("report.html")).unwrap();
    check_html(&html);
    assert!(html.contains("&lt;script&gt;alert(1)") && html.contains("&lt;img src=x"));
    let all: Vec<u8> = files(&folder).into_values().flatten().collect();
    let text = String::from_utf8(all).unwrap();
    let tmp = env!("CARGO_TARGET_TMPDIR");
    assert!(!text.contains(tmp), "a path is in the report");
}
