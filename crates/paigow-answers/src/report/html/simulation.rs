//! Simulated rounds in a report.

use super::html_document::{HtmlDocument, key, number, text};
use super::markup::{Markup, count, minus, percent, root_percent};
use crate::report::GameReport;
use crate::simulate::SimulatedWager;

pub(super) fn section(page: &mut HtmlDocument, report: &GameReport) {
    page.section("Simulation beside the exact figures");
    page.paragraph(format!(
        "The program plays random rounds with the same code that settles rounds at a table: shuffle, deal, setting by the house \
         way, settlement. Each run has {} rounds at a full table, every player makes every wager, and random numbers come from \
         ChaCha8 with seed {}, so that the same program plays the same rounds on any machine. The deviation is the observed \
         minus the exact edge in standard errors of the round; beyond ±4, which chance exceeds about once in sixteen thousand \
         results, a result is flagged. The edges include the rounding of the commission, collection fees and payout maxima at \
         the simulated stakes.",
        count(report.choices.rounds),
        report.choices.seed
    ));
    let runs = (1..).zip(&report.simulation).map(|(number, run): (usize, _)| {
        let posted: Vec<String> =
            run.paytables.iter().map(|(wager, table)| format!("{wager} {table}")).collect();
        let posted = if posted.is_empty() { "the default paytables".to_owned() } else { posted.join(", ") };
        let banker = if run.banker == "dealer" { "dealer".to_owned() } else { run.banker.replace('-', " ") };
        vec![
            number.to_string().into(),
            posted.into(),
            banker.into(),
            run.seats.to_string().into(),
            count(run.rounds).into(),
        ]
    });
    page.short_table(
        "Runs of the simulation. Together they post every available paytable.",
        &[key("Run"), text("Posted paytables"), key("Banker"), number("Seats"), number("Rounds")],
        runs,
    );
    // A wager with the same paytable has the same result in every run with the same banker. It is shown once.
    let mut shown: Vec<(&str, &SimulatedWager)> = Vec::new();
    let mut rows = Vec::new();
    for (number, run) in (1..).zip(&report.simulation) {
        for wager in &run.wagers {
            if !shown.contains(&(run.banker.as_str(), wager)) {
                shown.push((&run.banker, wager));
                rows.push(row(report, number, wager));
            }
        }
    }
    page.table(
        "Simulated results beside the exact figures. Results that repeat in later runs are shown once.",
        &[
            key("Run"),
            text("Wager"),
            key("Paytable"),
            number("Hands"),
            number("Observed edge"),
            number("Exact edge"),
            number("Std. error"),
            number("Deviation"),
            key("Result"),
        ],
        rows,
    );
}

fn row(report: &GameReport, run: usize, wager: &SimulatedWager) -> Vec<Markup> {
    let title = report.wagers.iter().find(|found| found.odds.wager == wager.wager);
    let mut name = match (title, wager.banking) {
        (Some(found), _) => found.title.clone(),
        (None, true) => "Banking seat".to_owned(),
        (None, false) => "Base game".to_owned(),
    };
    if wager.envy {
        name += " with envy";
    }
    if !wager.commission {
        name += ", before commission";
    }
    let error = wager.standard_error.as_ref().map(|error| root_percent(&error.0, 4));
    let unknown = || "unknown".to_owned();
    let result = match (wager.flagged, &wager.deviation) {
        (true, _) => "FLAGGED",
        (false, Some(_)) => "consistent",
        (false, None) => "unknown",
    };
    vec![
        run.to_string().into(),
        name.into(),
        wager.paytable.clone().unwrap_or_default().into(),
        count(wager.hands).into(),
        percent(&wager.observed_edge.0, 4).into(),
        wager.exact_edge.as_ref().map_or_else(unknown, |edge| percent(&edge.0, 4)).into(),
        error.unwrap_or_else(unknown).into(),
        wager.deviation.as_deref().map_or_else(unknown, minus).into(),
        result.into(),
    ]
}
