//! `paigow doctor`: each fault is provoked, reported with advice, and nothing is changed.

use crate::certificates::Authority;
use crate::cluster::Cluster;
use crate::database::Database;
use crate::process::Server;
use crate::program::paigow;
use serde_json::Value;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Report of an examination.
struct Report {
    status: Option<i32>,
    json: Value,
}

impl Report {
    fn of(command: &mut Command) -> Report {
        let output = command.args(["--format", "json"]).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        let json = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{stderr}"));
        Report { status: output.status.code(), json }
    }

    /// Returns the found text of the first check with this name and level. A fault has advice and exit status 1.
    fn found(&self, name: &str, level: &str) -> String {
        let checks = self.json["checks"].as_array().unwrap();
        let check = checks.iter().find(|check| check["name"] == name && check["level"] == level);
        let check = check.unwrap_or_else(|| panic!("no {level} of {name} in {:#}", self.json));
        assert_eq!(level == "ok", check["advice"] == "", "{check}");
        assert!(level != "fault" || self.status == Some(1), "{:?}", self.status);
        check["found"].as_str().unwrap().to_owned()
    }

    fn assert_no_fault(&self) {
        assert_eq!((self.status, &self.json["faults"]), (Some(0), &Value::from(0)), "{:#}", self.json);
    }
}

/// A folder with a store that a server has written. The server has ended.
struct StoreFolder {
    folder: TempDir,
    store: PathBuf,
}

impl StoreFolder {
    fn new() -> StoreFolder {
        let folder = TempDir::new().unwrap();
        let store = folder.path().join("paigow.db");
        let server = Server::start(store.to_str().unwrap());
        server.signal("-TERM");
        server.wait_for_exit(crate::process::TIMEOUT);
        StoreFolder { folder, store }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn examine(&self) -> Report {
        Report::of(&mut doctor(&self.store))
    }
}

/// Returns `paigow doctor` for a store, at a free port.
fn doctor(store: &Path) -> Command {
    let mut command = paigow();
    command.args(["doctor", "--listen", "127.0.0.1:0", "--store"]).arg(store);
    command
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
}

/// Returns the names and contents of all files in a folder.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.map(|path| (path.clone(), fs::read(&path).unwrap())).collect();
    files.sort();
    files
}

#[test]
fn certificate_and_its_key_are_examined() {
    let folder = TempDir::new().unwrap();
    let [cert, key, other] = ["cert.pem", "key.pem", "other.pem"].map(|name| folder.path().join(name));
    let pair = Authority::new("Test").issue(&["table.example"], 2099);
    fs::write(&cert, &pair.cert).unwrap();
    fs::write(&key, &pair.key).unwrap();
    set_mode(&key, 0o600);
    fs::write(&other, Authority::new("Other").issue(&["table.example"], 2099).key).unwrap();
    set_mode(&other, 0o644);
    let examine = |key: &Path| {
        let mut command = doctor(&folder.path().join("paigow.db"));
        Report::of(command.arg("--tls-cert").arg(&cert).arg("--tls-key").arg(key))
    };
    let report = examine(&key);
    report.assert_no_fault();
    assert!(report.found("certificate", "ok").contains("valid for"));
    let report = examine(&other);
    assert!(report.found("certificate", "fault").contains("other.pem"));
    assert!(report.found("permissions", "fault").contains("other users can read it"));
}

#[test]
fn new_and_used_stores_have_no_faults_and_stay_unchanged() {
    let empty = TempDir::new().unwrap();
    let report = Report::of(&mut doctor(&empty.path().join("paigow.db")));
    report.assert_no_fault();
    assert!(report.found("store", "ok").contains("the first start creates it"));
    assert!(report.found("master key", "ok").contains("the first start creates it"));
    assert_eq!(contents(empty.path()), [], "nothing is created");

    let written = StoreFolder::new();
    let before = contents(written.folder.path());
    let report = written.examine();
    report.assert_no_fault();
    assert!(report.found("master key", "ok").contains("which signed entry"));
    for name in
        ["settings", "clock", "clock and store", "permissions", "durability", "integrity", "open files"]
    {
        report.found(name, "ok");
    }
    assert!(contents(written.folder.path()) == before, "a file has changed");
    // The table for people has a row for each check.
    let table = doctor(&written.store).output().unwrap();
    assert!(String::from_utf8_lossy(&table.stdout).contains("what to do"), "{table:?}");
}

