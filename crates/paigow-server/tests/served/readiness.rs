//! `/readyz` and commands while the store cannot be written.

use crate::cluster::Cluster;
use crate::kit::{Process, Response, TestServer, clocks, until};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Returns the failed checks, each with its code.
fn faults(response: &Response) -> Vec<(String, String)> {
    let body = response.json();
    let faults = body["faults"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    faults.iter().map(|fault| (text(&fault["at"]), text(&fault["code"]))).collect()
}

async fn ready(server: &TestServer) -> Response {
    server.browser().get("/readyz").await
}

/// Waits until `/readyz` reports that the store cannot be written, with this code.
async fn until_unwritable(server: &TestServer, code: &str) {
    until(code, async || {
        let response = ready(server).await;
        response.status == 503 && faults(&response) == [("store_write".to_owned(), code.to_owned())]
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ready_process_lists_its_checks() {
    let server = TestServer::new(&[]).await;
    let response = ready(&server).await;
    assert_eq!(response.status, 200);
    let body = response.json();
    let checks = body["checks"].as_array().unwrap();
    let names: Vec<&str> = checks.iter().map(|check| check["name"].as_str().unwrap()).collect();
    for name in ["draining", "store_write", "store_went_back", "clock"] {
        assert!(names.contains(&name), "{body}");
    }
    assert!(checks.iter().all(|check| check["ok"] == true));
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_or_replaced_file_takes_no_more_commands() {
    for replace in [false, true] {
        let server = TestServer::new(&[]).await;
        server.open_table("green", "ez", &clocks(60_000, 60_000, 60_000, 60_000)).await;
        let mut seated = server.seat_guests("green", 1).await;
        let (ann, live) = seated.first_mut().unwrap();
        live.expect_done(json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 })).await;
        let away = server.file().with_extension("away");
        std::fs::rename(server.file(), &away).unwrap();
        if replace {
            std::fs::copy(&away, server.file()).unwrap();
        }
        for count in 0..20 {
            let command = json!({ "do": "wager", "wager": "pai-gow", "cents": 2_000 });
            let response = ann.command("green", &format!("late-{count}"), &command).await;
            assert_eq!(response.problem(), (503, "unavailable".to_owned()));
        }
        until_unwritable(&server, "store_replaced").await;
        assert!(
            !ready(&server).await.text().contains(server.file().to_str().unwrap()),
            "the response contains a file name"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn locked_file_is_not_ready_until_it_is_unlocked() {
    let server = TestServer::new(&[]).await;
    assert_eq!(ready(&server).await.status, 200);
    let other = rusqlite::Connection::open(server.file()).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let start = Instant::now();
    let response = ready(&server).await;
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    assert_eq!(faults(&response), [("store_write".to_owned(), "store_timeout".to_owned())]);
    // Requests during the pending write are answered at once.
    let start = Instant::now();
    assert_eq!(ready(&server).await.status, 503);
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    other.execute_batch("ROLLBACK").unwrap();
    until("ready again", async || ready(&server).await.status == 200).await;
}

/// Readiness checks write to the store at most once a second.
#[tokio::test(flavor = "multi_thread")]
async fn health_checks_do_not_load_the_store() {
    let server = TestServer::new(&[]).await;
    let log = server.file().with_extension("db-wal");
    assert_eq!(ready(&server).await.status, 200);
    let (start, before) = (Instant::now(), log.metadata().unwrap().len());
    for _ in 0..200 {
        assert_eq!(ready(&server).await.status, 200);
    }
    // A frame of the log is a page and 24 bytes.
    let pages = (log.metadata().unwrap().len() - before) / 4_120;
    assert!(pages <= start.elapsed().as_secs() + 1, "{pages} pages in {:?}", start.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn read_only_or_stopped_postgresql_is_not_ready() {
    let cluster = Cluster::start();
    let server = TestServer::in_database(&cluster, &[]).await;
    assert_eq!(ready(&server).await.status, 200);
    let (client, connection) = tokio_postgres::connect(&server.store, tokio_postgres::NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    let set = "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', \
        current_database()); END $$; SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    client.batch_execute(set).await.unwrap();
    until_unwritable(&server, "store_read_only").await;
    drop((client, connection));
    assert!(cluster.stop());
    until_unwritable(&server, "store_failed").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgresql_without_durable_commits_is_refused_by_default() {
    for (options, setting) in [
        ("-c fsync=off", "fsync = off"),
        ("-c full_page_writes=off", "full_page_writes = off"),
        ("-c synchronous_commit=off", "synchronous_commit = off"),
    ] {
        let cluster = Cluster::start_with(options);
        let allowed = TestServer::in_database(&cluster, &[("allow_unsafe_postgres", "true")]).await;
        assert_eq!(ready(&allowed).await.status, 200);
        let mut settings = allowed.settings();
        settings.allow_unsafe_postgres = false;
        let refused = Process::start(settings).await.err().unwrap();
        assert!(refused.contains(setting) && refused.contains("allow_unsafe_postgres"), "{refused}");
    }
    // A role can override the setting.
    let cluster = Cluster::start();
    let server = TestServer::in_database(&cluster, &[]).await;
    let (client, connection) = tokio_postgres::connect(&server.store, tokio_postgres::NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    client.batch_execute("ALTER ROLE postgres SET synchronous_commit = off").await.unwrap();
    let refused = Process::start(server.settings()).await.err().unwrap();
    assert!(refused.contains("synchronous_commit = off"), "{refused}");
    drop((client, connection));
}
