//! `paigow strategy`: the best setting of every hand, its house edge, and the cost of house ways.

mod csv;

use crate::answer::{Answer, Sheet};
use crate::args::StrategyArgs;
use crate::numbers::percent;
use crate::out_file::OutFile;
use crate::{Failure, bar};
use paigow::Rulebook;
use paigow_answers::files::Files;
use paigow_answers::strategy::{StrategyAnswer, StrategyQuestion, StrategyRequest};
use paigow_math::{DEALS, Fraction};

pub(crate) fn answer(args: &StrategyArgs) -> Result<Answer, Failure> {
    let question = StrategyQuestion {
        book: args.book.clone(),
        house_way: args.house_way.clone(),
        changes: args.changes.changes(),
        top: args.top,
    };
    let request = StrategyRequest::of(&question, &Files)?;
    // Creating the file first reports an error before the long computation.
    let out = args.out.as_deref().map(OutFile::create).transpose()?;

    let work = bar::work(&args.work);
    let strategy = match out {
        None => request.answer(&work),
        Some(out) => {
            let strategy = request.compute(&work);
            csv::write(out, &strategy, request.opposition().commission, &work)?;
            request.answer_for(&strategy, &work)
        }
    };
    Ok(Answer::new(&strategy, sheets(&request.book, &strategy, args.top > 0))?)
}

fn sheets(book: &Rulebook, strategy: &StrategyAnswer, with_costliest: bool) -> Vec<Sheet> {
    let best = &strategy.best;
    let deal = |outcome: &str, deals: i64| {
        vec![outcome.into(), i128::from(deals).into(), percent(&Fraction::new(deals, DEALS), 6).into()]
    };
    let outcomes = Sheet {
        title: format!(
            "{}: best settings against the house way of {}\nhouse edge {}, standard deviation {}",
            book.title,
            book.house_way.title(),
            percent(&best.edge.0, 6),
            best.standard_deviation.0.root(6)
        ),
        columns: vec!["outcome", "deals", "probability"],
        rows: vec![
            deal("the player wins", best.win),
            deal("push", best.push),
            deal("the player loses", best.lose),
        ],
    };
    let compared = strategy.house_ways.iter().map(|way| {
        vec![
            way.house_way.as_str().into(),
            percent(&way.odds.edge.0, 6).into(),
            percent(&way.cost.0, 6).into(),
            way.hands_set_differently.into(),
        ]
    });
    let compared = Sheet {
        title: "A player who sets by a house way".to_owned(),
        columns: vec!["house way", "house edge", "cost", "hands set worse"],
        rows: compared.collect(),
    };
    let costliest = strategy.costliest.iter().map(|costly| {
        vec![
            costly.cards.as_str().into(),
            costly.house_way.as_str().into(),
            costly.best.as_str().into(),
            percent(&costly.cost.0, 4).into(),
            costly.hands.into(),
        ]
    });
    let costliest = Sheet {
        title: format!("Costliest hands of the house way of {}", book.house_way.title()),
        columns: vec!["cards", "house way", "best", "cost", "equivalent hands"],
        rows: costliest.collect(),
    };
    let mut sheets = vec![outcomes, compared];
    if with_costliest {
        sheets.push(costliest);
    }
    sheets
}
