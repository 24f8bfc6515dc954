//! Conformance tests for people, sessions and operators, run against every store.

use crate::both_stores::on_both_stores;
use crate::kit::cluster::Cluster;
use crate::kit::{Game, TempStore, host, name};
use paigow::rulebook::BuiltIn;
use paigow_server::{
    ActFault, AuditReport, NewAct, OperatorAct, People, Person, PersonKind, PersonName, PersonNameFault,
    Postgres, RulesCache, Session, SessionOwner, Sqlite, Store, StoreCounts, audit, secret_digest,
};
use paigow_table::{Actor, Commitment, PlayerId, Time};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn guest(id: &str, since: u64) -> Person {
    Person {
        id: name(id),
        name: name(&format!("{id} the guest")),
        kind: PersonKind::Guest,
        since: Time(since),
    }
}

fn session(number: u8, who: SessionOwner) -> Session {
    let digest = secret_digest(&[number; 32]);
    Session { digest, who, since: Time(100), seen: Time(100), until: Time(200), client: String::new() }
}

fn of_player(id: &str) -> SessionOwner {
    SessionOwner::Player(name(id))
}

fn of_operator(id: &str) -> SessionOwner {
    SessionOwner::Operator(name(id))
}

fn act(what: &str, detail: &Value) -> NewAct {
    NewAct::new(name("olga"), what, detail).unwrap()
}

async fn run_audit(store: &impl Store) -> AuditReport {
    audit(store, RulesCache::new(BuiltIn)).await.unwrap()
}

async fn person_is_enrolled_once_and_can_be_renamed(store: impl Store + People) {
    let ann = guest("ann", 10);
    assert_eq!(store.person(&ann.id).await.unwrap(), None);
    assert!(store.enrol(ann.clone()).await.unwrap());
    let other = Person { kind: PersonKind::Bot, since: Time(11), ..ann.clone() };
    assert!(!store.enrol(other).await.unwrap(), "the id is in use");
    assert_eq!(store.person(&ann.id).await.unwrap(), Some(ann.clone()));
    // Names need not be unique.
    let bot = Person { id: name("bot-1"), kind: PersonKind::Bot, ..ann.clone() };
    assert!(store.enrol(bot.clone()).await.unwrap());

    let new_name: PersonName = name("  Änne 🀄 王  ");
    assert_eq!(new_name.as_str(), "Änne 🀄 王");
    assert!(store.rename(&ann.id, &new_name).await.unwrap());
    assert!(!store.rename(&name("absent"), &new_name).await.unwrap());
    let ann = Person { name: new_name, ..ann };
    assert_eq!(store.person(&ann.id).await.unwrap(), Some(ann.clone()));

    let ids: [PlayerId; 4] = [bot.id.clone(), name("absent"), ann.id.clone(), ann.id.clone()];
    let found = store.people(&ids).await.unwrap();
    assert_eq!(found, BTreeMap::from([(ann.id.clone(), ann), (bot.id.clone(), bot)]));
    assert_eq!(store.people(&[]).await.unwrap(), BTreeMap::new());
}

async fn concurrent_enrolment_succeeds_once(store: impl Store + People + Clone + 'static) {
    let tasks: Vec<_> = (0..16)
        .map(|since| {
            let store = store.clone();
            tokio::spawn(async move { store.enrol(guest("ann", since)).await.unwrap().then_some(since) })
        })
        .collect();
    let mut first = Vec::new();
    for task in tasks {
        first.extend(task.await.unwrap());
    }
    let [since] = first[..] else { panic!("{first:?}") };
    assert_eq!(store.person(&name("ann")).await.unwrap(), Some(guest("ann", since)));
}

async fn people_and_tables_are_counted(store: impl Store + People + Clone) {
    assert_eq!(store.counts(Time(0)).await.unwrap(), StoreCounts::default());
    for since in 1..=5 {
        assert!(store.enrol(guest(&format!("g{since}"), since)).await.unwrap());
    }
    let bot = Person { kind: PersonKind::Bot, ..guest("bot", 5) };
    assert!(store.enrol(bot).await.unwrap());
    assert!(store.begin_session(session(1, of_player("g1"))).await.unwrap());
    assert!(store.begin_session(session(2, of_player("g1"))).await.unwrap());
    Game::open(&host(store.clone(), 1), "t1", "ez", 1).await;
    assert_eq!(store.guests_since(Time(0)).await.unwrap(), 5);
    assert_eq!(store.guests_since(Time(4)).await.unwrap(), 2);
    assert_eq!(store.guests_since(Time(6)).await.unwrap(), 0);
    assert_eq!(store.counts(Time(199)).await.unwrap(), StoreCounts { tables: 1, people: 6, sessions: 2 });
    assert_eq!(store.counts(Time(200)).await.unwrap(), StoreCounts { tables: 1, people: 6, sessions: 0 });
}

