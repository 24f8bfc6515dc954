//! Tables with a house way of their own: they survive a restart, replay and pass the audit on both stores.

use crate::kit::cluster::Cluster;
use crate::kit::{Game, config, host, name, operator};
use paigow::document::Source;
use paigow::rulebook::BuiltIn;
use paigow::{Evaluator, HouseWay, Rulebook, SevenCards};
use paigow_server::{AnyStore, Environment, EventRow, RulesCache, Store, audit, records};
use paigow_table::{Command, Config, TableEvent, Viewer};
use std::sync::atomic::Ordering;

/// Title of the house way.
const TITLE: &str = "Low hand first";

/// A house way that keeps no pair together. Few hands are set as by the book's house way.
const WAY: &str = r#"
title = "Low hand first"
source = "a test"
ranking = { joker = "semi_wild", wheel = "lowest", assumed = "a test" }

[[clauses]]
when = "any hand"
set = "best"
says = "Best low hand."
assumed = "a test"
"#;
const ROUNDS: u64 = 4;

/// Checks that the dealer set every hand by the table's house way, and some of them differently than by that of the book.
async fn check_dealer(store: &AnyStore) {
    let rows = store.events(&name("own"), 0).await.unwrap();
    let records = records(&name("own"), &rows, &RulesCache::new(BuiltIn)).unwrap();
    let way = HouseWay::parse("own", &Source::new("own", WAY)).unwrap();
    let book = Rulebook::built_in("ez").unwrap();
    let evaluator = Evaluator::of(book.ranking);
    let (mut settled, mut different) = (0, 0);
    for dealer in records.iter().filter_map(|record| record.play.as_ref()?.dealer.as_ref()) {
        let (Some(cards), Some(low)) = (&dealer.cards, &dealer.low) else { continue };
        let hand: SevenCards = cards.parse().unwrap();
        let by = |way: &HouseWay| way.decide(hand, evaluator).setting.low.to_string();
        assert_eq!(*low, by(&way), "{cards}");
        settled += 1;
        different += u64::from(by(&way) != by(&book.house_way));
    }
    assert!(settled >= ROUNDS && different > 0, "{settled} rounds, {different} set differently");
}

async fn played_on(address: &str) {
    let first = host(AnyStore::open(address).await.unwrap(), 1);
    let own = Config { house_way_toml: Some(WAY.to_owned()), ..config("own", "ez") };
    first.open(&operator(), &name("open-own"), own).await.unwrap();
    let game = Game::new(&first, "own", 2);
    for (seat, player) in (1..).zip(&game.players) {
        game.issue(player, 1_000_000).await;
        game.expect_done(player, Command::Sit { seat }).await;
    }
    for _ in 0..ROUNDS / 2 {
        game.play_round().await;
    }
    let (table, seq) = first.table(&name("own")).await.unwrap();
    let digest = table.opening_rules_digest().to_owned();
    let facts = table.facts();
    assert!(facts.own_house_way && facts.changes.is_empty());
    // Only the first event has the text, and no viewer receives it with the event.
    let rows = first.store().events(&name("own"), 0).await.unwrap();
    let with_text = |row: &&EventRow| row.json.contains(TITLE);
    assert_eq!(rows.iter().filter(with_text).map(|row| row.seq).collect::<Vec<_>>(), [1]);
    assert!(rows[0].json.len() < WAY.len() + 700, "{} bytes", rows[0].json.len());
    let event: TableEvent = serde_json::from_str(&rows[0].json).unwrap();
    let seen = serde_json::to_string(&table.seen(&event, &Viewer::Auditor)).unwrap();
    assert!(seen.contains("own_house_way") && !seen.contains(TITLE), "{seen}");
    let now = first.environment().now();
    drop(first);

    let second = host(AnyStore::open(address).await.unwrap(), 2);
    let (table, loaded) = second.table(&name("own")).await.unwrap();
    assert_eq!((loaded, table.opening_rules_digest()), (seq, &digest[..]));
    assert!(!table.rules_have_changed());
    assert_eq!(table.table_rules().digest(), digest);
    second.environment().now.store(now.0, Ordering::Relaxed);
    let game = Game::new(&second, "own", 2);
    // The ids of the commands before the restart are taken.
    (0..100).for_each(|_| drop(game.next_id("taken")));
    for _ in 0..ROUNDS / 2 {
        game.play_round().await;
    }
    check_dealer(second.store()).await;
    assert_eq!(audit(second.store(), RulesCache::new(BuiltIn)).await.unwrap().findings, []);
}

#[tokio::test]
async fn table_survives_a_restart_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    Box::pin(played_on(folder.path().join("paigow.db").to_str().unwrap())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn table_survives_a_restart_on_postgresql() {
    let cluster = Cluster::start();
    Box::pin(played_on(&cluster.database().await)).await;
}
