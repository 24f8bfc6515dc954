//! A server process for tests.

use crate::enrolled::Enrolled;
use crate::program::paigow;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Timeout of operations that normally take milliseconds. Other tests may keep the machine busy.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(20);

/// A process of `paigow serve`. It is killed on drop.
pub(crate) struct Server {
    child: Child,
    /// Address of the listener, such as `127.0.0.1:4711`.
    pub(crate) address: String,
    /// Lines printed at the start.
    pub(crate) startup_output: String,
    /// File with the operator secret, if the server printed its path.
    pub(crate) secret_file: Option<PathBuf>,
    log: Receiver<String>,
}

impl Server {
    pub(crate) fn start(store: &str) -> Server {
        Server::start_with(store, &[])
    }

    pub(crate) fn start_with(store: &str, more: &[&str]) -> Server {
        let mut command = paigow();
        command.args(["serve", "--listen", "127.0.0.1:0", "--store", store]).args(more);
        if store.starts_with("postgres") {
            // Each database has its own secret.
            let database = store.rsplit('/').next().unwrap_or_default().split('?').next().unwrap_or_default();
            let file = format!("{}/serving-{database}.operator", env!("CARGO_TARGET_TMPDIR"));
            command.args(["--operator-secret-file", &file]);
            // Processes on one database share a key. The flag also keeps them from creating a key file in the working
            // directory.
            command.args(["--key-file", concat!(env!("CARGO_TARGET_TMPDIR"), "/serving.key")]);
        }
        // All clients of a test come from one address.
        command.args([
            "--requests-per-address",
            "1000000",
            "--requests-per-account",
            "1000000",
            "--health-checks-per-address",
            "1000000",
            "--connections-per-address",
            "0",
            "--guests-per-address",
            "1000000",
            "--sign-ins-per-address",
            "1000000",
            "--sign-ins-per-name",
            "1000000",
        ]);
        Server::start_command(command)
    }

    pub(crate) fn start_command(mut command: Command) -> Server {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let output = lines(child.stdout.take().unwrap());
        let log = lines(child.stderr.take().unwrap());
        let Ok(first) = output.recv_timeout(TIMEOUT) else {
            let _ = child.kill();
            panic!("the server did not start: {:?}", log.iter().collect::<Vec<_>>());
        };
        let address = first.rsplit_once("://").unwrap().1.to_owned();
        // All lines are written at once. With an admin there is only one.
        let mut startup_output = first;
        while let Ok(line) = output.recv_timeout(Duration::from_millis(100)) {
            startup_output = format!("{startup_output}\n{line}");
        }
        let path = startup_output
            .split_once("The operator secret is in ")
            .and_then(|(_, rest)| rest.split_once(';'));
        let secret_file = path.map(|(path, _)| PathBuf::from(path));
        Server { child, address, startup_output, secret_file, log }
    }

    /// Process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    }

    /// Removes the limit on the size of files that the process writes.
    pub(crate) fn without_file_limit(&self) {
        let pid = self.child.id().to_string();
        let limit = Command::new("prlimit").args(["--pid", &pid, "--fsize=unlimited"]).status();
        assert!(limit.unwrap().success());
    }

    /// Kills the process with SIGKILL, like a power failure.
    pub(crate) fn kill(mut self) {
        let exited = self.child.try_wait().unwrap();
        assert!(exited.is_none(), "the server exited before the kill: {exited:?}");
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits for the process to exit. Returns its status, the time it took, and the log.
    pub(crate) fn wait_for_exit(mut self, within: Duration) -> (ExitStatus, Duration, Vec<String>) {
        let start = Instant::now();
        while start.elapsed() < within {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status, start.elapsed(), self.log.iter().collect());
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("the server did not exit within {within:?}");
    }

    /// Enrols the admin `olga` with the operator secret.
    pub(crate) fn admin(&self) -> Enrolled {
        let secret = std::fs::read_to_string(self.secret_file.as_ref().unwrap()).unwrap();
        Enrolled::new(self, "olga", secret.trim())
    }

    /// Runs `paigow operator` against the server with the session of an operator.
    pub(crate) fn operator(&self, operator: &Enrolled, args: &[&str]) -> Output {
        operator.command(&self.address).args(args).output().unwrap()
    }

    /// Runs `paigow operator` against the server and returns the JSON that it prints.
    pub(crate) fn operator_json(&self, operator: &Enrolled, args: &[&str]) -> Value {
        let args: Vec<&str> = args.iter().copied().chain(["--format", "json"]).collect();
        let output = self.operator(operator, &args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads the lines of a stream on a thread.
fn lines(stream: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            // Reads on without a receiver: a full pipe would block the server.
            let _ = sender.send(line);
        }
    });
    receiver
}

/// Runs `paigow audit`, asserts that it has no findings, and returns its report.
pub(crate) fn audit(store: &str) -> Value {
    let output = paigow().args(["audit", "--format", "json", "--store", store]).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(output.status.success(), "{:#}", report["findings"]);
    report
}
