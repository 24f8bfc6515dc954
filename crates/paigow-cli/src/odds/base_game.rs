//! The odds of the base game.

use super::{Question, at_stake_json, within};
use crate::answer::{Cell, Sheet};
use crate::numbers::{extend, fraction, outcomes_json, percent};
use crate::work::Work;
use paigow::Amount;
use paigow::rulebook::Banker;
use paigow_math::{BaseGame, BaseOdds, DEALS, Fraction, copies_part};
use serde_json::{Value, json};

impl Question<'_> {
    pub(super) fn base_game(&self, work: &Work) -> (Value, Vec<Sheet>) {
        let copies = self.book.base_game.copies;
        let push = &self.book.base_game.dealer_push;
        let game = self.game(self.ranking.joker, push, work);
        let odds = BaseOdds::of_player(&game, copies, self.commission());
        let seat_banks = self.book.banking.bankers.iter().any(|banker| *banker != Banker::Dealer);
        let banker = seat_banks.then(|| {
            let game = if push.is_empty() { game } else { self.game(self.ranking.joker, &[], work) };
            BaseOdds::of_banker(&game, copies, self.commission())
        });
        let at_stake = self.stake.map(|stake| {
            let part = |fee: Amount| Fraction::new(fee.cents(), stake.cents());
            let odds = BaseOdds { commission: part(self.book.commission.on(stake)), ..odds.clone() };
            let fee = self.book.collection.as_ref().map(|fees| fees.fee(stake, |fee| fee.player));
            (stake, odds.edge() + part(fee.unwrap_or(Amount::ZERO)))
        });

        let mut json = json!({
            "house_way": self.book.house_way.id,
            "player_house_way": self.player.id,
            "ranking": { "joker": self.ranking.joker.name(), "wheel": self.ranking.wheel.name() },
            "deals": DEALS as i64,
        });
        extend(&mut json, outcomes_json(&odds));
        json["dealer_push"] = (game.dealer_push as i64).into();
        fraction(&mut json, "edge_before_commission", &odds.edge_before_commission());
        fraction(&mut json, "commission_part", &odds.commission_part());
        fraction(&mut json, "copies_part", &copies_part(&game));
        json["compared"] = compared_json(&game);
        json["as_banker"] = banker.as_ref().map_or(Value::Null, |banker| {
            let mut json = outcomes_json(banker);
            fraction(&mut json, "edge_before_commission", &banker.edge_before_commission());
            json["commission_on"] = self.book.commission.banker.name().into();
            json["hands_answered"] = 1.into();
            json
        });
        let limits = &self.book.base_game.limits;
        json["at_stake"] =
            at_stake.as_ref().map_or(Value::Null, |(stake, edge)| at_stake_json(*stake, limits, edge));

        let (dealer, player) = (&self.book.house_way, &self.player);
        let who = if player.rules() == dealer.rules() {
            format!("both hands set by the house way of {}", dealer.title)
        } else {
            format!("the dealer's hand set as {} does, the player's as {}", dealer.title, player.title)
        };
        let deal = |what: &str, deals: i128| -> Vec<Cell> {
            vec![what.into(), deals.into(), percent(&Fraction::new(deals, DEALS), 6).into()]
        };
        let mut rows = vec![deal("the player wins", odds.outcomes.win)];
        rows.push(deal("push", odds.outcomes.push - game.dealer_push));
        if !push.is_empty() {
            let classes: Vec<&str> = push.iter().map(|class| class.title()).collect();
            rows.push(deal(&format!("push: the dealer has {}", classes.join(" or ")), game.dealer_push));
        }
        rows.push(deal("the player loses", odds.outcomes.lose));
        let outcomes = Sheet {
            title: format!("{}: the base game over all deals\n{who}; {}", self.book.title, self.ranking),
            columns: vec!["outcome", "deals", "part"],
            rows,
        };
        let mut parts: Vec<(String, Fraction)> = vec![("house edge".to_owned(), odds.edge())];
        let with_commission = self.book.commission.basis_points > 0;
        if with_commission {
            parts.push(("before commission".to_owned(), odds.edge_before_commission()));
            let commission = percent(&self.commission(), 2);
            parts.push((format!("the commission of {commission}"), odds.commission_part()));
        }
        parts.push(("what copies are worth to those who win them".to_owned(), copies_part(&game)));
        if let Some(banker) = &banker {
            let what = "edge against a seat that banks and answers one hand";
            parts.push((what.to_owned(), banker.edge()));
            if with_commission {
                parts.push((format!("{what}, before commission"), banker.edge_before_commission()));
            }
        }
        if let Some((stake, edge)) = at_stake {
            let outside = if within(limits, stake) { "" } else { ", outside the limits" };
            parts.push((format!("house edge at {stake}, commission rounded and fees{outside}"), edge));
        }
        let edges = Sheet {
            title: format!("What it is worth, standard deviation {}", odds.variance().root(6)),
            columns: vec!["part of a wager", "percent", "exactly"],
            rows: parts
                .iter()
                .map(|(what, part)| {
                    vec![what.as_str().into(), percent(part, 6).into(), part.to_string().into()]
                })
                .collect(),
        };
        (json, vec![outcomes, edges])
    }
}

/// The player's five cards and two against the dealer's.
fn compared_json(game: &BaseGame) -> Value {
    let names = ["higher", "copy", "lower"];
    let rows = names.into_iter().zip(game.compared).map(|(high, row)| {
        let row =
            names.into_iter().zip(row).map(|(low, deals)| (format!("{low}_in_front"), (deals as i64).into()));
        (format!("{high}_behind"), Value::Object(row.collect()))
    });
    Value::Object(rows.collect())
}
