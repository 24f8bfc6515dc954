//! The summary of a strategy as it is kept on disk.

use paigow_math::{CostlyHand, DEALS, HouseWaySummary, Outcomes, StrategySummary};
use serde_json::{Value, json};

pub(super) fn write(summary: &StrategySummary) -> Value {
    let outcomes = |of: &Outcomes| json!([of.win as i64, of.push as i64, of.lose as i64]);
    let costly = |of: &CostlyHand| json!([of.cards, of.house_way, of.best, of.cost, of.hands]);
    let way = |way: &HouseWaySummary| {
        json!({
            "outcomes": outcomes(&way.outcomes),
            "hands_set_differently": way.hands_set_differently,
            "costliest": way.costliest.iter().map(costly).collect::<Vec<_>>(),
        })
    };
    json!({ "best": outcomes(&summary.best), "ways": summary.ways.iter().map(way).collect::<Vec<_>>() })
}

pub(super) fn read(value: &Value, ways: usize) -> Option<StrategySummary> {
    let count = |value: &Value| value.as_i64().filter(|count| *count >= 0);
    let outcomes = |of: &Value| {
        let [win, push, lose] = [count(&of[0])?, count(&of[1])?, count(&of[2])?].map(i128::from);
        (win + push + lose == DEALS).then_some(Outcomes { win, push, lose })
    };
    let costly = |of: &Value| {
        let text = |at: usize| of[at].as_str().map(str::to_owned);
        Some(CostlyHand {
            cards: text(0)?,
            house_way: text(1)?,
            best: text(2)?,
            cost: count(&of[3])?,
            hands: of[4].as_u64()?,
        })
    };
    let way = |of: &Value| {
        Some(HouseWaySummary {
            outcomes: outcomes(&of["outcomes"])?,
            hands_set_differently: of["hands_set_differently"].as_u64()?,
            costliest: of["costliest"].as_array()?.iter().map(costly).collect::<Option<_>>()?,
        })
    };
    let read: Vec<HouseWaySummary> = value["ways"].as_array()?.iter().map(way).collect::<Option<_>>()?;
    let best = outcomes(&value["best"])?;
    (read.len() == ways).then_some(StrategySummary { best, ways: read })
}
