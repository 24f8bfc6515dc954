//! Phrases that a card may use, and their meaning for every kind of hand.
//!
//! The meaning comes from the house-way parser: a draft with one clause for each phrase is applied to a hand of each
//! kind. So a card means the same here and at a table.

use super::placement::{CardPlacement, IMPOSSIBLE, SHARED, placements, set_text};
use super::property::{ABSENT, PROPERTIES};
use crate::WorthTable;
use paigow::HouseWayDraft;
use paigow::document::Source;
use rayon::prelude::*;
use std::fmt::Write as _;

/// Patterns of groups, as in house-way files. Every hand has exactly one.
pub(super) const PATTERNS: [&str; 13] = [
    "no pair",
    "one pair",
    "two pairs",
    "three pairs",
    "three of a kind",
    "full house",
    "three of a kind with two pairs",
    "two threes of a kind",
    "four of a kind",
    "four of a kind with a pair",
    "four of a kind with three of a kind",
    "five of a kind",
    "five of a kind with a pair",
];

/// Meaning of all phrases for every kind of hand.
pub(super) struct Vocabulary {
    /// Index of the group pattern of each kind.
    pub(super) patterns: Vec<u8>,
    /// For each property, its value for each kind.
    pub(super) properties: Vec<Vec<u8>>,
    /// The placements.
    pub(super) placements: Vec<CardPlacement>,
    /// For each placement, its cost against best play for each kind, in [`COST_UNIT`]s.
    pub(super) costs: Vec<Vec<i64>>,
}

/// Costs are in units of this many ten-thousandths of a wager over all deals, so that sums fit into 64 bits. The search
/// compares rounded costs. Prices are exact.
pub(super) const COST_UNIT: i128 = 64;

impl Vocabulary {
    pub(super) fn of(table: &WorthTable) -> Vocabulary {
        let tests: Vec<String> = PATTERNS
            .iter()
            .map(|pattern| (*pattern).to_owned())
            .chain(PROPERTIES.iter().flat_map(|property| property.single_phrases()))
            .collect();
        let draft = draft(tests.iter().map(|when| (when.as_str(), vec!["best".to_owned()])));
        // The pattern or property that each clause tests, and the value it tests for.
        let values = |property: usize| (0..PROPERTIES[property].values()).map(move |value| (property, value));
        let tested: Vec<(usize, u8)> = (0..PROPERTIES.len()).flat_map(values).collect();
        let kinds = table.kinds.kinds.len();
        let rows: Vec<(u8, [u8; PROPERTIES.len()])> = (0..kinds)
            .into_par_iter()
            .map(|kind| {
                let (mut pattern, mut values) = (0, [ABSENT; PROPERTIES.len()]);
                for clause in draft.fitting(table.kinds.hand(kind), table.evaluator) {
                    match clause.checked_sub(PATTERNS.len()) {
                        None => pattern = clause as u8,
                        // A hand with the sum n fits `at least` up to n, so the last value is that of the hand.
                        Some(test) => values[tested[test].0] = tested[test].1,
                    }
                }
                (pattern, values)
            })
            .collect();
        let placements = placements();
        let draft = self::draft(placements.iter().map(|placement| ("any hand", placement.set.clone())));
        let costs = (0..placements.len())
            .map(|placement| {
                // With one pair, "both pairs" would mean the pair. `group in the high hand` names it.
                let two_pairs = placements[placement].set[0].starts_with("both pairs");
                let cost = |kind: usize| {
                    if two_pairs && PATTERNS[usize::from(rows[kind].0)] == "one pair" {
                        return IMPOSSIBLE;
                    }
                    let set = draft.decide_by(placement, table.kinds.hand(kind), table.evaluator);
                    set.map_or(IMPOSSIBLE, |setting| (table.cost(kind, &setting) / COST_UNIT) as i64)
                };
                (0..kinds).into_par_iter().map(cost).collect()
            })
            .collect();
        Vocabulary {
            patterns: rows.iter().map(|(pattern, _)| *pattern).collect(),
            properties: (0..PROPERTIES.len())
                .map(|property| rows.iter().map(|(_, values)| values[property]).collect())
                .collect(),
            placements,
            costs,
        }
    }

    /// Lines that lists of this pattern should share with others.
    pub(super) fn shared_lines(&self, pattern: usize) -> Vec<usize> {
        let shared = SHARED.iter().find(|(name, _)| *name == PATTERNS[pattern]);
        let index = |set: &&str| self.placements.iter().position(|placement| placement.set == [*set]);
        shared.map_or(&[][..], |(_, sets)| sets).iter().filter_map(index).collect()
    }
}

/// Parses clauses as a draft of a house way.
fn draft<'a>(clauses: impl Iterator<Item = (&'a str, Vec<String>)>) -> HouseWayDraft {
    let mut text = "title = \"Card\"\nsource = \"Card\"\nranking = { joker = \"semi_wild\", wheel = \"lowest\", cite = \"-\" }\n".to_owned();
    for (when, set) in clauses {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "[[clauses]]\nwhen = \"{when}\"\nset = {}\nsays = \"-\"\ncite = \"-\"",
            set_text(&set)
        );
    }
    match HouseWayDraft::parse("card", &Source::new("card", text)) {
        Ok(draft) => draft,
        Err(problems) => panic!("the vocabulary of cards is not that of house ways: {problems:?}"),
    }
}
