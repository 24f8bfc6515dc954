//! Rank groups of seven cards: pairs, threes, fours, a five, and singles.

use crate::{CardSet, Joker, Rank};

/// The combination of groups in a hand. Every hand has exactly one pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum GroupPattern {
    NoPair,
    OnePair,
    TwoPairs,
    ThreePairs,
    ThreeOfAKind,
    FullHouse,
    ThreeAndTwoPairs,
    TwoThrees,
    FourOfAKind,
    FourAndPair,
    FourAndThree,
    FiveOfAKind,
    FiveAndPair,
}

impl GroupPattern {
    /// Number of patterns.
    pub(crate) const COUNT: usize = 13;

    /// All patterns, with their phrases in house-way files.
    pub(crate) const PHRASES: [(&str, GroupPattern); GroupPattern::COUNT] = [
        ("no pair", GroupPattern::NoPair),
        ("one pair", GroupPattern::OnePair),
        ("two pairs", GroupPattern::TwoPairs),
        ("three pairs", GroupPattern::ThreePairs),
        ("three of a kind", GroupPattern::ThreeOfAKind),
        ("full house", GroupPattern::FullHouse),
        ("three of a kind with two pairs", GroupPattern::ThreeAndTwoPairs),
        ("two threes of a kind", GroupPattern::TwoThrees),
        ("four of a kind", GroupPattern::FourOfAKind),
        ("four of a kind with a pair", GroupPattern::FourAndPair),
        ("four of a kind with three of a kind", GroupPattern::FourAndThree),
        ("five of a kind", GroupPattern::FiveOfAKind),
        ("five of a kind with a pair", GroupPattern::FiveAndPair),
    ];

    pub(crate) const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// Words for the singles of a hand, the highest first.
pub(crate) const ORDINALS: [&str; 7] = [
    "highest",
    "second highest",
    "third highest",
    "fourth highest",
    "fifth highest",
    "sixth highest",
    "seventh highest",
];

/// A group that a phrase can name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Group {
    Pair,
    HigherPair,
    LowerPair,
    Three,
    HigherThree,
    LowerThree,
    Four,
    Five,
}

impl Group {
    /// All groups, with their names in house-way files.
    pub(crate) const WORDS: [(&str, Group); 8] = [
        ("pair", Group::Pair),
        ("higher pair", Group::HigherPair),
        ("lower pair", Group::LowerPair),
        ("three", Group::Three),
        ("higher three", Group::HigherThree),
        ("lower three", Group::LowerThree),
        ("four", Group::Four),
        ("five", Group::Five),
    ];
}

/// The groups of seven cards, as rank masks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Groups {
    pub(crate) pattern: GroupPattern,
    /// Rank of each [`Group`] as a mask. The mask is empty if the hand has no such group.
    named: [u16; 8],
    pub(crate) pairs: u16,
    pub(crate) singles: u16,
    /// Rank that the joker counts as, or `None` if the hand has no joker.
    pub(crate) joker_as: Option<Rank>,
    /// Whether five of the cards make a straight, a flush, a straight flush and a royal flush, in this order.
    pub(crate) completes: [bool; 4],
}

