//! `paigow archive` as a real process: the commands of the manual, and kills in the middle.

use crate::database::Database;
use crate::kit::{Game, host, keys, name, operator, wager};
use crate::process::audit;
use crate::program::{CACHE, paigow};
use paigow_server::AnyStore;
use paigow_table::Command;
use rusqlite::Connection;
use serde_json::Value;
use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Process, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// First line of a block of the manual that is run on a store with old rounds.
const MARKER: &str = "```sh archive";
/// How long a test waits for a process to reach a point.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Plays rounds in 1970, which are older than any limit: at a table that stays open, and at one that is closed.
fn play(address: &str) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let store = AnyStore::open(address).await.unwrap();
        store.sign_heads(keys());
        // Each table has a clock of its own, because a deadline of one must not pass those of the others.
        let hosts = [1, 2].map(|seed| host(store.clone(), seed));
        let club = Game::open(&hosts[0], "vip", "washington", 3).await;
        let closed = Game::open(&hosts[1], "closed", "ez", 2).await;
        for _ in 0..5 {
            club.play_round().await;
            closed.play_round().await;
        }
        club.expect_done("vip-p1", wager(2_500)).await;
        closed.host.command(&closed.table, &operator(), &name("close"), &Command::Close).await.unwrap();
        while !closed.host.table(&closed.table).await.unwrap().0.is_closed() {
            closed.fire_deadline().await;
        }
        // The newest transfer of a store is never sealed.
        club.issue("zoe", 500).await;
    });
}

/// Writes the master key of the tests to a file.
fn key_file(folder: &Path) -> PathBuf {
    let path = folder.join("paigow.key");
    fs::write(&path, "07".repeat(32)).unwrap();
    #[cfg(unix)]
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    path
}

/// The commands of "Archives" in `docs/operating.md` run as they are there.
#[test]
fn commands_of_the_manual_archive_old_rounds() {
    let folder = TempDir::new().unwrap();
    play(folder.path().join("paigow.db").to_str().unwrap());
    key_file(folder.path());
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operating.md");
    let manual = fs::read_to_string(manual).unwrap();
    let mut lines = manual.lines();
    let program = Path::new(env!("CARGO_BIN_EXE_paigow")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut count = 0;
    while lines.by_ref().any(|line| line == MARKER) {
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let mut shell = Process::new("sh");
        shell.args(["-eu", "-c", &block.join("\n")]).current_dir(folder.path());
        let output = shell.env("PATH", &path).env("PAIGOW_CACHE", CACHE).output().unwrap();
        let (answer, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{block:?}\n{answer}\n{errors}");
        count += 1;
    }
    assert!(count >= 3, "{count} blocks");
    // A round that left the store says where it is.
    let store = folder.path().join("paigow.db");
    let output = paigow().args(["replay", "vip", "2", "--store", store.to_str().unwrap()]).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && message.contains("are archived: use --archive"), "{message}");
    let export = ["export", "rounds", "--format", "json", "--store", store.to_str().unwrap()];
    let output = paigow().args(export).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success()
            && message.contains("rounds 1 to 5 of table vip, archived in rounds-1.paigow"),
        "{message}"
    );
}

/// Starts to archive everything that is older than 7 days.
fn start(store: &str, out: &Path, key: &Path) -> Child {
    let mut command = paigow();
    command.args(["archive", "--older-than", "7", "--quiet", "--format", "json", "--store", store]);
    command.arg("--out").arg(out).arg("--key-file").arg(key);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn finished(child: Child) -> (Output, Value) {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answer = serde_json::from_slice(&output.stdout).unwrap();
    (output, answer)
}

/// Kills a process once it has reached a point.
fn kill_when(mut child: Child, mut is_reached: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_reached() {
        let exited = child.try_wait().unwrap();
        assert!(exited.is_none() && start.elapsed() < TIMEOUT, "not reached: {exited:?}");
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

fn rounds(report: &Value) -> u64 {
    report["rounds"].as_u64().unwrap() + report["archived_rounds"].as_u64().unwrap()
}

/// Asserts that a killed archive has lost nothing, and that the store has all rounds itself.
fn assert_complete(store: &str, before: &Value) {
    let after = audit(store);
    assert_eq!((&after["heads"], rounds(&after)), (&before["heads"], rounds(before)));
    assert_eq!((&after["archives"], &after["transfers"]), (&Value::from(0), &before["transfers"]));
}

/// Asserts that the archive is complete, and audits it alone and with the store.
fn assert_archived(store: &str, out: &Path, before: &Value, key: &Path) {
    let mut alone = paigow();
    alone.args(["audit", "--format", "json", "--archive"]).arg(out).arg("--key-file").arg(key);
    let output = alone.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let alone: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&alone["in_order"], &alone["signed"]), (&Value::from(true), &Value::from(true)));
    let mut both = paigow();
    both.args(["audit", "--format", "json", "--store", store, "--archives"]).arg(out);
    let output = both.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let after: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&after["heads"], rounds(&after)), (&before["heads"], rounds(before)));
    assert_eq!((&after["archives"], &after["archives_compared"]), (&Value::from(1), &Value::from(1)));
    assert_eq!(alone["counts"]["rounds"], after["archived_rounds"]);
}

