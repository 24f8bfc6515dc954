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

/// Every printed figure is listed, and none is unexplained.
#[test]
fn every_printed_figure_is_explained() {
    let output = program::paigow().args(["verify", "--format", "json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let figures = answer["figures"].as_array().unwrap();
    assert_eq!(answer["summary"]["figures"], figures.len());
    assert_eq!(figures.len(), 290);
    assert_eq!(answer["summary"]["unexplained"], 0);
    for figure in figures {
        let explained = figure["note"].is_string();
        assert_eq!(figure["status"] != "matches", explained, "{figure}");
    }
}

/// The best setting of every hand: the file sums up to the answer, and the answer is there at once the next time.
#[test]
fn a_strategy_is_written_down_whole_and_remembered() {
    let cache = folder("long-work-strategy");
    fs::create_dir_all(&cache).unwrap();
    let file = cache.join("settings.csv");
    let run = |more: &[&str]| {
        let args = ["strategy", "ez", "--format", "json", "--top", "3"];
        let output = program::paigow().env("PAIGOW_CACHE", &cache).args(args).args(more).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let first = run(&["--out", file.to_str().unwrap()]);
    let start = Instant::now();
    assert_eq!(run(&[]), first);
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());

    let answer: Value = serde_json::from_slice(&first).unwrap();
    let count = |of: &Value, key: &str| i128::from(of[key].as_i64().unwrap());
    assert_eq!(
        count(&answer, "win") + count(&answer, "push") + count(&answer, "lose"),
        8_250_459_031_214_400
    );
    assert_eq!(answer["costliest"].as_array().unwrap().len(), 3);
    assert_eq!(answer["house_ways"].as_array().unwrap().len(), 9);
    // The book's own way comes first, and is the base game counted by the other method.
    assert_eq!(answer["house_ways"][0]["house_way"], "foxwoods");
    assert_eq!(count(&answer["house_ways"][0], "win"), 2_275_275_661_989_588);

    let text = fs::read_to_string(&file).unwrap();
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    let at = |name: &str| columns.iter().position(|column| *column == name).unwrap();
    let mut sums = [0; 4];
    let (mut classes, mut worse) = (0, 0);
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |name: &str| cells[at(name)].parse::<i128>().unwrap();
        let hands = number("hands");
        let keys = ["win", "push", "lose", "house_win"];
        keys.iter().zip(&mut sums).for_each(|(key, sum)| *sum += hands * number(key));
        classes += 1;
        worse += if cells[at("cost")] == "0.0000000000" { 0 } else { hands };
    }
    assert_eq!(classes, 6_972_147);
    let own = &answer["house_ways"][0];
    let expected = [count(&answer, "win"), count(&answer, "push"), count(&answer, "lose"), count(own, "win")];
    assert_eq!(sums, expected);
    assert_eq!(worse, count(&answer, "hands_set_differently"));
    let left: Vec<_> = fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "the file and the kept result: {left:?}");
    fs::remove_dir_all(&cache).unwrap();
}
