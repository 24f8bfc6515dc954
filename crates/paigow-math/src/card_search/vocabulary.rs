//! Phrases that a card may use, and their meaning for every kind of hand.
//!
//! The meaning comes from the house-way parser: a draft with one clause for each phrase is applied to a hand of each
//! kind. So a card means the same here and at a table.

use super::words;
use crate::WorthTable;
use paigow::document::Source;
use paigow::{HouseWayDraft, Rank};
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

/// A placement that a line may have.
pub(super) struct CardPlacement {
    /// The phrases in house-way files. Several texts are alternatives.
    pub(super) set: Vec<String>,
    /// The instruction in the words of a player.
    pub(super) says: String,
}

const PLACEMENTS: [(&str, &str); 25] = [
    ("best", "make the low hand as high as the high hand allows"),
    ("pair in the low hand", "put the pair in the low hand"),
    ("pair in the high hand", "keep the pair in the high hand"),
    ("group in the high hand", "keep them together in the high hand"),
    (
        "pair in the high hand, ace in the low hand",
        "keep the pair in the high hand and put an ace in the low hand",
    ),
    ("highest pair in the low hand", "put the highest pair in the low hand"),
    ("higher pair in the low hand", "put the higher pair in the low hand"),
    ("lower pair in the low hand", "put the lower pair in the low hand"),
    ("both pairs in the high hand", "keep both pairs in the high hand"),
    ("three in the high hand", "keep the three in the high hand"),
    ("two of the three in the low hand", "put two of the three in the low hand"),
    (
        "two of the three in the high hand, ace in the low hand",
        "put an ace in the low hand and keep two of the three in the high hand",
    ),
    ("two of the higher three in the low hand", "put two of the higher three in the low hand"),
    ("two of the lower three in the low hand", "put two of the lower three in the low hand"),
    ("four in the high hand", "keep the four in the high hand"),
    ("two of the four in the low hand", "put two of the four in the low hand"),
    ("five in the high hand", "keep the five in the high hand"),
    ("two of the five in the low hand", "put two of the five in the low hand"),
    ("any pair in the low hand", "put a pair in the low hand"),
    (
        "any pair in the low hand, complete hand in the high hand",
        "play the straight or flush with a pair in the low hand",
    ),
    ("ace in the low hand", "put an ace in the low hand"),
    (
        "ace in the low hand, complete hand in the high hand",
        "play the straight or flush with an ace in the low hand",
    ),
    ("complete hand in the high hand", "play the straight or flush"),
    ("straight in the high hand", "play the straight"),
    ("flush in the high hand", "play the flush"),
];

const COMPLETE: &str = "complete hand in the high hand";
const GROUP: &str = "group in the high hand";
const HIGHEST_PAIR: &str = "highest pair in the low hand";

/// Placements of lines that lists of several patterns should have in common, by pattern. Lists with a line in common
/// share it, so it counts once.
pub(super) const SHARED: [(&str, &[&str]); 7] = [
    ("no pair", &[COMPLETE]),
    ("one pair", &[COMPLETE, GROUP]),
    ("three of a kind", &[COMPLETE, GROUP]),
    ("four of a kind", &[GROUP]),
    ("full house", &[HIGHEST_PAIR]),
    ("three of a kind with two pairs", &[HIGHEST_PAIR]),
    ("four of a kind with a pair", &[HIGHEST_PAIR]),
];

/// Lowest low hands that a line may ask for. Each is as easy to remember as a high card or two.
const LEAST: [&str; 13] = ["T", "J", "Q", "QT", "K", "KT", "KJ", "KQ", "A", "AT", "AJ", "AQ", "AK"];

