//! One process on a file: first and second start, wrong settings, killed and started again, stopped.

use crate::guest::{Guest, Socket, get};
use crate::process::{SOON, Server, audit};
use crate::program::paigow;
use crate::table::{Clocks, house_way, open, wager};
use paigow::rulebook::BuiltIn;
use serde_json::{Value, json};
use std::time::Duration;
use tempfile::TempDir;

/// A folder, and a store in it that is not there yet.
fn place() -> (TempDir, String) {
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
fn a_first_start_makes_the_tables_and_the_secret_and_a_second_finds_them() {
    let folder = TempDir::new().unwrap();
    let start = || {
        let mut command = paigow();
        // Where nothing is said of the store it is a file in the folder one is in.
        command.args(["serve", "--listen", "127.0.0.1:0"]).current_dir(folder.path());
        Server::start_by(command)
    };
    let first = start();
    let mut books: Vec<String> = BuiltIn::book_names().map(|book| format!("{book} {book}")).collect();
    books.sort();
    assert_eq!(tables(&first), books);
    assert!(first.greeting.starts_with(&format!("Tables for practice money, {} of them", books.len())));
    let secret = first.secret.clone().unwrap();
    assert_eq!(secret.len(), 64);
    assert!(folder.path().join("paigow.db").exists());
    first.signal("-INT");
    assert!(first.ended(SOON).0.success());

    let second = start();
    assert_eq!(second.secret, None);
    assert_eq!(second.greeting.lines().count(), 1, "{}", second.greeting);
    assert_eq!(tables(&second), books);
    assert_eq!(second.ask(&secret, &["tables"])["tables"].as_array().unwrap().len(), books.len());
    let refused = second.operator(&"0".repeat(64), &["balance"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("not the operators' secret"), "{refused:?}");
}

#[test]
fn every_setting_that_is_wrong_is_named_at_once() {
    let (folder, store) = place();
    let file = folder.path().join("paigow.toml");
    std::fs::write(&file, "bots = 3\nsokets = 5\n").unwrap();
    let mut command = paigow();
    command
        .args(["serve", "--listen", "nowhere", "--session-hours", "0", "--store", &store, "--config"])
        .arg(&file);
    let refused = command.env("PAIGOW_SOCKETS", "many").output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    let said = String::from_utf8(refused.stderr).unwrap();
    for what in ["--listen", "--session-hours", "PAIGOW_SOCKETS", "bots", "sokets"] {
        assert!(said.contains(what), "{what} is missing: {said}");
    }
    assert_eq!(said.lines().count(), 5, "{said}");
    assert!(refused.stdout.is_empty() && !std::path::Path::new(&store).exists(), "nothing was begun");

    let unknown = paigow().args(["serve", "--sokets", "5"]).output().unwrap();
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("--sokets"));

    let busy = Server::start(&store);
    let taken = paigow().args(["serve", "--store", &store, "--listen", &busy.address]).output().unwrap();
    assert_eq!(taken.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&taken.stderr).contains(&busy.address), "{taken:?}");
}

