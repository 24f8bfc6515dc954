//! A store that goes back to an earlier state under a running server: a backup is restored, or a replica that was behind takes over.

use crate::cluster::Cluster;
use crate::kit::{Browser, House, Live, Said, clocks, until};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// Restores a file from a copy while others have it open.
fn restore(file: &Path, copy: &Path) {
    let copy = rusqlite::Connection::open(copy).unwrap();
    let mut file = rusqlite::Connection::open(file).unwrap();
    let backup = rusqlite::backup::Backup::new(&copy, &mut file).unwrap();
    backup.run_to_completion(1_000, Duration::ZERO, None).unwrap();
}

/// The value of a metric.
async fn metric(browser: &Browser, name: &str) -> u64 {
    let text = browser.get("/metrics").await.text();
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name} ")).map(str::to_owned));
    line.unwrap_or_else(|| panic!("no {name} in {text}")).parse().unwrap()
}

/// Reads on until the server explains that the store went back, and until the snapshot that follows.
async fn until_explained(live: &mut Live) -> Value {
    loop {
        match live.next().await {
            Said::Message(message) if message["type"] == "store_went_back" => {
                let Said::Message(snapshot) = live.next().await else { panic!("no snapshot") };
                assert_eq!(snapshot["type"], "snapshot");
                assert_eq!(snapshot["seq"], message["seq"]);
                return message;
            }
            Said::Message(message) => {
                assert_ne!(message["type"], "snapshot", "a snapshot without an explanation");
            }
            other => panic!("{other:?}"),
        }
    }
}

const SLOW: (u64, u64, u64, u64) = (600_000, 600_000, 600_000, 600_000);

fn slow() -> Value {
    clocks(SLOW.0, SLOW.1, SLOW.2, SLOW.3)
}

/// Nothing touches the tables after the restore: the poll finds it out.
#[tokio::test(flavor = "multi_thread")]
async fn viewers_of_tables_that_are_not_touched_are_told_and_play_on() {
    let house = House::new(&[]).await;
    for table in ["green", "red"] {
        house.table(table, "ez", &slow()).await;
    }
    let mut green = house.seated("green", 1).await;
    let mut red = house.seated("red", 1).await;
    let copy = house.file().with_extension("copy");
    let paigow_server::AnyStore::Sqlite(store) = house.open_store().await else { panic!("a file") };
    store.backup(&copy).await.unwrap();
    let earlier = green[0].1.seq;
    green[0].1.wager(2_500).await;
    red[0].1.wager(1_000).await;
    // Another opens a table that will not have been, and another guest comes who will not have come.
    house.table("late", "ez", &slow()).await;
    let late = house.guest("Late").await;
    let mut late_live = Live::open(&late, "late").await;
    let had = green[0].1.seq;
    // The ends of the journal are read every two seconds.
    tokio::time::sleep(Duration::from_millis(2_500)).await;

    restore(&house.file(), &copy);
    let told = until_explained(&mut green[0].1).await;
    assert_eq!((told["had"].as_u64(), told["seq"].as_u64()), (Some(had), Some(earlier)));
    until_explained(&mut red[0].1).await;
    let (goodbye, _) = late_live.until_closed().await;
    assert_eq!(goodbye.unwrap()["code"], "no_such_table");
    assert_eq!(house.browser().get("/api/tables/late").await.status, 404);
    assert_eq!(late.get("/api/session").await.status, 401, "the session is gone with the store");
    assert!(metric(&house.browser(), "paigow_store_went_back_tables_total").await >= 3);
    until("the journal", async || metric(&house.browser(), "paigow_store_went_back_lists_total").await >= 1)
        .await;
    assert_eq!(house.browser().get("/readyz").await.status, 200, "it is resolved");

    // Play goes on from what is stored, with the chips that are stored.
    for (guest, live) in green.iter_mut().chain(&mut red) {
        assert_eq!(guest.cents().await, 100_000);
        live.wager(1_500).await;
        assert_eq!(guest.cents().await, 98_500);
    }
    // The guest who is gone begins again.
    let again = house.guest("Late").await;
    assert_eq!(again.cents().await, 100_000);
}

