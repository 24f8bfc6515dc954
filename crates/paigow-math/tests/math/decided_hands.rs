//! Hands drawn by the clause that decides them.

use paigow::rulebook::BuiltIn;
use paigow::{Evaluator, HouseWay};
use paigow_math::{DecidedHands, DrawnHand, Proof};
use paigow_testkit::Rng;
use std::collections::BTreeMap;

fn ways() -> impl Iterator<Item = HouseWay> {
    let names = BuiltIn::card_names().chain(BuiltIn::house_way_names().take(2));
    names.map(|name| HouseWay::built_in(name).unwrap())
}

/// Numbers of a generator with a fixed seed.
fn numbers(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut rng = Rng::new(seed);
    move |count| rng.below(count)
}

#[test]
fn every_clause_is_drawn_and_decides_its_hands() {
    for way in ways() {
        let evaluator = Evaluator::of(way.ranking());
        let decided = DecidedHands::of(&way, way.ranking());
        for (clause, count) in decided.clauses().iter().enumerate() {
            for contested in [false, true] {
                let hands = if contested { count.contested } else { count.hands - count.contested };
                let drawn =
                    decided.draw(20, |of, is| (of, is) == (clause, contested), numbers(clause as u64));
                assert_eq!(drawn.len(), if hands == 0 { 0 } else { 20 }, "{} {clause}", way.id());
                for DrawnHand { hand, clause: of, contested: is } in drawn {
                    let decision = way.decide(hand, evaluator);
                    assert_eq!((of, is, decision.clause), (clause, contested, clause), "{hand}");
                    let strengths = |setting: paigow::Setting| (setting.high_strength, setting.low_strength);
                    let next = way.as_draft().decide_after(clause, hand, evaluator);
                    let differs =
                        next.is_some_and(|next| strengths(next.setting) != strengths(decision.setting));
                    assert_eq!(differs, contested, "{hand}");
                }
            }
        }
    }
}

#[test]
fn draws_repeat_and_wanted_hands_may_be_absent() {
    let way = ways().next().unwrap();
    let decided = DecidedHands::of(&way, way.ranking());
    let draw = |seed| decided.draw(50, |_, _| true, numbers(seed));
    assert_eq!(draw(7), draw(7));
    assert_ne!(draw(7), draw(8));
    assert!(decided.draw(5, |_, _| false, numbers(1)).is_empty());
}

/// Every hand is as likely as it is dealt: the clauses of many draws, and the number of jokers, are close to the counts.
#[test]
fn draws_follow_the_counts() {
    const DRAWS: usize = 20_000;
    let way = ways().next().unwrap();
    let decided = DecidedHands::of(&way, way.ranking());
    let drawn = decided.draw(DRAWS, |_, _| true, numbers(3));
    let mut clauses = BTreeMap::<usize, u64>::new();
    for drawn in &drawn {
        *clauses.entry(drawn.clause).or_default() += 1;
    }
    let proof = Proof::of(way.as_draft(), way.ranking());
    for (clause, count) in proof.clauses.iter().enumerate() {
        let expected = count.hands * DRAWS as u64 / 154_143_080;
        let found = clauses.get(&clause).copied().unwrap_or_default();
        // Five standard deviations of a count are at most this much.
        let distance = 5 * (expected + 1).isqrt() + 5;
        assert!(found.abs_diff(expected) <= distance, "clause {clause}: {found}, expected {expected}");
    }
    // A hand has the joker with probability 7/53, and a given card with the same probability.
    for card in ["Jk", "As", "2c"] {
        let card = card.parse().unwrap();
        let found = drawn.iter().filter(|drawn| drawn.hand.cards().contains(card)).count();
        assert!(found.abs_diff(DRAWS * 7 / 53) < 250, "{card}: {found}");
    }
}
