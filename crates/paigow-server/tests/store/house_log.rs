//! The house log chains all records outside tables: an audit reports forged, deleted, swapped and truncated records.

use crate::kit::cluster::Cluster;
use crate::kit::{Game, TempStore, host, name, operator, player_account};
use paigow::rulebook::BuiltIn;
use paigow_server::{
    AuditOptions, AuditReport, DocumentKey, DocumentKind, DocumentWrite, Documents, HeadSigner, HeadVerifier,
    Heads, NewAct, People, PeopleChange, Person, PersonKind, Postgres, RulesCache, Session, SessionOwner,
    Sqlite, Store, audit, audit_with,
};
use paigow_table::{KeyId, Purpose, Time};
use rusqlite::Connection;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use tokio_postgres::NoTls;

fn session(first: u8, who: SessionOwner) -> Session {
    Session {
        digest: [first; 32],
        who,
        since: Time(5),
        seen: Time(5),
        until: Time(1_000_000),
        client: String::new(),
    }
}

fn act(number: u64) -> NewAct {
    NewAct::new(name("olga"), "chips", &json!({ "number": number })).unwrap()
}

/// Writes of two documents, one of which is replaced, and of a third that is deleted.
fn document_writes() -> Vec<DocumentWrite> {
    [
        ("ann", 0, Some("{}")),
        ("bob", 0, Some("{}")),
        ("ann", 1, Some("[]")),
        ("cat", 0, Some("{}")),
        ("cat", 1, None),
    ]
    .map(|(id, expected, json)| DocumentWrite {
        key: DocumentKey { kind: DocumentKind::Account, id: id.to_owned() },
        expected,
        json: json.map(str::to_owned),
    })
    .to_vec()
}

/// Fills a store with people, documents, operator sessions, a replaced secret, operator actions, a table with two rounds, and
/// chips issued and redeemed.
async fn fill_store<S: Store + People + Documents + Clone>(store: &S) {
    for (id, called) in [("ann", "Ann"), ("bob", "Bob"), ("cat", "Cat")] {
        let person =
            Person { id: name(id), name: called.parse().unwrap(), kind: PersonKind::Guest, since: Time(3) };
        assert!(store.enrol(person.clone()).await.unwrap());
        assert!(!store.enrol(person).await.unwrap(), "a second enrolment is refused and not logged");
    }
    assert!(store.rename(&name("bob"), &"Robert".parse().unwrap()).await.unwrap());
    assert!(!store.rename(&name("absent"), &"Robert".parse().unwrap()).await.unwrap());
    assert!(store.claim_operator_secret([1; 32], Time(4)).await.unwrap());
    assert!(!store.claim_operator_secret([2; 32], Time(4)).await.unwrap());
    assert!(store.begin_session(session(1, SessionOwner::Operator(name("olga")))).await.unwrap());
    store.replace_operator_secret([3; 32], Time(5)).await.unwrap();
    for (first, who) in [
        (2, SessionOwner::Operator(name("olga"))),
        (3, SessionOwner::Operator(name("oleg"))),
        (4, SessionOwner::Operator(name("otto"))),
        (5, SessionOwner::Operator(name("otto"))),
        (6, SessionOwner::Player(name("ann"))),
        (7, SessionOwner::Player(name("ann"))),
    ] {
        assert!(store.begin_session(session(first, who)).await.unwrap());
    }
    assert!(store.end_session(&[3; 32]).await.unwrap());
    assert!(store.end_session(&[6; 32]).await.unwrap());
    assert_eq!(store.end_sessions_of(&SessionOwner::Operator(name("otto"))).await.unwrap(), 2);
    for number in 1..=4 {
        store.log_act(act(number), Time(6)).await.unwrap();
    }
    for write in document_writes() {
        let change = PeopleChange { documents: vec![write], ..PeopleChange::default() };
        assert!(store.change_people(change, Time(6)).await.unwrap());
    }
    let expired = Session { until: Time(10), ..session(8, SessionOwner::Operator(name("olga"))) };
    assert!(store.begin_session(expired).await.unwrap());
    assert_eq!(store.forget_sessions(Time(20)).await.unwrap(), 1);

    let host = host(store.clone(), 1);
    let game = Game::open(&host, "t1", "ez", 2).await;
    game.play_round().await;
    game.play_round().await;
    for (id, cents) in [("i1", 5_000), ("i2", 6_000)] {
        host.issue(&operator(), &name(id), player_account("ann"), cents).await.unwrap();
        host.issue(&operator(), &name(id), player_account("ann"), cents).await.unwrap();
    }
    let issue = paigow_table::Account { owner: paigow_table::Owner::Issue, currency: name("PRACTICE") };
    host.transfer(&operator(), &name("r1"), (player_account("ann"), issue), 1_000, Purpose::Redeem)
        .await
        .unwrap();
}

