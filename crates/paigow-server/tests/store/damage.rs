//! A host does not play on damaged records: the table is closed to play and named, and the others go on.

use crate::kit::cluster::Cluster;
use crate::kit::{Folder, Play, Stage, host, name, player, wager};
use paigow_server::{Host, HostError, Postgres, Sqlite, Store};
use paigow_table::{Command, TableId};
use rusqlite::Connection;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use tempfile::TempDir;
use tokio_postgres::NoTls;

/// Two tables with settled rounds, each with an open wager. Returns a time at which both take wagers: that of the first.
async fn played(store: impl Store) -> u64 {
    let host = host(store, 1);
    let mut now = None;
    for table in ["t1", "t2"] {
        let play = Play::open(&host, table, "ez", 2).await;
        for _ in 0..3 {
            play.round().await;
        }
        play.done(&format!("{table}-p1"), wager(5_000)).await;
        now.get_or_insert(host.world().now.load(Ordering::Relaxed));
    }
    now.unwrap()
}

struct Original {
    folder: TempDir,
    path: PathBuf,
    now: u64,
}

impl Original {
    async fn make() -> Original {
        let Folder { store, folder } = Folder::new();
        let now = played(store.clone()).await;
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

/// A host that plays on at a time.
fn host_at<S: Store>(now: u64, store: S) -> Host<S, Stage> {
    let host = host(store, 2);
    host.world().now.store(now, Ordering::Relaxed);
    host
}

/// A wager of the second player, in the round that is open.
async fn plays_on<S: Store>(host: &Host<S, Stage>, table: &str) -> Result<(), HostError> {
    let by = player(&format!("{table}-p2"));
    host.command(&name(table), &by, &name(&format!("on-{table}")), &wager(2_500)).await.map(drop)
}

/// The table is closed to play: for players, operators and the clock.
async fn is_closed<S: Store>(host: &Host<S, Stage>, table: &str, why: &str) {
    let error = plays_on(host, table).await.expect_err("a damaged table takes a wager");
    assert_eq!(error.code(), "damaged", "{error}");
    assert!(error.to_string().contains(why), "{error}");
    let close = host.command(&name(table), &crate::kit::operator(), &name("close"), &Command::Close).await;
    assert_eq!(close.expect_err("a damaged table is closed by command").code(), "damaged");
    assert_eq!(host.tick(&name(table)).await.unwrap(), None, "the clock does nothing");
    let damaged = host.damaged_tables();
    assert_eq!(damaged.iter().map(|damaged| damaged.table.as_str()).collect::<Vec<_>>(), [table]);
    assert!(damaged[0].why.contains(why), "{damaged:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_touched_is_played_on() {
    let original = Original::make().await;
    let host = host_at(original.now, Sqlite::open_existing(&original.copy()).unwrap());
    for table in ["t1", "t2"] {
        plays_on(&host, table).await.unwrap();
    }
    assert_eq!(host.damaged_tables(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_table_is_closed_to_play_and_the_others_go_on() {
    let original = Original::make().await;
    let dice = "UPDATE events SET json = replace(json, '\"dice\":', '\"dice\":1') \
        WHERE table_id = 't1' AND seq = (SELECT min(seq) FROM events WHERE table_id = 't1' AND json LIKE '%\"event\":\"dealt\"%')";
    let cases = [
        ("UPDATE events SET hash = zeroblob(32) WHERE table_id = 't1'", "event 1 of table t1"),
        ("UPDATE events SET hash = zeroblob(32) WHERE table_id = 't1' AND seq = 7", "event 7 of table t1"),
        (
            "UPDATE events SET hash = zeroblob(32) WHERE table_id = 't1' AND seq = (SELECT max(seq) FROM events WHERE table_id = 't1')",
            "hash does not fit",
        ),
        (dice, "hash does not fit"),
        ("UPDATE events SET json = '{}' WHERE table_id = 't1' AND seq = 5", "event 5 of table t1"),
        ("DELETE FROM events WHERE table_id = 't1' AND seq = 5", "event 6 of table t1"),
        ("DELETE FROM commands WHERE id = 'c-t1-1'", "hash does not fit"),
        ("UPDATE commands SET digest = zeroblob(32) WHERE id = 'c-t1-1'", "hash does not fit"),
        ("UPDATE accounts SET cents = cents + 100 WHERE owner = 'player:t1-p2'", "account player:t1-p2 has"),
        ("DELETE FROM accounts WHERE owner = 'player:t1-p1'", "account player:t1-p1 has 0 cents"),
        ("UPDATE accounts SET cents = 0 WHERE owner = 'escrow:t1'", "its escrow has 0 cents"),
        ("UPDATE journal SET cents = cents + 1 WHERE credit = 'player:t1-p1'", "account player:t1-p1 has"),
    ];
    for (sql, why) in cases {
        let copy = original.copy();
        change(&copy, sql);
        let host = host_at(original.now, Sqlite::open_existing(&copy).unwrap());
        is_closed(&host, "t1", why).await;
        plays_on(&host, "t2").await.unwrap_or_else(|error| panic!("{sql}: t2: {error}"));
    }
}

/// A player who is not seated when the table is loaded is looked at when a command asks for their balance.
#[tokio::test(flavor = "multi_thread")]
async fn a_balance_that_a_command_asks_for_is_compared_with_the_journal() {
    let original = Original::make().await;
    let copy = original.copy();
    change(&copy, "INSERT INTO accounts VALUES ('player:eve', 'PRACTICE', '', 100000)");
    let host = host_at(original.now, Sqlite::open_existing(&copy).unwrap());
    let eve = player("eve");
    host.command(&name("t1"), &eve, &name("sit"), &Command::Sit { seat: 5 }).await.unwrap();
    let refused = host.command(&name("t1"), &eve, &name("bet"), &wager(2_500)).await;
    let refused = refused.expect_err("chips that no transfer moved are wagered");
    assert_eq!(refused.code(), "damaged", "{refused}");
    assert!(refused.to_string().contains("account player:eve has 100000 cents"), "{refused}");
    plays_on(&host, "t1").await.unwrap();
}

/// Damage that comes while a table is in memory is found when the table is read on.
#[tokio::test(flavor = "multi_thread")]
async fn an_event_of_another_process_is_verified_as_it_is_read() {
    let original = Original::make().await;
    let copy = original.copy();
    let host = host_at(original.now, Sqlite::open_existing(&copy).unwrap());
    let table: TableId = name("t1");
    let (_, seq) = host.table(&table).await.unwrap();
    let other = host_at(original.now, Sqlite::open_existing(&copy).unwrap());
    plays_on(&other, "t1").await.unwrap();
    drop(other);
    change(
        &copy,
        &format!(
            "UPDATE events SET json = replace(json, '2500', '2600') WHERE seq > {seq} AND table_id = 't1'"
        ),
    );
    let error = host.table(&table).await.map(drop).expect_err("a forged event is read");
    assert_eq!(error.code(), "damaged", "{error}");
    plays_on(&host, "t2").await.unwrap();
}

/// Each page of the file is zeroed in turn. A table that is still played is the table that was stored.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_on_a_zeroed_page_is_closed_to_play() {
    let original = Original::make().await;
    let whole = fs::read(&original.path).unwrap();
    let page = usize::from(u16::from_be_bytes([whole[16], whole[17]]));
    let tips = async |host: &Host<Sqlite, Stage>| {
        let (one, other) = (host.table(&name("t1")).await, host.table(&name("t2")).await);
        (
            one.map(|(_, seq)| seq).map_err(|error| error.code()),
            other.map(|(_, seq)| seq).map_err(|error| error.code()),
        )
    };
    let (Ok(first), Ok(second)) =
        tips(&host_at(original.now, Sqlite::open_existing(&original.copy()).unwrap())).await
    else {
        panic!("the original is not in order")
    };
    let (mut closed, mut alone) = (0, 0);
    for number in 1..whole.len() / page {
        let copy = original.copy();
        let mut bytes = whole.clone();
        bytes[number * page..(number + 1) * page].fill(0);
        fs::write(&copy, &bytes).unwrap();
        let Ok(store) = Sqlite::open_existing(&copy) else { continue };
        let host = host_at(original.now, store);
        let (one, other) = tips(&host).await;
        for (tip, right) in [(one, first), (other, second)] {
            // Where the list of accounts or of commands is gone nothing can be said, and nothing is played.
            assert!(tip == Ok(right) || tip.is_err(), "page {number}: {tip:?} instead of {right}");
        }
        closed += usize::from(one == Err("damaged"));
        if one == Err("damaged") && other == Ok(second) {
            alone += 1;
            assert_eq!(host.damaged_tables().len(), 1);
        }
    }
    assert!(closed >= 2 && alone >= 1, "closed by {closed} pages, alone by {alone}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_is_verified_as_a_file_is() {
    let cluster = Cluster::start();
    let address = cluster.database().await;
    let now = played(Postgres::open(&address).await.unwrap()).await;
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
        is_closed(&host, "t1", why).await;
        host.table(&name("t2")).await.unwrap();
        client.batch_execute(repair).await.unwrap();
    }
    let host = host_at(now, Postgres::open(&address).await.unwrap());
    for table in ["t1", "t2"] {
        plays_on(&host, table).await.unwrap();
    }
}
