//! Collection fees of the house (CA-8).

use super::Settler;
use crate::rulebook::{Collection, Fee};
use crate::{Amount, Line, Net, Outcome, Party, Reason, WagerRef};

impl Settler<'_> {
    /// Collects fees by the size of the wagers, with or without action, as in releases before 0.2.0.
    pub(super) fn collect_by_wager(&mut self) {
        let Some(collection) = &self.table_rules.book().collection else { return };
        for seat in self.showdown.seats() {
            let Some(player) = self.playing(seat) else { continue };
            let stake = player.stakes.pai_gow;
            self.collect(Party::Seat(seat), WagerRef::PaiGow, stake, collection.fee(stake, |fee| fee.player));
        }
        if self.bank == Party::Banker {
            let action = self.showdown.action();
            let fee = collection.fee(action, |fee| fee.banker);
            self.collect(Party::Banker, WagerRef::PaiGow, action, fee);
        }
    }

    /// Collects fees by the amount in action. Their lines come first, because the house takes the fees first.
    pub(super) fn collect_by_action(&mut self) {
        let Some(collection) = &self.table_rules.book().collection else { return };
        let settled = self.lines.len();
        if let Some(time) = collection.time {
            self.collect_for_time(time.player);
        }
        for seat in self.showdown.seats().map(Party::Seat) {
            for wager in self.wagers() {
                let action = self.action(wager, |line| line.who == seat);
                let fee = collection.fee_on(wager, action, |fee| fee.player);
                self.collect(seat, wager, action, fee);
            }
        }
        let wager_count =
            if self.bank == Party::Banker { self.table_rules.side_wager_count() + 1 } else { 0 };
        for wager in self.wagers().take(wager_count) {
            let action = self.action(wager, |line| line.against == Party::Banker);
            let fee = collection.fee_on(wager, action, |fee| fee.banker);
            self.collect(Party::Banker, wager, action, fee);
        }
        self.lines.rotate_left(settled);
    }

    /// Collects the fee for playing time from every seat that owes it, with or without action.
    fn collect_for_time(&mut self, fee: Amount) {
        for seat in self.showdown.seats() {
            let owes = self.showdown.player(seat).is_some_and(|player| player.stakes.owes_time);
            if owes && fee > Amount::ZERO {
                let banks = self.showdown.banking_seat() == Some(seat);
                let who = if banks { Party::Banker } else { Party::Seat(seat) };
                self.lines.push(Line {
                    who,
                    wager: WagerRef::PaiGow,
                    stake: Amount::ZERO,
                    outcome: Outcome::Collection,
                    net: Net::lost(fee),
                    fee: Amount::ZERO,
                    against: Party::House,
                    reason: Reason::TimeFee,
                });
            }
        }
    }

    fn wagers(&self) -> impl Iterator<Item = WagerRef> + use<> {
        let sides = (0..self.table_rules.side_wager_count()).map(|index| WagerRef::Side(index as u8));
        std::iter::once(WagerRef::PaiGow).chain(sides)
    }

    /// Returns the amount in action on a wager, of the lines that match.
    fn action(&self, wager: WagerRef, matches: impl Fn(&Line) -> bool) -> Amount {
        let played = |line: &&Line| {
            let outcome =
                matches!(line.outcome, Outcome::Win | Outcome::Lose | Outcome::Push | Outcome::Foul);
            outcome && line.wager == wager && matches(line)
        };
        Amount::from_cents(self.lines.iter().filter(played).map(|line| line.stake.cents()).sum())
    }

    fn collect(&mut self, who: Party, wager: WagerRef, stake: Amount, fee: Amount) {
        if fee > Amount::ZERO {
            self.lines.push(Line {
                who,
                wager,
                stake,
                outcome: Outcome::Collection,
                net: Net::lost(fee),
                fee: Amount::ZERO,
                against: Party::House,
                reason: Reason::Collection,
            });
        }
    }
}

impl Collection {
    /// Returns the fee for a base wager, or for all base wagers against a banker.
    pub fn fee(&self, wager: Amount, who: fn(&Fee) -> Amount) -> Amount {
        fee(&self.schedule, wager, who)
    }

    /// Returns the fee on the amount in action, or zero if there is no action.
    fn fee_on(&self, wager: WagerRef, action: Amount, who: fn(&Fee) -> Amount) -> Amount {
        if action == Amount::ZERO {
            return Amount::ZERO;
        }
        fee(self.schedule_of(wager), action, who)
    }

    /// Returns the maximum fee of a player for a wager of this size.
    ///
    /// Only part of the wager may have action, so every row up to the size counts.
    pub fn player_fee_max(&self, wager: WagerRef, stake: Amount) -> Amount {
        let rows = self.schedule_of(wager).iter().filter(|fee| fee.wager_from <= stake);
        rows.map(|fee| fee.player).max().unwrap_or_default()
    }

    /// Returns the maximum fee of a banker for wagers of one kind, of any total amount.
    pub fn banker_fee_max(&self, wager: WagerRef) -> Amount {
        self.schedule_of(wager).iter().map(|fee| fee.banker).max().unwrap_or_default()
    }

    fn schedule_of(&self, wager: WagerRef) -> &[Fee] {
        match wager {
            WagerRef::PaiGow => &self.schedule,
            WagerRef::Side(_) => &self.bonus,
        }
    }
}

fn fee(schedule: &[Fee], wager: Amount, who: fn(&Fee) -> Amount) -> Amount {
    schedule.iter().rev().find(|fee| fee.wager_from <= wager).map_or(Amount::ZERO, who)
}
