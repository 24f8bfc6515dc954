//! `paigow simulate`: stable JSON keys and refusals. The library tests the agreement with the exact odds.

use crate::long_work::BASE_GAME;
use crate::program::paigow;
use serde_json::Value;
use std::sync::LazyLock;

#[test]
fn json_has_stable_keys_and_depends_only_on_the_seed() {
    // The program compares with this game, and reads it from the cache.
    LazyLock::force(&BASE_GAME);
    let run = |cores: &str| {
        let args = ["simulate", "washington", "--rounds", "40000", "--seats", "4", "--seed", "5"];
        let output =
            paigow().args(args).args(["--format", "json"]).env("RAYON_NUM_THREADS", cores).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let two_cores = run("2");
    assert!(two_cores == run("3"));
    let answer: Value = serde_json::from_slice(&two_cores).unwrap();
    let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["book", "rounds", "seats", "seed", "banker", "wagers", "flagged"]);
    assert_eq!((&answer["book"], &answer["banker"]), (&"washington".into(), &"dealer".into()));
    assert_eq!([&answer["rounds"], &answer["seats"], &answer["seed"], &answer["flagged"]], [40_000, 4, 5, 0]);
    let names: Vec<(&str, bool)> = answer["wagers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|wager| (wager["wager"].as_str().unwrap(), wager["envy"].as_bool().unwrap()))
        .collect();
    assert_eq!(names, [("pai-gow", false), ("fortune", false), ("fortune", true), ("pai-gowd", false)]);
    let base = &answer["wagers"][0];
    assert_eq!(base["hands"], 160_000);
    let counted = ["win", "push", "lose"].map(|outcome| base[outcome].as_u64().unwrap());
    assert_eq!(counted.iter().sum::<u64>(), 160_000);
    assert_eq!(base["exact_edge"], "0.027211261743");
    assert!(base["exact_edge_exact"].as_str().unwrap().contains('/'));
    for key in ["observed_edge", "standard_error"] {
        let (_, digits) = base[key].as_str().unwrap().split_once('.').unwrap();
        assert!(digits.len() >= 10, "{key}");
    }
    assert_eq!(base["flagged"], false);
}

#[track_caller]
fn check_refused(args: &[&str], status: i32, reason: &str) {
    let output = paigow().arg("simulate").args(args).output().expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{stderr}");
    assert!(stderr.contains(reason), "{stderr}");
    assert!(output.stdout.is_empty());
}

#[test]
fn bad_arguments_are_refused_with_the_allowed_values() {
    check_refused(&["ez", "--rounds", "0"], 2, "0 is not in 1..=1000000000000");
    check_refused(&["ez", "--rounds", "1000000000001"], 2, "is not in 1..=1000000000000");
    check_refused(&["ez", "--seats", "7"], 1, "seats must be from 1 to 6 here, not 7");
    check_refused(&["ez", "--seats", "0"], 1, "seats must be from 1 to 6 here, not 0");
    check_refused(
        &["california", "--seats", "1"],
        1,
        "seats must be from 2 to 7 if a seat is the player/dealer",
    );
    check_refused(&["ez", "--banker", "1"], 1, "seat 1 may not be the banker in this book");
    check_refused(
        &["south-beach", "--seats", "3", "--banker", "4"],
        1,
        "banker must be from 1 to 3 here, not 4",
    );
    check_refused(&["ez", "--paytable", "dynasty"], 2, "expected WAGER=NAME");
    let wagers = "there is no wager `fortune`; there are queens-dragon, dynasty, protection, red-black";
    check_refused(&["ez", "--paytable", "fortune=1"], 1, wagers);
    let tables = "there is no paytable `9`; there are 1, 2, 3, 4, 5, 6, 7";
    check_refused(&["ez", "--paytable", "dynasty=9"], 1, tables);
    check_refused(&["ez", "--paytable", "dynasty=1", "--paytable", "dynasty=2"], 1, "names dynasty twice");
    check_refused(&["nowhere"], 1, "nowhere");
}
