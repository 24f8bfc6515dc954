//! `paigow strategy`: the best setting of every hand, the edge it gives, and where house ways give most away.

mod kept;
mod out_file;

use crate::answer::{Answer, Sheet};
use crate::args::StrategyArgs;
use crate::numbers::{extend, fraction, outcomes_json, percent};
use crate::{Failure, bar, files};
use out_file::OutFile;
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
    // The book's own way first, then the others.
    let mut ways = vec![book.house_way.clone()];
    for name in BuiltIn::house_way_names() {
        let way = files::house_way(name)?;
        if way.rules() != book.house_way.rules() {
            ways.push(Arc::new(way));
        }
    }
    let ways: Vec<&HouseWay> = ways.iter().map(|way| &**way).collect();
    let against = Opposition::of(&book, &book.house_way);
    // A file that cannot be written is refused before the work, not after.
    let out = args.out.as_deref().map(OutFile::create).transpose()?;

    let work = bar::work(&args.work);
    let compute =
        || work.watched("best settings", Strategy::WORK, |progress| Strategy::of(&against, &ways, progress));
    let key = key(&against, &ways);
    let summary = match out {
        None => work.result(&key, |kept| kept::read(kept, ways.len()), kept::write, || compute().summary()),
        Some(out) => {
            let strategy = compute();
            out.write(&strategy, against.commission, &work)?;
            work.result(&key, |_| None, kept::write, || strategy.summary())
        }
    };
    Ok(report(&book, &ways, &summary, usize::from(args.top)))
}

/// All that the result follows from.
fn key(against: &Opposition<'_>, ways: &[&HouseWay]) -> CacheKey {
    let push: Vec<&str> = against.dealer_push.iter().copied().map(HandClass::name).collect();
    let mut from = vec![
        against.dealer.rules(),
        against.ranking.to_string(),
        push.join(" "),
        against.copies.name().to_owned(),
        against.commission.to_string(),
    ];
    from.extend(ways.iter().map(|way| way.rules()));
    CacheKey::of("strategy", &from.iter().map(String::as_str).collect::<Vec<_>>())
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
    let compared = ways.iter().zip(&summary.ways).map(|(way, about)| {
        let odds = odds(about.outcomes);
        let mut json = outcomes_json(&odds);
        json["house_way"] = way.id().into();
        json["hands_set_differently"] = about.hands_set_differently.into();
        fraction(&mut json, "cost", &(odds.edge() - best.edge()));
        json["costliest"] = costliest_json(about).into();
        json
    });
    json["house_ways"] = compared.collect::<Vec<_>>().into();

    let deal = |what: &str, deals: i128| {
        vec![what.into(), deals.into(), percent(&Fraction::new(deals, DEALS), 6).into()]
    };
    let outcomes = Sheet {
        title: format!(
            "{}: every hand set best against the house way of {}\nhouse edge {}, standard deviation {}",
            book.title,
            book.house_way.title(),
            percent(&best.edge(), 6),
            best.variance().root(6)
        ),
        columns: vec!["outcome", "deals", "part"],
        rows: vec![
            deal("the player wins", summary.best.win),
            deal("push", summary.best.push),
            deal("the player loses", summary.best.lose),
        ],
    };
    let compared = Sheet {
        title: "A player who sets by a house way instead".to_owned(),
        columns: vec!["house way", "house edge", "gives away", "hands set worse"],
        rows: ways
            .iter()
            .zip(&summary.ways)
            .map(|(way, about)| {
                let edge = odds(about.outcomes).edge();
                let cost = &edge - &best.edge();
                vec![
                    way.id().into(),
                    percent(&edge, 6).into(),
                    percent(&cost, 6).into(),
                    about.hands_set_differently.into(),
                ]
            })
            .collect(),
    };
    let costliest = Sheet {
        title: format!("Where the house way of {} gives most away", book.house_way.title()),
        columns: vec!["cards", "house way", "best", "costs", "hands like it"],
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
