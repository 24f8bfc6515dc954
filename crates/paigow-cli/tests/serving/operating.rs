//! `paigow operator` against a running server, and a server that is drained.

use crate::guest::{Guest, Socket, get, until};
use crate::process::{SOON, Server, audit};
use crate::program::paigow;
use crate::table::{Clocks, house_way, open, ready, wager};
use serde_json::{Value, json};
use std::time::Duration;
use tempfile::TempDir;

#[test]
fn operators_run_the_house_from_the_command_line() {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("paigow.db").to_str().unwrap().to_owned();
    let server = Server::start(&store);
    let secret = server.secret.clone().unwrap();
    let ask = |args: &[&str]| server.ask(&secret, args);

    ask(&["open", "vip", "--book", "washington", "--paytable", "fortune=FPG-03", "--currency", "CHIPS"]);
    let named = |lobby: &Value, name: &str| {
        lobby["tables"].as_array().unwrap().iter().any(|table| table["table"] == name)
    };
    assert!(named(&ask(&["tables"]), "vip"));
    let refused = server.operator(&secret, &["open", "vip", "--book", "washington"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("table_exists"), "{refused:?}");

    open(&server, &secret, "green", Clocks { wagers: 60_000, settings: 60_000 });
    let ann = Guest::new(&server.address, "Ann");
    let mut socket = ann.look(&server.address, "green");
    socket.done(&ann.next_id(), &json!({ "do": "sit", "seat": 1 }));
    socket.done(&ann.next_id(), &wager(2_500));
    let (before, at) = (ann.cents(&server.address), socket.seq);
    ask(&["void", "green", "--reason", "the lights went out"]);
    let voided = socket.event(at, "round_voided");
    let reason = json!({ "code": "other", "text": "the lights went out" });
    assert_eq!(socket.events[&voided]["reason"], reason);
    assert_eq!(ann.cents(&server.address), before + 2_500);
    ask(&["pause", "green"]);
    let paused = socket.event(voided, "paused");
    ask(&["notice", "Back in a minute.", "--table", "green"]);
    ask(&["notice", "Good evening."]);
    let first = socket.event(paused, "noticed");
    let noticed = socket.event(first, "noticed");
    assert_eq!(socket.events[&noticed]["text"], "Good evening.");
    ask(&["resume", "green"]);
    let begun = socket.event(noticed, "wagers_opened");
    socket.done(&ann.next_id(), &wager(2_500));
    socket.done(&ann.next_id(), &ready());
    socket.event(begun, "dealt");
    socket.done(&ann.next_id(), &house_way());
    let settled = socket.event(begun, "settled");
    ask(&["vacate", "green", "1"]);
    socket.event(settled, "stood");

    let cents = ann.cents(&server.address);
    ask(&["chips", &ann.player, "5000"]);
    ask(&["chips", &ann.player, "2000", "--redeem"]);
    assert_eq!(ann.cents(&server.address), cents + 3_000);
    assert_eq!(ask(&["balance"])["sums"], json!({ "PRACTICE": 0 }));
    assert!(!ask(&["journal", "--limit", "5"])["transfers"].as_array().unwrap().is_empty());
    let rounds = server.operator(&secret, &["rounds", "--table", "green", "--format", "json"]);
    let rounds = String::from_utf8(rounds.stdout).unwrap();
    let outcomes: Vec<Value> =
        rounds.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["outcome"].clone()).collect();
    assert_eq!(outcomes, ["voided", "settled"]);
    ask(&["close", "green"]);
    until("green to close", || !named(&ask(&["tables"]), "green"));

    let acts = ask(&["acts"]);
    let acts: Vec<&str> =
        acts["acts"].as_array().unwrap().iter().map(|act| act["what"].as_str().unwrap()).collect();
    assert_eq!(acts.iter().filter(|act| **act == "table.command").count(), 6, "{acts:?}");
    assert_eq!(acts.iter().filter(|act| **act == "chips").count(), 2, "{acts:?}");

    // A new secret by the old one, and one by whoever has the store.
    let second = ask(&["new-secret"])["secret"].as_str().unwrap().to_owned();
    assert_eq!(server.operator(&secret, &["balance"]).status.code(), Some(1));
    server.ask(&second, &["balance"]);
    let mut lost = paigow();
    let lost = lost.args(["operator", "new-secret", "--store", &store, "--format", "json"]).output().unwrap();
    let third: Value = serde_json::from_slice(&lost.stdout).unwrap();
    assert_eq!(server.operator(&second, &["balance"]).status.code(), Some(1));
    server.ask(third["secret"].as_str().unwrap(), &["balance"]);

    let report = audit(&store);
    assert_eq!(report["in_order"], true);
    assert!(report["operator_acts"].as_u64() >= Some(acts.len() as u64), "{report}");
}

