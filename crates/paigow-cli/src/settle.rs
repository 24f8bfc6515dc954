//! `paigow settle`: settles a round line by line.

use crate::answer::{Answer, Cell, Format, Sheet};
use crate::args::SettleArgs;
use crate::{Failure, print};
use paigow::document::Source;
use paigow::document::ValueKind;
use paigow::{
    Amount, HandComparison, Net, Party, PlayedHand, Reason, Rulebook, Setting, Settlement, Showdown,
};
use paigow_answers::files::{self, Files, TextFileError};
use paigow_answers::settle::{self, SettleAnswer, SettledLine, StepWager};
use std::io::Write;
use std::path::Path;

/// Key of the banker in `net_cents` of an answer.
const BANKER: &str = "banker";

/// Prints the settlement, and fails if it differs from the expected settlement in the file.
pub(crate) fn run(args: &SettleArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    let source = source(args)
        .map_err(|reason| Failure::Refused(format!("{}: {reason}", args.file.to_string_lossy())))?;
    let (source, expected) = settle::split(&source);
    let round = settle::read(&source, &Files)?;
    let showdown = round.showdown().map_err(|refusals| settle::refusal_faults(&refusals))?;
    let settlement = Settlement::of(&showdown);
    let settled = SettleAnswer::of(&showdown, &settlement);
    let book = showdown.table_rules().book();
    let mut sheets = vec![hands(&showdown, &settlement), lines(&settled, book)];
    sheets.extend(assumed(&settled));
    sheets.extend([steps(&settled, book), nets(&settled, book)]);
    print(&Answer::new(&settled, sheets)?, format, out)?;
    let faults = settle::differences(expected.as_ref(), &showdown, &settlement);
    if faults.faults.is_empty() { Ok(()) } else { Err(faults.into()) }
}

fn source(args: &SettleArgs) -> Result<Source, TextFileError> {
    if args.file == "-" {
        return files::text("standard input", std::io::stdin().lock());
    }
    files::source(Path::new(&args.file))
}

/// Sheet of all hands, with the result of the comparison with the banker's.
fn hands(showdown: &Showdown<'_>, settlement: &Settlement) -> Sheet {
    let evaluator = showdown.table_rules().evaluator();
    let words = |setting: Setting| {
        (setting.low_strength.to_string(), evaluator.shape(setting.high_strength).to_string())
    };
    let compared = |party: Party| {
        settlement.lines().iter().find_map(|line| match line.reason {
            Reason::Compared { high, low } if line.who == party => Some((result(low), result(high))),
            _ => None,
        })
    };
    let row = |who: String, party: Option<Party>, hand: PlayedHand| -> Vec<Cell> {
        let (low_result, high_result) = party.and_then(compared).unwrap_or_default();
        match hand {
            PlayedHand::Set(setting) => {
                let (low, high) = words(setting);
                let cells = [
                    who,
                    setting.low.to_string(),
                    format!("{low}{low_result}"),
                    setting.high.to_string(),
                    format!("{high}{high_result}"),
                ];
                cells.into_iter().map(Cell::from).collect()
            }
            PlayedHand::Foul(foul) => {
                let cells = [
                    who,
                    foul.0.low.to_string(),
                    "foul".to_owned(),
                    foul.0.high.to_string(),
                    "foul".to_owned(),
                ];
                cells.into_iter().map(Cell::from).collect()
            }
        }
    };
    let banker = showdown.banking_seat();
    let term = &showdown.table_rules().book().terms.banker;
    let mut rows = Vec::new();
    if let Some(dealer) = showdown.dealer() {
        let who = if banker.is_none() { format!("dealer ({term})") } else { "dealer".to_owned() };
        rows.push(row(who, banker.map(|_| Party::Dealer), PlayedHand::Set(dealer.setting)));
    }
    for seat in showdown.seats() {
        let Some(player) = showdown.player(seat) else { continue };
        let banks = banker == Some(seat);
        let who = if banks { format!("{seat} ({term})") } else { seat.to_string() };
        rows.push(row(who, (!banks).then_some(Party::Seat(seat)), player.played));
    }
    let book = showdown.table_rules().book();
    Sheet {
        title: format!("{} ({})", book.title, evaluator.ranking()),
        columns: vec!["hand", "low hand", "", "high hand", ""],
        rows,
    }
}