#[test]
fn running_server_is_examined_without_disturbing_it() {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("paigow.db");
    let server = Server::start(store.to_str().unwrap());
    let secret = server.secret_file.clone().unwrap();
    let olga = server.admin();
    let mut command = paigow();
    let report = Report::of(command.args(["doctor", "--listen", &server.address, "--store"]).arg(&store));
    report.assert_no_fault();
    assert!(report.found("listen", "ok").contains("answers at"));
    // The secret has enrolled an admin.
    assert!(report.found("operator secret", "warning").contains(secret.to_str().unwrap()));
    server.operator_json(&olga, &["balance"]);
    let ready = server.operator_json(&olga, &["ready"]);
    assert_eq!(ready["status"], "ok");
    // A process that was killed leaves its log and index.
    server.kill();
    let file = |suffix: &str| fs::read(folder.path().join(format!("paigow.db{suffix}"))).unwrap();
    let before = (file(""), file("-wal"));
    Report::of(&mut doctor(&store)).assert_no_fault();
    assert!(before == (file(""), file("-wal")), "the store has changed");
}

#[test]
fn running_server_with_tls_is_recognized_by_its_certificate() {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("paigow.db");
    let authority = Authority::new("Test");
    let pair = |name: &str| {
        let pair = authority.issue(&["127.0.0.1"], 2099);
        let [cert, key] = ["cert", "key"].map(|kind| folder.path().join(format!("{name}-{kind}.pem")));
        fs::write(&cert, pair.cert).unwrap();
        fs::write(&key, pair.key).unwrap();
        set_mode(&key, 0o600);
        [cert, key].map(|path| path.to_str().unwrap().to_owned())
    };
    let ([cert, key], [other_cert, other_key]) = (pair("own"), pair("other"));
    let server = Server::start_with(store.to_str().unwrap(), &["--tls-cert", &cert, "--tls-key", &key]);
    let examine = |cert: &str, key: &str| {
        let mut command = paigow();
        command.args([
            "doctor",
            "--listen",
            &server.address,
            "--tls-cert",
            cert,
            "--tls-key",
            key,
            "--store",
        ]);
        Report::of(command.arg(&store))
    };
    let report = examine(&cert, &key);
    report.assert_no_fault();
    assert!(report.found("listen", "ok").contains("and is ready"));
    // A renewed certificate that the server has not loaded.
    assert!(examine(&other_cert, &other_key).found("listen", "warning").contains("another certificate"));
    // Without the pair, the server cannot be recognized.
    assert!(examine(&cert, &other_key).found("listen", "warning").contains("is in use"));
    drop(server);
    let plain = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = plain.local_addr().unwrap().to_string();
    let mut command = paigow();
    command.args(["doctor", "--listen", &address, "--tls-cert", &cert, "--tls-key", &key, "--store"]);
    assert!(Report::of(command.arg(&store)).found("listen", "fault").contains("another program"));
}

