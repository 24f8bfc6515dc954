//! Cache format of a strategy's summary.

use paigow_math::{CostlyHand, DEALS, HouseWaySummary, Outcomes, StrategySummary};
use serde_json::{Value, json};

pub(super) fn write(summary: &StrategySummary) -> Value {
    let outcomes = |counts: &Outcomes| json!([counts.win as i64, counts.push as i64, counts.lose as i64]);
    let costly = |hand: &CostlyHand| json!([hand.cards, hand.house_way, hand.best, hand.cost, hand.hands]);
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
    let outcomes = |value: &Value| {
        let [win, push, lose] = [count(&value[0])?, count(&value[1])?, count(&value[2])?].map(i128::from);
        (win + push + lose == DEALS).then_some(Outcomes { win, push, lose })
    };
    let costly = |value: &Value| {
        let text = |index: usize| value[index].as_str().map(str::to_owned);
        Some(CostlyHand {
            cards: text(0)?,
            house_way: text(1)?,
            best: text(2)?,
            cost: count(&value[3])?,
            hands: value[4].as_u64()?,
        })
    };
    let way = |value: &Value| {
        Some(HouseWaySummary {
            outcomes: outcomes(&value["outcomes"])?,
            hands_set_differently: value["hands_set_differently"].as_u64()?,
            costliest: value["costliest"].as_array()?.iter().map(costly).collect::<Option<_>>()?,
        })
    };
    let read: Vec<HouseWaySummary> = value["ways"].as_array()?.iter().map(way).collect::<Option<_>>()?;
    let best = outcomes(&value["best"])?;
    (read.len() == ways).then_some(StrategySummary { best, ways: read })
}
