//! Taking seats, leaving them and sitting out.

use super::Decider;
use crate::{Actor, PlayerId, TableEvent, TableRefusal};
use paigow::{Refusal, Seat};

impl Decider<'_> {
    pub(super) fn sit(&mut self, player: &PlayerId, seat: u8) -> Result<(), TableRefusal> {
        if seat == 0 || seat > self.table.table_rules.book().seats.players {
            return Err(TableRefusal::NoSuchSeat { seat });
        }
        if self.table.closing {
            return Err(TableRefusal::AlreadyClosing);
        }
        let max = self.table.table_rules.book().seats.hands_per_player;
        match self.table.seats_of(player).count() {
            0 => {}
            1 if max == 1 => return Err(TableRefusal::AlreadySeated { player: player.clone() }),
            seats if seats >= usize::from(max) => {
                let seat = Seat::new(seat).unwrap_or(Seat::FIRST);
                return Err(TableRefusal::Rules(Refusal::TooManyHands { seat, max }));
            }
            _ => {}
        }
        if self.table.seats.contains_key(&seat) {
            return Err(TableRefusal::SeatTaken { seat });
        }
        self.emit(TableEvent::Sat { seat, player: player.clone() });
        Ok(())
    }

    /// Leaves a seat: at once, or after the round if the seat has money at stake.
    pub(super) fn stand(&mut self, seat: u8, player: &PlayerId) -> Result<(), TableRefusal> {
        if self.table.seats[&seat].leaving {
            return Err(TableRefusal::Leaving);
        }
        // Closed wagers stay, even if hands are not dealt yet.
        if self.check_wagers_open().is_ok() {
            self.clear_all(seat, player);
        }
        self.pass_if_offered(seat, player);
        let at_stake = self.round().is_ok_and(|round| {
            round.wagers.keys().any(|(other, _)| *other == seat)
                || round.bank.as_ref().is_some_and(|bank| bank.seat == seat)
        });
        self.emit(if at_stake { TableEvent::Leaving { seat } } else { TableEvent::Stood { seat } });
        self.close_wagers_if_all_ready()
    }

    pub(super) fn sit_out(&mut self, seat: u8, player: &PlayerId, by: Actor) -> Result<(), TableRefusal> {
        if self.table.seats[&seat].out {
            return Err(TableRefusal::SittingOut);
        }
        self.emit(TableEvent::SatOut { seat, by });
        self.pass_if_offered(seat, player);
        self.close_wagers_if_all_ready()
    }

    pub(super) fn return_to_play(&mut self, seat: u8) -> Result<(), TableRefusal> {
        let state = &self.table.seats[&seat];
        if state.leaving {
            return Err(TableRefusal::Leaving);
        }
        if !state.out {
            return Err(TableRefusal::NotSittingOut);
        }
        self.emit(TableEvent::Returned { seat });
        Ok(())
    }
}
