//! `paigow strategy`: the best setting of every hand, its house edge, and the cost of house ways.

mod cached_summary;
mod csv;

use crate::answer::{Answer, Sheet};
use crate::args::StrategyArgs;
use crate::numbers::{extend, fraction, outcomes_json, percent};
use crate::out_file::OutFile;
use crate::{Failure, bar, files};
use paigow::rulebook::BuiltIn;
use paigow::{HandClass, HouseWay, Rulebook};
use paigow_answers::CacheKey;
use paigow_math::{
    BaseOdds, CostlyHand, DEALS, Fraction, HouseWaySummary, Opposition, Outcomes, Strategy, StrategySummary,
};
use serde_json::{Value, json};
use std::sync::Arc;

pub(crate) fn answer(args: &StrategyArgs) -> Result<Answer, Failure> {
    let mut book = files::book(&args.book, &args.changes.set)?;
    if let Some(name) = &args.house_way {
        book.house_way = Arc::new(files::house_way(name)?);
    }
    // The book's house way first, then the other built-in ones.
    let mut ways = vec![book.house_way.clone()];
    for name in BuiltIn::house_way_names() {
        let way = files::house_way(name)?;
        if way.rules() != book.house_way.rules() {
            ways.push(Arc::new(way));
        }
    }
    let ways: Vec<&HouseWay> = ways.iter().map(|way| &**way).collect();
    let against = Opposition::of(&book, &book.house_way);
    // Creating the file first reports an error before the long computation.
    let out = args.out.as_deref().map(OutFile::create).transpose()?;

    let work = bar::work(&args.work);
    let compute = || {
        work.with_progress("best settings", Strategy::WORK, |progress| {
            Strategy::of(&against, &ways, progress)
        })
    };
    let key = key(&against, &ways);
    let summary = match out {
        None => {
            let read = |value: &Value| cached_summary::read(value, ways.len());
            work.cached(&key, read, cached_summary::write, || compute().summary())
        }
        Some(out) => {
            let strategy = compute();
            csv::write(out, &strategy, against.commission, &work)?;
            work.cached(&key, |_| None, cached_summary::write, || strategy.summary())
        }
    };
    Ok(report(&book, &ways, &summary, usize::from(args.top)))
}

/// Returns the cache key, made of all inputs of the result.
fn key(against: &Opposition<'_>, ways: &[&HouseWay]) -> CacheKey {
    let push: Vec<&str> = against.dealer_push.iter().copied().map(HandClass::name).collect();
    let mut inputs = vec![
        against.dealer.rules(),
        against.ranking.to_string(),
        push.join(" "),
        against.copies.name().to_owned(),
        against.commission.to_string(),
    ];
    inputs.extend(ways.iter().map(|way| way.rules()));
    CacheKey::of("strategy", &inputs.iter().map(String::as_str).collect::<Vec<_>>())
}

fn report(book: &Rulebook, ways: &[&HouseWay], summary: &StrategySummary, top: usize) -> Answer {
    let commission = || Fraction::new(book.commission.basis_points, 10_000);
    let odds = |outcomes: Outcomes| BaseOdds { outcomes, commission: commission() };
    let best = odds(summary.best);
    let own = &summary.ways[0];
    let costliest_json = |way: &HouseWaySummary| -> Vec<Value> {
        let costly = |costly: &CostlyHand| {
            let mut json =
                json!({ "cards": costly.cards, "house_way": costly.house_way, "best": costly.best });
            fraction(&mut json, "cost", &costly.part());
            json["hands"] = costly.hands.into();
            json
        };
        way.costliest.iter().take(top).map(costly).collect()
    };
    let mut json = json!({ "book": book.id, "house_way": book.house_way.id(), "deals": DEALS as i64 });
    extend(&mut json, outcomes_json(&best));
    json["hands_set_differently"] = own.hands_set_differently.into();
    json["costliest"] = costliest_json(own).into();
    let compared = ways.iter().zip(&summary.ways).map(|(way, summary)| {
        let odds = odds(summary.outcomes);
        let mut json = outcomes_json(&odds);
        json["house_way"] = way.id().into();
        json["hands_set_differently"] = summary.hands_set_differently.into();
        fraction(&mut json, "cost", &(odds.edge() - best.edge()));
        json["costliest"] = costliest_json(summary).into();
        json
    });
    json["house_ways"] = compared.collect::<Vec<_>>().into();

    let deal = |outcome: &str, deals: i128| {
        vec![outcome.into(), deals.into(), percent(&Fraction::new(deals, DEALS), 6).into()]
    };
    let outcomes = Sheet {
        title: format!(
            "{}: best settings against the house way of {}\nhouse edge {}, standard deviation {}",
            book.title,
            book.house_way.title(),
            percent(&best.edge(), 6),
            best.variance().root(6)
        ),
        columns: vec!["outcome", "deals", "probability"],
        rows: vec![
            deal("the player wins", summary.best.win),
            deal("push", summary.best.push),
            deal("the player loses", summary.best.lose),
        ],
    };
    let compared = Sheet {
        title: "A player who sets by a house way".to_owned(),
        columns: vec!["house way", "house edge", "cost", "hands set worse"],
        rows: ways
            .iter()
            .zip(&summary.ways)
            .map(|(way, summary)| {
                let edge = odds(summary.outcomes).edge();
                let cost = &edge - &best.edge();
                vec![
                    way.id().into(),
                    percent(&edge, 6).into(),
                    percent(&cost, 6).into(),
                    summary.hands_set_differently.into(),
                ]
            })
            .collect(),
    };
    let costliest = Sheet {
        title: format!("Costliest hands of the house way of {}", book.house_way.title()),
        columns: vec!["cards", "house way", "best", "cost", "equivalent hands"],
        rows: own
            .costliest
            .iter()
            .take(top)
            .map(|costly| {
                vec![
                    costly.cards.as_str().into(),
                    costly.house_way.as_str().into(),
                    costly.best.as_str().into(),
                    percent(&costly.part(), 4).into(),
                    costly.hands.into(),
                ]
            })
            .collect(),
    };
    let mut sheets = vec![outcomes, compared];
    if top > 0 {
        sheets.push(costliest);
    }
    Answer { json, sheets }
}
