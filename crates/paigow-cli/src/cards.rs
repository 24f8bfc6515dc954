//! `paigow cards`: lists the strategy cards that ship, or the lines of one.

use crate::Failure;
use crate::answer::{Answer, Sheet};
use crate::args::CardsArgs;
use crate::numbers::percent;
use paigow_answers::cards::{self, CardEntry};

pub(crate) fn answer(args: &CardsArgs) -> Result<Answer, Failure> {
    if let Some(name) = &args.card {
        let card = cards::answer(name)?;
        return Ok(Answer::new(&card, vec![lines(&card)])?);
    }
    let list = cards::list()?;
    let rows = list.cards.iter().map(|card| {
        vec![
            card.id.as_str().into(),
            card.book.as_str().into(),
            card.side.into(),
            card.against.as_str().into(),
            (card.lines.len() as u64).into(),
            percent(&card.odds.edge.0, 6).into(),
            percent(&card.cost.0, 6).into(),
            card.hands_set_worse.into(),
        ]
    });
    let sheet = Sheet {
        title: "Strategy cards".to_owned(),
        columns: vec!["card", "book", "side", "against", "lines", "edge", "given away", "hands set worse"],
        rows: rows.collect(),
    };
    Ok(Answer::new(&list, vec![sheet])?)
}

fn lines(card: &CardEntry) -> Sheet {
    let edge = if card.side == "banker" { "expected loss" } else { "house edge" };
    let rows = (1u64..).zip(&card.lines).map(|(number, line)| {
        vec![number.into(), line.says.as_str().into(), line.hands.into(), line.contested.into()]
    });
    Sheet {
        title: format!(
            "{}, for the {} of {} against the house way {}\n{edge} {}, gives away {} against best play, {} of the wager",
            card.title,
            card.side,
            card.book,
            card.against,
            percent(&card.odds.edge.0, 6),
            percent(&card.cost.0, 6),
            card.cost_exact.0
        ),
        columns: vec!["line", "rule", "hands", "contested"],
        rows: rows.collect(),
    }
}
