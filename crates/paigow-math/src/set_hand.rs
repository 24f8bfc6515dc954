//! A set hand packed into one integer, with all that the base game needs to compare it.

use paigow::{
    Evaluator, HandClass, HighStrength, Holdings, HouseWay, LowStrength, Ranking, Setting, SevenCards,
};

/// Strengths of the high and the low hand, and whether this hand makes every base wager push if the dealer holds it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct SetHand(pub(crate) u32);

const LOW_BITS: u32 = 7;
const PUSHES: u32 = 1 << 31;
/// Another setting of the same hand follows in a list.
const HAS_NEXT: u32 = 1 << 30;
const _: () = assert!(LowStrength::COUNT < 1 << LOW_BITS && HighStrength::COUNT < 1 << (30 - LOW_BITS));

impl SetHand {
    pub(crate) const fn new(high: usize, low: usize, pushes: bool) -> SetHand {
        SetHand((high << LOW_BITS | low) as u32 | if pushes { PUSHES } else { 0 })
    }

    pub(crate) fn of(setting: &Setting) -> SetHand {
        SetHand::new(setting.high_strength.index(), setting.low_strength.index(), false)
    }

    pub(crate) const fn high(self) -> usize {
        ((self.0 & !(PUSHES | HAS_NEXT)) >> LOW_BITS) as usize
    }

    pub(crate) const fn low(self) -> usize {
        (self.0 & ((1 << LOW_BITS) - 1)) as usize
    }

    pub(crate) const fn pushes(self) -> bool {
        self.0 & PUSHES != 0
    }

    /// Returns this setting with the flag that another setting of the same hand follows in a list.
    pub(crate) const fn with_next(self) -> SetHand {
        SetHand(self.0 | HAS_NEXT)
    }

    pub(crate) const fn has_next(self) -> bool {
        self.0 & HAS_NEXT != 0
    }
}

/// Sets hands by a house way under a ranking, and flags those that make every base wager push.
#[derive(Clone, Copy)]
pub(crate) struct HandSetter<'a> {
    pub(crate) way: &'a HouseWay,
    pub(crate) evaluator: &'static Evaluator,
    holdings: &'static Holdings,
    push: &'a [HandClass],
}

impl<'a> HandSetter<'a> {
    pub(crate) fn new(way: &'a HouseWay, ranking: Ranking, push: &'a [HandClass]) -> HandSetter<'a> {
        HandSetter { way, evaluator: Evaluator::of(ranking), holdings: Holdings::of(ranking.joker), push }
    }

    pub(crate) fn set(&self, hand: SevenCards) -> SetHand {
        let Setting { high_strength, low_strength, .. } = self.way.decide(hand, self.evaluator).setting;
        SetHand::new(high_strength.index(), low_strength.index(), self.pushes(hand))
    }

    /// Whether the hand makes every base wager push.
    pub(crate) fn pushes(&self, hand: SevenCards) -> bool {
        !self.push.is_empty() && {
            let classes = self.holdings.classes_of(hand);
            self.push.iter().any(|class| classes.contains(*class))
        }
    }
}
