//! Reserve: the maximum cost of side wagers and envy bonuses for a banking seat, in books that require it.

use crate::rulebook::{PayoutMax, PayoutScope, PaysFrom, SettledBy};
use crate::{Amount, Bank, BySeat, Pays, Refusal, Stakes, TableRules};

impl TableRules {
    /// Returns the reserve of a banking seat for these stakes: an upper bound of its side-wager and envy payments.
    ///
    /// Every side wager that the seat settles counts at the best row of its paytable, up to the payout maximum. Every
    /// wager that earns an envy bonus counts at the best bonus for every other hand that can earn one. No deal combines
    /// all of these, so a bank with this amount can always pay.
    pub fn reserve(&self, stakes: &BySeat<Stakes>) -> Amount {
        let wagers = 0..self.side_wager_count();
        let settled = wagers.filter(|index| self.wager(*index).settled_by == SettledBy::Banker);
        let total = settled.map(|index| self.payouts_max(index, stakes) + self.envy_max(index, stakes));
        Amount::from_cents(u64::try_from(total.sum::<u128>()).unwrap_or(u64::MAX))
    }

    /// Returns the maximum payout of all wagers of one kind.
    fn payouts_max(&self, index: usize, stakes: &BySeat<Stakes>) -> u128 {
        let wager = self.wager(index);
        let times = self.paytable(index).rows.iter().map(|row| match row.pays {
            Pays::ToOne(times) => times,
            Pays::Push => 0,
        });
        let best = times.max().unwrap_or(0);
        let placed = stakes.iter().filter_map(|stakes| stakes.sides[index]);
        let sum = placed.map(|stake| u128::from(wager.payout(best, stake.amount).cents())).sum();
        match wager.payout_max {
            Some(PayoutMax { amount: Some(max), per: PayoutScope::Round, .. }) => {
                u128::from(max.cents()).min(sum)
            }
            _ => sum,
        }
    }

    /// Returns the maximum sum of envy bonuses of one kind of wager.
    fn envy_max(&self, index: usize, stakes: &BySeat<Stakes>) -> u128 {
        let Some(envy) = &self.wager(index).envy else { return 0 };
        let best = self.paytable(index).rows.iter().filter_map(|row| row.envy).max().unwrap_or_default();
        let earns = |stakes: &&Stakes| stakes.sides[index].is_some_and(|stake| stake.amount >= envy.from);
        let holders = stakes.iter().filter(earns).count();
        let playing = stakes.iter().filter(|stakes| stakes.pai_gow > Amount::ZERO).count();
        let others = playing.saturating_sub(1) + usize::from(envy.banker_hand);
        u128::from(best.cents()) * (holders * others) as u128
    }
}

/// Refuses wagers whose possible payments exceed the amount put up, if the book requires a reserve.
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
    // Without side wagers nothing is reserved. Base wagers are covered up to the amount put up.
    let fits = reserve == Amount::ZERO || reserve.cents().saturating_add(action.cents()) <= covers.cents();
    (!fits).then_some(Refusal::ReserveExceeded { reserve, action, covers })
}
