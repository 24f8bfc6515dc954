//! Stores of earlier releases, each in a folder of `tests/fixtures`: the current program opens them, reads every
//! settlement unchanged, changes no existing row, and continues play.
//!
//! `cargo xtask fixture` creates the folder of a release. The tests pick up new folders automatically.

#[path = "../../examples/history/summary.rs"]
mod summary;

use crate::kit::cluster::Cluster;
use crate::kit::{TestEnvironment, name, operator};
use paigow::rulebook::BuiltIn;
use paigow_server::{AnyStore, AuditOptions, Host, PROGRAM, People, RulesCache, Store, audit, audit_with};
use paigow_table::{
    Account, Actor, Command, MasterKeys, Owner, Purpose, RulesMatch, Table, TableEvent, TableId, TablePhase,
};
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio_postgres::{NoTls, SimpleQueryMessage};

/// Tables of the database whose rows are never changed, and the columns that sort them.
const UNCHANGED_TABLES: [(&str, &str); 3] =
    [("events", "table_id, seq"), ("commands", "actor, id"), ("journal", "place")];

/// The store that a started process opens.
const STORE: &str = "PAIGOW_FIXTURE_STORE";

/// Returns the fixture folders of all releases.
pub(crate) fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut folders: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    assert!(
        folders.iter().any(|folder| folder.ends_with("0.0.0")),
        "the fixture of the first release is missing"
    );
    folders
}

/// Rows of a database as text, by table: column names first, then rows in order.
type Rows = BTreeMap<&'static str, Vec<Vec<String>>>;

/// Reads rows without the store, in the columns that an earlier read returned.
fn read_file_rows(path: &Path, before: Option<&Rows>) -> Rows {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let read = |(table, order): (&'static str, &str)| {
        let columns = before.map_or("*".to_owned(), |rows| rows[table][0].join(", "));
        let sql = format!("SELECT {columns} FROM {table} ORDER BY {order}");
        let mut statement = connection.prepare(&sql).unwrap();
        let names: Vec<String> = statement.column_names().map(ToOwned::to_owned).collect();
        let width = names.len();
        let text = |row: &rusqlite::Row<'_>| {
            (0..width).map(|at| row.get_ref(at).map(|value| format!("{value:?}"))).collect()
        };
        let rows = statement.query_map([], text).unwrap().map(Result::unwrap);
        (table, std::iter::once(names).chain(rows).collect())
    };
    UNCHANGED_TABLES.into_iter().map(read).collect()
}

/// Returns the program versions that the file records.
fn programs(path: &Path) -> Vec<String> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let mut statement = connection.prepare("SELECT program FROM programs").unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

async fn read_database_rows(address: &str, before: Option<&Rows>) -> Rows {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    let mut all = Rows::new();
    for (table, order) in UNCHANGED_TABLES {
        let columns = before.map_or("*".to_owned(), |rows| rows[table][0].join(", "));
        let sql = format!("SELECT {columns} FROM {table} ORDER BY {order}");
        let mut rows = Vec::new();
        for message in client.simple_query(&sql).await.unwrap() {
            match message {
                SimpleQueryMessage::RowDescription(columns) => {
                    rows.push(columns.iter().map(|column| column.name().to_owned()).collect());
                }
                SimpleQueryMessage::Row(row) => {
                    rows.push((0..row.len()).map(|at| row.get(at).unwrap_or("NULL").to_owned()).collect());
                }
                _ => {}
            }
        }
        all.insert(table, rows);
    }
    drop(client);
    connection.await.unwrap().unwrap();
    all
}

fn assert_unchanged(before: &Rows, after: &Rows) {
    for (table, rows) in before {
        assert!(rows.len() > 1, "no rows of {table} were read");
        assert!(*rows == after[table], "a row of {table} changed");
    }
}

