//! Round numbers for the conditions of a card, where they cost nothing.
//!
//! The search keeps the bounds that save most. Other bounds often cost the same, because another line decides the hands
//! between them or because no hand is between them. Of those, the simplest are the easiest to remember.

use super::combine::{Combination, patterns_of};
use super::pattern_search::PatternSearch;
use super::property::{Bounds, VALUES_MAX};

/// Replaces the bounds of each condition by the simplest ones that cost nothing, and removes conditions that save nothing.
pub(super) fn simplify_bounds(searches: &[PatternSearch], mut card: Combination) -> Combination {
    for line in 0..card.lines.len() {
        for condition in (0..card.lines[line].1.bounds.len()).rev() {
            let sums = savings_by_value(searches, &card, line, condition);
            let saved = |bounds: Bounds| -> i64 {
                sums[usize::from(bounds.low)..=usize::from(bounds.high)].iter().sum()
            };
            let bounds = &mut card.lines[line].1.bounds;
            let before = saved(bounds[condition]);
            let without: i64 = sums.iter().sum();
            if without >= before {
                bounds.remove(condition);
                card.cost -= without - before;
                continue;
            }
            let simplest = all_bounds(bounds[condition].property)
                .filter(|bounds| saved(*bounds) >= before)
                .min_by_key(|bounds| (bounds.simplicity(), *bounds));
            if let Some(simplest) = simplest {
                card.cost -= saved(simplest) - before;
                bounds[condition] = simplest;
            }
        }
    }
    card
}

/// Cost that a line saves for each value of the property of one of its conditions, over all its patterns.
fn savings_by_value(
    searches: &[PatternSearch],
    card: &Combination,
    line: usize,
    condition: usize,
) -> [i64; VALUES_MAX + 1] {
    let mut sums = [0; VALUES_MAX + 1];
    for pattern in patterns_of(card.lines[line].0) {
        let position = card.lines[..line].iter().filter(|(patterns, _)| patterns >> pattern & 1 == 1).count();
        let of_pattern = searches[pattern].savings_by_value(&card.of_pattern(pattern), position, condition);
        sums.iter_mut().zip(of_pattern).for_each(|(sum, saved)| *sum += saved);
    }
    sums
}

/// All bounds on a property that a phrase has, without the bounds that every value is within.
fn all_bounds(property: u8) -> impl Iterator<Item = Bounds> {
    let count = Bounds::values(property);
    let pairs = (0..count).flat_map(move |low| (low..count).map(move |high| (low, high)));
    pairs
        .filter(move |(low, high)| *low > 0 || high + 1 < count)
        .map(move |(low, high)| Bounds { property, low, high })
        .filter(|bounds| bounds.is_valid())
}
