//! What may differ from house to house in ranking hands: the joker and the wheel.

mod category;
mod evaluator;
mod lookup;
mod strength;

use std::fmt;

pub use category::Category;
pub use evaluator::Evaluator;
pub(crate) use lookup::{PatternKey, RankPattern, RankTable, boxed};
pub use strength::{HighStrength, LowStrength, Shape};

/// What the joker may stand for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Joker {
    /// An ace, or the card that completes a straight, a flush, a straight flush or a royal flush
    /// (SB-1, CA-1).
    SemiWild,
    /// Any card the hand does not hold, or the fifth of a kind (EZ-2, CA-1).
    FullyWild,
}

/// Where A-2-3-4-5 stands among the straights and among the straight flushes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wheel {
    /// Below 2-3-4-5-6 (SB-2).
    Lowest,
    /// Between 10-J-Q-K-A and 9-10-J-Q-K (EZ-3).
    SecondHighest,
}

/// A way of ranking hands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ranking {
    /// What the joker may stand for.
    pub joker: Joker,
    /// Where the wheel stands.
    pub wheel: Wheel,
}

impl Joker {
    /// Both uses.
    pub const ALL: [Joker; 2] = [Joker::SemiWild, Joker::FullyWild];

    /// The name used in files.
    pub const fn name(self) -> &'static str {
        match self {
            Joker::SemiWild => "semi_wild",
            Joker::FullyWild => "fully_wild",
        }
    }

    /// The use with this name.
    pub fn from_name(name: &str) -> Option<Joker> {
        Joker::ALL.into_iter().find(|joker| joker.name() == name)
    }
}

impl Wheel {
    /// Both places.
    pub const ALL: [Wheel; 2] = [Wheel::Lowest, Wheel::SecondHighest];

    /// The name used in files.
    pub const fn name(self) -> &'static str {
        match self {
            Wheel::Lowest => "lowest",
            Wheel::SecondHighest => "second_highest",
        }
    }

    /// The place with this name.
    pub fn from_name(name: &str) -> Option<Wheel> {
        Wheel::ALL.into_iter().find(|wheel| wheel.name() == name)
    }
}

impl Ranking {
    /// All four ways.
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
