//! Placements that a line of a card may have.

use super::words;

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
pub(super) fn placements() -> Vec<CardPlacement> {
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

/// Number of placements.
pub(super) fn placement_count() -> usize {
    placements().len()
}

/// Cost of a placement that a hand cannot have.
pub(super) const IMPOSSIBLE: i64 = i64::MAX;

/// The `set` of a clause as in house-way files. Phrases need no escaping.
pub(super) fn set_text(set: &[String]) -> String {
    match set {
        [only] => format!("\"{only}\""),
        _ => format!("[\"{}\"]", set.join("\", \"")),
    }
}
