//! Moves of whole stores between SQLite and PostgreSQL: nothing is lost or changed, an interrupted move continues, and
//! a store that is in use, unfinished or not empty is refused.

use crate::fixtures::{assert_matches_release, continue_play, fixtures};
use crate::kit::cluster::Cluster;
use crate::kit::{Game, TempStore, host, operator, player_account};
use paigow::rulebook::BuiltIn;
use paigow_server::settings::StoreLocation;
use paigow_server::{
    AnyStore, ColumnType, MoveError, MoveOptions, MoveReport, People, Person, PersonKind, RulesCache,
    STORED_TABLES, Store, StoreError, StoredTable, move_store,
};
use paigow_table::Time;
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tokio_postgres::{Client, NoTls};

/// Moves a store on a thread of its own, because the move blocks. Calls `at_step` before each step.
async fn moved_with(
    from: &str,
    to: &str,
    at_step: impl Fn(&str) + Send + Sync + 'static,
) -> Result<MoveReport, MoveError> {
    let (from, to) = (StoreLocation::from(from.to_owned()), StoreLocation::from(to.to_owned()));
    let work = move || {
        let progress = move |step: &str, _: u64| -> Box<dyn Fn(u64) + Send + Sync> {
            at_step(step);
            Box::new(|_| {})
        };
        let rules = RulesCache::new(BuiltIn);
        move_store(MoveOptions { from: &from, to: &to, rules, keys: None, progress: &progress })
    };
    tokio::task::spawn_blocking(work).await.unwrap()
}

async fn moved(from: &str, to: &str) -> Result<MoveReport, MoveError> {
    moved_with(from, to, |_| {}).await
}

/// Connects to a database without the store.
async fn connect(address: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// Rows of all tables of a file as text.
fn rows(path: &str) -> BTreeMap<&'static str, Vec<String>> {
    let connection = Connection::open(path).unwrap();
    let read = |table: &'static StoredTable| {
        let mut select = connection.prepare(&format!("SELECT * FROM {}", table.name)).unwrap();
        let names: Vec<String> = select.column_names().map(ToOwned::to_owned).collect();
        let text = |row: &rusqlite::Row<'_>| {
            let values = names.iter().map(|name| format!("{name}={:?}", row.get_ref(&name[..]).unwrap()));
            Ok(values.collect::<Vec<_>>().join(" "))
        };
        let mut rows: Vec<String> = select.query_map([], text).unwrap().map(Result::unwrap).collect();
        rows.sort();
        (table.name, rows)
    };
    STORED_TABLES.iter().map(read).collect()
}

/// A store with a table, rounds and a person. Returns it and its path. The person is its first entry of the house log.
async fn played_after(person: &str) -> (TempStore, String) {
    let temporary = TempStore::new();
    let path = temporary.file().to_str().unwrap().to_owned();
    enrol(&temporary.store, person).await;
    let host = host(temporary.store.clone(), 1);
    let game = Game::open(&host, "moved", "south-dakota", 3).await;
    for _ in 0..3 {
        game.play_round().await;
    }
    (temporary, path)
}

async fn played() -> (TempStore, String) {
    played_after("guest").await
}

async fn enrol(store: &impl People, id: &str) {
    let person = Person {
        id: id.parse().unwrap(),
        name: "Guest".parse().unwrap(),
        kind: PersonKind::Guest,
        since: Time(1),
    };
    assert!(store.enrol(person).await.unwrap());
}

/// Closes a store and returns its folder.
fn close(temporary: TempStore) -> tempfile::TempDir {
    let TempStore { store, folder } = temporary;
    drop(store);
    folder
}