/// A file with a filled store, whose copies the tests modify.
struct Original {
    folder: TempDir,
    path: PathBuf,
}

impl Original {
    async fn create() -> Original {
        let TempStore { store, folder } = TempStore::new();
        store.sign_heads(Arc::new(Key(1)));
        fill_store(&store).await;
        drop(store);
        Original { path: folder.path().join("paigow.db"), folder }
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

fn query_number(path: &Path, sql: &str) -> i64 {
    Connection::open(path).unwrap().query_row(sql, [], |row| row.get(0)).unwrap()
}

async fn audit_file(path: &Path) -> AuditReport {
    audit(&Sqlite::open_existing(path).unwrap(), RulesCache::new(BuiltIn)).await.unwrap()
}

fn findings_of(report: &AuditReport) -> Vec<(&'static str, &str)> {
    report.findings.iter().map(|finding| (finding.code, finding.place.as_str())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn untouched_store_has_no_findings() {
    let original = Original::create().await;
    let report = audit_file(&original.path).await;
    assert_eq!(report.findings, []);
    let entries = query_number(&original.path, "SELECT count(*) FROM house_log");
    assert_eq!(report.house_log.unwrap().seq, entries.cast_unsigned());
    // 3 people enrolled, 1 renamed, 1 secret claimed, 1 replaced, 6 operator sessions begun and 5 ended, 4 operator
    // actions, 5 writes of documents, 2 issues for the table, 2 more issues, 1 redemption.
    assert_eq!(entries, 3 + 1 + 1 + 1 + 6 + 5 + 4 + 5 + 2 + 2 + 1);
}

/// Forges an issue of chips with consistent command, transfer and balances, but without the log entry.
async fn forge_issue(path: &Path) {
    let entries = query_number(path, "SELECT count(*) FROM house_log");
    let store = Sqlite::open_existing(path).unwrap();
    host(store, 2).issue(&operator(), &name("forged"), player_account("ann"), 77_000_000).await.unwrap();
    assert_eq!(query_number(path, "SELECT count(*) FROM house_log"), entries + 1);
    change(path, &format!("DELETE FROM house_log WHERE seq > {entries}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn forged_issue_of_chips_is_found() {
    let original = Original::create().await;
    let copy = original.copy();
    forge_issue(&copy).await;
    let report = audit_file(&copy).await;
    assert_eq!(findings_of(&report), [("command_unlogged", "command forged of operator olga")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_change_outside_tables_is_found() {
    let original = Original::create().await;
    let exchange = |one: &str, other: &str| {
        format!(
            "CREATE TEMP TABLE places AS SELECT (SELECT place FROM journal WHERE {one} ORDER BY place LIMIT 1) AS one, \
             (SELECT place FROM journal WHERE {other} ORDER BY place DESC LIMIT 1) AS other; \
             UPDATE journal SET place = -1 WHERE place = (SELECT one FROM places); \
             UPDATE journal SET place = (SELECT one FROM places) WHERE place = (SELECT other FROM places); \
             UPDATE journal SET place = (SELECT other FROM places) WHERE place = -1;"
        )
    };
    let cases = [
        ("DELETE FROM people WHERE id = 'cat'".to_owned(), "person_missing", "person cat"),
        ("DELETE FROM people".to_owned(), "person_missing", "person ann"),
        ("UPDATE people SET name = 'Eve' WHERE id = 'bob'".to_owned(), "person_changed", "person bob"),
        ("INSERT INTO people VALUES ('eve', 'Eve', 'guest', 1)".to_owned(), "person_unlogged", "person eve"),
        (
            "INSERT INTO sessions VALUES (randomblob(32), 'operator:olga', 1, 1, 9999999999999, '')"
                .to_owned(),
            "session_unlogged",
            "session of operator olga since 1",
        ),
        (
            "UPDATE sessions SET digest = randomblob(32) WHERE who = 'operator:olga'".to_owned(),
            "session_unlogged",
            "session of operator olga since 5",
        ),
        (
            "UPDATE sessions SET who = 'operator:eve' WHERE who = 'player:ann'".to_owned(),
            "session_unlogged",
            "session of operator eve since 5",
        ),
        (
            "UPDATE sessions SET who = 'operator:eve' WHERE who = 'operator:olga'".to_owned(),
            "session_changed",
            "session of operator eve since 5",
        ),
        (
            "UPDATE documents SET json = '{}' WHERE id = 'ann'".to_owned(),
            "document_changed",
            "document account ann",
        ),
        (
            "UPDATE documents SET version = 1 WHERE id = 'ann'".to_owned(),
            "document_changed",
            "document account ann",
        ),
        ("DELETE FROM documents".to_owned(), "document_missing", "document account ann"),
        (
            "INSERT INTO documents VALUES ('operator', 'eve', 1, '{}')".to_owned(),
            "document_unlogged",
            "document operator eve",
        ),
        ("DELETE FROM sessions".to_owned(), "session_missing", "session of operator olga since 5"),
        (
            "UPDATE operator_secret SET digest = randomblob(32)".to_owned(),
            "secret_differs",
            "the operator secret",
        ),
        ("DELETE FROM operator_secret".to_owned(), "secret_differs", "the operator secret"),
        (
            "DELETE FROM operator_log WHERE place = 4".to_owned(),
            "operator_log_broken",
            "entry 4 of the operators' log",
        ),
        ("DELETE FROM operator_log".to_owned(), "operator_log_broken", "entry 1 of the operators' log"),
        (exchange("command = 'i1'", "command = 'i2'"), "journal_order", "transfer "),
        (exchange("table_id = 't1'", "table_id = 't1'"), "journal_order", "transfer t1/"),
        ("DELETE FROM house_log WHERE seq = 7".to_owned(), "house_log_broken", "entry 7 of the house log"),
        (
            "UPDATE house_log SET json = replace(json, 'ann', 'eve') WHERE seq = 1".to_owned(),
            "house_log_broken",
            "entry 1 of the house log",
        ),
        (
            "UPDATE house_log SET at = at + 1 WHERE seq = 2".to_owned(),
            "house_log_broken",
            "entry 2 of the house log",
        ),
        (
            "DELETE FROM house_log WHERE seq = (SELECT max(seq) FROM house_log)".to_owned(),
            "command_unlogged",
            "command r1 of operator olga",
        ),
        ("DELETE FROM house_log".to_owned(), "person_unlogged", "person ann"),
    ];
    for (sql, code, location) in cases {
        let copy = original.copy();
        change(&copy, &sql);
        let report = audit_file(&copy).await;
        let Some(found) = report.findings.first() else { panic!("{sql}: no findings") };
        assert!(found.code == code && found.place.starts_with(location), "{sql}\n{:#?}", report.findings);
    }
}

/// Exported heads reveal that a consistent store has been truncated or replaced.
#[tokio::test(flavor = "multi_thread")]
async fn exported_heads_detect_a_truncated_store() {
    let original = Original::create().await;
    let copy = original.copy();
    let early = audit_file(&copy).await.exported_heads();
    let store = Sqlite::open_existing(&copy).unwrap();
    let play_on = host(store.clone(), 3);
    play_on.issue(&operator(), &name("late"), player_account("ann"), 500).await.unwrap();
    store.log_act(act(5), Time(7)).await.unwrap();
    let table = Game::new(&play_on, "t1", 2);
    table.fire_deadline().await;
    let opened = Game::open(&play_on, "t2", "ez", 1).await;
    drop((table, opened));
    let late = audit(&store, RulesCache::new(BuiltIn)).await.unwrap();
    assert_eq!(late.findings, []);
    let late = late.exported_heads();
    let against = async |path: &Path, heads: &Heads| {
        let options = AuditOptions { against: Some(heads.clone()), ..AuditOptions::default() };
        let store = Sqlite::open_existing(path).unwrap();
        audit_with(&store, RulesCache::new(BuiltIn), options).await.unwrap()
    };
    // A store that has grown contains the exported heads.
    assert_eq!(against(&copy, &early).await.findings, []);
    assert_eq!(against(&copy, &late).await.findings, []);
    // A store that was restored to an earlier state does not.
    let report = against(&original.path, &late).await;
    let expected = [
        ("head_shortened", "table t1"),
        ("head_shortened", "the operators' log"),
        ("head_shortened", "the house log"),
        ("head_missing", "table t2"),
    ];
    assert_eq!(findings_of(&report), expected, "{:#?}", report.findings);
    // Other hashes at the same sequence numbers.
    let mut other = early.clone();
    let other_digits = if other.tables[0].hash.starts_with("00") { "11" } else { "00" };
    other.tables[0].hash.replace_range(0..2, other_digits);
    other.house_log.as_mut().unwrap().hash.0[0] ^= 1;
    other.operator_log.as_mut().unwrap().hash.0[0] ^= 1;
    let report = against(&original.path, &other).await;
    let expected = [
        ("head_differs", "table t1"),
        ("head_differs", "the operators' log"),
        ("head_differs", "the house log"),
    ];
    assert_eq!(findings_of(&report), expected, "{:#?}", report.findings);
    // Heads survive serialisation.
    let text = serde_json::to_string(&early).unwrap();
    assert_eq!(serde_json::from_str::<Heads>(&text).unwrap(), early);
}

/// A test key. Its signature is the digest of the key and the message, twice.
struct Key(u8);

impl HeadSigner for Key {
    fn sign(&self, message: &[u8]) -> Option<[u8; 64]> {
        let digest = Sha256::digest([&[self.0], message].concat());
        [&digest[..], &digest[..]].concat().try_into().ok()
    }
}

impl HeadVerifier for Key {
    fn verify(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        self.sign(message).as_ref() == Some(signature)
    }
}

/// Any writer of the store can compute hashes. An entry appended with a correct hash lacks the server's signature.
#[tokio::test(flavor = "multi_thread")]
async fn entry_without_the_servers_signature_is_found() {
    let original = Original::create().await;
    let copy = original.copy();
    let verified = async |path: &Path| {
        let options = AuditOptions { verifier: Some(Arc::new(Key(1))), ..AuditOptions::default() };
        let store = Sqlite::open_existing(path).unwrap();
        audit_with(&store, RulesCache::new(BuiltIn), options).await.unwrap()
    };
    assert_eq!(verified(&copy).await.findings, []);
    let store = Sqlite::open_existing(&copy).unwrap();
    store.sign_heads(Arc::new(Key(1)));
    let signing = host(store, 4);
    signing.issue(&operator(), &name("s1"), player_account("ann"), 500).await.unwrap();
    drop(signing);
    let report = verified(&copy).await;
    assert_eq!(report.findings, []);
    let mut heads = report.exported_heads();
    assert!(!heads.is_signed(&Key(1)), "the heads are already signed");
    heads.sign(&Key(1));
    assert!(heads.is_signed(&Key(1)) && !heads.is_signed(&Key(2)));
    heads.house_log.as_mut().unwrap().seq -= 1;
    assert!(!heads.is_signed(&Key(1)), "the signature does not cover the house log");

    let last = report.house_log.unwrap().seq;
    let location = format!("entry {} of the house log", last + 1);
    for (key, code) in [(None, "signature_missing"), (Some(Key(2)), "signature_differs")] {
        let forged = original.folder.path().join(format!("{code}.db"));
        fs::copy(&copy, &forged).unwrap();
        let store = Sqlite::open_existing(&forged).unwrap();
        if let Some(key) = key {
            store.sign_heads(Arc::new(key));
        }
        host(store, 5).issue(&operator(), &name("forged"), player_account("ann"), 77_000_000).await.unwrap();
        assert_eq!(audit_file(&forged).await.findings, [], "only the signature is wrong");
        let report = verified(&forged).await;
        assert_eq!(findings_of(&report), [(code, location.as_str())]);
    }
    // Signatures are not part of the hash, so all of them can be removed.
    change(&copy, "UPDATE house_log SET signature = NULL");
    let report = verified(&copy).await;
    let missing = findings_of(&report).into_iter().filter(|(code, _)| *code == "signature_missing").count();
    assert_eq!(missing as u64, last + 1, "one finding per entry and one for the log");
}

/// A migration adds the existing records of an older store to the house log.
#[tokio::test(flavor = "multi_thread")]
async fn house_log_covers_records_of_migrated_stores() {
    let folder = TempDir::new().unwrap();
    for version in ["0.0.0", "0.1.0", "0.2.0"] {
        let path = folder.path().join(format!("{version}.db"));
        fs::copy(
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/{version}/store.db")),
            &path,
        )
        .unwrap();
        assert_eq!(audit_file(&path).await.findings, [], "{version}");
        // The signature of the first start covers the entries of the migration.
        let verified = async |path: &Path| {
            let options = AuditOptions { verifier: Some(Arc::new(Key(1))), ..AuditOptions::default() };
            let store = Sqlite::open_existing(path).unwrap();
            audit_with(&store, RulesCache::new(BuiltIn), options).await.unwrap()
        };
        assert_eq!(
            findings_of(&verified(&path).await),
            [("signature_missing", "the house log")],
            "{version}"
        );
        let started = folder.path().join(format!("started-{version}.db"));
        fs::copy(&path, &started).unwrap();
        let store = Sqlite::open_existing(&started).unwrap();
        assert!(!store.has_signatures().await.unwrap());
        store.sign_heads(Arc::new(Key(1)));
        store.note_start(KeyId([1; 8]), Time(1)).await.unwrap();
        assert!(store.has_signatures().await.unwrap());
        drop(store);
        assert_eq!(verified(&started).await.findings, [], "{version}");
        let outside = query_number(&path, "SELECT count(*) FROM commands WHERE table_id IS NULL");
        let people = query_number(&path, "SELECT count(*) FROM people");
        let entries = query_number(&path, "SELECT count(*) FROM house_log");
        assert!(outside > 3 && people > 2 && entries > outside + people, "{version}: {entries}");
        for (sql, code) in [
            ("DELETE FROM people WHERE id = (SELECT max(id) FROM people)", "person_missing"),
            ("UPDATE operator_secret SET digest = randomblob(32)", "secret_differs"),
            (
                "DELETE FROM operator_log WHERE place = (SELECT max(place) FROM operator_log)",
                "operator_log_broken",
            ),
            (
                "INSERT INTO sessions VALUES (randomblob(32), 'operator:olga', 1, 1, 9999999999999, '')",
                "session_unlogged",
            ),
        ] {
            let copy = folder.path().join("copy.db");
            fs::copy(&path, &copy).unwrap();
            change(&copy, sql);
            let report = audit_file(&copy).await;
            let codes: Vec<&str> = report.findings.iter().map(|finding| finding.code).collect();
            assert!(codes.contains(&code), "{version}: {sql}: {codes:?}");
        }
        let copy = folder.path().join("copy.db");
        fs::copy(&path, &copy).unwrap();
        forge_issue(&copy).await;
        assert_eq!(
            findings_of(&audit_file(&copy).await),
            [("command_unlogged", "command forged of operator olga")],
            "{version}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn postgresql_has_the_same_house_log() {
    let cluster = Cluster::start();
    let address = cluster.database().await;
    let store = Postgres::open(&address).await.unwrap();
    store.sign_heads(Arc::new(Key(1)));
    fill_store(&store).await;
    let options = || AuditOptions { verifier: Some(Arc::new(Key(1))), ..AuditOptions::default() };
    let report = audit_with(&store, RulesCache::new(BuiltIn), options()).await.unwrap();
    assert_eq!(report.findings, []);
    assert_eq!(report.house_log.unwrap().seq, 3 + 1 + 1 + 1 + 6 + 5 + 4 + 5 + 2 + 2 + 1);

    let (client, connection) = tokio_postgres::connect(&address, NoTls).await.unwrap();
    tokio::spawn(connection);
    let digest = "'\\x0101010101010101010101010101010101010101010101010101010101010101'";
    for (sql, code) in [
        ("DELETE FROM people WHERE id = 'cat'".to_owned(), "person_missing"),
        (
            format!("INSERT INTO sessions VALUES ({digest}, 'operator:olga', 1, 1, 9999999999999, '')"),
            "session_unlogged",
        ),
        (format!("UPDATE operator_secret SET digest = {digest}"), "secret_differs"),
        ("DELETE FROM operator_log WHERE place = 4".to_owned(), "operator_log_broken"),
        ("DELETE FROM house_log WHERE seq = (SELECT max(seq) FROM house_log)".to_owned(), "command_unlogged"),
        ("UPDATE house_log SET signature = NULL WHERE seq = 9".to_owned(), "signature_missing"),
    ] {
        client.batch_execute("BEGIN").await.unwrap();
        client.batch_execute(&sql).await.unwrap();
        client.batch_execute("COMMIT").await.unwrap();
        let report = audit_with(&store, RulesCache::new(BuiltIn), options()).await.unwrap();
        let codes: Vec<&str> = report.findings.iter().map(|finding| finding.code).collect();
        assert!(codes.contains(&code), "{sql}: {codes:?}");
    }
}

/// Writers of all kinds in several processes share one log: no entry is lost, and the journal has the order of the log.
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_writers_make_one_chain() {
    let cluster = Cluster::start();
    let address = cluster.database().await;
    let stores = [Postgres::open(&address).await.unwrap(), Postgres::open(&address).await.unwrap()];
    let mut tasks = tokio::task::JoinSet::new();
    for (process, store) in stores.iter().enumerate() {
        for number in 0..20_u64 {
            let store = store.clone();
            tasks.spawn(async move {
                let id = format!("p{process}-{number}");
                let person = Person {
                    id: name(&id),
                    name: "Guest".parse().unwrap(),
                    kind: PersonKind::Guest,
                    since: Time(number),
                };
                assert!(store.enrol(person).await.unwrap());
                let host = host(store.clone(), number);
                host.issue(&operator(), &name(&id), player_account(&id), 100 + number).await.unwrap();
                store.log_act(act(number), Time(number)).await.unwrap();
            });
        }
    }
    tasks.join_all().await;
    let report = audit(&stores[0], RulesCache::new(BuiltIn)).await.unwrap();
    assert_eq!(report.findings, []);
    assert_eq!(report.house_log.unwrap().seq, 2 * 20 * 3);
}
