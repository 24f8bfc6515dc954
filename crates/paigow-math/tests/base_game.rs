//! The exact base game against counts kept in `golden/base-game.golden` and against what was published elsewhere.

#![allow(clippy::expect_used, clippy::unwrap_used)] // a test that expects wrongly has failed

use paigow::rulebook::{BuiltIn, Copies};
use paigow::{HandClass, HouseWay, SevenCards};
use paigow_math::{BaseGame, DEALS, QUIET, Sides};
use std::path::Path;

#[test]
fn every_pair_of_hands_is_counted_and_the_counts_are_the_golden_ones() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/base-game.golden");
    let text = std::fs::read_to_string(path).unwrap();
    let mut seen = 0;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, push, counts @ ..] = &words[..] else { panic!("{line}") };
        let way = HouseWay::load(name, &BuiltIn).expect("a house way");
        let push: Vec<HandClass> = HandClass::from_name(push).into_iter().collect();
        let sides = Sides { player: &way, dealer: &way, ranking: way.ranking, dealer_push: &push };
        let game = BaseGame::count(&sides, QUIET);
        let outcomes = game.outcomes(Copies::Banker);
        let counted = [outcomes.win, outcomes.push - game.dealer_push, outcomes.lose, game.dealer_push];
        let golden: Vec<i128> = counts.iter().map(|count| count.parse().unwrap()).collect();
        assert_eq!(counted[..], golden[..], "{line}");
        assert_eq!(counted.iter().sum::<i128>(), DEALS);
        seen += 1;
    }
    assert_eq!(seen, 2);
}

/// A part of a thousand million of all deals, rounded.
fn billionths(count: i128) -> i128 {
    (count * 2_000_000_000 / DEALS + 1) / 2
}

/// Foxwoods, 5 % commission: published as exact, 2.72 %, after months of computing (Wizard of Odds, 31 December 2013).
/// Of the dealer's hands a queen-high pai gow is one in 56.7: the census says how many.
#[test]
fn the_golden_counts_give_the_published_edge() {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/base-game.golden"))
            .unwrap();
    let counts = |start: &str| -> Vec<i128> {
        let is_it = |line: &&str| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ") == start;
        let line = text.lines().find(is_it).expect("a golden line");
        line.split_whitespace().skip(2).map(|count| count.parse().unwrap()).collect()
    };
    let plain = counts("foxwoods none");
    let edge = plain[2] - plain[0] + plain[0] * 5 / 100;
    assert_eq!((billionths(edge) + 50_000) / 100_000, 272, "hundredths of a percent");
    let dragon = counts("foxwoods queen_high");
    // One dealer's hand with each of the C(46, 7) hands it leaves to the player.
    assert_eq!(dragon[3], 2_719_500 * 53_524_680);
}

/// The table by hand number holds what it was asked to, whatever the suits: one hand in three spellings.
#[test]
fn hands_alike_up_to_suits_are_set_alike() {
    let way = HouseWay::load("foxwoods", &BuiltIn).expect("a house way");
    let evaluator = paigow::Evaluator::of(way.ranking);
    let strengths = ["As Kd Tc 9h 2s 2d Jk", "Ah Kc Td 9s 2h 2c Jk", "Ad Ks Th 9c 2d 2s Jk"].map(|text| {
        let hand: SevenCards = text.parse().unwrap();
        let setting = way.decide(hand, evaluator).unwrap().setting;
        (setting.high_strength, setting.low_strength)
    });
    assert_eq!(strengths[0], strengths[1]);
    assert_eq!(strengths[0], strengths[2]);
}
