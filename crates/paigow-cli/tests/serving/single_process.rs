//! One process on SQLite: first and second start, wrong settings, kill and restart, graceful shutdown, backup.

use crate::enrolled::Enrolled;
use crate::guest::{Guest, Socket, get};
use crate::process::{Server, TIMEOUT, audit};
use crate::program::paigow;
use crate::table::{Clocks, house_way, open, wager};
use paigow::rulebook::BuiltIn;
use serde_json::{Value, json};
use std::time::Duration;
use tempfile::TempDir;

/// Creates a folder and returns the path of a store in it that does not exist yet.
fn new_store() -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("paigow.db").to_str().unwrap().to_owned();
    (folder, store)
}

fn tables(server: &Server) -> Vec<String> {
    let (_, lobby) = get(&server.address, "/api/tables", &[]);
    let name =
        |table: &Value| format!("{} {}", table["table"].as_str().unwrap(), table["book"].as_str().unwrap());
    lobby["tables"].as_array().unwrap().iter().map(name).collect()
}

#[test]
fn first_start_creates_tables_and_secret_and_second_start_keeps_them() {
    let folder = TempDir::new().unwrap();
    let start = || {
        let mut command = paigow();
        // The default store is a file in the working directory.
        command.args(["serve", "--listen", "127.0.0.1:0"]).current_dir(folder.path());
        Server::start_command(command)
    };
    let first = start();
    let mut books: Vec<String> = BuiltIn::book_names().map(|book| format!("{book} {book}")).collect();
    books.sort();
    assert_eq!(tables(&first), books);
    assert!(first.startup_output.starts_with(&format!("Serving {} tables at http://", books.len())));
    let file = first.secret_file.clone().unwrap();
    let secret = std::fs::read_to_string(folder.path().join(file)).unwrap().trim().to_owned();
    assert_eq!(secret.len(), 64);
    assert!(!first.startup_output.contains(&secret), "{}", first.startup_output);
    assert!(folder.path().join("paigow.db").exists());
    first.signal("-INT");
    assert!(first.wait_for_exit(TIMEOUT).0.success());

    // The secret is valid until it has enrolled an admin.
    let second = start();
    assert_eq!(second.secret_file, Some("paigow.operator".into()));
    assert_eq!(tables(&second), books);
    let olga = Enrolled::new(&second, "olga", &secret);
    assert_eq!(second.operator_json(&olga, &["tables"])["tables"].as_array().unwrap().len(), books.len());
    second.signal("-INT");
    assert!(second.wait_for_exit(TIMEOUT).0.success());

    let third = start();
    assert_eq!(third.secret_file, None);
    assert_eq!(third.startup_output.lines().count(), 1, "{}", third.startup_output);
    third.operator_json(&olga, &["balance"]);
}

#[test]
fn all_wrong_settings_are_reported_at_once() {
    let (folder, store) = new_store();
    let file = folder.path().join("paigow.toml");
    std::fs::write(&file, "bots = 3\nsokets = 5\n").unwrap();
    let mut command = paigow();
    command
        .args(["serve", "--listen", "nowhere", "--session-hours", "0", "--store", &store, "--config"])
        .arg(&file);
    let refused = command.env("PAIGOW_SOCKETS", "many").output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    let stderr = String::from_utf8(refused.stderr).unwrap();
    for setting in ["--listen", "--session-hours", "PAIGOW_SOCKETS", "bots", "sokets"] {
        assert!(stderr.contains(setting), "{setting} is missing: {stderr}");
    }
    assert_eq!(stderr.lines().count(), 5, "{stderr}");
    assert!(refused.stdout.is_empty() && !std::path::Path::new(&store).exists(), "the server must not start");

    let unknown = paigow().args(["serve", "--sokets", "5"]).output().unwrap();
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("--sokets"));

    let busy = Server::start(&store);
    let taken = paigow().args(["serve", "--store", &store, "--listen", &busy.address]).output().unwrap();
    assert_eq!(taken.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&taken.stderr).contains(&busy.address), "{taken:?}");
}

