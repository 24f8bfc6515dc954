//! A full disk. A limit of one megabyte per file makes writes fail as a full disk does.

use crate::guest::{Guest, get, post, wait_until};
use crate::process::{Server, audit};
use crate::program::paigow;
use serde_json::{Value, json};
use std::process::Command;
use tempfile::TempDir;

/// Upper bound on the guests that fit before the write-ahead log of the database reaches a megabyte.
const GUESTS_MAX: usize = 2_000;

#[test]
fn full_disk_fails_readiness_and_loses_no_acknowledged_write() {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("paigow.db").to_str().unwrap().to_owned();
    let mut command = Command::new("sh");
    // Without the trap, SIGXFSZ would kill the process.
    command.args(["-c", "trap '' XFSZ; ulimit -S -f 2048; exec \"$0\" \"$@\""]);
    command.arg(paigow().get_program()).args(["serve", "--listen", "127.0.0.1:0", "--store", &store]);
    command.args(["--bots", "false", "--requests-per-address", "1000000", "--guests-per-address", "1000000"]);
    let server = Server::start_command(command);
    let ready = || get(&server.address, "/readyz", &[]);
    assert_eq!(ready().0, 200);
    let first = Guest::new(&server.address, "First");
    let mut guests = 1;
    let refused = (0..GUESTS_MAX).find_map(|_| {
        let (status, problem) = post(&server.address, "/api/session", &[], &json!({ "name": "Guest" }));
        guests += u64::from(status == 201);
        (status != 201).then_some((status, problem))
    });
    let (status, problem) = refused.expect("the disk fills up");
    assert_eq!((status, &problem["code"]), (503, &"unavailable".into()), "{problem}");
    wait_until("not ready", || {
        let (status, problem) = ready();
        let is_write = |fault: &Value| fault["at"] == "store_write";
        status == 503 && problem["faults"].as_array().is_some_and(|faults| faults.iter().any(is_write))
    });
    assert_eq!(get(&server.address, "/healthz", &[]).0, 200, "the process is alive");
    // The operator frees space; the server recovers without a restart.
    server.without_file_limit();
    wait_until("ready again", || ready().0 == 200);
    assert_eq!(first.cents(&server.address), 100_000);
    guests += 1;
    Guest::new(&server.address, "Last");
    server.kill();
    let report = audit(&store);
    assert_eq!(report["in_order"], true, "{report}");
    let again = Server::start_with(&store, &["--bots", "false"]);
    assert_eq!(first.cents(&again.address), 100_000);
    // Each guest gets one transfer of chips: all acknowledged guests, and at most one that was not acknowledged.
    let transfers = report["transfers"].as_u64().unwrap();
    assert!((guests..=guests + 1).contains(&transfers), "{guests} guests, {report}");
}
