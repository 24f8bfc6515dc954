//! The most that side wagers and envy bonuses can cost a banking seat, for books that have it held in reserve.

use crate::rulebook::{PayoutMax, PaysFrom, Per, SettledBy};
use crate::{Amount, Bank, BySeat, Pays, Refusal, Stakes, TableRules};

impl TableRules {
    /// The most that a banking seat can be asked to pay on side wagers and envy bonuses with these stakes.
    ///
    /// Every side wager it settles is counted at the best row of its paytable, up to the payout maximum. Every wager that earns an envy
    /// bonus is counted at the best of those for every other hand that can earn one. No deal has all of that at once, so a bank that has
    /// this much can always pay.
    pub fn reserve(&self, stakes: &BySeat<Stakes>) -> Amount {
        let places = 0..self.side_wagers();
        let settled = places.filter(|place| self.wager(*place).settled_by == SettledBy::Banker);
        let total = settled.map(|place| self.payouts_max(place, stakes) + self.envy_max(place, stakes));
        Amount::from_cents(u64::try_from(total.sum::<u128>()).unwrap_or(u64::MAX))
    }

    /// What all wagers of one kind are paid at most.
    fn payouts_max(&self, place: usize, stakes: &BySeat<Stakes>) -> u128 {
        let wager = self.wager(place);
        let times = self.paytable(place).rows.iter().map(|row| match row.pays {
            Pays::ToOne(times) => times,
            Pays::Push => 0,
        });
        let best = times.max().unwrap_or(0);
        let placed = stakes.iter().filter_map(|stakes| stakes.sides[place]);
        let sum = placed.map(|stake| u128::from(wager.payout(best, stake.amount).cents())).sum();
        match wager.payout_max {
            Some(PayoutMax { amount: Some(most), per: Per::Round, .. }) => u128::from(most.cents()).min(sum),
            _ => sum,
        }
    }

    /// What all envy bonuses of one kind of wager come to at most.
    fn envy_max(&self, place: usize, stakes: &BySeat<Stakes>) -> u128 {
        let Some(envy) = &self.wager(place).envy else { return 0 };
        let best = self.paytable(place).rows.iter().filter_map(|row| row.envy).max().unwrap_or_default();
        let earns = |stakes: &&Stakes| stakes.sides[place].is_some_and(|stake| stake.amount >= envy.from);
        let holders = stakes.iter().filter(earns).count();
        let playing = stakes.iter().filter(|stakes| stakes.pai_gow > Amount::ZERO).count();
        let others = playing.saturating_sub(1) + usize::from(envy.banker_hand);
        u128::from(best.cents()) * (holders * others) as u128
    }
}

/// Refuses wagers that a bank could be asked to pay more for than it has put up, where the book has their payment held in reserve.
pub(crate) fn check_reserve(
    table_rules: &TableRules,
    bank: Bank,
    stakes: &BySeat<Stakes>,
    dealer_wager: Amount,
) -> Option<Refusal> {
    let Bank::Seat { covers: Some(covers), .. } = bank else { return None };
    if table_rules.book().banking.pays_from != PaysFrom::Reserved {
        return None;
    }
    let reserve = table_rules.reserve(stakes);
    let seats: u64 = stakes.iter().map(|stakes| stakes.pai_gow.cents()).sum();
    let action = Amount::from_cents(seats + dealer_wager.cents());
    // Without side wagers nothing is reserved: base wagers are covered as far as the bank reaches.
    let fits = reserve == Amount::ZERO || reserve.cents().saturating_add(action.cents()) <= covers.cents();
    (!fits).then_some(Refusal::ReserveExceeded { reserve, action, covers })
}
