//! Limits that players set for themselves.

use super::patch;
use crate::kit::{Browser, LiveClient, TestServer, clocks};
use paigow_server::{DocumentKey, DocumentKind, DocumentWrite, Documents, PeopleChange};
use serde_json::{Value, json};

async fn set(browser: &Browser, loss: Value, minutes: Value) -> Value {
    let response = patch(browser, "/api/account/limits", &json!({ "loss": loss, "minutes": minutes })).await;
    assert_eq!(response.status, 200, "{response:?}");
    response.json()
}

fn wagers(cents: u64) -> Value {
    json!({ "do": "wagers", "wagers": [{ "wager": "pai-gow", "cents": cents }], "ready": false })
}

/// Changes the stored limits of a player, as if time had passed.
async fn edit(server: &TestServer, player: &str, change: impl Fn(&mut Value)) {
    let store = server.open_store().await;
    let key = DocumentKey { kind: DocumentKind::Limits, id: player.to_owned() };
    let document = store.document(&key).await.unwrap().unwrap();
    let mut limits: Value = serde_json::from_str(&document.json).unwrap();
    change(&mut limits);
    let write = DocumentWrite { key, expected: document.version, json: Some(limits.to_string()) };
    let change = PeopleChange { documents: vec![write], ..PeopleChange::default() };
    assert!(store.change_people(change, paigow_table::Time(1)).await.unwrap());
}

async fn seated(server: &TestServer) -> (Browser, LiveClient) {
    server.open_table("t1", "ez", &clocks(600_000, 600_000, 600_000, 600_000)).await;
    let (ann, mut live) = server.seat_guests("t1", 1).await.remove(0);
    live.until_phase("wagers").await;
    (ann, live)
}

#[tokio::test(flavor = "multi_thread")]
async fn loss_limit_bounds_what_is_at_stake() {
    let server = TestServer::new(&[]).await;
    let (ann, mut live) = seated(&server).await;
    set(&ann, json!({ "cents": 3_000, "days": 1 }), Value::Null).await;
    assert_eq!(live.expect_refused(wagers(3_500)).await, "loss_limit");
    let refused = ann.command("t1", "over", &wagers(3_500)).await;
    assert_eq!(refused.problem(), (409, "loss_limit".to_owned()));
    assert!(refused.json()["detail"].as_str().unwrap().contains("30.00"), "{refused:?}");
    live.expect_done(wagers(2_000)).await;
    // A replacement counts only the difference, and taking money back is always allowed.
    live.expect_done(wagers(3_000)).await;
    assert_eq!(live.expect_refused(wagers(3_500)).await, "loss_limit");
    let at_seat = json!({ "do": "wager", "wager": "pai-gow", "cents": 3_500, "seat": 1 });
    assert_eq!(live.expect_refused(at_seat).await, "loss_limit");
    let used = ann.get("/api/account").await.json()["limits"]["used"].clone();
    assert_eq!(used["loss_cents"]["PRACTICE"], 3_000);
    live.expect_done(wagers(500)).await;
    live.expect_done(json!({ "do": "clear" })).await;
    let used = ann.get("/api/account").await.json()["limits"]["used"].clone();
    assert_eq!(used["loss_cents"]["PRACTICE"], 0);
    // A retry of a command that was executed returns its result.
    let id = "first";
    assert_eq!(ann.command("t1", id, &wagers(3_000)).await.status, 200);
    assert_eq!(ann.command("t1", id, &wagers(3_000)).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_process_honours_a_tighter_limit_at_once() {
    let server = TestServer::new(&[]).await;
    let second = server.another_process().await;
    let (ann, mut live) = seated(&server).await;
    live.expect_done(wagers(500)).await;
    set(&ann.at(second.address), json!({ "cents": 1_000, "days": 7 }), Value::Null).await;
    assert_eq!(live.expect_refused(wagers(1_500)).await, "loss_limit");
    live.expect_done(wagers(1_000)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn loosening_takes_a_day() {
    let server = TestServer::new(&[]).await;
    let (ann, mut live) = seated(&server).await;
    set(&ann, json!({ "cents": 1_000, "days": 1 }), json!(60)).await;
    let limits = set(&ann, json!({ "cents": 5_000, "days": 1 }), json!(30)).await;
    assert_eq!((&limits["loss"]["cents"], &limits["minutes"]), (&json!(1_000), &json!(30)));
    assert_eq!(
        (&limits["pending"]["loss"]["cents"], &limits["pending"]["minutes"]),
        (&json!(5_000), &json!(30))
    );
    let from = limits["pending"]["from"].as_u64().unwrap();
    assert_eq!(live.expect_refused(wagers(2_000)).await, "loss_limit");
    // A day later.
    edit(&server, &ann.player, |limits| limits["pending"]["from"] = json!(from - 24 * 3_600_000)).await;
    live.expect_done(wagers(2_000)).await;
    let limits = ann.get("/api/account").await.json()["limits"].clone();
    assert_eq!((&limits["loss"]["cents"], &limits["pending"]), (&json!(5_000), &Value::Null));
    // Lifting both takes a day as well.
    let limits = set(&ann, Value::Null, Value::Null).await;
    assert_eq!((&limits["loss"]["cents"], &limits["minutes"]), (&json!(5_000), &json!(30)));
    assert_eq!((&limits["pending"]["loss"], &limits["pending"]["minutes"]), (&Value::Null, &Value::Null));
}

#[tokio::test(flavor = "multi_thread")]
async fn time_limit_stops_further_wagers() {
    let server = TestServer::new(&[]).await;
    let (ann, mut live) = seated(&server).await;
    set(&ann, Value::Null, json!(1)).await;
    live.expect_done(wagers(1_000)).await;
    // The wager is an hour old. The journal is changed without the server.
    let file = rusqlite::Connection::open(server.file()).unwrap();
    file.busy_timeout(std::time::Duration::from_secs(5)).unwrap();
    assert!(file.execute("UPDATE journal SET at = at - 3600000 WHERE round = 1", []).unwrap() > 0);
    let used = ann.get("/api/account").await.json()["limits"]["used"]["minutes"].as_u64().unwrap();
    assert!((60..=61).contains(&used), "{used}");
    assert_eq!(live.expect_refused(wagers(1_500)).await, "time_limit");
    // Less at stake is allowed.
    live.expect_done(wagers(500)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_limits_are_refused_with_every_fault() {
    let server = TestServer::new(&[]).await;
    let ann = server.guest("Ann").await;
    let bad = json!({ "loss": { "cents": 1, "days": 2 }, "minutes": 2_000 });
    let response = patch(&ann, "/api/account/limits", &bad).await;
    assert_eq!(response.problem(), (422, "bad_limits".to_owned()));
    let problem = response.json();
    let codes: Vec<&str> =
        problem["faults"].as_array().unwrap().iter().map(|fault| fault["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["limit_days", "limit_minutes"]);
    // A missing field is no request to lift a limit.
    let missing = patch(&ann, "/api/account/limits", &json!({ "minutes": 30 })).await;
    assert_eq!(missing.problem(), (422, "bad_body".to_owned()));
}
