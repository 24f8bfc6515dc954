//! Canonical form of house-way clauses: codes that do not depend on the wording of the phrases.

use super::groups::{Group, GroupPattern};
use super::{Clause, condition, placement};
use crate::Rank;

impl Clause {
    /// Returns the clause as `[CONDITIONS,[PLACEMENTS,…]]`.
    ///
    /// Lists are sorted because the order of phrases has no effect.
    pub(crate) fn canonical(&self) -> String {
        let mut alternatives: Vec<String> =
            self.placements.iter().map(|placement| list(placement::codes(placement))).collect();
        alternatives.sort();
        alternatives.dedup();
        format!("[{},[{}]]", list(condition::codes(&self.condition)), alternatives.join(","))
    }
}

/// Returns the codes as a sorted JSON list. Codes need no escaping: they are ASCII letters, digits and `_:,`.
fn list(mut codes: Vec<String>) -> String {
    codes.sort();
    codes.dedup();
    let quoted: Vec<String> = codes.iter().map(|code| format!("\"{code}\"")).collect();
    format!("[{}]", quoted.join(","))
}

impl GroupPattern {
    pub(super) const fn code(self) -> &'static str {
        match self {
            GroupPattern::NoPair => "no_pair",
            GroupPattern::OnePair => "one_pair",
            GroupPattern::TwoPairs => "two_pairs",
            GroupPattern::ThreePairs => "three_pairs",
            GroupPattern::ThreeOfAKind => "three",
            GroupPattern::FullHouse => "three_and_pair",
            GroupPattern::ThreeAndTwoPairs => "three_and_two_pairs",
            GroupPattern::TwoThrees => "two_threes",
            GroupPattern::FourOfAKind => "four",
            GroupPattern::FourAndPair => "four_and_pair",
            GroupPattern::FourAndThree => "four_and_three",
            GroupPattern::FiveOfAKind => "five",
            GroupPattern::FiveAndPair => "five_and_pair",
        }
    }
}

impl Group {
    pub(super) const fn code(self) -> &'static str {
        match self {
            Group::Pair => "pair",
            Group::HigherPair => "higher_pair",
            Group::LowerPair => "lower_pair",
            Group::Three => "three",
            Group::HigherThree => "higher_three",
            Group::LowerThree => "lower_three",
            Group::Four => "four",
            Group::Five => "five",
        }
    }
}

/// Returns the letters of the ranks in a mask, lowest first.
pub(super) fn ranks(mask: u16) -> String {
    Rank::ALL.into_iter().filter(|rank| mask & rank.bit() != 0).map(Rank::letter).collect()
}
