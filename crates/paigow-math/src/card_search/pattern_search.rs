//! Search for short lists of lines for the hands of one group pattern.
//!
//! A list of n + 1 lines grows from the best lists of n lines: at each position, the lines that save most are inserted,
//! and then each line is replaced by a better one if there is one. A few lists survive each step. Within a step, one
//! condition on a line and two conditions with open bounds are tried exhaustively, a third is added to the best of them.
//! So the cost of a list is exact, but a better list of the same length may exist.

use super::SAVED_MIN;
use super::vocabulary::{ABSENT, Bounds, IMPOSSIBLE, LAST_PLACEMENT, Vocabulary};
use crate::progress::Progress;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Number of lists that survive a step.
const LISTS: usize = 4;
/// Number of lines that are tried at each position of a list.
const INSERTED: usize = 6;
/// Number of lines that are extended by another condition, for each placement.
const EXTENDED: usize = 16;
/// Another condition must save at least 1 / `CONDITION_GAIN` of what the line saves.
const CONDITION_GAIN: i64 = 200;

/// A line for the hands of a pattern: conditions and a placement.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Line {
    pub(super) bounds: Vec<Bounds>,
    /// Index of the placement in the vocabulary.
    pub(super) placement: usize,
}

/// A list of lines for the hands of a pattern, without the last line of the card, which takes the best low hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LineList {
    pub(super) lines: Vec<Line>,
    /// Cost against best play over the hands of the pattern, in units of the vocabulary.
    pub(super) cost: i64,
}

/// The hands of one pattern, with the meaning of all phrases for them.
pub(super) struct PatternSearch {
    /// Index of each kind's group. Kinds with the same values of all properties form a group: conditions cannot tell
    /// them apart.
    groups: Vec<u32>,
    /// For each property, its value for each group.
    properties: Vec<Vec<u8>>,
    /// Properties that differ between groups.
    varying: Vec<u8>,
    /// For each placement, the cost of each kind.
    costs: Vec<Vec<i64>>,
    /// Lines that every list has, because other patterns may share them.
    shared: Vec<Line>,
    /// Placements that some kind can have, without those that set every kind as an earlier placement does.
    placements: Vec<usize>,
}

/// Effect of a line within a list.
#[derive(Clone, Copy, Default)]
pub(super) struct LineUse {
    /// It decides a hand.
    pub(super) decides: bool,
    /// It fits a hand that it cannot set.
    pub(super) fails: bool,
}

/// A line with the cost that it saves.
struct Saving {
    line: Line,
    saved: i64,
}

/// For each kind, the index of the line that decides and its cost.
type Decided = Vec<(u16, i64)>;

impl PatternSearch {
    pub(super) fn new(vocabulary: &Vocabulary, pattern: usize) -> PatternSearch {
        let kinds: Vec<usize> = (0..vocabulary.patterns.len())
            .filter(|kind| usize::from(vocabulary.patterns[*kind]) == pattern)
            .collect();
        let costs: Vec<Vec<i64>> =
            vocabulary.costs.iter().map(|column| kinds.iter().map(|kind| column[*kind]).collect()).collect();
        let placements = (0..costs.len())
            .filter(|placement| costs[*placement].iter().any(|cost| *cost != IMPOSSIBLE))
            .filter(|placement| !costs[..*placement].contains(&costs[*placement]))
            .collect();
        let mut known: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
        let mut properties: Vec<Vec<u8>> = vec![Vec::new(); vocabulary.properties.len()];
        let mut group_of = |kind: &usize| {
            let values: Vec<u8> = vocabulary.properties.iter().map(|values| values[*kind]).collect();
            let next = known.len() as u32;
            *known.entry(values).or_insert_with_key(|values| {
                properties.iter_mut().zip(values).for_each(|(all, value)| all.push(*value));
                next
            })
        };
        let groups = kinds.iter().map(&mut group_of).collect();
        let varies = |property: &u8| {
            let values = &properties[usize::from(*property)];
            values.iter().any(|value| *value != values[0])
        };
        let varying = (0..properties.len() as u8).filter(varies).collect();
        let shared = vocabulary.shared_lines(pattern).into_iter();
        let shared = shared.map(|placement| Line { bounds: Vec::new(), placement }).collect();
        PatternSearch { groups, properties, varying, costs, shared, placements }
    }

