//! The odds of the base game.

use super::{AtStake, OddsRequest, OutcomeOdds};
use crate::exact::both;
use crate::{Decimal, Exact, RankingNames, Work};
use paigow::Amount;
use paigow::rulebook::Banker;
use paigow_math::{BaseGame, BaseOdds, DEALS, Fraction, copies_part};
use serde::Serialize;
use utoipa::ToSchema;

/// The base game over all deals.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct BaseGameOdds {
    /// How the dealer sets.
    pub house_way: String,
    /// How the player sets.
    pub player_house_way: String,
    /// How hands rank.
    pub ranking: RankingNames,
    /// All deals of a player's and a dealer's hand.
    pub deals: i64,
    /// What becomes of a wager.
    #[serde(flatten)]
    pub outcomes: OutcomeOdds,
    /// The deals in which the dealer's cards make every wager push.
    pub dealer_push: i64,
    /// The edge without the commission.
    pub edge_before_commission: Decimal,
    /// The same exactly.
    pub edge_before_commission_exact: Exact,
    /// The part of a wager that goes in commission.
    pub commission_part: Decimal,
    /// The same exactly.
    pub commission_part_exact: Exact,
    /// What copies are worth to those who win them.
    pub copies_part: Decimal,
    /// The same exactly.
    pub copies_part_exact: Exact,
    /// The player's five cards and two against the dealer's.
    pub compared: HighHandComparison,
    /// The odds of a seat that banks, where one may.
    #[schema(required)]
    pub as_banker: Option<BankerOdds>,
    /// The edge at the stake that was asked for.
    #[schema(required)]
    pub at_stake: Option<AtStake>,
}

/// Deals by how the player's five cards compare with the dealer's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct HighHandComparison {
    /// They are higher.
    pub higher_behind: LowHandComparison,
    /// They are equal.
    pub copy_behind: LowHandComparison,
    /// They are lower.
    pub lower_behind: LowHandComparison,
}

/// Deals by how the player's two cards compare with the dealer's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct LowHandComparison {
    /// They are higher.
    pub higher_in_front: i64,
    /// They are equal.
    pub copy_in_front: i64,
    /// They are lower.
    pub lower_in_front: i64,
}

/// The odds of a seat that banks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct BankerOdds {
    /// What becomes of a wager it answers.
    #[serde(flatten)]
    pub outcomes: OutcomeOdds,
    /// The edge without the commission.
    pub edge_before_commission: Decimal,
    /// The same exactly.
    pub edge_before_commission_exact: Exact,
    /// What it pays commission on: `each_win` or `net_win`.
    pub commission_on: &'static str,
    /// How many hands it answers.
    pub hands_answered: u8,
}

impl BaseGameOdds {
    pub(super) fn of(asked: &OddsRequest, work: &Work) -> BaseGameOdds {
        let book = &asked.book;
        let copies = book.base_game.copies;
        let push = &book.base_game.dealer_push;
        let game = asked.game(asked.ranking.joker, push, work);
        let odds = BaseOdds::of_player(&game, copies, asked.commission());
        let seat_banks = book.banking.bankers.iter().any(|banker| *banker != Banker::Dealer);
        let as_banker = seat_banks.then(|| {
            let game = if push.is_empty() { game } else { asked.game(asked.ranking.joker, &[], work) };
            let odds = BaseOdds::of_banker(&game, copies, asked.commission());
            let (edge_before_commission, edge_before_commission_exact) = both(odds.edge_before_commission());
            BankerOdds {
                outcomes: OutcomeOdds::of(&odds),
                edge_before_commission,
                edge_before_commission_exact,
                commission_on: book.commission.banker.name(),
                hands_answered: 1,
            }
        });
        let at_stake = asked.stake.map(|stake| {
            let part = |fee: Amount| Fraction::new(fee.cents(), stake.cents());
            let odds = BaseOdds { commission: part(book.commission.on(stake)), ..odds.clone() };
            let fee = book.collection.as_ref().map(|fees| fees.fee(stake, |fee| fee.player));
            let edge = odds.edge() + part(fee.unwrap_or(Amount::ZERO));
            AtStake::of(stake, &book.base_game.limits, edge)
        });
        let (edge_before_commission, edge_before_commission_exact) = both(odds.edge_before_commission());
        let (commission_part, commission_part_exact) = both(odds.commission_part());
        let (copies_part, copies_part_exact) = both(copies_part(&game));
        BaseGameOdds {
            house_way: book.house_way.id().to_owned(),
            player_house_way: asked.player.id().to_owned(),
            ranking: asked.ranking.into(),
            deals: DEALS as i64,
            outcomes: OutcomeOdds::of(&odds),
            dealer_push: game.dealer_push as i64,
            edge_before_commission,
            edge_before_commission_exact,
            commission_part,
            commission_part_exact,
            copies_part,
            copies_part_exact,
            compared: compared(&game),
            as_banker,
            at_stake,
        }
    }
}

fn compared(game: &BaseGame) -> HighHandComparison {
    let [higher_behind, copy_behind, lower_behind] = game.compared.map(|row| {
        let [higher_in_front, copy_in_front, lower_in_front] = row.map(|deals| deals as i64);
        LowHandComparison { higher_in_front, copy_in_front, lower_in_front }
    });
    HighHandComparison { higher_behind, copy_behind, lower_behind }
}
