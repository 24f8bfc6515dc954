//! `paigow card`: searches for the best strategy card of a number of lines.

mod plot;

use crate::answer::{Answer, Sheet};
use crate::args::CardArgs;
use crate::numbers::percent;
use crate::out_file::OutFile;
use crate::{Failure, bar};
use paigow_answers::card::{CardAnswer, CardQuestion, CardRequest};
use paigow_answers::files::Files;
use std::io::Write;

pub(crate) fn answer(args: &CardArgs) -> Result<Answer, Failure> {
    let question = CardQuestion {
        book: args.book.clone(),
        lines: args.lines,
        frontier: args.frontier,
        against: args.against.clone(),
        side: args.side.clone(),
        changes: args.changes.changes(),
    };
    let request = CardRequest::of(&question, &Files)?;
    // Creating the files first reports an error before the long search.
    let [out, plot] = [&args.out, &args.plot].map(|path| path.as_deref().map(OutFile::create).transpose());
    let (out, plot) = (out?, plot?);
    let card = request.answer(args.others, &bar::work(&args.work));
    for (file, text) in [(out, card.text.clone()), (plot, plot::svg(&card))] {
        if let Some(file) = file {
            file.write(|out| out.write_all(text.as_bytes()))?;
        }
    }
    let mut sheets = vec![lines(&card)];
    if args.frontier {
        sheets.push(frontier(&card));
    }
    if args.others {
        sheets.push(others(&card));
    }
    Ok(Answer::new(&card, sheets)?)
}

fn lines(card: &CardAnswer) -> Sheet {
    let edge = if card.side == "banker" { "expected loss" } else { "house edge" };
    Sheet {
        title: format!(
            "Card for the {} of {} against the house way {}\n{edge} {}, gives away {} against best play, {} lines",
            card.side,
            card.book,
            card.against,
            percent(&card.odds.edge.0, 6),
            percent(&card.gives_away.0, 6),
            card.lines
        ),
        columns: vec!["line", "rule"],
        rows: (1u64..)
            .zip(&card.clauses)
            .map(|(number, line)| vec![number.into(), line.says.as_str().into()])
            .collect(),
    }
}

fn frontier(card: &CardAnswer) -> Sheet {
    let rows = card.frontier.iter().map(|point| {
        vec![
            (point.lines as u64).into(),
            percent(&point.gives_away.0, 6).into(),
            point.hands_set_worse.into(),
        ]
    });
    Sheet {
        title: "Cost of the best card found, by number of lines".to_owned(),
        columns: vec!["lines", "given away", "hands set worse"],
        rows: rows.collect(),
    }
}

fn others(card: &CardAnswer) -> Sheet {
    let rows = card.against_others.iter().map(|cost| {
        vec![
            cost.against.as_str().into(),
            percent(&cost.edge.0, 6).into(),
            percent(&cost.gives_away.0, 6).into(),
        ]
    });
    Sheet {
        title: "The card against each house way".to_owned(),
        columns: vec!["against", "edge", "given away"],
        rows: rows.collect(),
    }
}