    /// The lists that a search starts from: no line, and only the shared lines.
    pub(super) fn first_lists(&self) -> [LineList; 2] {
        [Vec::new(), self.shared.clone()].map(|lines| LineList { cost: self.cost(&lines), lines })
    }

    /// Positions of the lines that the search may replace: all but the shared ones.
    fn own_lines(&self, lines: &[Line]) -> Vec<usize> {
        (0..lines.len()).filter(|line| !self.shared.contains(&lines[*line])).collect()
    }

    /// Cost of a list of lines.
    pub(super) fn cost(&self, lines: &[Line]) -> i64 {
        self.decide(lines).iter().map(|(_, cost)| cost).sum()
    }

    /// For each line, whether it decides a hand, and whether it fits a hand that it cannot set.
    pub(super) fn uses(&self, lines: &[Line]) -> Vec<LineUse> {
        let mut uses = vec![LineUse::default(); lines.len()];
        let decided = self.decide(lines);
        for (kind, (decided, _)) in decided.iter().enumerate() {
            for (index, line) in lines.iter().enumerate().take(usize::from(*decided)) {
                uses[index].fails |= self.fits(kind, &line.bounds);
            }
            if let Some(line) = uses.get_mut(usize::from(*decided)) {
                line.decides = true;
            }
        }
        uses
    }

    /// Finds lists with one more line than the given ones.
    pub(super) fn longer_lists(&self, lists: &[LineList], progress: Progress<'_>) -> Vec<LineList> {
        let mut next: Vec<LineList> = Vec::new();
        for list in lists {
            let decided = self.decide(&list.lines);
            for position in 0..=list.lines.len() {
                progress(0);
                for saving in self.savings(&decided, position).into_iter().take(INSERTED) {
                    let mut lines = list.lines.clone();
                    lines.insert(position, saving.line);
                    next.push(LineList { lines, cost: list.cost - saving.saved });
                }
            }
        }
        let mut next: Vec<LineList> =
            distinct(next).into_iter().take(LISTS).map(|list| self.refine(list, progress)).collect();
        next = distinct(next);
        next.truncate(LISTS);
        next
    }

    /// Finds lists with one line less than the given ones, starting from `known` lists of that length.
    pub(super) fn shorter_lists(
        &self,
        lists: &[LineList],
        known: &[LineList],
        progress: Progress<'_>,
    ) -> Vec<LineList> {
        let shorter: Vec<LineList> = lists
            .par_iter()
            .flat_map_iter(|list| {
                self.own_lines(&list.lines).into_iter().map(|removed| {
                    let mut lines = list.lines.clone();
                    lines.remove(removed);
                    let cost = self.cost(&lines);
                    LineList { lines, cost }
                })
            })
            .collect();
        let shorter = distinct(shorter).into_iter().take(LISTS).map(|list| self.refine(list, progress));
        let mut all = distinct(shorter.chain(known.iter().cloned()).collect());
        all.truncate(LISTS);
        all
    }

    /// Replaces each line by a better one at its position, the first or the last, as long as there is one.
    fn refine(&self, mut list: LineList, progress: Progress<'_>) -> LineList {
        let mut next = 0;
        let mut unchanged = 0;
        loop {
            let own = self.own_lines(&list.lines);
            if unchanged >= own.len() {
                return self.simplify(list);
            }
            let removed = own[next % own.len()];
            let mut without = list.lines.clone();
            without.remove(removed);
            progress(0);
            match self.best_insertion(&without, removed) {
                Some((position, line, saved)) if self.cost(&without) - saved < list.cost => {
                    let cost = self.cost(&without) - saved;
                    without.insert(position, line);
                    list = LineList { lines: without, cost };
                    unchanged = 0;
                }
                _ => unchanged += 1,
            }
            next += 1;
        }
    }

    /// Leaves out conditions that save less than [`SAVED_MIN`]. A condition may become useless when other lines change.
    fn simplify(&self, mut list: LineList) -> LineList {
        for line in 0..list.lines.len() {
            for condition in (0..list.lines[line].bounds.len()).rev() {
                let mut lines = list.lines.clone();
                lines[line].bounds.remove(condition);
                let cost = self.cost(&lines);
                if cost <= list.cost + SAVED_MIN {
                    list = LineList { lines, cost };
                }
            }
        }
        list
    }

