//! Comparison of a million random rounds with the reference implementation.

use super::kit::{describe, differences, settle};
use super::random_rounds::deal;
use super::reference::{LineKind, LineParty, ReferenceSettlement, reference_settlement};
use super::tables::{TABLES, table};
use paigow::Outcome;
use paigow_testkit::Rng;
use std::collections::BTreeMap;

/// Number of occurrences of each case.
type Tally = BTreeMap<&'static str, u64>;

/// Cases that must occur often in a million rounds. The comparison proves nothing for cases that do not occur.
const REQUIRED_CASES: [&str; 25] = [
    "a side wager in action in part",
    "a side wager without action",
    "an envy bonus that is not paid",
    "a player's fee on a side wager",
    "a banker's fee on side wagers",
    "a base win",
    "a base loss",
    "a base push",
    "a foul",
    "a base win less a commission",
    "a base wager covered in part",
    "a base wager without action",
    "the dealer's hand wins",
    "the dealer's hand loses",
    "the dealer's hand pushes",
    "the dealer's wager is returned",
    "a side win",
    "a side loss",
    "a side push",
    "a side win that is limited",
    "an envy bonus",
    "several envy bonuses",
    "a banker's commission",
    "a player's fee",
    "a banker's fee",
];

fn tally_cases(settled: &ReferenceSettlement, tally: &mut Tally) {
    let mut count = |name: &'static str| *tally.entry(name).or_default() += 1;
    for (&(party, wager, kind), amounts) in &settled.lines {
        let has = |kind: LineKind| settled.lines.contains_key(&(party, wager, kind));
        count(match (party, kind, amounts.outcome) {
            (LineParty::Dealer, LineKind::Returned, _) => "the dealer's wager is returned",
            (LineParty::Dealer, _, Some(Outcome::Win)) => "the dealer's hand wins",
            (LineParty::Dealer, _, Some(Outcome::Lose)) => "the dealer's hand loses",
            (LineParty::Dealer, ..) => "the dealer's hand pushes",
            (_, LineKind::Unpaid, _) => "an envy bonus that is not paid",
            (_, LineKind::Returned, _) if wager.is_some() && has(LineKind::Played) => {
                "a side wager in action in part"
            }
            (_, LineKind::Returned, _) if wager.is_some() => "a side wager without action",
            (_, LineKind::Returned, _) if has(LineKind::Played) => "a base wager covered in part",
            (_, LineKind::Returned, _) => "a base wager without action",
            (_, LineKind::Envy, _) if amounts.net > 500_000 => "several envy bonuses",
            (_, LineKind::Envy, _) => "an envy bonus",
            (_, LineKind::Commission, _) => "a banker's commission",
            (LineParty::Banker, ..) if wager.is_some() => "a banker's fee on side wagers",
            (LineParty::Banker, ..) => "a banker's fee",
            (_, LineKind::Collection, _) if wager.is_some() => "a player's fee on a side wager",
            (_, LineKind::Collection, _) => "a player's fee",
            (_, LineKind::Played, Some(Outcome::Foul)) => "a foul",
            (_, LineKind::Played, Some(Outcome::Lose)) if wager.is_none() => "a base loss",
            (_, LineKind::Played, Some(Outcome::Lose)) => "a side loss",
            (_, LineKind::Played, Some(Outcome::Push)) if wager.is_none() => "a base push",
            (_, LineKind::Played, Some(Outcome::Push)) => "a side push",
            (_, LineKind::Played, _) if wager.is_some() && amounts.net % amounts.stake != 0 => {
                "a side win that is limited"
            }
            (_, LineKind::Played, _) if wager.is_some() => "a side win",
            (_, LineKind::Played, _) if amounts.fee > 0 => "a base win less a commission",
            (_, LineKind::Played, _) => "a base win",
        });
    }
}

/// Compares random rounds of a table with the reference.
fn compare_with_reference(number: usize, rounds: usize) -> Tally {
    let table_rules = table(TABLES[number]);
    let mut rng = Rng::new(number as u64);
    let mut tally = Tally::new();
    for _ in 0..rounds {
        let round = deal(&mut rng, &table_rules);
        let (settled, reference) = (settle(&round), reference_settlement(&round));
        let same = settled == reference;
        assert!(same, "{}\n{}\n{}", TABLES[number], differences(&settled, &reference), describe(&round));
        tally_cases(&settled, &mut tally);
    }
    tally
}

#[test]
fn a_million_rounds_match_the_reference() {
    let share = 1_000_000_usize.div_ceil(TABLES.len());
    let half = |parity: usize| -> Vec<Tally> {
        let numbers = (0..TABLES.len()).filter(|number| number % 2 == parity);
        numbers.map(|number| compare_with_reference(number, share)).collect()
    };
    let tallies = std::thread::scope(|scope| {
        let halves = [0, 1].map(|parity| scope.spawn(move || half(parity)));
        halves.map(|half| half.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).concat()
    });
    let mut total = Tally::new();
    for (name, count) in tallies.into_iter().flatten() {
        *total.entry(name).or_default() += count;
    }
    for name in REQUIRED_CASES {
        let count = total.get(name).copied().unwrap_or(0);
        assert!(count >= 1_000, "{name} occurred {count} times");
    }
}
