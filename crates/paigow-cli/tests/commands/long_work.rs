//! Long computations at the command line: cache, complete output files, and no progress bar outside a terminal.

use crate::program;
use paigow::rulebook::{BuiltIn, CopyWinner};
use paigow::{Evaluator, HouseWay, SevenCards};
use paigow_math::{BestSetting, DEALER_HANDS, Fraction, Opposition, Worth};
use rayon::prelude::*;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Maximum time to read a result from the cache. Other tests may keep the machine busy. Counting takes longer.
const READ_MAX: Duration = Duration::from_secs(5);

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// Returns the odds of the base game of the Washington book, with the results in this cache.
fn base_game(cache: &Path, more: &[&str]) -> Vec<u8> {
    let args = ["odds", "washington", "--wager", "pai-gow", "--format", "json"];
    let output = program::paigow().env("PAIGOW_CACHE", cache).args(args).args(more).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "no progress bar if standard error is not a terminal");
    output.stdout
}

/// The odds of the base game, counted into the shared cache. Every test that needs the game waits for this count.
pub(crate) static BASE_GAME: LazyLock<Vec<u8>> = LazyLock::new(|| base_game(Path::new(program::CACHE), &[]));

/// A truncated file is ignored: the game is counted again, and the file is replaced. The next run reads it.
#[test]
fn broken_file_is_ignored_and_second_run_reads_the_cache() {
    let answer: Value = serde_json::from_slice(&BASE_GAME).unwrap();
    let counted = ["win", "push", "lose"].map(|key| i128::from(answer["base_game"][key].as_i64().unwrap()));
    assert_eq!(counted, golden("foxwoods"));

    let cache = folder("long-work-cache");
    fs::create_dir_all(&cache).unwrap();
    let mut files = Vec::new();
    for entry in fs::read_dir(program::CACHE).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.starts_with("base-game-") && path.extension().is_some_and(|extension| extension == "json") {
            let (text, broken) = (fs::read_to_string(&path).unwrap(), cache.join(name));
            fs::write(&broken, &text[..text.len() / 2]).unwrap();
            files.push((broken, text));
        }
    }
    assert_eq!(base_game(&cache, &[]), *BASE_GAME);
    let replaced = files.iter().filter(|(path, text)| fs::read_to_string(path).unwrap() == *text).count();
    assert_eq!(replaced, 1, "{files:?}");
    assert_eq!(fs::read_dir(&cache).unwrap().count(), files.len(), "no temporary file is left");

    let start = Instant::now();
    assert_eq!(base_game(&cache, &["--quiet"]), *BASE_GAME);
    assert!(start.elapsed() < READ_MAX, "{:?}", start.elapsed());
}

#[test]
fn all_printed_figures_are_listed_and_explained() {
    // The figures about two hands follow from this game, which the program reads from the cache.
    LazyLock::force(&BASE_GAME);
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
        let hand: SevenCards = cards.parse().unwrap();
        (hand, BestSetting::of(hand, &self.against))
    }

    /// Checks the hand of a line of the strategy file. `at` returns the index of a column.
    fn check(&self, line: &str, at: &impl Fn(&str) -> usize) {
        let cells: Vec<&str> = line.split(',').collect();
        let cell = |name: &str| cells[at(name)];
        let (_, evaluated) = self.evaluate(cell("cards"));
        assert_eq!(evaluated.settings[0].0.low.to_string(), cell("low"), "{line}");
        assert_eq!(evaluated.settings[evaluated.house_way].0.low.to_string(), cell("house_low"), "{line}");
        for (low, keys) in
            [("low", ["win", "push", "lose"]), ("house_low", ["house_win", "house_push", "house_lose"])]
        {
            let worth = worth_of(&evaluated, cell(low));
            let found = [u64::from(worth.win), worth.push(), u64::from(worth.lose)];
            assert_eq!(found, keys.map(|key| cell(key).parse::<u64>().unwrap()), "{line}");
        }
    }
}

fn worth_of(hand: &BestSetting, low: &str) -> Worth {
    hand.settings.iter().find(|(setting, _)| setting.low.to_string() == low).expect("a legal setting").1
}

/// Sums over lines of the strategy file.
#[derive(Clone, Copy, Default)]
struct LineSums {
    classes: usize,
    /// Number of hands that the house way sets worse.
    worse: i64,
    /// Sums of `win`, `push`, `lose` and `house_win` over all hands.
    columns: [i64; 4],
}