async fn session_expires_and_is_extended(store: impl Store + People) {
    let ann = session(1, of_player("ann"));
    assert_eq!(store.session(&ann.digest, Time(100)).await.unwrap(), None);
    assert!(store.begin_session(ann.clone()).await.unwrap());
    let stolen = Session { who: of_operator("eve"), ..ann.clone() };
    assert!(!store.begin_session(stolen).await.unwrap());
    assert_eq!(store.session(&ann.digest, Time(199)).await.unwrap(), Some(ann.clone()));
    assert_eq!(store.session(&ann.digest, Time(200)).await.unwrap(), None);
    assert_eq!(store.session(&secret_digest(&[9; 32]), Time(100)).await.unwrap(), None);

    assert!(store.touch_session(&ann.digest, Time(150), Time(250)).await.unwrap());
    // A delayed update by another process does not shorten the session.
    assert!(store.touch_session(&ann.digest, Time(140), Time(240)).await.unwrap());
    let touched = Session { seen: Time(150), until: Time(250), ..ann.clone() };
    assert_eq!(store.session(&ann.digest, Time(249)).await.unwrap(), Some(touched.clone()));
    assert!(
        !store.touch_session(&ann.digest, Time(250), Time(350)).await.unwrap(),
        "an expired session cannot be extended"
    );
    assert_eq!(store.session(&ann.digest, Time(249)).await.unwrap(), Some(touched));
    assert!(!store.touch_session(&secret_digest(&[9; 32]), Time(1), Time(2)).await.unwrap());

    assert!(store.end_session(&ann.digest).await.unwrap());
    assert!(!store.end_session(&ann.digest).await.unwrap());
    assert_eq!(store.session(&ann.digest, Time(150)).await.unwrap(), None);
    assert!(
        !store.touch_session(&ann.digest, Time(150), Time(350)).await.unwrap(),
        "an ended session cannot be extended"
    );
}

async fn sessions_of_one_person_can_be_ended(store: impl Store + People) {
    // An operator and a player may have the same name.
    let owners =
        [of_player("ann"), of_player("ann"), of_operator("ann"), of_player("ann2"), of_operator("olga")];
    let sessions: Vec<Session> = (1..).zip(owners).map(|(number, who)| session(number, who)).collect();
    for session in &sessions {
        assert!(store.begin_session(session.clone()).await.unwrap());
    }
    let alive = async || {
        let mut alive = Vec::new();
        for session in &sessions {
            alive.push(store.session(&session.digest, Time(100)).await.unwrap().is_some());
        }
        alive
    };
    assert_eq!(store.end_sessions_of(&of_player("ann")).await.unwrap(), 2);
    assert_eq!(store.end_sessions_of(&of_player("ann")).await.unwrap(), 0);
    assert_eq!(alive().await, [false, false, true, true, true]);
    store.replace_operator_secret([7; 32], Time(1)).await.unwrap();
    assert_eq!(alive().await, [false, false, false, true, false]);
    assert_eq!(Actor::from(of_operator("ann")), Actor::Operator(name("ann")));
}

async fn expired_sessions_are_deleted(store: impl Store + People + Clone + 'static) {
    let tasks: Vec<_> = (0..1_203_u64)
        .map(|number| {
            let store = store.clone();
            let mut secret = [0; 32];
            secret[..8].copy_from_slice(&number.to_be_bytes());
            let digest = secret_digest(&secret);
            let until = Time(if number < 1_200 { 1_000 } else { 1_001 });
            let session = Session { digest, until, ..session(0, of_player("ann")) };
            tokio::spawn(async move { store.begin_session(session).await.unwrap() })
        })
        .collect();
    for task in tasks {
        assert!(task.await.unwrap());
    }
    assert_eq!(store.forget_sessions(Time(999)).await.unwrap(), 0);
    let (first, second) =
        tokio::join!(store.forget_sessions(Time(1_000)), store.forget_sessions(Time(1_000)));
    // Each call skips rows that the other is deleting, so both may stop early. No row is deleted twice.
    let rest = store.forget_sessions(Time(1_000)).await.unwrap();
    assert_eq!(first.unwrap() + second.unwrap() + rest, 1_200);
    assert_eq!(store.counts(Time(0)).await.unwrap().sessions, 3);
}

