//! `paigow price` and `paigow card` against the odds of the base game, which are counted by another method.

use crate::program;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn run(args: &[&str]) -> Value {
    let output = program::paigow()
        .env("PAIGOW_CACHE", program::CACHE)
        .args(args)
        .args(["--format", "json"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Searches for a short card, and prices it as a file, alone and beside a built-in house way.
#[test]
fn card_file_is_checked_and_priced_like_the_card() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("card-of-three-lines.toml");
    let plot = file.with_extension("svg");
    let [path, plot_path] = [&file, &plot].map(|path| path.to_str().unwrap());
    let card = run(&["card", "washington", "--lines", "3", "--out", path, "--plot", plot_path]);
    assert_eq!((&card["lines"], card["clauses"].as_array().unwrap().len()), (&json!(3), 3));
    for clause in card["clauses"].as_array().unwrap() {
        assert!(["when", "set", "says"].iter().all(|key| clause[key].is_string()), "{clause}");
    }
    assert_eq!(card["text"], fs::read_to_string(&file).unwrap());
    let frontier = card["frontier"].as_array().unwrap();
    assert_eq!(frontier.len(), 3);
    assert_eq!(frontier[2]["gives_away_exact"], card["gives_away_exact"]);
    assert_eq!(frontier[2]["gives_away"], card["gives_away"]);
    assert!(fs::read_to_string(&plot).unwrap().starts_with("<svg"));

    let check = run(&["check", path]);
    assert_eq!(check["files"][0]["right"], true, "{check}");

    let price = run(&["price", path, "foxwoods", "--book", "washington"]);
    let [of_card, of_house] = [0, 1].map(|way| &price["ways"][way]);
    let odds = run(&["odds", "washington", "--wager", "pai-gow", "--player-house-way", path]);
    for key in ["win", "push", "lose", "edge_exact"] {
        assert_eq!(of_card[key], card[key], "{key}");
        assert_eq!(of_card[key], odds["base_game"][key], "{key}");
    }
    assert_eq!(of_card["gives_away_exact"], card["gives_away_exact"]);
    assert_eq!((&of_card["lines"], &of_house["lines"]), (&json!(3), &json!(22)));
    assert_eq!(
        (&of_house["way"], &price["best_edge_exact"]),
        (&json!("foxwoods"), &price["best"]["edge_exact"])
    );
    let hands = |way: &Value| -> u64 {
        way["clauses"].as_array().unwrap().iter().map(|clause| clause["hands"].as_u64().unwrap()).sum()
    };
    assert_eq!([hands(of_card), hands(of_house), hands(&card)], [154_143_080; 3]);
    assert_eq!(of_house["clauses"].as_array().unwrap().len(), 22);
    assert!(of_house["clauses"][21]["removed"].is_null() && of_house["clauses"][20]["swapped"].is_null());
}

/// A banking seat wins copies. The odds of the book count the same outcomes by another method.
#[test]
fn price_of_a_banking_seat_is_that_of_the_odds() {
    let price = run(&["price", "foxwoods", "--book", "california", "--side", "banker"]);
    let odds = run(&["odds", "california", "--wager", "pai-gow"]);
    for key in ["win", "push", "lose", "edge_exact"] {
        assert_eq!(price["ways"][0][key], odds["base_game"]["as_banker"][key], "{key}");
    }
}

#[test]
fn faults_are_all_named() {
    let output = program::paigow()
        .args(["price", "no-such-way", "foxwoods", "--book", "no-such-book", "--against", "nor-this-way"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    for name in ["no-such-way", "no-such-book", "nor-this-way"] {
        assert!(message.contains(name), "{message}");
    }
    for args in
        [&["price", "foxwoods", "--book", "ez", "--side", "house"][..], &["card", "ez", "--lines", "0"]]
    {
        let output = program::paigow().args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
}

/// A card that ships is a house way by its name, and has the price that it ships with.
#[test]
fn shipped_card_is_priced_and_set_by_its_name() {
    let list = run(&["cards"]);
    let cards = list["cards"].as_array().unwrap();
    let is_short = |card: &&Value| card["book"] == "washington" && card["side"] == "player";
    let card = cards.iter().find(is_short).unwrap();
    let id = card["id"].as_str().unwrap();
    assert_eq!(run(&["cards", id]), *card);
    let price = run(&["price", id, "--book", "washington"]);
    let file = format!("{}/../paigow/rulebooks/cards/{id}.toml", env!("CARGO_MANIFEST_DIR"));
    let odds = run(&["odds", "washington", "--wager", "pai-gow", "--player-house-way", &file]);
    for key in ["win", "push", "lose", "edge_exact"] {
        assert_eq!(price["ways"][0][key], card[key], "{key}");
        assert_eq!(odds["base_game"][key], card[key], "{key}");
    }
    assert_eq!(price["ways"][0]["cost_exact"], card["cost_exact"]);
    assert_eq!(price["ways"][0]["hands_set_worse"], card["hands_set_worse"]);
    assert_eq!(price["best"]["edge_exact"], card["best"]["edge_exact"]);
    for (clause, line) in
        price["ways"][0]["clauses"].as_array().unwrap().iter().zip(card["lines"].as_array().unwrap())
    {
        assert_eq!((&clause["hands"], &clause["when"]), (&line["hands"], &line["when"]));
    }
    let set = run(&["set", "As Ac Ad Kh 9c 6d 2s", "--house-way", id]);
    assert_eq!(set["house_way"], id);
    let ways = run(&["set", "As Ac Ad Kh 9c 6d 2s", "--all-house-ways"]);
    assert!(
        ways["settings"].as_array().unwrap().iter().all(|way| way["house_way"] != id),
        "published ways only"
    );
    let output = program::paigow().args(["cards", "nowhere"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no strategy card `nowhere`"));
}
