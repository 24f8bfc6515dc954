//! A server under load: the program itself, in a process of its own.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// A server, where it listens, and its secret if it made one.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    pub(crate) secret: Option<String>,
}

impl Server {
    pub(crate) async fn start(program: &str, store: &str, key_file: &Path) -> Server {
        let mut child = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0", "--store", store, "--bots", "false"])
            .arg("--key-file")
            .arg(key_file)
            .args(["--sockets", "20000", "--sockets-per-address", "20000", "--log-level", "warn"])
            .args([
                "--requests-per-address",
                "1000000",
                "--requests-per-account",
                "1000000",
                "--health-checks-per-address",
                "1000000",
                "--guests-per-address",
                "1000000",
                "--connections-per-address",
                "0",
            ])
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let greeting = lines.next_line().await.unwrap().expect("it says where it listens");
        let address = greeting.rsplit("http://").next().unwrap().trim().to_owned();
        let mut secret = None;
        while let Ok(Ok(Some(line))) =
            tokio::time::timeout(Duration::from_millis(300), lines.next_line()).await
        {
            secret =
                secret.or_else(|| line.rsplit(' ').next().filter(|word| word.len() == 64).map(str::to_owned));
        }
        Server { child, address, secret }
    }

    /// What the operating system says of its memory, in MiB.
    pub(crate) fn memory(&self, what: &str) -> f64 {
        let path = format!("/proc/{}/status", self.child.id().unwrap_or(0));
        let status = std::fs::read_to_string(path).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(what)?.strip_prefix(':'));
        let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
        kibibytes.unwrap_or(0.0) / 1_024.0
    }

    /// How long it has had a processor, in seconds.
    pub(crate) fn processor(&self) -> f64 {
        processor(&self.child.id().unwrap_or(0).to_string())
    }

    pub(crate) async fn stop(mut self) {
        let _ = self.child.kill().await;
    }
}

/// How long a process has had a processor, in seconds, as the operating system counts it: by hundredths.
pub(crate) fn processor(process: &str) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name, in parentheses, may have anything in it; of what follows the twelfth and thirteenth are meant.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}
