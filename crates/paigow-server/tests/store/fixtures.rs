//! Stores that earlier releases wrote, each in a folder of `tests/fixtures`: this program opens them, finds every round as it was
//! settled, changes no row of it, and plays on.
//!
//! `cargo xtask fixture` makes the folder of a release; a folder that is added is tested without a change here.

#[path = "../../examples/history/summary.rs"]
mod summary;

use crate::kit::cluster::Cluster;
use crate::kit::{Stage, name, operator};
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
const KEPT: [(&str, &str); 3] =
    [("events", "table_id, seq"), ("commands", "actor, id"), ("journal", "place")];

/// The store that a started process opens.
const STORE: &str = "PAIGOW_FIXTURE_STORE";

/// The folders of all releases.
fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut folders: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    assert!(folders.iter().any(|folder| folder.ends_with("0.0.0")), "the first release is not there");
    folders
}

/// The rows of a database as texts, by table: columns, then rows in order.
type Rows = BTreeMap<&'static str, Vec<Vec<String>>>;

/// Reads rows without the store, in the columns that an earlier read found.
fn rows_of_file(path: &Path, before: Option<&Rows>) -> Rows {
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
    KEPT.into_iter().map(read).collect()
}

/// The programs that a file says have opened it.
fn programs(path: &Path) -> Vec<String> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let mut statement = connection.prepare("SELECT program FROM programs").unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

async fn rows_of_database(address: &str, before: Option<&Rows>) -> Rows {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    let mut all = Rows::new();
    for (table, order) in KEPT {
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
        assert!(*rows == after[table], "a row of {table} has changed");
    }
}

/// Makes a database of a fixture's statements.
async fn load(cluster: &Cluster, folder: &Path) -> String {
    let address = cluster.database().await;
    let (client, connection) = tokio_postgres::connect(&address, NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    client.batch_execute(&fs::read_to_string(folder.join("store.sql")).unwrap()).await.unwrap();
    drop(client);
    connection.await.unwrap().unwrap();
    address
}

/// Compares what is read with what was kept. A later release may say more about a line than was said when it was kept.
#[track_caller]
fn assert_kept(found: &Value, kept: &Value, at: &str) {
    match (found, kept) {
        (Value::Object(found), Value::Object(kept)) => {
            for (key, kept) in kept {
                assert_kept(found.get(key).unwrap_or(&Value::Null), kept, &format!("{at}.{key}"));
            }
        }
        (Value::Array(found), Value::Array(kept)) => {
            assert_eq!(found.len(), kept.len(), "{at}");
            for (index, (found, kept)) in found.iter().zip(kept).enumerate() {
                assert_kept(found, kept, &format!("{at}[{index}]"));
            }
        }
        // Versions up to 0.1.0 kept an operator's reason as a text alone.
        (Value::Object(found), Value::String(text)) if at.ends_with(".reason") => {
            assert_eq!(
                (found["code"].as_str(), found["text"].as_str()),
                (Some("other"), Some(&text[..])),
                "{at}"
            );
        }
        _ => assert_eq!(found, kept, "{at}"),
    }
}

/// The store is as it was kept: an audit finds nothing, and hashes, balances and settlements are those of the release.
async fn is_as_kept<S: Store>(store: &S, folder: &Path) {
    let kept: Value = serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap();
    let rounds =
        kept["tables"].as_array().unwrap().iter().flat_map(|table| table["rounds"].as_array().unwrap());
    assert!(rounds.filter(|round| round["outcome"] == "settled").count() >= 10, "{}", folder.display());
    assert_kept(&summary::of(store).await.unwrap(), &kept, "expected");
}

/// What a release signed is verified with its key, and with no other.
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
    host: Host<S, Stage>,
}

impl<S: Store> Continuation<S> {
    fn new(store: S) -> Continuation<S> {
        Continuation { host: Host::new(store, Stage::new(9), RulesCache::new(BuiltIn), crate::kit::keys()) }
    }

