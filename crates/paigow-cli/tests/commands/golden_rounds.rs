//! Settles the rounds in `golden/rounds`, and tests that a settlement that differs from the expected one fails.

use crate::program::{paigow, with_input};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/rounds")
}

#[test]
fn every_round_settles_as_expected() {
    let mut settled = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "round") {
            continue;
        }
        let output = paigow().args(["settle", path.to_str().unwrap(), "--format", "json"]).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{}: {stderr}", path.display());
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["sum_cents"], 0, "{}", path.display());
        settled += 1;
    }
    assert!(settled >= 63, "{settled}");
}

/// Each file in `refused` lists the reasons of its refusal.
#[test]
fn every_refused_round_is_refused_for_its_reasons() {
    let mut refused = 0;
    for entry in std::fs::read_dir(folder().join("refused")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "round") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let (_, reasons) = text.split_once("---\n").unwrap();
        let output = paigow().args(["settle", path.to_str().unwrap()]).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{}: {stderr}", path.display());
        assert!(output.stdout.is_empty(), "{}", path.display());
        for reason in reasons.lines() {
            // The program prints the location and the help of a problem on separate lines.
            let message = reason.splitn(4, ':').nth(3).unwrap().trim();
            let message = message.split_once(" (").map_or(message, |(message, _)| message);
            assert!(stderr.contains(message), "{}: {message} is not in {stderr}", path.display());
        }
        refused += 1;
    }
    assert!(refused >= 13, "{refused}");
}

/// Settles a golden round with a changed expected settlement. Returns the exit status and standard error.
fn settle_with(change: impl Fn(&str) -> String) -> (Option<i32>, String) {
    let text = std::fs::read_to_string(folder().join("sb-7-seat-banks.round")).unwrap();
    let (round, expected) = text.split_once("---\n").unwrap();
    let output = with_input(&["settle", "-"], format!("{round}---\n{}", change(expected)).as_bytes());
    assert!(String::from_utf8_lossy(&output.stdout).contains("Settlement"), "the settlement is printed");
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn differences_from_the_expected_settlement_are_reported() {
    assert_eq!(settle_with(str::to_owned), (Some(0), String::new()));
    assert_eq!(settle_with(|_| String::new()), (Some(0), String::new()), "no settlement is expected");

    let (status, stderr) = settle_with(|expected| expected.replacen("| +38.00 |", "| +40.00 |", 1));
    assert_eq!(status, Some(1));
    let lines: Vec<&str> = stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{stderr}");
    assert!(lines[0].starts_with("paigow: line 32: expected but not settled: seat 1 | pai-gow"), "{stderr}");
    assert!(
        lines[1].starts_with("paigow: settled but not expected: seat 1 | pai-gow | 40.00 | win | +38.00"),
        "{stderr}"
    );

    let swapped = |expected: &str| {
        let mut lines: Vec<&str> = expected.lines().collect();
        lines.swap(0, 1);
        lines.join("\n")
    };
    let (status, stderr) = settle_with(swapped);
    assert_eq!(status, Some(1));
    assert!(stderr.starts_with("paigow: line 32: settled in another order: seat 4"), "{stderr}");
}

#[test]
fn expected_lines_may_omit_trailing_cells_and_nets() {
    let short = |cells: usize| {
        move |expected: &str| {
            let lines = expected.lines().filter(|line| !line.starts_with("net:"));
            let lines = lines.map(|line| line.split(" | ").take(cells).collect::<Vec<_>>().join(" | "));
            lines.collect::<Vec<_>>().join("\n")
        }
    };
    assert_eq!(settle_with(short(5)), (Some(0), String::new()));
    let (status, stderr) =
        settle_with(|expected| short(5)(expected).replacen("seat 4 | pai-gow", "seat 5 | pai-gow", 1));
    assert_eq!(status, Some(1));
    assert!(
        stderr.contains("line 33: expected but not settled: seat 5 | pai-gow | 30.00 | push | 0.00"),
        "{stderr}"
    );
}