    /// The best line to insert into a list at a position, the first or the last, with the cost that it saves.
    pub(super) fn best_insertion(&self, lines: &[Line], position: usize) -> Option<(usize, Line, i64)> {
        let decided = self.decide(lines);
        let mut positions = [0, position.min(lines.len()), lines.len()].to_vec();
        positions.dedup();
        let insertions = positions.into_iter().filter_map(|position| {
            let best = self.savings(&decided, position).into_iter().next()?;
            Some((position, best.line, best.saved))
        });
        insertions.max_by_key(|(_, _, saved)| *saved)
    }

    /// Whether two placements cost the same for every kind of the pattern, in units of the vocabulary.
    pub(super) fn sets_alike(&self, one: usize, other: usize) -> bool {
        one == other || self.costs[one] == self.costs[other]
    }

    /// Applies lines to every kind.
    fn decide(&self, lines: &[Line]) -> Decided {
        let mut decided: Decided = vec![(u16::MAX, 0); self.costs[0].len()];
        for (index, line) in lines.iter().enumerate() {
            for (kind, (decided, cost)) in decided.iter_mut().zip(&self.costs[line.placement]).enumerate() {
                if decided.0 == u16::MAX && *cost != IMPOSSIBLE && self.fits(kind, &line.bounds) {
                    *decided = (index as u16, *cost);
                }
            }
        }
        for (decided, last) in decided.iter_mut().zip(&self.costs[LAST_PLACEMENT]) {
            if decided.0 == u16::MAX {
                decided.1 = *last;
            }
        }
        decided
    }

    fn fits(&self, kind: usize, bounds: &[Bounds]) -> bool {
        self.group_fits(self.groups[kind] as usize, bounds)
    }

    fn group_fits(&self, group: usize, bounds: &[Bounds]) -> bool {
        bounds.iter().all(|bounds| {
            let value = self.properties[usize::from(bounds.property)][group];
            (bounds.low..=bounds.high).contains(&value)
        })
    }

    /// Finds the lines that save most when inserted at a position, the best first.
    fn savings(&self, decided: &Decided, position: usize) -> Vec<Saving> {
        let mut savings: Vec<Saving> = self
            .placements
            .par_iter()
            .flat_map_iter(|&placement| {
                let mut gains = vec![0; self.properties[0].len()];
                for (((line, before), cost), group) in
                    decided.iter().zip(&self.costs[placement]).zip(&self.groups)
                {
                    if usize::from(*line) >= position && *cost != IMPOSSIBLE {
                        gains[*group as usize] += before - cost;
                    }
                }
                let gains = (0..).zip(gains).filter(|(_, gain)| *gain != 0);
                let found = self.conditions(&gains.collect::<Vec<(u32, i64)>>());
                found
                    .into_iter()
                    .map(move |(bounds, saved)| Saving { line: Line { bounds, placement }, saved })
            })
            .filter(|saving| saving.saved > 0)
            .collect();
        savings.sort_by_key(|Saving { line, saved }| (Reverse(*saved), line.bounds.len(), line.clone()));
        savings
    }

    /// Finds conditions under which the sum of the gains is large, with the sums.
    fn conditions(&self, gains: &[(u32, i64)]) -> Vec<(Vec<Bounds>, i64)> {
        let none: i64 = gains.iter().map(|(_, gain)| gain).sum();
        let mut found = vec![(Vec::new(), none)];
        let mut extended: Vec<(i64, Vec<Bounds>)> = Vec::new();
        self.add_bounds(gains, &[], |bounds, sum| extended.push((sum, vec![bounds])));
        let best_one = extended.iter().map(|(sum, _)| *sum).max().unwrap_or(none).max(none);
        let is_worth_it = |sum: i64, before: i64| sum > 0 && sum - before > sum / CONDITION_GAIN;
        found.extend(
            extended
                .iter()
                .filter(|(sum, _)| is_worth_it(*sum, none))
                .map(|(sum, bounds)| (bounds.clone(), *sum)),
        );
        let pairs = self.pairs(gains);
        found.extend(
            pairs
                .iter()
                .filter(|(sum, _)| is_worth_it(*sum, best_one))
                .map(|(sum, bounds)| (bounds.clone(), *sum)),
        );
        extended.extend(pairs);
        extended.sort_by_key(|(sum, bounds)| (Reverse(*sum), bounds.len(), bounds.clone()));
        for (before, bounds) in extended.into_iter().take(EXTENDED) {
            let fitting = |(group, _): &&(u32, i64)| self.group_fits(*group as usize, &bounds);
            let gains: Vec<(u32, i64)> = gains.iter().filter(fitting).copied().collect();
            self.add_bounds(&gains, &bounds, |more, sum| {
                if is_worth_it(sum, before) {
                    let mut all = [&bounds[..], &[more]].concat();
                    all.sort_unstable();
                    found.push((all, sum));
                }
            });
        }
        found
    }

