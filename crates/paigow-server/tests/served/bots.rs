//! Practice bots: they play only at tables where a human sits.

use crate::kit::{BOOKS, Browser, LiveClient, TestServer, clocks, until};
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

fn bots_of(live: &LiveClient) -> Vec<Value> {
    let seats = live.view["seats"].as_array().unwrap().iter();
    seats.filter(|seat| seat["player"].as_str().unwrap().starts_with("bot-")).cloned().collect()
}

/// Plays one round with bots at a table of a book, and leaves.
async fn play_with_bots(server: &TestServer, book: &str, banks: bool) {
    let table = format!("t-{book}");
    let rules = json!({ "book": book, "bots": 3, "clocks": clocks(1_500, 8_000, 20_000, 60_000) });
    server.open_table_with(&table, rules).await;
    let human = server.guest("Ann").await;
    let mut live = LiveClient::open(&human, &table).await;
    live.expect_done(json!({ "do": "sit", "seat": 1 })).await;
    live.until("three bots", |live| bots_of(live).len() == 3).await;
    let people = human.get(&format!("/api/tables/{table}/people")).await.json()["people"].clone();
    for bot in bots_of(&live) {
        let person = &people[bot["player"].as_str().unwrap()];
        assert_eq!(person["bot"], true);
        assert!(person["name"].as_str().unwrap().ends_with(" (bot)"), "{person}");
    }
    assert_eq!(people[&human.player], json!({ "name": "Ann", "bot": false }));
    // Seats are offered the bank in turn. The human always passes.
    loop {
        live.until("wagers or an offer", |live| matches!(live.phase(), "wagers" | "offering")).await;
        if live.phase() == "wagers" {
            break;
        }
        if live.view["offered"] == 1 {
            live.command(json!({ "do": "pass_bank" })).await;
        } else {
            live.until("a bank, or an offer to the human", |live| {
                live.phase() != "offering" || live.view["offered"] == 1
            })
            .await;
        }
    }
    live.wager(live.view["facts"]["wagers"][0]["min_cents"].as_u64().unwrap()).await;
    live.until("the deal", |live| matches!(live.phase(), "settings" | "between")).await;
    live.command(json!({ "do": "house_way" })).await;
    live.until("the end of the round", |live| live.phase() == "between").await;
    let bank = live.view["round"]["bank"]["seat"].as_u64();
    assert_eq!(bank.is_some(), banks, "{book}");
    let played: Vec<Value> = bots_of(&live).into_iter().filter(|bot| bot["hand"].is_object()).collect();
    assert!(!played.is_empty());
    for bot in &played {
        assert!(matches!(bot["hand"]["by"].as_str(), Some("player" | "house_way")), "{bot}");
        let banked = bank == bot["seat"].as_u64();
        assert!(banked != bot["wagers"]["pai-gow"]["cents"].is_u64(), "{bot}");
        let (seat, round) = (bot["seat"].to_string(), &live.view["round"]);
        assert!(
            round["commitments"][&seat].is_string(),
            "{book}: bot at seat {seat} did not commit: {round}"
        );
        assert!(round["bytes"][&seat].is_string(), "{book}: bot at seat {seat} did not reveal: {round}");
    }
    assert_eq!(live.view["round"]["silent"], json!([]));
    // Bots leave when no human is seated.
    live.expect_done(json!({ "do": "stand" })).await;
    live.until("an empty table", |live| live.view["seats"] == json!([])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_join_play_and_leave_under_every_book() {
    let server = TestServer::new(&[("bots", "true")]).await;
    join_all(BOOKS.map(|book| play_with_bots(&server, book, book == "california"))).await;
    let metrics = server.browser().get("/metrics").await.text();
    let commands = metrics.lines().find(|line| line.starts_with("paigow_bot_commands_total")).unwrap();
    println!("{commands}");
    let balance = server.operator().get("/api/operator/trial-balance").await.json();
    assert_eq!(balance["sums"], json!({ "PRACTICE": 0 }));
}

#[tokio::test(flavor = "multi_thread")]
async fn new_store_has_a_practice_table_with_bots_for_every_book() {
    let server = TestServer::new(&[("bots", "true")]).await;
    let lobby = server.browser().get("/api/tables").await.json();
    let tables: BTreeMap<&str, &Value> = lobby["tables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|table| (table["table"].as_str().unwrap(), table))
        .collect();
    assert_eq!(tables.keys().copied().collect::<Vec<_>>(), BOOKS);
    for (name, table) in tables {
        assert_eq!((table["book"].as_str(), &table["bots"]), (Some(name), &json!(4)));
        assert_eq!((&table["currency"], &table["taken"]), (&json!("PRACTICE"), &json!({})));
        assert_eq!(table["opened_by_player"], false);
    }
    let ann = server.guest("Ann").await;
    let mut live = LiveClient::open(&ann, "ez").await;
    live.expect_done(json!({ "do": "sit", "seat": 3 })).await;
    live.until("a bot", |live| !bots_of(live).is_empty()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_join_only_tables_that_allow_them() {
    let server = TestServer::new(&[("bots", "true"), ("bots_leave_free", "5")]).await;
    let slow = clocks(60_000, 60_000, 60_000, 60_000);
    let rules = json!({ "book": "ez", "bots": 4, "clocks": slow });
    // Tables with another currency, without bots, without players, and with seats that must stay free.
    let token = json!({ "id": "o1", "table": "token", "currency": "TOKEN", "rules": rules });
    assert_eq!(server.operator().post("/api/operator/tables", &token).await.status, 201);
    server.open_table("none", "ez", &slow).await;
    server.open_table_with("empty", rules.clone()).await;
    server.open_table_with("free", rules).await;
    let ann = server.guest("Ann").await;
    for table in ["token", "none", "free"] {
        assert_eq!(
            ann.command(table, &format!("sit-{table}"), &json!({ "do": "sit", "seat": 1 })).await.status,
            200
        );
    }
    let seats = async |table: &str| {
        server.browser().get(&format!("/api/tables/{table}")).await.json()["view"]["seats"]
            .as_array()
            .unwrap()
            .len()
    };
    // The book has six seats. One bot beside Ann would leave four free, so no bot joins.
    until("a tick", async || {
        let metrics = server.browser().get("/metrics").await.text();
        metrics.contains("paigow_ticks")
    })
    .await;
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    assert_eq!(
        (seats("token").await, seats("none").await, seats("empty").await, seats("free").await),
        (1, 1, 0, 1)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn disabled_bots_do_not_join() {
    let server = TestServer::new(&[]).await;
    let ann = server.guest("Ann").await;
    assert_eq!(ann.command("ez", "s", &json!({ "do": "sit", "seat": 1 })).await.status, 200);
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    let view = ann.get("/api/tables/ez").await.json()["view"].clone();
    assert_eq!(view["seats"].as_array().unwrap().len(), 1);
}

/// Two processes run bots at the same tables: each bot's command takes effect once.
#[tokio::test(flavor = "multi_thread")]
async fn bots_of_two_processes_act_once() {
    let server = TestServer::new(&[("bots", "true")]).await;
    let mut second = server.another_process().await;
    let rules = json!({ "book": "ez", "bots": 2, "clocks": clocks(1_000, 8_000, 20_000, 200) });
    server.open_table_with("t1", rules).await;
    let ann: Browser = server.guest("Ann").await;
    let mut live = LiveClient::open(&ann, "t1").await;
    // Makes the other process run bots at the table as well.
    let mut other = LiveClient::open(&ann.at(second.address), "t1").await;
    live.expect_done(json!({ "do": "sit", "seat": 1 })).await;
    for round in 1..=2 {
        live.until("a round", |live| live.round() >= round && live.phase() == "wagers").await;
        live.until("bots", |live| bots_of(live).len() == 2).await;
        let stake = json!({ "wager": "pai-gow", "cents": 1_000 });
        live.command(json!({ "do": "wagers", "wagers": [stake], "ready": true })).await;
        live.until("the deal", |live| live.phase() == "settings" || live.round() > round).await;
        live.command(json!({ "do": "house_way" })).await;
    }
    live.until("two rounds", |live| live.round() >= 3).await;
    let mut sat = BTreeSet::new();
    let mut set = BTreeSet::new();
    let mut round = 0;
    for (_, event) in &live.events {
        match event["event"].as_str().unwrap() {
            "round_opened" => round = event["round"].as_u64().unwrap(),
            "sat" => assert!(sat.insert(event["player"].to_string()), "{event} twice"),
            "hand_set" => assert!(set.insert((round, event["seat"].as_u64())), "{event} twice"),
            _ => {}
        }
    }
    assert_eq!(sat.len(), 3);
    other.until("the same rounds", |live| live.round() >= 3).await;
    second.request_stop();
    second.wait_for_exit().await;
}
