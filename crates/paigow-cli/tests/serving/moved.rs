//! `paigow move` as a real process: killed in the middle, continued, and refused where a store is in use or unfinished.

use crate::database::Database;
use crate::process::{Server, TIMEOUT, audit};
use crate::program::paigow;
use rusqlite::Connection;
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Copies the store of a release into a new folder. Returns the folder and the path of the copy.
fn release() -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("paigow.db");
    let fixture =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../paigow-server/tests/fixtures/0.3.0/store.db");
    std::fs::copy(fixture, &path).unwrap();
    let path = path.to_str().unwrap().to_owned();
    // The first program that opens the store migrates it.
    audit(&path);
    (folder, path)
}

fn start_move(from: &str, to: &str) -> Child {
    let mut command = paigow();
    command.args(["move", "--from", from, "--to", to, "--format", "json"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn run_move(from: &str, to: &str) -> Output {
    start_move(from, to).wait_with_output().unwrap()
}

/// Runs a move that must succeed, and returns its answer.
fn complete_move(from: &str, to: &str) -> Value {
    let output = run_move(from, to);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let hint = String::from_utf8_lossy(&output.stderr);
    assert!(hint.contains("start no server on it again"), "{hint}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Asserts that a command fails with this text on standard error.
fn assert_refused(output: &Output, text: &str) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains(text), "{message}");
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// Waits for a condition while a process runs, then kills the process.
fn kill_when(mut child: Child, is_reached: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_reached() {
        let exited = child.try_wait().unwrap();
        assert!(exited.is_none() && start.elapsed() < TIMEOUT, "not reached: {exited:?}");
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

fn rows(answer: &Value) -> Vec<(String, u64)> {
    let tables = answer["tables"].as_array().unwrap().iter();
    tables.map(|table| (table["table"].to_string(), table["rows"].as_u64().unwrap())).collect()
}

/// No process opens the target between the kill and the end of the move.
fn assert_unfinished(from: &str, to: &str) {
    let finish = format!("`paigow move --from {from} --to`");
    assert_refused(&paigow().args(["audit", "--store", to]).output().unwrap(), &finish);
    let serve = ["serve", "--listen", "127.0.0.1:0", "--store", to];
    assert_refused(&paigow().args(serve).output().unwrap(), &finish);
}

#[test]
fn move_to_postgresql_continues_after_kills() {
    let (_folder, from) = release();
    let before = audit(&from);
    let database = Database::new();
    let to = &database.address;
    // Opening an empty database creates its tables.
    audit(to);
    database.run(
        "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS \
         $$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$",
    );
    let asleep = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
    let points = [
        ("tables", "INSERT"),
        ("events", "INSERT"),
        ("journal", "INSERT"),
        ("house_log", "INSERT"),
        ("unfinished_move", "DELETE"),
    ];
    for (table, statement) in points {
        database.run(&format!(
            "CREATE TRIGGER stop BEFORE {statement} ON {table} FOR EACH STATEMENT EXECUTE FUNCTION wait()"
        ));
        kill_when(start_move(&from, to), || database.count(&format!("SELECT count(*) {asleep}")) > 0);
        // The statement of a killed process goes on until it ends.
        database.count(&format!("SELECT count(pg_terminate_backend(pid)) {asleep}"));
        database.run(&format!("DROP TRIGGER stop ON {table}"));
        assert_eq!(database.count("SELECT count(*) FROM unfinished_move"), 1, "{table}");
        assert_eq!(audit(&from), before, "the source changed");
    }
    assert_unfinished(&from, to);
    let answer = complete_move(&from, to);
    assert_eq!(answer["resumed"], true);
    assert!(answer["tables"].as_array().unwrap().iter().all(|table| table["inserted"] == 0), "{answer}");
    assert_eq!(answer["heads"]["tables"], before["heads"]);
    let after = audit(to);
    assert_eq!((&after["heads"], &after["transfers"]), (&before["heads"], &before["transfers"]));
    assert_refused(&run_move(&from, to), "the target is not empty");
}

#[test]
fn move_to_sqlite_continues_after_kills() {
    let (folder, first) = release();
    let database = Database::new();
    let from = &database.address;
    let there = complete_move(&first, from);
    let target = folder.path().join("target.db");
    let to = target.to_str().unwrap();
    drop(paigow_server::Sqlite::open(&target).unwrap());
    let points = [
        ("journal", "INSERT", "commands"),
        ("operator_log", "INSERT", "journal"),
        // All rows are copied: the kill is in the audit of the target, or in the last statement of the move.
        ("unfinished_move", "DELETE", "operator_log"),
    ];
    for (table, statement, earlier) in points {
        let connection = Connection::open(&target).unwrap();
        connection
            .execute_batch(&format!(
                "CREATE TRIGGER stop BEFORE {statement} ON {table} BEGIN SELECT count(*) FROM \
                 (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999999999) SELECT i FROM n); END"
            ))
            .unwrap();
        // The move would refuse a target that the test has open.
        drop(connection);
        let count = || -> rusqlite::Result<i64> {
            let connection = Connection::open(&target)?;
            connection.query_row(&format!("SELECT count(*) FROM {earlier}"), [], |row| row.get(0))
        };
        let child = start_move(from, to);
        kill_when(child, || {
            // Reading at once would meet the check that no other process has the file open.
            thread::sleep(Duration::from_millis(300));
            count().is_ok_and(|count| count > 0)
        });
        Connection::open(&target).unwrap().execute_batch("DROP TRIGGER stop").unwrap();
    }
    assert_unfinished(&database.address, to);
    let back = complete_move(from, to);
    assert_eq!(back["resumed"], true);
    assert_eq!((rows(&back), &back["heads"]), (rows(&there), &there["heads"]));
    assert_eq!(audit(to)["heads"], audit(&first)["heads"]);
}

/// Kills a move after longer and longer delays until one has ended before its kill. Returns the number of kills.
fn move_with_kills(from: &str, to: &str) -> u32 {
    let source = audit(from);
    for kills in 0..200 {
        let mut child = start_move(from, to);
        thread::sleep(Duration::from_millis(30) * kills);
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        // A move that was killed after its last statement is complete, and the next one is refused.
        if output.status.success() || message.contains("the target is not empty") {
            assert_eq!(audit(from), source, "the source changed");
            return kills;
        }
        assert!(output.status.code().is_none(), "the move failed after {kills} kills: {message}");
    }
    panic!("the move did not end");
}

#[test]
fn moves_that_are_killed_at_any_moment_lose_nothing() {
    let (folder, first) = release();
    let database = Database::new();
    let last = folder.path().join("last.db").to_str().unwrap().to_owned();
    let there = move_with_kills(&first, &database.address);
    let back = move_with_kills(&database.address, &last);
    println!("killed {there} times there and {back} times back");
    assert!(there > 3 && back > 3, "{there} {back}");
    let (first, last) = (audit(&first), audit(&last));
    for part in ["heads", "operator_log", "house_log", "transfers", "accounts", "rounds", "events"] {
        assert_eq!(first[part], last[part], "{part}");
    }
}

#[test]
fn store_of_a_running_server_is_not_moved() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (from, to) = (file("from.db"), file("to.db"));
    let database = Database::new();
    let server = Server::start(&from);
    assert_refused(&run_move(&from, &to), "from.db: the store is in use by another process");
    server.kill();
    complete_move(&from, &database.address);
    // The server of the new store has the key of the old one.
    let key = ["--key-file", &file("from.key")];
    let mut command = paigow();
    command.args(["serve", "--listen", "127.0.0.1:0", "--store", &database.address]).args(key);
    command.args(["--operator-secret-file", &file("from.operator")]);
    let server = Server::start_command(command);
    assert_refused(&run_move(&database.address, &to), "the store is in use by another process");
    server.admin();
    server.kill();
    complete_move(&database.address, &to);
    let audited = paigow().args(["audit", "--store", &to]).args(key).output().unwrap();
    assert!(audited.status.success(), "{}", String::from_utf8_lossy(&audited.stderr));
}
