//! Stored rounds at the command line: audited, replayed, exported.

#![allow(clippy::expect_used, clippy::unwrap_used)] // a test that cannot start its program has failed

mod program;

use paigow::rulebook::BuiltIn;
use paigow_server::{Host, Library, Sqlite, World};
use paigow_table::{Account, Actor, Clocks, Command, Config, MasterKeys, Owner, TableId, Time};
use program::paigow;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;

/// Every second something happens, and chance is known.
struct Steps(AtomicU64);

impl World for Steps {
    fn now(&self) -> Time {
        Time(1_700_000_000_000 + 1_000 * self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn entropy(&self) -> Result<[u8; 32], getrandom::Error> {
        Ok([7; 32])
    }
}

/// A store with one round that is over, and one that is not.
async fn play(path: &Path) {
    let host = Host::new(
        Sqlite::open(path).unwrap(),
        Steps(AtomicU64::new(0)),
        Library::new(BuiltIn),
        Arc::new(MasterKeys::new(&[[7; 32]]).unwrap()),
    );
    let operator = Actor::Operator("olga".parse().unwrap());
    let table: TableId = "green".parse().unwrap();
    let config = Config {
        table: table.clone(),
        book: "ez".to_owned(),
        paytables: BTreeMap::new(),
        changes: BTreeMap::new(),
        currency: "CHIPS".parse().unwrap(),
        clocks: Clocks { wagers: 60_000, settings: 2_000, between: 1_000, ..Clocks::default() },
        dealer_wager_cents: 0,
        bots: 0,
    };
    host.open(&operator, &"open".parse().unwrap(), config).await.unwrap();
    let purse = Account { owner: Owner::Player("ann".parse().unwrap()), currency: "CHIPS".parse().unwrap() };
    host.issue(&operator, &"chips".parse().unwrap(), purse, 50_000).await.unwrap();
    let ann = Actor::Player("ann".parse().unwrap());
    let wager = Command::Wager { wager: "pai-gow".to_owned(), cents: 2_500, color: None };
    for (number, command) in [Command::Sit { seat: 3 }, wager, Command::Ready].into_iter().enumerate() {
        let id = format!("c{number}").parse().unwrap();
        host.command(&table, &ann, &id, &command).await.unwrap();
    }
    // Time sets the hand, and begins the next round.
    while host.table(&table).await.unwrap().0.round_number() < 2 {
        host.tick(&table).await.unwrap();
    }
}

fn made() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("tables.db");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(play(&path));
    (folder, path)
}

fn run(args: &[&str], store: &Path) -> Output {
    paigow().args(args).arg("--store").arg(store).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_round_is_replayed_line_by_line() {
    let (_folder, path) = made();
    let said = json(&run(&["replay", "green", "1", "--format", "json"], &path));
    assert_eq!(said["round"]["outcome"], "settled");
    assert_eq!(said["round"]["seats"][0]["player"], "ann");
    assert_eq!(said["round"]["lines"][0]["wager"], "pai-gow");
    let steps = said["round"]["play"]["steps"].as_array().unwrap();
    assert_eq!((&steps[0]["part"], &steps[0]["who"]), (&"base".into(), &"seat-3".into()));
    assert_eq!(steps.last().unwrap()["net_cents"], said["round"]["play"]["net_cents"]);
    assert_eq!(said["round"]["play"]["settled_at"], said["round"]["ended_at"]);
    assert_eq!(said["events"][0]["event"]["event"], "round_opened");
    let table = text(&run(&["replay", "green", "1"], &path));
    for expected in
        ["Round 1 at table green (ez), settled", "seat 3 wagers $25 on pai-gow", "Settlement", "Steps"]
    {
        assert!(table.contains(expected), "{expected} is not in\n{table}");
    }
    for (args, why) in [
        (["replay", "green", "2"], "round 2 of table green is not over"),
        (["replay", "green", "9"], "table green has no round 9"),
        (["replay", "blue", "1"], "there is no table blue"),
    ] {
        let refused = run(&args, &path);
        assert_eq!(refused.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&refused.stderr).contains(why), "{refused:?}");
    }
}

#[test]
fn an_audit_says_that_all_is_in_order_or_what_is_off() {
    let (folder, path) = made();
    let report = json(&run(&["audit", "--format", "json"], &path));
    assert_eq!((&report["in_order"], &report["rounds"]), (&Value::Bool(true), &Value::from(2)));
    assert!(text(&run(&["audit"], &path)).contains("Where each chain ends"));

    let file = rusqlite::Connection::open(&path).unwrap();
    file.execute("UPDATE journal SET cents = 2600 WHERE id = 'green/1/h1'", []).unwrap();
    drop(file);
    let off = run(&["audit", "--format", "json"], &path);
    assert_eq!(off.status.code(), Some(1));
    assert_eq!(json(&off)["findings"][0]["place"], "transfer green/1/h1");
    assert!(
        String::from_utf8_lossy(&off.stderr).contains("transfer green/1/h1: moves 2600 cents"),
        "{off:?}"
    );

    let nowhere = folder.path().join("nowhere.db");
    let missing = run(&["audit"], &nowhere);
    assert_eq!(missing.status.code(), Some(1));
    assert!(!nowhere.exists(), "a question makes no store");
}

#[test]
fn rounds_and_transfers_are_exported_in_every_format() {
    let (_folder, path) = made();
    let lines = text(&run(&["export", "rounds", "--format", "json"], &path));
    let rounds: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rounds.len(), 2);
    assert_eq!((&rounds[0]["outcome"], &rounds[1]["outcome"]), (&"settled".into(), &"open".into()));
    assert!(rounds[1]["play"]["secret"].is_null(), "what is not over gives nothing away");
    let csv = text(&run(&["export", "rounds", "--format", "csv"], &path));
    assert!(csv.starts_with("table,round,ended_at,"));
    assert!(csv.lines().nth(1).unwrap().contains(",ez,seat-3,ann,pai-gow,2500,"), "{csv}");

    let journal = text(&run(&["export", "journal", "--format", "json"], &path));
    let first: Value = serde_json::from_str(journal.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["from"], &first["to"], &first["cents"]),
        (&"issue".into(), &"player:ann".into(), &50_000.into())
    );
    let of_table = text(&run(&["export", "journal", "--format", "csv", "--table", "green"], &path));
    assert_eq!(of_table.lines().count(), journal.lines().count());
    assert!(text(&run(&["export", "journal", "--format", "markdown"], &path)).contains("| player:ann |"));
    assert!(text(&run(&["export", "journal"], &path)).starts_with("Journal\n"));
}
