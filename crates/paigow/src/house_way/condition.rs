//! Conditions: the `when` part of a clause, tested against the rank groups of a hand.

use super::canonical::ranks;
use super::groups::{Group, GroupPattern, Groups, ORDINALS, parse_singles};
use super::phrase::phrases;
use crate::document::{Problem, Span};

/// The parsed `when` value of a clause. All parts must hold.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    /// Mask of the allowed group patterns.
    patterns: u16,
    tests: Vec<Test>,
}

#[derive(Clone, Copy, Debug)]
enum Test {
    /// The hand has the group, and its rank is in the mask.
    Group(Group, u16),
    /// The hand has a single in the mask (`true`), or has none (`false`).
    Single(u16, bool),
    /// The rank of the nth highest single is in the mask. The hand has at least n singles.
    Nth(u8, u16),
    /// The hand has exactly two pairs, and the sum of their ranks is in the range.
    PairSum { min: u8, max: u8 },
    /// The hand has these two singles, counted from the highest, and the sum of their ranks is in the range.
    SingleSum { singles: (u8, u8), min: u8, max: u8 },
    /// The hand has the joker (`true`), or does not (`false`).
    Joker(bool),
    /// Five of the cards make one of these complete hands (`true`), or none (`false`).
    Complete([bool; 4], bool),
}

/// Phrases for complete hands, with the matching flags of [`Groups::completes`].
const COMPLETES: [(&str, [bool; 4]); 5] = [
    ("straight", [true, false, false, false]),
    ("flush", [false, true, false, false]),
    ("straight flush", [false, false, true, false]),
    ("royal flush", [false, false, false, true]),
    ("complete hand", [true, true, true, true]),
];

const ALLOWED: &str = "a pattern such as `two pairs`, or `any hand`; `pair RANKS`, `higher pair RANKS`, `three RANKS`, `four RANKS`, \
                       `five RANKS`; `a single RANKS`, `no single RANKS`, `third highest single RANKS`; \
                       `pairs sum at least N`, `pairs sum at most N`, `third and fourth highest singles sum at most N`; `the joker`, `no joker`; `a straight`, `a flush`, \
                       `a straight flush`, `a royal flush`, `a complete hand`, or `no …`";

impl Condition {
    /// Parses comma-separated phrases, and returns every problem.
    pub(crate) fn parse(text: &str, span: &Span) -> Result<Condition, Vec<Problem>> {
        let mut patterns = None;
        let mut tests = Vec::new();
        let mut problems = Vec::new();
        for phrase in phrases(text, span) {
            if let Some(mask) = parse_pattern(phrase.text) {
                if patterns.replace(mask).is_some() {
                    problems.push(
                        phrase
                            .problem("a condition has at most one pattern phrase")
                            .help("join patterns with `or` in one phrase"),
                    );
                }
                continue;
            }
            match parse_test(phrase.text, |ranks| phrase.ranks(ranks)) {
                Some(Ok(test)) => tests.push(test),
                Some(Err(problem)) => problems.push(problem),
                None => {
                    let message = format!("unknown phrase `{}` in `when`", phrase.text);
                    problems.push(phrase.problem(message).help(ALLOWED));
                }
            }
        }
        let condition = Condition { patterns: patterns.unwrap_or(u16::MAX), tests };
        if problems.is_empty() { Ok(condition) } else { Err(problems) }
    }

    /// Returns `true` if hands with this pattern can fit the condition.
    pub(crate) fn allows_pattern(&self, pattern: GroupPattern) -> bool {
        self.patterns & pattern.bit() != 0
    }

    pub(crate) fn fits(&self, groups: &Groups) -> bool {
        self.allows_pattern(groups.pattern) && self.tests.iter().all(|test| test.holds(groups))
    }

    /// Returns the phrases of the text of this condition that do not hold.
    pub(crate) fn unmet<'a>(&self, text: &'a str, groups: &Groups) -> Vec<&'a str> {
        let mut tests = self.tests.iter();
        let holds = |phrase: &&str| match parse_pattern(phrase) {
            Some(mask) => mask & groups.pattern.bit() != 0,
            None => tests.next().is_none_or(|test| test.holds(groups)),
        };
        let (_, unmet) = text.split(',').map(str::trim).partition::<Vec<_>, _>(holds);
        unmet
    }

    /// Returns `true` if the condition has no restriction.
    pub(crate) fn fits_every_hand(&self) -> bool {
        self.patterns == u16::MAX && self.tests.is_empty()
    }
}

impl Test {
    fn holds(self, groups: &Groups) -> bool {
        match self {
            Test::Group(group, ranks) => groups.rank(group) & ranks != 0,
            Test::Single(ranks, present) => (groups.singles & ranks != 0) == present,
            Test::Nth(n, ranks) => groups.nth_single(n) & ranks != 0,
            Test::PairSum { min, max } => groups.pair_sum().is_some_and(|sum| (min..=max).contains(&sum)),
            Test::SingleSum { singles, min, max } => {
                groups.single_sum(singles).is_some_and(|sum| (min..=max).contains(&sum))
            }
            Test::Joker(present) => groups.joker_as.is_some() == present,
            Test::Complete(wanted, present) => {
                wanted.iter().zip(groups.completes).any(|(&wanted, made)| wanted && made) == present
            }
        }
    }

