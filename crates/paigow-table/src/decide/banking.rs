//! Who banks: offering the bank, taking it, passing it on.

use super::{Decider, check_amount};
use crate::table::{RoundState, TablePhase};
use crate::{Actor, PlayerId, Purpose, Table, TableEvent, TableRefusal};
use paigow::rulebook::{Banker, PaysFrom, Rotation, SettledBy};
use paigow::{Refusal, Seat};

impl Decider<'_> {
    /// Takes the bank: where it is offered, or where a seat may take it while wagers are made. Who has it may say anew how much it
    /// covers.
    pub(super) fn take_bank(&mut self, seat: u8, player: &PlayerId, cents: u64) -> Result<(), TableRefusal> {
        let offered = match self.table.phase {
            TablePhase::Offering { seat: offered, until } if self.moment.now < until => {
                if offered != seat {
                    return Err(TableRefusal::BankNotOffered);
                }
                true
            }
            TablePhase::Wagers { .. } => {
                self.must_wager()?;
                if self.table.must_be_offered() && !self.banks(seat) {
                    return Err(TableRefusal::BankNotOffered);
                }
                false
            }
            _ => return Err(TableRefusal::NotNow),
        };
        check_amount(cents)?;
        if self.table.seats[&seat].out || self.table.seats[&seat].leaving {
            return Err(TableRefusal::SittingOut);
        }
        let before = self.round()?.bank.clone();
        if let Some(other) = before.as_ref().filter(|bank| bank.seat != seat) {
            let seat = Seat::new(other.seat).unwrap_or(Seat::FIRST);
            return Err(TableRefusal::Rules(Refusal::BankTaken { seat }));
        }
        if let Some(before) = before {
            if before.cents == cents {
                return Ok(());
            }
            // Others have wagered against what they saw covered: that is not taken away.
            let needed = before.cents.min(self.table.relied_on(self.round()?));
            if cents < needed {
                return Err(TableRefusal::CoverExceeded { covers: cents, needed });
            }
            self.void(player, &before.hold, before.held(), Purpose::Returned);
        }
        let fee_cents = self.table.banker_fee_to_hold() + self.time_fee_to_hold(seat);
        let hold = self.hold(player, cents + fee_cents, Purpose::Cover);
        self.emit(TableEvent::BankTaken { seat, cents, fee_cents, hold });
        // As with wagers: the rules are asked about the round as it would be.
        self.table.rules(self.round()?)?;
        self.table.covered()?;
        if offered {
            self.emit(TableEvent::WagersOpened { until: self.until(self.table.config.clocks.wagers) });
        }
        Ok(())
    }

    /// Gives the bank back: to the dealer where it may bank, otherwise it is offered on, as if it had been passed. Then nobody may have
    /// wagered yet: it would be against somebody else.
    pub(super) fn give_bank_back(&mut self, seat: u8, player: &PlayerId) -> Result<(), TableRefusal> {
        self.must_wager()?;
        let Some(bank) = self.round()?.bank.clone().filter(|bank| bank.seat == seat) else {
            return Err(TableRefusal::NotTheBanker);
        };
        let offered = self.table.must_be_offered();
        if offered && !self.round()?.wagers.is_empty() {
            return Err(TableRefusal::BankInUse);
        }
        // Its side wagers stood beside the bank, not beside a base wager.
        self.clear_all(seat, player);
        self.void(player, &bank.hold, bank.held(), Purpose::Returned);
        self.emit(TableEvent::BankGivenBack { seat });
        if offered {
            self.emit(TableEvent::BankPassed { seat, by: Actor::Player(player.clone()) });
            self.offer_bank_on();
        }
        Ok(())
    }

    pub(super) fn pass_bank(&mut self, seat: u8, player: &PlayerId) -> Result<(), TableRefusal> {
        match self.table.phase {
            TablePhase::Offering { seat: offered, until } if offered == seat => {
                if self.moment.now >= until {
                    return Err(TableRefusal::NotNow);
                }
                self.pass_if_offered(seat, player);
                Ok(())
            }
            _ => Err(TableRefusal::BankNotOffered),
        }
    }

    /// The seat that banks picks the pile, before anything is dealt (CA-5). The table is committed to the deal by then.
    pub(super) fn pick_pile(&mut self, seat: u8, pile: u8) -> Result<(), TableRefusal> {
        self.must_wager()?;
        if !self.banks(seat) {
            return Err(TableRefusal::NotTheBanker);
        }
        if !(1..=self.table.piles_max()).contains(&pile) {
            return Err(Refusal::BadActionPile { pile }.into());
        }
        if self.round()?.pile != Some(pile) {
            self.emit(TableEvent::PilePicked { seat, pile });
        }
        Ok(())
    }

    /// Whoever gets up or sits out does not keep the others waiting for the bank.
    pub(super) fn pass_if_offered(&mut self, seat: u8, player: &PlayerId) {
        if let TablePhase::Offering { seat: offered, .. } = self.table.phase
            && offered == seat
        {
            self.emit(TableEvent::BankPassed { seat, by: Actor::Player(player.clone()) });
            self.offer_bank_on();
        }
    }

    pub(super) fn banks(&self, seat: u8) -> bool {
        self.round().is_ok_and(|round| round.bank.as_ref().is_some_and(|bank| bank.seat == seat))
    }

    /// Offers the bank to the next seat that has not passed and may bank; with none left there is no round. Who has passed it at one seat
    /// is not offered it at another.
    pub(super) fn offer_bank_on(&mut self) {
        let Ok(round) = self.round() else { return };
        let has_passed = |seat: &u8| {
            let player = self.player_at(*seat);
            round.passed.iter().any(|passed| passed == seat || self.player_at(*passed) == player)
        };
        let next = self.table.bank_order().into_iter().find(|seat| !has_passed(seat));
        match next {
            Some(seat) => {
                let until = self.until(self.table.config.clocks.bank);
                self.emit(TableEvent::BankOffered { seat, until });
            }
            // A round that was open can be abandoned.
            None => drop(self.abandon()),
        }
    }
}

