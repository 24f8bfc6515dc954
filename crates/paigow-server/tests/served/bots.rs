//! Practice bots: they play with whoever comes, and only with them.

use crate::kit::{BOOKS, Browser, House, Live, clocks, until};
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

fn bots_of(live: &Live) -> Vec<Value> {
    let seats = live.view["seats"].as_array().unwrap().iter();
    seats.filter(|seat| seat["player"].as_str().unwrap().starts_with("bot-")).cloned().collect()
}

/// Sits down at a table, sees bots come and play a round, and leaves.
async fn plays_with_bots(house: &House, book: &str, banks: bool) {
    let table = format!("t-{book}");
    let rules = json!({ "book": book, "bots": 3, "clocks": clocks(1_500, 8_000, 20_000, 60_000) });
    house.table_with(&table, rules).await;
    let human = house.guest("Ann").await;
    let mut live = Live::open(&human, &table).await;
    live.done(json!({ "do": "sit", "seat": 1 })).await;
    live.until("three bots", |live| bots_of(live).len() == 3).await;
    let people = human.get(&format!("/api/tables/{table}/people")).await.json()["people"].clone();
    for bot in bots_of(&live) {
        let person = &people[bot["player"].as_str().unwrap()];
        assert_eq!(person["bot"], true);
        assert!(person["name"].as_str().unwrap().ends_with(" (bot)"), "{person}");
    }
    assert_eq!(people[&human.player], json!({ "name": "Ann", "bot": false }));
    // Whoever is first is asked whether they bank; the human never does.
    loop {
        live.until("wagers or an offer", |live| matches!(live.phase(), "wagers" | "offering")).await;
        if live.phase() == "wagers" {
            break;
        }
        if live.view["offered"] == 1 {
            live.command(json!({ "do": "pass_bank" })).await;
        } else {
            live.until("a bank, or our turn", |live| live.phase() != "offering" || live.view["offered"] == 1)
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
    // With nobody to play with they go.
    live.done(json!({ "do": "stand" })).await;
    live.until("nobody is left", |live| live.view["seats"] == json!([])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_come_play_and_leave_at_a_table_of_every_book() {
    let house = House::new(&[("bots", "true")]).await;
    join_all(BOOKS.map(|book| plays_with_bots(&house, book, book == "california"))).await;
    let metrics = house.browser().get("/metrics").await.text();
    let commands = metrics.lines().find(|line| line.starts_with("paigow_bot_commands_total")).unwrap();
    println!("{commands}");
    let balance = house.operator().get("/api/operator/trial-balance").await.json();
    assert_eq!(balance["sums"], json!({ "PRACTICE": 0 }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_store_has_a_practice_table_for_every_book_where_bots_may_sit() {
    let house = House::new(&[("bots", "true")]).await;
    let lobby = house.browser().get("/api/tables").await.json();
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
    let ann = house.guest("Ann").await;
    let mut live = Live::open(&ann, "ez").await;
    live.done(json!({ "do": "sit", "seat": 3 })).await;
    live.until("a bot", |live| !bots_of(live).is_empty()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_leave_alone_what_is_not_for_them() {
    let house = House::new(&[("bots", "true"), ("bots_leave_free", "5")]).await;
    let slow = clocks(60_000, 60_000, 60_000, 60_000);
    let rules = json!({ "book": "ez", "bots": 4, "clocks": slow });
    // Another currency, no bots wanted, nobody there, and seats that stay free.
    let token = json!({ "id": "o1", "table": "token", "currency": "TOKEN", "rules": rules });
    assert_eq!(house.operator().post("/api/operator/tables", &token).await.status, 201);
    house.table("none", "ez", &slow).await;
    house.table_with("empty", rules.clone()).await;
    house.table_with("free", rules).await;
    let ann = house.guest("Ann").await;
    for table in ["token", "none", "free"] {
        assert_eq!(
            ann.command(table, &format!("sit-{table}"), &json!({ "do": "sit", "seat": 1 })).await.status,
            200
        );
    }
    let seats = async |table: &str| {
        house.browser().get(&format!("/api/tables/{table}")).await.json()["view"]["seats"]
            .as_array()
            .unwrap()
            .len()
    };
    // The book has six seats: one bot beside Ann leaves four free, so that not even one comes.
    until("bots look up", async || {
        let metrics = house.browser().get("/metrics").await.text();
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
async fn where_bots_are_off_none_come() {
    let house = House::new(&[]).await;
    let ann = house.guest("Ann").await;
    assert_eq!(ann.command("ez", "s", &json!({ "do": "sit", "seat": 1 })).await.status, 200);
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    let view = ann.get("/api/tables/ez").await.json()["view"].clone();
    assert_eq!(view["seats"].as_array().unwrap().len(), 1);
}

/// Two processes that look at the same tables: what their bots do is done once.
#[tokio::test(flavor = "multi_thread")]
async fn bots_of_two_processes_are_the_same_bots() {
    let house = House::new(&[("bots", "true")]).await;
    let mut second = house.second().await;
    let rules = json!({ "book": "ez", "bots": 2, "clocks": clocks(1_000, 8_000, 20_000, 200) });
    house.table_with("t1", rules).await;
    let ann: Browser = house.guest("Ann").await;
    let mut live = Live::open(&ann, "t1").await;
    // So that the other process plays there too.
    let mut there = Live::open(&ann.at(second.address), "t1").await;
    live.done(json!({ "do": "sit", "seat": 1 })).await;
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
    there.until("the same rounds", |live| live.round() >= 3).await;
    second.ask_to_stop();
    second.ended().await;
}