    /// Sets the clock to the time of the table's last event: other tables may have later ones.
    async fn turn_to(&self, id: &TableId) {
        let (_, seq) = self.host.table(id).await.unwrap();
        let last = self.host.store().events(id, seq - 1).await.unwrap().remove(0);
        self.host.world().now.store(last.at.0, Ordering::Relaxed);
    }

    async fn table(&self, id: &TableId) -> Table {
        self.host.table(id).await.unwrap().0
    }

    async fn gives(&self, id: &TableId, by: &Actor, command: Command) {
        let (_, seq) = self.host.table(id).await.unwrap();
        let given = self.host.command(id, by, &name(&format!("on-{id}-{seq}")), &command).await;
        given.unwrap_or_else(|error| panic!("{id}: {by} {command:?}: {error}"));
    }

    async fn clock(&self, id: &TableId) {
        let due = self.table(id).await.due().unwrap();
        self.host.world().now.fetch_max(due.0, Ordering::Relaxed);
        self.host.tick(id).await.unwrap().expect("something is due");
    }

    /// Finishes the open round: by a player's command if a hand is not set, then by the clock.
    async fn finish(&self, id: &TableId) {
        let seq = self.host.table(id).await.unwrap().1;
        if let TablePhase::Settings { .. } = self.table(id).await.phase() {
            let table = self.table(id).await;
            let view = table.view(&paigow_table::Viewer::Watcher);
            let unset = view.seats.iter().find(|seat| seat.hand.as_ref().is_some_and(|hand| !hand.set));
            let unset = unset.expect("a hand is not set");
            let command = Command::At { seat: unset.seat, command: Box::new(Command::HouseWay) };
            self.gives(id, &Actor::Player(unset.player.clone()), command).await;
        }
        while !matches!(self.table(id).await.phase(), TablePhase::Between { .. } | TablePhase::Waiting) {
            self.clock(id).await;
        }
        let events = self.host.store().events(id, seq).await.unwrap();
        let settled = |json: &str| matches!(serde_json::from_str(json).unwrap(), TableEvent::Settled { .. });
        assert!(events.iter().any(|row| settled(&row.json)), "the round at {id} was not settled");
    }

    /// Voids the open round and closes the table: no hold stays open.
    async fn close(&self, id: &TableId) {
        if self.table(id).await.open_holds().next().is_some() {
            self.gives(id, &operator(), Command::Void { reason: "the house closes".into() }).await;
        }
        self.gives(id, &operator(), Command::Close).await;
        while !self.table(id).await.is_closed() {
            self.clock(id).await;
        }
    }
}

/// Settles the rounds left open, plays one more, pays all money out and audits.
async fn goes_on<S: Store>(store: S) {
    let continuation = Continuation::new(store);
    let (mut dealt, mut open) = (0, 0);
    for head in continuation.host.store().tables().await.unwrap() {
        let (id, table) = (&head.table, continuation.table(&head.table).await);
        if table.is_closed() {
            continue;
        }
        continuation.turn_to(id).await;
        let held = table.open_holds().next().is_some();
        dealt += u64::from(held && matches!(table.phase(), TablePhase::Settings { .. }));
        open += u64::from(held && matches!(table.phase(), TablePhase::Wagers { .. }));
        // The digest of a 0.0.0 table with changed values cannot be compared, and rules by which the house paid for a bank are played no more: the
        // table can only be closed.
        if matches!(table.rules_match(), RulesMatch::Unverified | RulesMatch::Retired) {
            continuation.close(id).await;
            continue;
        }
        assert!(!table.rules_have_changed(), "{id} cannot be played on");
        if held {
            continuation.finish(id).await;
        }
        play_a_round(&continuation, id).await;
        continuation.close(id).await;
    }
    assert!(dealt > 0 && open > 0, "{dealt} tables were left with hands dealt, {open} with wagers open");
    redeem_everything(&continuation).await;
    let report = audit(continuation.host.store(), RulesCache::new(BuiltIn)).await.unwrap();
    assert_eq!(report.findings, []);
}