#[test]
fn every_fault_of_the_settings_is_reported() {
    let folder = TempDir::new().unwrap();
    let config = folder.path().join("paigow.toml");
    fs::write(&config, "bots = 3\nunknown_key = 1\n").unwrap();
    let mut command = paigow();
    command.args(["doctor", "--connections", "0", "--config"]).arg(&config).env("PAIGOW_LOG_LEVEL", "loud");
    let report = Report::of(&mut command);
    let faults: Vec<&str> = report.json["checks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|check| check["name"] == "settings" && check["level"] == "fault")
        .map(|check| check["found"].as_str().unwrap())
        .collect();
    for part in ["--connections", "PAIGOW_LOG_LEVEL", "paigow.toml:1:8", "unknown_key"] {
        assert!(faults.iter().any(|fault| fault.contains(part)), "{part} is not in {faults:?}");
    }
    assert_eq!((report.status, faults.len()), (Some(1), 4));

    let missing = Report::of(paigow().args(["doctor", "--config", "missing.toml"]));
    assert!(missing.found("settings", "fault").contains("missing.toml"));
    let stray = Report::of(doctor(&folder.path().join("paigow.db")).env("PAIGOW_STORRE", "x"));
    assert!(stray.found("settings", "warning").contains("PAIGOW_STORRE"));
    let books = folder.path().join("books");
    fs::create_dir(&books).unwrap();
    fs::write(books.join("club.toml"), "not a book").unwrap();
    let report = Report::of(doctor(&folder.path().join("paigow.db")).arg("--books").arg(&books));
    assert!(report.found("rule books", "fault").contains("club.toml"));
}

#[test]
fn files_that_other_users_can_read_are_faults() {
    let written = StoreFolder::new();
    for name in ["paigow.db", "paigow.key", "paigow.operator"] {
        set_mode(&written.file(name), 0o644);
        let found = written.examine().found("permissions", "fault");
        assert!(found.contains(name) && found.contains("0644"), "{found}");
        set_mode(&written.file(name), 0o600);
    }
    written.examine().assert_no_fault();
    set_mode(written.folder.path(), 0o777);
    assert!(written.examine().found("permissions", "warning").contains("can replace files"));
    set_mode(written.folder.path(), 0o700);
    // A settings file with the operator secret or a password is as private.
    let config = written.file("paigow.toml");
    fs::write(&config, format!("operator_secret = \"{}\"\n", "ab".repeat(32))).unwrap();
    set_mode(&config, 0o644);
    let report = Report::of(doctor(&written.store).arg("--config").arg(&config));
    assert!(report.found("permissions", "fault").contains("paigow.toml"));
    let missing = Report::of(&mut doctor(Path::new("/proc/paigow/paigow.db")));
    missing.found("permissions", "fault");
}

#[test]
fn missing_damaged_and_other_keys_are_faults() {
    let written = StoreFolder::new();
    let key = written.file("paigow.key");
    let text = fs::read_to_string(&key).unwrap();
    let with_key = |text: &str| {
        fs::write(&key, text).unwrap();
        written.examine()
    };
    assert!(with_key("no key\n").found("master key", "fault").contains("line 1"));
    let other = "5".repeat(64);
    assert!(with_key(&other).found("master key", "fault").contains("signed entry"));
    // A rotated file has the new key first and the one of the store below.
    let rotated = with_key(&format!("{other}\n{text}"));
    rotated.assert_no_fault();
    assert!(rotated.found("master key", "warning").contains("last start"));
    fs::remove_file(&key).unwrap();
    assert!(written.examine().found("master key", "fault").contains("is missing"));
}

#[test]
fn foreign_newer_older_and_damaged_stores_are_reported() {
    let written = StoreFolder::new();
    let change = |sql: &str| {
        let connection = rusqlite::Connection::open(&written.store).unwrap();
        connection.execute_batch(sql).unwrap();
    };
    change("PRAGMA journal_mode = delete");
    assert!(written.examine().found("durability", "warning").contains("not in WAL mode"));
    change("PRAGMA user_version = 1000");
    assert!(written.examine().found("store", "fault").contains("version 1000"));
    change("PRAGMA user_version = 6; PRAGMA application_id = 7");
    assert!(written.examine().found("store", "fault").contains("not a paigow store"));

    let earlier = TempDir::new().unwrap();
    for release in ["0.0.0", "0.1.0", "0.2.0"] {
        let fixture = format!("../paigow-server/tests/fixtures/{release}/store.db");
        let store = earlier.path().join(format!("{release}.db"));
        fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(fixture), &store).unwrap();
        set_mode(&store, 0o600);
        let before = contents(earlier.path());
        let report = Report::of(&mut doctor(&store));
        assert!(report.found("store", "warning").contains("this program uses version"), "{release}");
        assert!(contents(earlier.path()) == before, "the store of {release} has changed");
    }

    let damaged = StoreFolder::new();
    let mut bytes = fs::read(&damaged.store).unwrap();
    let page = 4_096;
    for at in (page..bytes.len()).step_by(page) {
        // The header of each page but the first.
        bytes[at..at + 8].fill(0xa5);
    }
    fs::write(&damaged.store, &bytes).unwrap();
    let report = damaged.examine();
    let found = report.json["checks"].as_array().unwrap().iter().any(|check| {
        check["level"] == "fault" && ["integrity", "store"].contains(&check["name"].as_str().unwrap())
    });
    assert!(found && report.status == Some(1), "{:#}", report.json);
    fs::write(&damaged.store, "short").unwrap();
    assert!(damaged.examine().found("store", "fault").contains("not a paigow store"));
}

