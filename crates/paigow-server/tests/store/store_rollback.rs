//! A store that returns to an earlier state under running hosts: a restored backup, or a failover to a stale replica.

use crate::kit::cluster::Cluster;
use crate::kit::{Game, TempStore, TestEnvironment, host, name, operator, player, wager};
use paigow::rulebook::BuiltIn;
use paigow_server::{Host, Postgres, RulesCache, Store, audit};
use paigow_table::{Command, TableId, Viewer};
use std::path::Path;
use std::sync::atomic::Ordering;
use tokio_postgres::NoTls;

/// Restores a file from a copy.
fn restore(file: &Path, copy: &Path) {
    let copy = rusqlite::Connection::open(copy).unwrap();
    let mut file = rusqlite::Connection::open(file).unwrap();
    let backup = rusqlite::backup::Backup::new(&copy, &mut file).unwrap();
    backup.run_to_completion(1_000, std::time::Duration::ZERO, None).unwrap();
}

/// Asserts that a host has the same table as a host that loads it now.
async fn assert_matches_store<S: Store + Clone>(host: &Host<S, TestEnvironment>, store: &S) {
    let table: TableId = name("t1");
    let ((table_in_memory, seq), (stored_table, stored_seq)) =
        (host.table(&table).await.unwrap(), crate::kit::host(store.clone(), 9).table(&table).await.unwrap());
    assert_eq!(
        (seq, table_in_memory.view(&Viewer::Auditor)),
        (stored_seq, stored_table.view(&Viewer::Auditor))
    );
    assert_eq!(audit(store, RulesCache::new(BuiltIn)).await.unwrap().findings, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn host_continues_from_a_restored_backup() {
    let folder = TempStore::new();
    let (first_host, second_host) = (host(folder.store.clone(), 1), host(folder.store.clone(), 2));
    let game = Game::open(&first_host, "t1", "ez", 3).await;
    let copy = folder.folder.path().join("copy.db");
    folder.store.backup(&copy).await.unwrap();
    let (_, earlier) = first_host.table(&name("t1")).await.unwrap();

    // The host is ahead of the store.
    for player in &game.players {
        game.expect_done(player, wager(2_500)).await;
    }
    restore(&folder.file(), &copy);
    let done = game.expect_done("t1-p1", wager(1_000)).await;
    assert_eq!(done.after, earlier, "decided on the stored state");
    assert_matches_store(&first_host, &folder.store).await;

    // The store has the same number of events, but different ones.
    restore(&folder.file(), &copy);
    let id = name("elsewhere");
    second_host.command(&name("t1"), &player("t1-p2"), &id, &wager(2_000)).await.unwrap();
    let (before, seq) = first_host.table(&name("t1")).await.unwrap();
    assert_eq!(seq, earlier + 1);
    assert_eq!(before.open_holds().map(|(_, cents)| cents).collect::<Vec<_>>(), [2_000]);
    assert_matches_store(&first_host, &folder.store).await;

    // A command refused on the stale state is retried on the stored state and succeeds.
    game.expect_done("t1-p3", Command::Stand).await;
    restore(&folder.file(), &copy);
    game.expect_done("t1-p3", wager(1_500)).await;
    game.play_round().await;
    assert_matches_store(&first_host, &folder.store).await;
    assert_matches_store(&second_host, &folder.store).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lost_table_is_unloaded_and_can_be_opened_again() {
    let folder = TempStore::new();
    let host = host(folder.store.clone(), 1);
    let copy = folder.folder.path().join("copy.db");
    folder.store.backup(&copy).await.unwrap();
    let game = Game::open(&host, "t1", "ez", 2).await;
    restore(&folder.file(), &copy);
    let gone = game.send("t1-p1", Command::Stand).await.unwrap_err();
    assert_eq!(gone.code(), "no_such_table");
    host.open(&operator(), &name("again"), crate::kit::config("t1", "california")).await.unwrap();
    game.expect_done("t1-p1", Command::Sit { seat: 2 }).await;
    assert_matches_store(&host, &folder.store).await;
}

/// PostgreSQL cannot be restored under open connections, so the test deletes rows.
#[tokio::test(flavor = "multi_thread")]
async fn host_continues_after_postgresql_lost_rows() {
    let cluster = Cluster::start();
    let address = cluster.database().await;
    let store = Postgres::open(&address).await.unwrap();
    let first_host = host(store.clone(), 1);
    let game = Game::open(&first_host, "t1", "ez", 2).await;
    let (_, earlier) = first_host.table(&name("t1")).await.unwrap();
    game.expect_done("t1-p1", Command::SitOut).await;
    let (client, connection) = tokio_postgres::connect(&address, NoTls).await.unwrap();
    tokio::spawn(connection);
    let delete = format!(
        "DELETE FROM events WHERE table_id = 't1' AND seq > {earlier}; \
         DELETE FROM commands WHERE table_id = 't1' AND body LIKE '%sit_out%'"
    );
    client.batch_execute(&delete).await.unwrap();
    let done = game.expect_done("t1-p2", Command::SitOut).await;
    assert_eq!(done.after, earlier);
    assert_matches_store(&first_host, &store).await;
}

/// The id of a tick is derived from the event it follows. A tick retried on an earlier event must not reuse a later id.
#[tokio::test(flavor = "multi_thread")]
async fn deadlines_fire_after_a_store_rollback() {
    let folder = TempStore::new();
    let first_host = host(folder.store.clone(), 1);
    let game = Game::open(&first_host, "t1", "ez", 1).await;
    let (table, earlier) = first_host.table(&game.table).await.unwrap();
    let copy = folder.folder.path().join("copy.db");
    folder.store.backup(&copy).await.unwrap();
    game.expect_done("t1-p1", wager(2_500)).await;
    restore(&folder.file(), &copy);
    first_host.environment().now.fetch_max(table.due().unwrap().0, Ordering::Relaxed);
    assert_eq!(first_host.tick(&game.table).await.unwrap().unwrap().after, earlier);
    // The next deadline follows the event that the host had before the restore.
    let (table, seq) = first_host.table(&game.table).await.unwrap();
    assert_eq!(seq, earlier + 1);
    first_host.environment().now.fetch_max(table.due().unwrap().0, Ordering::Relaxed);
    assert_eq!(first_host.tick(&game.table).await.unwrap().unwrap().after, seq);
    assert_matches_store(&first_host, &folder.store).await;
}
