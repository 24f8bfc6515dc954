//! A PostgreSQL that lives as long as a test: made in a temporary folder, reached by a socket in it, stopped at the end whatever
//! happens. There is nothing to set up, and nothing is left.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;
use tokio_postgres::NoTls;

pub(crate) struct Cluster {
    folder: TempDir,
    databases: AtomicU64,
    /// Options of the server beside the usual ones.
    options: &'static str,
}

impl Cluster {
    pub(crate) fn start() -> Cluster {
        Cluster::start_with("")
    }

    /// One whose server has options such as `-c fsync=off`.
    pub(crate) fn start_with(options: &'static str) -> Cluster {
        let folder = tempfile::Builder::new().prefix("paigow-pg-").tempdir_in("/tmp").unwrap();
        let cluster = Cluster { folder, databases: AtomicU64::new(0), options };
        if is_root() {
            // PostgreSQL refuses to run as root.
            run(Command::new("chown").arg("postgres").arg(cluster.path()));
        }
        let data = cluster.path().join("data").display().to_string();
        run(&mut program("initdb", &["-D", &data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N"]));
        cluster.launch();
        cluster
    }

    /// Starts the server, or starts it again after it was stopped.
    pub(crate) fn launch(&self) {
        let (data, log) = (self.path().join("data"), self.path().join("log"));
        let socket = self.path().display();
        let options =
            format!("-k {socket} -h '' -c max_connections=120 -c deadlock_timeout=200ms {}", self.options);
        let (data, log) = (data.display().to_string(), log.display().to_string());
        run(&mut program("pg_ctl", &["-D", &data, "-l", &log, "-w", "-o", &options, "start"]));
    }

    /// Stops the server at once, as a power cut would.
    pub(crate) fn stop(&self) -> bool {
        let data = self.path().join("data").display().to_string();
        let mut stop = program("pg_ctl", &["-D", &data, "-m", "immediate", "-w", "stop"]);
        let stopped = stop.stdout(Stdio::null()).status();
        stopped.is_ok_and(|status| status.success())
    }

    /// The address of a new database.
    pub(crate) async fn database(&self) -> String {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        let (client, connection) = tokio_postgres::connect(&self.address("postgres"), NoTls).await.unwrap();
        let connection = tokio::spawn(connection);
        client.batch_execute(&format!("CREATE DATABASE test{number}")).await.unwrap();
        drop(client);
        connection.await.unwrap().unwrap();
        self.address(&format!("test{number}"))
    }

    /// A database as the statements that make it again.
    pub(crate) fn dump(address: &str) -> String {
        let args = ["--inserts", "--no-owner", "--no-privileges", "--encoding", "UTF8", address];
        let output = program("pg_dump", &args).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn address(&self, database: &str) -> String {
        // A socket's folder stands where a host would, its slashes written out.
        let host = self.path().display().to_string().replace('/', "%2F");
        format!("postgres://postgres@{host}/{database}")
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

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    id.stdout.starts_with(b"0\n")
}

/// A program of PostgreSQL, as somebody it runs for.
fn program(name: &str, args: &[&str]) -> Command {
    let path = folder_of_programs().join(name);
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

/// Where the distribution keeps the server, which is not on the path.
fn folder_of_programs() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    folders.retain(|folder| folder.join("initdb").exists());
    folders.sort();
    let asked = Command::new("pg_config").arg("--bindir").output();
    let asked = asked.ok().map(|output| PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()));
    let asked = asked.filter(|folder| folder.join("initdb").exists());
    asked.or(folders.pop()).expect("PostgreSQL is not installed: run `apt-get install postgresql`")
}

fn run(command: &mut Command) {
    // The server that `pg_ctl` leaves behind would keep a pipe open for ever.
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    let status = status.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?} ended with {status}");
}
