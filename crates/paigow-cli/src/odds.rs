//! `paigow odds`: computes the exact odds of the base game and the side wagers of a book.

mod base_game;
mod house_ways;
mod wager;

use crate::answer::{Answer, Sheet};
use crate::args::OddsArgs;
use crate::rules::departures;
use crate::{Failure, bar};
use paigow::Amount;
use paigow_answers::files::Files;
use paigow_answers::odds::{AtStake, OddsQuestion, OddsRequest};

pub(crate) fn answer(args: &OddsArgs) -> Result<Answer, Failure> {
    let work = bar::work(&args.work);
    if args.all_house_ways {
        return house_ways::answer(args, &work);
    }
    let question = OddsQuestion {
        book: args.book.clone(),
        wager: args.wager.clone(),
        paytable: args.paytable.clone(),
        players: args.players,
        house_way: args.house_way.clone(),
        player_house_way: args.player_house_way.clone(),
        changes: args.changes.changes(),
        stake_cents: args.stake.map(Amount::cents),
        ..OddsQuestion::default()
    };
    let request = OddsRequest::of(&question, &Files)?;
    let odds = request.answer(&work);
    let mut sheets: Vec<Sheet> = departures(&odds.departures).into_iter().collect();
    if let Some(base_game) = &odds.base_game {
        sheets.extend(base_game::sheets(&request, base_game));
    }
    for ((wager, paytable), odds) in request.paytables().zip(&odds.wagers) {
        sheets.extend(wager::sheets(&request, wager, paytable, odds));
    }
    Ok(Answer::new(&odds, sheets)?)
}

/// Returns a remark if the stake is outside the limits of the wager.
fn outside(at_stake: &AtStake) -> &'static str {
    if at_stake.within_limits { "" } else { ", outside the limits" }
}