/// Lists the placements.
fn placements() -> Vec<CardPlacement> {
    let mut all: Vec<CardPlacement> = PLACEMENTS
        .map(|(set, says)| CardPlacement { set: vec![set.to_owned()], says: says.to_owned() })
        .into_iter()
        .collect();
    for least in LEAST {
        for (set, says) in [
            (COMPLETE, "play the straight or flush"),
            ("both pairs in the high hand", "keep both pairs in the high hand"),
            (GROUP, "keep them together in the high hand"),
        ] {
            all.push(CardPlacement {
                set: vec![format!("{set}, low hand at least {least}")],
                says: format!("{says} if the low hand is then {} or better", words::low_hand(least)),
            });
        }
        all.push(CardPlacement {
            set: vec![COMPLETE.to_owned(), format!("{GROUP}, low hand at least {least}")],
            says: format!(
                "play the straight or flush, or keep them together in the high hand if the low hand is then {} or \
                 better, whichever makes the low hand higher",
                words::low_hand(least)
            ),
        });
    }
    let ordinals = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh"];
    for (index, one) in ordinals.iter().enumerate() {
        for other in &ordinals[index + 1..] {
            let cards = if index == 0 { "highest" } else { one };
            all.push(CardPlacement {
                set: vec![format!("{one} and {other} highest singles in the low hand")],
                says: format!("put the {cards} and {other} highest single cards in the low hand"),
            });
        }
    }
    all
}

/// Index of the placement of the last line of a card, `best`.
pub(super) const LAST_PLACEMENT: usize = 0;

/// A property of hands with ordered values, on which a condition sets bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Property {
    /// Rank of a group or of a single, by the words of its phrase.
    Rank(&'static str),
    /// Sum of the ranks of two pairs.
    PairSum,
    /// The phrases for hands without the property, and with it.
    Flag(&'static str, &'static str),
}

const PROPERTIES: [Property; 18] = [
    Property::Rank("pair"),
    Property::Rank("higher pair"),
    Property::Rank("lower pair"),
    Property::Rank("three"),
    Property::Rank("four"),
    Property::Rank("highest single"),
    Property::Rank("second highest single"),
    Property::Rank("third highest single"),
    Property::Rank("fourth highest single"),
    Property::Rank("fifth highest single"),
    Property::Rank("sixth highest single"),
    Property::Rank("seventh highest single"),
    Property::PairSum,
    Property::Flag("no joker", "the joker"),
    Property::Flag("no complete hand", "a complete hand"),
    Property::Flag("no straight", "a straight"),
    Property::Flag("no flush", "a flush"),
    Property::Flag("no straight flush", "a straight flush"),
];

/// Lowest and highest sum of the ranks of two pairs.
const PAIR_SUM: (u8, u8) = (5, 27);

impl Property {
    /// Number of values.
    fn values(self) -> u8 {
        match self {
            Property::Rank(_) => Rank::ALL.len() as u8,
            Property::PairSum => PAIR_SUM.1 - PAIR_SUM.0 + 1,
            Property::Flag(..) => 2,
        }
    }

    /// Phrase for the values from `low` to `high`, or `None` if no phrase has these bounds.
    fn phrase(self, low: u8, high: u8) -> Option<String> {
        match self {
            Property::Rank(words) => {
                let [low_rank, high_rank] = [low, high].map(|rank| Rank::ALL[usize::from(rank)]);
                let ranks = match (low_rank, high_rank) {
                    (one, other) if one == other => one.letter().to_string(),
                    (Rank::King, Rank::Ace) => "K or A".to_owned(),
                    (one, other) => format!("{}-{}", one.letter(), other.letter()),
                };
                let at_least = words == "highest single" && high_rank == Rank::Ace;
                Some(if at_least { format!("a single {ranks}") } else { format!("{words} {ranks}") })
            }
            Property::PairSum if low == 0 => Some(format!("pairs sum at most {}", PAIR_SUM.0 + high)),
            Property::PairSum if high + 1 == self.values() => {
                Some(format!("pairs sum at least {}", PAIR_SUM.0 + low))
            }
            Property::PairSum => None,
            Property::Flag(without, with) => Some(if low == 0 { without } else { with }.to_owned()),
        }
    }
}

