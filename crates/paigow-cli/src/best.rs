//! `paigow best`: every legal setting of a hand against every hand the dealer may have.

use crate::answer::{Answer, Sheet};
use crate::args::BestArgs;
use crate::files::Files;
use crate::numbers::percent;
use crate::{Failure, stream};
use paigow::Evaluator;
use paigow_answers::best::{BestQuestion, BestRequest};

pub(crate) fn answer(args: &BestArgs) -> Result<Answer, Failure> {
    let cards = stream::cards_in(&args.cards)
        .ok_or_else(|| Failure::Refused("seven cards are needed: it takes one hand at a time".to_owned()))?;
    let question = BestQuestion {
        cards,
        book: args.book.clone(),
        house_way: args.house_way.clone(),
        changes: args.changes.changes(),
    };
    let asked = BestRequest::of(&question, &Files)?;
    let best = asked.answer();
    let evaluator = Evaluator::of(asked.book.ranking);
    let rows = best.settings.iter().map(|setting| {
        let note = match (setting.best, setting.house_way) {
            (true, true) => "best, and the house way",
            (true, false) => "best",
            (false, true) => "the house way",
            (false, false) => "",
        };
        let high = evaluator.shape(evaluator.high(setting.high.0));
        vec![
            setting.low.0.to_string().into(),
            setting.high.0.to_string().into(),
            format!("{}; {high}", evaluator.low(setting.low.0)).into(),
            setting.win.into(),
            setting.push.into(),
            setting.lose.into(),
            percent(&setting.ev.0, 4).into(),
            note.into(),
        ]
    });
    let (hand, title, dealer) = (asked.hand, &asked.book.title, asked.dealer.title());
    let sheet = Sheet {
        title: format!("{hand} at {title}, the dealer setting as {dealer} does"),
        columns: vec!["low hand", "high hand", "which is", "wins", "pushes", "loses", "worth", "note"],
        rows: rows.collect(),
    };
    Ok(Answer::new(&best, vec![sheet])?)
}
