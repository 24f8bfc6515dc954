//! `paigow operator` against a running server, and draining.

use crate::enrolled::Enrolled;
use crate::guest::{Guest, Socket, get, wait_until};
use crate::process::{Server, TIMEOUT, audit};
use crate::program::paigow;
use crate::table::{Clocks, house_way, open, ready, wager};
use paigow_answers::puzzle::Day;
use serde_json::{Value, json};
use std::time::Duration;
use tempfile::TempDir;

#[test]
fn all_operator_commands_work() {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("paigow.db").to_str().unwrap().to_owned();
    let server = Server::start(&store);
    let olga = server.admin();
    let operator = |args: &[&str]| server.operator_json(&olga, args);

    operator(&["open", "vip", "--book", "washington", "--paytable", "fortune=FPG-03", "--currency", "CHIPS"]);
    let named = |lobby: &Value, name: &str| {
        lobby["tables"].as_array().unwrap().iter().any(|table| table["table"] == name)
    };
    assert!(named(&operator(&["tables"]), "vip"));
    let refused = server.operator(&olga, &["open", "vip", "--book", "washington"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("table_exists"), "{refused:?}");

    open(&server, &olga, "green", Clocks { wagers: 60_000, settings: 60_000 });
    let ann = Guest::new(&server.address, "Ann");
    let mut socket = ann.connect(&server.address, "green");
    socket.command(&ann.next_id(), &json!({ "do": "sit", "seat": 1 }));
    socket.command(&ann.next_id(), &wager(2_500));
    let (before, at) = (ann.cents(&server.address), socket.seq);
    operator(&["void", "green", "--reason", "the lights went out"]);
    let voided = socket.wait_for_event(at, "round_voided");
    let reason = json!({ "code": "other", "text": "the lights went out" });
    assert_eq!(socket.events[&voided]["reason"], reason);
    assert_eq!(ann.cents(&server.address), before + 2_500);
    operator(&["pause", "green"]);
    let paused = socket.wait_for_event(voided, "paused");
    operator(&["notice", "Back in a minute.", "--table", "green"]);
    operator(&["notice", "Good evening."]);
    let first = socket.wait_for_event(paused, "noticed");
    let noticed = socket.wait_for_event(first, "noticed");
    assert_eq!(socket.events[&noticed]["text"], "Good evening.");
    operator(&["resume", "green"]);
    let begun = socket.wait_for_event(noticed, "wagers_opened");
    socket.command(&ann.next_id(), &wager(2_500));
    socket.command(&ann.next_id(), &ready());
    socket.wait_for_event(begun, "dealt");
    socket.command(&ann.next_id(), &house_way());
    let settled = socket.wait_for_event(begun, "settled");
    operator(&["suspend", "green", "1"]);
    socket.wait_for_event(settled, "sat_out");
    operator(&["vacate", "green", "1"]);
    socket.wait_for_event(settled, "stood");

    let cents = ann.cents(&server.address);
    operator(&["chips", &ann.player, "5000"]);
    operator(&["chips", &ann.player, "2000", "--redeem"]);
    assert_eq!(ann.cents(&server.address), cents + 3_000);
    assert_eq!(operator(&["balance"])["sums"], json!({ "PRACTICE": 0 }));
    assert!(!operator(&["journal", "--limit", "5"])["transfers"].as_array().unwrap().is_empty());
    let rounds = server.operator(&olga, &["rounds", "--table", "green", "--format", "json"]);
    let rounds = String::from_utf8(rounds.stdout).unwrap();
    let outcomes: Vec<Value> =
        rounds.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["outcome"].clone()).collect();
    assert_eq!(outcomes, ["voided", "settled"]);
    let today = Day::today().to_string();
    let yesterday = Day(Day::today().0 - 1).to_string();
    let report = operator(&["report", "--from", &yesterday, "--to", &today]);
    let green = |field: &str| -> u64 {
        let rows = report["rows"].as_array().unwrap().iter();
        rows.filter(|row| row["table"] == "green").map(|row| row[field].as_u64().unwrap()).sum()
    };
    assert_eq!(["wagers", "voided", "handle_cents"].map(green), [1, 1, 2_500], "{report}");
    let sheet = server.operator(&olga, &["report", "--from", &yesterday, "--to", &today, "--format", "csv"]);
    assert!(String::from_utf8_lossy(&sheet.stdout).contains("handle_cents,win_cents,hold"), "{sheet:?}");
    operator(&["close", "green"]);
    wait_until("green to close", || !named(&operator(&["tables"]), "green"));

    let acts = operator(&["acts"]);
    let acts: Vec<&str> =
        acts["acts"].as_array().unwrap().iter().map(|act| act["what"].as_str().unwrap()).collect();
    assert_eq!(acts.iter().filter(|act| **act == "table.command").count(), 7, "{acts:?}");
    assert_eq!(acts.iter().filter(|act| **act == "chips").count(), 2, "{acts:?}");

    // The secret can be replaced with access to the store. All sessions of operators end.
    let used = std::fs::read_to_string(server.secret_file.as_ref().unwrap()).unwrap();
    let mut lost = paigow();
    let lost = lost.args(["operator", "new-secret", "--store", &store, "--format", "json"]).output().unwrap();
    let written: Value = serde_json::from_slice(&lost.stdout).unwrap();
    let new = std::fs::read_to_string(written["secret_file"].as_str().unwrap()).unwrap();
    assert_ne!(used, new);
    assert_eq!(server.operator(&olga, &["balance"]).status.code(), Some(1));
    let anna = Enrolled::new(&server, "anna", new.trim());
    server.operator_json(&anna, &["balance"]);

    let report = audit(&store);
    assert_eq!(report["in_order"], true);
    assert!(report["operator_acts"].as_u64() >= Some(acts.len() as u64), "{report}");
}

