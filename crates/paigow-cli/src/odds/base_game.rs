//! The odds of the base game.

use super::outside;
use crate::answer::{Cell, Sheet};
use crate::numbers::percent;
use paigow::Amount;
use paigow_answers::odds::{BaseGameOdds, OddsRequest};
use paigow_math::{DEALS, Fraction};

pub(super) fn sheets(asked: &OddsRequest, odds: &BaseGameOdds) -> Vec<Sheet> {
    vec![outcomes(asked, odds), edges(asked, odds)]
}

/// What becomes of a wager.
fn outcomes(asked: &OddsRequest, odds: &BaseGameOdds) -> Sheet {
    let (dealer, player) = (&asked.book.house_way, &asked.player);
    let who = if player.rules() == dealer.rules() {
        format!("both hands set by the house way of {}", dealer.title())
    } else {
        format!("the dealer's hand set as {} does, the player's as {}", dealer.title(), player.title())
    };
    let deal = |what: &str, deals: i64| -> Vec<Cell> {
        vec![what.into(), i128::from(deals).into(), percent(&Fraction::new(deals, DEALS), 6).into()]
    };
    let push = &asked.book.base_game.dealer_push;
    let mut rows = vec![deal("the player wins", odds.outcomes.win)];
    rows.push(deal("push", odds.outcomes.push - odds.dealer_push));
    if !push.is_empty() {
        let classes: Vec<&str> = push.iter().map(|class| class.title()).collect();
        rows.push(deal(&format!("push: the dealer has {}", classes.join(" or ")), odds.dealer_push));
    }
    rows.push(deal("the player loses", odds.outcomes.lose));
    Sheet {
        title: format!("{}: the base game over all deals\n{who}; {}", asked.book.title, asked.ranking),
        columns: vec!["outcome", "deals", "part"],
        rows,
    }
}

/// What a wager is worth.
fn edges(asked: &OddsRequest, odds: &BaseGameOdds) -> Sheet {
    let mut parts: Vec<(Cell, &Fraction)> = vec![("house edge".into(), &odds.outcomes.edge.0)];
    let with_commission = asked.book.commission.basis_points > 0;
    if with_commission {
        parts.push(("before commission".into(), &odds.edge_before_commission.0));
        let commission = percent(&asked.commission(), 2);
        parts.push((format!("the commission of {commission}").into(), &odds.commission_part.0));
    }
    parts.push(("what copies are worth to those who win them".into(), &odds.copies_part.0));
    if let Some(banker) = &odds.as_banker {
        let what = "edge against a banker who answers one hand";
        let term = asked.book.in_its_terms(what);
        parts.push((Cell::shown(term.as_str(), what), &banker.outcomes.edge.0));
        if with_commission {
            let [term, what] = [&term, what].map(|what| format!("{what}, before commission"));
            parts.push((Cell::shown(term, what), &banker.edge_before_commission.0));
        }
    }
    if let Some(at_stake) = &odds.at_stake {
        let (stake, outside) = (Amount::from_cents(at_stake.stake_cents), outside(at_stake));
        let rest = format!("commission rounded and fees{outside}");
        let what = Cell::shown(
            format!("house edge at ${stake:#}, {rest}"),
            format!("house edge at {stake}, {rest}"),
        );
        parts.push((what, &at_stake.edge.0));
    }
    Sheet {
        title: format!("What it is worth, standard deviation {}", odds.outcomes.standard_deviation.0.root(6)),
        columns: vec!["part of a wager", "percent", "exactly"],
        rows: parts
            .into_iter()
            .map(|(what, part)| vec![what, percent(part, 6).into(), part.to_string().into()])
            .collect(),
    }
}