impl LineSums {
    /// Sums lines in parallel. `at` returns the index of a column.
    fn of(lines: &str, at: &impl Fn(&str) -> usize) -> LineSums {
        let keys = ["win", "push", "lose", "house_win"].map(at);
        let (hands, cost) = (at("hands"), at("cost"));
        let add_line = |mut sums: LineSums, line: &str| {
            let cells: Vec<&str> = line.split(',').collect();
            let number = |index: usize| cells[index].parse::<i64>().unwrap();
            assert!(!cells[cost].starts_with('-'), "the house way is better than the best setting: {line}");
            sums.classes += 1;
            sums.worse += if cells[cost] == "0.0000000000" { 0 } else { number(hands) };
            for (sum, key) in sums.columns.iter_mut().zip(keys) {
                *sum += number(hands) * number(key);
            }
            sums
        };
        lines.par_lines().fold(LineSums::default, add_line).reduce(LineSums::default, LineSums::merge)
    }

    fn merge(self, other: LineSums) -> LineSums {
        LineSums {
            classes: self.classes + other.classes,
            worse: self.worse + other.worse,
            columns: std::array::from_fn(|index| self.columns[index] + other.columns[index]),
        }
    }
}

/// Returns the numbers of a line of the golden strategy: wins, pushes, losses, and hands that have a better setting.
fn golden_strategy(way: &str) -> [i128; 4] {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/strategy.golden");
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let line = lines.find(|words| words[0] == way).expect("a golden line");
    [1, 2, 3, 4].map(|column| line[column].parse().unwrap())
}

/// The golden strategy is consistent. With `PAIGOW_ALL_COUNTS` set, as by `cargo xtask counts`, the strategy of all hands is
/// computed again. In the tests, `worth_table.rs` of `paigow-math` compares the table of worths with the same numbers.
#[test]
fn strategy_matches_golden_file() {
    let value = |[win, _, lose, _]: [i128; 4]| win * 9_500 - lose * 10_000;
    let best = golden_strategy("best");
    for way in BuiltIn::house_way_names() {
        let [win, push, lose, worse] = golden_strategy(way);
        assert_eq!(win + push + lose, 8_250_459_031_214_400, "{way}");
        assert!(value([win, push, lose, worse]) < value(best) && worse > 0, "{way}");
    }
    if std::env::var_os("PAIGOW_ALL_COUNTS").is_some() {
        check_strategy_file();
    }
}

/// Checks everything in one run, because a run is slow: the sums of the file, the cached answer, and samples of hands.
fn check_strategy_file() {
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
    assert!(start.elapsed() < READ_MAX, "{:?}", start.elapsed());

    let answer: Value = serde_json::from_slice(&first).unwrap();
    let counts = |json: &Value| ["win", "push", "lose"].map(|key| i128::from(json[key].as_i64().unwrap()));
    let value = |[win, _, lose]: [i128; 3]| win * 9_500 - lose * 10_000;
    assert_eq!(counts(&answer)[..], golden_strategy("best")[..3]);
    let ways = answer["house_ways"].as_array().unwrap();
    assert_eq!(ways.len(), 9);
    let dealer = HouseWay::load("foxwoods", &BuiltIn).unwrap();
    let against = Opposition {
        dealer: &dealer,
        ranking: dealer.ranking(),
        dealer_push: &[],
        copies: CopyWinner::Banker,
        commission: 500,
    };
    let single_hands = SingleHands { against };
    for way in ways {
        let name = way["house_way"].as_str().unwrap();
        let [win, push, lose] = counts(way);
        let worse = way["hands_set_differently"].as_i64().unwrap();
        assert_eq!([win, push, lose, i128::from(worse)], golden_strategy(name), "{name}");
        assert!(value(counts(&answer)) > value(counts(way)), "{name}");
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
    let (columns, lines) = text.split_once('\n').unwrap();
    let columns: Vec<&str> = columns.split(',').collect();
    let at = |name: &str| columns.iter().position(|column| *column == name).unwrap();
    let sums = LineSums::of(lines, &at);
    assert_eq!(sums.classes, 6_972_147);
    let [win, push, lose] = counts(&answer);
    assert_eq!(sums.columns.map(i128::from), [win, push, lose, counts(&ways[0])[0]]);
    assert_eq!(sums.worse, answer["hands_set_differently"].as_i64().unwrap());

    for line in lines.lines().skip(17).step_by(174_301) {
        single_hands.check(line, &at);
    }
    let left: Vec<_> = fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "expected the CSV file and the cached result: {left:?}");
    fs::remove_dir_all(&cache).unwrap();
}
