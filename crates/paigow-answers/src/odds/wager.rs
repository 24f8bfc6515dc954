//! The odds of a side wager.

use super::{AtStake, OddsRequest};
use crate::books::times;
use crate::census::census;
use crate::exact::both;
use crate::{Decimal, Exact, SquareRoot, Work};
use indexmap::IndexMap;
use paigow::rulebook::SideWager;
use paigow::{Amount, Paytable, WinsOn};
use paigow_math::{CountBasis, WagerOdds};
use serde::Serialize;
use utoipa::ToSchema;

/// A side wager at a paytable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct WagerOddsAnswer {
    /// The wager.
    pub wager: String,
    /// Whether tables offer the wager.
    pub offered: bool,
    /// The paytable.
    pub paytable: String,
    /// Whether it may be posted.
    pub available: bool,
    /// What the joker is where it is posted: `semi_wild` or `fully_wild`.
    pub joker: &'static str,
    /// All hands, where the wager looks at one hand alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hands: Option<i64>,
    /// All deals of a player's and a dealer's hand, where it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deals: Option<i64>,
    /// The rows of the paytable.
    pub rows: Vec<RowOdds>,
    /// In how many no row pays.
    pub losing: i64,
    /// The part of a wager that the house keeps, no other player at the table and no maximum.
    pub edge: Decimal,
    /// The same exactly.
    pub edge_exact: Exact,
    /// How often it wins.
    pub hit_frequency: Decimal,
    /// The same exactly.
    pub hit_frequency_exact: Exact,
    /// Of what a wager of one wins or loses.
    pub standard_deviation: SquareRoot,
    /// What each other player's hand is worth to one with a share, for each unit of the least wager that earns it.
    pub envy_return: Decimal,
    /// The same exactly.
    pub envy_return_exact: Exact,
    /// The edge by how many players are at the table.
    pub edge_by_players: IndexMap<String, Decimal>,
    /// The same exactly.
    pub edge_by_players_exact: IndexMap<String, Exact>,
    /// The least wager that has a share in others' luck, where any has.
    #[schema(required)]
    pub envy_from_cents: Option<u64>,
    /// The edge at the stake that was asked for.
    #[schema(required)]
    pub at_stake: Option<WagerAtStake>,
}

/// A row of a paytable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct RowOdds {
    /// The class of hands, or so many `_cards` of the chosen color.
    pub hand: String,
    /// How many hands or deals it pays.
    pub combinations: i64,
    /// So many to one; 0 is a push.
    pub pays: u32,
    /// What it pays to others with a share.
    #[schema(required)]
    pub envy_cents: Option<u64>,
    /// How often it pays.
    pub probability: Decimal,
    /// The same exactly.
    pub probability_exact: Exact,
    /// What it gives back of a wager of one, the wager itself not counted.
    pub r#return: Decimal,
    /// The same exactly.
    pub return_exact: Exact,
}

/// The edge at a stake, with the most that is paid.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct WagerAtStake {
    /// The edge.
    #[serde(flatten)]
    pub at_stake: AtStake,
    /// The most that is paid on odds, where there is a most.
    #[schema(required)]
    pub payout_max_cents: Option<u64>,
    /// What that is counted over: `hand` or `round`.
    #[schema(required)]
    pub payout_max_per: Option<&'static str>,
}

impl WagerOddsAnswer {
    pub(super) fn of(
        asked: &OddsRequest,
        wager: &SideWager,
        paytable: &Paytable,
        work: &Work,
    ) -> WagerOddsAnswer {
        let game = || asked.game(paytable.joker, &[], work);
        let odds = WagerOdds::of(wager, paytable, census(paytable.joker), game);
        let all = odds.of.all() as i64;
        let (hands, deals) = match odds.of {
            CountBasis::Hands => (Some(all), None),
            CountBasis::Deals => (None, Some(all)),
        };
        let rows = odds.rows.iter().map(|(row, count)| {
            let (probability, probability_exact) = both(odds.probability(*count));
            let (r#return, return_exact) = both(odds.row_return(row, *count));
            RowOdds {
                hand: match row.wins_on {
                    WinsOn::Class(class) => class.name().to_owned(),
                    WinsOn::Cards(cards) => format!("{cards}_cards"),
                },
                combinations: *count as i64,
                pays: times(row.pays),
                envy_cents: row.envy.map(Amount::cents),
                probability,
                probability_exact,
                r#return,
                return_exact,
            }
        });
        let (edge, edge_exact) = both(odds.edge());
        let (hit_frequency, hit_frequency_exact) = both(odds.hit_frequency());
        let (envy_return, envy_return_exact) = both(odds.envy());
        let by_players = || (1..=asked.players).map(|n| (n.to_string(), odds.edge_with_players(n)));
        let payout_max = wager.payout_max.as_ref();
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
            envy_from_cents: wager.least_envy_stake().map(Amount::cents),
            at_stake: asked.stake.map(|stake| WagerAtStake {
                at_stake: AtStake::of(stake, &wager.limits, odds.edge_at(stake)),
                payout_max_cents: payout_max.and_then(|max| max.amount).map(Amount::cents),
                payout_max_per: payout_max.map(|max| max.per.name()),
            }),
        }
    }
}
