//! A store that goes back to an earlier state while hosts run: a backup is restored, or a replica that was behind takes over.

use crate::kit::cluster::Cluster;
use crate::kit::{Folder, Play, Stage, host, name, operator, player, wager};
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
async fn has_what_is_stored<S: Store + Clone>(host: &Host<S, Stage>, store: &S) {
    let table: TableId = name("t1");
    let ((one, seq), (other, stored)) =
        (host.table(&table).await.unwrap(), crate::kit::host(store.clone(), 9).table(&table).await.unwrap());
    assert_eq!((seq, one.view(&Viewer::Auditor)), (stored, other.view(&Viewer::Auditor)));
    assert_eq!(audit(store, RulesCache::new(BuiltIn)).await.unwrap().findings, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_goes_on_from_a_backup_that_was_restored_under_it() {
    let folder = Folder::new();
    let (one, other) = (host(folder.store.clone(), 1), host(folder.store.clone(), 2));
    let play = Play::open(&one, "t1", "ez", 3).await;
    let copy = folder.folder.path().join("copy.db");
    folder.store.backup(&copy).await.unwrap();
    let (_, earlier) = one.table(&name("t1")).await.unwrap();

    // The host is ahead of the store.
    for player in &play.players {
        play.done(player, wager(2_500)).await;
    }
    restore(&folder.file(), &copy);
    let done = play.done("t1-p1", wager(1_000)).await;
    assert_eq!(done.after, earlier, "decided on the stored state");
    has_what_is_stored(&one, &folder.store).await;

    // The store has as many events, and they are others.
    restore(&folder.file(), &copy);
    let id = name("elsewhere");
    other.command(&name("t1"), &player("t1-p2"), &id, &wager(2_000)).await.unwrap();
    let (before, seq) = one.table(&name("t1")).await.unwrap();
    assert_eq!(seq, earlier + 1);
    assert_eq!(before.open_holds().map(|(_, cents)| cents).collect::<Vec<_>>(), [2_000]);
    has_what_is_stored(&one, &folder.store).await;

    // A command refused on the stale state is decided again and done.
    play.done("t1-p3", Command::Stand).await;
    restore(&folder.file(), &copy);
    play.done("t1-p3", wager(1_500)).await;
    play.round().await;
    has_what_is_stored(&one, &folder.store).await;
    has_what_is_stored(&other, &folder.store).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_is_not_there_any_more_is_forgotten_and_opened_again() {
    let folder = Folder::new();
    let host = host(folder.store.clone(), 1);
    let copy = folder.folder.path().join("copy.db");
    folder.store.backup(&copy).await.unwrap();
    let play = Play::open(&host, "t1", "ez", 2).await;
    restore(&folder.file(), &copy);
    let gone = play.give("t1-p1", Command::Stand).await.unwrap_err();
    assert_eq!(gone.code(), "no_such_table");
    host.open(&operator(), &name("again"), crate::kit::config("t1", "california")).await.unwrap();
    play.done("t1-p1", Command::Sit { seat: 2 }).await;
    has_what_is_stored(&host, &folder.store).await;
}

/// PostgreSQL cannot be set back under its connections; rows can.
#[tokio::test(flavor = "multi_thread")]
async fn a_host_goes_on_where_rows_of_postgresql_are_gone() {
    let cluster = Cluster::start();
    let address = cluster.database().await;
    let store = Postgres::open(&address).await.unwrap();
    let one = host(store.clone(), 1);
    let play = Play::open(&one, "t1", "ez", 2).await;
    let (_, earlier) = one.table(&name("t1")).await.unwrap();
    play.done("t1-p1", Command::SitOut).await;
    let (client, connection) = tokio_postgres::connect(&address, NoTls).await.unwrap();
    tokio::spawn(connection);
    let delete = format!(
        "DELETE FROM events WHERE table_id = 't1' AND seq > {earlier}; \
         DELETE FROM commands WHERE table_id = 't1' AND body LIKE '%sit_out%'"
    );
    client.batch_execute(&delete).await.unwrap();
    let done = play.done("t1-p2", Command::SitOut).await;
    assert_eq!(done.after, earlier);
    has_what_is_stored(&one, &store).await;
}

/// A tick is named after the event it follows. A tick decided again on an earlier event must not take the name of a later one.
#[tokio::test(flavor = "multi_thread")]
async fn deadlines_are_fired_after_the_store_went_back() {
    let folder = Folder::new();
    let one = host(folder.store.clone(), 1);
    let play = Play::open(&one, "t1", "ez", 1).await;
    let (table, earlier) = one.table(&play.table).await.unwrap();
    let copy = folder.folder.path().join("copy.db");
    folder.store.backup(&copy).await.unwrap();
    play.done("t1-p1", wager(2_500)).await;
    restore(&folder.file(), &copy);
    one.world().now.fetch_max(table.due().unwrap().0, Ordering::Relaxed);
    assert_eq!(one.tick(&play.table).await.unwrap().unwrap().after, earlier);
    // The next deadline is that of the event the host had when it was ahead.
    let (table, seq) = one.table(&play.table).await.unwrap();
    assert_eq!(seq, earlier + 1);
    one.world().now.fetch_max(table.due().unwrap().0, Ordering::Relaxed);
    assert_eq!(one.tick(&play.table).await.unwrap().unwrap().after, seq);
    has_what_is_stored(&one, &folder.store).await;
}
