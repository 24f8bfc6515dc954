//! `paigow simulate`: plays random rounds and compares the results with the exact odds.

use crate::answer::{Answer, Cell, Format, Sheet, with_separators};
use crate::args::SimulateArgs;
use crate::numbers::{decimal, percent};
use crate::{Failure, bar, files, print};
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use paigow::{Refusal, Rulebook, Seat, TableRules};
use paigow_answers::DIGITS;
use paigow_math::{Comparison, Fraction, Simulation, TalliedWager};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;

pub(crate) fn run(args: &SimulateArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    let mut book = files::book(&args.book, &args.changes.set)?;
    if let Some(name) = &args.house_way {
        book.house_way = Arc::new(files::house_way(name)?);
    }
    let player_way = match &args.player_house_way {
        Some(name) => Arc::new(files::house_way(name)?),
        None => book.house_way.clone(),
    };
    let seats_max = book.seats.players;
    let seats = seat_within("--seats", args.seats.unwrap_or(seats_max), seats_max)?;
    let banker = args.banker.map(|number| seat_within("--banker", number, seats.number())).transpose()?;
    check_paytables(&book, &args.paytables)?;
    let table_rules =
        TableRules::new(Arc::new(book), &args.paytables).map_err(|refusals| refused(&refusals))?;
    let simulation =
        Simulation::new(&table_rules, &player_way, seats.number(), banker).map_err(|refusals| {
            // If the only seat banks, no seat can wager.
            match &refusals[..] {
                [Refusal::NoWagers] => Failure::Refused(format!(
                    "--seats must be from 2 to {seats_max} if a seat is the {}",
                    table_rules.book().terms.banker
                )),
                _ => refused(&refusals),
            }
        })?;

    let work = bar::work(&args.work);
    let tallies = work.with_progress("playing", args.rounds, |progress| {
        simulation.play(args.rounds, |block| random_words(args.seed, block), progress)
    });
    let comparisons = simulation.compare(&tallies, &|sides| work.base_game(sides));
    let flagged = comparisons.iter().filter(|comparison| comparison.is_flagged()).count();
    print(&answer(args, &simulation, seats, &comparisons), format, out)?;
    if flagged > 0 {
        let all = comparisons.len();
        return Err(Failure::Refused(format!(
            "{flagged} of {all} results deviate too far from the exact odds"
        )));
    }
    Ok(())
}

/// Reports all unknown wagers and paytables, and all wagers that are given twice.
fn check_paytables(book: &Rulebook, given: &[(String, String)]) -> Result<(), Failure> {
    let mut faults = Vec::new();
    for (index, (name, paytable)) in given.iter().enumerate() {
        if given[..index].iter().any(|(other, _)| other == name) {
            faults.push(format!("--paytable names {name} twice"));
        }
        let (kind, missing, known) = match book.wager(name) {
            None => {
                let known = book.wagers.iter().map(|wager| wager.name.as_str()).collect::<Vec<_>>();
                ("wager", name, known)
            }
            Some(wager) if wager.paytable(paytable).is_none() => {
                ("paytable", paytable, wager.paytables.iter().map(|table| table.name.as_str()).collect())
            }
            Some(_) => continue,
        };
        faults.push(format!("there is no {kind} `{missing}`; there are {}", known.join(", ")));
    }
    if faults.is_empty() { Ok(()) } else { Err(Failure::Refused(faults.join("\npaigow: "))) }
}

fn refused(refusals: &[Refusal]) -> Failure {
    let reasons: Vec<String> = refusals.iter().map(ToString::to_string).collect();
    Failure::Refused(reasons.join("; "))
}

fn seat_within(option: &str, number: u8, max: u8) -> Result<Seat, Failure> {
    let seat = Seat::new(number).filter(|seat| seat.number() <= max);
    seat.ok_or_else(|| Failure::Refused(format!("{option} must be from 1 to {max} here, not {number}")))
}

/// Generates the random numbers of a block of rounds. Each block has its own stream under the same key.
fn random_words(seed: u64, block: u64) -> impl FnMut() -> u64 {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(block);
    move || random.next_u64()
}