    /// Calls `add` with the best bounds on each property that varies, and the sum of the gains within them.
    fn add_bounds(&self, gains: &[(u32, i64)], used: &[Bounds], mut add: impl FnMut(Bounds, i64)) {
        let is_unused = |property: &&u8| used.iter().all(|bounds| bounds.property != **property);
        for &property in self.varying.iter().filter(is_unused) {
            let values = &self.properties[usize::from(property)];
            let mut sums = [0i64; 32];
            for (group, gain) in gains {
                let value = values[*group as usize];
                if value != ABSENT {
                    sums[usize::from(value)] += gain;
                }
            }
            let count = Vocabulary::values(property);
            let mut best: Vec<(i64, Bounds)> = Vec::new();
            for low in 0..count {
                let mut sum = 0;
                for high in low..count {
                    sum += sums[usize::from(high)];
                    let bounds = Bounds { property, low, high };
                    if (low > 0 || high + 1 < count) && Vocabulary::phrase(bounds).is_some() {
                        best.push((sum, bounds));
                    }
                }
            }
            best.sort_by_key(|(sum, bounds)| (Reverse(*sum), bounds.simplicity()));
            best.into_iter().take(2).for_each(|(sum, bounds)| add(bounds, sum));
        }
    }

    /// Tries all pairs of properties with open bounds on each. Returns the best bounds of each pair.
    fn pairs(&self, gains: &[(u32, i64)]) -> Vec<(i64, Vec<Bounds>)> {
        let mut found = Vec::new();
        for (index, one) in self.varying.iter().enumerate() {
            for other in &self.varying[index + 1..] {
                found.extend(self.best_of_pair(gains, *one, *other));
            }
        }
        found
    }

    fn best_of_pair(&self, gains: &[(u32, i64)], one: u8, other: u8) -> Option<(i64, Vec<Bounds>)> {
        // `below[i][j]` is the sum of the gains of kinds with values less than i and j.
        let mut below = [[0i64; VALUES_MAX + 1]; VALUES_MAX + 1];
        let [ones, others] = [one, other].map(|property| &self.properties[usize::from(property)]);
        for (group, gain) in gains {
            let (i, j) = (usize::from(ones[*group as usize]), usize::from(others[*group as usize]));
            if i < VALUES_MAX && j < VALUES_MAX {
                below[i + 1][j + 1] += gain;
            }
        }
        for i in 1..=VALUES_MAX {
            for j in 1..=VALUES_MAX {
                below[i][j] += below[i - 1][j] + below[i][j - 1] - below[i - 1][j - 1];
            }
        }
        let open = |property: u8| {
            let count = usize::from(Vocabulary::values(property));
            (1..count).flat_map(move |at| [(0, at), (at, count)])
        };
        let mut best = (0, (0, 0), (0, 0));
        for (i, k) in open(one) {
            for (j, l) in open(other) {
                let sum = below[k][l] - below[i][l] - below[k][j] + below[i][j];
                if sum > best.0 {
                    best = (sum, (i, k), (j, l));
                }
            }
        }
        let bounds = |property: u8, (low, after): (usize, usize)| Bounds {
            property,
            low: low as u8,
            high: after as u8 - 1,
        };
        let (sum, of_one, of_other) = best;
        (sum > 0).then(|| (sum, vec![bounds(one, of_one), bounds(other, of_other)]))
    }
}

/// Maximum number of values of a property.
const VALUES_MAX: usize = 23;

/// Sorts lists by their cost, and removes all but the first of those with equal cost.
fn distinct(mut lists: Vec<LineList>) -> Vec<LineList> {
    lists.sort_by(|one, other| (one.cost, &one.lines).cmp(&(other.cost, &other.lines)));
    lists.dedup_by_key(|list| list.cost);
    lists
}

impl Bounds {
    /// Sort key among bounds that save the same: open bounds first, then wide ones.
    fn simplicity(self) -> (bool, Reverse<u8>) {
        let is_open = self.low == 0 || self.high + 1 == Vocabulary::values(self.property);
        (!is_open, Reverse(self.high - self.low))
    }
}
