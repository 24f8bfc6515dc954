//! Simulated rounds beside the exact figures.
//!
//! A run posts one paytable of each offered wager. The runs of a report post every available paytable once, and all
//! have the same seed, so they play the same deals. If seats may bank beside the dealer, a last run has a banking seat.

use super::ReportChoices;
use crate::random::random_words;
use crate::simulate::SimulatedWager;
use crate::{CacheKey, Decimal, Exact, SquareRoot, Work};
use paigow::rulebook::{Banker, SideWager};
use paigow::{Joker, Rulebook, Seat, TableRules};
use paigow_math::{Fraction, Simulation};
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// Simulated rounds of one table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SimulationRun {
    /// Posted paytables: name of the wager and of the paytable.
    pub paytables: Vec<(String, String)>,
    /// `dealer`, or the seat that banks.
    pub banker: String,
    /// Number of seats that play, with a banking seat.
    pub seats: u8,
    /// Number of rounds.
    pub rounds: u64,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Results of each wager.
    pub wagers: Vec<SimulatedWager>,
}

/// Plays the runs of a report.
pub(super) fn runs(table_rules: &TableRules, choices: &ReportChoices, work: &Work) -> Vec<SimulationRun> {
    let book = table_rules.book();
    let mut runs = Vec::new();
    for posted in posted_sets(book) {
        // A set of available paytables with one use of the joker is always posted.
        if let Ok(rules) = TableRules::new(book.clone(), &posted) {
            runs.extend(run(&rules, posted, None, choices, work));
        }
    }
    let banking = &book.banking;
    if banking.seats_may_bank() && banking.bankers.contains(&Banker::Dealer) {
        runs.extend(run(table_rules, Vec::new(), Some(Seat::FIRST), choices, work));
    }
    runs
}

/// Sets of paytables that together post every available paytable, each with one use of the joker. The first has the
/// default paytables.
fn posted_sets(book: &Arc<Rulebook>) -> Vec<Vec<(String, String)>> {
    let offered: Vec<&SideWager> = book.wagers.iter().filter(|wager| wager.offered).collect();
    let mut sets = vec![Vec::new()];
    for joker in Joker::ALL {
        let tables = |wager: &SideWager| -> Vec<String> {
            let fits = wager.paytables.iter().filter(|table| table.available && table.joker == joker);
            let mut names: Vec<String> = fits.map(|table| table.name.clone()).collect();
            names.sort_by_key(|name| *name != wager.default);
            names
        };
        let lists: Vec<Vec<String>> = offered.iter().map(|wager| tables(wager)).collect();
        // Every wager needs a paytable for this use of the joker.
        if lists.iter().any(Vec::is_empty) {
            continue;
        }
        for index in 0..lists.iter().map(Vec::len).max().unwrap_or(0) {
            let post = |(wager, names): (&&SideWager, &Vec<String>)| {
                (wager.name.clone(), names[index.min(names.len() - 1)].clone())
            };
            let set: Vec<(String, String)> = offered.iter().zip(&lists).map(post).collect();
            let is_default = set.iter().zip(&offered).all(|((_, table), wager)| *table == wager.default);
            if is_default { sets[0] = set } else { sets.push(set) }
        }
    }
    sets
}

/// Plays one run, or reads it from the cache. Returns `None` if the rules refuse such a table.
fn run(
    rules: &TableRules,
    paytables: Vec<(String, String)>,
    banker: Option<Seat>,
    choices: &ReportChoices,
    work: &Work,
) -> Option<SimulationRun> {
    let book = rules.book();
    let seats = book.seats.players;
    let simulation = Simulation::new(rules, &book.house_way, seats, banker).ok()?;
    let banker = simulation.banker().map_or("dealer".to_owned(), |seat| format!("seat-{}", seat.number()));
    let [seed, rounds] = [choices.seed, choices.rounds].map(|number| number.to_string());
    let key = CacheKey::of("report simulation with errors", &[&rules.digest(), &banker, &seed, &rounds]);
    let wagers = work.cached_long(
        &key,
        read,
        |wagers| write(wagers),
        || {
            let tallies = work.with_progress("simulated rounds", choices.rounds, |progress| {
                simulation.play(choices.rounds, |block| random_words(choices.seed, block), progress)
            });
            let comparisons = simulation.compare(&tallies, &|sides| work.base_game(sides));
            comparisons.iter().map(|comparison| SimulatedWager::of(comparison, rules)).collect()
        },
    );
    Some(SimulationRun { paytables, banker, seats, rounds: choices.rounds, seed: choices.seed, wagers })
}

/// Key of the cache for the square of the standard error, whose root is a decimal.
const ERROR_SQUARED: &str = "error_squared";

fn write(wagers: &[SimulatedWager]) -> Value {
    let wager = |wager: &SimulatedWager| {
        let mut value = json!(wager);
        value[ERROR_SQUARED] = json!(wager.standard_error.as_ref().map(|error| error.0.to_string()));
        value
    };
    wagers.iter().map(wager).collect()
}

fn read(value: &Value) -> Option<Vec<SimulatedWager>> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    // A missing number is `Some(None)`, a damaged one is `None`.
    let fraction = |value: &Value| match value {
        Value::Null => Some(None),
        number => Fraction::parse(number.as_str()?).map(Some),
    };
    let wager = |value: &Value| {
        let count = |key: &str| value[key].as_u64();
        let flag = |key: &str| value[key].as_bool();
        let observed = fraction(&value["observed_edge_exact"])??;
        let exact = fraction(&value["exact_edge_exact"])?;
        Some(SimulatedWager {
            wager: text(&value["wager"])?,
            paytable: text(&value["paytable"]),
            envy: flag("envy")?,
            banking: flag("banking")?,
            commission: flag("commission")?,
            hands: count("hands")?,
            win: count("win")?,
            push: count("push")?,
            lose: count("lose")?,
            observed_edge: Decimal(observed.clone()),
            observed_edge_exact: Exact(observed),
            exact_edge: exact.clone().map(Decimal),
            exact_edge_exact: exact.map(Exact),
            standard_error: fraction(&value[ERROR_SQUARED])?.map(SquareRoot),
            deviation: text(&value["deviation"]),
            flagged: flag("flagged")?,
        })
    };
    value.as_array()?.iter().map(wager).collect()
}