/// Plays one more round with the seated players.
async fn play_a_round<S: Store>(continuation: &Continuation<S>, id: &TableId) {
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
        let has = continuation.host.store().balances(std::slice::from_ref(&account)).await.unwrap()[&account];
        let player = Actor::Player(player.clone());
        if has < 5_000 {
            continuation.gives(id, &player, Command::PassBank).await;
        } else {
            continuation.gives(id, &player, Command::TakeBank { cents: 5_000 }).await;
            banker = Some(player);
        }
    }
    for (seat, player) in players.iter().filter(|(_, player)| banker.as_ref() != Some(player)) {
        let wager = Command::Wager { wager: "pai-gow".to_owned(), cents: 500, color: None };
        let wager = Command::At { seat: *seat, command: Box::new(wager) };
        let given = continuation.host.command(id, player, &name(&format!("again-{id}-{seat}")), &wager).await;
        // A player who has lost everything cannot wager.
        assert!(
            given.as_ref().map_or_else(|error| error.code() == "insufficient_funds", |_| true),
            "{given:?}"
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
            assert_eq!(cents, 0, "{} holds money of no round", account.owner);
        }
        if matches!(account.owner, Owner::Player(_)) && cents > 0 {
            let issue = Account { owner: Owner::Issue, currency: account.currency.clone() };
            let id = name(&format!("out-{}-{}", account.currency, account.owner));
            let way = (account, issue);
            let cents = cents.cast_unsigned();
            continuation.host.transfer(&operator(), &id, way, cents, Purpose::Redeem).await.unwrap();
        }
    }
    let left = store.trial_balance().await.unwrap();
    assert!(left.iter().all(|(account, cents)| !matches!(account.owner, Owner::Player(_)) || *cents == 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_of_every_release() {
    for folder in fixtures() {
        println!("{}", folder.display());
        let copies = tempfile::tempdir().unwrap();
        let path = copies.path().join("paigow.db");
        fs::copy(folder.join("store.db"), &path).unwrap();
        let before = rows_of_file(&path, None);
        let store = AnyStore::open_existing(path.to_str().unwrap()).await.unwrap();
        is_as_kept(&store, &folder).await;
        assert_unchanged(&before, &rows_of_file(&path, Some(&before)));
        assert!(programs(&path).contains(&PROGRAM.to_owned()), "the program is not recorded");
        Box::pin(goes_on(store)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn databases_of_every_release() {
    let cluster = Cluster::start();
    for folder in fixtures() {
        println!("{}", folder.display());
        let address = load(&cluster, &folder).await;
        let before = rows_of_database(&address, None).await;
        // Two processes that are brought up to date meet the same old database.
        let processes = [(); 2].map(|()| start(&address));
        for process in processes {
            let output = process.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
            assert!(String::from_utf8_lossy(&output.stdout).contains("opened it"));
        }
        let store = AnyStore::open_existing(&address).await.unwrap();
        is_as_kept(&store, &folder).await;
        assert_unchanged(&before, &rows_of_database(&address, Some(&before)).await);
        Box::pin(goes_on(store)).await;
    }
}

fn start(address: &str) -> std::process::Child {
    let mut process = Process::new(std::env::current_exe().unwrap());
    process.args(["--exact", "fixtures::a_process_that_opens", "--nocapture"]).env(STORE, address);
    process.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap()
}

/// Opens a store and audits it in a process that `start` started; does nothing in the test run itself.
#[tokio::test]
async fn a_process_that_opens() {
    let Ok(address) = std::env::var(STORE) else { return };
    let store = AnyStore::open_existing(&address).await.unwrap();
    let report = audit(&store, RulesCache::new(BuiltIn)).await.unwrap();
    assert_eq!(report.findings, []);
    println!("opened it");
}