/// Creates a database from the statements of a fixture.
async fn load(cluster: &Cluster, folder: &Path) -> String {
    let address = cluster.database().await;
    let (client, connection) = tokio_postgres::connect(&address, NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    client.batch_execute(&fs::read_to_string(folder.join("store.sql")).unwrap()).await.unwrap();
    drop(client);
    connection.await.unwrap().unwrap();
    address
}

/// Asserts that a value contains the expected one. Later releases may add fields.
#[track_caller]
fn assert_contains(found: &Value, expected: &Value, at: &str) {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            for (key, expected) in expected {
                assert_contains(found.get(key).unwrap_or(&Value::Null), expected, &format!("{at}.{key}"));
            }
        }
        (Value::Array(found), Value::Array(expected)) => {
            assert_eq!(found.len(), expected.len(), "{at}");
            for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
                assert_contains(found, expected, &format!("{at}[{index}]"));
            }
        }
        // Versions up to 0.1.0 stored an operator's reason as plain text.
        (Value::Object(found), Value::String(text)) if at.ends_with(".reason") => {
            assert_eq!(
                (found["code"].as_str(), found["text"].as_str()),
                (Some("other"), Some(&text[..])),
                "{at}"
            );
        }
        _ => assert_eq!(found, expected, "{at}"),
    }
}

/// Asserts that an audit finds nothing, and that hashes, balances and settlements are those of the release.
pub(crate) async fn assert_matches_release<S: Store>(store: &S, folder: &Path) {
    let expected: Value = serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap();
    let rounds =
        expected["tables"].as_array().unwrap().iter().flat_map(|table| table["rounds"].as_array().unwrap());
    assert!(rounds.filter(|round| round["outcome"] == "settled").count() >= 10, "{}", folder.display());
    assert_contains(&summary::of(store).await.unwrap(), &expected, "expected");
}

/// The signatures of a release are valid with its key, and with no other.
#[tokio::test(flavor = "multi_thread")]
async fn signatures_of_releases_are_verified() {
    let copies = tempfile::tempdir().unwrap();
    let mut signed = 0;
    for folder in fixtures() {
        let copy = copies.path().join(folder.file_name().unwrap());
        fs::copy(folder.join("store.db"), &copy).unwrap();
        let store = AnyStore::open_existing(copy.to_str().unwrap()).await.unwrap();
        if !store.has_signatures().await.unwrap() {
            continue;
        }
        signed += 1;
        let found = async |key: u8| {
            let keys = Some(Arc::new(MasterKeys::new(&[[key; 32]]).unwrap()));
            let options = AuditOptions { keys, ..AuditOptions::default() };
            audit_with(&store, RulesCache::new(BuiltIn), options).await.unwrap().findings
        };
        assert_eq!(found(7).await, [], "{}", folder.display());
        assert!(found(8).await.iter().any(|finding| finding.code == "signature_differs"));
    }
    assert!(signed > 0);
}

/// A host that continues a release's tables.
struct Continuation<S> {
    host: Host<S, TestEnvironment>,
}

impl<S: Store> Continuation<S> {
    fn new(store: S) -> Continuation<S> {
        Continuation {
            host: Host::new(store, TestEnvironment::new(9), RulesCache::new(BuiltIn), crate::kit::keys()),
        }
    }

    /// Sets the clock to the time of the table's last event: other tables may have later ones.
    async fn set_clock_to_last_event(&self, id: &TableId) {
        let (_, seq) = self.host.table(id).await.unwrap();
        let last = self.host.store().events(id, seq - 1).await.unwrap().remove(0);
        self.host.environment().now.store(last.at.0, Ordering::Relaxed);
    }

    async fn table(&self, id: &TableId) -> Table {
        self.host.table(id).await.unwrap().0
    }

    async fn send(&self, id: &TableId, by: &Actor, command: Command) {
        let (_, seq) = self.host.table(id).await.unwrap();
        let result = self.host.command(id, by, &name(&format!("on-{id}-{seq}")), &command).await;
        result.unwrap_or_else(|error| panic!("{id}: {by} {command:?}: {error}"));
    }

    async fn clock(&self, id: &TableId) {
        let due = self.table(id).await.due().unwrap();
        self.host.environment().now.fetch_max(due.0, Ordering::Relaxed);
        self.host.tick(id).await.unwrap().expect("no deadline is due");
    }