impl Table {
    /// Whether rounds begin with offering the bank: where the dealer may not bank.
    pub(crate) fn must_be_offered(&self) -> bool {
        !self.table_rules.book().banking.bankers.contains(&Banker::Dealer)
    }

    /// How much of what a bank has put up others rely on: their base wagers, or all of it where it pays side wagers too.
    fn relied_on(&self, round: &RoundState) -> u64 {
        let pays_side = |wager: &str| {
            let place = self.table_rules.place(wager);
            place.is_ok_and(|place| self.table_rules.wager(place).settled_by == SettledBy::Banker)
        };
        let put_up = self.table_rules.book().banking.pays_from == PaysFrom::PutUp;
        if put_up && round.wagers.keys().any(|(_, wager)| pays_side(wager)) {
            return u64::MAX;
        }
        self.action(round)
    }

    /// The seats the bank is offered to, in order: clockwise from the last banker (CA-7), or where the bank does not go round
    /// from the first seat in every round.
    pub(super) fn bank_order(&self) -> Vec<u8> {
        let most = self.table_rules.book().banking.rounds_running_max;
        let last = self.last_bank.as_ref();
        let is_last = |seat: u8| last.is_some_and(|last| self.seats[&seat].player == last.player);
        let worn_out =
            |seat: u8| is_last(seat) && last.zip(most).is_some_and(|(last, most)| last.rounds >= most);
        let from = last.map_or(0, |last| last.seat);
        let mut seats: Vec<u8> = self.active().filter(|seat| !worn_out(*seat)).collect();
        // Seats are numbered clockwise, and come in that order.
        if self.rotation() == Rotation::Clockwise {
            // The last banker goes on as long as allowed; then the others in turn.
            seats.sort_by_key(|seat| (!(*seat == from && is_last(*seat)), *seat <= from, *seat));
        }
        seats
    }
}
