//! A new rule book with a new house way needs only two text files and no Rust code.

use crate::program;
use serde_json::Value;
use std::path::PathBuf;
use std::process::Output;

const WAY: &str = r#"
title = "Harbour Lights"
source = "House procedures, edition 1"
ranking = { joker = "semi_wild", wheel = "second_highest", cite = "page 1" }

[[clauses]]
when = "two pairs, higher pair 2-T, a single A"
set = "both pairs behind"
says = "Two pairs up to tens stay together with an ace."
cite = "page 2"

[[clauses]]
when = "a complete hand, no pair or one pair or three of a kind"
set = "complete hand behind"
says = "Straights and flushes stay behind."
cite = "page 2"

[[clauses]]
when = "any hand"
set = "best"
says = "The best front the rules allow."
cite = "page 1"
"#;

const BOOK: &str = r#"
title = "Harbour Lights: Lucky Lanterns"
source = "House rules, edition 1"
checked_on = "2026-11-15"
extends = "ez"

[house_way]
way = "harbour.toml"
cite = "page 1"

[wagers.lanterns]
title = "Lucky Lanterns"
looks_at = "player_hand"
settled_by = "house"
default = "A"
cite = "page 3"

[wagers.lanterns.limits]
min = "1.00"
max = "50.00"
cite = "page 3"

[wagers.lanterns.paytables.A]
pays = [{ hand = "straight_flush", pays = 30 }, { hand = "two_pair", pays = 2 }]
cite = "page 4"
"#;

/// Writes the two files to a new folder.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("harbour.toml"), WAY).unwrap();
    std::fs::write(folder.join("lanterns.toml"), BOOK).unwrap();
    folder
}

fn paigow(args: &[&str]) -> Output {
    program::paigow().args(args).output().expect("the program starts")
}

fn json(output: &Output) -> Value {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn commands_accept_a_new_book_with_a_new_house_way() {
    let folder = folder("new-book");
    let (book, way) = (folder.join("lanterns.toml"), folder.join("harbour.toml"));
    let (book, way) = (book.to_str().unwrap(), way.to_str().unwrap());

    let checked = json(&paigow(&["check", book, way, "--format", "json"]));
    assert_eq!(checked["files"][0]["right"], true);
    assert_eq!(checked["files"][1]["clauses"].as_array().unwrap().len(), 3);

    let rules = json(&paigow(&["rules", book, "--format", "json"]));
    assert_eq!(rules["book"], "lanterns");
    assert_eq!(rules["title"], "Harbour Lights: Lucky Lanterns");
    assert_eq!(rules["house_way"]["title"], "Harbour Lights");
    let wagers: Vec<&str> =
        rules["wagers"].as_array().unwrap().iter().map(|w| w["wager"].as_str().unwrap()).collect();
    assert_eq!(
        wagers,
        ["queens-dragon", "dynasty", "protection", "red-black", "lanterns"],
        "the wagers of the extended book stay"
    );

    let set = json(&paigow(&["set", "Ah 9c 9d 4h 4s Kd 2c", "--book", book, "--format", "json"]));
    assert_eq!((&set["low"], &set["house_way"]), (&"Ah Kd".into(), &"harbour".into()));
    assert_eq!(set["says"], "Two pairs up to tens stay together with an ace.");

    let set = json(&paigow(&["set", "Ah 9c 9d 4h 4s Kd 2c", "--house-way", way, "--format", "json"]));
    assert_eq!(set["low"], "Ah Kd");
}

#[test]
fn problems_are_shown_with_their_location() {
    let folder = folder("new-book-broken");
    let book = folder.join("lanterns.toml");
    std::fs::write(
        &book,
        BOOK.replace("\"two_pair\"", "\"too_pair\"").replace("harbour.toml", "harbor.toml"),
    )
    .unwrap();
    let output = paigow(&["check", book.to_str().unwrap()]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr.contains("`hand` is \"too_pair\""), "{stderr}");
    assert!(stderr.contains("did you mean `two_pair`?"), "{stderr}");
    assert!(stderr.contains("there is no house way `harbor.toml`"), "{stderr}");
    assert!(stderr.contains("lanterns.toml:8:7") && stderr.contains("^^^^^^^^"), "{stderr}");
}
