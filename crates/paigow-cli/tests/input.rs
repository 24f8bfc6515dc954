//! Input that no transcript can show: bytes that are not text, floods, a reader that goes away.

#![allow(clippy::expect_used)] // a test that cannot start its program has failed

mod program;

use program::{paigow, with_input};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::process::{Output, Stdio};

#[track_caller]
fn check_refused(output: &Output, reason: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains(reason), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    assert!(said.len() < 2_000, "{} bytes of complaint", said.len());
}

#[test]
fn ten_thousand_characters_are_refused() {
    let output = paigow().args(["hand", &"x".repeat(10_000)]).output().unwrap();
    check_refused(&output, "… (10000 characters) at column 1; no cards where 7 are needed");
    let output = paigow().args(["hand", &"As ".repeat(3_333)]).output().unwrap();
    check_refused(&output, "As is there 3333 times; 3333 cards where 7 are needed");
}

#[test]
fn bytes_that_are_not_text_are_refused() {
    let output = paigow().arg("hand").arg(std::ffi::OsStr::from_bytes(b"As \xFF\xFE Kd")).output().unwrap();
    check_refused(&output, "(not UTF-8 text) at column 4");
    let output = with_input(&["hand", "-"], b"As Kd \xC3\x28 9h 2s 2d Jk\n");
    check_refused(&output, "line 1: unknown card");
    check_refused(&output, "(not UTF-8 text) at column 7");
}

#[test]
fn a_stream_goes_on_after_a_bad_line() {
    let input = b"As Kd Tc 9h 2s 2d Jk\n\nAs As\nAsKdTc9h2s2d3c";
    let output = with_input(&["hand", "-", "--format", "json"], input);
    check_refused(&output, "line 3: As is there twice; 2 cards where 7 are needed");
    let answers = String::from_utf8(output.stdout).unwrap();
    let in_play: Vec<String> = answers
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["in_play"].to_string())
        .collect();
    assert_eq!(in_play, ["\"two_pair\"", "\"pair\""]);
}

#[test]
fn an_empty_stream_is_no_mistake() {
    let output = with_input(&["hand", "-"], b"");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = paigow()
        .args(["hand", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    for _ in 0..10_000 {
        if stdin.write_all(b"As Kd Tc 9h 2s 2d Jk\n").is_err() {
            break;
        }
    }
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !said.contains("panicked"), "{said}");
}

#[test]
fn the_census_has_the_keys_scripts_rely_on() {
    let output = paigow().args(["census", "--format", "json"]).output().unwrap();
    let census: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(census["joker"], "semi");
    assert_eq!(census["hands"], 154_143_080);
    let top = [
        "natural_7_card_straight_flush",
        "royal_flush_royal_match",
        "wild_7_card_straight_flush",
        "five_aces",
    ];
    assert_eq!(top.map(|class| census["classes"][class].as_u64().unwrap()), [32, 72, 196, 1_128]);
    assert_eq!(census["classes"]["royal_flush"], 26_020);
    assert_eq!(census["contains"]["royal_flush_royal_match"], 72);
    assert_eq!(census["high_card"]["nine"], 31_080);
    let all: u64 = census["classes"].as_object().unwrap().values().map(|hands| hands.as_u64().unwrap()).sum();
    assert_eq!(all, 154_143_080, "each hand once");
}

#[test]
fn a_line_that_is_too_long_is_refused_once_and_the_next_is_answered() {
    let mut input = vec![b'x'; 3 << 20];
    input.extend_from_slice(b" As Kd Tc 9h 2s 2d Jk\nXx\nAs Kd Tc 9h 2s 2d Jk\n");
    let output = with_input(&["hand", "-", "--format", "json"], &input);
    check_refused(&output, "line 1: longer than 65536 bytes");
    check_refused(&output, "line 2: unknown card \"Xx\"");
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 1);
}

#[test]
fn a_mark_of_utf_8_and_carriage_returns_are_no_faults() {
    let output = with_input(&["hand", "-", "--format", "csv"], b"\xEF\xBB\xBFAs Kd Tc 9h 2s 2d Jk\r\n");
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!(
        said.lines().nth(1),
        Some("As Kd Tc 9h 2s 2d Jk,two pair,\"two pair, pair\",As Kd 2s 2d Jk,3,3")
    );
}

#[test]
fn a_complaint_that_cannot_be_written_is_no_panic() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let status = paigow().args(["hand", "Xx"]).stderr(full).status().unwrap();
    assert_eq!(status.code(), Some(1));
}

#[test]
fn noise_is_refused_quickly_and_in_few_words() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let keys: Vec<String> = (0..40_000).map(|i| format!("k{i} = 1")).collect();
    let keys = keys.join("\n");
    let noise: String =
        (0..900_000u32).map(|i| char::from(33 + (i.wrapping_mul(2_654_435_761) >> 25) as u8 % 90)).collect();
    for (name, text) in [("keys.toml", keys), ("noise.toml", noise), ("long.toml", "x".repeat(2_000_000))] {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        let start = std::time::Instant::now();
        let output = paigow().args(["check".as_ref(), path.as_os_str()]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(output.stderr.len() < 100_000, "{name}: {} bytes of complaint", output.stderr.len());
        assert!(start.elapsed().as_secs() < 20, "{name} took {:?}", start.elapsed());
    }
}

/// A house way that leaves hands undecided sets none of them: no command computes with it.
#[test]
fn every_command_refuses_a_house_way_that_leaves_hands_undecided() {
    const WAY: &str = "../paigow/tests/broken/way-without-end.toml";
    let hand = "As Kd Tc 9h 2s 2d Jk";
    let change = format!("house_way.way={WAY}");
    let commands: [&[&str]; 12] = [
        &["set", hand, "--house-way", WAY],
        &["set", hand, "--book", "ez", "--house-way", WAY],
        &["set", hand, "--book", "ez", "--set", &change],
        &["set", "-", "--house-way", WAY],
        &["best", hand, "--book", "ez", "--house-way", WAY],
        &["best", hand, "--book", "ez", "--set", &change],
        &["odds", "ez", "--wager", "pai-gow", "--house-way", WAY],
        &["odds", "ez", "--wager", "pai-gow", "--player-house-way", WAY],
        &["odds", "ez", "--wager", "pai-gow", "--set", &change],
        &["strategy", "ez", "--house-way", WAY],
        &["simulate", "ez", "--rounds", "1", "--house-way", WAY],
        &["rules", "ez", "--set", &change],
    ];
    for args in commands {
        let output = paigow().args(args).stdin(Stdio::null()).output().unwrap();
        check_refused(&output, "the last clause must fit every hand and allow every setting");
        check_refused(&output, "way-without-end.toml:9:16");
        check_refused(&output, "end with `when = \"any hand\"`, `set = \"best\"`");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}
