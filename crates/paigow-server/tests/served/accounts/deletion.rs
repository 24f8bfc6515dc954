//! Download of a player's data, and deletion of the player.

use super::{PASSWORD, SESSION, after_a_round, assert_clean, patch, register, sign_in};
use crate::cluster::Cluster;
use crate::kit::{TestServer, clocks};
use paigow_server::{People, Store};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn data_has_everything_but_secrets() {
    let server = TestServer::new(&[]).await;
    let (ann, _live) = after_a_round(&server).await;
    let codes = register(&ann, "Marina").await;
    patch(&ann, "/api/account/limits", &json!({ "loss": { "cents": 5_000_000, "days": 7 }, "minutes": 600 }))
        .await;
    let response = ann.get("/api/account/data").await;
    assert_eq!(response.header("content-disposition"), Some("attachment; filename=\"paigow-data.json\""));
    let data = response.json();
    assert_eq!((&data["player"], &data["name"]), (&json!(ann.player), &json!("Marina")));
    assert_eq!(data["account"]["limits"]["loss"]["cents"], 5_000_000);
    assert_eq!(data["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(data["rounds"].as_array().unwrap().len(), 1);
    let journal = ann.get("/api/session/journal").await.json()["transfers"].clone();
    assert!(journal.as_array().unwrap().len() >= 2);
    assert_eq!(data["journal"]["PRACTICE"], journal);
    let text = response.text();
    assert!(
        !text.contains("argon2")
            && !text.contains(&codes[0])
            && !text.contains(&ann.cookie(SESSION).unwrap())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn deletion_keeps_the_books_in_order() {
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &clocks(60_000, 60_000, 60_000, 60_000)).await;
    let (ann, mut live) = server.seat_guests("t1", 1).await.remove(0);
    register(&ann, "Marina").await;
    patch(
        &ann,
        "/api/account/limits",
        &json!({ "loss": { "cents": 5_000_000, "days": 7 }, "minutes": null }),
    )
    .await;
    live.until_phase("wagers").await;
    live.wager(1_000).await;
    live.until_phase("settings").await;
    live.expect_done(json!({ "do": "house_way" })).await;
    live.until_phase("between").await;
    let delete = |name: &str| {
        let (ann, body) = (ann.clone(), json!({ "name": name }));
        async move { ann.post("/api/account/deletion", &body).await }
    };
    assert_eq!(delete("Someone").await.problem(), (422, "wrong_name".to_owned()));
    assert_eq!(delete("Marina").await.problem(), (409, "seated".to_owned()));
    live.expect_done(json!({ "do": "stand" })).await;
    let deleted = delete("Marina").await;
    assert_eq!(deleted.status, 204, "{deleted:?}");
    assert!(ann.cookie(SESSION).is_none());
    assert_eq!(sign_in(&server.browser(), "Marina", PASSWORD).await.status, 401);
    let people = server.browser().get("/api/tables/t1/people").await.text();
    assert!(!people.contains("Marina"), "{people}");
    // The name is free again, and the journal has the id and balances to zero.
    register(&server.guest("Other").await, "Marina").await;
    let store = server.open_store().await;
    let balances = store.trial_balance().await.unwrap();
    assert_eq!(balances.values().sum::<i64>(), 0);
    let mut own = balances.iter().filter(|(account, _)| account.owner.to_string().contains(&ann.player));
    assert!(own.all(|(_, cents)| *cents == 0), "{balances:?}");
    let journal = store.journal(None, 0, 500).await.unwrap();
    let is_own = |owner: &paigow_table::Owner| owner.to_string().contains(&ann.player);
    assert!(
        journal.iter().filter(|row| is_own(&row.transfer.debit.owner)).count() >= 2,
        "a wager and the redemption"
    );
    assert_clean(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_with_an_account_do_not_expire() {
    let server = TestServer::new(&[]).await;
    let (ann, bob) = (server.guest("Ann").await, server.guest("Bob").await);
    register(&ann, "Marina").await;
    let store = server.open_store().await;
    let later = paigow_table::Time(u64::MAX / 4);
    let guests = store.guests_after(None, 10, later, &"PRACTICE".parse().unwrap()).await.unwrap();
    let idle: Vec<&str> = guests.iter().filter(|(_, idle)| *idle).map(|(guest, _)| guest.as_str()).collect();
    assert_eq!(idle, [bob.player.as_str()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_of_a_postgresql_store_are_deleted_cleanly() {
    let cluster = Cluster::start();
    let server = TestServer::in_database(&cluster, &[]).await;
    let (ann, bob) = (server.guest("Ann").await, server.guest("Bob").await);
    let codes = register(&ann, "Marina").await;
    let taken = bob.post("/api/account", &json!({ "name": "rnarina", "password": PASSWORD })).await;
    assert_eq!(taken.problem(), (409, "name_taken".to_owned()));
    let elsewhere = server.browser();
    assert_eq!(sign_in(&elsewhere, "Marina", PASSWORD).await.status, 200);
    let code = json!({ "name": "Marina", "code": codes[0] });
    assert_eq!(server.browser().post("/api/sign-in/recovery", &code).await.status, 200);
    patch(&ann, "/api/account/limits", &json!({ "loss": null, "minutes": 30 })).await;
    assert_eq!(ann.post("/api/account/deletion", &json!({ "name": "Marina" })).await.status, 204);
    assert_eq!(elsewhere.get("/api/session").await.status, 401);
    register(&bob, "rnarina").await;
    assert_clean(&server).await;
}
