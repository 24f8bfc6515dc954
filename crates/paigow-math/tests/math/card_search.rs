//! Strategy cards: they are valid house ways, and longer ones cost less.

use crate::worth_table::PLAYER;
use paigow::HouseWay;
use paigow::document::Source;
use paigow_math::{CardSearch, Fraction, PatternLists, Proof, QUIET, StrategyCard};

fn house_way(card: &StrategyCard) -> HouseWay {
    let text = card.to_text("Card", "a test", PLAYER.book.ranking);
    HouseWay::parse("card", &Source::new("card", text)).expect("a card is a valid house way")
}

/// A short search: one line for each pattern of groups, besides the shared ones.
#[test]
fn cards_are_proved_and_cost_less_with_more_lines() {
    let search = CardSearch::new(&PLAYER.table);
    let lists: Vec<PatternLists> =
        (0..CardSearch::PATTERNS).map(|pattern| search.search_pattern(pattern, 1, QUIET)).collect();
    for lists in &lists {
        assert_eq!(PatternLists::from_numbers(&lists.to_numbers()).as_ref(), Some(lists));
        assert!(lists.costs().is_sorted_by(|one, other| one > other));
    }
    let cards = search.cards(&lists, 6, QUIET);
    assert_eq!(cards, search.cards(&lists, 6, QUIET), "the search always finds the same cards");
    let mut costs: Vec<Fraction> = Vec::new();
    for card in &cards {
        let way = house_way(card);
        let proof = Proof::of(way.as_draft(), way.ranking());
        assert!(proof.faults.is_empty(), "{:?}: {:?}", card, proof.faults);
        costs.push(PLAYER.price(&way).1.cost);
    }
    assert!(costs.is_sorted_by(|one, other| one > other), "{costs:?}");
    let lines: Vec<usize> = cards.iter().map(|card| card.lines.len()).collect();
    assert_eq!(lines, [1, 2, 3, 4, 5, 6]);
    // One line gives away more than 6 % of the wager, six lines less than the costliest published house way.
    assert!(costs[0] > Fraction::new(6, 100) && costs[5] < Fraction::new(469, 100_000), "{costs:?}");
}

#[test]
fn wrong_numbers_are_not_lists() {
    assert!(PatternLists::from_numbers(&[vec![vec![7]]]).is_some());
    for numbers in [
        vec![vec![vec![]]],
        vec![vec![]],
        vec![vec![vec![7, 0]]],
        vec![vec![vec![7, 0, 1, 0, 0]]],
        vec![vec![vec![7, 9_999, 0]]],
        vec![vec![vec![7, -1, 0]]],
        vec![vec![vec![7, 0, 1, 200, 0, 1]]],
        vec![vec![vec![7, 0, 1, 0, 5, 4]]],
        vec![vec![vec![7, 0, 1, 0, 0, 13]]],
    ] {
        assert_eq!(PatternLists::from_numbers(&numbers), None, "{numbers:?}");
    }
}