    fn code(self) -> String {
        let prefix = |present: bool| if present { "" } else { "no_" };
        match self {
            Test::Group(group, mask) => format!("{}:{}", group.code(), ranks(mask)),
            Test::Single(mask, present) => format!("{}single:{}", prefix(present), ranks(mask)),
            Test::Nth(n, mask) => format!("single_{n}:{}", ranks(mask)),
            Test::PairSum { min, max } => format!("pair_sum:{min},{max}"),
            Test::SingleSum { singles: (one, other), min, max } => {
                format!("single_sum_{one}_{other}:{min},{max}")
            }
            Test::Joker(present) => format!("{}joker", prefix(present)),
            Test::Complete(wanted, present) => {
                let names = ["straight", "flush", "straight_flush", "royal_flush"];
                let wanted: Vec<&str> = names
                    .into_iter()
                    .zip(wanted)
                    .filter(|(_, wanted)| *wanted)
                    .map(|(name, _)| name)
                    .collect();
                format!("{}complete:{}", prefix(present), wanted.join(","))
            }
        }
    }
}

/// Returns the codes of the condition. All must hold.
pub(super) fn codes(condition: &Condition) -> Vec<String> {
    let Condition { patterns, tests } = condition;
    let mut codes: Vec<String> = tests.iter().map(|test| test.code()).collect();
    let fitting = GroupPattern::PHRASES.iter().filter(|(_, pattern)| patterns & pattern.bit() != 0);
    let fitting: Vec<&str> = fitting.map(|(_, pattern)| pattern.code()).collect();
    if fitting.len() < GroupPattern::COUNT {
        codes.push(format!("pattern:{}", fitting.join(",")));
    }
    codes
}

/// Parses a phrase of group patterns joined by `or` into a mask of patterns.
fn parse_pattern(phrase: &str) -> Option<u16> {
    if phrase == "any hand" {
        return Some(u16::MAX);
    }
    let named =
        |word: &str| GroupPattern::PHRASES.into_iter().find(|(name, _)| *name == word).map(|(_, p)| p.bit());
    phrase.split(" or ").map(|word| named(word.trim())).try_fold(0, |mask, bit| Some(mask | bit?))
}

/// Lowest and highest sum of two different ranks, where a jack counts 11 and an ace 14.
const SUM_MIN: u8 = 2 + 3;
const SUM_MAX: u8 = 13 + 14;

/// Parses the bounds of a sum, such as `at most 16`.
fn parse_sum(text: &str) -> Option<(u8, u8)> {
    let number = |text: &str| text.parse().ok().filter(|sum| (SUM_MIN..=SUM_MAX).contains(sum));
    let at_least = text.strip_prefix("at least ").and_then(number).map(|min| (min, SUM_MAX));
    at_least.or_else(|| text.strip_prefix("at most ").and_then(number).map(|max| (SUM_MIN, max)))
}

/// Parses any other phrase. Returns `None` if the phrase is unknown.
fn parse_test(phrase: &str, ranks: impl Fn(&str) -> Result<u16, Problem>) -> Option<Result<Test, Problem>> {
    match phrase {
        "the joker" => return Some(Ok(Test::Joker(true))),
        "no joker" => return Some(Ok(Test::Joker(false))),
        _ => {}
    }
    if let Some(rest) = phrase.strip_prefix("a single ") {
        return Some(ranks(rest).map(|ranks| Test::Single(ranks, true)));
    }
    if let Some(rest) = phrase.strip_prefix("no single ") {
        return Some(ranks(rest).map(|ranks| Test::Single(ranks, false)));
    }
    for (index, ordinal) in ORDINALS.into_iter().enumerate() {
        if let Some(rest) = phrase.strip_prefix(ordinal).and_then(|rest| rest.strip_prefix(" single ")) {
            return Some(ranks(rest).map(|ranks| Test::Nth(index as u8 + 1, ranks)));
        }
    }
    if let Some(rest) = phrase.strip_prefix("pairs sum ") {
        return parse_sum(rest).map(|(min, max)| Ok(Test::PairSum { min, max }));
    }
    if let Some((singles, rest)) = phrase.split_once(" highest singles sum ") {
        let (singles, (min, max)) = parse_singles(singles).zip(parse_sum(rest))?;
        return Some(Ok(Test::SingleSum { singles, min, max }));
    }
    for (name, wanted) in COMPLETES {
        match phrase.strip_suffix(name) {
            Some("a ") => return Some(Ok(Test::Complete(wanted, true))),
            Some("no ") => return Some(Ok(Test::Complete(wanted, false))),
            _ => {}
        }
    }
    Group::WORDS.into_iter().find_map(|(name, group)| {
        let rest = phrase.strip_prefix(name)?.strip_prefix(' ')?;
        Some(ranks(rest).map(|ranks| Test::Group(group, ranks)))
    })
}
