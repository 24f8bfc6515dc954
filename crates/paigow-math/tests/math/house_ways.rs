//! The built-in house ways are proved under their own ranking and tested on random hands under every ranking.

use paigow::document::Source;
use paigow::rulebook::BuiltIn;
use paigow::{Arrangement, Card, Evaluator, HouseWay, HouseWayDraft, Ranking, Wheel};
use paigow_math::{Census, HouseWayFault, Proof};
use paigow_testkit::Rng;
use rayon::prelude::*;

fn ways() -> Vec<HouseWay> {
    BuiltIn::house_way_names().map(|name| HouseWay::load(name, &BuiltIn).expect("a house way")).collect()
}

#[test]
fn built_in_house_ways_are_proved() {
    for way in ways() {
        let proof = Proof::of(way.as_draft(), way.ranking());
        assert!(proof.faults.is_empty(), "{}: {:?}", way.id(), proof.faults);
        let decided: u64 = proof.clauses.iter().map(|clause| clause.hands).sum();
        assert_eq!(decided, Census::HANDS, "{}", way.id());
        assert_kinds_agree(way.as_draft(), way.ranking(), &proof);
    }
}

/// The proof on a hand of each kind counts the same hands and finds the same faults, with other examples.
fn assert_kinds_agree(way: &HouseWayDraft, ranking: Ranking, proof: &Proof) {
    let by_kinds = Proof::of_kinds(way, ranking);
    let hands = |proof: &Proof| proof.clauses.iter().map(|clause| clause.hands).collect::<Vec<_>>();
    assert_eq!(hands(&by_kinds), hands(proof), "{}", way.id);
    let faults = |proof: &Proof| -> Vec<_> {
        let fault = |fault: &HouseWayFault| match fault {
            HouseWayFault::Undecided(_) => ("undecided", None),
            HouseWayFault::Impossible { clause, .. } => ("impossible", Some(*clause)),
            HouseWayFault::Illegal { clause, .. } => ("illegal", Some(*clause)),
            HouseWayFault::Dead { clause, .. } => ("dead", Some(*clause)),
        };
        proof.faults.iter().map(fault).collect()
    };
    assert_eq!(faults(&by_kinds), faults(proof), "{}", way.id);
}

/// A book may use a house way under another ranking than its own. The house way must still set every hand legally.
#[test]
fn random_hands_are_set_legally_under_every_ranking() {
    let ways = ways();
    let hands: u64 = (0..1_000u64)
        .into_par_iter()
        .map(|seed| {
            let mut rng = Rng::new(seed);
            let mut deck: Vec<Card> = Card::deck().collect();
            for i in 0..10_000usize {
                let hand = rng.hand(&mut deck);
                let evaluator = Evaluator::of(Ranking::ALL[i % 4]);
                for way in &ways {
                    let setting = way.decide(hand, evaluator).setting;
                    let arrangement = Arrangement::new(hand, setting.low.cards()).expect("two of the seven");
                    assert_eq!(arrangement.set(evaluator), Ok(setting), "{hand} by {}", way.id());
                }
            }
            10_000
        })
        .sum();
    assert_eq!(hands, 10_000_000);
}

fn proof_of(clauses: &[(&str, &str)]) -> (HouseWayDraft, Proof) {
    let head = "title = \"T\"\nsource = \"S\"\nranking = { joker = \"semi_wild\", wheel = \"lowest\", cite = \"c\" }\n";
    let clauses = clauses.iter().map(|(when, set)| {
        format!("[[clauses]]\nwhen = \"{when}\"\nset = \"{set}\"\nsays = \"…\"\ncite = \"c\"\n")
    });
    let text = head.to_owned() + &clauses.collect::<String>();
    let way = HouseWayDraft::parse("test", &Source::new("test", text)).expect("a valid house way");
    let ranking = Ranking { wheel: Wheel::Lowest, ..way.ranking };
    let proof = Proof::of(&way, ranking);
    assert_kinds_agree(&way, ranking, &proof);
    (way, proof)
}

#[test]
fn undecided_hand_is_reported() {
    let (_, proof) = proof_of(&[("one pair", "pair behind")]);
    let [HouseWayFault::Undecided(hand)] = proof.faults[..] else { panic!("{:?}", proof.faults) };
    assert_eq!(hand.cards().len(), 7);
}

#[test]
fn dead_clause_is_reported_with_a_shadowed_hand() {
    let (way, proof) =
        proof_of(&[("one pair", "pair behind"), ("one pair, pair A", "pair behind"), ("any hand", "best")]);
    let [HouseWayFault::Dead { clause: 1, instead: Some((hand, 0)) }] = proof.faults[..] else {
        panic!("{:?}", proof.faults)
    };
    assert!(way.fits(1, hand, Evaluator::of(way.ranking)));
    let (_, proof) = proof_of(&[("one pair, higher pair A", "best"), ("any hand", "best")]);
    assert_eq!(proof.faults, [HouseWayFault::Dead { clause: 0, instead: None }]);
}

#[test]
fn impossible_clause_is_reported_with_a_hand() {
    // A hand whose only pair is set as the low hand is a foul.
    let (_, proof) = proof_of(&[("one pair", "pair in front"), ("any hand", "best")]);
    let [HouseWayFault::Impossible { clause: 0, hand }] = proof.faults[..] else {
        panic!("{:?}", proof.faults)
    };
    assert_eq!(hand.cards().len(), 7);
}
