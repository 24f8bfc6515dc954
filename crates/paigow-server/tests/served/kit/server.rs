//! A store and the processes that serve it. A process is a runtime in a separate thread, as in the program. Its
//! unfinished tasks are dropped when it ends.

use super::operators::{SignedIn, enrol};
use super::{Browser, LiveClient, Response};
use crate::cluster::Cluster;
use paigow_server::settings::SettingSources;
use paigow_server::{AnyStore, ServerInfo, Settings, serve};
use paigow_testkit::owned_pairs;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::sync::oneshot;

/// A running server.
pub(crate) struct Process {
    pub(crate) address: SocketAddr,
    pub(crate) health_address: Option<SocketAddr>,
    /// File with the operator secret, while it can enrol the first admin.
    pub(crate) secret_file: Option<PathBuf>,
    stop: Option<oneshot::Sender<()>>,
    ended: Option<oneshot::Receiver<Result<(), String>>>,
}

impl Process {
    /// Starts a server, or returns the error of the start.
    pub(crate) async fn start(settings: Settings) -> Result<Process, String> {
        let (stop, stopped) = oneshot::channel();
        let (send_started, started) = oneshot::channel();
        let (send_ended, mut ended) = oneshot::channel();
        std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            let stopped = Box::pin(async {
                let _ = stopped.await;
            });
            let report = |started: &ServerInfo| {
                let _ = send_started.send((
                    started.address,
                    started.health_address,
                    started.operator_secret_file.clone(),
                ));
            };
            let done = runtime.block_on(serve(settings, stopped, Box::new(report)));
            // Drops unfinished tasks, as the end of a process does.
            drop(runtime);
            let _ = send_ended.send(done.map_err(|error| error.to_string()));
        });
        tokio::select! {
            biased;
            Ok((address, health_address, secret_file)) = started => {
                Ok(Process { address, health_address, secret_file, stop: Some(stop), ended: Some(ended) })
            }
            done = &mut ended => Err(done.unwrap().expect_err("the server ended before it started")),
        }
    }

    /// Requests a graceful shutdown.
    pub(crate) fn request_stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }

    /// Waits until the process has ended, and returns how long that took.
    pub(crate) async fn wait_for_exit(&mut self) -> Duration {
        let start = Instant::now();
        let ended = tokio::time::timeout(Duration::from_secs(30), self.ended.take().unwrap()).await;
        ended.expect("the server does not end").unwrap().unwrap();
        start.elapsed()
    }

    pub(crate) async fn stop(mut self) -> Duration {
        self.request_stop();
        self.wait_for_exit().await
    }

    pub(crate) fn browser(&self) -> Browser {
        Browser::new(self.address)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.request_stop();
    }
}

/// A store, the settings of its processes, and one process that serves it.
pub(crate) struct TestServer {
    pub(crate) process: Process,
    /// The operator secret.
    pub(crate) secret: String,
    /// The admin `olga`, who enrols when the server starts.
    pub(crate) admin: SignedIn,
    pub(crate) store: String,
    changes: BTreeMap<String, String>,
    /// Folder of the SQLite file, removed on drop.
    _folder: TempDir,
}

impl TestServer {
    /// Starts a server with a new SQLite store.
    pub(crate) async fn new(changes: &[(&str, &str)]) -> TestServer {
        let folder = TempDir::new().unwrap();
        let store = folder.path().join("paigow.db").display().to_string();
        TestServer::at(store, folder, changes).await
    }

    /// Starts a server with a new PostgreSQL database.
    pub(crate) async fn in_database(cluster: &Cluster, changes: &[(&str, &str)]) -> TestServer {
        TestServer::at(cluster.database().await, TempDir::new().unwrap(), changes).await
    }

    /// Starts a server with the store at an address.
    pub(crate) async fn at_address(store: String) -> TestServer {
        TestServer::at(store, TempDir::new().unwrap(), &[]).await
    }

    /// Starts a server with the existing SQLite store in a folder.
    pub(crate) async fn over(folder: TempDir) -> TestServer {
        let store = folder.path().join("paigow.db").display().to_string();
        TestServer::at(store, folder, &[]).await
    }

    async fn at(store: String, folder: TempDir, changes: &[(&str, &str)]) -> TestServer {
        let changes: BTreeMap<String, String> = owned_pairs(changes).into_iter().collect();
        // Limits of the tested settings must not count the enrolment of the admin.
        let enrolment = owned_pairs(&[("allow_unsafe_postgres", "true")]).into_iter().collect();
        let mut process = Process::start(settings(&store, &enrolment)).await.unwrap();
        let secret = match &process.secret_file {
            Some(file) => std::fs::read_to_string(file).unwrap().trim().to_owned(),
            // Stores of earlier versions in the fixtures have this secret.
            None => "07".repeat(32),
        };
        let admin = enrol(&process.browser(), "olga", &secret).await;
        admin.browser.copy_cookie("paigow_operator", "__Host-paigow_operator");
        if !changes.is_empty() {
            process.stop().await;
            process = Process::start(settings(&store, &changes)).await.unwrap();
        }
        TestServer { process, secret, admin, store, changes, _folder: folder }
    }

    pub(crate) fn settings(&self) -> Settings {
        settings(&self.store, &self.changes)
    }

    /// The SQLite file.
    pub(crate) fn file(&self) -> PathBuf {
        PathBuf::from(&self.store)
    }

