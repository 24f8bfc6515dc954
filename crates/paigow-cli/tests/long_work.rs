//! Long work as its users meet it: kept for the next time, whole or not at all, and quiet where nobody looks.

#![allow(clippy::expect_used, clippy::unwrap_used)] // a test that cannot start its program has failed

mod program;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::{Duration, Instant};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn base_game(cache: &Path, more: &[&str]) -> Output {
    let args = ["odds", "ez", "--wager", "pai-gow", "--format", "json"];
    let output = program::paigow().env("PAIGOW_CACHE", cache).args(args).args(more).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "no bar where standard error is no terminal");
    output
}

#[test]
fn the_second_question_is_answered_at_once_and_a_broken_file_is_no_answer() {
    let cache = folder("long-work-cache");
    let first = base_game(&cache, &[]);
    let answer: Value = serde_json::from_slice(&first.stdout).unwrap();
    let game = &answer["base_game"];
    let count = |key: &str| game[key].as_i64().unwrap();
    assert_eq!(count("win") + count("push") + count("lose"), 8_250_459_031_214_400);
    assert_eq!(count("win"), 2_275_275_661_989_588);

    let kept: Vec<PathBuf> = fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [kept] = &kept[..] else { panic!("one result, and nothing half-done: {kept:?}") };
    let start = Instant::now();
    assert_eq!(base_game(&cache, &["--quiet"]).stdout, first.stdout);
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());

    // Cut short it is no answer; what is answered then is counted anew and kept.
    let whole = fs::read_to_string(kept).unwrap();
    fs::write(kept, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(base_game(&cache, &[]).stdout, first.stdout);
    assert_eq!(fs::read_to_string(kept).unwrap(), whole);
}
