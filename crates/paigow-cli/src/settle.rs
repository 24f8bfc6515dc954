//! `paigow settle`: a round settled line by line.

use crate::answer::{Answer, Cell, Format, Sheet};
use crate::args::SettleArgs;
use crate::files::{self, Files, Unreadable};
use crate::{Failure, print};
use paigow::document::Source;
use paigow::document::ValueKind;
use paigow::{
    Amount, HandComparison, Net, Party, PlayedHand, Reason, Rulebook, Setting, Settlement, Showdown,
};
use paigow_answers::settle::{self, SettleAnswer, SettledLine, StepWager};
use std::io::Write;
use std::path::Path;

/// The banker's entry among the nets of an answer.
const BANKER: &str = "banker";

/// Prints the settlement; then the file's expectation, if it has one, must agree with it.
pub(crate) fn run(args: &SettleArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    let source = source(args)
        .map_err(|reason| Failure::Refused(format!("{}: {reason}", args.file.to_string_lossy())))?;
    let (source, expected) = settle::split(&source);
    let record = settle::read(&source, &Files)?;
    let showdown = record.showdown().map_err(|refusals| settle::refused(&refusals))?;
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

fn source(args: &SettleArgs) -> Result<Source, Unreadable> {
    if args.file == "-" {
        return files::text("standard input", std::io::stdin().lock());
    }
    files::source(Path::new(&args.file))
}

/// Every hand as it lies, and how it compares with the banker's.
fn hands(showdown: &Showdown<'_>, settlement: &Settlement) -> Sheet {
    let evaluator = showdown.table_rules().evaluator();
    let words = |setting: Setting| {
        (setting.low_strength.to_string(), evaluator.shape(setting.high_strength).to_string())
    };
    let compared = |party: Party| {
        settlement.lines().iter().find_map(|line| match line.reason {
            Reason::Compared { high, low } if line.who == party => Some((sign(low), sign(high))),
            _ => None,
        })
    };
    let row = |who: String, party: Option<Party>, laid: PlayedHand| -> Vec<Cell> {
        let (low_sign, high_sign) = party.and_then(compared).unwrap_or_default();
        match laid {
            PlayedHand::Set(setting) => {
                let (low, high) = words(setting);
                let cells = [
                    who,
                    setting.low.to_string(),
                    format!("{low}{low_sign}"),
                    setting.high.to_string(),
                    format!("{high}{high_sign}"),
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
        rows.push(row(who, (!banks).then_some(Party::Seat(seat)), player.laid));
    }
    let book = showdown.table_rules().book();
    Sheet {
        title: format!("{} ({})", book.title, evaluator.ranking()),
        columns: vec!["hand", "low hand", "", "high hand", ""],
        rows,
    }
}

fn sign(compared: HandComparison) -> &'static str {
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
            book.in_its_terms(&line.who).into(),
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
        columns: vec!["step", "who", "wager", "stake", "outcome", "net", "because", "cite"],
        rows: rows.collect(),
    }
}

/// The citations of a line; of an assumed value its path, which the sheet below explains.
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

/// The assumptions that lines follow from, each once.
fn assumed(settled: &SettleAnswer) -> Option<Sheet> {
    let mut rows: Vec<(&str, &str)> = Vec::new();
    for value in settled.lines.iter().flat_map(|line| &line.values) {
        let row = (value.value.as_str(), value.cite.trim_start_matches("assumed: "));
        if value.kind == ValueKind::Assumed.name() && !rows.contains(&row) {
            rows.push(row);
        }
    }
    (!rows.is_empty()).then(|| Sheet {
        title: "Assumed, because no document says it".to_owned(),
        columns: vec!["value", "because"],
        rows: rows.into_iter().map(|(value, because)| vec![value.into(), because.into()]).collect(),
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
            book.in_its_terms(&step.who).into(),
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

/// What the round is worth to every seat and to the house. What a seat wins or loses as the banker is part of its own result; where the
/// dealer is the banker, it is the house's.
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
