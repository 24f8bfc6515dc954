//! Damaged records: the host closes the damaged table to play and reports it; other tables continue.

use crate::kit::cluster::Cluster;
use crate::kit::{Game, TempStore, TestEnvironment, host, name, player, wager};
use paigow_server::{Host, HostError, Postgres, Sqlite, Store};
use paigow_table::{Command, TableId};
use rusqlite::Connection;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use tempfile::TempDir;
use tokio_postgres::NoTls;

/// Plays settled rounds and an open wager at two tables. Returns a time at which both accept wagers.
async fn play_rounds(store: impl Store) -> u64 {
    let host = host(store, 1);
    let mut now = None;
    for table in ["t1", "t2"] {
        let game = Game::open(&host, table, "ez", 2).await;
        for _ in 0..3 {
            game.play_round().await;
        }
        game.expect_done(&format!("{table}-p1"), wager(5_000)).await;
        now.get_or_insert(host.environment().now.load(Ordering::Relaxed));
    }
    now.unwrap()
}

struct Original {
    folder: TempDir,
    path: PathBuf,
    now: u64,
}

impl Original {
    async fn create() -> Original {
        let TempStore { store, folder } = TempStore::new();
        let now = play_rounds(store.clone()).await;
        drop(store);
        Original { path: folder.path().join("paigow.db"), folder, now }
    }

    fn copy(&self) -> PathBuf {
        let copy = self.folder.path().join("copy.db");
        for path in [copy.clone(), copy.with_extension("db-wal"), copy.with_extension("db-shm")] {
            let _ = fs::remove_file(path);
        }
        fs::copy(&self.path, &copy).unwrap();
        copy
    }
}

fn change(path: &Path, sql: &str) {
    let file = Connection::open(path).unwrap();
    file.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;").unwrap();
    file.execute_batch(sql).unwrap();
}

/// Returns a host whose clock has this time.
fn host_at<S: Store>(now: u64, store: S) -> Host<S, TestEnvironment> {
    let host = host(store, 2);
    host.environment().now.store(now, Ordering::Relaxed);
    host
}

/// Places a wager of the second player in the open round.
async fn place_wager<S: Store>(host: &Host<S, TestEnvironment>, table: &str) -> Result<(), HostError> {
    let by = player(&format!("{table}-p2"));
    host.command(&name(table), &by, &name(&format!("on-{table}")), &wager(2_500)).await.map(drop)
}

