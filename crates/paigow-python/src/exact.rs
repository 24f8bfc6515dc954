//! Exact numbers that the JSON of an answer has only as decimals.

use paigow_answers::odds::{OddsAnswer, OutcomeOdds};
use paigow_answers::price::PriceAnswer;
use paigow_answers::simulate::SimulateAnswer;
use paigow_answers::strategy::StrategyAnswer;
use paigow_math::Fraction;
use serde_json::Value;

/// Adds `KEY_exact` to an object.
fn add(json: &mut Value, key: &str, value: Option<&Fraction>) {
    json[format!("{key}_exact")] = value.map(ToString::to_string).into();
}

fn add_variance(json: &mut Value, odds: &OutcomeOdds) {
    add(json, "variance", Some(&odds.standard_deviation.0));
}

pub(crate) fn odds(json: &mut Value, answer: &OddsAnswer) {
    if let Some(game) = &answer.base_game {
        add_variance(&mut json["base_game"], &game.outcomes);
        if let Some(banker) = &game.as_banker {
            add_variance(&mut json["base_game"]["as_banker"], &banker.outcomes);
        }
    }
    for (index, wager) in answer.wagers.iter().enumerate() {
        add(&mut json["wagers"][index], "variance", Some(&wager.standard_deviation.0));
    }
}

pub(crate) fn strategy(json: &mut Value, answer: &StrategyAnswer) {
    add_variance(json, &answer.best);
    for (index, way) in answer.house_ways.iter().enumerate() {
        add_variance(&mut json["house_ways"][index], &way.odds);
    }
}

pub(crate) fn price(json: &mut Value, answer: &PriceAnswer) {
    add_variance(&mut json["best"], &answer.best);
    for (index, way) in answer.ways.iter().enumerate() {
        let json = &mut json["ways"][index];
        add_variance(json, &way.price.odds);
        for (index, clause) in way.price.clauses.iter().enumerate() {
            let json = &mut json["clauses"][index];
            add(json, "removed", clause.removed.as_ref().map(|cost| &cost.0));
            add(json, "swapped", clause.swapped.as_ref().map(|cost| &cost.0));
        }
        for (index, hands) in way.price.costliest.iter().enumerate() {
            let json = &mut json["costliest"][index];
            add(json, "cost", Some(&hands.cost.0));
            add(json, "part", Some(&hands.part.0));
        }
    }
}

pub(crate) fn simulate(json: &mut Value, answer: &SimulateAnswer) {
    for (index, wager) in answer.wagers.iter().enumerate() {
        let squared = wager.standard_error.as_ref().map(|error| &error.0);
        add(&mut json["wagers"][index], "standard_error_squared", squared);
    }
}
