//! Tests that the program prints the JSON of the library's answers, and all faults.

use crate::program;
use paigow::rulebook::BuiltIn;
use paigow_answers::best::{self, BestQuestion};
use paigow_answers::books;
use paigow_answers::census::{self, CensusQuestion, JokerName};
use paigow_answers::hand::{self, HandQuestion, WheelName};
use paigow_answers::odds::{self, OddsQuestion};
use paigow_answers::rules::{self, RulesQuestion};
use paigow_answers::set::{self, CompareQuestion, SetQuestion};
use paigow_answers::settle::{self, SettleQuestion};
use paigow_answers::verify::{self, VerifyQuestion};
use paigow_answers::{Faults, ValueChanges, Work};
use serde::Serialize;

const CARDS: &str = "As Kd Tc 9h 2s 2d Jk";

#[track_caller]
fn check(args: &[&str], answer: Result<impl Serialize, Faults>) {
    let output = program::paigow().args(args).args(["--format", "json"]).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed, format!("{}\n", serde_json::to_string(&answer.unwrap()).unwrap()), "{args:?}");
}

#[test]
fn printed_json_equals_the_answer_of_the_library() {
    let work = Work::without_progress(None);
    let lowest = || ValueChanges([("ranking.wheel".to_owned(), "lowest".to_owned())].into_iter().collect());
    check(&["books"], books::answer());
    for book in BuiltIn::book_names() {
        let question = RulesQuestion { book: book.to_owned(), ..RulesQuestion::default() };
        check(&["rules", book], rules::answer(&question, &BuiltIn));
    }
    let cards = || CARDS.to_owned();
    let question = SetQuestion {
        cards: cards(),
        book: Some("ez".to_owned()),
        changes: lowest(),
        ..SetQuestion::default()
    };
    check(&["set", CARDS, "--book", "ez", "--set", "ranking.wheel=lowest"], set::answer(&question, &BuiltIn));
    let question = CompareQuestion { cards: cards(), ..CompareQuestion::default() };
    check(&["set", CARDS, "--all-house-ways"], set::compare(&question, &BuiltIn));
    let question = HandQuestion { cards: cards(), joker: JokerName::Full, wheel: WheelName::Lowest };
    check(&["hand", CARDS, "--joker", "full", "--wheel", "lowest"], hand::answer(&question));
    let question = CensusQuestion { joker: JokerName::Full };
    check(&["census", "--joker", "full"], Ok(census::answer(question)));
    let question = BestQuestion {
        cards: cards(),
        book: "washington".to_owned(),
        house_way: Some("flamingo".to_owned()),
        ..BestQuestion::default()
    };
    let args = ["best", CARDS, "--book", "washington", "--house-way", "flamingo"];
    check(&args, best::answer(&question, &BuiltIn));
    let question = OddsQuestion {
        book: "california".to_owned(),
        wager: Some("fortune".to_owned()),
        paytable: Some("FPG-03".to_owned()),
        players: Some(3),
        stake_cents: Some(2_500),
        ..OddsQuestion::default()
    };
    let args = [
        "odds",
        "california",
        "--wager",
        "fortune",
        "--paytable",
        "FPG-03",
        "--players",
        "3",
        "--stake",
        "25",
    ];
    check(&args, odds::answer(&question, &BuiltIn, &work));
    check(
        &["verify", "--source", "sd"],
        verify::answer(&VerifyQuestion { source: Some("sd".to_owned()) }, &work),
    );
    let evening = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cmd/settle.in/evening.toml");
    let round = std::fs::read_to_string(evening).unwrap();
    let question = SettleQuestion { toml: Some(round.clone()), round: None };
    check(&["settle", evening], settle::answer(&question, &BuiltIn));
    let round = toml::from_str::<serde_json::Value>(&round).unwrap();
    let question = SettleQuestion { toml: None, round: Some(round) };
    check(&["settle", evening], settle::answer(&question, &BuiltIn));
}

/// The cards, the book and the house way are all wrong. Each fault is one line.
#[test]
fn all_faults_of_a_question_are_printed() {
    let output = program::paigow()
        .args(["best", "As As", "--book", "unknown-book", "--house-way", "unknown-way"])
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    let starts =
        ["paigow: As appears twice", "paigow: there is no rule book", "paigow: there is no house way"];
    let lines: Vec<&str> = stderr.lines().collect();
    assert_eq!(lines.len(), starts.len(), "{stderr}");
    assert!(lines.iter().zip(starts).all(|(line, start)| line.starts_with(start)), "{stderr}");
}
