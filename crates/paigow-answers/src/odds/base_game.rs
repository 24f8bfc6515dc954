//! Odds of the base game.

use super::{AtStake, OddsRequest, OutcomeOdds};
use crate::exact::decimal_and_exact;
use crate::{Decimal, Exact, RankingNames, Work};
use paigow_math::{BaseGame, BaseOdds, DEALS, copies_part};
use serde::Serialize;
use utoipa::ToSchema;

/// The base game over all deals.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct BaseGameOdds {
    /// House way of the dealer.
    pub house_way: String,
    /// House way of the player.
    pub player_house_way: String,
    /// Ranking of hands.
    pub ranking: RankingNames,
    /// Number of all deals of a player's and a dealer's hand.
    pub deals: i64,
    /// Outcomes of the wager.
    #[serde(flatten)]
    pub outcomes: OutcomeOdds,
    /// Number of deals in which the dealer's hand makes every wager push.
    pub dealer_push: i64,
    /// House edge before commission.
    pub edge_before_commission: Decimal,
    /// House edge before commission as an exact fraction.
    pub edge_before_commission_exact: Exact,
    /// Expected commission as a fraction of the wager.
    pub commission_part: Decimal,
    /// Expected commission as an exact fraction.
    pub commission_part_exact: Exact,
    /// Value of winning copies, as a fraction of the wager: half the difference in expected value between winning all
    /// and losing all of them.
    pub copies_part: Decimal,
    /// Value of winning copies as an exact fraction.
    pub copies_part_exact: Exact,
    /// Number of deals by comparison of the high hands and the low hands.
    pub compared: HighHandComparison,
    /// Odds of a banking seat. `null` if seats may not bank.
    #[schema(required)]
    pub as_banker: Option<BankerOdds>,
    /// Edge at the requested stake. `null` if none was given.
    #[schema(required)]
    pub at_stake: Option<AtStake>,
}

/// Number of deals by comparison of the player's high hand with the dealer's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct HighHandComparison {
    /// The player's high hand is higher.
    pub higher_behind: LowHandComparison,
    /// The high hands are copies.
    pub copy_behind: LowHandComparison,
    /// The player's high hand is lower.
    pub lower_behind: LowHandComparison,
}

/// Number of deals by comparison of the player's low hand with the dealer's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct LowHandComparison {
    /// The player's low hand is higher.
    pub higher_in_front: i64,
    /// The low hands are copies.
    pub copy_in_front: i64,
    /// The player's low hand is lower.
    pub lower_in_front: i64,
}

/// Odds of a banking seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct BankerOdds {
    /// Outcomes of a wager against the bank, as the bank's wins and losses.
    #[serde(flatten)]
    pub outcomes: OutcomeOdds,
    /// Expected loss before commission as a fraction of the wager.
    pub edge_before_commission: Decimal,
    /// Expected loss before commission as an exact fraction.
    pub edge_before_commission_exact: Exact,
    /// Basis of the banker's commission: `each_win` or `net_win`.
    pub commission_on: &'static str,
    /// Number of hands that the bank plays against.
    pub hands_answered: u8,
}

impl BaseGameOdds {
    pub(crate) fn of(request: &OddsRequest, work: &Work) -> BaseGameOdds {
        let book = &request.book;
        let copies = book.base_game.copies;
        let push = &book.base_game.dealer_push;
        let game = request.game(request.ranking.joker, push, work);
        let odds = BaseOdds::of_player(&game, copies, request.commission());
        let as_banker = book.banking.seats_may_bank().then(|| {
            let game = if push.is_empty() { game } else { request.game(request.ranking.joker, &[], work) };
            let odds = BaseOdds::of_banker(&game, copies, request.commission());
            let (edge_before_commission, edge_before_commission_exact) =
                decimal_and_exact(odds.edge_before_commission());
            BankerOdds {
                outcomes: OutcomeOdds::of(&odds),
                edge_before_commission,
                edge_before_commission_exact,
                commission_on: book.commission.banker.name(),
                hands_answered: 1,
            }
        });
        let at_stake = request.stake.map(|stake| AtStake::of_base(book, &odds, stake));
        let (edge_before_commission, edge_before_commission_exact) =
            decimal_and_exact(odds.edge_before_commission());
        let (commission_part, commission_part_exact) = decimal_and_exact(odds.commission_part());
        let (copies_part, copies_part_exact) = decimal_and_exact(copies_part(&game));
        BaseGameOdds {
            house_way: book.house_way.id().to_owned(),
            player_house_way: request.player.id().to_owned(),
            ranking: request.ranking.into(),
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