fn result(compared: HandComparison) -> &'static str {
    match compared {
        HandComparison::Higher => " (wins)",
        HandComparison::Copy => " (copy)",
        HandComparison::Lower => " (loses)",
    }
}

fn lines(settled: &SettleAnswer, book: &Rulebook) -> Sheet {
    let step_of =
        |position: usize| settled.steps.iter().take_while(|step| step.first_line <= position).count();
    let rows = settled.lines.iter().enumerate().map(|(position, line)| {
        vec![
            step_of(position).to_string().into(),
            book.with_book_terms(&line.who).into(),
            line.wager.as_str().into(),
            Cell::amount(Amount::from_cents(line.stake_cents)),
            line.outcome.into(),
            Cell::net(Net::from_cents(line.net_cents)),
            line.because.as_str().into(),
            cite(line).into(),
        ]
    });
    Sheet {
        title: "Settlement".to_owned(),
        columns: vec!["step", "who", "wager", "stake", "outcome", "net", "reason", "cite"],
        rows: rows.collect(),
    }
}

/// Returns the citations of a line. For an assumed value it gives the path, which the sheet of assumed values explains.
fn cite(line: &SettledLine) -> String {
    let mut cites: Vec<String> = Vec::new();
    for value in &line.values {
        let assumed = value.kind == ValueKind::Assumed.name();
        let cite = if assumed { format!("assumed: {}", value.value) } else { value.cite.clone() };
        if !cites.contains(&cite) {
            cites.push(cite);
        }
    }
    cites.join("; ")
}

/// Sheet of the assumed values that decided lines, each listed once.
fn assumed(settled: &SettleAnswer) -> Option<Sheet> {
    let mut rows: Vec<(&str, &str)> = Vec::new();
    for value in settled.lines.iter().flat_map(|line| &line.values) {
        let row = (value.value.as_str(), value.cite.trim_start_matches("assumed: "));
        if value.kind == ValueKind::Assumed.name() && !rows.contains(&row) {
            rows.push(row);
        }
    }
    (!rows.is_empty()).then(|| Sheet {
        title: "Assumed values".to_owned(),
        columns: vec!["key", "reason"],
        rows: rows.into_iter().map(|(key, reason)| vec![key.into(), reason.into()]).collect(),
    })
}

fn steps(settled: &SettleAnswer, book: &Rulebook) -> Sheet {
    let wagers = |wagers: &[StepWager]| {
        let each = wagers.iter().map(|wager| format!("{} {}", wager.who, wager.wager));
        each.collect::<Vec<_>>().join(", ")
    };
    let rows = (1..).zip(&settled.steps).map(|(number, step): (usize, _)| {
        let net: i64 =
            settled.lines.iter().skip(step.first_line).take(step.lines).map(|line| line.net_cents).sum();
        vec![
            number.to_string().into(),
            step.part.into(),
            book.with_book_terms(&step.who).into(),
            Cell::net(Net::from_cents(net)),
            step.unreconciled.len().to_string().into(),
            wagers(&step.buttons).into(),
        ]
    });
    Sheet {
        title: "Steps".to_owned(),
        columns: vec!["step", "part", "who", "net", "wagers left", "envy markers on the table"],
        rows: rows.collect(),
    }
}

/// Sheet of the net results of all seats and the house.
///
/// The banker's result is part of that of the banking seat, or of the house if the dealer banks.
fn nets(settled: &SettleAnswer, book: &Rulebook) -> Sheet {
    let banking = settled.net_cents.get(BANKER).copied().unwrap_or_default();
    let others = settled.net_cents.iter().filter(|(who, _)| *who != BANKER);
    let rows = others.map(|(who, net)| {
        let banks = *who == settled.banker;
        let net = Net::from_cents(if banks { net + banking } else { *net });
        let who = who.replace('-', " ");
        let who = if banks { format!("{who} ({})", book.terms.banker) } else { who };
        vec![who.into(), Cell::net(net)]
    });
    Sheet { title: "Net".to_owned(), columns: vec!["who", "net"], rows: rows.collect() }
}
