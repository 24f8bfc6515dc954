//! A clause tried on a hand that it need not decide, to explain why it does not.

use super::placement::Placement;
use super::{HandFacts, HouseWayDraft};
use crate::{Evaluator, Setting, SevenCards};

/// A clause of a house way, applied to a hand regardless of the other clauses and of its own condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClauseTrial {
    /// Whether the clause is for hands with these pairs, threes and fours: its group pattern holds.
    pub same_pattern: bool,
    /// Phrases of the condition that do not hold. The hand fits the clause if there are none.
    pub unmet: Vec<String>,
    /// The setting that the clause asks for, or `None` if no legal setting is as it says.
    pub setting: Option<Setting>,
    /// The setting if the clause did not ask for a lowest low hand, or `None` if that is no legal setting either.
    pub without_minimum: Option<Setting>,
}

impl HouseWayDraft {
    /// Applies one clause to a hand.
    ///
    /// # Panics
    /// If the house way has no clause of this index.
    pub fn try_clause(&self, clause: usize, hand: SevenCards, evaluator: &Evaluator) -> ClauseTrial {
        let dealt = HandFacts::new(hand, evaluator);
        let clause = &self.clauses[clause];
        let unmet = clause.condition.unmet(&clause.when, &dealt.groups);
        let open: Vec<Placement> = clause.placements.iter().map(Placement::without_minimum).collect();
        ClauseTrial {
            same_pattern: clause.condition.allows_pattern(dealt.groups.pattern),
            unmet: unmet.into_iter().map(str::to_owned).collect(),
            setting: dealt.best(&clause.placements, evaluator),
            without_minimum: dealt.best(&open, evaluator),
        }
    }
}
