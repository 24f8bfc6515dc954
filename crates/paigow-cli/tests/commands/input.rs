//! Input that transcripts cannot contain: bytes that are not UTF-8, very long input, a closed pipe.

use crate::program::{paigow, with_input};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::process::{Output, Stdio};

#[track_caller]
fn check_refused(output: &Output, reason: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains(reason), "{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    assert!(stderr.len() < 2_000, "{} bytes of messages", stderr.len());
}

#[test]
fn very_long_arguments_are_refused_with_a_short_message() {
    let output = paigow().args(["hand", &"x".repeat(10_000)]).output().unwrap();
    check_refused(&output, "… (10000 characters) at column 1; expected 7 cards, found none");
    let output = paigow().args(["hand", &"As ".repeat(3_333)]).output().unwrap();
    check_refused(&output, "As appears 3333 times; expected 7 cards, found 3333");
}

#[test]
fn input_that_is_not_utf8_is_refused() {
    let output = paigow().arg("hand").arg(std::ffi::OsStr::from_bytes(b"As \xFF\xFE Kd")).output().unwrap();
    check_refused(&output, "(not UTF-8 text) at column 4");
    let output = with_input(&["hand", "-"], b"As Kd \xC3\x28 9h 2s 2d Jk\n");
    check_refused(&output, "line 1: unknown card");
    check_refused(&output, "(not UTF-8 text) at column 7");
}

#[test]
fn stream_continues_after_a_bad_line() {
    let input = b"As Kd Tc 9h 2s 2d Jk\n\nAs As\nAsKdTc9h2s2d3c";
    let output = with_input(&["hand", "-", "--format", "json"], input);
    check_refused(&output, "line 3: As appears twice; expected 7 cards, found 2");
    let answers = String::from_utf8(output.stdout).unwrap();
    let in_play: Vec<String> = answers
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["in_play"].to_string())
        .collect();
    assert_eq!(in_play, ["\"two_pair\"", "\"pair\""]);
}

#[test]
fn empty_stream_succeeds() {
    let output = with_input(&["hand", "-"], b"");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
}

#[test]
fn closed_output_pipe_is_not_an_error() {
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
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !stderr.contains("panicked"), "{stderr}");
}

#[test]
fn census_json_has_stable_keys_and_counts() {
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
    assert_eq!(all, 154_143_080, "each hand is counted once");
}

#[test]
fn too_long_line_is_reported_once_and_the_next_is_answered() {
    let mut input = vec![b'x'; 3 << 20];
    input.extend_from_slice(b" As Kd Tc 9h 2s 2d Jk\nXx\nAs Kd Tc 9h 2s 2d Jk\n");
    let output = with_input(&["hand", "-", "--format", "json"], &input);
    check_refused(&output, "line 1: longer than 65536 bytes");
    check_refused(&output, "line 2: unknown card \"Xx\"");
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 1);
}

#[test]
fn byte_order_mark_and_carriage_returns_are_accepted() {
    let output = with_input(&["hand", "-", "--format", "csv"], b"\xEF\xBB\xBFAs Kd Tc 9h 2s 2d Jk\r\n");
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{stdout}");
    assert_eq!(
        stdout.lines().nth(1),
        Some("As Kd Tc 9h 2s 2d Jk,two pair,\"two pair, pair\",As Kd 2s 2d Jk,3,3")
    );
}

#[test]
fn unwritable_stderr_does_not_panic() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let status = paigow().args(["hand", "Xx"]).stderr(full).status().unwrap();
    assert_eq!(status.code(), Some(1));
}

#[test]
fn random_files_are_refused_quickly_with_short_output() {
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
        assert!(output.stderr.len() < 100_000, "{name}: {} bytes of messages", output.stderr.len());
        assert!(start.elapsed().as_secs() < 20, "{name} took {:?}", start.elapsed());
    }
}

/// No command computes with a house way that leaves hands undecided.
#[test]
fn every_command_refuses_an_incomplete_house_way() {
    const WAY: &str = "../paigow/tests/broken/way-without-catch-all.toml";
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
        check_refused(&output, "way-without-catch-all.toml:9:16");
        check_refused(&output, "end with `when = \"any hand\"`, `set = \"best\"`");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}
