//! Long computations at the command line: cache, complete output files, and no progress bar outside a terminal.

#![allow(clippy::expect_used, clippy::unwrap_used)] // a failed unwrap fails the test

mod program;

use paigow::rulebook::{BuiltIn, Copies};
use paigow::{Evaluator, HouseWay, SevenCards, parse_cards};
use paigow_math::{BestSetting, DEALER_HANDS, Fraction, Opposition, Worth};
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
    assert!(output.stderr.is_empty(), "no progress bar if standard error is not a terminal");
    output
}

#[test]
fn second_run_reads_the_cache_and_a_broken_file_is_ignored() {
    let cache = folder("long-work-cache");
    let first = base_game(&cache, &[]);
    let answer: Value = serde_json::from_slice(&first.stdout).unwrap();
    let game = &answer["base_game"];
    let count = |key: &str| game[key].as_i64().unwrap();
    assert_eq!(count("win") + count("push") + count("lose"), 8_250_459_031_214_400);
    assert_eq!(count("win"), 2_275_275_661_989_588);

    let files: Vec<PathBuf> = fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [file] = &files[..] else { panic!("expected one file: {files:?}") };
    let start = Instant::now();
    assert_eq!(base_game(&cache, &["--quiet"]).stdout, first.stdout);
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());

    // A truncated file is ignored. The game is counted again, and the file is replaced.
    let text = fs::read_to_string(file).unwrap();
    fs::write(file, &text[..text.len() / 2]).unwrap();
    assert_eq!(base_game(&cache, &[]).stdout, first.stdout);
    assert_eq!(fs::read_to_string(file).unwrap(), text);
}

#[test]
fn all_printed_figures_are_listed_and_explained() {
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

/// Returns wins, pushes and losses of the base game from the golden file, for a house way against Foxwoods.
fn golden(way: &str) -> [i128; 3] {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/base-game.golden");
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let line = lines.find(|words| words.starts_with(&[way, "foxwoods", "none"])).expect("a golden line");
    [3, 4, 5].map(|column| line[column].parse().unwrap())
}

/// Evaluates single hands by the method of `paigow best`.
struct SingleHands<'a> {
    against: Opposition<'a>,
}

impl SingleHands<'_> {
    fn evaluate(&self, cards: &str) -> (SevenCards, BestSetting) {
        let hand = SevenCards::new(parse_cards(cards, Some(7)).unwrap()).unwrap();
        (hand, BestSetting::of(hand, &self.against))
    }
}

fn worth_of(hand: &BestSetting, low: &str) -> Worth {
    hand.settings.iter().find(|(setting, _)| setting.low.to_string() == low).expect("a legal setting").1
}

/// Checks everything in one run, because a run is slow: the sums of the file, the cached answer, and samples of hands.
#[test]
fn strategy_file_matches_the_answer_and_single_hands_and_is_cached() {
    let cache = folder("long-work-strategy");
    fs::create_dir_all(&cache).unwrap();
    let file = cache.join("settings.csv");
    let run = |more: &[&str]| {
        let args = ["strategy", "south-dakota", "--format", "json", "--top", "3"];
        let output = program::paigow().env("PAIGOW_CACHE", &cache).args(args).args(more).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let first = run(&["--out", file.to_str().unwrap()]);
    let start = Instant::now();
    assert_eq!(run(&[]), first);
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());

    let answer: Value = serde_json::from_slice(&first).unwrap();
    let counts = |json: &Value| ["win", "push", "lose"].map(|key| i128::from(json[key].as_i64().unwrap()));
    let value = |[win, _, lose]: [i128; 3]| win * 9_500 - lose * 10_000;
    assert_eq!(counts(&answer).iter().sum::<i128>(), 8_250_459_031_214_400);
    let ways = answer["house_ways"].as_array().unwrap();
    assert_eq!(ways.len(), 9);
    let dealer = HouseWay::load("foxwoods", &BuiltIn).unwrap();
    let against = Opposition {
        dealer: &dealer,
        ranking: dealer.ranking(),
        dealer_push: &[],
        copies: Copies::Banker,
        commission: 500,
    };
    let single_hands = SingleHands { against };
    for way in ways {
        let name = way["house_way"].as_str().unwrap();
        assert_eq!(counts(way).iter().sum::<i128>(), 8_250_459_031_214_400, "{name}");
        assert!(value(counts(&answer)) > value(counts(way)), "{name}");
        assert!(way["hands_set_differently"].as_u64().unwrap() > 0, "{name}");
        // These outcomes are those of the base game, which the golden file counts by another method.
        if ["foxwoods", "south-beach"].contains(&name) {
            assert_eq!(counts(way), golden(name), "{name}");
        }
        let house_way = HouseWay::load(name, &BuiltIn).unwrap();
        let costliest = way["costliest"].as_array().unwrap();
        assert_eq!(costliest.len(), 3);
        for costly in costliest {
            let cards = costly["cards"].as_str().unwrap();
            let (hand, evaluated) = single_hands.evaluate(cards);
            let set = house_way.decide(hand, Evaluator::of(dealer.ranking())).setting.low.to_string();
            let cost = evaluated.settings[0].1.value(500) - worth_of(&evaluated, &set).value(500);
            let part = Fraction::new(cost, DEALER_HANDS * 10_000);
            assert_eq!(costly["cost_exact"], part.to_string(), "{cards} set as {name}");
        }
        let costs: Vec<f64> =
            costliest.iter().map(|costly| costly["cost"].as_str().unwrap().parse().unwrap()).collect();
        assert!(costs.is_sorted_by(|one, other| one >= other), "{costs:?}");
    }

    let text = fs::read_to_string(&file).unwrap();
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    let at = |name: &str| columns.iter().position(|column| *column == name).unwrap();
    let mut sums = [0; 4];
    let (mut classes, mut worse) = (0_usize, 0);
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |name: &str| cells[at(name)].parse::<i128>().unwrap();
        let hands = number("hands");
        let keys = ["win", "push", "lose", "house_win"];
        keys.iter().zip(&mut sums).for_each(|(key, sum)| *sum += hands * number(key));
        assert!(!cells[at("cost")].starts_with('-'), "the house way is better than the best setting: {line}");
        worse += if cells[at("cost")] == "0.0000000000" { 0 } else { hands };
        if classes % 174_301 == 17 {
            let (_, evaluated) = single_hands.evaluate(cells[at("cards")]);
            let best = worth_of(&evaluated, cells[at("low")]);
            assert_eq!(evaluated.settings[0].0.low.to_string(), cells[at("low")], "{line}");
            let house = worth_of(&evaluated, cells[at("house_low")]);
            let house_low = evaluated.settings[evaluated.house_way].0.low.to_string();
            assert_eq!(house_low, cells[at("house_low")], "{line}");
            for (worth, keys) in
                [(best, ["win", "push", "lose"]), (house, ["house_win", "house_push", "house_lose"])]
            {
                let found = [u64::from(worth.win), worth.push(), u64::from(worth.lose)];
                assert_eq!(found.map(i128::from), keys.map(number), "{line}");
            }
        }
        classes += 1;
    }
    assert_eq!(classes, 6_972_147);
    let [win, push, lose] = counts(&answer);
    assert_eq!(sums, [win, push, lose, counts(&ways[0])[0]]);
    assert_eq!(worse, i128::from(answer["hands_set_differently"].as_i64().unwrap()));
    let left: Vec<_> = fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "expected the CSV file and the cached result: {left:?}");
    fs::remove_dir_all(&cache).unwrap();
}
