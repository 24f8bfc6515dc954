//! `paigow price`: the exact price of house ways, and the cost of each clause.

use crate::answer::{Answer, Sheet};
use crate::args::PriceArgs;
use crate::numbers::percent;
use crate::{Failure, bar};
use paigow_answers::files::Files;
use paigow_answers::price::{ClauseCost, HouseWayPrice, PriceAnswer, PriceQuestion, PriceRequest, PricedWay};

pub(crate) fn answer(args: &PriceArgs) -> Result<Answer, Failure> {
    let question = PriceQuestion {
        book: args.book.clone(),
        house_ways: args.house_ways.clone(),
        against: args.against.clone(),
        side: args.side.clone(),
        changes: args.changes.changes(),
    };
    let answer = PriceRequest::of(&question, &Files)?.answer(&bar::work(&args.work));
    let mut sheets = vec![summary(&answer)];
    for PricedWay { price, .. } in &answer.ways {
        sheets.push(clauses(price));
        if !price.costliest.is_empty() {
            sheets.push(costliest(price));
        }
    }
    Ok(Answer::new(&answer, sheets)?)
}

fn summary(answer: &PriceAnswer) -> Sheet {
    let edge = if answer.side == "banker" { "expected loss" } else { "house edge" };
    let rows = answer.ways.iter().map(|PricedWay { price, .. }| {
        vec![
            price.house_way.as_str().into(),
            percent(&price.odds.edge.0, 6).into(),
            percent(&price.cost.0, 6).into(),
            price.hands_set_worse.into(),
        ]
    });
    Sheet {
        title: format!(
            "{}, {} against the house way {}\nbest play: {edge} {}",
            answer.book,
            answer.side,
            answer.against,
            percent(&answer.best.edge.0, 6)
        ),
        columns: vec!["house way", edge, "given away", "hands set worse"],
        rows: rows.collect(),
    }
}

fn clauses(price: &HouseWayPrice) -> Sheet {
    let rows = (1u64..).zip(&price.clauses).map(|(number, clause)| {
        let ClauseCost { when, set, hands, hands_set_worse, cost, removed, swapped, .. } = clause;
        let change = |change: &Option<paigow_answers::Decimal>| {
            change.as_ref().map(|change| percent(&change.0, 6)).unwrap_or_default()
        };
        vec![
            number.into(),
            format!("{when}: {}", set.join(", or ")).into(),
            (*hands).into(),
            (*hands_set_worse).into(),
            percent(&cost.0, 6).into(),
            change(removed).into(),
            change(swapped).into(),
        ]
    });
    Sheet {
        title: format!("Clauses of {}: what each gives away, and what a change would cost", price.house_way),
        columns: vec![
            "clause",
            "when: set",
            "hands",
            "hands set worse",
            "given away",
            "removed",
            "swapped with the next",
        ],
        rows: rows.collect(),
    }
}

fn costliest(price: &HouseWayPrice) -> Sheet {
    let rows = price.costliest.iter().map(|hands| {
        vec![
            hands.cards.0.to_string().into(),
            u64::from(hands.hands).into(),
            (hands.clause as u64).into(),
            format!("{} | {}", hands.low.0, hands.high.0).into(),
            format!("{} | {}", hands.best_low.0, hands.best_high.0).into(),
            percent(&hands.cost.0, 4).into(),
            percent(&hands.part.0, 6).into(),
        ]
    });
    Sheet {
        title: format!("Costliest kinds of hands of {}", price.house_way),
        columns: vec!["example", "hands", "clause", "low | high", "best", "a hand gives away", "part"],
        rows: rows.collect(),
    }
}