impl Property {
    /// The condition in the words of a player.
    fn words(self, low: u8, high: u8) -> String {
        match self {
            Property::Rank(subject) => {
                let [low, high] = [low, high].map(|rank| Rank::ALL[usize::from(rank)]);
                match subject {
                    "pair" | "three" | "four" => words::ranks(low, high, Rank::plural),
                    "higher pair" | "lower pair" => {
                        format!("the {subject} {}", words::ranks(low, high, Rank::plural))
                    }
                    "highest single" if high == Rank::Ace => {
                        format!("with a single {}", words::ranks(low, high, Rank::name))
                    }
                    _ => format!("the {subject} card {}", words::ranks(low, high, Rank::name)),
                }
            }
            Property::PairSum if low == 0 => format!("the pairs add up to {} or less", PAIR_SUM.0 + high),
            Property::PairSum => format!("the pairs add up to {} or more", PAIR_SUM.0 + low),
            Property::Flag(without, with) => {
                let phrase = if low == 0 { without } else { with };
                let phrase = phrase.replace("complete hand", "straight or flush");
                match phrase.strip_prefix("no joker").or_else(|| phrase.strip_prefix("the joker")) {
                    Some(_) if low == 0 => "without the joker".to_owned(),
                    Some(_) => "with the joker".to_owned(),
                    None => match phrase.strip_prefix("no ") {
                        Some(rest) => format!("without a {rest}"),
                        None => format!("with {phrase}"),
                    },
                }
            }
        }
    }
}

/// Bounds on a property: a condition of a line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Bounds {
    /// Index of the property.
    pub(super) property: u8,
    pub(super) low: u8,
    pub(super) high: u8,
}

impl Bounds {
    /// Whether the property and the bounds exist.
    pub(super) fn is_valid(self) -> bool {
        PROPERTIES.get(usize::from(self.property)).is_some_and(|property| {
            self.low <= self.high
                && self.high < property.values()
                && property.phrase(self.low, self.high).is_some()
        })
    }
}

/// Number of placements.
pub(super) fn placement_count() -> usize {
    placements().len()
}

/// Value of a property that a hand does not have.
pub(super) const ABSENT: u8 = u8::MAX;

/// Cost of a placement that a hand cannot have.
pub(super) const IMPOSSIBLE: i64 = i64::MAX;

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
        let kinds = table.kinds.kinds.len();
        let rows: Vec<(u8, [u8; PROPERTIES.len()])> = (0..kinds)
            .into_par_iter()
            .map(|kind| {
                let hand = table.kinds.hand(kind);
                let fits = |clause: usize| draft.fits(clause, hand, table.evaluator);
                let pattern = (0..PATTERNS.len()).find(|pattern| fits(*pattern)).unwrap_or_default();
                let mut first = PATTERNS.len();
                let values = PROPERTIES.map(|property| {
                    let clauses = first..first + property.single_phrases().len();
                    first = clauses.end;
                    let holding = clauses.clone().filter(|clause| fits(*clause)).count() as u8;
                    let found = clauses.clone().find(|clause| fits(*clause));
                    match (property, found) {
                        // A hand with the sum n fits `at least` up to n.
                        (Property::PairSum, Some(_)) => holding - 1,
                        (_, Some(clause)) => (clause - clauses.start) as u8,
                        (_, None) => ABSENT,
                    }
                });
                (pattern as u8, values)
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

    /// Number of values of a property.
    pub(super) fn values(property: u8) -> u8 {
        PROPERTIES[usize::from(property)].values()
    }

    /// Bounds in the words of a player.
    pub(super) fn words(bounds: Bounds) -> String {
        PROPERTIES[usize::from(bounds.property)].words(bounds.low, bounds.high)
    }

    /// Phrase of bounds, or `None` if the vocabulary has none.
    pub(super) fn phrase(bounds: Bounds) -> Option<String> {
        PROPERTIES[usize::from(bounds.property)].phrase(bounds.low, bounds.high)
    }
}

impl Property {
    /// A phrase for each value, from which the value of a hand follows.
    fn single_phrases(self) -> Vec<String> {
        let last = self.values() - 1;
        let bounds = |value: u8| if self == Property::PairSum { (value, last) } else { (value, value) };
        (0..self.values()).filter_map(|value| self.phrase(bounds(value).0, bounds(value).1)).collect()
    }
}

/// Parses clauses as a draft of a house way.
pub(super) fn draft<'a>(clauses: impl Iterator<Item = (&'a str, Vec<String>)>) -> HouseWayDraft {
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

/// The `set` of a clause as in house-way files. Phrases need no escaping.
pub(super) fn set_text(set: &[String]) -> String {
    match set {
        [only] => format!("\"{only}\""),
        _ => format!("[\"{}\"]", set.join("\", \"")),
    }
}
