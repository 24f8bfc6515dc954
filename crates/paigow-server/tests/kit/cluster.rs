//! A temporary PostgreSQL cluster for a test. It lives in a temporary folder, listens on a Unix socket there, on request
//! also on a TCP port, and is stopped and removed on drop.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;
use tokio_postgres::NoTls;

pub(crate) struct Cluster {
    folder: TempDir,
    databases: AtomicU64,
    /// Additional command-line options of the server.
    options: String,
    /// Port of the socket, and of TCP if the server listens there.
    port: u16,
}

/// Port of a cluster without TCP. Its socket is in a folder of its own.
const DEFAULT_PORT: u16 = 5432;

impl Cluster {
    pub(crate) fn start() -> Cluster {
        Cluster::start_with("")
    }

    /// Starts a cluster with additional options such as `-c fsync=off`.
    pub(crate) fn start_with(options: &str) -> Cluster {
        Cluster::start_at(DEFAULT_PORT, options.to_owned())
    }

    /// Starts a cluster that also listens on a free TCP port of 127.0.0.1.
    pub(crate) fn start_on_tcp() -> Cluster {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Cluster::start_at(port, format!("-p {port} -h 127.0.0.1"))
    }

    fn start_at(port: u16, options: String) -> Cluster {
        let folder = tempfile::Builder::new().prefix("paigow-pg-").tempdir_in("/tmp").unwrap();
        let cluster = Cluster { folder, databases: AtomicU64::new(0), options, port };
        if is_root() {
            // PostgreSQL refuses to run as root.
            run(Command::new("chown").arg("postgres").arg(cluster.path()));
        }
        let data = cluster.path().join("data").display().to_string();
        run(&mut program("initdb", &["-D", &data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N"]));
        cluster.launch();
        cluster
    }

    /// Starts the server, also after it was stopped.
    pub(crate) fn launch(&self) {
        let (data, log) = (self.path().join("data"), self.path().join("log"));
        let socket = self.path().display();
        let options =
            format!("-k {socket} -h '' -c max_connections=120 -c deadlock_timeout=200ms {}", self.options);
        let (data, log) = (data.display().to_string(), log.display().to_string());
        run(&mut program("pg_ctl", &["-D", &data, "-l", &log, "-w", "-o", &options, "start"]));
    }

    /// Stops the server without a checkpoint, like a power cut.
    pub(crate) fn stop(&self) -> bool {
        let data = self.path().join("data").display().to_string();
        let mut stop = program("pg_ctl", &["-D", &data, "-m", "immediate", "-w", "stop"]);
        let stopped = stop.stdout(Stdio::null()).status();
        stopped.is_ok_and(|status| status.success())
    }

    /// Creates a database and returns its address.
    pub(crate) async fn database(&self) -> String {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        self.execute(&format!("CREATE DATABASE test{number}")).await;
        self.address(&format!("test{number}"))
    }

    /// Creates a database and returns its address at a host name that stands for 127.0.0.1, with these options.
    pub(crate) async fn database_on_tcp(&self, host: &str, options: &str) -> String {
        let address = self.database().await;
        let database = address.rsplit('/').next().unwrap();
        format!("postgres://postgres@{host}:{}/{database}?hostaddr=127.0.0.1&{options}", self.port)
    }

    /// Turns TLS on for new connections, with a certificate and its key as PEM texts.
    pub(crate) async fn turn_tls_on(&self, cert: &str, key: &str) {
        for (name, text) in [("server.crt", cert), ("server.key", key)] {
            let path = self.path().join("data").join(name);
            fs::write(&path, text).unwrap();
            run(Command::new("chmod").arg("600").arg(&path));
            if is_root() {
                run(Command::new("chown").arg("postgres").arg(&path));
            }
        }
        self.execute("ALTER SYSTEM SET ssl = on").await;
        self.execute("SELECT pg_reload_conf()").await;
    }

    /// Executes a statement in the database `postgres`.
    async fn execute(&self, statement: &str) {
        let (client, connection) = tokio_postgres::connect(&self.address("postgres"), NoTls).await.unwrap();
        let connection = tokio::spawn(connection);
        client.batch_execute(statement).await.unwrap();
        drop(client);
        connection.await.unwrap().unwrap();
    }

    /// Dumps a database as SQL statements.
    pub(crate) fn dump(address: &str) -> String {
        let args = ["--inserts", "--no-owner", "--no-privileges", "--encoding", "UTF8", address];
        let output = program("pg_dump", &args).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn address(&self, database: &str) -> String {
        // The socket's folder takes the position of the host, with slashes percent-encoded.
        let host = self.path().display().to_string().replace('/', "%2F");
        let port = if self.port == DEFAULT_PORT { String::new() } else { format!(":{}", self.port) };
        format!("postgres://postgres@{host}{port}/{database}")
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.stop();
    }
}

pub(crate) fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    id.stdout.starts_with(b"0\n")
}

/// Returns a command for a PostgreSQL program, run as `postgres` if the tests run as root.
fn program(name: &str, args: &[&str]) -> Command {
    let path = program_folder().join(name);
    let mut command = if is_root() {
        let mut command = Command::new("setpriv");
        command.args(["--reuid", "postgres", "--regid", "postgres", "--clear-groups", "--"]).arg(path);
        command
    } else {
        Command::new(path)
    };
    command.args(args).current_dir("/").stdin(Stdio::null());
    command
}

/// Returns the folder of the server programs, which is not in `PATH`.
pub(crate) fn program_folder() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    folders.retain(|folder| folder.join("initdb").exists());
    folders.sort();
    let configured = Command::new("pg_config").arg("--bindir").output();
    let configured =
        configured.ok().map(|output| PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()));
    let configured = configured.filter(|folder| folder.join("initdb").exists());
    configured.or(folders.pop()).expect("PostgreSQL is not installed: run `apt-get install postgresql`")
}

fn run(command: &mut Command) {
    // The server that `pg_ctl` starts would keep a pipe open.
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    let status = status.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?} ended with {status}");
}
