//! Odds of a side wager.

use super::{AtStake, OddsRequest};
use crate::books::pays_to_one;
use crate::census::census;
use crate::exact::decimal_and_exact;
use crate::{Decimal, Exact, SquareRoot, Work};
use indexmap::IndexMap;
use paigow::rulebook::SideWager;
use paigow::{Amount, Paytable, WinsOn};
use paigow_math::{CountBasis, WagerOdds};
use serde::Serialize;
use utoipa::ToSchema;

/// Odds of a side wager with one paytable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct WagerOddsAnswer {
    /// Name of the wager.
    pub wager: String,
    /// Whether tables offer the wager.
    pub offered: bool,
    /// Name of the paytable.
    pub paytable: String,
    /// Whether tables may post the paytable.
    pub available: bool,
    /// Use of the joker at tables that post it: `semi_wild` or `fully_wild`.
    pub joker: &'static str,
    /// Number of all hands, if one hand decides the wager.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hands: Option<i64>,
    /// Number of all deals of a player's and a dealer's hand, if both hands decide the wager.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deals: Option<i64>,
    /// Rows of the paytable.
    pub rows: Vec<RowOdds>,
    /// Number of hands or deals for which no row pays.
    pub losing: i64,
    /// House edge as a fraction of the wager, with no other player at the table and without the payout maximum.
    pub edge: Decimal,
    /// House edge as an exact fraction.
    pub edge_exact: Exact,
    /// Probability of a win.
    pub hit_frequency: Decimal,
    /// Probability of a win as an exact fraction.
    pub hit_frequency_exact: Exact,
    /// Standard deviation of the net result per unit wagered.
    pub standard_deviation: SquareRoot,
    /// Expected envy bonus from each other player's hand, per unit of the smallest wager that earns it.
    pub envy_return: Decimal,
    /// Expected envy bonus as an exact fraction.
    pub envy_return_exact: Exact,
    /// House edge by number of players at the table.
    pub edge_by_players: IndexMap<String, Decimal>,
    /// House edge by number of players as exact fractions.
    pub edge_by_players_exact: IndexMap<String, Exact>,
    /// Smallest allowed wager that earns envy bonuses. `null` if there is none.
    #[schema(required)]
    pub envy_from_cents: Option<u64>,
    /// Edge at the requested stake. `null` if none was given.
    #[schema(required)]
    pub at_stake: Option<WagerAtStake>,
}

/// Odds of a row of a paytable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct RowOdds {
    /// Class of hands, or number of cards of the chosen color such as `7_cards`.
    pub hand: String,
    /// Number of hands or deals that the row pays.
    pub combinations: i64,
    /// Payout to 1. 0 is a push.
    pub pays: u32,
    /// Envy bonus. `null` if the row pays none.
    #[schema(required)]
    pub envy_cents: Option<u64>,
    /// Probability of the row.
    pub probability: Decimal,
    /// Probability as an exact fraction.
    pub probability_exact: Exact,
    /// Expected payout of the row per unit wagered, without the wager itself.
    pub r#return: Decimal,
    /// Expected payout as an exact fraction.
    pub return_exact: Exact,
}

/// House edge at a stake, with the payout maximum.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct WagerAtStake {
    /// Stake and edge.
    #[serde(flatten)]
    pub at_stake: AtStake,
    /// Maximum payout. `null` if there is none.
    #[schema(required)]
    pub payout_max_cents: Option<u64>,
    /// Scope of the maximum: `hand` or `round`. `null` if there is none.
    #[schema(required)]
    pub payout_max_per: Option<&'static str>,
}

impl WagerOddsAnswer {
    pub(crate) fn of(
        request: &OddsRequest,
        wager: &SideWager,
        paytable: &Paytable,
        work: &Work,
    ) -> WagerOddsAnswer {
        let game = || request.game(paytable.joker, &[], work);
        let odds = WagerOdds::of(wager, paytable, census(paytable.joker), game);
        let all = odds.of.all() as i64;
        let (hands, deals) = match odds.of {
            CountBasis::Hands => (Some(all), None),
            CountBasis::Deals => (None, Some(all)),
        };
        let rows = odds.rows.iter().map(|(row, count)| {
            let (probability, probability_exact) = decimal_and_exact(odds.probability(*count));
            let (r#return, return_exact) = decimal_and_exact(odds.row_return(row, *count));
            RowOdds {
                hand: match row.wins_on {
                    WinsOn::Class(class) => class.name().to_owned(),
                    WinsOn::Cards(cards) => format!("{cards}_cards"),
                },
                combinations: *count as i64,
                pays: pays_to_one(row.pays),
                envy_cents: row.envy.map(Amount::cents),
                probability,
                probability_exact,
                r#return,
                return_exact,
            }
        });
        let (edge, edge_exact) = decimal_and_exact(odds.edge());
        let (hit_frequency, hit_frequency_exact) = decimal_and_exact(odds.hit_frequency());
        let (envy_return, envy_return_exact) = decimal_and_exact(odds.envy());
        let by_players = || (1..=request.players).map(|n| (n.to_string(), odds.edge_with_players(n)));
        WagerOddsAnswer {
            wager: wager.name.clone(),
            offered: wager.offered,
            paytable: paytable.name.clone(),
            available: paytable.available,
            joker: paytable.joker.name(),
            hands,
            deals,
            rows: rows.collect(),
            losing: odds.losing() as i64,
            edge,
            edge_exact,
            hit_frequency,
            hit_frequency_exact,
            standard_deviation: SquareRoot(odds.variance()),
            envy_return,
            envy_return_exact,
            edge_by_players: by_players().map(|(n, edge)| (n, Decimal(edge))).collect(),
            edge_by_players_exact: by_players().map(|(n, edge)| (n, Exact(edge))).collect(),
            envy_from_cents: wager.min_envy_stake().map(Amount::cents),
            at_stake: request.stake.map(|stake| WagerAtStake::of(wager, &odds, stake)),
        }
    }
}

impl WagerAtStake {
    pub(crate) fn of(wager: &SideWager, odds: &WagerOdds<'_>, stake: Amount) -> WagerAtStake {
        let payout_max = wager.payout_max.as_ref();
        WagerAtStake {
            at_stake: AtStake::of(stake, &wager.limits, odds.edge_at(stake)),
            payout_max_cents: payout_max.and_then(|max| max.amount).map(Amount::cents),
            payout_max_per: payout_max.map(|max| max.per.name()),
        }
    }
}
