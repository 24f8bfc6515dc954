//! Price of a house way: its outcomes, its cost against best play, and the part of each clause.

use super::build::outcomes;
use super::{SettingWorth, WinsAndLossesSum, WorthTable};
use crate::set_hand::SetHand;
use crate::strategy::setting_with_strengths;
use crate::{Census, DEALS, Fraction, Outcomes};
use paigow::{HouseWay, Setting, SevenCards};
use rayon::prelude::*;
use std::cmp::Reverse;

/// How a house way sets every kind of hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decisions {
    /// For each kind, the clause that decides and the index of the setting.
    pub(super) by_kind: Vec<(u32, u32)>,
}

/// Price of a house way on one side of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Price {
    /// Outcomes of the side that sets by the house way.
    pub outcomes: Outcomes,
    /// Outcomes of the side if it sets every hand in the best way.
    pub best: Outcomes,
    /// Expected value given away against best play, as a part of the wager.
    pub cost: Fraction,
    /// Number of hands that have a better setting.
    pub hands_set_worse: u64,
    /// The clauses, in order.
    pub clauses: Vec<ClausePrice>,
}

/// Part of a clause in the price of a house way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClausePrice {
    /// Number of hands that the clause decides.
    pub hands: u64,
    /// Number of these hands that have a better setting.
    pub hands_set_worse: u64,
    /// Expected value given away on these hands, as a part of the wager.
    pub cost: Fraction,
    /// Additional cost without the clause. `None` for the last clause, which must stay.
    pub removed: Option<Fraction>,
    /// Additional cost if the clause changes places with the next one. `None` for the last two clauses.
    pub swapped: Option<Fraction>,
}

/// A kind of hands that a house way sets at a cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CostlyKind {
    /// A representative hand.
    pub hand: SevenCards,
    /// Number of hands of this kind.
    pub hands: u32,
    /// Index of the clause that decides.
    pub clause: usize,
    /// The house way's setting.
    pub setting: Setting,
    /// The setting with the highest value, summed over the hands of the kind.
    pub best: Setting,
    /// Value given away on a hand of this kind, on average, as a part of the wager.
    pub cost: Fraction,
    /// Part in the cost of the house way.
    pub part: Fraction,
}

/// A kind of hands that two house ways set differently.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangedKind {
    /// A representative hand.
    pub hand: SevenCards,
    /// Number of hands of this kind.
    pub hands: u32,
    /// Index of the clause that decides, before and after.
    pub clauses: [usize; 2],
    /// Setting before and after.
    pub settings: [Setting; 2],
    /// Additional cost, as a part of the wager over all hands.
    pub part: Fraction,
}

/// Hands that two house ways set differently.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Changes {
    /// Number of hands.
    pub hands: u64,
    /// The kinds that change the cost most, the largest change first.
    pub kinds: Vec<ChangedKind>,
}

impl WorthTable {
    /// Outcomes of the side if it sets every hand in the best way.
    pub fn best_outcomes(&self) -> Outcomes {
        self.best_outcomes
    }

    /// Sets every kind of hand by a house way.
    ///
    /// # Panics
    /// If the house way sets a hand illegally.
    pub fn decide(&self, way: &HouseWay) -> Decisions {
        Decisions { by_kind: self.all_kinds().map(|kind| self.decide_kind(way, kind)).collect() }
    }

    /// Sets every kind of hand by a house way whose clauses before `first_changed` are those of `before`. Hands that
    /// these clauses decide are not decided again.
    ///
    /// # Panics
    /// If the house way sets a hand illegally.
    pub fn decide_again(&self, way: &HouseWay, before: &Decisions, first_changed: usize) -> Decisions {
        let decide = |kind: usize| match before.by_kind[kind] {
            decided if (decided.0 as usize) < first_changed => decided,
            _ => self.decide_kind(way, kind),
        };
        Decisions { by_kind: self.all_kinds().map(decide).collect() }
    }

    fn all_kinds(&self) -> rayon::range::Iter<usize> {
        (0..self.kinds.kinds.len()).into_par_iter()
    }

