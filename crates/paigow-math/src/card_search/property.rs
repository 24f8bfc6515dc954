//! Properties of hands that a card may set conditions on.

use super::words;
use paigow::Rank;
use std::cmp::Reverse;

/// A property of hands with ordered values, on which a condition sets bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Property {
    /// Rank of a group or of a single, by the words of its phrase.
    Rank(&'static str),
    /// Sum of two ranks: of two pairs, or of two singles. The words come before `at most`, in phrases and for players.
    Sum(&'static str, &'static str),
    /// The phrases for hands without the property, and with it.
    Flag(&'static str, &'static str),
}

pub(super) const PROPERTIES: [Property; 21] = [
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
    Property::Sum("pairs sum", "the pairs add up"),
    Property::Sum("first and second highest singles sum", "the two highest single cards add up"),
    Property::Sum("second and third highest singles sum", "the second and third highest single cards add up"),
    Property::Sum("third and fourth highest singles sum", "the third and fourth highest single cards add up"),
    Property::Flag("no joker", "the joker"),
    Property::Flag("no complete hand", "a complete hand"),
    Property::Flag("no straight", "a straight"),
    Property::Flag("no flush", "a flush"),
    Property::Flag("no straight flush", "a straight flush"),
];

/// Value of a property that a hand does not have.
pub(super) const ABSENT: u8 = u8::MAX;

/// Maximum number of values of a property.
pub(super) const VALUES_MAX: usize = 23;

/// Lowest and highest sum of two different ranks.
const SUM: (u8, u8) = (5, 27);

impl Property {
    /// Number of values.
    pub(super) fn values(self) -> u8 {
        match self {
            Property::Rank(_) => Rank::ALL.len() as u8,
            Property::Sum(..) => SUM.1 - SUM.0 + 1,
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
            Property::Sum(words, _) if low == 0 => Some(format!("{words} at most {}", SUM.0 + high)),
            Property::Sum(words, _) if high + 1 == self.values() => {
                Some(format!("{words} at least {}", SUM.0 + low))
            }
            Property::Sum(..) => None,
            Property::Flag(without, with) => Some(if low == 0 { without } else { with }.to_owned()),
        }
    }

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
            Property::Sum(_, words) if low == 0 => format!("{words} to {} or less", SUM.0 + high),
            Property::Sum(_, words) => format!("{words} to {} or more", SUM.0 + low),
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

    /// Distance of a value from a round number: 0 for tens, 1 for fives, pictures and aces, 2 for other numbers.
    fn roughness(self, value: u8) -> u8 {
        let number = match self {
            Property::Rank(_) if Rank::ALL[usize::from(value)] > Rank::Ten => return 1,
            Property::Rank(_) => value + 2,
            Property::Sum(..) => SUM.0 + value,
            Property::Flag(..) => return 0,
        };
        match number {
            tens if tens % 10 == 0 => 0,
            fives if fives % 5 == 0 => 1,
            _ => 2,
        }
    }

    /// A phrase for each value, from which the value of a hand follows.
    pub(super) fn single_phrases(self) -> Vec<String> {
        let last = self.values() - 1;
        let bounds =
            |value: u8| if matches!(self, Property::Sum(..)) { (value, last) } else { (value, value) };
        (0..self.values()).filter_map(|value| self.phrase(bounds(value).0, bounds(value).1)).collect()
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
            self.low <= self.high && self.high < property.values() && self.phrase().is_some()
        })
    }

    /// Number of values of a property.
    pub(super) fn values(property: u8) -> u8 {
        PROPERTIES[usize::from(property)].values()
    }

    /// The condition in the words of a player.
    pub(super) fn words(self) -> String {
        PROPERTIES[usize::from(self.property)].words(self.low, self.high)
    }

    /// Phrase of the condition, or `None` if no phrase has these bounds.
    pub(super) fn phrase(self) -> Option<String> {
        PROPERTIES[usize::from(self.property)].phrase(self.low, self.high)
    }

    /// Sort key among bounds that save the same: open bounds first, then those with rounder numbers, then wide ones.
    pub(super) fn simplicity(self) -> (usize, u8, Reverse<u8>) {
        let edges = [(self.low, 0), (self.high, Bounds::values(self.property) - 1)];
        let closed = || edges.iter().filter(|(value, open)| value != open);
        let roughness =
            closed().map(|(value, _)| PROPERTIES[usize::from(self.property)].roughness(*value)).sum();
        (closed().count(), roughness, Reverse(self.high - self.low))
    }
}