fn answer(
    args: &SimulateArgs,
    simulation: &Simulation<'_>,
    seats: Seat,
    comparisons: &[Comparison],
) -> Answer {
    let book = simulation.table_rules().book();
    let banker = simulation.banker().map_or("dealer".to_owned(), |seat| format!("seat-{}", seat.number()));
    let wagers: Vec<Value> = comparisons.iter().map(|comparison| wager(simulation, comparison)).collect();
    let json = json!({
        "book": book.id,
        "rounds": args.rounds,
        "seats": seats.number(),
        "seed": args.seed,
        "banker": banker,
        "wagers": wagers,
        "flagged": comparisons.iter().filter(|comparison| comparison.is_flagged()).count(),
    });
    let banker_seat = simulation.banker().map_or("the dealer".to_owned(), |seat| seat.to_string());
    let banks = format!("{}: {banker_seat}", book.terms.banker);
    let sheet = Sheet {
        title: format!(
            "{}: {} rounds, seats: {}, {banks}, seed {}",
            book.title,
            with_separators(args.rounds),
            seats.number(),
            args.seed
        ),
        columns: vec![
            "wager",
            "paytable",
            "hands",
            "observed edge",
            "exact edge",
            "standard error",
            "deviation",
            "result",
        ],
        rows: comparisons.iter().map(|comparison| row(simulation, comparison)).collect(),
    };
    Answer { json, sheets: vec![sheet] }
}

fn wager(simulation: &Simulation<'_>, comparison: &Comparison) -> Value {
    let table_rules = simulation.table_rules();
    let (name, paytable) = match comparison.wager {
        TalliedWager::PaiGow | TalliedWager::Banking { .. } => ("pai-gow", None),
        TalliedWager::Side(index) | TalliedWager::SideWithEnvy(index) => {
            (table_rules.wager(index).name.as_str(), Some(table_rules.paytable(index).name.as_str()))
        }
    };
    json!({
        "wager": name,
        "paytable": paytable,
        "envy": matches!(comparison.wager, TalliedWager::SideWithEnvy(_)),
        "banking": matches!(comparison.wager, TalliedWager::Banking { .. }),
        "commission": !matches!(comparison.wager, TalliedWager::Banking { commission: false }),
        "hands": comparison.hands,
        "win": comparison.win,
        "push": comparison.push,
        "lose": comparison.lose,
        "observed_edge": decimal(&comparison.observed),
        "observed_edge_exact": comparison.observed.to_string(),
        "exact_edge": comparison.exact.as_ref().map(decimal),
        "exact_edge_exact": comparison.exact.as_ref().map(ToString::to_string),
        "standard_error": comparison.standard_error(DIGITS),
        "deviation": comparison.deviation(2),
        "flagged": comparison.is_flagged(),
    })
}

fn row(simulation: &Simulation<'_>, comparison: &Comparison) -> Vec<Cell> {
    let table_rules = simulation.table_rules();
    let title = |index: usize| table_rules.wager(index).title.clone();
    let banker = &table_rules.book().terms.banker;
    let name = match comparison.wager {
        TalliedWager::PaiGow => "Pai Gow".to_owned(),
        TalliedWager::Banking { commission: true } => format!("Pai Gow, {banker}"),
        TalliedWager::Banking { commission: false } => format!("Pai Gow, {banker}, before commission"),
        TalliedWager::Side(index) => title(index),
        TalliedWager::SideWithEnvy(index) => format!("{} with envy", title(index)),
    };
    let paytable = match comparison.wager {
        TalliedWager::PaiGow | TalliedWager::Banking { .. } => "",
        TalliedWager::Side(index) | TalliedWager::SideWithEnvy(index) => &table_rules.paytable(index).name,
    };
    let hundred = Fraction::new(100, 1);
    let percent = |fraction: &Fraction| percent(fraction, 4);
    let error = comparison.error_squared.as_ref();
    let error = error.map(|error| format!("{} %", (error * &hundred.squared()).root(4)));
    let unknown = || "unknown".to_owned();
    vec![
        name.into(),
        paytable.into(),
        comparison.hands.into(),
        percent(&comparison.observed).into(),
        comparison.exact.as_ref().map_or_else(unknown, percent).into(),
        error.unwrap_or_else(unknown).into(),
        comparison.deviation(2).unwrap_or_else(unknown).into(),
        match (comparison.is_flagged(), comparison.deviation(2)) {
            (true, _) => "FLAGGED: too far off",
            (false, Some(_)) => "consistent",
            (false, None) => "unknown",
        }
        .into(),
    ]
}

#[cfg(test)]
mod tests {
    use super::random_words;

    #[test]
    fn every_block_has_its_own_stream() {
        let first = |seed, block| random_words(seed, block)();
        assert_eq!(first(1, 0), first(1, 0));
        assert_ne!(first(1, 0), first(1, 1));
        assert_ne!(first(1, 0), first(2, 0));
    }
}
