//! Complete rounds over `WebSockets` under every book: payments match the settlement, and the deal matches the
//! commitment.

use crate::cluster::Cluster;
use crate::kit::{BOOKS, Browser, LiveClient, TestServer, clocks, until};
use futures_util::future::join_all;
use paigow::rulebook::BuiltIn;
use paigow::{Deal, Seat, SevenCards};
use paigow_server::{RulesCache, Store, records};
use paigow_table::{Commitment, Contributions, FairDeal, Receipt, SeatBytes, Secret, TableId};
use paigow_testkit::{hand, rulebook, table_rules};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Three players: one sets the hand, one uses the house way, and one lets the deadline fire.
const SEATS: u8 = 3;

fn seven(live: &LiveClient) -> SevenCards {
    hand(live.own_seat()["hand"]["cards"].as_str().unwrap())
}

/// Returns a valid low hand.
fn low_hand(book: &str, live: &LiveClient) -> String {
    table_rules(book, &[], &[]).house_way_setting(seven(live)).low.to_string()
}

/// Returns every wager of a table, each at its minimum.
fn every_wager(live: &LiveClient) -> Value {
    let wagers = live.view["facts"]["wagers"].as_array().unwrap().iter().map(|wager| {
        let color = if wager["color"] == true { json!("red") } else { Value::Null };
        json!({ "wager": wager["wager"], "cents": wager["min_cents"], "color": color })
    });
    wagers.collect()
}

/// Plays a round and returns its settlement event.
pub(crate) async fn play(book: &str, players: &mut [(Browser, LiveClient)]) -> Value {
    let base = players[0].1.view["facts"]["wagers"][0]["min_cents"].as_u64().unwrap();
    let banking = players[0].1.view["facts"]["banking"].clone();
    let mut banker = None;
    if banking["offered"] == true {
        let live = &mut players[0].1;
        live.until_phase("offering").await;
        let seat = live.view["offered"].as_u64().unwrap() as usize;
        banker = Some(seat);
        players[seat - 1].1.expect_done(json!({ "do": "take_bank", "cents": 10 * base })).await;
    }
    for (_, live) in players.iter_mut() {
        live.until_phase("wagers").await;
    }
    if banking["seats"] == true && banker.is_none() {
        banker = Some(2);
        players[1].1.expect_done(json!({ "do": "take_bank", "cents": 10 * base })).await;
    }
    // The third player commits to bytes, also as the banker, and reveals them.
    let bytes = SeatBytes::new(vec![0x17; 32]).unwrap();
    let (table, round): (TableId, u64) = {
        let view = &players[2].1.view;
        (view["table"].as_str().unwrap().parse().unwrap(), view["round"]["round"].as_u64().unwrap())
    };
    let commitment = bytes.commitment(&table, round, 3);
    players[2].1.expect_done(json!({ "do": "commit", "commitment": commitment })).await;
    for seat in 1..=players.len() {
        let live = &mut players[seat - 1].1;
        if banker != Some(seat) {
            let wagers = every_wager(live);
            live.expect_done(json!({ "do": "wagers", "wagers": wagers, "ready": true })).await;
        }
    }
    players[2].1.until_phase("revealing").await;
    players[2].1.expect_done(json!({ "do": "reveal", "bytes": bytes })).await;
    for (_, live) in players.iter_mut() {
        live.until_phase("settings").await;
    }
    let low = low_hand(book, &players[0].1);
    players[0].1.expect_done(json!({ "do": "set", "front": low })).await;
    players[1].1.expect_done(json!({ "do": "house_way" })).await;
    let mut settled = Value::Null;
    for (_, live) in players.iter_mut() {
        live.until_phase("between").await;
        settled = live.events.iter().find(|(_, event)| event["event"] == "settled").unwrap().1.clone();
    }
    settled
}

