//! `paigow odds BOOK --all-house-ways`: the base game of a book under each house way, on either side and on both.

use super::Question;
use crate::answer::{Answer, Sheet};
use crate::numbers::{extend, outcomes_json, percent};
use crate::work::Work;
use crate::{Failure, files};
use paigow::HouseWay;
use paigow::rulebook::BuiltIn;
use paigow_math::{BaseOdds, Sides};
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) fn answer(question: &Question<'_>, work: &Work) -> Result<Answer, Failure> {
    let book = question.book;
    let built_in = BuiltIn::house_way_names().map(|name| files::house_way(name).map(Arc::new));
    let mut ways: Vec<Arc<HouseWay>> = built_in.collect::<Result<_, _>>()?;
    // One of another file stands among them.
    for way in [&book.house_way, &question.player] {
        if ways.iter().all(|other| other.rules() != way.rules()) {
            ways.push(way.clone());
        }
    }
    let odds = |player: &HouseWay, dealer: &HouseWay| {
        let sides =
            Sides { player, dealer, ranking: question.ranking, dealer_push: &book.base_game.dealer_push };
        BaseOdds::of_player(&work.base_game(&sides), book.base_game.copies, question.commission())
    };
    let mut compared: Vec<(&HouseWay, [BaseOdds; 3])> = ways
        .iter()
        .map(|way| (&**way, [odds(way, way), odds(way, &book.house_way), odds(&question.player, way)]))
        .collect();
    compared.sort_by_key(|(_, [both, _, _])| both.edge());

    let json: Vec<Value> = compared
        .iter()
        .map(|(way, [both, player, dealer])| {
            let mut json = json!({ "house_way": way.id });
            extend(&mut json, outcomes_json(both));
            json["as_player"] = outcomes_json(player);
            json["as_dealer"] = outcomes_json(dealer);
            json
        })
        .collect();
    let sheet = Sheet {
        title: format!(
            "{}: the house edge of the base game under each house way\n{}; the book's own way is {}",
            book.title, question.ranking, book.house_way.id
        ),
        columns: vec!["house way", "set by both", "by the player alone", "by the dealer alone"],
        rows: compared
            .iter()
            .map(|(way, odds)| {
                let edges = odds.iter().map(|odds| percent(&odds.edge(), 6).into());
                std::iter::once(way.id.as_str().into()).chain(edges).collect()
            })
            .collect(),
    };
    let json = json!({
        "book": book.id,
        "house_way": book.house_way.id,
        "player_house_way": question.player.id,
        "house_ways": json,
    });
    Ok(Answer { json, sheets: vec![sheet] })
}
