//! Search for short lists of lines for the hands of one group pattern.
//!
//! A list of n + 1 lines grows from the best lists of n lines: at each position, the lines that save most are inserted
//! (`savings.rs`), and then each line is replaced by a better one if there is one. A few lists survive each step. The
//! cost of a list is exact, but a better list of the same length may exist.

mod savings;

use super::SAVED_MIN;
use super::placement::{IMPOSSIBLE, LAST_PLACEMENT};
use super::property::Bounds;
use super::vocabulary::Vocabulary;
use crate::progress::Progress;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Number of lists that survive a step.
const LISTS: usize = 4;
/// Number of lines that are tried at each position of a list.
const INSERTED: usize = 6;

/// A line for the hands of a pattern: conditions and a placement.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct LineSpec {
    pub(super) bounds: Vec<Bounds>,
    /// Index of the placement in the vocabulary.
    pub(super) placement: usize,
}

/// A list of lines for the hands of a pattern, without the last line of the card, which takes the best low hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LineList {
    pub(super) lines: Vec<LineSpec>,
    /// Cost against best play over the hands of the pattern, in units of the vocabulary.
    pub(super) cost: i64,
}

/// The hands of one pattern, with the meaning of all phrases for them.
pub(super) struct PatternSearch {
    /// Index of each class's cell. A class holds the kinds that no line can tell apart: they have the same values of all
    /// properties, and the same placements can set them. A cell holds the classes with the same values, which conditions
    /// cannot tell apart.
    cells: Vec<u32>,
    /// For each property, its value for each cell.
    properties: Vec<Vec<u8>>,
    /// Properties that differ between cells.
    varying: Vec<u8>,
    /// For each placement, the cost of each class: the sum over its kinds.
    costs: Vec<Vec<i64>>,
    /// Lines that every list has, because other patterns may share them.
    shared: Vec<LineSpec>,
    /// Placements that some class can have, without those that cost the same as an earlier placement for every class.
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

/// For each class, the index of the line that decides and its cost.
type Decided = Vec<(u16, i64)>;

impl PatternSearch {
    pub(super) fn new(vocabulary: &Vocabulary, pattern: usize) -> PatternSearch {
        let mut cell_indices: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
        let mut class_indices: BTreeMap<(u32, Vec<bool>), usize> = BTreeMap::new();
        let mut cells = Vec::new();
        let mut properties: Vec<Vec<u8>> = vec![Vec::new(); vocabulary.properties.len()];
        let mut costs: Vec<Vec<i64>> = vec![Vec::new(); vocabulary.costs.len()];
        let kinds =
            (0..vocabulary.patterns.len()).filter(|kind| usize::from(vocabulary.patterns[*kind]) == pattern);
        for kind in kinds {
            let values: Vec<u8> = vocabulary.properties.iter().map(|values| values[kind]).collect();
            let next = cell_indices.len() as u32;
            let cell = *cell_indices.entry(values).or_insert_with_key(|values| {
                properties.iter_mut().zip(values).for_each(|(all, value)| all.push(*value));
                next
            });
            let of_kind = || vocabulary.costs.iter().map(|column| column[kind]);
            let next = class_indices.len();
            let class = *class_indices
                .entry((cell, of_kind().map(|cost| cost != IMPOSSIBLE).collect()))
                .or_insert(next);
            if class == next {
                cells.push(cell);
                costs.iter_mut().zip(of_kind()).for_each(|(costs, cost)| costs.push(cost));
            } else {
                let possible = costs.iter_mut().zip(of_kind()).filter(|(_, cost)| *cost != IMPOSSIBLE);
                possible.for_each(|(costs, cost)| costs[class] += cost);
            }
        }
        let placements = (0..costs.len())
            .filter(|placement| costs[*placement].iter().any(|cost| *cost != IMPOSSIBLE))
            .filter(|placement| !costs[..*placement].contains(&costs[*placement]))
            .collect();
        let varies = |property: &u8| {
            let values = &properties[usize::from(*property)];
            values.iter().any(|value| *value != values[0])
        };
        let varying = (0..properties.len() as u8).filter(varies).collect();
        let shared = vocabulary.shared_lines(pattern).into_iter();
        let shared = shared.map(|placement| LineSpec { bounds: Vec::new(), placement }).collect();
        PatternSearch { cells, properties, varying, costs, shared, placements }
    }

    /// The lists that a search starts from: no line, and only the shared lines.
    pub(super) fn first_lists(&self) -> [LineList; 2] {
        [Vec::new(), self.shared.clone()].map(|lines| LineList { cost: self.cost(&lines), lines })
    }