#[test]
fn killed_archives_of_postgresql_are_continued() {
    let folder = TempDir::new().unwrap();
    let (out, key) = (folder.path().join("old.paigow"), key_file(folder.path()));
    let database = Database::new();
    let store = &database.address;
    play(store);
    let before = audit(store);
    database.run(
        "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS \
         $$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$",
    );
    let asleep = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
    // While rounds are sealed, and at each step of the transaction that records the complete file.
    for (table, statement, has_file) in [
        ("blocks", "INSERT", false),
        ("archives", "INSERT", true),
        ("blocks", "UPDATE", true),
        ("checkpoints", "INSERT", true),
        ("house_log", "INSERT", true),
    ] {
        database.run(&format!(
            "CREATE TRIGGER stop BEFORE {statement} ON {table} FOR EACH STATEMENT EXECUTE FUNCTION wait()"
        ));
        kill_when(start(store, &out, &key), || database.count(&format!("SELECT count(*) {asleep}")) > 0);
        // The statement of a killed process goes on until it ends.
        database.count(&format!("SELECT count(pg_terminate_backend(pid)) {asleep}"));
        database.run(&format!("DROP TRIGGER stop ON {table}"));
        assert_eq!(out.exists(), has_file, "{table}");
        assert_complete(store, &before);
    }
    let (_, answer) = finished(start(store, &out, &key));
    assert_eq!((&answer["resumed"], &answer["recorded_before"]), (&Value::from(true), &Value::from(false)));
    assert_archived(store, &out, &before, &key);
    let (_, again) = finished(start(store, &out, &key));
    assert_eq!((&again["recorded_before"], &again["digest"]), (&Value::from(true), &answer["digest"]));
}

#[test]
fn killed_archives_of_sqlite_are_continued() {
    let folder = TempDir::new().unwrap();
    let (out, key) = (folder.path().join("old.paigow"), key_file(folder.path()));
    let file = folder.path().join("paigow.db");
    let store = file.to_str().unwrap();
    play(store);
    let before = audit(store);
    // In the transaction that records the complete file.
    let stop = "CREATE TRIGGER stop BEFORE INSERT ON checkpoints BEGIN SELECT count(*) FROM \
        (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999999999) SELECT i FROM n); END";
    Connection::open(&file).unwrap().execute_batch(stop).unwrap();
    let complete = Cell::new(None);
    kill_when(start(store, &out, &key), || {
        if out.exists() && complete.get().is_none() {
            complete.set(Some(Instant::now()));
        }
        // The file is audited before the transaction begins.
        complete.get().is_some_and(|since| since.elapsed() > Duration::from_secs(3))
    });
    Connection::open(&file).unwrap().execute_batch("DROP TRIGGER stop").unwrap();
    assert_complete(store, &before);
    // At any moment, while the file is written or after that.
    for wait in (0..).step_by(15).take(16) {
        if wait % 2 == 0 {
            let _ = fs::remove_file(&out);
        }
        let mut child = start(store, &out, &key);
        thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
        if audit(store)["archives"] != 0 {
            break;
        }
        assert_complete(store, &before);
    }
    finished(start(store, &out, &key));
    assert_archived(store, &out, &before, &key);
    assert!(!folder.path().join("old.paigow.partial").exists());
}
