//! Exposure: highest payments of the side that settles a wager.

use paigow::rulebook::{DecidingCards, PayoutScope, SideWager};
use paigow::{Amount, PayRow, Pays, Paytable};

/// Highest payments of a side wager at its maximum stake, in cents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exposure {
    /// The maximum stake.
    pub stake_cents: u64,
    /// Highest payout of one wager, with the payout maximum.
    pub wager_cents: u64,
    /// Highest sum that one hand can earn: its payout and its envy bonuses for all other players, or the payouts of all
    /// players if the dealer's hand decides.
    pub hand_cents: u64,
    /// Upper bound of the payments of a round in which all players have the maximum stake: every hand has the best row.
    /// No deal combines all of them if each player's own hand decides.
    pub round_cents: u64,
}

impl Exposure {
    /// Computes the exposure with `players` players at the table.
    pub fn of(wager: &SideWager, paytable: &Paytable, players: u8) -> Exposure {
        let stake = wager.limits.max;
        let (players, cents) = (u64::from(players), Amount::cents);
        let times = |row: &PayRow| match row.pays {
            Pays::Push => 0,
            Pays::ToOne(times) => times,
        };
        let max_of = |value: &dyn Fn(&PayRow) -> u64| paytable.rows.iter().map(value).max().unwrap_or(0);
        let round_max = wager.payout_max.as_ref().filter(|max| max.per == PayoutScope::Round);
        let round_max = round_max.and_then(|max| max.amount).map_or(u64::MAX, cents);
        let all_players =
            |row: &PayRow| cents(wager.payout(times(row), stake)).saturating_mul(players).min(round_max);
        let envy_from = |row: &PayRow, hands: u64| {
            let bonus = row.envy.filter(|_| wager.earns_button(stake)).map_or(0, cents);
            bonus.saturating_mul(hands)
        };
        let wager_cents = max_of(&|row| cents(wager.single_payout(times(row), stake)));
        let (hand_cents, round_cents) = match wager.looks_at {
            DecidingCards::DealerHand | DecidingCards::DealerFiveCards => {
                let all = max_of(&all_players);
                (all, all)
            }
            DecidingCards::PlayerHand | DecidingCards::Color => {
                let own = max_of(&|row| {
                    let paid = cents(wager.single_payout(times(row), stake));
                    paid.saturating_add(envy_from(row, players.saturating_sub(1)))
                });
                let banker_hand = wager.envy.as_ref().is_some_and(|envy| envy.banker_hand);
                let bankers = if banker_hand { max_of(&|row| envy_from(row, players)) } else { 0 };
                let others = players.saturating_sub(1) + u64::from(banker_hand);
                let envy = max_of(&|row| envy_from(row, players.saturating_mul(others)));
                (own.max(bankers), max_of(&all_players).saturating_add(envy))
            }
        };
        Exposure { stake_cents: stake.cents(), wager_cents, hand_cents, round_cents }
    }
}