/// Derives the hands from the recorded secret and bytes.
fn derive_hands(book: &str, table: &str, rules: &str, play: &Value, seats: &[u8]) -> BTreeMap<u8, String> {
    let secret = Secret::try_from(play["secret"].as_str().unwrap().to_owned()).unwrap();
    let (table, round): (TableId, u64) = (table.parse().unwrap(), play["round"].as_u64().unwrap());
    let commitment: Commitment = serde_json::from_value(play["commitment"].clone()).unwrap();
    let revealed: BTreeMap<u8, SeatBytes> = serde_json::from_value(play["bytes"].clone()).unwrap();
    let commitments: BTreeMap<u8, Commitment> = serde_json::from_value(play["commitments"].clone()).unwrap();
    assert_eq!(revealed.len(), 1);
    assert!(commitments.keys().eq(revealed.keys()));
    let committed = Contributions::Committed { rules, commitments: &commitments, revealed: &revealed };
    let fair = FairDeal { secret, table: &table, round, seats: committed };
    assert_eq!(fair.commitment(), commitment);
    let book = rulebook(book, &[]);
    let dice = fair.dice(book.seats.players + u8::from(book.seats.dealer_hand));
    assert_eq!(play["dice"], dice);
    let plays = std::array::from_fn(|index| seats.contains(&(index as u8 + 1)));
    let banker = play["bank"]["seat"].as_u64().and_then(|seat| Seat::new(seat as u8));
    let deal = Deal::new(&book, &fair.shuffle(), dice, None, plays, banker).unwrap();
    assert_eq!(play["dealer"]["cards"].as_str().map(str::to_owned), deal.dealer.map(|hand| hand.to_string()));
    let hands = (1..).zip(deal.hands).filter_map(|(seat, hand)| Some((seat, hand?.to_string())));
    hands.collect()
}

/// Returns the sum of a player's journal.
async fn journal_sum(player: &Browser) -> i64 {
    let journal = player.get("/api/session/journal?limit=500").await.json();
    let me = format!("player:{}", player.player);
    let signed = |transfer: &Value| {
        let cents = transfer["cents"].as_i64().unwrap();
        cents * (i64::from(transfer["to"] == me.as_str()) - i64::from(transfer["from"] == me.as_str()))
    };
    journal["transfers"].as_array().unwrap().iter().map(signed).sum()
}

