//! Setting: the split of seven cards into a high hand and a low hand.
//!
//! An [`Arrangement`] is any split of seven cards into five and two that somebody offers. A [`Setting`] is one the rules
//! accept. The only way from one to the other is [`Arrangement::set`].
//!
//! Which hand is stronger is decided in `evaluator.rs`; what a foul costs is the rule book's business.

use crate::{CardSet, Evaluator, FiveCards, Hand, HighStrength, LowStrength, SevenCards, TwoCards};
use std::fmt;

/// A split of seven cards that somebody offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrangement {
    /// The high hand: five cards.
    pub high: FiveCards,
    /// The low hand: two cards.
    pub low: TwoCards,
}

/// A legal split, and how strong its hands are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The high hand: five cards.
    pub high: FiveCards,
    /// The low hand: two cards.
    pub low: TwoCards,
    /// How strong the five are.
    pub high_strength: HighStrength,
    /// How strong the two are.
    pub low_strength: LowStrength,
}

/// A split that the rules refuse: the low hand is higher than the high hand (SB-4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the low hand {} is higher than the high hand {}", .0.low, .0.high)]
pub struct Foul(pub Arrangement);

impl Arrangement {
    /// The split with these two cards as the low hand, if they are two of the seven.
    pub fn new(dealt: SevenCards, low: CardSet) -> Option<Arrangement> {
        let high = Hand::new(dealt.cards().difference(low))?;
        Some(Arrangement { high, low: Hand::new(low)? })
    }

    /// The setting, if the rules accept it.
    ///
    /// # Errors
    /// [`Foul`], if the low hand is higher than the high hand.
    pub fn set(self, evaluator: &Evaluator) -> Result<Setting, Foul> {
        let Arrangement { high, low } = self;
        let (high_strength, low_strength) = (evaluator.high(high), evaluator.low(low));
        if !evaluator.may_stand(high_strength, low_strength) {
            return Err(Foul(self));
        }
        Ok(Setting { high, low, high_strength, low_strength })
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} / {}", self.low, self.high)
    }
}
