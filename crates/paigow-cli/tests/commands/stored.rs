//! Commands on stored rounds: audit, replay, export, and checks of receipts.

use crate::program::paigow;
use paigow::rulebook::BuiltIn;
use paigow_server::{Environment, Host, RulesCache, Sqlite};
use paigow_table::{
    Account, Actor, Clocks, Command, Config, MasterKeys, Owner, Receipt, ReceiptPayload, TableId, TablePhase,
    Time,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;

/// An environment whose clock advances by a second per call, with fixed entropy.
struct SteppingClock(AtomicU64);

impl Environment for SteppingClock {
    fn now(&self) -> Time {
        Time(1_700_000_000_000 + 1_000 * self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn entropy(&self) -> Result<[u8; 32], getrandom::Error> {
        Ok([7; 32])
    }
}

/// Writes a store with a finished and an open round. Returns the receipt payload of the finished one.
async fn play(path: &Path) -> ReceiptPayload {
    let store = Sqlite::open(path).unwrap();
    store.sign_heads(keys());
    let host = Host::new(store, SteppingClock(AtomicU64::new(0)), RulesCache::new(BuiltIn), keys());
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
        name: None,
        private: false,
        house_way_toml: None,
    };
    host.open(&operator, &"open".parse().unwrap(), config).await.unwrap();
    let account =
        Account { owner: Owner::Player("ann".parse().unwrap()), currency: "CHIPS".parse().unwrap() };
    host.issue(&operator, &"chips".parse().unwrap(), account, 50_000).await.unwrap();
    let ann = Actor::Player("ann".parse().unwrap());
    let wager = Command::Wager { wager: "pai-gow".to_owned(), cents: 2_500, color: None };
    for (number, command) in [Command::Sit { seat: 3 }, wager, Command::Ready].into_iter().enumerate() {
        let id = format!("c{number}").parse().unwrap();
        host.command(&table, &ann, &id, &command).await.unwrap();
    }
    // The deadlines set the hand and open the next round.
    let mut settled = None;
    loop {
        let (now, _) = host.table(&table).await.unwrap();
        if now.round_number() == 2 {
            return settled.unwrap();
        }
        settled =
            matches!(now.phase(), TablePhase::Between { .. }).then(|| now.receipt_payload(&keys()).unwrap());
        host.tick(&table).await.unwrap();
    }
}

fn keys() -> Arc<MasterKeys> {
    Arc::new(MasterKeys::new(&[[7; 32]]).unwrap())
}

fn new_store() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("tables.db");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let _ = runtime.block_on(play(&path));
    (folder, path)
}

fn run(args: &[&str], store: &Path) -> Output {
    paigow().args(args).arg("--store").arg(store).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn answer(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn replay_shows_a_round_line_by_line() {
    let (_folder, path) = new_store();
    let replay = answer(&run(&["replay", "green", "1", "--format", "json"], &path));
    let round = &replay["round"];
    assert_eq!(round["outcome"], "settled");
    assert_eq!(round["seats"][0]["player"], "ann");
    assert_eq!(round["lines"][0]["wager"], "pai-gow");
    let steps = round["play"]["steps"].as_array().unwrap();
    assert_eq!((&steps[0]["part"], &steps[0]["who"]), (&"base".into(), &"seat-3".into()));
    assert_eq!(steps.last().unwrap()["net_cents"], round["play"]["net_cents"]);
    assert_eq!(round["play"]["settled_at"], round["ended_at"]);
    assert_eq!(replay["events"][0]["event"]["event"], "round_opened");
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
fn audit_reports_findings() {
    let (folder, path) = new_store();
    let report = answer(&run(&["audit", "--format", "json"], &path));
    assert_eq!((&report["in_order"], &report["rounds"]), (&Value::Bool(true), &Value::from(2)));
    assert!(text(&run(&["audit"], &path)).contains("Heads of all chains"));

    let file = rusqlite::Connection::open(&path).unwrap();
    file.execute("UPDATE journal SET cents = 2600 WHERE id = 'green/1/h1'", []).unwrap();
    drop(file);
    let failed = run(&["audit", "--format", "json"], &path);
    assert_eq!(failed.status.code(), Some(1));
    assert_eq!(answer(&failed)["findings"][0]["place"], "transfer green/1/h1");
    assert!(
        String::from_utf8_lossy(&failed.stderr).contains("transfer green/1/h1: moves 2600 cents"),
        "{failed:?}"
    );

    let missing = folder.path().join("missing.db");
    let refused = run(&["audit"], &missing);
    assert_eq!(refused.status.code(), Some(1));
    assert!(!missing.exists(), "an audit creates no store");
}

#[test]
fn heads_are_written_signed_and_compared() {
    let (folder, path) = new_store();
    let key = |name: &str, digits: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, digits.repeat(32)).unwrap();
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let (own, other) = (key("own.key", "07"), key("other.key", "08"));
    let heads_file = folder.path().join("heads.json");
    let heads = heads_file.to_str().unwrap();
    text(&run(&["audit", "--heads", heads, "--key-file", &own], &path));
    let refused = |args: &[&str], why: &str| {
        let output = run(args, &path);
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains(why), "{output:?}");
    };
    refused(&["audit", "--heads", heads], "File exists");
    text(&run(&["audit", "--against", heads], &path));
    text(&run(&["audit", "--against", heads, "--key-file", &own], &path));

    // Without the key, an audit reports a changed head as another history. With the key, the signature fails.
    let written: Value = serde_json::from_slice(&std::fs::read(&heads_file).unwrap()).unwrap();
    let write_changed = |change: &dyn Fn(&mut Value)| {
        let mut forged = written.clone();
        change(&mut forged);
        std::fs::write(&heads_file, forged.to_string()).unwrap();
    };
    write_changed(&|heads| heads["tables"][0]["hash"] = "00".repeat(32).into());
    refused(&["audit", "--against", heads], "table green: has another history");
    refused(&["audit", "--against", heads, "--key-file", &own], "not signed by a key of the key file");
    write_changed(&|heads| drop(heads.as_object_mut().unwrap().remove("signature")));
    refused(&["audit", "--against", heads, "--key-file", &own], "not signed by a key of the key file");
    write_changed(&|_| ());
    refused(&["audit", "--against", heads, "--key-file", &other], "not signed by a key of the key file");
    for (log, named) in [("operator_log", "the operators' log"), ("house_log", "the house log")] {
        for seq in [0, u64::MAX] {
            write_changed(&|heads| heads[log] = json!({ "seq": seq, "hash": "00".repeat(32) }));
            refused(&["audit", "--against", heads], &format!("{named}: was shortened"));
        }
    }
}

#[test]
fn receipts_are_checked_without_a_server() {
    let folder = TempDir::new().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let payload = runtime.block_on(play(&folder.path().join("tables.db")));
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let signed = |name: &str, payload: &ReceiptPayload, keys: &MasterKeys| {
        file(name, &serde_json::to_string(&Receipt::sign(payload, keys).unwrap()).unwrap())
    };
    let check = |args: &[&str]| paigow().arg("fair").args(args).output().unwrap();
    let refused = |args: &[&str], why: &str| {
        let output = check(args);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(why), "{output:?}");
    };
    let own = String::from(keys().public_key(&keys().current()).unwrap());
    let whole = signed("whole.json", &payload, &keys());
    let report = answer(&check(&["--receipt", &whole, "--public-key", &own, "--format", "json"]));
    assert_eq!((&report["receipts"][0]["holds"], &report["contradictions"]), (&true.into(), &json!([])));
    assert!(text(&check(&["--receipt", &whole])).contains(&own), "the public key is printed for comparison");

    // A receipt may be signed with any key, so the check compares the key with that of the house.
    let other_keys = MasterKeys::new(&[[8; 32]]).unwrap();
    let other_key = signed("other-key.json", &payload, &other_keys);
    let message = "signed with another key than that of --public-key";
    refused(&["--receipt", &other_key, "--public-key", &own], message);
    // A signed receipt with exchanged hands fails the check.
    let mut exchanged = payload.clone();
    exchanged.dealer = exchanged.hands.insert(3, exchanged.dealer.take().unwrap());
    let exchanged = signed("exchanged.json", &exchanged, &keys());
    refused(&["--receipt", &exchanged], "check failed: every hand is the packet");
    let mut double = payload.clone();
    double.opened.commitment.0[0] ^= 1;
    let double = signed("double.json", &double, &keys());
    refused(&["--receipt", &whole, "--receipt", &double], "contradict each other, signed by the same key");
    // A change after signing is reported as a bad signature, not as a contradiction.
    let text = std::fs::read_to_string(&whole).unwrap();
    let forged = file("forged.json", &text.replacen("\\\"round\\\":1", "\\\"round\\\":2", 1));
    let output = check(&["--receipt", &whole, "--receipt", &forged]);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stderr.contains("is signed with the public key") && !stderr.contains("contradict"), "{stderr}");
    // A number of seats that no rule book has.
    let mut seats = payload.clone();
    seats.dealing.seats = 255;
    let seats = signed("seats.json", &seats, &keys());
    refused(&["--receipt", &seats], "check failed: the receipt can be read");
    for (name, text) in [("empty.json", ""), ("list.json", "[]"), ("large.json", &" ".repeat(1_000_001))] {
        refused(&["--receipt", &file(name, text)], name);
    }
}

#[test]
fn rounds_and_journal_export_in_every_format() {
    let (_folder, path) = new_store();
    let lines = text(&run(&["export", "rounds", "--format", "json"], &path));
    let rounds: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rounds.len(), 2);
    assert_eq!((&rounds[0]["outcome"], &rounds[1]["outcome"]), (&"settled".into(), &"open".into()));
    assert!(rounds[1]["play"]["secret"].is_null(), "an open round has no secret");
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
