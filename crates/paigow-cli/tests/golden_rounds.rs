//! The rounds of `golden/rounds` are settled as they are, and a settlement that differs from what its file expects is a failure.

#![allow(clippy::expect_used, clippy::unwrap_used)] // a test that cannot start its program has failed

mod program;

use program::{paigow, with_input};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/rounds")
}

#[test]
fn every_file_is_settled_as_it_expects() {
    let mut settled = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "round") {
            continue;
        }
        let output = paigow().args(["settle", path.to_str().unwrap(), "--format", "json"]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{}: {said}", path.display());
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["sum_cents"], 0, "{}", path.display());
        settled += 1;
    }
    assert!(settled >= 63, "{settled}");
}

/// The files of `refused` are refused as they are, for the reasons that stand in them.
#[test]
fn every_refused_file_is_refused_for_its_reasons() {
    let mut refused = 0;
    for entry in std::fs::read_dir(folder().join("refused")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "round") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let (_, reasons) = text.split_once("---\n").unwrap();
        let output = paigow().args(["settle", path.to_str().unwrap()]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{}: {said}", path.display());
        assert!(output.stdout.is_empty(), "{}", path.display());
        for reason in reasons.lines() {
            // The place of a problem is printed in a line of its own, and its help in another.
            let message = reason.splitn(4, ':').nth(3).unwrap().trim();
            let message = message.split_once(" (").map_or(message, |(message, _)| message);
            assert!(said.contains(message), "{}: {message} is not in {said}", path.display());
        }
        refused += 1;
    }
    assert!(refused >= 13, "{refused}");
}

/// Settles a golden round whose expectation was changed: exit status, and what was said.
fn changed(change: impl Fn(&str) -> String) -> (Option<i32>, String) {
    let text = std::fs::read_to_string(folder().join("sb-7-seat-banks.round")).unwrap();
    let (round, expected) = text.split_once("---\n").unwrap();
    let output = with_input(&["settle", "-"], format!("{round}---\n{}", change(expected)).as_bytes());
    assert!(String::from_utf8_lossy(&output.stdout).contains("Settlement"), "the settlement is printed");
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_settlement_that_was_not_expected_is_named() {
    assert_eq!(changed(str::to_owned), (Some(0), String::new()));
    assert_eq!(changed(|_| String::new()), (Some(0), String::new()), "nothing is expected");

    let (status, said) = changed(|expected| expected.replacen("| +38.00 |", "| +40.00 |", 1));
    assert_eq!(status, Some(1));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 2, "{said}");
    assert!(lines[0].starts_with("paigow: line 32: expected, and not settled: seat 1 | pai-gow"), "{said}");
    assert!(
        lines[1].starts_with("paigow: settled, and not expected: seat 1 | pai-gow | 40.00 | win | +38.00"),
        "{said}"
    );

    let last_first = |expected: &str| {
        let mut lines: Vec<&str> = expected.lines().collect();
        lines.swap(0, 1);
        lines.join("\n")
    };
    let (status, said) = changed(last_first);
    assert_eq!(status, Some(1));
    assert!(said.starts_with("paigow: line 32: settled in another order: seat 4"), "{said}");
}

#[test]
fn cells_at_the_end_of_a_line_and_the_nets_may_be_left_out() {
    let short = |cells: usize| {
        move |expected: &str| {
            let lines = expected.lines().filter(|line| !line.starts_with("net:"));
            let lines = lines.map(|line| line.split(" | ").take(cells).collect::<Vec<_>>().join(" | "));
            lines.collect::<Vec<_>>().join("\n")
        }
    };
    assert_eq!(changed(short(5)), (Some(0), String::new()));
    let (status, said) =
        changed(|expected| short(5)(expected).replacen("seat 4 | pai-gow", "seat 5 | pai-gow", 1));
    assert_eq!(status, Some(1));
    assert!(
        said.contains("line 33: expected, and not settled: seat 5 | pai-gow | 30.00 | push | 0.00"),
        "{said}"
    );
}
