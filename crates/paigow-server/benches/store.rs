//! Durable rounds a second through table, ledger and store, beside the same rows written with nothing around them.
//!
//! Six seats a table; a round is six wagers, the deal, the settlement and the next round's beginning: nine commands, each
//! answered when it is on the disk. `cargo bench -p paigow-server --bench store -- [tables] [sqlite|postgres]`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::float_arithmetic, clippy::cast_precision_loss)] // a report, not money

#[path = "../tests/kit/mod.rs"]
mod kit;

use kit::cluster::Cluster;
use kit::{Play, Stage, config, host, name, operator, wager};
use paigow::rulebook::BuiltIn;
use paigow_server::{AnyStore, Host, Library, OperatingSystem, Postgres, Sqlite, Store, audit};
use paigow_table::{Actor, Clocks, Command};
use rusqlite::Connection;
use rusqlite::types::Value;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const SEATS: u8 = 6;

#[tokio::main]
async fn main() {
    let tables = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(1_000);
    let only = |what: &str| std::env::args().all(|arg| arg != what);
    if only("postgres") {
        sqlite(tables).await;
    }
    if only("sqlite") {
        postgres(tables).await;
    }
}

async fn sqlite(tables: usize) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("bench.db");
    let store = Sqlite::open(&path).unwrap();
    let seconds = run(AnyStore::Sqlite(store.clone()), "SQLite", tables, 4).await;
    let (batches, commits) = store.commits();
    println!("  {batches} commands in {commits} commits");
    raw(&path, &folder.path().join("raw.db"), (batches / commits).max(1) as usize, seconds);
    recover(store).await;
}

async fn postgres(tables: usize) {
    let cluster = Cluster::start();
    for tables in [16, tables.min(200)] {
        let store = Postgres::open(&cluster.database().await).await.unwrap();
        run(AnyStore::Postgres(store), "PostgreSQL", tables, 4).await;
    }
}

/// Plays rounds at many tables at once; how long it took, setting up left out.
async fn run(store: AnyStore, what: &str, tables: usize, rounds: usize) -> Duration {
    // A host for each table, so that each has its own time.
    let hosts: Vec<Arc<Host<AnyStore, Stage>>> =
        (1..).take(tables).map(|seed| Arc::new(host(store.clone(), seed))).collect();
    let set_up = hosts.iter().cloned().enumerate().map(|(number, host)| {
        tokio::spawn(async move {
            let table = format!("t{number}");
            let mut config = config(&table, "south-beach");
            config.clocks = Clocks { bank: 1, wagers: 1, settings: 1, between: 1 };
            host.open(&operator(), &name(&format!("open-{table}")), config).await.unwrap();
            let play = Play::empty(&host, &table, SEATS);
            for (seat, player) in (1..).zip(&play.players) {
                play.issue(player, 100_000_000).await;
                play.done(player, Command::Sit { seat }).await;
            }
        })
    });
    for task in set_up.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    let start = Instant::now();
    let tasks = hosts.iter().cloned().enumerate().map(|(number, host)| {
        tokio::spawn(async move {
            let play = Play::empty(&host, &format!("t{number}"), SEATS);
            let mut slowest = Duration::ZERO;
            for round in 0..rounds {
                for (seat, player) in play.players.iter().enumerate() {
                    let by = Actor::Player(name(player));
                    let id = name(&format!("w-{number}-{round}-{seat}"));
                    let start = Instant::now();
                    host.command(&play.table, &by, &id, &wager(2_500)).await.unwrap();
                    slowest = slowest.max(start.elapsed());
                }
                for _ in 0..3 {
                    host.world().now.fetch_add(2, Ordering::Relaxed);
                    host.tick(&play.table).await.unwrap().unwrap();
                }
            }
            slowest
        })
    });
    let mut slowest = Duration::ZERO;
    for task in tasks.collect::<Vec<_>>() {
        slowest = slowest.max(task.await.unwrap());
    }
    let took = start.elapsed();
    let played = (tables * rounds) as f64;
    println!(
        "{what}: {tables} tables, {:.0} rounds a second, {:.0} commands; the slowest answer took {slowest:.1?}",
        played / took.as_secs_f64(),
        9.0 * played / took.as_secs_f64()
    );
    took
}

