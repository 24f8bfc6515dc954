//! The designer with tables of worths: the server prepares one in the background, keeps it and answers from it.

use crate::guest::post;
use crate::process::Server;
use crate::program::paigow;
use serde_json::{Value, json};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Timeout of a preparation, which takes 20 s on two idle cores.
const PREPARED_WITHIN: Duration = Duration::from_mins(10);
/// Largest change of the edge in the example of the manual: 0.01 %.
const BUDGET: &str = "0.0001";
/// Maximum size of a table of worths in bytes.
const TABLE_BYTES_MAX: u64 = 800_000_000;

fn start(folder: &TempDir) -> Server {
    let mut command = paigow();
    // A preparation does not count against the limit of its client.
    command.args([
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--bots",
        "false",
        "--questions-per-address",
        "1",
        "--store",
    ]);
    command.arg(folder.path().join("paigow.db")).env("PAIGOW_CACHE", folder.path().join("cache"));
    Server::start_command(command)
}

fn ask(server: &Server, path: &str, body: &Value) -> Value {
    let (status, answer) = post(&server.address, path, &[], body);
    assert_eq!(status, 200, "{answer}");
    answer
}

/// Asks until the table of worths is ready. Returns the answer and the percentages reported before it.
fn ask_until_prepared(server: &Server, body: &Value) -> (Value, Vec<u64>) {
    let (start, mut reported) = (Instant::now(), Vec::new());
    loop {
        let answer = ask(server, "/api/design", body);
        if answer["preparing"].is_null() {
            return (answer, reported);
        }
        reported.push(answer["preparing"]["percent"].as_u64().unwrap());
        assert!(start.elapsed() < PREPARED_WITHIN, "{answer}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// A casino simplifies its house way: the example "A simpler house way within a budget" of the manual.
#[test]
fn prepared_table_answers_a_design_and_a_budget() {
    let folder = TempDir::new().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let toml = fs::read_to_string(root.join("crates/paigow/rulebooks/house-ways/foxwoods.toml")).unwrap();
    let question = json!({ "book": "washington", "side": "dealer", "toml": toml });

    let server = start(&folder);
    let (design, reported) = ask_until_prepared(&server, &question);
    assert!(reported.len() > 1 && reported.is_sorted(), "{reported:?}");
    assert!(reported.last().is_some_and(|percent| *percent >= 50), "{reported:?}");
    assert!(design["price"].is_object() && design["best"].is_object(), "{design}");
    let tables: Vec<u64> = fs::read_dir(folder.path().join("cache"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "bin"))
        .map(|entry| entry.metadata().unwrap().len())
        .collect();
    assert!(tables.len() == 1 && tables[0] <= TABLE_BYTES_MAX, "{tables:?}");

    let mut budget = question.clone();
    budget["budget"] = json!(BUDGET);
    let found = ask(&server, "/api/design/budget", &budget);
    let steps = found["steps"].as_array().unwrap();
    let size = |step: &Value| step["edge_change"].as_str().unwrap().trim_start_matches('-').to_owned();
    // Decimals of the same length compare as texts.
    assert!(steps.iter().all(|step| size(step).as_str() <= "0.000100000000"), "{found}");
    assert!(size(&found["next"]).as_str() > "0.0001", "{found}");

    // The designer finds the same change for the text without these clauses.
    let removed: Vec<usize> = steps.iter().map(|step| step["clause"].as_u64().unwrap() as usize).collect();
    let mut simpler = question.clone();
    simpler["toml"] = json!(without(&toml, &removed));
    simpler["before"] = json!(toml);
    let simpler = ask(&server, "/api/design", &simpler);
    let last = steps.last().unwrap();
    assert_eq!(simpler["faults"], json!([]));
    assert_eq!(simpler["compared"]["edge_change_exact"], last["edge_change_exact"]);
    assert_eq!(simpler["compared"]["hands"], last["hands_changed"]);
    compare_with_manual(&root.join("docs/house-ways.md"), &found);
    drop(server);

    // A later process answers from the table that is kept.
    let server = start(&folder);
    let (again, reported) = ask_until_prepared(&server, &question);
    assert_eq!((again, reported), (design, vec![]));
}

/// Returns a house way without some clauses, by their numbers from 1.
fn without(toml: &str, removed: &[usize]) -> String {
    let parts: Vec<&str> = toml.split("[[clauses]]").collect();
    let kept = parts.iter().enumerate().filter(|(number, _)| !removed.contains(number));
    kept.map(|(_, part)| *part).collect::<Vec<&str>>().join("[[clauses]]")
}

/// Compares the table of the manual with the answer. `UPDATE_GOLDEN=1` writes it.
fn compare_with_manual(path: &Path, found: &Value) {
    let mut table = String::from(
        "| step | clause | set | hands that it decides | change so far | hands set differently |\n| ---: | --- | --- | ---: | ---: | ---: |\n",
    );
    for (index, step) in found["steps"].as_array().unwrap().iter().chain([&found["next"]]).enumerate() {
        let text = |key: &str| step[key].as_str().unwrap();
        let set: Vec<&str> =
            step["set"].as_array().unwrap().iter().map(|set| set.as_str().unwrap()).collect();
        let within = step != &found["next"];
        let number = if within { (index + 1).to_string() } else { "over".to_owned() };
        writeln!(
            table,
            "| {number} | {}. {} | {} | {} | {} | {} |",
            step["clause"],
            text("when"),
            set.join("; or "),
            thousands(step["hands"].as_u64().unwrap()),
            text("edge_change_exact"),
            thousands(step["hands_changed"].as_u64().unwrap())
        )
        .unwrap();
    }
    let page = fs::read_to_string(path).unwrap();
    let (before, rest) = page.split_once("<!-- budget -->\n").expect("a start");
    let (_, after) = rest.split_once("<!-- end -->").expect("an end");
    let written = format!("{before}<!-- budget -->\n\n{table}\n<!-- end -->{after}");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(path, &written).unwrap();
    } else {
        assert!(page == written, "{} is out of date: run with UPDATE_GOLDEN=1\n{table}", path.display());
    }
}

/// A count with separators of thousands.
fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    groups.join(",")
}
