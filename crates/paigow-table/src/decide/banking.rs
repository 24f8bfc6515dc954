//! The bank: offering it, taking it, passing it on and giving it back.

use super::{Decider, check_amount};
use crate::table::{RoundState, TablePhase};
use crate::{Actor, PlayerId, Purpose, Table, TableEvent, TableRefusal};
use paigow::rulebook::{Banker, PaysFrom, Rotation, SettledBy};
use paigow::{Refusal, Seat};

impl Decider<'_> {
    /// Takes the bank when it is offered, or while wagers are open if the book allows that. A seat that has the bank
    /// may change the amount that it covers.
    pub(super) fn take_bank(&mut self, seat: u8, player: &PlayerId, cents: u64) -> Result<(), TableRefusal> {
        let offered = match self.table.phase {
            TablePhase::Offering { seat: offered, until } if self.context.now < until => {
                if offered != seat {
                    return Err(TableRefusal::BankNotOffered);
                }
                true
            }
            TablePhase::Wagers { .. } => {
                self.check_wagers_open()?;
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
            // Other players rely on the cover, so it cannot be reduced below the part that their wagers need.
            let needed = before.cents.min(self.table.cover_in_use(self.round()?));
            if cents < needed {
                return Err(TableRefusal::CoverExceeded { covers: cents, needed });
            }
            self.void(player, &before.hold, before.held(), Purpose::Returned);
        }
        let fee_cents = self.table.banker_fee_to_hold() + self.time_fee_to_hold(seat);
        let hold = self.hold(player, cents + fee_cents, Purpose::Cover);
        self.emit(TableEvent::BankTaken { seat, cents, fee_cents, hold });
        // As with wagers, the rules check the resulting round.
        self.table.rules(self.round()?)?;
        self.table.check_cover()?;
        if offered {
            self.emit(TableEvent::WagersOpened { until: self.until(self.table.config.clocks.wagers) });
        }
        Ok(())
    }

    /// Gives the bank back to the dealer if the dealer may bank, or else offers it on, as if the seat had passed. It
    /// cannot be offered on once a wager is placed, because the wager would then be against another banker.
    pub(super) fn give_bank_back(&mut self, seat: u8, player: &PlayerId) -> Result<(), TableRefusal> {
        self.check_wagers_open()?;
        let Some(bank) = self.round()?.bank.clone().filter(|bank| bank.seat == seat) else {
            return Err(TableRefusal::NotTheBanker);
        };
        let offered = self.table.must_be_offered();
        if offered && !self.round()?.wagers.is_empty() {
            return Err(TableRefusal::BankInUse);
        }
        // The side wagers of a banking seat need the bank, because it has no base wager.
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
                if self.context.now >= until {
                    return Err(TableRefusal::NotNow);
                }
                self.pass_if_offered(seat, player);
                Ok(())
            }
            _ => Err(TableRefusal::BankNotOffered),
        }
    }

    /// Picks the action pile for the banking seat before hands are dealt (CA-5). The house has committed to the deal by
    /// then.
    pub(super) fn pick_pile(&mut self, seat: u8, pile: u8) -> Result<(), TableRefusal> {
        self.check_wagers_open()?;
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

    /// Passes the bank on if it is offered to this seat. A player who leaves or sits out must not delay the other
    /// players.
    pub(super) fn pass_if_offered(&mut self, seat: u8, player: &PlayerId) {
        if let TablePhase::Offering { seat: offered, .. } = self.table.phase
            && offered == seat
        {
            self.emit(TableEvent::BankPassed { seat, by: Actor::Player(player.clone()) });
            self.offer_bank_on();
        }
    }

    /// Returns whether this seat has the bank.
    pub(super) fn banks(&self, seat: u8) -> bool {
        self.round().is_ok_and(|round| round.bank.as_ref().is_some_and(|bank| bank.seat == seat))
    }

    /// Offers the bank to the next seat that may bank and has not passed. Abandons the round if there is none. A player
    /// who has passed at one seat is not offered the bank at another.
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
            // The round is open, so it can be abandoned.
            None => drop(self.abandon()),
        }
    }
}

impl Table {
    /// Returns whether rounds begin by offering the bank to seats, because the dealer may not bank.
    pub(crate) fn must_be_offered(&self) -> bool {
        !self.table_rules.book().banking.bankers.contains(&Banker::Dealer)
    }

    /// Returns the part of the banker's cover that other players' wagers need: the base wagers, or all of it if it also
    /// pays side wagers.
    fn cover_in_use(&self, round: &RoundState) -> u64 {
        let pays_side = |wager: &str| {
            let index = self.table_rules.side_wager_index(wager);
            index.is_ok_and(|index| self.table_rules.wager(index).settled_by == SettledBy::Banker)
        };
        let put_up = self.table_rules.book().banking.pays_from == PaysFrom::PutUp;
        if put_up && round.wagers.keys().any(|(_, wager)| pays_side(wager)) {
            return u64::MAX;
        }
        self.action(round)
    }

    /// Returns the seats that the bank is offered to, in order: clockwise from the last banker (CA-7), or from the
    /// first seat in every round if the bank does not rotate.
    pub(super) fn bank_order(&self) -> Vec<u8> {
        let rounds_max = self.table_rules.book().banking.rounds_running_max;
        let last = self.last_bank.as_ref();
        let is_last = |seat: u8| last.is_some_and(|last| self.seats[&seat].player == last.player);
        let has_reached_max =
            |seat: u8| is_last(seat) && last.zip(rounds_max).is_some_and(|(last, max)| last.rounds >= max);
        let from = last.map_or(0, |last| last.seat);
        let mut seats: Vec<u8> = self.active().filter(|seat| !has_reached_max(*seat)).collect();
        // Seats are numbered clockwise, and `active` returns them in that order.
        if self.rotation() == Rotation::Clockwise {
            // The last banker comes first while allowed, then the other seats in turn.
            seats.sort_by_key(|seat| (!(*seat == from && is_last(*seat)), *seat <= from, *seat));
        }
        seats
    }
}
