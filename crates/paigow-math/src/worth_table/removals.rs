//! Clauses that a house way can do without: removed one by one, each time the one that changes the value least.

use super::build::outcomes;
use super::price::{Decisions, part};
use super::{WinsAndLossesSum, WorthTable};
use crate::progress::Progress;
use crate::{Fraction, Outcomes};
use paigow::HouseWay;
use rayon::prelude::*;

/// Clauses removed from a house way within a budget.
///
/// The choice is greedy. It is not proved that no other choice removes more clauses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Removals {
    /// The removals, in order.
    pub steps: Vec<Removal>,
    /// The removal that would be next, if it did not exceed the budget. `None` if no clause can be removed.
    pub next: Option<Removal>,
}

/// A clause that is removed after those before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Removal {
    /// Index of the clause in the house way.
    pub clause: usize,
    /// Number of hands that the clause decided.
    pub hands: u64,
    /// Outcomes of the side after the removal.
    pub outcomes: Outcomes,
    /// Number of hands that are set differently than by the reference after the removal.
    pub hands_changed: u64,
}

/// How a kind of hands is set, and how it would be set without the clause that decides it.
#[derive(Clone, Copy)]
struct SetKind {
    /// Index of the deciding clause, and of the setting.
    now: (u32, u32),
    /// The same without that clause. `None` for the last clause.
    next: Option<(u32, u32)>,
    /// Whether a clause between them would fit without a legal setting, which a proof reports as a fault.
    is_faulty: bool,
}

/// Sums over the kinds that a clause decides.
#[derive(Clone, Copy, Default)]
struct Candidate {
    hands: u64,
    /// Change of the value without the clause.
    change: i128,
    is_faulty: bool,
}

/// A house way while clauses are removed from it.
struct Shortened<'a> {
    table: &'a WorthTable,
    way: &'a HouseWay,
    is_kept: Vec<bool>,
    kinds: Vec<SetKind>,
}

impl WorthTable {
    /// Removes clauses from a house way one by one, as long as the value of the side differs from that of the reference
    /// by at most `budget`, a part of the wager. Each time, the clause is removed that leaves the smallest difference; of
    /// equal ones, the first.
    ///
    /// The last clause stays. So does a clause without which some hand fits a later clause but has no legal setting there.
    /// `progress` is called before each removal.
    pub fn remove_clauses(
        &self,
        way: &HouseWay,
        decisions: &Decisions,
        reference: &Decisions,
        budget: &Fraction,
        progress: Progress<'_>,
    ) -> Removals {
        let mut shortened = Shortened::new(self, way, decisions);
        let mut difference = self.total(decisions) - self.total(reference);
        let mut steps = Vec::new();
        loop {
            progress(0);
            let candidates = shortened.candidates();
            let size = |(_, candidate): &(usize, Candidate)| (difference + candidate.change).abs();
            let Some((clause, candidate)) = candidates.into_iter().min_by_key(size) else {
                return Removals { steps, next: None };
            };
            difference += candidate.change;
            shortened.remove(clause);
            let removal = Removal {
                clause,
                hands: candidate.hands,
                outcomes: outcomes(shortened.sums()),
                hands_changed: shortened.hands_changed(reference),
            };
            if part(difference.abs()) > *budget {
                return Removals { steps, next: Some(removal) };
            }
            steps.push(removal);
        }
    }

    /// Value of the side in ten-thousandths of a wager, over all deals.
    fn total(&self, decisions: &Decisions) -> i128 {
        decisions.by_kind.iter().map(|(_, setting)| self.value(*setting)).sum()
    }
}

impl<'a> Shortened<'a> {
    fn new(table: &'a WorthTable, way: &'a HouseWay, decisions: &Decisions) -> Shortened<'a> {
        let is_kept = vec![true; way.clauses().len()];
        let mut shortened = Shortened { table, way, is_kept, kinds: Vec::new() };
        let decided = decisions.by_kind.par_iter().enumerate();
        shortened.kinds = decided.map(|(kind, now)| shortened.set_kind(kind, *now)).collect();
        shortened
    }

    /// Finds the setting of a kind without the clause that decides it.
    fn set_kind(&self, kind: usize, now: (u32, u32)) -> SetKind {
        let clauses = self.way.clauses();
        let mut is_faulty = false;
        let next = self.way.as_draft().decide_after_reporting(
            now.0 as usize,
            self.table.kinds.hand(kind),
            self.table.evaluator,
            |clause| self.is_kept[clause],
            |clause| is_faulty |= !clauses[clause].if_possible,
        );
        let next = next.map(|next| (next.clause as u32, self.table.find_setting(kind, &next.setting)));
        SetKind { now, next, is_faulty }
    }

    /// Clauses that may be removed, with their sums.
    fn candidates(&self) -> Vec<(usize, Candidate)> {
        let mut sums = vec![Candidate::default(); self.is_kept.len()];
        for (kind, set) in self.table.kinds.kinds.iter().zip(&self.kinds) {
            let candidate = &mut sums[set.now.0 as usize];
            candidate.hands += u64::from(kind.hands);
            candidate.is_faulty |= set.is_faulty;
            if let Some((_, next)) = set.next {
                candidate.change += self.table.value(next) - self.table.value(set.now.1);
            }
        }
        let last = sums.pop();
        debug_assert!(last.is_some(), "a house way has a last clause");
        let removable = |(clause, sums): &(usize, Candidate)| self.is_kept[*clause] && !sums.is_faulty;
        sums.into_iter().enumerate().filter(removable).collect()
    }

    /// Removes a clause. Only hands that it decides, or would decide next, are decided again.
    fn remove(&mut self, clause: usize) {
        self.is_kept[clause] = false;
        let removed = clause as u32;
        let set_again = |(kind, set): (usize, &SetKind)| match set.next {
            Some(next) if set.now.0 == removed => self.set_kind(kind, next),
            Some((next, _)) if next == removed || set.is_faulty => self.set_kind(kind, set.now),
            _ => *set,
        };
        self.kinds = self.kinds.par_iter().enumerate().map(set_again).collect();
    }

    fn sums(&self) -> impl Iterator<Item = WinsAndLossesSum> {
        self.kinds.iter().map(|set| self.table.worth(set.now.1).sums)
    }

    /// Number of hands that are set differently than by the reference.
    fn hands_changed(&self, reference: &Decisions) -> u64 {
        let kinds = self.table.kinds.kinds.iter().zip(&self.kinds).zip(&reference.by_kind);
        let changed = kinds.filter(|((_, set), (_, setting))| set.now.1 != *setting);
        changed.map(|((kind, _), _)| u64::from(kind.hands)).sum()
    }
}
