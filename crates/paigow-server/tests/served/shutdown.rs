//! Graceful shutdown: answered commands are stored, clients get a goodbye, and the process ends in time.

use crate::kit::{Browser, LiveClient, Process, RawConnection, SocketEvent, TestServer, clocks};
use paigow_server::Store;
use paigow_table::Actor;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::net::TcpListener;

fn slow() -> Value {
    clocks(60_000, 60_000, 60_000, 60_000)
}

fn wager(number: u64) -> Value {
    json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 + 100 * (number % 7) })
}

/// Wagers repeatedly until the server closes the socket. Returns the ids of the answered commands.
async fn wager_until_goodbye(mut live: LiveClient) -> (Vec<String>, Option<Value>, SocketEvent) {
    let mut answered = Vec::new();
    for number in 0.. {
        let id = live.next_id();
        let message = json!({ "type": "command", "id": id, "command": wager(number) });
        if live.try_send(tokio_tungstenite::tungstenite::Message::text(message.to_string())).await.is_err() {
            break;
        }
        loop {
            match live.next().await {
                SocketEvent::Message(reply) if reply["id"] == id.as_str() => {
                    if reply["type"] == "done" {
                        answered.push(id);
                    }
                    break;
                }
                SocketEvent::Message(reply) if reply["type"] == "goodbye" => {
                    return (answered, Some(reply), live.next().await);
                }
                SocketEvent::Message(_) => {}
                closed => return (answered, None, closed),
            }
        }
        // Below the rate that counts as a flood.
        tokio::time::sleep(Duration::from_millis(45)).await;
    }
    (answered, None, SocketEvent::Broken)
}

/// Wagers repeatedly over HTTP until the connection fails. Returns the ids of the answered commands.
async fn wager_by_http(browser: Browser) -> Vec<String> {
    let mut answered = Vec::new();
    for number in 0.. {
        let id = format!("h{number}");
        let command = json!({ "id": id, "command": wager(number) });
        let request = browser.try_post("/api/tables/t1/commands", &command).await;
        match request {
            Some(response) if response.status == 200 => answered.push(id),
            Some(response) => assert!(matches!(response.status, 409 | 503), "{response:?}"),
            None => break,
        }
    }
    answered
}

#[tokio::test(flavor = "multi_thread")]
async fn answered_commands_are_stored_and_clients_get_a_goodbye() {
    let mut server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &slow()).await;
    let mut players = server.seat_guests("t1", 5).await;
    let (by_http, _) = players.remove(0);
    let http = tokio::spawn(wager_by_http(by_http.clone()));
    let mut watchers = Vec::new();
    for _ in 0..8 {
        watchers.push(LiveClient::open(&server.browser(), "t1").await);
    }
    let tasks: Vec<_> =
        players.into_iter().map(|(player, live)| (player, tokio::spawn(wager_until_goodbye(live)))).collect();
    tokio::time::sleep(Duration::from_millis(600)).await;
    server.process.request_stop();
    let took = server.process.wait_for_exit().await;
    println!("ended after {took:?}");
    assert!(took < Duration::from_secs(4), "{took:?}");
    let store = server.open_store().await;
    let expected_goodbye = json!({ "type": "goodbye", "code": "restarting", "retry_ms": 500 });
    let expected_close = SocketEvent::Closed(Some((1001, "restarting".to_owned())));
    for (player, task) in tasks {
        let (answered, goodbye, closed) = task.await.unwrap();
        assert!(!answered.is_empty());
        assert_eq!((goodbye.as_ref(), &closed), (Some(&expected_goodbye), &expected_close));
        assert_stored(&store, &player, &answered).await;
    }
    let answered = http.await.unwrap();
    assert!(!answered.is_empty());
    assert_stored(&store, &by_http, &answered).await;
    for mut watcher in watchers {
        assert_eq!(watcher.until_closed().await, (Some(expected_goodbye.clone()), expected_close.clone()));
    }
}

async fn assert_stored(store: &impl Store, player: &Browser, answered: &[String]) {
    let by = Actor::Player(player.player.parse().unwrap());
    for id in answered {
        let stored = store.stored_command(&by, &id.parse().unwrap()).await.unwrap();
        assert!(stored.is_some(), "{id} was answered, but is not stored");
    }
}

/// Incomplete requests do not delay the shutdown beyond its timeout.
#[tokio::test(flavor = "multi_thread")]
async fn incomplete_requests_do_not_block_shutdown() {
    let mut server = TestServer::new(&[("drain_seconds", "2")]).await;
    let address = server.process.address;
    let half_a_body = format!(
        "POST /api/session HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{{"
    );
    let idle = format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\n\r\n");
    let mut connections = Vec::new();
    for text in ["", "GET /healthz HTT", "GET / HTTP/1.1\r\nHost: x", half_a_body.as_str(), idle.as_str()] {
        connections.push(RawConnection::open(address, text).await);
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    server.process.request_stop();
    let took = server.process.wait_for_exit().await;
    println!("ended after {took:?}");
    assert!(took < Duration::from_secs(4), "{took:?}");
    drop(connections);
}

#[tokio::test(flavor = "multi_thread")]
async fn shutdown_without_clients_is_immediate() {
    let mut server = TestServer::new(&[]).await;
    server.process.request_stop();
    let took = server.process.wait_for_exit().await;
    assert!(took < Duration::from_secs(2), "{took:?}");
}

/// The operator secret is generated once. A failed start has not used it up.
#[tokio::test(flavor = "multi_thread")]
async fn failed_start_does_not_use_up_the_operator_secret() {
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = TestServer::new(&[]).await;
    let folder = tempfile::TempDir::new().unwrap();
    let store = folder.path().join("new.db").display().to_string();
    let mut settings = server.settings();
    settings.store = store_location(&store);
    let mut elsewhere = settings.clone();
    elsewhere.listen = taken.local_addr().unwrap();
    let Err(error) = Process::start(elsewhere).await else {
        panic!("the server listens on an address in use")
    };
    assert!(error.contains("cannot listen on"), "{error}");
    let process = Process::start(settings).await.unwrap();
    assert!(process.secret_file.is_some(), "the secret was created but is in no file");
    process.stop().await;
}

fn store_location(path: &str) -> paigow_server::settings::StoreLocation {
    let flags = vec![("store".to_owned(), path.to_owned())];
    let sources = paigow_server::settings::SettingSources { flags, ..Default::default() };
    paigow_server::Settings::read(&sources).unwrap().store
}