    fn decide_kind(&self, way: &HouseWay, kind: usize) -> (u32, u32) {
        let decision = way.decide(self.kinds.hand(kind), self.evaluator);
        (decision.clause as u32, self.find_setting(kind, &decision.setting))
    }

    /// Index of a setting of a kind's representative hand.
    pub(super) fn find_setting(&self, kind: usize, setting: &Setting) -> u32 {
        let set = SetHand::of(setting);
        let range = self.kinds.settings(kind);
        // The settings of a kind are in ascending order.
        let index = range.start + self.settings[range.clone()].partition_point(|other| other.setting < set);
        assert!(
            range.contains(&index) && self.settings[index].setting == set,
            "{setting} is not a legal setting of {}",
            self.kinds.hand(kind)
        );
        index as u32
    }

    pub(super) fn worth(&self, setting: u32) -> &SettingWorth {
        &self.settings[setting as usize]
    }

    pub(super) fn value(&self, setting: u32) -> i128 {
        self.stakes.value(self.worth(setting).sums)
    }

    fn best_value(&self, kind: usize) -> i128 {
        self.stakes.value(self.best[kind])
    }

    /// Cost of a setting of a kind's representative hand against best play, over the hands of the kind.
    pub(crate) fn cost(&self, kind: usize, setting: &Setting) -> i128 {
        self.best_value(kind) - self.value(self.find_setting(kind, setting))
    }

    /// Outcomes of the side that sets by a house way with these decisions.
    pub fn outcomes(&self, decisions: &Decisions) -> Outcomes {
        outcomes(decisions.by_kind.iter().map(|(_, setting)| self.worth(*setting).sums))
    }

    /// Prices a house way by its decisions.
    ///
    /// # Panics
    /// If the decisions do not cover all hands.
    pub fn price(&self, way: &HouseWay, decisions: &Decisions) -> Price {
        let count = way.clauses().len();
        let sums = self
            .all_kinds()
            .fold(
                || vec![ClauseSums::default(); count],
                |mut sums, kind| {
                    let (clause, setting) = decisions.by_kind[kind];
                    let clause = clause as usize;
                    sums[clause].add(self, way, kind, clause, setting);
                    sums
                },
            )
            .reduce(
                || vec![ClauseSums::default(); count],
                |mut sums, others| {
                    sums.iter_mut().zip(others).for_each(|(sums, other)| sums.join(&other));
                    sums
                },
            );
        let hands: u64 = sums.iter().map(|sums| sums.hands).sum();
        assert_eq!(hands, Census::HANDS, "the hands decided are not all hands");
        let clauses = sums.iter().enumerate().map(|(clause, sums)| ClausePrice {
            hands: sums.hands,
            hands_set_worse: sums.worse,
            cost: part(sums.cost),
            removed: (clause + 1 < count).then(|| part(sums.removed)),
            swapped: (clause + 2 < count).then(|| part(sums.swapped)),
        });
        Price {
            outcomes: outcomes(sums.iter().map(|sums| sums.outcomes)),
            best: self.best_outcomes,
            cost: part(sums.iter().map(|sums| sums.cost).sum()),
            hands_set_worse: sums.iter().map(|sums| sums.worse).sum(),
            clauses: clauses.collect(),
        }
    }

    /// Returns the kinds of hands with the largest parts in the cost of a house way, the largest first.
    pub fn costliest(&self, decisions: &Decisions, count: usize) -> Vec<CostlyKind> {
        let cost = |kind: usize| self.best_value(kind) - self.value(decisions.by_kind[kind].1);
        self.largest(count, cost).into_iter().map(|kind| self.costly_kind(kind, decisions)).collect()
    }

    /// Kinds with the largest positive numbers, the largest first.
    fn largest(&self, count: usize, number: impl Fn(usize) -> i128 + Sync) -> Vec<usize> {
        let mut kinds: Vec<(i128, usize)> =
            self.all_kinds().map(|kind| (number(kind), kind)).filter(|(number, _)| *number > 0).collect();
        kinds.par_sort_unstable_by_key(|(number, kind)| (Reverse(*number), *kind));
        kinds.truncate(count);
        kinds.into_iter().map(|(_, kind)| kind).collect()
    }

