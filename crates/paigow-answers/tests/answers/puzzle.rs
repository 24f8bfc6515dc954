//! The puzzle of the day: pinned hands, and the promises about them, checked with other questions.

use paigow::rulebook::BuiltIn;
use paigow::{Amount, Evaluator, SevenCards};
use paigow_answers::best::{self, BestQuestion};
use paigow_answers::judgement::JudgedHand;
use paigow_answers::puzzle::{Day, FIRST_DAY, Puzzle, parse_day};
use paigow_answers::set::{self, CompareQuestion};
use paigow_math::Fraction;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// A day after all days of these tests.
const TODAY: Day = Day::new(2027, 1, 1);

fn puzzle(day: Day) -> (Value, Value) {
    let puzzle = Puzzle::of(day, TODAY).unwrap();
    (serde_json::to_value(puzzle.answer(TODAY)).unwrap(), serde_json::to_value(puzzle.solution()).unwrap())
}

fn number(text: &Value) -> f64 {
    text.as_str().unwrap().parse().unwrap()
}

/// Pairs, three and four of a kind, the joker, and the category of the highest five cards.
fn kind(cards: &str) -> String {
    let hand: SevenCards = cards.parse().unwrap();
    let ranks: Vec<char> = cards.split(' ').map(|card| card.chars().next().unwrap()).collect();
    let mut groups: Vec<char> = ranks
        .iter()
        .copied()
        .filter(|rank| ranks.iter().filter(|other| *other == rank).count() > 1)
        .collect();
    groups.sort_unstable();
    let book = paigow::Rulebook::built_in("south-dakota").unwrap();
    let evaluator = Evaluator::of(book.ranking);
    let highest = hand.splits().map(|(high, _)| evaluator.high(high)).max().unwrap();
    format!("{groups:?} {:?} {}", highest.category(), cards.contains("Jk"))
}

/// A change of these hands is a change for every player. It needs a new version in the digests of the choice.
#[test]
fn hands_of_a_year_are_pinned() {
    let hands =
        (0..365).map(|day| puzzle(Day(FIRST_DAY.0 + day)).0["cards"].as_str().unwrap().to_owned() + "\n");
    let hands: Vec<String> = hands.collect();
    assert_eq!(hands[0], "Jh 8d 5d 5c 4c 3s 3c\n");
    assert_eq!(hands[320], "Qd 8s 8h 8d 8c 5s 4d\n");
    let digest = Sha256::digest(hands.concat());
    assert_eq!(digest[..8], 0x95e3_38bb_49f2_8f59_u64.to_be_bytes());
}

#[test]
fn hands_of_a_month_are_of_different_kinds_and_have_one_clear_best_setting() {
    let mut kinds = BTreeSet::new();
    for day in 1..=30 {
        let (question, solution) = puzzle(Day::new(2026, 11, day));
        let cards = question["cards"].as_str().unwrap();
        assert!(kinds.insert(kind(cards)), "{cards}: {kinds:?}");
        let settings = solution["settings"].as_array().unwrap();
        let best = number(&settings[0]["ev"]);
        let second = settings.iter().map(|setting| number(&setting["ev"])).find(|ev| *ev < best).unwrap();
        assert!(best - second >= 0.01, "{cards}: {best} and {second}");
        let published = solution["ways"].as_array().unwrap().iter().filter(|way| !way["house_way"].is_null());
        let worst = published.map(|way| number(&way["cost"])).fold(0.0, f64::max);
        assert!(worst >= 0.01, "{cards}: no house way gives away more than {worst}");
        let (wrong, ways) = (question["ways_wrong"].as_u64().unwrap(), question["ways"].as_u64().unwrap());
        assert_eq!(question["difficulty"], (5 * wrong).div_ceil(ways));
    }
}

#[test]
fn solution_agrees_with_the_questions_for_settings_and_house_ways() {
    let (question, solution) = puzzle(Day::new(2026, 11, 17));
    let cards = question["cards"].as_str().unwrap().to_owned();
    let book = question["book"].as_str().unwrap().to_owned();
    let best = BestQuestion { cards: cards.clone(), book: book.clone(), ..BestQuestion::default() };
    let best = serde_json::to_value(best::answer(&best, &BuiltIn).unwrap()).unwrap();
    assert_eq!(solution["settings"], best["settings"]);
    let compared = CompareQuestion { cards, book: Some(book), ..CompareQuestion::default() };
    let compared = serde_json::to_value(set::compare(&compared, &BuiltIn).unwrap()).unwrap();
    for set in compared["settings"].as_array().unwrap() {
        let ways = solution["ways"].as_array().unwrap();
        let way = ways.iter().find(|way| way["house_way"] == set["house_way"]).unwrap();
        assert_eq!(way["low"], set["low"]);
        let settings = solution["settings"].as_array().unwrap();
        let chosen = settings.iter().find(|setting| setting["low"] == set["low"]).unwrap();
        let cost = number(&settings[0]["ev"]) - number(&chosen["ev"]);
        assert!((number(&way["cost"]) - cost).abs() < 1e-11, "{way}");
    }
}

#[test]
fn days_without_a_puzzle_are_refused() {
    let refused = |day: Day| Puzzle::of(day, TODAY).unwrap_err().faults[0].code;
    assert_eq!(refused(Day(TODAY.0 + 1)), "no_such_puzzle");
    assert_eq!(refused(Day(FIRST_DAY.0 - 1)), "no_such_puzzle");
    assert_eq!(parse_day("today", TODAY).unwrap(), TODAY);
    assert_eq!(parse_day("tomorrow", TODAY).unwrap_err().faults[0].code, "bad_day");
}

/// In EZ, a dealer's hand that makes every wager push does so for a foul hand too.
#[test]
fn foul_hands_lose_unless_the_dealer_pushes() {
    for (book, pushes) in [("ez", true), ("south-dakota", false)] {
        let book = std::sync::Arc::new(paigow::Rulebook::built_in(book).unwrap());
        let rules = paigow::TableRules::new(book, &[]).unwrap();
        let hand: SevenCards = "As Ad Kc 9h 7s 4d 2c".parse().unwrap();
        let judged = JudgedHand::of(&rules, hand);
        let judgement = judged.at_stake(&rules, "As Ad".parse().unwrap(), Amount::from_cents(1_000)).unwrap();
        let lost = Fraction::new(-1_000, 1);
        assert_eq!(judgement.chosen > lost, pushes);
        assert!(judgement.chosen < Fraction::new(-950, 1), "a foul hand never wins");
        let best = judged.at_stake(&rules, judgement.best_low.cards(), Amount::from_cents(1_000)).unwrap();
        assert_eq!(best.chosen, best.best);
    }
}