#[test]
fn a_password_of_a_store_is_not_shown() {
    for args in [&["serve", "--listen", "127.0.0.1:0"][..], &["audit"], &["operator", "new-secret"]] {
        for address in ["postgres://olga:hidden@127.0.0.1:1/x", "postgres://olga:hidden@host:port/x"] {
            let refused = paigow().args(args).args(["--store", address]).output().unwrap();
            assert_eq!(refused.status.code(), Some(1), "{refused:?}");
            let said = [refused.stdout, refused.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
            assert!(!said.is_empty() && !said.contains("hidden"), "{said}");
        }
    }
}

#[test]
fn killed_in_the_middle_of_a_round_a_file_goes_on_with_it() {
    let (_folder, store) = place();
    let server = Server::start(&store);
    let secret = server.secret.clone().unwrap();
    open(&server, &secret, "file", Clocks { wagers: 1_000, settings: 8_000 });
    let ann = Guest::new(&server.address, "Ann");
    let mut socket = ann.look(&server.address, "file");
    socket.done(&ann.next_id(), &json!({ "do": "sit", "seat": 1 }));
    let begun = socket.event(0, "wagers_opened");
    let wagered = ann.next_id();
    let done = socket.done(&wagered, &wager(2_500));
    let dealt = socket.event(begun, "dealt");
    let cards = socket.events[&dealt]["hands"]["1"].clone();
    let cents = ann.cents(&server.address);
    server.kill();

    let server = Server::start(&store);
    assert_eq!(server.secret, None);
    assert_eq!(ann.cents(&server.address), cents);
    let mut socket = ann.look(&server.address, "file");
    let view = socket.snapshot.clone().unwrap();
    assert_eq!((socket.seq, &view["phase"]), (dealt, &"settings".into()), "nothing has happened meanwhile");
    assert_eq!(view["seats"][0]["hand"]["cards"], cards);
    assert_eq!(socket.done(&wagered, &wager(2_500)), done, "what was acknowledged is known");
    socket.done(&ann.next_id(), &house_way());
    let settled = socket.event(dealt, "settled");
    assert_eq!(socket.events[&settled]["hands"]["1"]["cards"], cards);
    socket.event(settled, "wagers_opened");
    assert_eq!(audit(&store)["in_order"], true);
}

#[test]
fn stopped_it_says_goodbye_keeps_what_was_acknowledged_and_ends_well() {
    let (_folder, store) = place();
    let server = Server::start_with(&store, &["--drain-seconds", "5"]);
    let secret = server.secret.clone().unwrap();
    open(&server, &secret, "stopped", Clocks { wagers: 60_000, settings: 60_000 });
    let ann = Guest::new(&server.address, "Ann");
    let mut plays = ann.look(&server.address, "stopped");
    plays.done(&ann.next_id(), &json!({ "do": "sit", "seat": 1 }));
    plays.event(0, "wagers_opened");
    let mut watch: Vec<Socket> = (0..60).map(|_| Socket::watch(&server.address, "stopped")).collect();
    let ids: Vec<String> = (0..10).map(|_| ann.next_id()).collect();
    for (cents, id) in (1_000..).zip(&ids) {
        plays.tell(id, &wager(cents));
    }
    plays.until("one answer", |socket| socket.answers.contains_key(&ids[0]));
    server.signal("-TERM");
    watch.push(plays);
    for socket in &mut watch {
        socket.until_gone();
        let goodbye = socket.goodbye.as_ref().expect("everybody is told");
        assert_eq!((&goodbye["code"], goodbye["retry_ms"].is_u64()), (&"restarting".into(), true));
    }
    let (status, took, log) = server.ended(SOON);
    assert!(status.success(), "{status}: {log:?}");
    assert!(took < Duration::from_secs(5), "nothing was left to wait for: {took:?}");
    assert!(!log.iter().any(|line| line.contains("cut off")), "{log:?}");

    let plays = watch.pop().unwrap();
    let server = Server::start(&store);
    let mut again = ann.look(&server.address, "stopped");
    for ((cents, id), number) in (1_000..).zip(&ids).zip(0..) {
        let answer = again.ask(id, &wager(cents));
        if let Some(before) = plays.answers.get(id) {
            assert_eq!(answer, *before, "wager {number}");
        }
    }
    assert_eq!(audit(&store)["in_order"], true);
}

#[test]
fn a_copy_taken_while_it_runs_is_a_store_of_its_own() {
    let (folder, store) = place();
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
    assert_eq!(again.status.code(), Some(1), "a copy is not written over");
    // Without the key, which no backup has, it does not start: the open rounds could not go on.
    let refused = paigow().args(["serve", "--listen", "127.0.0.1:0", "--store", &copy]).output().unwrap();
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("copy.key is missing, and the store was written with a master key"), "{said}");
    // With it, it goes on where it was taken, and what happens there does not concern the first.
    std::fs::copy(folder.path().join("paigow.key"), folder.path().join("copy.key")).unwrap();
    let restored = Server::start(&copy);
    assert_eq!((restored.secret.as_ref(), ann.cents(&restored.address)), (None, cents));
    ann.sit(&restored.address, "ez", 1);
    assert_eq!(tables(&restored), tables(&server));
    assert_eq!(audit(&copy)["in_order"], true);
    assert_eq!(audit(&store)["in_order"], true);
}
