//! The best setting of every hand, against the worth of settings hand by hand and against the base game.

#![allow(clippy::expect_used, clippy::unwrap_used)] // a test that expects wrongly has failed

use paigow::rulebook::{BuiltIn, Copies};
use paigow::{Evaluator, HouseWay};
use paigow_math::{BestSetting, DEALS, Opposition, Outcomes, QUIET, Strategy};
use std::path::Path;

/// The outcomes of a golden line of the base game, by how it begins.
fn golden(start: &[&str]) -> Outcomes {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/base-game.golden");
    let text = std::fs::read_to_string(path).unwrap();
    let line = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .find(|words| words.starts_with(start))
        .expect("a golden line");
    let counts: Vec<i128> = line.iter().filter_map(|word| word.parse().ok()).collect();
    Outcomes { win: counts[0], push: counts[1] + counts[3], lose: counts[2] }
}

/// One run, which takes its time, and everything that must hold of it.
#[test]
fn the_strategy_is_what_hands_are_worth_one_by_one() {
    let ways: Vec<HouseWay> =
        BuiltIn::house_way_names().map(|name| HouseWay::load(name, &BuiltIn).unwrap()).collect();
    let place = |name: &str| ways.iter().position(|way| way.id == name).unwrap();
    let dealer = &ways[place("foxwoods")];
    let against = Opposition {
        dealer,
        ranking: dealer.ranking,
        dealer_push: &[],
        copies: Copies::Banker,
        commission: 500,
    };
    let strategy = Strategy::of(&against, &ways.iter().collect::<Vec<_>>(), QUIET);
    assert_eq!(strategy.len(), 6_972_147);

    // On no hand does a house way do better.
    let hands = || (0..strategy.len()).map(|place| strategy.hand(place));
    assert!(hands().all(|hand| (0..ways.len()).all(|way| hand.cost(way) >= 0)));

    // Set as the dealer does, it is the base game, counted in another way.
    let summary = strategy.summary();
    assert_eq!(summary.ways[place("south-beach")].outcomes, golden(&["south-beach", "foxwoods", "none"]));
    assert_eq!(summary.ways[place("foxwoods")].outcomes, golden(&["foxwoods", "foxwoods", "none"]));
    for about in &summary.ways {
        let Outcomes { win, push, lose } = about.outcomes;
        assert_eq!(win + push + lose, DEALS);
        let value = |of: &Outcomes| of.win * 9_500 - of.lose * 10_000;
        assert!(value(&summary.best) > value(&about.outcomes));
        assert!(about.hands_set_differently > 0);
        assert!(about.costliest.is_sorted_by(|one, other| one.cost >= other.cost));
    }

    // Hands here and there, by the other method: the best is the best of all legal settings, and each house way's setting is
    // worth what it says.
    let evaluator = Evaluator::of(dealer.ranking);
    let mut at = 17;
    for _ in 0..60 {
        let hand = strategy.hand(at);
        let (best, worth) = hand.best_setting();
        let one = BestSetting::of(hand.hand(), &against);
        assert_eq!(one.settings[0].1.value(500), worth.value(500), "{}", hand.hand());
        assert_eq!(Some(one.settings[0].0), best, "{}", hand.hand());
        let same = one.settings.iter().find(|(setting, _)| Some(*setting) == best).unwrap();
        assert_eq!(same.1, worth, "{}", hand.hand());
        for (way, place) in ways.iter().zip(0..) {
            let (setting, worth) = hand.setting_of(place);
            assert_eq!(setting, way.decide(hand.hand(), evaluator).map(|decision| decision.setting));
            let same = one.settings.iter().find(|(other, _)| Some(*other) == setting).unwrap();
            assert_eq!(same.1, worth, "{} set as {}", hand.hand(), way.id);
        }
        // A step that shares no factor with the number of classes visits them all over.
        at = (at + 4_309_463) % strategy.len();
    }
}
