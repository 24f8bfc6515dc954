//! `paigow settle`: a round settled line by line.

use crate::answer::{Answer, Cell, Format, Sheet};
use crate::args::SettleArgs;
use crate::files::{self, Files, Unreadable};
use crate::{Failure, print};
use paigow::document::Source;
use paigow::{Amount, Compared, Laid, Net, Party, Reason, Setting, Settlement, Showdown};
use paigow_answers::settle::{self, Settled};
use std::io::Write;
use std::path::Path;

/// Prints the settlement; then the file's expectation, if it has one, must agree with it.
pub(crate) fn run(args: &SettleArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    let source = source(args)
        .map_err(|reason| Failure::Refused(format!("{}: {reason}", args.file.to_string_lossy())))?;
    let (source, expected) = settle::split(&source);
    let record = settle::read(&source, &Files)?;
    let showdown = record.showdown().map_err(|refusals| settle::refused(&refusals))?;
    let settlement = Settlement::of(&showdown);
    let settled = Settled::of(&showdown, &settlement);
    let sheets = vec![hands(&showdown, &settlement), lines(&settled), nets(&settled)];
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
    let evaluator = showdown.posting().evaluator();
    let words = |setting: Setting| {
        (setting.low_strength.to_string(), evaluator.shape(setting.high_strength).to_string())
    };
    let compared = |party: Party| {
        settlement.lines().iter().find_map(|line| match line.reason {
            Reason::Compared { high, low } if line.who == party => Some((sign(low), sign(high))),
            _ => None,
        })
    };
    let row = |who: String, party: Option<Party>, laid: Laid| -> Vec<Cell> {
        let (low_sign, high_sign) = party.and_then(compared).unwrap_or_default();
        match laid {
            Laid::Set(setting) => {
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
            Laid::Foul(foul) => {
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
    let mut rows = Vec::new();
    if let Some(dealer) = showdown.dealer() {
        let who = if banker.is_none() { "dealer (banks)" } else { "dealer" };
        rows.push(row(who.to_owned(), banker.map(|_| Party::Dealer), Laid::Set(dealer.setting)));
    }
    for seat in showdown.seats() {
        let Some(player) = showdown.player(seat) else { continue };
        let banks = banker == Some(seat);
        let who = if banks { format!("{seat} (banks)") } else { seat.to_string() };
        rows.push(row(who, (!banks).then_some(Party::Seat(seat)), player.laid));
    }
    let book = showdown.posting().book();
    Sheet {
        title: format!("{} ({})", book.title, evaluator.ranking()),
        columns: vec!["hand", "front", "", "behind", ""],
        rows,
    }
}

fn sign(compared: Compared) -> &'static str {
    match compared {
        Compared::Higher => " (wins)",
        Compared::Copy => " (copy)",
        Compared::Lower => " (loses)",
    }
}

fn lines(settled: &Settled) -> Sheet {
    let rows = settled.lines.iter().map(|line| {
        vec![
            line.who.as_str().into(),
            line.wager.as_str().into(),
            Amount::from_cents(line.stake_cents).to_string().into(),
            line.outcome.into(),
            Net::from_cents(line.net_cents).to_string().into(),
            line.because.as_str().into(),
            line.cite.as_str().into(),
        ]
    });
    Sheet {
        title: "Settlement".to_owned(),
        columns: vec!["who", "wager", "stake", "outcome", "net", "because", "cite"],
        rows: rows.collect(),
    }
}

fn nets(settled: &Settled) -> Sheet {
    let rows = settled
        .net_cents
        .iter()
        .map(|(who, net)| vec![who.as_str().into(), Net::from_cents(*net).to_string().into()]);
    Sheet { title: "Net".to_owned(), columns: vec!["who", "net"], rows: rows.collect() }
}