/// A client that was away while the store went back is told when it comes back.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_comes_back_with_a_history_that_is_no_more_is_told() {
    let house = House::new(&[]).await;
    house.table("green", "ez", &slow()).await;
    let mut seated = house.seated("green", 2).await;
    let copy = house.file().with_extension("copy");
    let paigow_server::AnyStore::Sqlite(store) = house.open_store().await else { panic!("a file") };
    store.backup(&copy).await.unwrap();
    seated[0].1.done(json!({ "do": "wager", "wager": "pai-gow", "cents": 2_500 })).await;
    let (ann, live) = seated.swap_remove(0);
    let last: Value = serde_json::from_str(
        live.frames.iter().rev().find(|frame| frame.contains("\"type\":\"event\"")).unwrap(),
    )
    .unwrap();
    let (seq, hash) = (last["seq"].as_u64().unwrap(), last["hash"].as_str().unwrap().to_owned());
    drop(live);
    restore(&house.file(), &copy);
    // As many events as before, and others.
    for cents in [1_000, 2_000] {
        seated[0].1.done(json!({ "do": "wager", "wager": "pai-gow", "cents": cents })).await;
    }
    let mut live = Live::resume(&ann, "green", seq, &hash).await;
    let told = until_explained(&mut live).await;
    assert_eq!(told["had"].as_u64(), Some(seq));
    // With a history that is the table's nothing is explained.
    let before = live;
    let mut live = Live::resume(&ann, "green", before.seq, &before.hash()).await;
    live.view = before.view;
    seated[0].1.done(json!({ "do": "wager", "wager": "pai-gow", "cents": 3_000 })).await;
    live.until("the next event", |live| !live.events.is_empty()).await;
    assert!(live.frames.iter().all(|frame| !frame.contains("store_went_back")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_is_damaged_when_the_store_went_back_is_closed_and_the_others_go_on() {
    let house = House::new(&[]).await;
    house.table("green", "ez", &slow()).await;
    let mut seated = house.seated("green", 1).await;
    seated[0].1.wager(2_500).await;
    let other = rusqlite::Connection::open(house.file()).unwrap();
    let cut = "DELETE FROM events WHERE table_id = 'green' AND seq > 2; \
        UPDATE events SET json = '{}' WHERE table_id = 'green' AND seq = 1";
    other.execute_batch(cut).unwrap();
    until("the table is named, and the process serves the others", async || {
        let answer = house.browser().get("/readyz").await;
        answer.status == 200 && answer.json()["damaged_tables"] == json!(["green"])
    })
    .await;
    let log = house.browser().get("/metrics").await.text();
    assert!(log.contains("paigow_store_went_back_tables_total 1"), "{log}");
    let ann = &seated[0].0;
    let mut live = Live::open(ann, "ez").await;
    live.done(json!({ "do": "sit", "seat": 1 })).await;
}

/// As after a failover to a replica that was behind: rows of all kinds are gone.
#[tokio::test(flavor = "multi_thread")]
async fn a_postgresql_that_went_back_is_noticed_by_every_process() {
    let cluster = Cluster::start();
    let house = House::in_database(&cluster, &[]).await;
    let second = house.second().await;
    house.table("green", "ez", &slow()).await;
    let mut seated = house.seated("green", 2).await;
    let elsewhere = seated[1].0.at(second.address);
    let mut watcher = Live::open(&elsewhere, "green").await;
    let earlier = seated[1].1.seq;
    seated[0].1.wager(2_500).await;
    watcher.until_seq(seated[0].1.seq).await;
    let (client, connection) = tokio_postgres::connect(&house.store, tokio_postgres::NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    let back = format!(
        "BEGIN; DELETE FROM events WHERE table_id = 'green' AND seq > {earlier}; \
         DELETE FROM holds WHERE id IN (SELECT id FROM journal WHERE table_id = 'green'); \
         UPDATE accounts SET cents = cents + 2500 WHERE owner = 'player:{}'; \
         UPDATE accounts SET cents = cents - 2500 WHERE owner = 'escrow:green'; \
         DELETE FROM journal WHERE table_id = 'green'; \
         DELETE FROM commands WHERE actor LIKE 'player:%' AND body LIKE '%wagers%'; COMMIT",
        seated[0].0.player
    );
    client.batch_execute(&back).await.unwrap();
    drop((client, connection));
    until_explained(&mut seated[0].1).await;
    until_explained(&mut watcher).await;
    for browser in [house.browser(), second.browser()] {
        assert!(metric(&browser, "paigow_store_went_back_tables_total").await >= 1);
        assert_eq!(browser.get("/readyz").await.status, 200);
    }
    seated[0].1.wager(1_500).await;
    assert_eq!(seated[0].0.cents().await, 98_500);
    second.stop().await;
}
