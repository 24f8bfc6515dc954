//! Accounts of players: registration, sign-ins, sessions, limits, deletion and tables for invited players.

mod deletion;
mod invitations;
mod limits;
mod passkeys;
mod registration;
mod sign_in;
#[path = "../../../src/people/credentials/soft_authenticator.rs"]
#[allow(dead_code)] // the tests of credentials use more of it
mod soft_authenticator;

use crate::kit::{Browser, LiveClient, Response, TestServer, clocks};
use hyper::Method;
use paigow::rulebook::BuiltIn;
use paigow_server::{DocumentKey, DocumentKind, DocumentWrite, Documents, PeopleChange, RulesCache, audit};
use serde_json::{Value, json};

const PASSWORD: &str = "tidal lantern mosaic";
const SESSION: &str = "paigow_session";

async fn patch(browser: &Browser, path: &str, body: &Value) -> Response {
    browser.request(Method::PATCH, path, body.to_string()).await
}

/// Makes a guest an account with the usual password. Returns the recovery codes.
async fn register(browser: &Browser, name: &str) -> Vec<String> {
    let response = browser.post("/api/account", &json!({ "name": name, "password": PASSWORD })).await;
    assert_eq!(response.status, 201, "{response:?}");
    let codes = response.json()["recovery_codes"].clone();
    serde_json::from_value(codes).unwrap()
}

async fn sign_in(browser: &Browser, name: &str, password: &str) -> Response {
    browser.post("/api/sign-in", &json!({ "name": name, "password": password })).await
}

/// Opens the table `t1` with a guest who has played one round, and returns the guest with the socket.
async fn after_a_round(server: &TestServer) -> (Browser, LiveClient) {
    server.open_table("t1", "ez", &clocks(60_000, 60_000, 60_000, 60_000)).await;
    let (ann, mut live) = server.seat_guests("t1", 1).await.remove(0);
    live.until_phase("wagers").await;
    live.wager(1_000).await;
    live.until_phase("settings").await;
    live.expect_done(json!({ "do": "house_way" })).await;
    live.until_phase("between").await;
    (ann, live)
}

/// Asserts that the audit of the store has no finding.
async fn assert_clean(server: &TestServer) {
    let report = audit(&server.open_store().await, RulesCache::new(BuiltIn)).await.unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
}

/// Moves the start of a player's sessions and account into the past.
async fn age_sign_in(server: &TestServer, player: &str) {
    let file = rusqlite::Connection::open(server.file()).unwrap();
    file.busy_timeout(std::time::Duration::from_secs(5)).unwrap();
    let changed =
        file.execute(&format!("UPDATE sessions SET since = since - 3600000 WHERE who LIKE '%{player}%'"), []);
    assert!(changed.unwrap() > 0);
    let store = server.open_store().await;
    let key = DocumentKey { kind: DocumentKind::Account, id: player.to_owned() };
    let document = store.document(&key).await.unwrap().unwrap();
    let mut account: Value = serde_json::from_str(&document.json).unwrap();
    account["since"] = json!(account["since"].as_u64().unwrap() - 3_600_000);
    let write = DocumentWrite { key, expected: document.version, json: Some(account.to_string()) };
    let change = PeopleChange { documents: vec![write], ..PeopleChange::default() };
    assert!(store.change_people(change, paigow_table::Time(1)).await.unwrap());
}
