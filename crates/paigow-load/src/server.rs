//! The server under load: the `paigow` program as a child process.

use std::path::Path;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// Name of the file with the operator secret.
pub(crate) const SECRET_FILE: &str = "paigow.operator";

/// A server process and its address.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
}

impl Server {
    /// Starts a server with its key and its operator secret in files of a folder.
    pub(crate) async fn start(program: &str, store: &str, folder: &Path) -> Server {
        let mut child = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0", "--store", store, "--bots", "false"])
            .arg("--key-file")
            .arg(folder.join("paigow.key"))
            .arg("--operator-secret-file")
            .arg(folder.join(SECRET_FILE))
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
        Server { child, address }
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
