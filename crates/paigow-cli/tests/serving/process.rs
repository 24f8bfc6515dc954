//! A server as a process of its own.

use crate::program::paigow;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long anything may take that should happen at once: other tests want the machine as well.
pub(crate) const SOON: Duration = Duration::from_secs(20);

/// `paigow serve`, ended with whoever started it.
pub(crate) struct Server {
    child: Child,
    /// Where it listens, such as `127.0.0.1:4711`.
    pub(crate) address: String,
    /// What it said when it had started.
    pub(crate) greeting: String,
    /// The operators' secret, where it was printed.
    pub(crate) secret: Option<String>,
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
            // Processes of one database share a key, and none of them makes a file in the working directory.
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
        ]);
        Server::start_by(command)
    }

    pub(crate) fn start_by(mut command: Command) -> Server {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let said = lines(child.stdout.take().unwrap());
        let log = lines(child.stderr.take().unwrap());
        let Ok(first) = said.recv_timeout(SOON) else {
            let _ = child.kill();
            panic!("it did not start: {:?}", log.iter().collect::<Vec<_>>());
        };
        let address = first.rsplit_once("http://").unwrap().1.to_owned();
        // The greeting is written at once; where there is no secret, nothing more comes.
        let mut greeting = first;
        let mut secret = None;
        while let Ok(line) = said.recv_timeout(Duration::from_millis(100)) {
            greeting = format!("{greeting}\n{line}");
            secret = secret.or(line.rsplit_once(": ").map(|(_, secret)| secret.to_owned()));
        }
        Server { child, address, greeting, secret, log }
    }

    /// The process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    }

    /// Lets it write files of any length from now on.
    pub(crate) fn without_file_limit(&self) {
        let pid = self.child.id().to_string();
        let limit = Command::new("prlimit").args(["--pid", &pid, "--fsize=unlimited"]).status();
        assert!(limit.unwrap().success());
    }

    /// Ends it as a power cut would.
    pub(crate) fn kill(mut self) {
        let ended = self.child.try_wait().unwrap();
        assert!(ended.is_none(), "it ended by itself: {ended:?}");
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits for it to end by itself: how, how long that took, and what it has logged.
    pub(crate) fn ended(mut self, within: Duration) -> (ExitStatus, Duration, Vec<String>) {
        let start = Instant::now();
        while start.elapsed() < within {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status, start.elapsed(), self.log.iter().collect());
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("it has not ended within {within:?}");
    }

    /// Asks `paigow operator` to do something there.
    pub(crate) fn operator(&self, secret: &str, args: &[&str]) -> Output {
        let server = format!("http://{}", self.address);
        let mut command = paigow();
        command.args(["operator", "--server", &server, "--name", "olga"]).args(args);
        command.env("PAIGOW_OPERATOR_SECRET", secret).output().unwrap()
    }

    /// What `paigow operator` answers.
    pub(crate) fn ask(&self, secret: &str, args: &[&str]) -> Value {
        let args: Vec<&str> = args.iter().copied().chain(["--format", "json"]).collect();
        let output = self.operator(secret, &args);
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

/// The lines of a stream as they come.
fn lines(stream: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (send, heard) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            // Read to the end also where nobody listens: a full pipe would hold the server up.
            let _ = send.send(line);
        }
    });
    heard
}

/// The store is in order, and every currency comes to zero.
pub(crate) fn audit(store: &str) -> Value {
    let output = paigow().args(["audit", "--format", "json", "--store", store]).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(output.status.success(), "{:#}", report["findings"]);
    report
}