async fn check_round(server: &TestServer, book: &str) {
    let table = format!("t-{book}");
    server.open_table(&table, book, &clocks(20_000, 20_000, 1_500, 60_000)).await;
    let mut players = server.seat_guests(&table, SEATS).await;
    let mut watcher = LiveClient::open(&server.browser(), &table).await;
    let mut before = Vec::new();
    for (player, _) in &players {
        before.push(player.cents().await);
    }
    let settled = play(book, &mut players).await;
    watcher.until_phase("between").await;
    // Every balance changes by the announced net.
    let nets = &settled["net_cents"];
    for (index, (player, live)) in players.iter().enumerate() {
        let net = nets[(index + 1).to_string()].as_i64().unwrap();
        assert_eq!(player.cents().await, before[index] + net, "{book} seat {}", index + 1);
        assert_eq!(journal_sum(player).await, before[index] + net);
        assert_eq!(live.view["round"]["net_cents"], *nets);
        assert_eq!((live.snapshots, live.gaps), (1, 0));
        // The view built from events is the server's view.
        assert_eq!(player.get(&format!("/api/tables/{table}")).await.json()["view"], live.view);
    }
    let by: Vec<&Value> =
        players[0].1.view["seats"].as_array().unwrap().iter().map(|seat| &seat["hand"]["by"]).collect();
    assert_eq!(by, ["player", "house_way", "clock"]);
    // The public record has the same lines.
    let shown = server.browser().get(&format!("/api/tables/{table}/rounds/1")).await.json();
    let record = &shown["record"];
    assert_eq!((&record["outcome"], &record["lines"]), (&json!("settled"), &settled["settlement"]));
    assert_eq!(
        server.browser().get(&format!("/api/tables/{table}/rounds")).await.json()["rounds"][0],
        *record
    );
    for (player, _) in &players {
        assert_eq!(player.get("/api/session/rounds").await.json()["rounds"], json!([record]));
    }
    // The cards match the commitment made while wagers were open.
    let committed = players[0].1.events.iter().chain(&watcher.events);
    let committed = committed.filter(|(_, event)| event["event"] == "round_opened");
    let committed: Vec<&Value> = committed.filter_map(|(_, event)| event.get("commitment")).collect();
    assert!(committed.iter().all(|commitment| **commitment == record["play"]["commitment"]));
    let seats: Vec<u8> = (1..=SEATS).collect();
    let rules = players[0].1.view["facts"]["rules"].as_str().unwrap();
    let hands = derive_hands(book, &table, rules, &record["play"], &seats);
    // The round's receipt is valid and has the same hands.
    let receipt = server.browser().get(&format!("/api/tables/{table}/rounds/1/receipt")).await.json();
    let receipt: Receipt = serde_json::from_value(receipt).unwrap();
    let (checks, payload) = receipt.check();
    assert!(checks.len() == 10 && checks.iter().all(|check| check.holds == Some(true)), "{checks:?}");
    assert_eq!(payload.unwrap().hands, hands);
    let keys = server.browser().get("/api/keys").await.json();
    assert_eq!(keys["keys"][0]["public_key"], json!(receipt.public_key));
    for seat in record["seats"].as_array().unwrap() {
        assert_eq!(seat["hand"]["cards"], hands[&(seat["seat"].as_u64().unwrap() as u8)]);
    }
    assert_eq!(watcher.view["round"]["secret"], record["play"]["secret"]);
    // The record still names a player who has left.
    let (player, live) = &mut players[0];
    live.expect_done(json!({ "do": "stand" })).await;
    let seated = server.browser().get(&format!("/api/tables/{table}/people")).await.json();
    assert_eq!(seated["people"].get(&player.player), None);
    let shown = server.browser().get(&format!("/api/tables/{table}/rounds/1")).await.json();
    assert_eq!(shown["people"].as_object().unwrap().len(), usize::from(SEATS));
    assert_eq!(shown["people"][&player.player]["name"], player.get("/api/session").await.json()["name"]);
}

/// More rounds than the server keeps in memory: records read from the middle of the log equal those read from its
/// start.
#[tokio::test(flavor = "multi_thread")]
async fn old_rounds_of_a_long_table_are_shown_unchanged() {
    const ROUNDS: u64 = 75;
    let mut server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &clocks(50, 60_000, 60_000, 1)).await;
    let (player, mut live) = server.seat_guests("t1", 1).await.remove(0);
    for round in 1..=ROUNDS {
        live.until("wagers", |live| live.round() == round && live.phase() == "wagers").await;
        live.wager(1_000).await;
        live.until_phase("settings").await;
        live.expect_done(json!({ "do": "house_way" })).await;
    }
    live.until("the next round", |live| live.round() == ROUNDS + 1 && live.phase() == "wagers").await;
    let events = server.open_store().await.events(&"t1".parse().unwrap(), 0).await.unwrap();
    let records = records(&"t1".parse().unwrap(), &events, &RulesCache::new(BuiltIn)).unwrap();
    let records: Vec<Value> = records.iter().map(|record| serde_json::to_value(record).unwrap()).collect();
    assert_eq!(records.len() as u64, ROUNDS + 1);
    for restarted in [false, true] {
        if restarted {
            server.restart().await;
        }
        let browser = server.browser();
        for record in &records[..ROUNDS as usize] {
            let round = record["round"].as_u64().unwrap();
            let shown = browser.get(&format!("/api/tables/t1/rounds/{round}")).await.json();
            assert_eq!(shown["record"], *record);
            let seqs: Vec<&Value> =
                shown["events"].as_array().unwrap().iter().map(|event| &event["seq"]).collect();
            assert_eq!((seqs[0], seqs[seqs.len() - 1]), (&record["first_seq"], &record["last_seq"]));
            assert_eq!(shown["start"]["round"]["round"].as_u64(), (round > 1).then(|| round - 1));
        }
        assert_eq!(browser.get("/api/tables/t1/rounds/76").await.code(), "no_such_round");
        let last = |before: usize, count: usize| -> Vec<&Value> {
            records[..before].iter().rev().take(count).collect()
        };
        for (query, expected) in [
            ("", last(75, 10)),
            ("?limit=50", last(75, 50)),
            ("?limit=3&before=76", last(75, 3)),
            ("?limit=3&before=75", last(74, 3)),
            ("?limit=20&before=33", last(32, 20)),
            ("?limit=20&before=5", last(4, 20)),
            ("?before=1", last(0, 0)),
            ("?before=0", last(0, 0)),
        ] {
            let shown = browser.get(&format!("/api/tables/t1/rounds{query}")).await.json();
            assert_eq!(shown["rounds"], json!(expected), "{query}");
        }
        let mine = player.at(server.process.address).get("/api/session/rounds?limit=40").await.json();
        assert_eq!(mine["rounds"], json!(last(75, 40)));
    }
}

