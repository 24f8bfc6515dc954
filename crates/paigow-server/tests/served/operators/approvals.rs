//! Approvals: chips above a limit and voids of settled rounds.

use super::acts;
use crate::kit::{Browser, TestServer, clocks, until};
use paigow_server::{DocumentKind, Documents, Store};
use serde_json::{Value, json};
use std::time::Duration;

/// Requests chips above the limit and returns the path of the approval.
async fn request(operator: &Browser, id: &str, player: &str) -> String {
    let chips = json!({ "id": id, "player": player, "cents": 200_000 });
    let response = operator.post("/api/operator/chips", &chips).await;
    assert_eq!(response.status, 202, "{response:?}");
    let approval = response.json()["approval"].clone();
    assert_eq!((&approval["state"], &approval["what"]), (&json!("waiting"), &json!("chips")));
    format!("/api/operator/approvals/{}", approval["id"].as_str().unwrap())
}

fn sql(server: &TestServer, statement: &str) {
    let file = rusqlite::Connection::open(server.file()).unwrap();
    file.busy_timeout(Duration::from_secs(5)).unwrap();
    assert!(file.execute(statement, []).unwrap() > 0, "{statement}");
}

#[tokio::test(flavor = "multi_thread")]
async fn chips_above_the_limit_need_a_second_operator() {
    let server = TestServer::new(&[]).await;
    let ann = server.guest("Ann").await;
    let carl = server.add_operator("carl", "cashier").await.browser;
    let dora = server.add_operator("dora", "cashier").await.browser;
    let floor = server.add_operator("fred", "floor").await.browser;
    let path = request(&carl, "big", &ann.player).await;
    assert_eq!(request(&carl, "big", &ann.player).await, path, "a retry has the same approval");
    let other = json!({ "id": "big", "player": ann.player, "cents": 300_000 });
    assert_eq!(carl.post("/api/operator/chips", &other).await.code(), "command_reused");
    assert_eq!(ann.cents().await, 100_000);
    let approve = json!({ "approve": true });
    assert_eq!(carl.post(&path, &approve).await.problem(), (403, "own_request".to_owned()));
    assert_eq!(floor.post(&path, &approve).await.problem(), (403, "not_allowed".to_owned()));
    let approved = dora.post(&path, &approve).await.json();
    assert_eq!((&approved["state"], &approved["outcome"]), (&json!("approved"), &json!("done")));
    assert_eq!((&approved["by"], &approved["decided_by"]), (&json!("carl"), &json!("dora")));
    assert_eq!(ann.cents().await, 300_000);
    assert_eq!(dora.post(&path, &approve).await.problem(), (409, "not_waiting".to_owned()));
    let same = json!({ "id": "big", "player": ann.player, "cents": 200_000 });
    let retried = carl.post("/api/operator/chips", &same).await;
    assert_eq!(retried.status, 200, "a retry of an executed command returns its result");
    assert_eq!(ann.cents().await, 300_000);
    let declined = request(&carl, "no", &ann.player).await;
    assert_eq!(dora.post(&declined, &json!({ "approve": false })).await.json()["state"], "declined");
    assert_eq!(dora.post(&declined, &approve).await.problem(), (409, "not_waiting".to_owned()));
    let journal = server.operator().get("/api/operator/journal?purpose=issue").await.json();
    let last = journal["transfers"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&last["by"], &last["cents"]), (&json!("operator carl"), &json!(200_000)));
    let acts = acts(&server).await;
    let entry =
        |name: &str, what: &str, outcome: &str| (name.to_owned(), what.to_owned(), outcome.to_owned());
    for expected in [
        entry("carl", "chips", "waiting"),
        entry("carl", "approval.approve", "own_request"),
        entry("fred", "approval.approve", "not_allowed"),
        entry("dora", "approval.approve", "done"),
        entry("dora", "approval.decline", "done"),
        entry("dora", "approval.approve", "not_waiting"),
    ] {
        assert!(acts.contains(&expected), "{expected:?} in {acts:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn approvals_expire_and_survive_a_crash_between_approval_and_execution() {
    let server = TestServer::new(&[]).await;
    let ann = server.guest("Ann").await;
    let carl = server.add_operator("carl", "cashier").await.browser;
    let dora = server.operator();
    let approve = json!({ "approve": true });
    let expired = request(&carl, "old", &ann.player).await;
    sql(&server, "UPDATE documents SET json = json_set(json, '$.until', 1) WHERE kind = 'approval'");
    assert_eq!(dora.post(&expired, &approve).await.problem(), (409, "not_waiting".to_owned()));
    let list = dora.get("/api/operator/approvals").await.json();
    assert_eq!(list["approvals"][0]["state"], "expired");
    // The state that a crash after the approval was stored leaves behind. It neither expires nor can be declined.
    let crashed = request(&carl, "crashed", &ann.player).await;
    sql(
        &server,
        "UPDATE documents SET json = json_set(json, '$.decision', 'approving', '$.until', 1) WHERE json LIKE '%crashed%'",
    );
    assert_eq!(dora.post(&crashed, &json!({ "approve": false })).await.code(), "not_waiting");
    assert_eq!(dora.post(&crashed, &approve).await.json()["state"], "approved");
    assert_eq!(ann.cents().await, 300_000);
    // A crash after the execution: approving again does not execute it again.
    sql(
        &server,
        "UPDATE documents SET json = json_set(json, '$.decision', 'approving') WHERE json LIKE '%crashed%'",
    );
    assert_eq!(dora.post(&crashed, &approve).await.json()["state"], "approved");
    assert_eq!(ann.cents().await, 300_000);
    // A refused act can be approved again later.
    let chips = json!({ "id": "back", "player": ann.player, "cents": 400_000, "redeem": true });
    let waiting = carl.post("/api/operator/chips", &chips).await.json();
    let path = format!("/api/operator/approvals/{}", waiting["approval"]["id"].as_str().unwrap());
    assert_eq!(dora.post(&path, &approve).await.problem(), (409, "insufficient_funds".to_owned()));
    let list = dora.get("/api/operator/approvals").await.json();
    let back = list["approvals"].as_array().unwrap().iter().find(|entry| entry["detail"]["id"] == "back");
    assert_eq!(
        (&back.unwrap()["state"], &back.unwrap()["outcome"]),
        (&json!("waiting"), &json!("insufficient_funds"))
    );
    let more = json!({ "id": "more", "player": ann.player, "cents": 100_000 });
    assert_eq!(
        carl.post("/api/operator/chips", &more).await.status,
        200,
        "the limit itself needs no approval"
    );
    assert_eq!(dora.post(&path, &approve).await.json()["state"], "approved");
    assert_eq!(ann.cents().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn approved_void_applies_to_the_requested_round_only() {
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &clocks(50, 60_000, 60_000, 1_500)).await;
    let (_, mut live) = server.seat_guests("t1", 1).await.remove(0);
    live.wager(1_000).await;
    live.until_phase("settings").await;
    live.expect_done(json!({ "do": "house_way" })).await;
    live.until_phase("between").await;
    let void = json!({ "do": "void", "reason": "exposed_card" });
    let response = server.operator_command("t1", "v", void.clone()).await;
    assert_eq!(response.status, 202, "{response:?}");
    let approval: Value = response.json()["approval"].clone();
    assert_eq!((&approval["what"], &approval["detail"]["round"]), (&json!("void"), &json!(1)));
    let fred = server.add_operator("fred", "floor").await.browser;
    live.until("another round", |live| live.round() == 2 && live.phase() == "wagers").await;
    live.wager(2_000).await;
    live.until_phase("settings").await;
    let path = format!("/api/operator/approvals/{}", approval["id"].as_str().unwrap());
    let response = fred.post(&path, &json!({ "approve": true })).await;
    assert_eq!(response.problem(), (409, "round_gone".to_owned()));
    assert_eq!((live.round(), live.phase()), (2, "settings"), "the running round goes on");
    // The running round needs no approval.
    let response =
        fred.post("/api/operator/tables/t1/commands", &json!({ "id": "w", "command": void })).await;
    assert_eq!(response.status, 200, "{response:?}");
}

/// Documents that have ended are deleted after a month, and others stay.
#[tokio::test(flavor = "multi_thread")]
async fn ended_documents_are_deleted_after_a_month() {
    let mut server = TestServer::new(&[]).await;
    let ann = server.guest("Ann").await;
    let carl = server.add_operator("carl", "cashier").await.browser;
    for id in ["old", "new", "late"] {
        request(&carl, id, &ann.player).await;
    }
    let mut invitations = Vec::new();
    for table in ["shut", "recent", "open"] {
        server.open_table_with(table, json!({ "book": "ez", "seats": "invited" })).await;
        let path = format!("/api/operator/tables/{table}/invitations");
        let made = server.operator().post(&path, &json!({ "hours": 1 })).await.json();
        invitations.push(made["id"].as_str().unwrap().to_owned());
    }
    for table in ["shut", "recent"] {
        assert_eq!(
            server.operator_command(table, &format!("close-{table}"), json!({ "do": "close" })).await.status,
            200
        );
    }
    let month = 31 * 24 * 3_600_000_u64;
    let age = |field: &str| format!("json_set(json, '$.{field}', json_extract(json, '$.{field}') - {month})");
    sql(&server, &format!("UPDATE documents SET json = {} WHERE json LIKE '%\"old\"%'", age("until")));
    sql(&server, &format!("UPDATE documents SET json = {} WHERE id = '{}'", age("until"), invitations[0]));
    sql(&server, &format!("UPDATE events SET at = at - {month} WHERE table_id = 'shut'"));
    server.restart().await;
    let store = server.open_store().await;
    let ids = async |kind: DocumentKind| -> Vec<String> {
        let found = store.documents(kind, None, 100).await.unwrap();
        found.into_iter().map(|document| document.key.id).collect()
    };
    until("the documents are deleted", async || ids(DocumentKind::TableAccess).await == ["open", "recent"])
        .await;
    assert_eq!(ids(DocumentKind::Invitation).await.len(), 2);
    let listed = server.operator().get("/api/operator/approvals").await.json();
    let left: Vec<&Value> =
        listed["approvals"].as_array().unwrap().iter().map(|one| &one["detail"]["id"]).collect();
    assert_eq!(left, ["late", "new"], "the newest first");
    let log = store.walk(crate::operators::Deletions::default()).await.unwrap();
    assert_eq!(log.0, 3, "each deletion has an entry of the house log");
}
