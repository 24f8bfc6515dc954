//! What seven cards must show for a clause to be theirs.

use super::canonical::ranks;
use super::groups::{Group, GroupPattern, Groups};
use super::phrase::phrases;
use crate::document::{Problem, Span};

/// The `when` of a clause.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    /// The patterns it is for, as a mask.
    patterns: u16,
    tests: Vec<Test>,
}

#[derive(Clone, Copy, Debug)]
enum Test {
    /// A group is of one of these ranks.
    Group(Group, u16),
    /// There is a single of these ranks, or there is none.
    Single(u16, bool),
    /// The joker is there, or is not.
    Joker(bool),
    /// Some five cards make one of these completes, or none do.
    Complete([bool; 4], bool),
}

/// The complete hands, as phrases name them, and what [`Groups::completes`] says of each.
const COMPLETES: [(&str, [bool; 4]); 5] = [
    ("straight", [true, false, false, false]),
    ("flush", [false, true, false, false]),
    ("straight flush", [false, false, true, false]),
    ("royal flush", [false, false, false, true]),
    ("complete hand", [true, true, true, true]),
];

const ALLOWED: &str = "a pattern such as `two pairs`, or `any hand`; `pair RANKS`, `higher pair RANKS`, `three RANKS`, `four RANKS`, \
                       `five RANKS`; `a single RANKS`, `no single RANKS`; `the joker`, `no joker`; `a straight`, `a flush`, \
                       `a straight flush`, `a royal flush`, `a complete hand`, or `no …`";

impl Condition {
    /// Reads the phrases.
    pub(crate) fn parse(text: &str, span: &Span) -> Result<Condition, Vec<Problem>> {
        let mut patterns = None;
        let mut tests = Vec::new();
        let mut problems = Vec::new();
        for phrase in phrases(text, span) {
            if let Some(mask) = pattern(phrase.text) {
                if patterns.replace(mask).is_some() {
                    problems.push(
                        phrase.problem("a hand has one pattern").help("join them with `or` in one phrase"),
                    );
                }
                continue;
            }
            match test(phrase.text, |ranks| phrase.ranks(ranks)) {
                Some(Ok(test)) => tests.push(test),
                Some(Err(problem)) => problems.push(problem),
                None => {
                    problems.push(phrase.problem(format!("`{}` is no condition", phrase.text)).help(ALLOWED));
                }
            }
        }
        let condition = Condition { patterns: patterns.unwrap_or(u16::MAX), tests };
        if problems.is_empty() { Ok(condition) } else { Err(problems) }
    }

    /// Whether hands of a pattern can fit it.
    pub(crate) fn is_for(&self, pattern: GroupPattern) -> bool {
        self.patterns & pattern.bit() != 0
    }

    pub(crate) fn fits(&self, groups: &Groups) -> bool {
        self.is_for(groups.pattern) && self.tests.iter().all(|test| test.holds(groups))
    }

    /// Whether it asks for nothing.
    pub(crate) fn fits_every_hand(&self) -> bool {
        self.patterns == u16::MAX && self.tests.is_empty()
    }
}

impl Test {
    fn holds(self, groups: &Groups) -> bool {
        match self {
            Test::Group(group, ranks) => groups.rank(group) & ranks != 0,
            Test::Single(ranks, there) => (groups.singles & ranks != 0) == there,
            Test::Joker(there) => groups.joker_as.is_some() == there,
            Test::Complete(which, there) => {
                which.iter().zip(groups.completes).any(|(&asked, made)| asked && made) == there
            }
        }
    }

    fn code(self) -> String {
        let no = |there: bool| if there { "" } else { "no_" };
        match self {
            Test::Group(group, mask) => format!("{}:{}", group.code(), ranks(mask)),
            Test::Single(mask, there) => format!("{}single:{}", no(there), ranks(mask)),
            Test::Joker(there) => format!("{}joker", no(there)),
            Test::Complete(which, there) => {
                let names = ["straight", "flush", "straight_flush", "royal_flush"];
                let asked: Vec<&str> =
                    names.into_iter().zip(which).filter(|(_, asked)| *asked).map(|(name, _)| name).collect();
                format!("{}complete:{}", no(there), asked.join(","))
            }
        }
    }
}

/// The condition as codes, all of which must hold.
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

fn pattern(phrase: &str) -> Option<u16> {
    if phrase == "any hand" {
        return Some(u16::MAX);
    }
    let named =
        |word: &str| GroupPattern::PHRASES.into_iter().find(|(name, _)| *name == word).map(|(_, p)| p.bit());
    phrase.split(" or ").map(|word| named(word.trim())).try_fold(0, |mask, bit| Some(mask | bit?))
}

fn test(phrase: &str, ranks: impl Fn(&str) -> Result<u16, Problem>) -> Option<Result<Test, Problem>> {
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
    for (name, which) in COMPLETES {
        match phrase.strip_suffix(name) {
            Some("a ") => return Some(Ok(Test::Complete(which, true))),
            Some("no ") => return Some(Ok(Test::Complete(which, false))),
            _ => {}
        }
    }
    Group::WORDS.into_iter().find_map(|(name, group)| {
        let rest = phrase.strip_prefix(name)?.strip_prefix(' ')?;
        Some(ranks(rest).map(|ranks| Test::Group(group, ranks)))
    })
}