impl Groups {
    pub(crate) fn of(cards: CardSet, joker: Joker, completes: [bool; 4]) -> Groups {
        // The count of a rank is the sum of four bits, added in two halves as in a binary adder.
        let [a, b, c, d] = cards.suit_masks();
        let (one, two) = ((a ^ b, a & b), (c ^ d, c & d));
        let odd = one.0 ^ two.0;
        let carry = one.0 & two.0;
        let fours = one.1 & two.1;
        let twos = (one.1 | two.1 | carry) & !fours;
        let mut by_count = [odd & !twos, twos & !odd, twos & odd, fours, 0];

        let joker_as = cards.has_joker().then(|| match joker {
            Joker::SemiWild => Rank::Ace,
            // The joker joins the largest group, or the highest of several.
            Joker::FullyWild => {
                by_count.iter().rev().find_map(|&ranks| Rank::highest(ranks)).unwrap_or(Rank::Ace)
            }
        });
        if let Some(rank) = joker_as {
            let bit = rank.bit();
            match by_count.iter().position(|ranks| ranks & bit != 0) {
                Some(count) => {
                    by_count[count] ^= bit;
                    by_count[count + 1] |= bit;
                }
                None => by_count[0] |= bit,
            }
        }

        let [singles, pairs, threes, fours, five] = by_count;
        let pattern = match (five, fours, threes.count_ones(), pairs.count_ones()) {
            (0, 0, 0, 0) => GroupPattern::NoPair,
            (0, 0, 0, 1) => GroupPattern::OnePair,
            (0, 0, 0, 2) => GroupPattern::TwoPairs,
            (0, 0, 0, _) => GroupPattern::ThreePairs,
            (0, 0, 1, 0) => GroupPattern::ThreeOfAKind,
            (0, 0, 1, 1) => GroupPattern::FullHouse,
            (0, 0, 1, _) => GroupPattern::ThreeAndTwoPairs,
            (0, 0, _, _) => GroupPattern::TwoThrees,
            (0, _, 0, 0) => GroupPattern::FourOfAKind,
            (0, _, 0, _) => GroupPattern::FourAndPair,
            (0, _, _, _) => GroupPattern::FourAndThree,
            (_, _, _, 0) => GroupPattern::FiveOfAKind,
            (_, _, _, _) => GroupPattern::FiveAndPair,
        };
        let [pair, higher_pair, lower_pair] = only_or_ends(pairs);
        let [three, higher_three, lower_three] = only_or_ends(threes);
        let named = [pair, higher_pair, lower_pair, three, higher_three, lower_three, fours, five];
        Groups { pattern, named, pairs, singles, joker_as, completes }
    }

    /// Returns the rank of a group as a mask, which is empty if the hand has no such group.
    pub(crate) fn rank(&self, group: Group) -> u16 {
        self.named[group as usize]
    }

    /// Returns the rank of the nth highest single as a mask, counted from 1. The mask is empty if there are fewer.
    pub(crate) fn nth_single(&self, n: u8) -> u16 {
        let mut left = self.singles;
        for _ in 1..n {
            left &= !highest_bit(left);
        }
        highest_bit(left)
    }

    /// Returns the sum of the ranks of two pairs, or `None` if the hand does not have exactly two pairs. A jack counts
    /// 11, a queen 12, a king 13 and an ace 14.
    pub(crate) fn pair_sum(&self) -> Option<u8> {
        let higher = highest_bit(self.pairs);
        let lower = self.pairs & !higher;
        (self.pairs.count_ones() == 2).then(|| rank_number(higher) + rank_number(lower))
    }

    /// Returns the sum of the ranks of two singles, counted from the highest, or `None` if there are fewer. Ranks count
    /// as in [`Groups::pair_sum`].
    pub(crate) fn single_sum(&self, (one, other): (u8, u8)) -> Option<u8> {
        let [one, other] = [one, other].map(|n| self.nth_single(n));
        (one != 0 && other != 0).then(|| rank_number(one) + rank_number(other))
    }

    /// Returns the rank of the highest pair as a mask. The mask is empty if there is no pair.
    pub(crate) fn highest_pair(&self) -> u16 {
        highest_bit(self.pairs)
    }

    /// Returns the rank of the only group as a mask. The mask is empty if there are no groups, or several.
    pub(crate) fn only_group(&self) -> u16 {
        let groups = self.named.iter().fold(0, |groups, group| groups | group);
        if groups.is_power_of_two() { groups } else { 0 }
    }
}

/// Number of a rank in sums: 2 to 14.
const fn rank_number(bit: u16) -> u8 {
    bit.ilog2() as u8 + 2
}

/// Parses two ordinals such as `second and fifth`, in ascending order.
pub(super) fn parse_singles(text: &str) -> Option<(u8, u8)> {
    let (one, other) = text.split_once(" and ")?;
    let nth = |word: &str| {
        let is_word = |ordinal: &&str| ordinal.strip_suffix(" highest").unwrap_or("first") == word;
        ORDINALS.iter().position(is_word).map(|index| index as u8 + 1)
    };
    let (one, other) = (nth(one)?, nth(other)?);
    (one < other).then_some((one, other))
}

fn highest_bit(mask: u16) -> u16 {
    if mask == 0 { 0 } else { 1 << mask.ilog2() }
}

/// Returns `[only, highest, lowest]`: the bit of a mask with one bit, or the highest and lowest bits.
fn only_or_ends(mask: u16) -> [u16; 3] {
    let lowest = mask & mask.wrapping_neg();
    if mask == lowest {
        return [mask, 0, 0];
    }
    [0, highest_bit(mask), lowest]
}