async fn operator_secret_is_claimed_once(store: impl Store + People + Clone + 'static) {
    assert_eq!(store.operator_secret().await.unwrap(), None);
    let tasks: Vec<_> = (0..16)
        .map(|number: u8| {
            let store = store.clone();
            tokio::spawn(async move {
                let digest = secret_digest(&[number; 32]);
                store.claim_operator_secret(digest, Time(1)).await.unwrap().then_some(digest)
            })
        })
        .collect();
    let mut claimed = Vec::new();
    for task in tasks {
        claimed.extend(task.await.unwrap());
    }
    assert_eq!(claimed.len(), 1);
    assert_eq!(store.operator_secret().await.unwrap(), Some(claimed[0]));
    store.replace_operator_secret([7; 32], Time(2)).await.unwrap();
    assert_eq!(store.operator_secret().await.unwrap(), Some([7; 32]));
    assert!(!store.claim_operator_secret([8; 32], Time(3)).await.unwrap());
}

async fn operator_log_is_one_chain(store: impl Store + People + Clone + 'static) {
    assert_eq!(store.acts(0, 10).await.unwrap(), []);
    assert_eq!(run_audit(&store).await.operator_log_hash, None);
    let first = store.log_act(act("table.close", &json!({ "table": "t1" })), Time(5)).await.unwrap();
    assert_eq!((first.place, first.detail.as_str()), (1, "{\"table\":\"t1\"}"));
    let tasks: Vec<_> = (0..24)
        .map(|number| {
            let store = store.clone();
            let act = act("issue", &json!(["é\u{0}\n", number]));
            tokio::spawn(async move { store.log_act(act, Time(6)).await.unwrap() })
        })
        .collect();
    let mut logged = vec![first];
    for task in tasks {
        logged.push(task.await.unwrap());
    }
    logged.sort_by_key(|act| act.place);
    assert_eq!(logged.iter().map(|act| act.place).collect::<Vec<_>>(), (1..=25).collect::<Vec<_>>());
    assert_eq!(store.acts(0, 100).await.unwrap(), logged);
    assert_eq!(store.acts(20, 3).await.unwrap(), logged[20..23]);
    let mut before = [0; 32];
    for act in &logged {
        before = hash(&before, act);
        assert_eq!(act.hash, before);
    }
    let report = run_audit(&store).await;
    assert_eq!((report.findings, report.operator_acts), (Vec::new(), 25));
    assert_eq!(report.operator_log_hash, Some(Commitment(before).into()));
}

/// Second implementation of the hash, from the documentation.
fn hash(before: &[u8; 32], act: &OperatorAct) -> [u8; 32] {
    use sha2::{Digest, Sha256};
    let text = |text: &str| [&(text.len() as u64).to_be_bytes()[..], text.as_bytes()].concat();
    let numbers = [act.place.to_be_bytes(), act.at.0.to_be_bytes()].concat();
    let texts = [text(act.operator.as_str()), text(&act.what), text(&act.detail)].concat();
    Sha256::digest([text("paigow act 1"), before.to_vec(), numbers, texts].concat()).into()
}

/// People are enrolled and sessions begin and end during play.
async fn concurrent_people_and_play(store: impl Store + People + Clone + 'static) {
    let people: Vec<_> = (0..8)
        .map(|task: u8| {
            let store = store.clone();
            tokio::spawn(async move {
                for count in 0..20_u8 {
                    let id = format!("g{task}-{count}");
                    assert!(store.enrol(guest(&id, 1)).await.unwrap());
                    let digest = secret_digest(&[task * 20 + count; 32]);
                    let session = Session { digest, ..session(0, of_player(&id)) };
                    assert!(store.begin_session(session).await.unwrap());
                    store.log_act(act("greet", &json!(id)), Time(1)).await.unwrap();
                    assert!(store.end_session(&digest).await.unwrap());
                }
            })
        })
        .collect();
    let host = host(store.clone(), 1);
    let game = Game::open(&host, "t1", "ez", 3).await;
    for _ in 0..3 {
        game.play_round().await;
    }
    for task in people {
        task.await.unwrap();
    }
    assert_eq!(store.counts(Time(0)).await.unwrap(), StoreCounts { tables: 1, people: 160, sessions: 0 });
    let report = run_audit(&store).await;
    assert_eq!((report.findings, report.operator_acts), (Vec::new(), 160));
}

