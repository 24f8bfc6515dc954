//! Splits of seven cards into a high hand and a low hand.
//!
//! An [`Arrangement`] is any split of seven cards into five and two. A [`Setting`] is a legal split.
//! [`Arrangement::set`] checks an arrangement and converts it to a setting.
//!
//! `ranking/evaluator.rs` decides which hand is stronger. The rule book decides the penalty for a foul.

use crate::{CardSet, Evaluator, FiveCards, Hand, HighStrength, LowStrength, SevenCards, TwoCards};
use std::fmt;

/// A proposed split of seven cards, legal or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrangement {
    /// The high hand: five cards.
    pub high: FiveCards,
    /// The low hand: two cards.
    pub low: TwoCards,
}

/// A legal split, with the strength of each hand.
///
/// # Examples
///
/// ```
/// use paigow::{Arrangement, Evaluator, Ranking, SevenCards};
///
/// let hand: SevenCards = "As Kd Tc 9h 2s 2d Jk".parse()?;
/// let arrangement = Arrangement::new(hand, "2s 2d".parse()?).expect("two of the seven cards");
/// let setting = arrangement.set(Evaluator::of(Ranking::ALL[0]))?;
/// assert_eq!(setting.to_string(), "2s 2d / As Kd Tc 9h Jk");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The high hand: five cards.
    pub high: FiveCards,
    /// The low hand: two cards.
    pub low: TwoCards,
    /// Strength of the high hand.
    pub high_strength: HighStrength,
    /// Strength of the low hand.
    pub low_strength: LowStrength,
}

/// Error returned for an arrangement whose low hand is higher than its high hand (SB-4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the low hand {} is higher than the high hand {}", .0.low, .0.high)]
pub struct Foul(pub Arrangement);

impl Arrangement {
    /// Creates the split with `low` as the low hand, or returns `None` if `low` is not two of the seven cards.
    pub fn new(dealt: SevenCards, low: CardSet) -> Option<Arrangement> {
        let high = Hand::new(dealt.cards().difference(low))?;
        Some(Arrangement { high, low: Hand::new(low)? })
    }

    /// Checks the arrangement and returns it as a legal setting.
    ///
    /// # Errors
    /// Returns [`Foul`] if the low hand is higher than the high hand.
    pub fn set(self, evaluator: &Evaluator) -> Result<Setting, Foul> {
        let Arrangement { high, low } = self;
        let (high_strength, low_strength) = (evaluator.high(high), evaluator.low(low));
        if !evaluator.is_legal(high_strength, low_strength) {
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
