//! Combines lists for the group patterns into cards.
//!
//! Patterns are disjoint, so the costs of their lists add up, and lines of different patterns may be in any order. Lists
//! of two patterns that have a line in common share it. The combinations are searched pattern by pattern, and a few of
//! each number of lines survive. Then a card of n lines also comes from a card of n + 1 lines, by merging two lines into
//! one or by leaving one out.

use super::pattern_search::{LineList, LineSpec, PatternSearch};
use super::round_numbers::simplify_bounds;
use crate::progress::Progress;
use rayon::prelude::*;

/// Number of combinations of each number of lines that survive a step.
const COMBINATIONS: usize = 24;

/// Lines with the patterns they are for, without the last line of the card.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Combination {
    pub(super) lines: Vec<(u16, LineSpec)>,
    pub(super) cost: i64,
}

impl Combination {
    /// The lines for one pattern.
    pub(super) fn of_pattern(&self, pattern: usize) -> Vec<LineSpec> {
        let lines = self.lines.iter().filter(|(patterns, _)| patterns >> pattern & 1 == 1);
        lines.map(|(_, line)| line.clone()).collect()
    }

    /// Index at which a line is inserted so that it has this position among the lines of a pattern.
    fn index_of(&self, pattern: usize, position: usize) -> usize {
        let mut indices = (0..self.lines.len()).filter(|line| self.lines[*line].0 >> pattern & 1 == 1);
        indices.nth(position).unwrap_or(self.lines.len())
    }

    /// Adds the list of a pattern. A line that is already there is shared if the order of the lines allows it.
    fn with_list(&self, pattern: usize, list: &LineList) -> Combination {
        let mut lines = self.lines.clone();
        let mut next = 0;
        for line in &list.lines {
            if let Some(found) = lines[next..].iter().position(|(_, other)| other == line) {
                lines[next + found].0 |= 1 << pattern;
                next += found + 1;
            } else {
                lines.insert(next, (1 << pattern, line.clone()));
                next += 1;
            }
        }
        Combination { lines, cost: self.cost + list.cost }
    }
}

/// Finds combinations of each number of lines, up to `lines`. `lists` has the lists found for each pattern.
pub(super) fn combine(
    searches: &[PatternSearch],
    lists: &[Vec<LineList>],
    lines: usize,
    progress: Progress<'_>,
) -> Vec<Combination> {
    // Merging and leaving out starts from longer cards.
    let longest = lines + 6;
    let mut combined = vec![Combination { lines: Vec::new(), cost: 0 }];
    for (pattern, lists) in lists.iter().enumerate() {
        let all = combined
            .par_iter()
            .flat_map_iter(|combination| lists.iter().map(move |list| combination.with_list(pattern, list)));
        let mut all: Vec<Combination> =
            all.filter(|combination| combination.lines.len() <= longest).collect();
        all.par_sort_by(|one, other| {
            (one.lines.len(), one.cost)
                .cmp(&(other.lines.len(), other.cost))
                .then_with(|| one.lines.cmp(&other.lines))
        });
        all.dedup();
        let mut count = (0, 0);
        all.retain(|combination| {
            count = if combination.lines.len() == count.0 {
                (count.0, count.1 + 1)
            } else {
                (combination.lines.len(), 1)
            };
            count.1 <= COMBINATIONS
        });
        combined = all;
    }
    let best_of = |count: usize| {
        combined
            .iter()
            .filter(|combination| combination.lines.len() == count)
            .min_by_key(|combination| combination.cost)
    };
    let mut found: Vec<Combination> = Vec::new();
    for count in (0..=longest).rev() {
        let shorter = found.last().and_then(|longer| shorten(searches, longer));
        let best =
            best_of(count).cloned().into_iter().chain(shorter).min_by_key(|combination| combination.cost);
        let is_needed = count <= lines + 2;
        found.extend(best.map(|best| if is_needed { polish(searches, best, progress) } else { best }));
    }
    found.reverse();
    found.truncate(lines + 1);
    found.into_iter().map(|card| simplify_bounds(searches, card)).collect()
}

/// Indices of the patterns in a mask.
pub(super) fn patterns_of(mask: u16) -> impl Iterator<Item = usize> {
    (0..u16::BITS as usize).filter(move |pattern| mask >> pattern & 1 == 1)
}

/// Returns the best combination with one line less, by merging two lines that set alike or leaving one out.
fn shorten(searches: &[PatternSearch], longer: &Combination) -> Option<Combination> {
    let count = longer.lines.len();
    let without = (0..count).map(|removed| {
        let mut lines = longer.lines.clone();
        lines.remove(removed);
        lines
    });
    let pairs = (0..count).flat_map(|one| (0..count).map(move |other| (one, other)));
    let can_merge = |(one, other): &(usize, usize)| {
        let ((kept_for, kept), (removed_for, removed)) = (&longer.lines[*one], &longer.lines[*other]);
        let same_placement = |pattern: usize| searches[pattern].sets_alike(kept.placement, removed.placement);
        kept_for & removed_for == 0 && patterns_of(*removed_for).all(same_placement)
    };
    let merged = pairs.filter(can_merge).flat_map(|(kept, removed)| {
        // The kept line also serves the patterns of the removed one, at either position.
        [kept, removed].map(|position| {
            let mut lines = longer.lines.clone();
            lines[position] = (lines[kept].0 | lines[removed].0, lines[kept].1.clone());
            lines.remove(if position == kept { removed } else { kept });
            lines
        })
    });
    let all: Vec<Vec<(u16, LineSpec)>> = without.chain(merged).collect();
    let before: Vec<(Vec<LineSpec>, i64)> = (0..searches.len())
        .map(|pattern| {
            let lines = longer.of_pattern(pattern);
            let cost = searches[pattern].cost(&lines);
            (lines, cost)
        })
        .collect();
    all.into_par_iter()
        .map(|lines| {
            let mut combination = Combination { lines, cost: 0 };
            let costs =
                searches.iter().zip(&before).enumerate().map(|(pattern, (search, (before, cost)))| {
                    let lines = combination.of_pattern(pattern);
                    if lines == *before { *cost } else { search.cost(&lines) }
                });
            combination.cost = costs.sum();
            combination
        })
        .min_by(|one, other| one.cost.cmp(&other.cost).then_with(|| one.lines.cmp(&other.lines)))
}

/// Replaces each line by a better one for one of its patterns, once.
fn polish(searches: &[PatternSearch], combination: Combination, progress: Progress<'_>) -> Combination {
    let mut card = combination;
    for removed in 0..card.lines.len() {
        progress(0);
        let patterns = card.lines[removed].0;
        let mut without = card.clone();
        without.lines.remove(removed);
        let cost_of = |card: &Combination, pattern: usize| searches[pattern].cost(&card.of_pattern(pattern));
        let added: i64 =
            patterns_of(patterns).map(|pattern| cost_of(&without, pattern) - cost_of(&card, pattern)).sum();
        without.cost = card.cost + added;
        for pattern in patterns_of(patterns) {
            let lines = without.of_pattern(pattern);
            let position = card.of_pattern(pattern).iter().position(|line| *line == card.lines[removed].1);
            let position = position.unwrap_or_default();
            if let Some((position, line, saved)) = searches[pattern].best_insertion(&lines, position)
                && without.cost - saved < card.cost
            {
                let mut lines = without.lines.clone();
                lines.insert(without.index_of(pattern, position), (1 << pattern, line));
                card = Combination { lines, cost: without.cost - saved };
                break;
            }
        }
    }
    card
}