    /// Positions of the lines that the search may replace: all but the shared ones.
    fn own_lines(&self, lines: &[LineSpec]) -> Vec<usize> {
        (0..lines.len()).filter(|line| !self.shared.contains(&lines[*line])).collect()
    }

    /// Cost of a list of lines.
    pub(super) fn cost(&self, lines: &[LineSpec]) -> i64 {
        self.decide(lines).iter().map(|(_, cost)| cost).sum()
    }

    /// For each line, whether it decides a hand, and whether it fits a hand that it cannot set.
    pub(super) fn uses(&self, lines: &[LineSpec]) -> Vec<LineUse> {
        let mut uses = vec![LineUse::default(); lines.len()];
        let decided = self.decide(lines);
        for (class, (decided, _)) in decided.iter().enumerate() {
            for (index, line) in lines.iter().enumerate().take(usize::from(*decided)) {
                uses[index].fails |= self.fits(class, &line.bounds);
            }
            if let Some(line) = uses.get_mut(usize::from(*decided)) {
                line.decides = true;
            }
        }
        uses
    }

    /// Finds lists with one more line than the given ones.
    pub(super) fn longer_lists(&self, lists: &[LineList], progress: Progress<'_>) -> Vec<LineList> {
        let insertions: Vec<(&LineList, Decided, usize)> = lists
            .iter()
            .flat_map(|list| (0..=list.lines.len()).map(move |at| (list, self.decide(&list.lines), at)))
            .collect();
        let longer = insertions.par_iter().flat_map_iter(|(list, decided, position)| {
            progress(0);
            self.savings(decided, *position, INSERTED).into_iter().map(|saving| {
                let mut lines = list.lines.clone();
                lines.insert(*position, saving.line);
                LineList { lines, cost: list.cost - saving.saved }
            })
        });
        self.refine_all(distinct(longer.collect()), progress)
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
        let mut all = self.refine_all(distinct(shorter), progress);
        all.extend_from_slice(known);
        all = distinct(all);
        all.truncate(LISTS);
        all
    }

    /// Refines the best lists.
    fn refine_all(&self, mut lists: Vec<LineList>, progress: Progress<'_>) -> Vec<LineList> {
        lists.truncate(LISTS);
        distinct(lists.into_par_iter().map(|list| self.refine(list, progress)).collect())
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
    pub(super) fn best_insertion(
        &self,
        lines: &[LineSpec],
        position: usize,
    ) -> Option<(usize, LineSpec, i64)> {
        let decided = self.decide(lines);
        let mut positions = [0, position.min(lines.len()), lines.len()].to_vec();
        positions.dedup();
        let insertions = positions.into_par_iter().filter_map(|position| {
            let best = self.savings(&decided, position, 1).into_iter().next()?;
            Some((position, best.line, best.saved))
        });
        insertions.collect::<Vec<_>>().into_iter().max_by_key(|(_, _, saved)| *saved)
    }

    /// Whether two placements cost the same for every class of the pattern, in units of the vocabulary.
    pub(super) fn sets_alike(&self, one: usize, other: usize) -> bool {
        one == other || self.costs[one] == self.costs[other]
    }

    /// Applies lines to every class.
    fn decide(&self, lines: &[LineSpec]) -> Decided {
        let mut decided: Decided = vec![(u16::MAX, 0); self.costs[0].len()];
        for (index, line) in lines.iter().enumerate() {
            for (class, (decided, cost)) in decided.iter_mut().zip(&self.costs[line.placement]).enumerate() {
                if decided.0 == u16::MAX && *cost != IMPOSSIBLE && self.fits(class, &line.bounds) {
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

    fn fits(&self, class: usize, bounds: &[Bounds]) -> bool {
        self.cell_fits(self.cells[class] as usize, bounds)
    }

    fn cell_fits(&self, cell: usize, bounds: &[Bounds]) -> bool {
        bounds.iter().all(|bounds| {
            let value = self.properties[usize::from(bounds.property)][cell];
            (bounds.low..=bounds.high).contains(&value)
        })
    }
}

/// Sorts lists by their cost, and removes all but the first of those with equal cost.
fn distinct(mut lists: Vec<LineList>) -> Vec<LineList> {
    lists.sort_by(|one, other| (one.cost, &one.lines).cmp(&(other.cost, &other.lines)));
    lists.dedup_by_key(|list| list.cost);
    lists
}