on_both_stores![
    person_is_enrolled_once_and_can_be_renamed,
    concurrent_enrolment_succeeds_once,
    people_and_tables_are_counted,
    session_expires_and_is_extended,
    sessions_of_one_person_can_be_ended,
    expired_sessions_are_deleted,
    operator_secret_is_claimed_once,
    operator_log_is_one_chain,
    concurrent_people_and_play;
    log_changes_are_found_on_postgresql, older_database_is_migrated
];

/// Two stores on one file act like two processes.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn operator_secret_is_claimed_once_on_one_file() {
    let folder = TempStore::new();
    let other = Sqlite::open_existing(&folder.file()).unwrap();
    let claims = tokio::join!(
        folder.store.claim_operator_secret([1; 32], Time(1)),
        other.claim_operator_secret([2; 32], Time(1))
    );
    let claims = (claims.0.unwrap(), claims.1.unwrap());
    assert!(claims.0 != claims.1, "{claims:?}");
    let claimed = if claims.0 { [1; 32] } else { [2; 32] };
    assert_eq!(other.operator_secret().await.unwrap(), Some(claimed));
    tokio::join!(log_four_acts(&folder.store), log_four_acts(&other));
    let report = run_audit(&other).await;
    assert_eq!((report.findings, report.operator_acts), (Vec::new(), 8));
}

/// Changes made without the store, with the code and location of the finding.
const LOG_CHANGES: [(&str, &str, &str); 6] = [
    ("UPDATE operator_log SET detail = '{}' WHERE place = 2", "operator_log_broken", "entry 2"),
    ("UPDATE operator_log SET operator = 'eve' WHERE place = 1", "operator_log_broken", "entry 1"),
    ("UPDATE operator_log SET what = 'b' WHERE place = 3", "operator_log_broken", "entry 3"),
    ("UPDATE operator_log SET at = at + 1 WHERE place = 4", "operator_log_broken", "entry 4"),
    ("DELETE FROM operator_log WHERE place = 2", "operator_log_broken", "entry 2"),
    ("UPDATE operator_log SET operator = '' WHERE place = 1", "unreadable", "an operator"),
];

async fn log_four_acts(store: &impl People) {
    for number in 0..4 {
        store.log_act(act("a", &json!(number)), Time(1)).await.unwrap();
    }
}