async fn check_rounds_of_every_book(server: &TestServer) {
    join_all(BOOKS.map(|book| check_round(server, book))).await;
    let balance = server.operator().get("/api/operator/trial-balance").await.json();
    assert_eq!(balance["sums"], json!({ "PRACTICE": 0 }));
    let escrows = balance["accounts"]["PRACTICE"].as_object().unwrap().iter();
    assert!(escrows.filter(|(owner, _)| owner.starts_with("escrow:")).all(|(_, cents)| *cents == 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn rounds_of_every_book_are_paid_correctly_on_sqlite() {
    check_rounds_of_every_book(&TestServer::new(&[]).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rounds_of_every_book_are_paid_correctly_on_postgresql() {
    let cluster = Cluster::start();
    let mut server = TestServer::in_database(&cluster, &[]).await;
    check_rounds_of_every_book(&server).await;
    server.process.request_stop();
    server.process.wait_for_exit().await;
}

/// Rounds follow automatically, the bank rotates, and each round's secret is revealed.
#[tokio::test(flavor = "multi_thread")]
async fn consecutive_rounds_rotate_the_bank_and_reveal_every_secret() {
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "california", &clocks(10_000, 10_000, 10_000, 5)).await;
    let mut players = server.seat_guests("t1", 2).await;
    let mut bankers = Vec::new();
    let mut committed = BTreeMap::new();
    for round in 1..=6 {
        for (_, live) in &mut players {
            live.until("the next round", |live| live.round() == round && live.phase() == "offering").await;
        }
        let seat = players[0].1.view["offered"].as_u64().unwrap() as usize;
        bankers.push(seat);
        committed.insert(round, players[0].1.view["round"]["commitment"].clone());
        players[seat - 1].1.expect_done(json!({ "do": "take_bank", "cents": 5_000 })).await;
        let other = &mut players[2 - seat].1;
        other.until_phase("wagers").await;
        other.wager(1_000).await;
        for (_, live) in &mut players {
            live.until_phase("settings").await;
            live.expect_done(json!({ "do": "house_way" })).await;
        }
    }
    // A player banks at most two rounds in a row (CA-7).
    assert_eq!(bankers, [1, 1, 2, 2, 1, 1]);
    server.operator_command("t1", "pause", json!({ "do": "pause" })).await;
    until("the end of the last round", async || {
        server.browser().get("/api/tables/t1/rounds").await.json()["rounds"].as_array().unwrap().len() >= 6
    })
    .await;
    let rounds = server.browser().get("/api/tables/t1/rounds?limit=50").await.json();
    let rules = players[0].1.view["facts"]["rules"].as_str().unwrap();
    for record in rounds["rounds"].as_array().unwrap() {
        let (round, play) = (record["round"].as_u64().unwrap(), &record["play"]);
        let secret = Secret::try_from(play["secret"].as_str().unwrap().to_owned()).unwrap();
        let commitment = String::from(secret.commitment_to_rules(&"t1".parse().unwrap(), round, rules));
        assert_eq!(play["commitment"], commitment);
        if let Some(committed) = committed.get(&round) {
            assert_eq!(*committed, commitment);
        }
    }
}
