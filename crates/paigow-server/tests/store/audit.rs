//! Audits: every change made to the store without the server is reported.

use crate::kit::cluster::Cluster;
use crate::kit::{Game, TempStore, config, host, name, operator, wager};
use paigow::rulebook::BuiltIn;
use paigow_server::{AuditReport, Finding, Postgres, RulesCache, Sqlite, Store, audit};
use paigow_table::{Command, TablePhase, Viewer};
use rusqlite::Connection;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Plays at tables of two books: settled, voided and open rounds, and banks that cannot pay every fee.
async fn play_rounds(store: impl Store) {
    let host = host(store, 1);
    let dealer = Game::open(&host, "t1", "ez", 3).await;
    for _ in 0..3 {
        dealer.play_round().await;
    }
    dealer.expect_done("t1-p1", wager(5_000)).await;
    let banked = Game::open(&host, "t2", "california", 3).await;
    for _ in 0..4 {
        banked.play_round().await;
    }
    let void = Command::Void { reason: "a card was exposed".into() };
    host.command(&name("t2"), &operator(), &name("void"), &void).await.unwrap();

    // Zoe puts up her whole balance except the fee, which is held separately.
    for number in 0..LOW_BANKS {
        let table = format!("poor{number}");
        let (zoe, yan) = (format!("zoe{number}"), format!("yan{number}"));
        let mut config = config(&table, "california");
        let fees = "[{ wager_from = \"0.00\", player = \"1.00\", banker = \"2.00\" }]";
        config.changes.insert("collection.schedule".to_owned(), fees.to_owned());
        host.open(&operator(), &name(&table), config).await.unwrap();
        let poor = Game::new(&host, &table, 0);
        for (seat, who, cents) in [(1, &zoe, 2_700), (2, &yan, 50_000)] {
            poor.issue(who, cents).await;
            poor.expect_done(who, Command::Sit { seat }).await;
        }
        let (table, _) = host.table(&poor.table).await.unwrap();
        assert!(matches!(table.phase(), TablePhase::Offering { seat: 1, .. }));
        poor.expect_done(&zoe, Command::TakeBank { cents: 2_500 }).await;
        poor.expect_done(&yan, wager(2_500)).await;
        poor.fire_deadline().await;
        poor.fire_deadline().await;
        if number % 2 == 1 {
            // The round is voided after it was settled: everything is returned, including fees.
            host.command(&poor.table, &operator(), &name(&format!("void-{number}")), &void).await.unwrap();
            let (table, _) = host.table(&poor.table).await.unwrap();
            assert!(table.view(&Viewer::Watcher).round.unwrap().voided.is_some());
        }
    }
}

/// Number of banks that cannot pay the fee if they lose: enough that one does.
const LOW_BANKS: u64 = 6;

/// A file with these rounds, whose copies the tests modify.
struct Original {
    folder: TempDir,
    path: PathBuf,
}

impl Original {
    async fn create() -> Original {
        let TempStore { store, folder } = TempStore::new();
        Box::pin(play_rounds(store.clone())).await;
        drop(store);
        let path = folder.path().join("paigow.db");
        // Closing the last connection moves the log into the database file.
        assert!(!path.with_extension("db-wal").exists());
        Original { folder, path }
    }

    fn copy(&self) -> PathBuf {
        let copy = self.folder.path().join("copy.db");
        for path in [copy.clone(), copy.with_extension("db-wal"), copy.with_extension("db-shm")] {
            let _ = fs::remove_file(path);
        }
        fs::copy(&self.path, &copy).unwrap();
        copy
    }

    async fn audit_changed(&self, change: &str) -> AuditReport {
        let copy = self.copy();
        let file = Connection::open(&copy).unwrap();
        file.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;").unwrap();
        file.execute_batch(change).unwrap();
        drop(file);
        audit_file(&copy).await.unwrap()
    }
}

async fn audit_file(path: &Path) -> Result<AuditReport, String> {
    let store = Sqlite::open_existing(path).map_err(|error| error.to_string())?;
    audit(&store, RulesCache::new(BuiltIn)).await.map_err(|error| error.to_string())
}

fn first(report: &AuditReport) -> &Finding {
    report.findings.first().expect("no findings")
}

