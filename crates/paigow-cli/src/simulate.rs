//! `paigow simulate`: plays random rounds and compares the results with the exact odds.

use crate::answer::{Answer, Cell, Format, Sheet, with_separators};
use crate::args::SimulateArgs;
use crate::numbers::percent;
use crate::{Failure, bar, print};
use paigow::TableRules;
use paigow_answers::files::Files;
use paigow_answers::simulate::{SimulateAnswer, SimulateQuestion, SimulateRequest, SimulatedWager};
use paigow_math::Fraction;
use std::io::Write;

pub(crate) fn run(args: &SimulateArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    check_repeated(&args.paytables)?;
    let question = SimulateQuestion {
        book: args.book.clone(),
        rounds: args.rounds,
        seats: args.seats,
        seed: args.seed,
        banker: args.banker,
        paytables: args.paytables.iter().cloned().collect(),
        house_way: args.house_way.clone(),
        player_house_way: args.player_house_way.clone(),
        changes: args.changes.changes(),
    };
    let request = SimulateRequest::of(&question, &Files)?;
    let answer = request.answer(&bar::work(&args.work))?;
    print(&Answer::new(&answer, vec![sheet(&answer, &request.table_rules)])?, format, out)?;
    if answer.flagged > 0 {
        let (flagged, all) = (answer.flagged, answer.wagers.len());
        return Err(Failure::Refused(format!(
            "{flagged} of {all} results deviate too far from the exact odds"
        )));
    }
    Ok(())
}

/// Reports all wagers that are given twice.
fn check_repeated(given: &[(String, String)]) -> Result<(), Failure> {
    let is_repeated = |(index, (name, _)): &(usize, &(String, String))| {
        given[..*index].iter().any(|(other, _)| other == name)
    };
    let repeated = given.iter().enumerate().filter(is_repeated);
    let faults: Vec<String> =
        repeated.map(|(_, (name, _))| format!("--paytable names {name} twice")).collect();
    if faults.is_empty() { Ok(()) } else { Err(Failure::Refused(faults.join("\npaigow: "))) }
}

fn sheet(answer: &SimulateAnswer, table_rules: &TableRules) -> Sheet {
    let book = table_rules.book();
    let banker = match answer.banker.strip_prefix("seat-") {
        Some(number) => format!("seat {number}"),
        None => "the dealer".to_owned(),
    };
    Sheet {
        title: format!(
            "{}: {} rounds, seats: {}, {}: {banker}, seed {}",
            book.title,
            with_separators(answer.rounds),
            answer.seats,
            book.terms.banker,
            answer.seed
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
        rows: answer.wagers.iter().map(|wager| row(wager, table_rules)).collect(),
    }
}

fn row(wager: &SimulatedWager, table_rules: &TableRules) -> Vec<Cell> {
    let book = table_rules.book();
    let mut name = book.wager(&wager.wager).map_or("Pai Gow", |side| side.title.as_str()).to_owned();
    if wager.banking {
        name = format!("{name}, {}", book.terms.banker);
    }
    if wager.envy {
        name += " with envy";
    }
    if !wager.commission {
        name += ", before commission";
    }
    let hundred = Fraction::new(100, 1);
    let percent = |fraction: &Fraction| percent(fraction, 4);
    let error = wager.standard_error.as_ref();
    let error = error.map(|error| format!("{} %", (&error.0 * &hundred.squared()).root(4)));
    let unknown = || "unknown".to_owned();
    vec![
        name.into(),
        wager.paytable.as_deref().unwrap_or_default().into(),
        wager.hands.into(),
        percent(&wager.observed_edge.0).into(),
        wager.exact_edge.as_ref().map_or_else(unknown, |edge| percent(&edge.0)).into(),
        error.unwrap_or_else(unknown).into(),
        wager.deviation.clone().unwrap_or_else(unknown).into(),
        match (wager.flagged, &wager.deviation) {
            (true, _) => "FLAGGED: too far off",
            (false, Some(_)) => "consistent",
            (false, None) => "unknown",
        }
        .into(),
    ]
}
