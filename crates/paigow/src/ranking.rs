//! Hand ranking. Houses differ in two points: the use of the joker and the rank of the wheel.

mod category;
mod evaluator;
mod lookup;
mod strength;

use std::fmt;

pub use category::Category;
pub use evaluator::Evaluator;
pub(crate) use lookup::{PatternKey, RankPattern, RankTable, boxed};
pub use strength::{HighStrength, LowStrength, Shape};

/// The cards that the joker may represent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Joker {
    /// An ace, or the card that completes a straight, a flush, a straight flush or a royal flush (SB-1, CA-1).
    SemiWild,
    /// Any card that is not in the hand, or the fifth card of a rank (EZ-2, CA-1).
    FullyWild,
}

/// The rank of the wheel, A-2-3-4-5, among the straights and among the straight flushes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wheel {
    /// Below 2-3-4-5-6 (SB-2).
    Lowest,
    /// Between 10-J-Q-K-A and 9-10-J-Q-K (EZ-3).
    SecondHighest,
}

/// A hand ranking: the use of the joker and the rank of the wheel.
///
/// # Examples
///
/// ```
/// use paigow::{Evaluator, FiveCards, Joker, Ranking, Wheel};
///
/// let evaluator = Evaluator::of(Ranking { joker: Joker::SemiWild, wheel: Wheel::SecondHighest });
/// let wheel: FiveCards = "As 2d 3c 4h 5s".parse()?;
/// let king_high: FiveCards = "Ks Qd Jc Th 9s".parse()?;
/// assert!(evaluator.high(wheel) > evaluator.high(king_high));
/// # Ok::<(), paigow::CardFaults>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ranking {
    /// The use of the joker.
    pub joker: Joker,
    /// The rank of the wheel.
    pub wheel: Wheel,
}

impl Joker {
    /// Both uses of the joker.
    pub const ALL: [Joker; 2] = [Joker::SemiWild, Joker::FullyWild];

    /// Returns the name used in files.
    pub const fn name(self) -> &'static str {
        match self {
            Joker::SemiWild => "semi_wild",
            Joker::FullyWild => "fully_wild",
        }
    }

    /// Returns the use of the joker with this name.
    pub fn from_name(name: &str) -> Option<Joker> {
        Joker::ALL.into_iter().find(|joker| joker.name() == name)
    }
}

impl Wheel {
    /// Both ranks of the wheel.
    pub const ALL: [Wheel; 2] = [Wheel::Lowest, Wheel::SecondHighest];

    /// Returns the name used in files.
    pub const fn name(self) -> &'static str {
        match self {
            Wheel::Lowest => "lowest",
            Wheel::SecondHighest => "second_highest",
        }
    }

    /// Returns the rank of the wheel with this name.
    pub fn from_name(name: &str) -> Option<Wheel> {
        Wheel::ALL.into_iter().find(|wheel| wheel.name() == name)
    }
}

impl Ranking {
    /// All four rankings.
    pub const ALL: [Ranking; 4] = [
        Ranking { joker: Joker::SemiWild, wheel: Wheel::Lowest },
        Ranking { joker: Joker::SemiWild, wheel: Wheel::SecondHighest },
        Ranking { joker: Joker::FullyWild, wheel: Wheel::Lowest },
        Ranking { joker: Joker::FullyWild, wheel: Wheel::SecondHighest },
    ];
}

impl fmt::Display for Ranking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joker = match self.joker {
            Joker::SemiWild => "semi-wild",
            Joker::FullyWild => "fully wild",
        };
        let wheel = match self.wheel {
            Wheel::Lowest => "lowest",
            Wheel::SecondHighest => "second highest",
        };
        write!(f, "joker {joker}, wheel {wheel}")
    }
}
