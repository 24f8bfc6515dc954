//! Strengths of high and low hands, as consecutive integers.
//!
//! Five cards have 7,462 natural strengths, and 13 fives of a kind above them. A semi-wild joker can make only five
//! aces; a fully wild joker can make all 13. Two cards have 91 strengths. Strengths are numbered from the weakest up,
//! so hands are compared as integers and counts over all hands fit in an array.
//!
//! The meaning of a number depends on the rank of the wheel, but only among the ten straights and the ten straight
//! flushes. Compare strengths only within one [`crate::Ranking`].

use crate::{Category, Rank, Wheel};
use std::fmt;

/// The strength of a high hand, for comparison under one [`crate::Ranking`].
///
/// # Examples
///
/// ```
/// use paigow::{Evaluator, FiveCards, Ranking};
///
/// let evaluator = Evaluator::of(Ranking::ALL[0]);
/// let aces: FiveCards = "As Ad Jc 9h 3s".parse()?;
/// let kings: FiveCards = "Ks Kd Qc Jh 9s".parse()?;
/// assert!(evaluator.high(aces) > evaluator.high(kings));
/// assert_eq!(evaluator.shape(evaluator.high(aces)).to_string(), "pair of aces");
/// # Ok::<(), paigow::CardFaults>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HighStrength(pub(crate) u16);

/// The strength of a low hand, for comparison under one [`crate::Ranking`].
///
/// # Examples
///
/// ```
/// use paigow::{Evaluator, Ranking, TwoCards};
///
/// let low: TwoCards = "Kd Tc".parse()?;
/// assert_eq!(Evaluator::of(Ranking::ALL[0]).low(low).to_string(), "king-ten");
/// # Ok::<(), paigow::CardFaults>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LowStrength(pub(crate) u8);

/// Number of strengths in each category, in the order of [`Category::ALL`].
const CATEGORY_SIZES: [u16; 11] = [1_277, 2_860, 858, 858, 10, 1_277, 156, 156, 9, 1, 13];

/// First strength of each category, followed by the total.
const CATEGORY_STARTS: [u16; 12] = {
    let mut starts = [0; 12];
    let mut i = 0;
    while i < 11 {
        starts[i + 1] = starts[i] + CATEGORY_SIZES[i];
        i += 1;
    }
    starts
};
const _: () = assert!(CATEGORY_STARTS[10] == 7_462 && CATEGORY_STARTS[11] as usize == HighStrength::COUNT);

impl HighStrength {
    /// Number of high-hand strengths, including five of a kind in every rank.
    pub const COUNT: usize = 7_475;

    /// Ten to ace, the highest straight under every ranking.
    pub(crate) const ACE_HIGH_STRAIGHT: HighStrength =
        HighStrength(CATEGORY_STARTS[Category::Straight as usize + 1] - 1);

    /// Returns all strengths, from the weakest up.
    pub fn all() -> impl ExactSizeIterator<Item = HighStrength> {
        (0..HighStrength::COUNT as u16).map(HighStrength)
    }

    /// Returns the index among all strengths, where 0 is the weakest.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the category of the hand.
    pub fn category(self) -> Category {
        Category::ALL[CATEGORY_STARTS.partition_point(|&start| start <= self.0) - 1]
    }
}

impl LowStrength {
    /// Number of low-hand strengths: 78 high cards and 13 pairs.
    pub const COUNT: usize = 91;

    /// Returns the strength of two cards of these ranks.
    pub(crate) const fn of(one: Rank, other: Rank) -> LowStrength {
        let (one, other) = (one as u8, other as u8);
        if one == other {
            return LowStrength(78 + one);
        }
        let (high, low) = if one > other { (one, other) } else { (other, one) };
        LowStrength(high * (high - 1) / 2 + low)
    }

    /// Returns the index among all strengths, where 0 is the weakest.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the two ranks, the higher first.
    pub fn ranks(self) -> [Rank; 2] {
        let index = self.0 as usize;
        if let Some(pair) = index.checked_sub(78) {
            return [Rank::ALL[pair]; 2];
        }
        // The first strength with this higher rank is the number of pairs of lower ranks, a triangular number.
        let high = (1..13).take_while(|high| high * (high - 1) / 2 <= index).count();
        [Rank::ALL[high], Rank::ALL[index - high * (high - 1) / 2]]
    }

    /// Returns [`Category::Pair`] or [`Category::HighCard`].
    pub const fn category(self) -> Category {
        if self.0 >= 78 { Category::Pair } else { Category::HighCard }
    }
}

impl fmt::Display for LowStrength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [high, low] = self.ranks();
        if high == low {
            return write!(f, "pair of {}", high.plural());
        }
        write!(f, "{}-{}", high.name(), low.name())
    }
}

/// The category and ranks of a five-card hand, the readable form of a [`HighStrength`].
///
/// [`crate::Evaluator::shape`] returns the shape of a strength. `Display` prints the usual name of the hand, such as
/// `pair of aces`. The alternate form `{:#}` adds the kickers: `pair of aces with jack-nine-three`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    /// The category of the hand.
    pub category: Category,
    /// The ranks, ordered by number of cards and then from the highest down. In a wheel the ace is last.
    pub ranks: [Rank; 5],
}