    fn costly_kind(&self, kind: usize, decisions: &Decisions) -> CostlyKind {
        let (clause, setting) = decisions.by_kind[kind];
        let cost = self.best_value(kind) - self.value(setting);
        let hands = self.kinds.kinds[kind].hands;
        let by_value = |setting: &u32| (self.value(*setting), self.worth(*setting).setting.low());
        let range = self.kinds.settings(kind);
        let best = (range.start as u32..range.end as u32).max_by_key(by_value).unwrap_or(setting);
        CostlyKind {
            hand: self.kinds.hand(kind),
            hands,
            clause: clause as usize,
            setting: self.setting(kind, setting),
            best: self.setting(kind, best),
            cost: Fraction::new(cost, i128::from(hands) * (DEALS / i128::from(Census::HANDS)) * 10_000),
            part: part(cost),
        }
    }

    fn setting(&self, kind: usize, setting: u32) -> Setting {
        setting_with_strengths(self.kinds.hand(kind), self.worth(setting).setting, self.evaluator)
    }

    /// Compares the decisions of two house ways. Returns at most `count` kinds.
    pub fn changes(&self, before: &Decisions, after: &Decisions, count: usize) -> Changes {
        let settings = |kind: usize| [before.by_kind[kind].1, after.by_kind[kind].1];
        let changed = |kind: &usize| {
            let [one, other] = settings(*kind);
            one != other
        };
        let hands =
            self.all_kinds().filter(changed).map(|kind| u64::from(self.kinds.kinds[kind].hands)).sum();
        let change = |kind: usize| {
            let [one, other] = settings(kind);
            self.value(one) - self.value(other)
        };
        let kinds = self.largest(count, |kind| change(kind).abs()).into_iter().map(|kind| ChangedKind {
            hand: self.kinds.hand(kind),
            hands: self.kinds.kinds[kind].hands,
            clauses: [before.by_kind[kind].0, after.by_kind[kind].0].map(|clause| clause as usize),
            settings: settings(kind).map(|setting| self.setting(kind, setting)),
            part: part(change(kind)),
        });
        Changes { hands, kinds: kinds.collect() }
    }
}

/// A value in ten-thousandths of a wager over all deals, as a part of the wager.
pub(super) fn part(value: i128) -> Fraction {
    Fraction::new(value, DEALS * 10_000)
}

/// Sums over the hands that a clause decides.
#[derive(Clone, Default)]
struct ClauseSums {
    hands: u64,
    worse: u64,
    outcomes: WinsAndLossesSum,
    cost: i128,
    removed: i128,
    swapped: i128,
}

impl ClauseSums {
    fn add(&mut self, table: &WorthTable, way: &HouseWay, kind: usize, clause: usize, setting: u32) {
        let worth = table.worth(setting);
        let value = table.value(setting);
        self.hands += u64::from(table.kinds.kinds[kind].hands);
        self.worse += u64::from(worth.worse);
        self.outcomes.win += worth.sums.win;
        self.outcomes.lose += worth.sums.lose;
        self.cost += table.best_value(kind) - value;
        let (hand, draft) = (table.kinds.hand(kind), way.as_draft());
        if let Some(next) = draft.decide_after(clause, hand, table.evaluator) {
            self.removed += value - table.value(table.find_setting(kind, &next.setting));
        }
        if clause + 1 < way.clauses().len()
            && let Some(next) = draft.decide_by(clause + 1, hand, table.evaluator)
        {
            self.swapped += value - table.value(table.find_setting(kind, &next));
        }
    }

    fn join(&mut self, other: &ClauseSums) {
        self.hands += other.hands;
        self.worse += other.worse;
        self.outcomes.win += other.outcomes.win;
        self.outcomes.lose += other.outcomes.lose;
        self.cost += other.cost;
        self.removed += other.removed;
        self.swapped += other.swapped;
    }
}