#[tokio::test(flavor = "multi_thread")]
async fn untouched_store_has_no_findings() {
    let original = Original::create().await;
    let report = audit_file(&original.path).await.unwrap();
    assert_eq!(report.findings, []);
    assert_eq!((report.tables, report.rounds), (2 + LOW_BANKS, 4 + 5 + LOW_BANKS));
    assert_eq!(report.heads.len() as u64, 2 + LOW_BANKS);
    let guarantees: i64 = Connection::open(&original.path)
        .unwrap()
        .query_row("SELECT count(*) FROM journal WHERE purpose = 'guarantee'", [], |row| row.get(0))
        .unwrap();
    assert_eq!(guarantees, 0, "the house pays for a bank");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_change_is_found() {
    let original = Original::create().await;
    let cases = [
        // Changed events.
        (
            "UPDATE events SET json = replace(json, '2500', '2600') WHERE table_id = 't1' AND seq = 8",
            "chain_broken",
            "event 8 of table t1",
        ),
        (
            "UPDATE events SET hash = zeroblob(32) WHERE table_id = 't2' AND seq = 4",
            "chain_broken",
            "event 4 of table t2",
        ),
        (
            "UPDATE events SET at = at + 1 WHERE table_id = 't1' AND seq = 3",
            "time_changed",
            "event 3 of table t1",
        ),
        (
            "UPDATE events SET round = 7 WHERE table_id = 't1' AND seq = 9",
            "round_differs",
            "event 9 of table t1",
        ),
        // Two swapped events.
        (
            "UPDATE events SET seq = -seq WHERE table_id = 't1' AND seq IN (11, 12);
          UPDATE events SET seq = CASE seq WHEN -11 THEN 12 ELSE 11 END WHERE seq < 0",
            "chain_broken",
            "event 11 of table t1",
        ),
        // Missing events.
        ("DELETE FROM events WHERE table_id = 't1' AND seq = 5", "event_missing", "event 5 of table t1"),
        (
            "DELETE FROM events WHERE table_id = 'poor1' AND seq = (SELECT max(seq) FROM events WHERE table_id = 'poor1')",
            "event_missing",
            "event ",
        ),
        // Transfers, balances and holds.
        ("UPDATE journal SET cents = cents + 1 WHERE id = 't1/1/h1'", "transfer_differs", "transfer t1/1/h1"),
        (
            "UPDATE journal SET credit = 'player:t1-p3' WHERE id = 't1/1/s1'",
            "transfer_differs",
            "transfer t1/1/s1",
        ),
        ("DELETE FROM journal WHERE id = 't2/1/s1'", "transfer_", "transfer t2/1/s"),
        (
            "DELETE FROM journal WHERE place = (SELECT place FROM journal WHERE table_id IS NULL LIMIT 1)",
            "transfer_missing",
            "transfer issue/",
        ),
        (
            "UPDATE journal SET cents = 5 WHERE place = (SELECT place FROM journal WHERE table_id IS NULL LIMIT 1)",
            "transfer_differs",
            "transfer issue/",
        ),
        ("UPDATE journal SET at = at + 1 WHERE id = 't1/1/s1'", "time_changed", "transfer t1/1/s1"),
        (
            "UPDATE accounts SET cents = cents + 100 WHERE owner = 'player:t1-p1'",
            "balance_differs",
            "account player:t1-p1 in PRACTICE",
        ),
        (
            "UPDATE accounts SET cents = cents + 100 WHERE owner = 'house' AND shard = 't1'",
            "balance_differs",
            "account house in PRACTICE (table t1)",
        ),
        ("DELETE FROM accounts WHERE owner = 'issue'", "balance_differs", "account issue in PRACTICE"),
        (
            "INSERT INTO accounts VALUES ('player:eve', 'PRACTICE', '', 100)",
            "balance_differs",
            "account player:eve in PRACTICE",
        ),
        ("UPDATE holds SET cents_left = 7 WHERE id = 't1/1/h1'", "hold_differs", "hold t1/1/h1"),
        ("UPDATE holds SET holder = 'player:eve' WHERE id = 't1/1/h1'", "hold_differs", "hold t1/1/h1"),
        // Commands and answers.
        (
            "UPDATE commands SET answer = '{\"after\":1,\"seq\":3}' WHERE id = 'c-t1-1'",
            "answer_differs",
            "event 2 of table t1",
        ),
        (
            "UPDATE commands SET body = '{\"do\":\"sit\",\"seat\":4}' WHERE id = 'c-t1-1'",
            "event_differs",
            "event 2 of table t1",
        ),
        ("DELETE FROM commands WHERE id = 'void'", "file_damaged", "the database"),
        ("UPDATE commands SET digest = zeroblob(32) WHERE id = 'void'", "chain_broken", "event "),
        (
            "UPDATE journal SET purpose = 'nonsense' WHERE id = 't1/1/s1'",
            "unreadable",
            "table t1: a purpose `nonsense`",
        ),
    ];
    for (change, code, location) in cases {
        let report = original.audit_changed(change).await;
        let Some(found) = report.findings.first() else { panic!("{change}: no findings") };
        assert!(
            found.code.starts_with(code) && found.place.starts_with(location),
            "{change}\n{:#?}",
            report.findings
        );
    }
}

/// The kind of an event, the change of its text, and the expected finding.
type Forgery = (&'static str, fn(&str) -> String, &'static str);

/// A forger who recomputes every hash is still detected by replaying the rules.
#[tokio::test(flavor = "multi_thread")]
async fn forged_chain_is_checked_against_the_rules() {
    let original = Original::create().await;
    let changes: [Forgery; 7] = [
        ("\"event\":\"dealt\"", change_dice, "deal_differs"),
        (
            "\"event\":\"settled\"",
            |json| {
                json.replacen("\"net_cents\":", "\"net_cents\":1", 1).replacen(
                    "\"net_cents\":1-",
                    "\"net_cents\":-1",
                    1,
                )
            },
            "settlement_differs",
        ),
        // A sentence beside the reason, another reason, and a table that claims to be of version 0.0.0 or of a later
        // program.
        (
            "\"event\":\"settled\"",
            |json| json.replacen("\"reason\":", "\"because\":\"words\",\"cite\":\"X-1\",\"reason\":", 1),
            "settlement_differs",
        ),
        ("\"event\":\"settled\"", change_reason, "settlement_differs"),
        ("\"event\":\"opened\"", |json| json.replacen(",\"form\":1", "", 1), "event_misfit"),
        ("\"event\":\"opened\"", |json| json.replacen(",\"form\":1", ",\"form\":2", 1), "rules_differ"),
        (
            "\"event\":\"round_opened\"",
            |json| json.replace("\"commitment\":\"", "\"commitment\":\"00").replace("00\"}", "\"}"),
            "",
        ),
    ];
    for (kind, change, code) in changes {
        let copy = original.copy();
        forge(&copy, kind, change);
        let report = audit_file(&copy).await.unwrap();
        let found = first(&report);
        assert!(found.place.ends_with("of table t1") && found.code != "chain_broken", "{kind}: {found:?}");
        assert!(code.is_empty() || found.code == code, "{kind}: {found:?}");
    }
}

fn change_reason(json: &str) -> String {
    let other = ["higher", "lower"]
        .map(|word| json.replacen(&format!("\"high\":\"{word}\""), "\"high\":\"copy\"", 1));
    other.into_iter().find(|other| other != json).expect("no compared hands")
}

/// Changes the dice, because the cards are not stored.
fn change_dice(json: &str) -> String {
    let start = json.find("\"dice\":").unwrap() + 7;
    let dice: u8 = json[start..=start].parse().unwrap();
    format!("{}{}{}", &json[..start], dice % 6 + 1, &json[start + 1..])
}

/// Changes the first event of a kind, and recomputes every hash from there on.
fn forge(path: &Path, kind: &str, change: fn(&str) -> String) {
    let file = Connection::open(path).unwrap();
    let mut select = file
        .prepare(
            "SELECT e.seq, e.json, c.digest FROM events e JOIN commands c ON (c.actor, c.id) = (e.actor, e.command) \
             WHERE e.table_id = 't1' ORDER BY e.seq",
        )
        .unwrap();
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    let rows: Vec<(i64, String, Vec<u8>)> = rows.map(Result::unwrap).collect();
    let mut before = vec![0; 32];
    let mut changed = false;
    for (seq, mut json, digest) in rows {
        if !changed && json.contains(kind) {
            json = change(&json);
            changed = true;
        }
        before = hash(&before, "t1", seq, &digest, &json);
        file.execute(
            "UPDATE events SET json = ?1, hash = ?2 WHERE table_id = 't1' AND seq = ?3",
            (&json, &before, seq),
        )
        .unwrap();
    }
    assert!(changed);
}

/// Second implementation of the hash, from the documentation.
fn hash(before: &[u8], table: &str, seq: i64, digest: &[u8], json: &str) -> Vec<u8> {
    use sha2::{Digest, Sha256};
    let text = |text: &str| [&(text.len() as u64).to_be_bytes()[..], text.as_bytes()].concat();
    let parts = [
        text("paigow event 1"),
        before.to_vec(),
        text(table),
        seq.to_be_bytes().to_vec(),
        digest.to_vec(),
        text(json),
    ];
    Sha256::digest(parts.concat()).to_vec()
}

#[tokio::test(flavor = "multi_thread")]
async fn truncated_file_is_detected() {
    let original = Original::create().await;
    let whole = fs::read(&original.path).unwrap();
    for part in [0, 1, 10, 100, whole.len() / 4, whole.len() / 2, whole.len() - 4096, whole.len() - 1] {
        let copy = original.copy();
        fs::write(&copy, &whole[..part]).unwrap();
        match audit_file(&copy).await {
            Err(error) => assert!(!error.is_empty()),
            Ok(report) => {
                assert!(!report.findings.is_empty(), "truncated to {part} of {} bytes", whole.len());
            }
        }
    }
}

/// Returns every row of the audited tables as text.
fn contents(path: &Path) -> Option<Vec<String>> {
    let file = Connection::open(path).ok()?;
    let mut all = Vec::new();
    for table in ["tables", "commands", "events", "journal", "accounts", "holds"] {
        let mut select = file.prepare(&format!("SELECT * FROM {table}")).ok()?;
        let columns = select.column_count();
        let mut rows = select.query([]).ok()?;
        while let Some(row) = rows.next().ok()? {
            let row: Vec<_> = (0..columns).map(|column| row.get_ref(column).unwrap()).collect();
            all.push(format!("{table} {row:?}"));
        }
    }
    all.sort();
    Some(all)
}

/// A flipped bit is detected, or it does not change any row.
#[tokio::test(flavor = "multi_thread")]
async fn flipped_bit_in_a_row_is_detected() {
    let original = Original::create().await;
    let whole = fs::read(&original.path).unwrap();
    let expected = contents(&original.path).unwrap();
    let (mut found, mut harmless) = (0, 0);
    for step in 0..150_usize {
        let offset = step * whole.len() / 150 + step * 37 % 500;
        let copy = original.copy();
        let mut bytes = whole.clone();
        bytes[offset] ^= 1 << (step % 8);
        fs::write(&copy, &bytes).unwrap();
        match audit_file(&copy).await {
            Ok(report) if report.findings.is_empty() => {
                assert_eq!(contents(&copy).as_ref(), Some(&expected), "byte {offset}");
                harmless += 1;
            }
            _ => found += 1,
        }
    }
    println!("{found} found, {harmless} harmless");
    assert!(found > 50);
}

#[tokio::test(flavor = "multi_thread")]
async fn audit_reads_postgresql() {
    let cluster = Cluster::start();
    let address = cluster.database().await;
    let store = Postgres::open(&address).await.unwrap();
    Box::pin(play_rounds(store.clone())).await;
    let report = audit(&store, RulesCache::new(BuiltIn)).await.unwrap();
    assert_eq!(report.findings, []);
    assert_eq!((report.tables, report.rounds), (2 + LOW_BANKS, 4 + 5 + LOW_BANKS));

    let (client, connection) = tokio_postgres::connect(&address, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute("UPDATE journal SET cents = cents + 1 WHERE id = 't1/1/h1'").await.unwrap();
    let report = audit(&store, RulesCache::new(BuiltIn)).await.unwrap();
    assert_eq!(
        (first(&report).code, first(&report).place.as_str()),
        ("transfer_differs", "transfer t1/1/h1")
    );
    client.batch_execute("UPDATE journal SET cents = cents - 1 WHERE id = 't1/1/h1'").await.unwrap();
    client
        .batch_execute("UPDATE events SET json = json || ' ' WHERE table_id = 't2' AND seq = 3")
        .await
        .unwrap();
    let report = audit(&store, RulesCache::new(BuiltIn)).await.unwrap();
    assert_eq!((first(&report).code, first(&report).place.as_str()), ("chain_broken", "event 3 of table t2"));
}