/// An operator who gets no response can retry with the same id.
#[test]
fn repeated_chips_command_issues_once() {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("paigow.db").to_str().unwrap().to_owned();
    let server = Server::start(&store);
    let olga = server.admin();
    let ann = Guest::new(&server.address, "Ann");
    let cents = ann.cents(&server.address);

    // The program prints the id before it sends the request, so it is printed even if no server responds.
    let mut unanswered = olga.command("127.0.0.1:9");
    let unanswered = unanswered.args(["chips", &ann.player, "7000"]).output().unwrap();
    assert_eq!(unanswered.status.code(), Some(1));
    let stderr = String::from_utf8(unanswered.stderr).unwrap();
    let id = stderr.split_once("--id ").unwrap().1.split(':').next().unwrap();
    assert!(stderr.starts_with(&format!("paigow: id {id};")), "{stderr}");

    let first = server.operator_json(&olga, &["chips", &ann.player, "7000", "--id", id]);
    let second = server.operator_json(&olga, &["chips", &ann.player, "7000", "--id", id]);
    assert_eq!(first, second);
    assert_eq!(ann.cents(&server.address), cents + 7_000, "issued once");

    // Another amount with the same id is refused.
    let other = server.operator(&olga, &["chips", &ann.player, "8000", "--id", id]);
    assert_eq!(other.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&other.stderr).contains("command_reused"), "{other:?}");
    let malformed = server.operator(&olga, &["chips", &ann.player, "8000", "--id", "no id"]);
    assert_eq!(malformed.status.code(), Some(2));

    // Without an id every call is a new command.
    server.operator_json(&olga, &["chips", &ann.player, "1000"]);
    server.operator_json(&olga, &["chips", &ann.player, "1000"]);
    assert_eq!(ann.cents(&server.address), cents + 9_000);
}

#[test]
fn wrong_operator_arguments_are_refused() {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| {
        let output = paigow().arg("operator").args(args).current_dir(folder.path()).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (status, stderr) = run(&["balance"]);
    assert_eq!(status, Some(1));
    assert!(stderr.contains("paigow-operator.session") && stderr.contains("sign-in --name"), "{stderr}");
    for server in ["https://127.0.0.1:1", "http://127.0.0.1:1"] {
        let (status, stderr) = run(&["--server", server, "sign-in", "--name", "olga"]);
        assert_eq!(status, Some(1));
        assert!(stderr.contains(server), "{stderr}");
    }
    let (status, stderr) = run(&["sign-in", "--name", "no name"]);
    assert_eq!(status, Some(2));
    assert!(stderr.contains("no name"), "{stderr}");
}

#[test]
fn drained_server_refuses_new_sockets_and_exits() {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("paigow.db").to_str().unwrap().to_owned();
    let server = Server::start_with(&store, &["--drain-seconds", "2"]);
    let olga = server.admin();
    let readiness = || get(&server.address, "/readyz", &[]);
    assert_eq!(readiness().0, 200);
    let mut socket = Socket::watch(&server.address, "ez");
    server.operator_json(&olga, &["drain"]);
    let (status, problem) = readiness();
    assert_eq!((status, &problem["code"]), (503, &"draining".into()));
    assert_eq!(get(&server.address, "/healthz", &[]).0, 200, "the process is alive");
    let headers = [
        ("upgrade", "websocket"),
        ("connection", "upgrade"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    assert_eq!(get(&server.address, "/api/tables/ez/live", &headers).0, 503, "no new sockets");
    socket.wait_until_closed();
    assert_eq!(socket.goodbye.unwrap()["code"], "restarting");
    let (status, _, log) = server.wait_for_exit(TIMEOUT + Duration::from_secs(2));
    assert!(status.success(), "{status}: {log:?}");
}
