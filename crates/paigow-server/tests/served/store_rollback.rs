//! A store that returns to an earlier state under a running server: a restored backup, or a failover to a stale
//! replica.

use crate::cluster::Cluster;
use crate::kit::{Browser, LiveClient, SocketEvent, TestServer, clocks, until};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// Restores a file from a copy while other connections have it open.
pub(crate) fn restore(file: &Path, copy: &Path) {
    let copy = rusqlite::Connection::open(copy).unwrap();
    let mut file = rusqlite::Connection::open(file).unwrap();
    let backup = rusqlite::backup::Backup::new(&copy, &mut file).unwrap();
    backup.run_to_completion(1_000, Duration::ZERO, None).unwrap();
}

/// Returns the value of a metric.
async fn metric(browser: &Browser, name: &str) -> u64 {
    let text = browser.get("/metrics").await.text();
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name} ")).map(str::to_owned));
    line.unwrap_or_else(|| panic!("no {name} in {text}")).parse().unwrap()
}

/// Reads messages until `store_went_back` and the snapshot that follows. Returns the former.
async fn until_store_went_back(live: &mut LiveClient) -> Value {
    loop {
        match live.next().await {
            SocketEvent::Message(message) if message["type"] == "store_went_back" => {
                let SocketEvent::Message(snapshot) = live.next().await else { panic!("no snapshot") };
                assert_eq!(snapshot["type"], "snapshot");
                assert_eq!(snapshot["seq"], message["seq"]);
                return message;
            }
            SocketEvent::Message(message) => {
                assert_ne!(message["type"], "snapshot", "a snapshot without `store_went_back`");
            }
            other => panic!("{other:?}"),
        }
    }
}

const SLOW: (u64, u64, u64, u64) = (600_000, 600_000, 600_000, 600_000);

fn slow() -> Value {
    clocks(SLOW.0, SLOW.1, SLOW.2, SLOW.3)
}

/// No command reaches the tables after the restore: the poll detects it.
#[tokio::test(flavor = "multi_thread")]
async fn viewers_of_idle_tables_are_notified_after_a_restore() {
    let server = TestServer::new(&[]).await;
    for table in ["green", "red"] {
        server.open_table(table, "ez", &slow()).await;
    }
    let mut green = server.seat_guests("green", 1).await;
    let mut red = server.seat_guests("red", 1).await;
    let copy = server.file().with_extension("copy");
    let paigow_server::AnyStore::Sqlite(store) = server.open_store().await else {
        panic!("not an SQLite store")
    };
    store.backup(&copy).await.unwrap();
    let earlier = green[0].1.seq;
    green[0].1.wager(2_500).await;
    red[0].1.wager(1_000).await;
    // A table and a guest that the backup does not contain.
    server.open_table("late", "ez", &slow()).await;
    let late = server.guest("Late").await;
    let mut late_live = LiveClient::open(&late, "late").await;
    let last_seq = green[0].1.seq;
    // The server polls the ends of the journal every two seconds.
    tokio::time::sleep(Duration::from_millis(2_500)).await;

    restore(&server.file(), &copy);
    let message = until_store_went_back(&mut green[0].1).await;
    assert_eq!((message["had"].as_u64(), message["seq"].as_u64()), (Some(last_seq), Some(earlier)));
    until_store_went_back(&mut red[0].1).await;
    let (goodbye, _) = late_live.until_closed().await;
    assert_eq!(goodbye.unwrap()["code"], "no_such_table");
    assert_eq!(server.browser().get("/api/tables/late").await.status, 404);
    assert_eq!(late.get("/api/session").await.status, 401, "the backup does not contain the session");
    assert!(metric(&server.browser(), "paigow_store_went_back_tables_total").await >= 3);
    until("the journal", async || metric(&server.browser(), "paigow_store_went_back_lists_total").await >= 1)
        .await;
    assert_eq!(server.browser().get("/readyz").await.status, 200, "the process is ready again");

    // Play continues from the stored state, with the stored balances.
    for (guest, live) in green.iter_mut().chain(&mut red) {
        assert_eq!(guest.cents().await, 100_000);
        live.wager(1_500).await;
        assert_eq!(guest.cents().await, 98_500);
    }
    // The lost guest can start a new session.
    let again = server.guest("Late").await;
    assert_eq!(again.cents().await, 100_000);
}

