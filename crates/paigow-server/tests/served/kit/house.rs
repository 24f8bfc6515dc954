//! A store and the processes that serve it. A process is a runtime in a thread of its own, as the program has one: when it ends,
//! whatever it left undone is gone.

use super::{Answer, Browser, Live};
use crate::cluster::Cluster;
use paigow_server::settings::SettingSources;
use paigow_server::{AnyStore, Settings, serve};
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
    pub(crate) secret: Option<String>,
    stop: Option<oneshot::Sender<()>>,
    ended: Option<oneshot::Receiver<Result<(), String>>>,
}

impl Process {
    /// Starts one, or says why there is none.
    pub(crate) async fn start(settings: Settings) -> Result<Process, String> {
        let (stop, stopped) = oneshot::channel();
        let (tell_started, started) = oneshot::channel();
        let (tell_ended, mut ended) = oneshot::channel();
        std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            let stopped = async {
                let _ = stopped.await;
            };
            let done = runtime.block_on(serve(settings, stopped, |started| {
                let _ = tell_started.send((
                    started.address,
                    started.health_address,
                    started.operator_secret.clone(),
                ));
            }));
            // As when the process ends: what was not waited for is cut off.
            drop(runtime);
            let _ = tell_ended.send(done.map_err(|error| error.to_string()));
        });
        tokio::select! {
            biased;
            Ok((address, health_address, secret)) = started => {
                Ok(Process { address, health_address, secret, stop: Some(stop), ended: Some(ended) })
            }
            done = &mut ended => Err(done.unwrap().expect_err("it ended without having started")),
        }
    }

    /// Asks it to stop.
    pub(crate) fn ask_to_stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }

    /// Waits until it has ended, and says how long that took.
    pub(crate) async fn ended(&mut self) -> Duration {
        let start = Instant::now();
        let ended = tokio::time::timeout(Duration::from_secs(30), self.ended.take().unwrap()).await;
        ended.expect("the server does not end").unwrap().unwrap();
        start.elapsed()
    }

    pub(crate) async fn stop(mut self) -> Duration {
        self.ask_to_stop();
        self.ended().await
    }

    pub(crate) fn browser(&self) -> Browser {
        Browser::new(self.address)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.ask_to_stop();
    }
}

/// A store, how it is served, and one process that does.
pub(crate) struct House {
    pub(crate) process: Process,
    pub(crate) secret: String,
    pub(crate) store: String,
    changes: BTreeMap<String, String>,
    /// Where the file is, as long as the house stands.
    _folder: TempDir,
}

impl House {
    /// A new store in a file.
    pub(crate) async fn new(changes: &[(&str, &str)]) -> House {
        let folder = TempDir::new().unwrap();
        let store = folder.path().join("paigow.db").display().to_string();
        House::at(store, folder, changes).await
    }

    /// A new store in a PostgreSQL.
    pub(crate) async fn in_database(cluster: &Cluster, changes: &[(&str, &str)]) -> House {
        House::at(cluster.database().await, TempDir::new().unwrap(), changes).await
    }

    /// A store that is there already, in a folder.
    pub(crate) async fn over(folder: TempDir) -> House {
        let store = folder.path().join("paigow.db").display().to_string();
        House::at(store, folder, &[]).await
    }

    async fn at(store: String, folder: TempDir, changes: &[(&str, &str)]) -> House {
        let changes = changes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let process = Process::start(settings(&store, &changes)).await.unwrap();
        let secret = process.secret.clone().expect("a new store has a new secret");
        House { process, secret, store, changes, _folder: folder }
    }

    pub(crate) fn settings(&self) -> Settings {
        settings(&self.store, &self.changes)
    }

    /// The SQLite file.
    pub(crate) fn file(&self) -> PathBuf {
        PathBuf::from(&self.store)
    }

    /// Ends the process and starts another over the same store.
    pub(crate) async fn restart(&mut self) {
        self.process.ask_to_stop();
        self.process.ended().await;
        self.process = self.second().await;
    }

    /// One more process over the same store.
    pub(crate) async fn second(&self) -> Process {
        Process::start(self.settings()).await.unwrap()
    }

    /// What is in the store, read as anybody else would who has the file.
    pub(crate) async fn open_store(&self) -> AnyStore {
        AnyStore::open_existing(&self.store).await.unwrap()
    }

    pub(crate) fn browser(&self) -> Browser {
        self.process.browser()
    }

    /// Somebody with a session and chips.
    pub(crate) async fn guest(&self, name: &str) -> Browser {
        let browser = self.browser();
        let answer = browser.post("/api/session", &json!({ "name": name })).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        browser.with_player(answer.json()["player"].as_str().unwrap())
    }

    /// A program of the house.
    pub(crate) fn operator(&self) -> Browser {
        let bearer = format!("Bearer {}", self.secret);
        self.browser().with_header("authorization", &bearer).with_header("paigow-operator", "olga")
    }

    /// Opens a table of the house.
    pub(crate) async fn table(&self, table: &str, book: &str, clocks: &Value) {
        self.table_with(table, json!({ "book": book, "clocks": clocks })).await;
    }

    pub(crate) async fn table_with(&self, table: &str, rules: Value) {
        let body = json!({ "id": format!("open-{table}"), "table": table, "rules": rules });
        let answer = self.operator().post("/api/operator/tables", &body).await;
        assert_eq!(answer.status, 201, "{answer:?}");
    }

    /// Gives a table a command of the house.
    pub(crate) async fn operate(&self, table: &str, id: &str, command: Value) -> Answer {
        let path = format!("/api/operator/tables/{table}/commands");
        self.operator().post(&path, &json!({ "id": id, "command": command })).await
    }

    /// Guests at the first seats of a table, each with a socket.
    pub(crate) async fn seated(&self, table: &str, seats: u8) -> Vec<(Browser, Live)> {
        let mut all = Vec::new();
        for seat in 1..=seats {
            let guest = self.guest(&format!("Guest {seat}")).await;
            let mut live = Live::open(&guest, table).await;
            live.done(json!({ "do": "sit", "seat": seat })).await;
            all.push((guest, live));
        }
        all
    }
}

/// How long each part of a round takes, in milliseconds.
pub(crate) fn clocks(bank: u64, wagers: u64, settings: u64, between: u64) -> Value {
    json!({ "bank": bank, "wagers": wagers, "settings": settings, "between": between })
}

/// No bots, and no limits that a test does not ask for.
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
        ("questions_per_address", "64"),
        ("sockets_per_address", "10000"),
        ("drain_seconds", "5"),
    ];
    let mut flags: BTreeMap<String, String> =
        usual.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    if store.starts_with("postgres") {
        // Processes of one database share a key, and none of them makes a file in the working directory.
        flags.insert("key_file".to_owned(), concat!(env!("CARGO_TARGET_TMPDIR"), "/served.key").to_owned());
    }
    flags.extend(changes.clone());
    Settings::read(&SettingSources { flags: flags.into_iter().collect(), ..SettingSources::default() })
        .unwrap()
}
