//! Long work as its users meet it: kept for the next time, whole or not at all, and quiet where nobody looks.

#![allow(clippy::expect_used, clippy::unwrap_used)] // a test that cannot start its program has failed

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

/// The outcomes of a golden line of the base game, set by a way against Foxwoods': wins, pushes, losses.
fn golden(way: &str) -> [i128; 3] {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/base-game.golden");
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let line = lines.find(|words| words.starts_with(&[way, "foxwoods", "none"])).expect("a golden line");
    [3, 4, 5].map(|place| line[place].parse().unwrap())
}

/// What a hand's settings are worth by the other method, one hand by itself.
struct OneByOne<'a> {
    against: Opposition<'a>,
}

impl OneByOne<'_> {
    fn of(&self, cards: &str) -> (SevenCards, BestSetting) {
        let hand = SevenCards::new(parse_cards(cards, Some(7)).unwrap()).unwrap();
        (hand, BestSetting::of(hand, &self.against))
    }
}

fn worth_of(one: &BestSetting, low: &str) -> Worth {
    one.settings.iter().find(|(setting, _)| setting.low.to_string() == low).expect("a legal setting").1
}

/// The best setting of every hand, in one run, which takes its time: the file sums up to the answer, the answer is there at once the next
/// time, and hands here and there are worth what they are worth one by one.
#[test]
fn a_strategy_is_written_down_whole_and_right_and_remembered() {
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
    let counts = |of: &Value| ["win", "push", "lose"].map(|key| i128::from(of[key].as_i64().unwrap()));
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
    let one_by_one = OneByOne { against };
    for way in ways {
        let name = way["house_way"].as_str().unwrap();
        assert_eq!(counts(way).iter().sum::<i128>(), 8_250_459_031_214_400, "{name}");
        assert!(value(counts(&answer)) > value(counts(way)), "{name}");
        assert!(way["hands_set_differently"].as_u64().unwrap() > 0, "{name}");
        // Set as the dealer does, it is the base game, counted in another way.
        if ["foxwoods", "south-beach"].contains(&name) {
            assert_eq!(counts(way), golden(name), "{name}");
        }
        let setter = HouseWay::load(name, &BuiltIn).unwrap();
        let costliest = way["costliest"].as_array().unwrap();
        assert_eq!(costliest.len(), 3);
        for costly in costliest {
            let cards = costly["cards"].as_str().unwrap();
            let (hand, one) = one_by_one.of(cards);
            let set = setter.decide(hand, Evaluator::of(dealer.ranking())).setting.low.to_string();
            let cost = one.settings[0].1.value(500) - worth_of(&one, &set).value(500);
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
        assert!(!cells[at("cost")].starts_with('-'), "no house way does better: {line}");
        worse += if cells[at("cost")] == "0.0000000000" { 0 } else { hands };
        if classes % 174_301 == 17 {
            let (_, one) = one_by_one.of(cells[at("cards")]);
            let best = worth_of(&one, cells[at("low")]);
            assert_eq!(one.settings[0].0.low.to_string(), cells[at("low")], "{line}");
            let house = worth_of(&one, cells[at("house_low")]);
            assert_eq!(one.settings[one.house_way].0.low.to_string(), cells[at("house_low")], "{line}");
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
    assert_eq!(left.len(), 2, "the file and the kept result: {left:?}");
    fs::remove_dir_all(&cache).unwrap();
}