    /// Stops the process and starts another one with the same store.
    pub(crate) async fn restart(&mut self) {
        self.process.request_stop();
        self.process.wait_for_exit().await;
        self.process = self.another_process().await;
    }

    /// Starts another process with the same store.
    pub(crate) async fn another_process(&self) -> Process {
        Process::start(self.settings()).await.unwrap()
    }

    /// Opens the store without the server.
    pub(crate) async fn open_store(&self) -> AnyStore {
        AnyStore::open_existing(&self.store).await.unwrap()
    }

    pub(crate) fn browser(&self) -> Browser {
        self.process.browser()
    }

    /// Returns a client with a session and chips.
    pub(crate) async fn guest(&self, name: &str) -> Browser {
        let browser = self.browser();
        let response = browser.post("/api/session", &json!({ "name": name })).await;
        assert_eq!(response.status, 201, "{response:?}");
        browser.with_player(response.json()["player"].as_str().unwrap())
    }

    /// Returns the client of the admin.
    pub(crate) fn operator(&self) -> Browser {
        self.admin.browser.at(self.process.address)
    }

    /// Adds an operator with a role and enrols the operator.
    pub(crate) async fn add_operator(&self, name: &str, role: &str) -> SignedIn {
        let added =
            self.operator().post("/api/operator/operators", &json!({ "name": name, "role": role })).await;
        assert_eq!(added.status, 201, "{added:?}");
        enrol(&self.browser(), name, added.json()["code"].as_str().unwrap()).await
    }

    /// Opens a table as the operator.
    pub(crate) async fn open_table(&self, table: &str, book: &str, clocks: &Value) {
        self.open_table_with(table, json!({ "book": book, "clocks": clocks })).await;
    }

    pub(crate) async fn open_table_with(&self, table: &str, rules: Value) {
        let body = json!({ "id": format!("open-{table}"), "table": table, "rules": rules });
        let response = self.operator().post("/api/operator/tables", &body).await;
        assert_eq!(response.status, 201, "{response:?}");
    }

    /// Sends a table a command of the operator.
    pub(crate) async fn operator_command(&self, table: &str, id: &str, command: Value) -> Response {
        let path = format!("/api/operator/tables/{table}/commands");
        self.operator().post(&path, &json!({ "id": id, "command": command })).await
    }

    /// Voids a settled round with the approval of a second operator.
    pub(crate) async fn void_settled(&self, table: &str, id: &str, reason: Value) {
        let response = self.operator_command(table, id, json!({ "do": "void", "reason": reason })).await;
        assert_eq!(response.status, 202, "{response:?}");
        let second = self.add_operator("second", "floor").await.browser;
        let path = format!("/api/operator/approvals/{}", response.json()["approval"]["id"].as_str().unwrap());
        let approved = second.post(&path, &json!({ "approve": true })).await;
        assert_eq!((approved.status, &approved.json()["state"]), (200, &json!("approved")), "{approved:?}");
    }

    /// Seats guests at the first seats of a table, each with a socket.
    pub(crate) async fn seat_guests(&self, table: &str, seats: u8) -> Vec<(Browser, LiveClient)> {
        let mut all = Vec::new();
        for seat in 1..=seats {
            let guest = self.guest(&format!("Guest {seat}")).await;
            let mut live = LiveClient::open(&guest, table).await;
            live.expect_done(json!({ "do": "sit", "seat": seat })).await;
            all.push((guest, live));
        }
        all
    }
}

/// Returns the clocks of a table, in milliseconds.
pub(crate) fn clocks(bank: u64, wagers: u64, settings: u64, between: u64) -> Value {
    json!({ "bank": bank, "wagers": wagers, "settings": settings, "between": between })
}

/// Settings without bots, and without limits unless `changes` sets them.
fn settings(store: &str, changes: &BTreeMap<String, String>) -> Settings {
    let usual = [
        ("listen", "127.0.0.1:0"),
        ("store", store),
        ("bots", "false"),
        ("requests_per_address", "1000000"),
        ("requests_per_account", "1000000"),
        ("health_checks_per_address", "1000000"),
        ("connections_per_address", "0"),
        ("guests_per_address", "1000000"),
        ("sign_ins_per_address", "1000000"),
        ("sign_ins_per_name", "1000000"),
        ("questions_per_address", "64"),
        ("sockets_per_address", "10000"),
        ("sign_ins_per_address", "1000000"),
        ("sign_ins_per_name", "1000000"),
        ("drain_seconds", "5"),
    ];
    let mut flags: BTreeMap<String, String> = owned_pairs(&usual).into_iter().collect();
    if store.starts_with("postgres") {
        // Processes of one database share a key file, outside the working directory.
        flags.insert("key_file".to_owned(), concat!(env!("CARGO_TARGET_TMPDIR"), "/served.key").to_owned());
        // Each database has its own secret.
        let database = store.rsplit('/').next().unwrap_or_default().split('?').next().unwrap_or_default();
        let file = format!("{}/{database}.operator", env!("CARGO_TARGET_TMPDIR"));
        flags.insert("operator_secret_file".to_owned(), file);
    }
    flags.extend(changes.clone());
    Settings::read(&SettingSources { flags: flags.into_iter().collect(), ..SettingSources::default() })
        .unwrap()
}