fn beside(path: &str, name: &str) -> String {
    Path::new(path).with_file_name(name).to_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_release_moves_there_and_back() {
    let cluster = Cluster::start();
    for folder in fixtures() {
        println!("{}", folder.display());
        let copies = tempfile::tempdir().unwrap();
        let first = copies.path().join("first.db").to_str().unwrap().to_owned();
        let last = copies.path().join("last.db").to_str().unwrap().to_owned();
        std::fs::copy(folder.join("store.db"), &first).unwrap();
        let database = cluster.database().await;
        let there = moved(&first, &database).await.unwrap();
        let back = moved(&database, &last).await.unwrap();
        assert_eq!(there, back);
        assert!(!there.resumed && there.tables.iter().all(|table| table.rows == table.inserted));
        let rows_before = rows(&first);
        assert!(rows_before["journal"].len() > 100 && rows_before["house_log"].len() > 10);
        assert_eq!(rows(&last), rows_before);
        for address in [&database, &last] {
            let store = AnyStore::open_existing(address).await.unwrap();
            assert_matches_release(&store, &folder).await;
            Box::pin(continue_play(store)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stores_of_one_kind_move_as_well() {
    let cluster = Cluster::start();
    let (temporary, first) = played().await;
    let folder = close(temporary);
    let second = beside(&first, "second.db");
    moved(&first, &second).await.unwrap();
    let databases = [cluster.database().await, cluster.database().await];
    moved(&second, &databases[0]).await.unwrap();
    moved(&databases[0], &databases[1]).await.unwrap();
    let last = beside(&first, "last.db");
    moved(&databases[1], &last).await.unwrap();
    assert_eq!(rows(&last), rows(&first));
    drop(folder);
}

/// A row that a trigger refuses ends the move. The next one continues after the rows that are copied.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn interrupted_move_continues_or_starts_again_if_the_source_was_written() {
    let (temporary, from) = played().await;
    let folder = close(temporary);
    let to = beside(&from, "target.db");
    drop(AnyStore::open(&to).await.unwrap());
    let trigger = "CREATE TRIGGER refuse BEFORE INSERT ON journal BEGIN SELECT raise(ABORT, 'refused by the test'); END";
    Connection::open(&to).unwrap().execute_batch(trigger).unwrap();
    let error = moved(&from, &to).await.unwrap_err().to_string();
    assert!(error.contains("target.db") && error.contains("refused by the test"), "{error}");
    // Neither a server nor an audit opens the target.
    let refusal = AnyStore::open(&to).await.err().unwrap();
    assert!(matches!(&refusal, StoreError::UnfinishedMove { origin } if *origin == from), "{refusal}");
    assert!(refusal.to_string().contains(&format!("`paigow move --from {from} --to`")), "{refusal}");
    // Another store cannot continue the move, and the unfinished target cannot be moved.
    let (other, other_path) = played_after("other").await;
    let other = close(other);
    assert!(
        matches!(moved(&other_path, &to).await, Err(MoveError::OtherMove { origin, .. }) if origin == from)
    );
    let unfinished = moved(&to, &beside(&from, "third.db")).await;
    assert!(matches!(unfinished, Err(MoveError::Store { error: StoreError::UnfinishedMove { .. }, .. })));
    Connection::open(&to).unwrap().execute_batch("DROP TRIGGER refuse").unwrap();
    let inserted = |report: &MoveReport, name: &str| {
        let table = report.tables.iter().find(|table| table.table == name).unwrap();
        (table.rows, table.inserted)
    };
    let resumed = moved(&from, &to).await.unwrap();
    assert!(resumed.resumed);
    let (commands, again) = inserted(&resumed, "commands");
    assert!(commands > 0 && again == 0, "{again} of {commands} commands were copied again");
    assert!(inserted(&resumed, "journal").1 > 0);
    assert_eq!(rows(&to), rows(&from));

    // The same with a source that is written between the two moves.
    let to = beside(&from, "again.db");
    drop(AnyStore::open(&to).await.unwrap());
    Connection::open(&to).unwrap().execute_batch(trigger).unwrap();
    moved(&from, &to).await.unwrap_err();
    Connection::open(&to).unwrap().execute_batch("DROP TRIGGER refuse").unwrap();
    {
        let store = AnyStore::open_existing(&from).await.unwrap();
        // A command whose key is before the last one that was copied.
        let (id, account) = ("a-first".parse().unwrap(), player_account("moved-p1"));
        host(store, 2).issue(&operator(), &id, account, 500).await.unwrap();
    }
    let restarted = moved(&from, &to).await.unwrap();
    let (commands, again) = inserted(&restarted, "commands");
    assert_eq!(commands, again, "stale rows were kept");
    assert_eq!(rows(&to), rows(&from));
    drop((folder, other));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unfit_sources_and_targets_are_refused() {
    let cluster = Cluster::start();
    let (temporary, from) = played().await;
    let (file, database) = (beside(&from, "new.db"), cluster.database().await);
    let in_use = |result: Result<MoveReport, MoveError>, location: &str| match result {
        Err(MoveError::Store { location: found, error: StoreError::InUse }) => {
            assert_eq!(found.reveal(), location);
        }
        other => panic!("{location} is in use, but {other:?}"),
    };
    in_use(moved(&from, &file).await, &from);
    let folder = close(temporary);
    // Nothing was created for the refused move.
    assert!(!Path::new(&file).exists());
    let used = AnyStore::open(&database).await.unwrap();
    in_use(moved(&from, &database).await, &database);
    drop(used);

    assert!(matches!(moved(&from, &from).await, Err(MoveError::SameStore(_))));
    let empty = beside(&from, "empty.db");
    drop(AnyStore::open(&empty).await.unwrap());
    assert!(matches!(moved(&empty, &file).await, Err(MoveError::EmptySource(_))));
    moved(&from, &file).await.unwrap();
    let before = rows(&file);
    match moved(&from, &file).await {
        Err(error @ MoveError::TargetNotEmpty { .. }) => {
            let text = error.to_string();
            assert!(text.contains("tables, commands, events, journal"), "{text}");
        }
        other => panic!("the target is not empty, but {other:?}"),
    }
    assert_eq!(rows(&file), before);
    // A source with a finding is refused before the target is created.
    Connection::open(&from)
        .unwrap()
        .execute_batch("UPDATE accounts SET cents = cents + 1 WHERE cents > 0")
        .unwrap();
    let last = beside(&from, "last.db");
    match moved(&from, &last).await {
        Err(MoveError::Findings { first, .. }) => assert_eq!(first.code, "balance_differs"),
        other => panic!("the audit has findings, but {other:?}"),
    }
    assert!(!Path::new(&last).exists());
    drop(folder);
}

/// A program that does not know the lock writes to the source during the move.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn source_written_during_a_move_leaves_the_target_unfinished() {
    let cluster = Cluster::start();
    let (temporary, path) = played().await;
    let folder = close(temporary);
    let from = cluster.database().await;
    moved(&path, &from).await.unwrap();
    let to = beside(&path, "target.db");
    let address = from.clone();
    let write = move |step: &str| {
        if step == "audit of the target" {
            let address = address.clone();
            let write = move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                runtime.block_on(async {
                    let insert =
                        "INSERT INTO ceremonies (id, json, until) VALUES (decode(repeat('ab', 32), 'hex'), '{}', 1)";
                    connect(&address).await.batch_execute(insert).await.unwrap();
                });
            };
            std::thread::spawn(write).join().unwrap();
        }
    };
    match moved_with(&from, &to, write).await {
        Err(MoveError::Differ(what)) => assert_eq!(what, "rows of `ceremonies`"),
        other => panic!("the source was written, but {other:?}"),
    }
    assert!(matches!(AnyStore::open(&to).await, Err(StoreError::UnfinishedMove { .. })));
    // While a move has the database open, no server can.
    let address = from.clone();
    let open = move |step: &str| {
        if step == "copy" {
            let address = address.clone();
            let open = move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                runtime.block_on(AnyStore::open(&address)).err().unwrap().to_string()
            };
            let refusal = std::thread::spawn(open).join().unwrap();
            assert!(refusal.contains("a move of this store is in progress"), "{refusal}");
        }
    };
    assert!(moved_with(&from, &to, open).await.unwrap().resumed);
    AnyStore::open(&to).await.unwrap().tables().await.unwrap();
    drop(folder);
}

/// Tables and columns of a database: name, type, whether nullable, and the position in the primary key.
type Schema = BTreeMap<String, BTreeSet<(String, String, bool, i64)>>;

/// The list of tables as the schema of a database with these types.
fn listed(types: [&str; 3]) -> Schema {
    let table = |table: &StoredTable| {
        let columns = (1_i64..).zip(table.columns).map(|(position, column)| {
            let kind = match column.kind {
                ColumnType::Text => types[0],
                ColumnType::Integer => types[1],
                ColumnType::Bytes => types[2],
            };
            let key = if position <= i64::try_from(table.key).unwrap() { position } else { 0 };
            (column.name.to_owned(), kind.to_owned(), column.is_nullable, key)
        });
        (table.name.to_owned(), columns.collect())
    };
    STORED_TABLES.iter().map(table).collect()
}

/// Tables that belong to a database and not to the contents of the store.
const NOT_COPIED: [&str; 2] = ["unfinished_move", "paigow_version"];

#[test]
fn list_of_tables_matches_the_schema_of_sqlite() {
    let temporary = TempStore::new();
    let connection = Connection::open(temporary.file()).unwrap();
    // `journal.place` is the row id, which is never null.
    let columns = "SELECT m.name, c.name, c.type, c.\"notnull\" = 0 AND NOT (c.pk > 0 AND c.type = 'INTEGER'), c.pk \
        FROM sqlite_schema AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table'";
    let mut select = connection.prepare(columns).unwrap();
    let mut found = Schema::new();
    let mut rows = select.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let table: String = row.get(0).unwrap();
        let column = (row.get(1).unwrap(), row.get(2).unwrap(), row.get(3).unwrap(), row.get(4).unwrap());
        found.entry(table).or_default().insert(column);
    }
    found.retain(|table, _| !NOT_COPIED.contains(&&table[..]));
    // A table with AUTOINCREMENT would add `sqlite_sequence`.
    assert_eq!(found, listed(["TEXT", "INTEGER", "BLOB"]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn list_of_tables_matches_the_schema_of_postgresql() {
    let cluster = Cluster::start();
    let address = cluster.database().await;
    drop(AnyStore::open(&address).await.unwrap());
    let client = connect(&address).await;
    let columns = "SELECT c.table_name::text, c.column_name::text, c.data_type::text, c.is_nullable = 'YES', \
        coalesce(k.ordinal_position, 0)::bigint FROM information_schema.columns AS c \
        LEFT JOIN information_schema.key_column_usage AS k ON k.table_name = c.table_name \
        AND k.column_name = c.column_name AND k.constraint_name = c.table_name || '_pkey' \
        WHERE c.table_schema = 'public'";
    let mut found = Schema::new();
    for row in client.query(columns, &[]).await.unwrap() {
        found.entry(row.get(0)).or_default().insert((row.get(1), row.get(2), row.get(3), row.get(4)));
    }
    found.retain(|table, _| !NOT_COPIED.contains(&&table[..]));
    assert_eq!(found, listed(["text", "bigint", "bytea"]));

    // Every sequence belongs to a generated column.
    let owned = "SELECT a.attrelid::regclass::text, a.attname::text FROM pg_class AS s \
        JOIN pg_depend AS d ON d.objid = s.oid AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0 \
        JOIN pg_attribute AS a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid WHERE s.relkind = 'S'";
    let owned: Vec<(String, String)> =
        client.query(owned, &[]).await.unwrap().iter().map(|row| (row.get(0), row.get(1))).collect();
    let generated = STORED_TABLES.iter().flat_map(|table| {
        let columns = table.columns.iter().filter(|column| column.is_generated);
        columns.map(|column| (table.name.to_owned(), column.name.to_owned()))
    });
    assert_eq!(owned, generated.collect::<Vec<_>>());
    let sequences = client.query_one("SELECT count(*) FROM pg_class WHERE relkind = 'S'", &[]).await.unwrap();
    assert_eq!(sequences.get::<_, i64>(0), i64::try_from(owned.len()).unwrap());

    // A table is listed after the tables that it refers to.
    let position = |name: &str| STORED_TABLES.iter().position(|table| table.name == name).unwrap();
    let references =
        "SELECT conrelid::regclass::text, confrelid::regclass::text FROM pg_constraint WHERE contype = 'f'";
    let references = client.query(references, &[]).await.unwrap();
    assert!(references.len() >= 4);
    for row in references {
        let (from, to): (String, String) = (row.get(0), row.get(1));
        assert!(position(&to) < position(&from), "{from} is before {to}");
    }
}