    /// Finishes the open round: by a player's command if a hand is not set, then by the clock.
    async fn finish(&self, id: &TableId) {
        let seq = self.host.table(id).await.unwrap().1;
        if let TablePhase::Settings { .. } = self.table(id).await.phase() {
            let table = self.table(id).await;
            let view = table.view(&paigow_table::Viewer::Watcher);
            let unset = view.seats.iter().find(|seat| seat.hand.as_ref().is_some_and(|hand| !hand.set));
            let unset = unset.expect("all hands are set");
            let command = Command::At { seat: unset.seat, command: Box::new(Command::HouseWay) };
            self.send(id, &Actor::Player(unset.player.clone()), command).await;
        }
        while !matches!(self.table(id).await.phase(), TablePhase::Between { .. } | TablePhase::Waiting) {
            self.clock(id).await;
        }
        let events = self.host.store().events(id, seq).await.unwrap();
        let settled = |json: &str| matches!(serde_json::from_str(json).unwrap(), TableEvent::Settled { .. });
        assert!(events.iter().any(|row| settled(&row.json)), "the round at {id} is not settled");
    }

    /// Voids the open round and closes the table: no hold stays open.
    async fn close(&self, id: &TableId) {
        if self.table(id).await.open_holds().next().is_some() {
            self.send(id, &operator(), Command::Void { reason: "the house closes".into() }).await;
        }
        self.send(id, &operator(), Command::Close).await;
        while !self.table(id).await.is_closed() {
            self.clock(id).await;
        }
    }
}

/// Settles the rounds left open, plays one more, pays all money out and audits.
pub(crate) async fn continue_play<S: Store>(store: S) {
    let continuation = Continuation::new(store);
    let (mut dealt, mut open) = (0, 0);
    for head in continuation.host.store().tables().await.unwrap() {
        let (id, table) = (&head.table, continuation.table(&head.table).await);
        if table.is_closed() {
            continue;
        }
        continuation.set_clock_to_last_event(id).await;
        let held = table.open_holds().next().is_some();
        dealt += u64::from(held && matches!(table.phase(), TablePhase::Settings { .. }));
        open += u64::from(held && matches!(table.phase(), TablePhase::Wagers { .. }));
        // The digest of a 0.0.0 table with overrides cannot be compared, and rules by which the house paid for a bank
        // are retired. Such a table can only be closed.
        if matches!(table.rules_match(), RulesMatch::Unverified | RulesMatch::Retired) {
            continuation.close(id).await;
            continue;
        }
        assert!(!table.rules_have_changed(), "the rules of {id} have changed");
        if held {
            continuation.finish(id).await;
        }
        play_round(&continuation, id).await;
        continuation.close(id).await;
    }
    assert!(dealt > 0 && open > 0, "{dealt} tables with hands dealt, {open} with wagers open");
    redeem_everything(&continuation).await;
    let report = audit(continuation.host.store(), RulesCache::new(BuiltIn)).await.unwrap();
    assert_eq!(report.findings, []);
}

/// Plays one more round with the seated players.
async fn play_round<S: Store>(continuation: &Continuation<S>, id: &TableId) {
    if !matches!(continuation.table(id).await.phase(), TablePhase::Waiting) {
        continuation.clock(id).await;
    }
    let players: Vec<(u8, Actor)> = continuation
        .table(id)
        .await
        .players()
        .map(|(seat, player)| (seat, Actor::Player(player.clone())))
        .collect();
    let mut banker = None;
    while let TablePhase::Offering { seat, .. } = continuation.table(id).await.phase() {
        let table = continuation.table(id).await;
        let (_, player) = table.players().find(|(other, _)| *other == seat).unwrap();
        let account =
            Account { owner: Owner::Player(player.clone()), currency: table.config().currency.clone() };
        let balance =
            continuation.host.store().balances(std::slice::from_ref(&account)).await.unwrap()[&account];
        let player = Actor::Player(player.clone());
        if balance < 5_000 {
            continuation.send(id, &player, Command::PassBank).await;
        } else {
            continuation.send(id, &player, Command::TakeBank { cents: 5_000 }).await;
            banker = Some(player);
        }
    }
    for (seat, player) in players.iter().filter(|(_, player)| banker.as_ref() != Some(player)) {
        let wager = Command::Wager { wager: "pai-gow".to_owned(), cents: 500, color: None };
        let wager = Command::At { seat: *seat, command: Box::new(wager) };
        let result =
            continuation.host.command(id, player, &name(&format!("again-{id}-{seat}")), &wager).await;
        // A player who has lost everything cannot wager.
        assert!(
            result.as_ref().map_or_else(|error| error.code() == "insufficient_funds", |_| true),
            "{result:?}"
        );
    }
    continuation.clock(id).await;
    continuation.finish(id).await;
}

