//! Search for the line that saves most at a position of a list.
//!
//! One condition on a line, and two conditions with open bounds, are tried exhaustively. A third is added to the best of
//! them. No line saves more than the sum of the positive gains of its placement, so placements below the best lines
//! found are skipped.

use super::{Decided, LineSpec, PatternSearch};
use crate::card_search::placement::IMPOSSIBLE;
use crate::card_search::property::{ABSENT, Bounds, VALUES_MAX};
use std::cmp::Reverse;

/// Number of lines that are extended by another condition, for each placement.
const EXTENDED: usize = 16;
/// Another condition must save at least 1 / `CONDITION_GAIN` of what the line saves.
const CONDITION_GAIN: i64 = 200;

/// A line with the cost that it saves.
pub(super) struct Saving {
    pub(super) line: LineSpec,
    pub(super) saved: i64,
}

/// Cost that a line saves for each cell, by the index of the cell.
type Gains = Vec<(u32, i64)>;

/// Sum of the positive gains: no condition saves more.
fn most(gains: &Gains) -> i64 {
    gains.iter().map(|(_, gain)| (*gain).max(0)).sum()
}

impl PatternSearch {
    /// Finds the lines that save most when inserted at a position, at most `count`, the best first.
    pub(super) fn savings(&self, decided: &Decided, position: usize, count: usize) -> Vec<Saving> {
        let mut candidates: Vec<(i64, usize, Gains)> = self
            .placements
            .iter()
            .map(|&placement| {
                let gains = self.gains(decided, position, placement);
                (most(&gains), placement, gains)
            })
            .collect();
        // No line of a placement saves more than the sum of its positive gains.
        candidates.sort_by_key(|(most, placement, _)| (Reverse(*most), *placement));
        let mut best: Vec<Saving> = Vec::new();
        for (most, placement, gains) in candidates {
            let least = best.get(count - 1).map_or(1, |saving| saving.saved);
            if most < least {
                break;
            }
            let found = self.conditions(&gains, least).into_iter();
            best.extend(found.map(|(bounds, saved)| Saving { line: LineSpec { bounds, placement }, saved }));
            best.sort_by_key(|Saving { line, saved }| (Reverse(*saved), line.bounds.len(), line.clone()));
            best.truncate(count);
        }
        best
    }

    /// Cost that a placement saves for each cell, without cells for which it saves nothing.
    fn gains(&self, decided: &Decided, position: usize, placement: usize) -> Gains {
        let mut gains = vec![0; self.properties[0].len()];
        for (((line, before), cost), cell) in decided.iter().zip(&self.costs[placement]).zip(&self.cells) {
            if usize::from(*line) >= position && *cost != IMPOSSIBLE {
                gains[*cell as usize] += before - cost;
            }
        }
        (0..).zip(gains).filter(|(_, gain)| *gain != 0).collect()
    }

    /// Finds conditions under which the sum of the gains is at least `least`, with the sums.
    fn conditions(&self, gains: &Gains, least: i64) -> Vec<(Vec<Bounds>, i64)> {
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
            let fitting = |(cell, _): &&(u32, i64)| self.cell_fits(*cell as usize, &bounds);
            let gains: Gains = gains.iter().filter(fitting).copied().collect();
            if most(&gains) < least {
                continue;
            }
            self.add_bounds(&gains, &bounds, |more, sum| {
                if is_worth_it(sum, before) {
                    let mut all = [&bounds[..], &[more]].concat();
                    all.sort_unstable();
                    found.push((all, sum));
                }
            });
        }
        found.retain(|(_, sum)| *sum >= least);
        found
    }

    /// Cost that a line of a list saves for each value of the property of one of its conditions, if its other conditions
    /// hold. The last entry has the cost for hands without the property.
    pub(in crate::card_search) fn savings_by_value(
        &self,
        lines: &[LineSpec],
        position: usize,
        condition: usize,
    ) -> [i64; VALUES_MAX + 1] {
        let mut without = lines.to_vec();
        let mut line = without.remove(position);
        let values = &self.properties[usize::from(line.bounds.remove(condition).property)];
        let mut sums = [0; VALUES_MAX + 1];
        for (cell, gain) in self.gains(&self.decide(&without), position, line.placement) {
            let cell = cell as usize;
            if self.cell_fits(cell, &line.bounds) {
                sums[usize::from(values[cell]).min(VALUES_MAX)] += gain;
            }
        }
        sums
    }

    /// Calls `add` with the best bounds on each property that varies, and the sum of the gains within them.
    fn add_bounds(&self, gains: &[(u32, i64)], used: &[Bounds], mut add: impl FnMut(Bounds, i64)) {
        let is_unused = |property: &&u8| used.iter().all(|bounds| bounds.property != **property);
        for &property in self.varying.iter().filter(is_unused) {
            let values = &self.properties[usize::from(property)];
            let mut sums = [0i64; 32];
            for (cell, gain) in gains {
                let value = values[*cell as usize];
                if value != ABSENT {
                    sums[usize::from(value)] += gain;
                }
            }
            let count = Bounds::values(property);
            let mut best: Vec<(i64, Bounds)> = Vec::new();
            for low in 0..count {
                let mut sum = 0;
                for high in low..count {
                    sum += sums[usize::from(high)];
                    let bounds = Bounds { property, low, high };
                    if (low > 0 || high + 1 < count) && bounds.phrase().is_some() {
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
        // `below[i][j]` is the sum of the gains of cells with values less than i and j.
        let mut below = [[0i64; VALUES_MAX + 1]; VALUES_MAX + 1];
        let [ones, others] = [one, other].map(|property| &self.properties[usize::from(property)]);
        for (cell, gain) in gains {
            let (i, j) = (usize::from(ones[*cell as usize]), usize::from(others[*cell as usize]));
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
            let count = usize::from(Bounds::values(property));
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