#[test]
fn password_of_the_store_is_not_printed() {
    for args in [&["serve", "--listen", "127.0.0.1:0"][..], &["audit"], &["operator", "new-secret"]] {
        for address in ["postgres://olga:hidden@127.0.0.1:1/x", "postgres://olga:hidden@host:port/x"] {
            let refused = paigow().args(args).args(["--store", address]).output().unwrap();
            assert_eq!(refused.status.code(), Some(1), "{refused:?}");
            let output =
                [refused.stdout, refused.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
            assert!(!output.is_empty() && !output.contains("hidden"), "{output}");
        }
    }
}

#[test]
fn round_continues_after_kill_and_restart() {
    let (_folder, store) = new_store();
    let server = Server::start(&store);
    open(&server, &server.admin(), "file", Clocks { wagers: 1_000, settings: 8_000 });
    let ann = Guest::new(&server.address, "Ann");
    let mut socket = ann.connect(&server.address, "file");
    socket.command(&ann.next_id(), &json!({ "do": "sit", "seat": 1 }));
    let begun = socket.wait_for_event(0, "wagers_opened");
    let wagered = ann.next_id();
    let done = socket.command(&wagered, &wager(2_500));
    let dealt = socket.wait_for_event(begun, "dealt");
    let cards = socket.events[&dealt]["hands"]["1"].clone();
    let cents = ann.cents(&server.address);
    server.kill();

    let server = Server::start(&store);
    assert_eq!(server.secret_file, None);
    assert_eq!(ann.cents(&server.address), cents);
    let mut socket = ann.connect(&server.address, "file");
    let view = socket.snapshot.clone().unwrap();
    assert_eq!((socket.seq, &view["phase"]), (dealt, &"settings".into()), "no event happened in between");
    assert_eq!(view["seats"][0]["hand"]["cards"], cards);
    assert_eq!(socket.command(&wagered, &wager(2_500)), done, "a repeated command has its first response");
    socket.command(&ann.next_id(), &house_way());
    let settled = socket.wait_for_event(dealt, "settled");
    assert_eq!(socket.events[&settled]["hands"]["1"]["cards"], cards);
    socket.wait_for_event(settled, "wagers_opened");
    assert_eq!(audit(&store)["in_order"], true);
}

#[test]
fn sigterm_sends_goodbye_keeps_acknowledged_commands_and_exits_cleanly() {
    let (_folder, store) = new_store();
    let server = Server::start_with(&store, &["--drain-seconds", "5"]);
    open(&server, &server.admin(), "stopped", Clocks { wagers: 60_000, settings: 60_000 });
    let ann = Guest::new(&server.address, "Ann");
    let mut player = ann.connect(&server.address, "stopped");
    player.command(&ann.next_id(), &json!({ "do": "sit", "seat": 1 }));
    player.wait_for_event(0, "wagers_opened");
    let mut sockets: Vec<Socket> = (0..60).map(|_| Socket::watch(&server.address, "stopped")).collect();
    let ids: Vec<String> = (0..10).map(|_| ann.next_id()).collect();
    for (cents, id) in (1_000..).zip(&ids) {
        player.send(id, &wager(cents));
    }
    player.wait_until("the first response", |socket| socket.answers.contains_key(&ids[0]));
    server.signal("-TERM");
    sockets.push(player);
    for socket in &mut sockets {
        socket.wait_until_closed();
        let goodbye = socket.goodbye.as_ref().expect("a goodbye message");
        assert_eq!((&goodbye["code"], goodbye["retry_ms"].is_u64()), (&"restarting".into(), true));
    }
    let (status, took, log) = server.wait_for_exit(TIMEOUT);
    assert!(status.success(), "{status}: {log:?}");
    assert!(took < Duration::from_secs(5), "the shutdown waited without need: {took:?}");
    assert!(!log.iter().any(|line| line.contains("graceful shutdown timed out")), "{log:?}");

    let player = sockets.pop().unwrap();
    let server = Server::start(&store);
    let mut again = ann.connect(&server.address, "stopped");
    for ((cents, id), number) in (1_000..).zip(&ids).zip(0..) {
        let answer = again.request(id, &wager(cents));
        if let Some(before) = player.answers.get(id) {
            assert_eq!(answer, *before, "wager {number}");
        }
    }
    assert_eq!(audit(&store)["in_order"], true);
}

#[test]
fn backup_of_a_running_server_is_an_independent_store() {
    let (folder, store) = new_store();
    let server = Server::start(&store);
    let ann = Guest::new(&server.address, "Ann");
    let cents = ann.cents(&server.address);
    let copy = folder.path().join("copy.db").to_str().unwrap().to_owned();
    let backup = || paigow().args(["backup", &copy, "--store", &store, "--format", "json"]).output().unwrap();
    let taken = backup();
    assert!(taken.status.success(), "{taken:?}");
    let answer: Value = serde_json::from_slice(&taken.stdout).unwrap();
    assert_eq!(answer["bytes"].as_u64(), Some(std::fs::metadata(&copy).unwrap().len()));
    assert_eq!(answer["version"], env!("CARGO_PKG_VERSION"));
    assert!(answer["commit"].as_str().is_some_and(|commit| !commit.is_empty()), "{answer}");
    let again = backup();
    assert_eq!(again.status.code(), Some(1), "an existing file is not overwritten");
    // A backup does not contain the key. Without it the server does not start, because open rounds could not continue.
    let refused = paigow().args(["serve", "--listen", "127.0.0.1:0", "--store", &copy]).output().unwrap();
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    let stderr = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(stderr.contains("copy.key is missing, and the store was written with a master key"), "{stderr}");
    // With the key it continues from the backup, independent of the first server.
    std::fs::copy(folder.path().join("paigow.key"), folder.path().join("copy.key")).unwrap();
    let restored = Server::start(&copy);
    assert_eq!((restored.secret_file.as_ref(), ann.cents(&restored.address)), (None, cents));
    ann.sit(&restored.address, "ez", 1);
    assert_eq!(tables(&restored), tables(&server));
    assert_eq!(audit(&copy)["in_order"], true);
    assert_eq!(audit(&store)["in_order"], true);
}