/// Asserts that a table refuses players, operators and ticks with `damaged`.
async fn assert_closed_to_play<S: Store>(host: &Host<S, TestEnvironment>, table: &str, why: &str) {
    let error = place_wager(host, table).await.expect_err("a damaged table accepts a wager");
    assert_eq!(error.code(), "damaged", "{error}");
    assert!(error.to_string().contains(why), "{error}");
    let close = host.command(&name(table), &crate::kit::operator(), &name("close"), &Command::Close).await;
    assert_eq!(close.expect_err("a damaged table accepts a close command").code(), "damaged");
    assert_eq!(host.tick(&name(table)).await.unwrap(), None, "a deadline fired at a damaged table");
    let damaged = host.damaged_tables();
    assert_eq!(damaged.iter().map(|damaged| damaged.table.as_str()).collect::<Vec<_>>(), [table]);
    assert!(damaged[0].why.contains(why), "{damaged:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn untouched_tables_continue() {
    let original = Original::create().await;
    let host = host_at(original.now, Sqlite::open_existing(&original.copy()).unwrap());
    for table in ["t1", "t2"] {
        place_wager(&host, table).await.unwrap();
    }
    assert_eq!(host.damaged_tables(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_table_is_closed_and_others_continue() {
    let original = Original::create().await;
    let dice = "UPDATE events SET json = replace(json, '\"dice\":', '\"dice\":1') \
        WHERE table_id = 't1' AND seq = (SELECT min(seq) FROM events WHERE table_id = 't1' AND json LIKE '%\"event\":\"dealt\"%')";
    let cases = [
        ("UPDATE events SET hash = zeroblob(32) WHERE table_id = 't1'", "event 1 of table t1"),
        ("UPDATE events SET hash = zeroblob(32) WHERE table_id = 't1' AND seq = 7", "event 7 of table t1"),
        (
            "UPDATE events SET hash = zeroblob(32) WHERE table_id = 't1' AND seq = (SELECT max(seq) FROM events WHERE table_id = 't1')",
            "hash does not match",
        ),
        (dice, "hash does not match"),
        ("UPDATE events SET json = '{}' WHERE table_id = 't1' AND seq = 5", "event 5 of table t1"),
        ("DELETE FROM events WHERE table_id = 't1' AND seq = 5", "event 6 of table t1"),
        ("DELETE FROM commands WHERE id = 'c-t1-1'", "hash does not match"),
        ("UPDATE commands SET digest = zeroblob(32) WHERE id = 'c-t1-1'", "hash does not match"),
        ("UPDATE accounts SET cents = cents + 100 WHERE owner = 'player:t1-p2'", "account player:t1-p2 has"),
        ("DELETE FROM accounts WHERE owner = 'player:t1-p1'", "account player:t1-p1 has 0 cents"),
        ("UPDATE accounts SET cents = 0 WHERE owner = 'escrow:t1'", "its escrow has 0 cents"),
        ("UPDATE journal SET cents = cents + 1 WHERE credit = 'player:t1-p1'", "account player:t1-p1 has"),
    ];
    for (sql, why) in cases {
        let copy = original.copy();
        change(&copy, sql);
        let host = host_at(original.now, Sqlite::open_existing(&copy).unwrap());
        assert_closed_to_play(&host, "t1", why).await;
        place_wager(&host, "t2").await.unwrap_or_else(|error| panic!("{sql}: t2: {error}"));
    }
}

/// The balance of a player who is not seated when the table is loaded is checked when a command needs it.
#[tokio::test(flavor = "multi_thread")]
async fn balance_used_by_a_command_is_checked_against_the_journal() {
    let original = Original::create().await;
    let copy = original.copy();
    change(&copy, "INSERT INTO accounts VALUES ('player:eve', 'PRACTICE', '', 100000)");
    let host = host_at(original.now, Sqlite::open_existing(&copy).unwrap());
    let eve = player("eve");
    host.command(&name("t1"), &eve, &name("sit"), &Command::Sit { seat: 5 }).await.unwrap();
    let refused = host.command(&name("t1"), &eve, &name("bet"), &wager(2_500)).await;
    let refused = refused.expect_err("chips without a transfer are wagered");
    assert_eq!(refused.code(), "damaged", "{refused}");
    assert!(refused.to_string().contains("account player:eve has 100000 cents"), "{refused}");
    place_wager(&host, "t1").await.unwrap();
}

/// Damage to a table in memory is found when the host reads the table's next events.
#[tokio::test(flavor = "multi_thread")]
async fn events_of_another_process_are_verified() {
    let original = Original::create().await;
    let copy = original.copy();
    let host = host_at(original.now, Sqlite::open_existing(&copy).unwrap());
    let table: TableId = name("t1");
    let (_, seq) = host.table(&table).await.unwrap();
    let other = host_at(original.now, Sqlite::open_existing(&copy).unwrap());
    place_wager(&other, "t1").await.unwrap();
    drop(other);
    change(
        &copy,
        &format!(
            "UPDATE events SET json = replace(json, '2500', '2600') WHERE seq > {seq} AND table_id = 't1'"
        ),
    );
    let error = host.table(&table).await.map(drop).expect_err("a forged event is read");
    assert_eq!(error.code(), "damaged", "{error}");
    place_wager(&host, "t2").await.unwrap();
}

/// Zeroes each page of the file in turn. A table that can still be played must be the stored table.
#[tokio::test(flavor = "multi_thread")]
async fn table_on_a_zeroed_page_is_closed_to_play() {
    let original = Original::create().await;
    let whole = fs::read(&original.path).unwrap();
    let page = usize::from(u16::from_be_bytes([whole[16], whole[17]]));
    let tips = async |host: &Host<Sqlite, TestEnvironment>| {
        let (one, other) = (host.table(&name("t1")).await, host.table(&name("t2")).await);
        (
            one.map(|(_, seq)| seq).map_err(|error| error.code()),
            other.map(|(_, seq)| seq).map_err(|error| error.code()),
        )
    };
    let (Ok(first), Ok(second)) =
        tips(&host_at(original.now, Sqlite::open_existing(&original.copy()).unwrap())).await
    else {
        panic!("the original store is damaged")
    };
    let (mut closed, mut only_first) = (0, 0);
    for number in 1..whole.len() / page {
        let copy = original.copy();
        let mut bytes = whole.clone();
        bytes[number * page..(number + 1) * page].fill(0);
        fs::write(&copy, &bytes).unwrap();
        let Ok(store) = Sqlite::open_existing(&copy) else { continue };
        let host = host_at(original.now, store);
        let (one, other) = tips(&host).await;
        for (tip, expected) in [(one, first), (other, second)] {
            // Without the accounts or the commands nothing can be verified, and nothing is played.
            assert!(tip == Ok(expected) || tip.is_err(), "page {number}: {tip:?} instead of {expected}");
        }
        closed += usize::from(one == Err("damaged"));
        if one == Err("damaged") && other == Ok(second) {
            only_first += 1;
            assert_eq!(host.damaged_tables().len(), 1);
        }
    }
    assert!(closed >= 2 && only_first >= 1, "{closed} pages close t1, {only_first} of them only t1");
}

#[tokio::test(flavor = "multi_thread")]
async fn postgresql_records_are_verified() {
    let cluster = Cluster::start();
    let address = cluster.database().await;
    let now = play_rounds(Postgres::open(&address).await.unwrap()).await;
    let (client, connection) = tokio_postgres::connect(&address, NoTls).await.unwrap();
    tokio::spawn(connection);
    for (damage, repair, why) in [
        (
            "UPDATE accounts SET cents = cents + 100 WHERE owner = 'player:t1-p2'",
            "UPDATE accounts SET cents = cents - 100 WHERE owner = 'player:t1-p2'",
            "account player:t1-p2 has",
        ),
        (
            "UPDATE events SET json = json || ' ' WHERE table_id = 't1' AND seq = 7",
            "UPDATE events SET json = trim(json) WHERE table_id = 't1' AND seq = 7",
            "event 7 of table t1",
        ),
        (
            "UPDATE accounts SET cents = cents + 1 WHERE owner = 'escrow:t1'",
            "UPDATE accounts SET cents = cents - 1 WHERE owner = 'escrow:t1'",
            "its escrow has",
        ),
    ] {
        client.batch_execute(damage).await.unwrap();
        let host = host_at(now, Postgres::open(&address).await.unwrap());
        assert_closed_to_play(&host, "t1", why).await;
        host.table(&name("t2")).await.unwrap();
        client.batch_execute(repair).await.unwrap();
    }
    let host = host_at(now, Postgres::open(&address).await.unwrap());
    for table in ["t1", "t2"] {
        place_wager(&host, table).await.unwrap();
    }
}