#[test]
fn clock_before_the_newest_entry_is_a_fault() {
    let written = StoreFolder::new();
    let connection = rusqlite::Connection::open(&written.store).unwrap();
    connection.execute_batch("UPDATE events SET at = 4102444800000").unwrap();
    drop(connection);
    let report = written.examine();
    assert!(report.found("clock and store", "fault").contains("2100-01-01 00:00:00 UTC"));
}

#[test]
fn occupied_and_foreign_addresses_are_faults() {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("paigow.db");
    let at = |flag: &str, address: &str| {
        let mut command = paigow();
        Report::of(command.args(["doctor", flag, address, "--store"]).arg(&store))
    };
    // The kernel accepts the connection, and no program answers.
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap().to_string();
    assert!(at("--health-listen", &address).found("health_listen", "fault").contains("another program"));
    assert!(at("--listen", "203.0.113.1:8080").found("listen", "fault").contains("203.0.113.1"));
}

#[test]
fn low_limits_and_a_cache_that_cannot_be_written_are_warnings() {
    let folder = TempDir::new().unwrap();
    let mut limited = Command::new("prlimit");
    limited.args([
        "--nofile=1024:1024",
        env!("CARGO_BIN_EXE_paigow"),
        "doctor",
        "--listen",
        "127.0.0.1:0",
        "--store",
    ]);
    limited.arg(folder.path().join("paigow.db")).env("PAIGOW_CACHE", "/proc/paigow-cache");
    let report = Report::of(&mut limited);
    assert!(report.found("open files", "warning").contains("at most 1024"));
    assert!(report.found("cache", "warning").contains("/proc"));
}

#[test]
fn postgresql_is_examined_without_a_write() {
    let database = Database::new();
    let key = TempDir::new().unwrap();
    let examine = |address: &str, more: &[&str]| {
        let mut command = paigow();
        command.args(["doctor", "--listen", "127.0.0.1:0", "--store", address]).args(more);
        command
            .args(["--operator-secret-file", "/dev/null/none", "--key-file"])
            .arg(key.path().join("paigow.key"));
        Report::of(&mut command)
    };
    let report = examine(&database.address, &[]);
    report.assert_no_fault();
    assert!(report.found("store", "ok").contains("empty"));
    assert_eq!(database.count("SELECT count(*) FROM pg_class WHERE relname = 'paigow_version'"), 0);
    report.found("database role", "warning");
    report.found("data checksums", "warning");
    assert!(report.found("encryption", "ok").contains("this machine"));
    for name in ["database", "durability", "connections", "clock and database"] {
        report.found(name, "ok");
    }
    let server = Server::start(&database.address);
    let report = examine(&database.address, &[]);
    assert!(report.found("master key", "fault").contains("was written with a key"));
    drop(server);
    database.run("UPDATE paigow_version SET version = 1000");
    assert!(examine(&database.address, &[]).found("store", "fault").contains("version 1000"));
    let missing = examine("postgres://paigow@127.0.0.1:1/none", &[]);
    missing.found("store", "fault");
    assert!(
        examine("postgres://a:b@c:bad/", &[]).found("store", "fault").contains("invalid database address")
    );

    database.run("CREATE ROLE plain LOGIN");
    let plain = database.address.replace("postgres@", "plain@");
    examine(&plain, &[]).found("database role", "ok");
    database.run("ALTER ROLE plain SET synchronous_commit = off");
    assert!(examine(&plain, &[]).found("durability", "fault").contains("synchronous_commit = off"));
    examine(&plain, &["--allow-unsafe-postgres", "true"]).found("durability", "warning");
}

#[test]
fn few_connections_of_postgresql_are_a_fault() {
    let cluster = Cluster::start_with("-c max_connections=15");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let address = runtime.block_on(cluster.database());
    let mut command = paigow();
    let folder = TempDir::new().unwrap();
    command.args(["doctor", "--listen", "127.0.0.1:0", "--store", &address, "--key-file"]);
    let report = Report::of(command.arg(folder.path().join("paigow.key")));
    assert!(report.found("connections", "fault").contains("uses up to 17"));
}
