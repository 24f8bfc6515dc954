//! Sheets of the base game's odds.

use super::outside;
use crate::answer::{Cell, Sheet};
use crate::numbers::percent;
use paigow::Amount;
use paigow_answers::odds::{BaseGameOdds, OddsRequest};
use paigow_math::{DEALS, Fraction};

pub(super) fn sheets(request: &OddsRequest, odds: &BaseGameOdds) -> Vec<Sheet> {
    vec![outcomes(request, odds), edges(request, odds)]
}

/// Sheet of the outcomes of a wager.
fn outcomes(request: &OddsRequest, odds: &BaseGameOdds) -> Sheet {
    let (dealer, player) = (&request.book.house_way, &request.player);
    let house_ways = if player.rules() == dealer.rules() {
        format!("both hands set by the house way of {}", dealer.title())
    } else {
        format!("dealer's house way: {}; player's house way: {}", dealer.title(), player.title())
    };
    let deal = |outcome: &str, deals: i64| -> Vec<Cell> {
        vec![outcome.into(), i128::from(deals).into(), percent(&Fraction::new(deals, DEALS), 6).into()]
    };
    let push = &request.book.base_game.dealer_push;
    let mut rows = vec![deal("the player wins", odds.outcomes.win)];
    rows.push(deal("push", odds.outcomes.push - odds.dealer_push));
    if !push.is_empty() {
        let classes: Vec<&str> = push.iter().map(|class| class.title()).collect();
        rows.push(deal(&format!("push: the dealer has {}", classes.join(" or ")), odds.dealer_push));
    }
    rows.push(deal("the player loses", odds.outcomes.lose));
    Sheet {
        title: format!("{}: base game over all deals\n{house_ways}; {}", request.book.title, request.ranking),
        columns: vec!["outcome", "deals", "probability"],
        rows,
    }
}

/// Sheet of the house edge and its parts.
fn edges(request: &OddsRequest, odds: &BaseGameOdds) -> Sheet {
    let mut parts: Vec<(Cell, &Fraction)> = vec![("house edge".into(), &odds.outcomes.edge.0)];
    let with_commission = request.book.commission.basis_points > 0;
    if with_commission {
        parts.push(("before commission".into(), &odds.edge_before_commission.0));
        let commission = percent(&request.commission(), 2);
        parts.push((format!("commission of {commission}").into(), &odds.commission_part.0));
    }
    parts.push(("value of winning copies".into(), &odds.copies_part.0));
    if let Some(banker) = &odds.as_banker {
        let label = "house edge for a banker against one hand";
        let in_terms = request.book.with_book_terms(label);
        parts.push((Cell::shown(in_terms.as_str(), label), &banker.outcomes.edge.0));
        if with_commission {
            let [in_terms, label] = [&in_terms, label].map(|label| format!("{label}, before commission"));
            parts.push((Cell::shown(in_terms, label), &banker.edge_before_commission.0));
        }
    }
    if let Some(at_stake) = &odds.at_stake {
        let (stake, outside) = (Amount::from_cents(at_stake.stake_cents), outside(at_stake));
        let rest = format!("with rounded commission and fees{outside}");
        let label = Cell::shown(
            format!("house edge at ${stake:#}, {rest}"),
            format!("house edge at {stake}, {rest}"),
        );
        parts.push((label, &at_stake.edge.0));
    }
    Sheet {
        title: format!("House edge, standard deviation {}", odds.outcomes.standard_deviation.0.root(6)),
        columns: vec!["part of the wager", "percent", "exact"],
        rows: parts
            .into_iter()
            .map(|(label, part)| vec![label, percent(part, 6).into(), part.to_string().into()])
            .collect(),
    }
}