/// Redeems every player's chips: only the house and the issue keep balances.
async fn redeem_everything<S: Store>(continuation: &Continuation<S>) {
    let store = continuation.host.store();
    for (account, cents) in store.trial_balance().await.unwrap() {
        if matches!(account.owner, Owner::Escrow(_)) {
            assert_eq!(cents, 0, "{} holds money without a round", account.owner);
        }
        if matches!(account.owner, Owner::Player(_)) && cents > 0 {
            let issue = Account { owner: Owner::Issue, currency: account.currency.clone() };
            let id = name(&format!("out-{}-{}", account.currency, account.owner));
            let accounts = (account, issue);
            let cents = cents.cast_unsigned();
            continuation.host.transfer(&operator(), &id, accounts, cents, Purpose::Redeem).await.unwrap();
        }
    }
    let left = store.trial_balance().await.unwrap();
    assert!(left.iter().all(|(account, cents)| !matches!(account.owner, Owner::Player(_)) || *cents == 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_stores_of_every_release_are_readable() {
    for folder in fixtures() {
        println!("{}", folder.display());
        let copies = tempfile::tempdir().unwrap();
        let path = copies.path().join("paigow.db");
        fs::copy(folder.join("store.db"), &path).unwrap();
        let before = read_file_rows(&path, None);
        let store = AnyStore::open_existing(path.to_str().unwrap()).await.unwrap();
        assert_matches_release(&store, &folder).await;
        assert_unchanged(&before, &read_file_rows(&path, Some(&before)));
        assert!(
            programs(&path).contains(&PROGRAM.to_owned()),
            "the file does not record the program version"
        );
        Box::pin(continue_play(store)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgresql_stores_of_every_release_are_readable() {
    // A started process is this test with a store in the environment.
    if let Ok(address) = std::env::var(STORE) {
        return open_and_audit(&address).await;
    }
    let cluster = Cluster::start();
    for folder in fixtures() {
        println!("{}", folder.display());
        let address = load(&cluster, &folder).await;
        let before = read_database_rows(&address, None).await;
        // Two new processes open the same old database concurrently.
        let processes = [(); 2].map(|()| start_process(&address));
        for process in processes {
            let output = process.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
            assert!(String::from_utf8_lossy(&output.stdout).contains("opened it"));
        }
        let store = AnyStore::open_existing(&address).await.unwrap();
        assert_matches_release(&store, &folder).await;
        assert_unchanged(&before, &read_database_rows(&address, Some(&before)).await);
        Box::pin(continue_play(store)).await;
    }
}

fn start_process(address: &str) -> std::process::Child {
    let mut process = Process::new(std::env::current_exe().unwrap());
    let test = "fixtures::postgresql_stores_of_every_release_are_readable";
    process.args(["--exact", test, "--nocapture"]).env(STORE, address);
    process.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap()
}

/// Opens a store and audits it, in a process that `start_process` started.
async fn open_and_audit(address: &str) {
    let store = AnyStore::open_existing(address).await.unwrap();
    let report = audit(&store, RulesCache::new(BuiltIn)).await.unwrap();
    assert_eq!(report.findings, []);
    println!("opened it");
}
