//! `paigow odds BOOK --all-house-ways`: odds of the base game under each house way, used by either side or by both.

use crate::Failure;
use crate::answer::{Answer, Sheet};
use crate::args::OddsArgs;
use crate::numbers::percent;
use paigow_answers::files::Files;
use paigow_answers::odds::{BASE_GAME, HouseWaysAnswer, HouseWaysQuestion};
use paigow_answers::{Fault, Work};

pub(super) fn answer(args: &OddsArgs, work: &Work) -> Result<Answer, Failure> {
    let question = HouseWaysQuestion {
        book: args.book.clone(),
        house_way: args.house_way.clone(),
        player_house_way: args.player_house_way.clone(),
        changes: args.changes.changes(),
    };
    let request = question.request(&Files);
    if args.wager.as_deref().is_some_and(|name| name != BASE_GAME) {
        let message =
            format!("house ways are compared in the base game; leave out --wager or give {BASE_GAME}");
        let mut faults = request.err().unwrap_or_default();
        faults.push(Fault::new("base_game_only", "wager", message));
        return Err(faults.into());
    }
    let request = request?;
    let compared = HouseWaysAnswer::of(&request, work)?;
    let sheet = Sheet {
        title: format!(
            "{}: house edge of the base game under each house way\n{}; the house way of the book is {}",
            request.book.title,
            request.ranking,
            request.book.house_way.id()
        ),
        columns: vec!["house way", "used by both", "by the player only", "by the dealer only"],
        rows: compared
            .house_ways
            .iter()
            .map(|way| {
                let edges =
                    [&way.both, &way.as_player, &way.as_dealer].map(|odds| percent(&odds.edge.0, 6).into());
                std::iter::once(way.house_way.as_str().into()).chain(edges).collect()
            })
            .collect(),
    };
    Ok(Answer::new(&compared, vec![sheet])?)
}