fn assert_finding(report: &AuditReport, change: (&str, &str, &str)) {
    let Some(found) = report.findings.first() else { panic!("{change:?}: no findings") };
    assert!(found.code == change.1 && found.place.starts_with(change.2), "{change:?}: {found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_of_the_operator_log_are_found() {
    for change in LOG_CHANGES {
        let folder = TempStore::new();
        log_four_acts(&folder.store).await;
        rusqlite::Connection::open(folder.file()).unwrap().execute_batch(change.0).unwrap();
        assert_finding(&run_audit(&folder.store).await, change);
    }
}

/// A truncated log is consistent, but differs from a hash exported earlier.
#[tokio::test(flavor = "multi_thread")]
async fn truncated_operator_log_has_another_hash() {
    let folder = TempStore::new();
    log_four_acts(&folder.store).await;
    let before = run_audit(&folder.store).await;
    let cut = "DELETE FROM operator_log WHERE place = 4";
    rusqlite::Connection::open(folder.file()).unwrap().execute_batch(cut).unwrap();
    let after = run_audit(&folder.store).await;
    assert_eq!((before.operator_acts, after.operator_acts), (4, 3));
    assert_ne!(before.operator_log_hash, after.operator_log_hash);
}

async fn log_changes_are_found_on_postgresql(cluster: &Cluster) {
    for change in LOG_CHANGES {
        let address = cluster.database().await;
        let store = Postgres::open(&address).await.unwrap();
        log_four_acts(&store).await;
        execute(&address, change.0).await;
        assert_finding(&run_audit(&store).await, change);
    }
}

async fn execute(address: &str, statements: &str) {
    let (client, connection) = tokio_postgres::connect(address, tokio_postgres::NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    client.batch_execute(statements).await.unwrap();
    drop(client);
    connection.await.unwrap().unwrap();
}

/// A row written by the first schema version.
const OLD_ROW: &str = "INSERT INTO tables (id, opened_at) VALUES ('old', 1)";

async fn assert_migrated(store: &(impl Store + People)) {
    assert_eq!(store.counts(Time(0)).await.unwrap(), StoreCounts { tables: 1, people: 0, sessions: 0 });
    assert_eq!(store.tables().await.unwrap()[0].table, name("old"));
    assert!(store.enrol(guest("ann", 1)).await.unwrap());
    assert!(store.person(&name("ann")).await.unwrap().is_some());
}

#[tokio::test]
async fn older_file_is_migrated() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("old.db");
    let file = rusqlite::Connection::open(&path).unwrap();
    file.execute_batch(include_str!("../../migrations/sqlite/0001.sql")).unwrap();
    file.execute_batch(OLD_ROW).unwrap();
    file.pragma_update(None, "user_version", 1).unwrap();
    file.pragma_update(None, "application_id", 0x5041_4947).unwrap();
    drop(file);
    let store = Sqlite::open_existing(&path).unwrap();
    assert_migrated(&store).await;
    // A second open has nothing to migrate.
    assert!(Sqlite::open_existing(&path).unwrap().person(&name("ann")).await.unwrap().is_some());
}

async fn older_database_is_migrated(cluster: &Cluster) {
    let address = cluster.database().await;
    let version =
        "CREATE TABLE paigow_version (version BIGINT NOT NULL); INSERT INTO paigow_version VALUES (1)";
    execute(&address, include_str!("../../migrations/postgres/0001.sql")).await;
    execute(&address, OLD_ROW).await;
    execute(&address, version).await;
    // Two processes start at the same time.
    let open = || Postgres::open(&address);
    let (first, second) = tokio::join!(open(), open());
    assert_migrated(&first.unwrap()).await;
    assert!(second.unwrap().person(&name("ann")).await.unwrap().is_some());
    execute(&address, "UPDATE paigow_version SET version = 99").await;
    assert!(Postgres::open(&address).await.is_err(), "a newer schema version is accepted");
}

#[test]
fn names_are_short_and_visible() {
    let fault = |text: &str| text.parse::<PersonName>().unwrap_err();
    assert_eq!(fault(""), PersonNameFault::Length { found: 0 });
    assert_eq!(fault(" \t\u{3000}"), PersonNameFault::Length { found: 0 });
    assert_eq!(fault(&"é".repeat(25)), PersonNameFault::Length { found: 25 });
    assert!("é".repeat(24).parse::<PersonName>().is_ok());
    for c in ['\u{0}', '\n', '\u{1b}', '\u{7f}', '\u{200b}', '\u{202e}', '\u{2066}', '\u{feff}', '\u{e0041}']
    {
        assert_eq!(fault(&format!("a{c}b")), PersonNameFault::Invisible(c));
    }
    assert_eq!(fault("a\u{202e}b").to_string(), "a name may not have the invisible character U+202E");
    assert_eq!(fault("").to_string(), "a name must have 1 to 24 characters, found 0");
    let read: PersonName = serde_json::from_str("\" Li Wei \"").unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), "\"Li Wei\"");
    assert!(serde_json::from_str::<PersonName>("\"a\\nb\"").is_err());
}

#[test]
fn invalid_operator_acts_are_refused_with_every_fault() {
    let long = json!("x".repeat(4095));
    let faults = |what: &str, detail: &Value| NewAct::new(name("olga"), what, detail).unwrap_err();
    assert_eq!(faults("two words", &long), [ActFault::What, ActFault::Detail { found: 4097 }]);
    assert_eq!(faults("", &Value::Null), [ActFault::What]);
    assert_eq!(faults(&"w".repeat(65), &Value::Null), [ActFault::What]);
    assert!(NewAct::new(name("olga"), &"w".repeat(64), &json!("x".repeat(4094))).is_ok());
}
