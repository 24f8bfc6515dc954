//! What `/readyz` says while the store cannot be written to, and what becomes of commands meanwhile.

use crate::cluster::Cluster;
use crate::kit::{Answer, House, Process, clocks, until};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The checks that do not hold, each with its code.
fn faults(answer: &Answer) -> Vec<(String, String)> {
    let body = answer.json();
    let faults = body["faults"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    faults.iter().map(|fault| (text(&fault["at"]), text(&fault["code"]))).collect()
}

async fn ready(house: &House) -> Answer {
    house.browser().get("/readyz").await
}

/// Waits until `/readyz` says that the store cannot be written to, for this reason.
async fn until_unwritable(house: &House, code: &str) {
    until(code, async || {
        let answer = ready(house).await;
        answer.status == 503 && faults(&answer) == [("store_write".to_owned(), code.to_owned())]
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_is_ready_names_what_it_has_checked() {
    let house = House::new(&[]).await;
    let answer = ready(&house).await;
    assert_eq!(answer.status, 200);
    let body = answer.json();
    let checks = body["checks"].as_array().unwrap();
    let names: Vec<&str> = checks.iter().map(|check| check["name"].as_str().unwrap()).collect();
    for name in ["draining", "store_write", "store_went_back", "clock"] {
        assert!(names.contains(&name), "{body}");
    }
    assert!(checks.iter().all(|check| check["ok"] == true));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_deleted_or_replaced_takes_no_more_commands() {
    for replace in [false, true] {
        let house = House::new(&[]).await;
        house.table("green", "ez", &clocks(60_000, 60_000, 60_000, 60_000)).await;
        let mut seated = house.seated("green", 1).await;
        let (ann, live) = seated.first_mut().unwrap();
        live.done(json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 })).await;
        let away = house.file().with_extension("away");
        std::fs::rename(house.file(), &away).unwrap();
        if replace {
            std::fs::copy(&away, house.file()).unwrap();
        }
        for count in 0..20 {
            let command = json!({ "do": "wager", "wager": "pai-gow", "cents": 2_000 });
            let answer = ann.command("green", &format!("late-{count}"), &command).await;
            assert_eq!(answer.problem(), (503, "unavailable".to_owned()));
        }
        until_unwritable(&house, "store_replaced").await;
        assert!(!ready(&house).await.text().contains(house.file().to_str().unwrap()), "no names of files");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_another_process_has_locked_is_not_ready_until_it_is_unlocked() {
    let house = House::new(&[]).await;
    assert_eq!(ready(&house).await.status, 200);
    let other = rusqlite::Connection::open(house.file()).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let asked = Instant::now();
    let answer = ready(&house).await;
    assert!(asked.elapsed() < Duration::from_secs(4), "{:?}", asked.elapsed());
    assert_eq!(faults(&answer), [("store_write".to_owned(), "store_timeout".to_owned())]);
    // Those who ask while the write still waits are answered at once.
    let asked = Instant::now();
    assert_eq!(ready(&house).await.status, 503);
    assert!(asked.elapsed() < Duration::from_secs(1), "{:?}", asked.elapsed());
    other.execute_batch("ROLLBACK").unwrap();
    until("ready again", async || ready(&house).await.status == 200).await;
}

/// However many ask, the store is written to once a second.
#[tokio::test(flavor = "multi_thread")]
async fn health_checks_do_not_load_the_store() {
    let house = House::new(&[]).await;
    let log = house.file().with_extension("db-wal");
    assert_eq!(ready(&house).await.status, 200);
    let (start, before) = (Instant::now(), log.metadata().unwrap().len());
    for _ in 0..200 {
        assert_eq!(ready(&house).await.status, 200);
    }
    // A frame of the log is a page and 24 bytes.
    let pages = (log.metadata().unwrap().len() - before) / 4_120;
    assert!(pages <= start.elapsed().as_secs() + 1, "{pages} pages in {:?}", start.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_postgresql_that_is_read_only_or_away_is_not_ready() {
    let cluster = Cluster::start();
    let house = House::in_database(&cluster, &[]).await;
    assert_eq!(ready(&house).await.status, 200);
    let (client, connection) = tokio_postgres::connect(&house.store, tokio_postgres::NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    let set = "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', \
        current_database()); END $$; SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    client.batch_execute(set).await.unwrap();
    until_unwritable(&house, "store_read_only").await;
    drop((client, connection));
    assert!(cluster.stop());
    until_unwritable(&house, "store_failed").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_postgresql_that_loses_commits_is_refused_unless_that_is_allowed() {
    for (options, named) in [
        ("-c fsync=off", "fsync = off"),
        ("-c full_page_writes=off", "full_page_writes = off"),
        ("-c synchronous_commit=off", "synchronous_commit = off"),
    ] {
        let cluster = Cluster::start_with(options);
        let allowed = House::in_database(&cluster, &[("allow_unsafe_postgres", "true")]).await;
        assert_eq!(ready(&allowed).await.status, 200);
        let mut settings = allowed.settings();
        settings.allow_unsafe_postgres = false;
        let refused = Process::start(settings).await.err().unwrap();
        assert!(refused.contains(named) && refused.contains("allow_unsafe_postgres"), "{refused}");
    }
    // A role may have a setting of its own.
    let cluster = Cluster::start();
    let house = House::in_database(&cluster, &[]).await;
    let (client, connection) = tokio_postgres::connect(&house.store, tokio_postgres::NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    client.batch_execute("ALTER ROLE postgres SET synchronous_commit = off").await.unwrap();
    let refused = Process::start(house.settings()).await.err().unwrap();
    assert!(refused.contains("synchronous_commit = off"), "{refused}");
    drop((client, connection));
}
