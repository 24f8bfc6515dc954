//! `paigow settle`: a round settled line by line.

use crate::Failure;
use crate::answer::{Answer, Cell, Sheet};
use crate::args::SettleArgs;
use crate::files::{self, Files, Unreadable};
use paigow::document::Source;
use paigow::{
    Bank, Compared, Laid, Line, Net, Party, Reason, Record, Seat, Setting, Settlement, Showdown, WagerRef,
};
use serde_json::{Map, Value, json};
use std::path::Path;

pub(crate) fn answer(args: &SettleArgs) -> Result<Answer, Failure> {
    let source = source(args)
        .map_err(|reason| Failure::Refused(format!("{}: {reason}", args.file.to_string_lossy())))?;
    let record = Record::parse(&source, &Files).map_err(Failure::Problems)?;
    let showdown = record.showdown().map_err(|refusals| {
        let reasons: Vec<String> = refusals.iter().map(ToString::to_string).collect();
        Failure::Refused(reasons.join("; "))
    })?;
    let settlement = Settlement::of(&showdown);
    let sheets =
        vec![hands(&showdown, &settlement), lines(&showdown, &settlement), nets(&showdown, &settlement)];
    Ok(Answer { json: json_of(&showdown, &settlement), sheets })
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

fn lines(showdown: &Showdown<'_>, settlement: &Settlement) -> Sheet {
    let rows = settlement.lines().iter().map(|line| {
        vec![
            in_words(line.who).into(),
            wager_name(line, showdown).into(),
            line.stake.to_string().into(),
            line.outcome.name().into(),
            line.net.to_string().into(),
            line.because(showdown).into(),
            line.cite(showdown).into(),
        ]
    });
    Sheet {
        title: "Settlement".to_owned(),
        columns: vec!["who", "wager", "stake", "outcome", "net", "because", "cite"],
        rows: rows.collect(),
    }
}

fn nets(showdown: &Showdown<'_>, settlement: &Settlement) -> Sheet {
    let rows = net_entries(showdown, settlement)
        .into_iter()
        .map(|(who, net)| vec![who.into(), net.to_string().into()]);
    Sheet { title: "Net".to_owned(), columns: vec!["who", "net"], rows: rows.collect() }
}

/// Everybody with a part in the round, and what it is worth to them.
fn net_entries(showdown: &Showdown<'_>, settlement: &Settlement) -> Vec<(String, Net)> {
    let nets = settlement.nets();
    let seats = Seat::first(Seat::COUNT_MAX as u8).filter(|seat| showdown.player(*seat).is_some());
    let seats = seats.map(|seat| (format!("seat-{}", seat.number()), nets.seats[seat.index()]));
    seats.chain([("banker".to_owned(), nets.banker), ("house".to_owned(), nets.house)]).collect()
}

fn in_words(party: Party) -> String {
    match party {
        Party::Seat(seat) => seat.to_string(),
        Party::Dealer => "dealer".to_owned(),
        Party::Banker => "banker".to_owned(),
        Party::House => "house".to_owned(),
    }
}

fn wager_name(line: &Line, showdown: &Showdown<'_>) -> String {
    match line.wager {
        WagerRef::PaiGow => "pai-gow".to_owned(),
        WagerRef::Side(place) => showdown.posting().wager(place.into()).name.clone(),
    }
}

fn json_of(showdown: &Showdown<'_>, settlement: &Settlement) -> Value {
    let banker = match showdown.bank() {
        Bank::Dealer => "dealer".to_owned(),
        Bank::Seat { seat, .. } => format!("seat-{}", seat.number()),
    };
    let lines: Vec<Value> = settlement
        .lines()
        .iter()
        .map(|line| {
            let seat = match line.who {
                Party::Seat(seat) => Some(seat.number()),
                Party::Banker => showdown.banking_seat().map(Seat::number),
                Party::Dealer | Party::House => None,
            };
            json!({
                "seat": seat,
                "who": in_words(line.who),
                "wager": wager_name(line, showdown),
                "stake_cents": line.stake.cents(),
                "outcome": line.outcome.name(),
                "net_cents": line.net.cents(),
                "commission_cents": line.fee.cents(),
                "against": in_words(line.against),
                "because": line.because(showdown),
                "cite": line.cite(showdown),
            })
        })
        .collect();
    let nets: Map<String, Value> =
        net_entries(showdown, settlement).into_iter().map(|(who, net)| (who, net.cents().into())).collect();
    json!({
        "book": showdown.posting().book().id,
        "banker": banker,
        "lines": lines,
        "net_cents": nets,
        "sum_cents": settlement.nets().sum(),
    })
}