/// A client that was disconnected during the restore is notified when it resumes.
#[tokio::test(flavor = "multi_thread")]
async fn client_that_resumes_from_a_lost_event_is_notified() {
    let server = TestServer::new(&[]).await;
    server.open_table("green", "ez", &slow()).await;
    let mut seated = server.seat_guests("green", 2).await;
    let copy = server.file().with_extension("copy");
    let paigow_server::AnyStore::Sqlite(store) = server.open_store().await else {
        panic!("not an SQLite store")
    };
    store.backup(&copy).await.unwrap();
    seated[0].1.expect_done(json!({ "do": "wager", "wager": "pai-gow", "cents": 2_500 })).await;
    let (ann, live) = seated.swap_remove(0);
    let last: Value = serde_json::from_str(
        live.frames.iter().rev().find(|frame| frame.contains("\"type\":\"event\"")).unwrap(),
    )
    .unwrap();
    let (seq, hash) = (last["seq"].as_u64().unwrap(), last["hash"].as_str().unwrap().to_owned());
    drop(live);
    restore(&server.file(), &copy);
    // The same number of events as before, but different ones.
    for cents in [1_000, 2_000] {
        seated[0].1.expect_done(json!({ "do": "wager", "wager": "pai-gow", "cents": cents })).await;
    }
    let mut live = LiveClient::resume(&ann, "green", seq, &hash).await;
    let message = until_store_went_back(&mut live).await;
    assert_eq!(message["had"].as_u64(), Some(seq));
    // A client that resumes from a stored event gets no `store_went_back`.
    let before = live;
    let mut live = LiveClient::resume(&ann, "green", before.seq, &before.hash()).await;
    live.view = before.view;
    seated[0].1.expect_done(json!({ "do": "wager", "wager": "pai-gow", "cents": 3_000 })).await;
    live.until("the next event", |live| !live.events.is_empty()).await;
    assert!(live.frames.iter().all(|frame| !frame.contains("store_went_back")));
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_table_after_a_restore_is_closed_to_play() {
    let server = TestServer::new(&[]).await;
    server.open_table("green", "ez", &slow()).await;
    let mut seated = server.seat_guests("green", 1).await;
    seated[0].1.wager(2_500).await;
    let other = rusqlite::Connection::open(server.file()).unwrap();
    let cut = "DELETE FROM events WHERE table_id = 'green' AND seq > 2; \
        UPDATE events SET json = '{}' WHERE table_id = 'green' AND seq = 1";
    other.execute_batch(cut).unwrap();
    until("the damaged table, and a ready process", async || {
        let response = server.browser().get("/readyz").await;
        response.status == 200 && response.json()["damaged_tables"] == json!(["green"])
    })
    .await;
    let log = server.browser().get("/metrics").await.text();
    assert!(log.contains("paigow_store_went_back_tables_total 1"), "{log}");
    let ann = &seated[0].0;
    let mut live = LiveClient::open(ann, "ez").await;
    live.expect_done(json!({ "do": "sit", "seat": 1 })).await;
}

/// Rows of all kinds are missing, as after a failover to a stale replica.
#[tokio::test(flavor = "multi_thread")]
async fn every_process_notices_a_postgresql_rollback() {
    let cluster = Cluster::start();
    let server = TestServer::in_database(&cluster, &[]).await;
    let second = server.another_process().await;
    server.open_table("green", "ez", &slow()).await;
    let mut seated = server.seat_guests("green", 2).await;
    let elsewhere = seated[1].0.at(second.address);
    let mut watcher = LiveClient::open(&elsewhere, "green").await;
    let earlier = seated[1].1.seq;
    seated[0].1.wager(2_500).await;
    watcher.until_seq(seated[0].1.seq).await;
    let (client, connection) = tokio_postgres::connect(&server.store, tokio_postgres::NoTls).await.unwrap();
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
    until_store_went_back(&mut seated[0].1).await;
    until_store_went_back(&mut watcher).await;
    for browser in [server.browser(), second.browser()] {
        assert!(metric(&browser, "paigow_store_went_back_tables_total").await >= 1);
        assert_eq!(browser.get("/readyz").await.status, 200);
    }
    seated[0].1.wager(1_500).await;
    assert_eq!(seated[0].0.cents().await, 98_500);
    second.stop().await;
}