/// Writes the same rows again, in groups of the same size, with no thought: what the disk and the database alone would take.
fn raw(from: &Path, to: &Path, group: usize, seconds: Duration) {
    drop(Sqlite::open(to).unwrap());
    let source = Connection::open(from).unwrap();
    let rows = |query: &str| -> Vec<Vec<Value>> {
        let mut select = source.prepare(query).unwrap();
        let columns = select.column_count();
        let rows = select.query_map([], |row| (0..columns).map(|column| row.get(column)).collect()).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let commands = rows("SELECT actor, id, at, table_id, body, answer, digest FROM commands ORDER BY rowid");
    let of = |table: &str, columns: &str| {
        let mut found = std::collections::HashMap::<String, Vec<Vec<Value>>>::new();
        for mut row in rows(&format!("SELECT actor || ' ' || command, {columns} FROM {table} ORDER BY rowid"))
        {
            let Value::Text(key) = row.remove(0) else { continue };
            found.entry(key).or_default().push(row);
        }
        found
    };
    let events = of("events", "table_id, seq, round, json, at, actor, command, hash");
    let journal = of(
        "journal",
        "id, kind, hold, debit, credit, currency, cents, purpose, at, actor, command, number, table_id, round",
    );
    let mut target = Connection::open(to).unwrap();
    target.pragma_update(None, "synchronous", "FULL").unwrap();
    // Only what was played counts, not setting up.
    let is_play = |row: &Vec<Value>| matches!(&row[4], Value::Text(body) if body.contains("wager") || body.contains("tick"));
    let (play, before): (Vec<_>, Vec<_>) = commands.into_iter().partition(is_play);
    for id in rows("SELECT id, opened_at FROM tables") {
        insert(&target, "tables", &id);
    }
    let tx = target.transaction().unwrap();
    for command in &before {
        write(&tx, command, &events, &journal);
    }
    tx.commit().unwrap();
    let start = Instant::now();
    for group in play.chunks(group) {
        let tx = target.transaction().unwrap();
        for command in group {
            write(&tx, command, &events, &journal);
        }
        tx.commit().unwrap();
    }
    let took = start.elapsed();
    let ratio = seconds.as_secs_f64() / took.as_secs_f64();
    println!(
        "  the same rows alone, in groups of {group}: {took:.1?}; table, ledger and store take {ratio:.2} times that"
    );
}

type Rows = std::collections::HashMap<String, Vec<Vec<Value>>>;

fn insert(target: &Connection, table: &str, row: &[Value]) {
    let places = vec!["?"; row.len()].join(", ");
    let mut insert = target.prepare_cached(&format!("INSERT INTO {table} VALUES ({places})")).unwrap();
    insert.execute(rusqlite::params_from_iter(row)).unwrap();
}

fn write(target: &Connection, command: &[Value], events: &Rows, journal: &Rows) {
    insert(target, "commands", command);
    let (Value::Text(actor), Value::Text(id)) = (&command[0], &command[1]) else { return };
    let key = format!("{actor} {id}");
    for row in events.get(&key).into_iter().flatten() {
        insert(target, "events", row);
    }
    for row in journal.get(&key).into_iter().flatten() {
        let row: Vec<Value> = std::iter::once(Value::Null).chain(row.iter().cloned()).collect();
        insert(target, "journal", &row);
        let Value::Integer(cents) = row[7] else { continue };
        for (owner, cents) in [(&row[4], -cents), (&row[5], cents)] {
            let mut change = target
                .prepare_cached(
                    "INSERT INTO accounts VALUES (replace(?1, ':', ';'), ?2, '', ?3) \
                     ON CONFLICT DO UPDATE SET cents = cents + excluded.cents",
                )
                .unwrap();
            change.execute((owner, &row[6], cents)).unwrap();
        }
        if row[2] == Value::Text("hold".to_owned()) {
            insert(
                target,
                "holds",
                &[row[1].clone(), row[4].clone(), row[5].clone(), row[6].clone(), row[7].clone()],
            );
        } else if row[3] != Value::Null {
            let spend = "UPDATE holds SET cents_left = cents_left - ?2 WHERE id = ?1";
            target.prepare_cached(spend).unwrap().execute((&row[3], cents)).unwrap();
        }
    }
}

/// How long a new process takes to know every table again, and an audit to check all of it.
async fn recover(store: Sqlite) {
    let start = Instant::now();
    let host = Host::new(store.clone(), OperatingSystem, Library::new(BuiltIn));
    let mut rounds = 0;
    for head in store.tables().await.unwrap() {
        rounds += host.table(&head.table).await.unwrap().0.round_number();
    }
    let took = start.elapsed();
    println!("  recovery: {rounds} rounds in {took:.1?}, {:.0} a second", rounds as f64 / took.as_secs_f64());
    let start = Instant::now();
    let report = audit(&store, Library::new(BuiltIn)).await.unwrap();
    assert_eq!(report.findings, []);
    let took = start.elapsed();
    println!("  audit: {rounds} rounds in {took:.1?}, {:.0} a second", rounds as f64 / took.as_secs_f64());
}
