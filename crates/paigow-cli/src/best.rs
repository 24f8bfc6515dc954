//! `paigow best`: evaluates every legal setting of a hand against all possible dealer hands.

use crate::answer::{Answer, Sheet};
use crate::args::BestArgs;
use crate::numbers::percent;
use crate::{Failure, stream};
use paigow::Evaluator;
use paigow_answers::best::{BestQuestion, BestRequest};
use paigow_answers::files::Files;

pub(crate) fn answer(args: &BestArgs) -> Result<Answer, Failure> {
    let cards = stream::cards_in(&args.cards).ok_or_else(|| {
        Failure::Refused("expected seven cards: `best` does not read standard input".to_owned())
    })?;
    let question = BestQuestion {
        cards,
        book: args.book.clone(),
        house_way: args.house_way.clone(),
        changes: args.changes.changes(),
    };
    let request = BestRequest::of(&question, &Files)?;
    let best = request.answer();
    let evaluator = Evaluator::of(request.book.ranking);
    let rows = best.settings.iter().map(|setting| {
        let note = match (setting.best, setting.house_way) {
            (true, true) => "best and house way",
            (true, false) => "best",
            (false, true) => "house way",
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
    let (hand, title, dealer) = (request.hand, &request.book.title, request.dealer.title());
    let sheet = Sheet {
        title: format!("{hand}, {title}, dealer's house way: {dealer}"),
        columns: vec![
            "low hand",
            "high hand",
            "description",
            "wins",
            "pushes",
            "loses",
            "expected value",
            "note",
        ],
        rows: rows.collect(),
    };
    Ok(Answer::new(&best, vec![sheet])?)
}