/// An operator who gets no answer repeats the call, and chips move once.
#[test]
fn a_repeated_issue_of_chips_issues_once() {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("paigow.db").to_str().unwrap().to_owned();
    let server = Server::start(&store);
    let secret = server.secret.clone().unwrap();
    let ann = Guest::new(&server.address, "Ann");
    let cents = ann.cents(&server.address);

    // The program prints the id before it sends anything: also where no server answers.
    let mut unanswered = paigow();
    unanswered.args(["operator", "--server", "http://127.0.0.1:9", "chips", &ann.player, "7000"]);
    let unanswered = unanswered.env("PAIGOW_OPERATOR_SECRET", &secret).output().unwrap();
    assert_eq!(unanswered.status.code(), Some(1));
    let said = String::from_utf8(unanswered.stderr).unwrap();
    let id = said.split_once("--id ").unwrap().1.split(':').next().unwrap();
    assert!(said.starts_with(&format!("paigow: id {id};")), "{said}");

    let first = server.ask(&secret, &["chips", &ann.player, "7000", "--id", id]);
    let second = server.ask(&secret, &["chips", &ann.player, "7000", "--id", id]);
    assert_eq!(first, second);
    assert_eq!(ann.cents(&server.address), cents + 7_000, "issued once");

    // Another amount under the same id is not a repetition.
    let other = server.operator(&secret, &["chips", &ann.player, "8000", "--id", id]);
    assert_eq!(other.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&other.stderr).contains("command_reused"), "{other:?}");
    let malformed = server.operator(&secret, &["chips", &ann.player, "8000", "--id", "no id"]);
    assert_eq!(malformed.status.code(), Some(2));

    // Without an id every call is a new one.
    server.ask(&secret, &["chips", &ann.player, "1000"]);
    server.ask(&secret, &["chips", &ann.player, "1000"]);
    assert_eq!(ann.cents(&server.address), cents + 9_000);
}

#[test]
fn everything_wrong_with_how_an_operator_asks_is_said_at_once() {
    let mut command = paigow();
    command.args(["operator", "--server", "https://table.example", "--name", "no name", "balance"]);
    let refused = command.env_remove("PAIGOW_OPERATOR_SECRET").output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    for what in ["PAIGOW_OPERATOR_SECRET", "https://table.example", "no name"] {
        assert!(said.contains(what), "{what} is missing: {said}");
    }
}

#[test]
fn a_server_that_is_drained_takes_nobody_new_and_ends() {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("paigow.db").to_str().unwrap().to_owned();
    let server = Server::start_with(&store, &["--drain-seconds", "2"]);
    let secret = server.secret.clone().unwrap();
    let readiness = || get(&server.address, "/readyz", &[]);
    assert_eq!(readiness().0, 200);
    let mut socket = Socket::watch(&server.address, "ez");
    server.ask(&secret, &["drain"]);
    let (status, problem) = readiness();
    assert_eq!((status, &problem["code"]), (503, &"draining".into()));
    assert_eq!(get(&server.address, "/healthz", &[]).0, 200, "it lives");
    let headers = [
        ("upgrade", "websocket"),
        ("connection", "upgrade"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    assert_eq!(get(&server.address, "/api/tables/ez/live", &headers).0, 503, "no new sockets");
    socket.until_gone();
    assert_eq!(socket.goodbye.unwrap()["code"], "restarting");
    let (status, _, log) = server.ended(SOON + Duration::from_secs(2));
    assert!(status.success(), "{status}: {log:?}");
}
