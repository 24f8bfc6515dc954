//! The server under load: the `paigow` program as a child process.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// A server process, its address, and the operator secret if it printed one.
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
        let greeting = lines.next_line().await.unwrap().expect("the server prints its address");
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

    /// Returns a field of `/proc/PID/status`, such as `VmRSS`, in MiB.
    pub(crate) fn memory(&self, field: &str) -> f64 {
        let path = format!("/proc/{}/status", self.child.id().unwrap_or(0));
        let status = std::fs::read_to_string(path).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
        let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
        kibibytes.unwrap_or(0.0) / 1_024.0
    }

    /// Returns the CPU time of the server, in seconds.
    pub(crate) fn cpu_seconds(&self) -> f64 {
        cpu_seconds(&self.child.id().unwrap_or(0).to_string())
    }

    pub(crate) async fn stop(mut self) {
        let _ = self.child.kill().await;
    }
}

/// Returns the CPU time of a process, in seconds, with the kernel's resolution of 1/100 s.
pub(crate) fn cpu_seconds(process: &str) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The process name, in parentheses, can contain spaces. After it, `utime` and `stime` are fields 12 and 13.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}
