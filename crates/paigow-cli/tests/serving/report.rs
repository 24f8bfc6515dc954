//! The game report over HTTP: the document of the command line, with a policy that forbids scripts and loading.

use crate::process::Server;
use crate::program::paigow;
use serde_json::{Value, json};
use std::fs;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use ureq::Agent;

/// Timeout of a report, for which up to two tables of worths are prepared.
const MADE_WITHIN: Duration = Duration::from_mins(10);
/// The server's number of simulated rounds.
const ROUNDS: &str = "100000";

fn start(folder: &TempDir) -> Server {
    let mut command = paigow();
    command.args(["serve", "--listen", "127.0.0.1:0", "--bots", "false", "--store"]);
    command.arg(folder.path().join("paigow.db"));
    Server::start_command(command)
}

/// Status, content type, policy and text of a response.
fn get(server: &Server, query: &[(&str, &str)]) -> (u16, String, String, String) {
    let config = Agent::config_builder().http_status_as_error(false).build();
    let request = Agent::new_with_config(config).get(format!("http://{}/api/report", server.address));
    let request = query.iter().fold(request, |request, (key, value)| request.query(key, value));
    let mut answer = request.call().unwrap();
    let header = |name: &str| {
        answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
    };
    let (kind, policy) = (header("content-type"), header("content-security-policy"));
    (answer.status().as_u16(), kind, policy, answer.body_mut().read_to_string().unwrap())
}

/// Asks until the report is there.
fn report(server: &Server, query: &[(&str, &str)]) -> String {
    let start = Instant::now();
    loop {
        let (status, kind, policy, text) = get(server, query);
        if status == 200 {
            assert_eq!(kind, "text/html; charset=utf-8");
            assert!(policy.contains("default-src 'none'") && policy.contains("sandbox"), "{policy}");
            assert!(!policy.contains("script-src"), "{policy}");
            return text;
        }
        assert_eq!(status, 202, "{text}");
        let answer: Value = serde_json::from_str(&text).unwrap();
        assert!(answer["preparing"]["percent"].is_u64(), "{answer}");
        assert!(start.elapsed() < MADE_WITHIN, "{answer}");
        std::thread::sleep(Duration::from_millis(300));
    }
}

#[test]
fn report_of_the_server_is_that_of_the_command_line() {
    let folder = TempDir::new().unwrap();
    let server = start(&folder);
    let html = report(&server, &[("book", "washington")]);
    let out = folder.path().join("report");
    let output = paigow()
        .args(["report", "washington", "--rounds", ROUNDS, "--out", out.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(fs::read_to_string(out.join("report.html")).unwrap() == html, "the documents differ");

    // An edited paytable: one row, which is a departure from the document.
    let rows = json!([{ "hand": "full_house", "pays": 7 }]).to_string();
    let query = [("book", "washington"), ("wager", "fortune"), ("paytable", "FPG-01"), ("rows", &*rows)];
    let edited = report(&server, &query);
    assert!(edited.contains("7 to 1") && edited.contains("This is not the game of the document"));
    assert!(!edited.contains("<script"));
}

#[test]
fn bad_questions_are_refused_with_every_fault() {
    let folder = TempDir::new().unwrap();
    let server = start(&folder);
    let problem = |query: &[(&str, &str)]| {
        let (status, _, _, text) = get(&server, query);
        let problem: Value = serde_json::from_str(&text).unwrap();
        (status, problem["code"].as_str().unwrap().to_owned(), text)
    };
    assert_eq!(problem(&[("book", "nowhere")]).0, 404);
    assert_eq!(problem(&[]).1, "bad_query");
    assert_eq!(problem(&[("book", "ez"), ("strange", "1")]).1, "bad_query");
    assert_eq!(problem(&[("book", "ez"), ("wager", "dynasty"), ("rows", "no JSON")]).1, "bad_rows");
    let long = "x".repeat(10_000);
    assert_eq!(problem(&[("book", "ez"), ("wager", "dynasty"), ("rows", &long)]).1, "too_long");
    let hostile = json!([{ "hand": "<script>alert(1)</script>", "pays": -1 }]).to_string();
    let (status, _, text) = problem(&[("book", "ez"), ("wager", "<b>"), ("rows", &hostile)]);
    assert_eq!(status, 422, "{text}");
    assert!(text.contains("unknown_wager"), "{text}");
    let (status, code, _) = problem(&[("book", "ez"), ("wager", "dynasty")]);
    assert_eq!((status, code.as_str()), (422, "no_edit"));
}