impl Shape {
    /// Returns the shape of five cards of different ranks, given as a rank mask.
    pub(crate) fn of_mask(mask: u16, flush: bool) -> Shape {
        debug_assert_eq!(mask.count_ones(), 5);
        let mut ranks = [Rank::Two; 5];
        for (slot, rank) in ranks.iter_mut().zip(descending(mask)) {
            *slot = rank;
        }
        let in_a_row = ranks[0].index() - ranks[4].index() == 4;
        if mask == Rank::WHEEL {
            ranks.rotate_left(1);
        }
        let straight = in_a_row || mask == Rank::WHEEL;
        let category = match (straight, flush) {
            (true, true) if ranks[0] == Rank::Ace => Category::RoyalFlush,
            (true, true) => Category::StraightFlush,
            (true, false) => Category::Straight,
            (false, true) => Category::Flush,
            (false, false) => Category::HighCard,
        };
        Shape { category, ranks }
    }

    /// Returns the shape of five cards that are not a flush, given the number of cards of each rank.
    pub(crate) fn of_counts(counts: &[u8; 13]) -> Shape {
        let mut groups: Vec<(u8, Rank)> =
            counts.iter().copied().zip(Rank::ALL).filter(|&(n, _)| n > 0).collect();
        groups.sort_unstable_by(|one, other| other.cmp(one));
        let sizes: Vec<u8> = groups.iter().map(|&(count, _)| count).collect();
        let category = match sizes[..] {
            [5] => Category::FiveOfAKind,
            [4, ..] => Category::FourOfAKind,
            [3, 2] => Category::FullHouse,
            [3, ..] => Category::ThreeOfAKind,
            [2, 2, ..] => Category::TwoPair,
            [2, ..] => Category::Pair,
            _ => return Shape::of_mask(groups.iter().fold(0, |mask, &(_, rank)| mask | rank.bit()), false),
        };
        let mut ranks = [Rank::Two; 5];
        let mut slots = ranks.iter_mut();
        for (count, rank) in groups {
            slots.by_ref().take(count.into()).for_each(|slot| *slot = rank);
        }
        Shape { category, ranks }
    }

    /// Returns the sort key of the shape.
    ///
    /// Straights of one category differ in their first rank, so the key uses only that rank. The rank of the wheel
    /// changes one number.
    pub(crate) fn order(self, wheel: Wheel) -> (Category, [u8; 5]) {
        let straight =
            matches!(self.category, Category::Straight | Category::StraightFlush | Category::RoyalFlush);
        if !straight {
            return (self.category, self.ranks.map(|rank| 2 * rank as u8));
        }
        let first = match (self.ranks[0], wheel) {
            (Rank::Five, Wheel::SecondHighest) => 2 * Rank::King as u8 + 1,
            (rank, _) => 2 * rank as u8,
        };
        (self.category, [first, 0, 0, 0, 0])
    }
}

fn descending(mask: u16) -> impl Iterator<Item = Rank> {
    Rank::ALL.into_iter().rev().filter(move |rank| mask & rank.bit() != 0)
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, .., last] = self.ranks;
        if f.alternate() && self.category == Category::Flush {
            return write!(f, "flush of {}", joined(&self.ranks));
        }
        match self.category {
            Category::HighCard => f.write_str(&joined(&self.ranks)),
            Category::Pair => write!(f, "pair of {}", first.plural()),
            Category::TwoPair => write!(f, "{} and {}", first.plural(), self.ranks[2].plural()),
            Category::ThreeOfAKind => write!(f, "three {}", first.plural()),
            Category::Straight => write!(f, "{}-high straight", first.name()),
            Category::Flush => write!(f, "{}-high flush", first.name()),
            Category::FullHouse => write!(f, "{} full of {}", first.plural(), last.plural()),
            Category::FourOfAKind => write!(f, "four {}", first.plural()),
            Category::StraightFlush => write!(f, "{}-high straight flush", first.name()),
            Category::RoyalFlush => f.write_str("royal flush"),
            Category::FiveOfAKind => write!(f, "five {}", first.plural()),
        }?;
        let others = match self.category {
            Category::Pair => &self.ranks[2..],
            Category::ThreeOfAKind => &self.ranks[3..],
            Category::TwoPair | Category::FourOfAKind => &self.ranks[4..],
            _ => &[],
        };
        if f.alternate() && !others.is_empty() {
            write!(f, " with {}", joined(others))?;
        }
        Ok(())
    }
}

fn joined(ranks: &[Rank]) -> String {
    ranks.iter().map(|rank| rank.name()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use crate::{Evaluator, Ranking, parse_cards};

    #[track_caller]
    fn check(cards: &str, short: &str, full: &str) {
        let hand = crate::FiveCards::new(parse_cards(cards, Some(5)).unwrap()).unwrap();
        let evaluator = Evaluator::of(Ranking::ALL[0]);
        let shape = evaluator.shape(evaluator.high(hand));
        assert_eq!((shape.to_string().as_str(), format!("{shape:#}").as_str()), (short, full));
    }

    #[test]
    fn alternate_display_adds_kickers() {
        check("As Ad Jc 9h 3s", "pair of aces", "pair of aces with jack-nine-three");
        check("As Ad Jc Jh 3s", "aces and jacks", "aces and jacks with three");
        check("7s 7d 7c Jh 3s", "three sevens", "three sevens with jack-three");
        check("7s 7d 7c 7h 3s", "four sevens", "four sevens with three");
        check("Ks Js 9s 4s 2s", "king-high flush", "flush of king-jack-nine-four-two");
        check("7s 7d 7c 3h 3s", "sevens full of threes", "sevens full of threes");
        check("Ks Jd 9s 4s 2s", "king-jack-nine-four-two", "king-jack-nine-four-two");
        check("9s 8d 7s 6s 5s", "nine-high straight", "nine-high straight");
    }
}
