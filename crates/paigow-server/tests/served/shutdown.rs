//! The end of a process: what was answered is kept, those who are connected are told, and it ends in time.

use crate::kit::{Browser, House, Live, Process, Raw, Said, clocks};
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

/// Wagers without pause until the server says goodbye; gives the names of the commands that were answered.
async fn wager_on(mut live: Live) -> (Vec<String>, Option<Value>, Said) {
    let mut answered = Vec::new();
    for number in 0.. {
        let id = live.new_name();
        let message = json!({ "type": "command", "id": id, "command": wager(number) });
        if live.try_send(tokio_tungstenite::tungstenite::Message::text(message.to_string())).await.is_err() {
            break;
        }
        loop {
            match live.next().await {
                Said::Message(said) if said["id"] == id.as_str() => {
                    if said["type"] == "done" {
                        answered.push(id);
                    }
                    break;
                }
                Said::Message(said) if said["type"] == "goodbye" => {
                    return (answered, Some(said), live.next().await);
                }
                Said::Message(_) => {}
                closed => return (answered, None, closed),
            }
        }
        // So as not to be taken for a flood.
        tokio::time::sleep(Duration::from_millis(45)).await;
    }
    (answered, None, Said::Broken)
}

/// The same without a socket.
async fn wager_by_http(browser: Browser) -> Vec<String> {
    let mut answered = Vec::new();
    for number in 0.. {
        let id = format!("h{number}");
        let command = json!({ "id": id, "command": wager(number) });
        let request = browser.try_post("/api/tables/t1/commands", &command).await;
        match request {
            Some(answer) if answer.status == 200 => answered.push(id),
            Some(answer) => assert!(matches!(answer.status, 409 | 503), "{answer:?}"),
            None => break,
        }
    }
    answered
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_answered_before_the_end_is_kept_and_everybody_is_told() {
    let mut house = House::new(&[]).await;
    house.table("t1", "ez", &slow()).await;
    let mut players = house.seated("t1", 5).await;
    let (by_http, _) = players.remove(0);
    let http = tokio::spawn(wager_by_http(by_http.clone()));
    let mut watchers = Vec::new();
    for _ in 0..8 {
        watchers.push(Live::open(&house.browser(), "t1").await);
    }
    let tasks: Vec<_> =
        players.into_iter().map(|(player, live)| (player, tokio::spawn(wager_on(live)))).collect();
    tokio::time::sleep(Duration::from_millis(600)).await;
    house.process.ask_to_stop();
    let took = house.process.ended().await;
    println!("ended after {took:?}");
    assert!(took < Duration::from_secs(4), "{took:?}");
    let store = house.open_store().await;
    let told = json!({ "type": "goodbye", "code": "restarting", "retry_ms": 500 });
    let away = Said::Closed(Some((1001, "restarting".to_owned())));
    for (player, task) in tasks {
        let (answered, goodbye, closed) = task.await.unwrap();
        assert!(!answered.is_empty());
        assert_eq!((goodbye.as_ref(), &closed), (Some(&told), &away));
        assert_kept(&store, &player, &answered).await;
    }
    let answered = http.await.unwrap();
    assert!(!answered.is_empty());
    assert_kept(&store, &by_http, &answered).await;
    for mut watcher in watchers {
        assert_eq!(watcher.until_closed().await, (Some(told.clone()), away.clone()));
    }
}

async fn assert_kept(store: &impl Store, player: &Browser, answered: &[String]) {
    let by = Actor::Player(player.player.parse().unwrap());
    for id in answered {
        let kept = store.kept(&by, &id.parse().unwrap()).await.unwrap();
        assert!(kept.is_some(), "{id} was answered and is not kept");
    }
}

/// Whoever is in the middle of saying something does not keep the process from ending.
#[tokio::test(flavor = "multi_thread")]
async fn half_a_request_does_not_hold_up_the_end() {
    let mut house = House::new(&[("drain_seconds", "2")]).await;
    let address = house.process.address;
    let half_a_body = format!(
        "POST /api/session HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{{"
    );
    let idle = format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\n\r\n");
    let mut held = Vec::new();
    for text in ["", "GET /healthz HTT", "GET / HTTP/1.1\r\nHost: x", half_a_body.as_str(), idle.as_str()] {
        held.push(Raw::say(address, text).await);
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    house.process.ask_to_stop();
    let took = house.process.ended().await;
    println!("ended after {took:?}");
    assert!(took < Duration::from_secs(4), "{took:?}");
    drop(held);
}

#[tokio::test(flavor = "multi_thread")]
async fn with_nobody_there_it_ends_at_once() {
    let mut house = House::new(&[]).await;
    house.process.ask_to_stop();
    let took = house.process.ended().await;
    assert!(took < Duration::from_secs(2), "{took:?}");
}

/// The operators' secret is told once; a start that fails has not told it.
#[tokio::test(flavor = "multi_thread")]
async fn a_start_that_fails_does_not_use_up_the_operators_secret() {
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let house = House::new(&[]).await;
    let folder = tempfile::TempDir::new().unwrap();
    let store = folder.path().join("new.db").display().to_string();
    let mut settings = house.settings();
    settings.store = house_store(&store);
    let mut elsewhere = settings.clone();
    elsewhere.listen = taken.local_addr().unwrap();
    let Err(why) = Process::start(elsewhere).await else { panic!("the address is taken") };
    assert!(why.contains("nothing can be heard"), "{why}");
    let process = Process::start(settings).await.unwrap();
    assert!(process.secret.is_some(), "the secret was made and shown to nobody");
    process.stop().await;
}

fn house_store(path: &str) -> paigow_server::settings::StoreLocation {
    let flags = vec![("store".to_owned(), path.to_owned())];
    let given = paigow_server::settings::SettingSources { flags, ..Default::default() };
    paigow_server::Settings::read(&given).unwrap().store
}
