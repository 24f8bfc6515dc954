//! Placing wagers and taking them back.

use super::{Deciding, check_amount, transfer_id};
use crate::table::{BASE_GAME, Misfit, Phase};
use crate::{Event, PlayerId, Purpose, SeatBytes, Table, TableRefusal};
use paigow::rulebook::Cover;

impl Deciding<'_> {
    pub(super) fn must_wager(&self) -> Result<(), TableRefusal> {
        match self.table.phase {
            Phase::Wagers { until } if self.moment.now < until => Ok(()),
            _ => Err(TableRefusal::NotNow),
        }
    }

    pub(super) fn add_bytes(&mut self, seat: u8, bytes: &SeatBytes) -> Result<(), TableRefusal> {
        self.must_wager()?;
        self.emit(Event::BytesAdded { seat, bytes: bytes.clone() });
        Ok(())
    }

    pub(super) fn ready(&mut self, seat: u8) -> Result<(), TableRefusal> {
        self.must_wager()?;
        if self.round()?.ready.contains(&seat) {
            return Ok(());
        }
        self.emit(Event::Ready { seat });
        self.deal_if_all_are_ready()
    }

    pub(super) fn wager(
        &mut self,
        seat: u8,
        player: &PlayerId,
        wager: &str,
        cents: u64,
        color: Option<crate::ColorWord>,
    ) -> Result<(), TableRefusal> {
        self.must_wager()?;
        check_amount(cents)?;
        let sitting = &self.table.seats[&seat];
        if sitting.leaving {
            return Err(TableRefusal::Leaving);
        }
        if sitting.out {
            return Err(TableRefusal::SittingOut);
        }
        let name = match self.table.wager(wager)? {
            paigow::WagerRef::PaiGow => BASE_GAME.to_owned(),
            paigow::WagerRef::Side(place) => self.table.posting.wager(usize::from(place)).name.clone(),
        };
        let hold = transfer_id(&self.table, &format!("h{}", self.table.holds + 1));
        let event = Event::Wagered { seat, wager: name.clone(), cents, color, hold: hold.clone() };
        // The rules are asked about the round as it would be.
        let mut would_be = self.table.clone();
        if let Err(Misfit(why)) = would_be.apply(&event) {
            panic!("a wager that was checked does not fit: {why}");
        }
        let round = would_be.round.as_ref().ok_or(TableRefusal::NotNow)?;
        would_be.rules(round)?;
        would_be.covered()?;

        let before = self.round()?.wagers.get(&(seat, name)).cloned();
        if let Some(before) = before {
            self.void(player, &before.hold, before.cents, Purpose::Returned);
        }
        self.hold(player, cents, Purpose::Wager);
        self.emit(event);
        Ok(())
    }

    pub(super) fn clear(
        &mut self,
        seat: u8,
        player: &PlayerId,
        wager: Option<&str>,
    ) -> Result<(), TableRefusal> {
        self.must_wager()?;
        match wager {
            // Side wagers need the base wager beside them.
            None | Some(BASE_GAME) => {
                self.clear_all(seat, player);
                Ok(())
            }
            Some(wager) => self.clear_one(seat, player, wager),
        }
    }

    pub(super) fn clear_all(&mut self, seat: u8, player: &PlayerId) {
        let Ok(round) = self.round() else { return };
        let theirs = round.wagers.keys().filter(|(other, _)| *other == seat);
        let names: Vec<String> = theirs.map(|(_, wager)| wager.clone()).collect();
        for wager in names {
            // It is there: it was just listed.
            let _ = self.clear_one(seat, player, &wager);
        }
    }

    pub(super) fn clear_one(&mut self, seat: u8, player: &PlayerId, wager: &str) -> Result<(), TableRefusal> {
        let placed = self.round()?.wagers.get(&(seat, wager.to_owned())).cloned();
        let placed = placed.ok_or_else(|| TableRefusal::NoSuchWager { wager: wager.to_owned() })?;
        self.void(player, &placed.hold, placed.cents, Purpose::Returned);
        self.emit(Event::Cleared { seat, wager: wager.to_owned() });
        Ok(())
    }
}

impl Table {
    /// Whether the bank covers all wagers, where it must.
    pub(super) fn covered(&self) -> Result<(), TableRefusal> {
        let Some(round) = &self.round else { return Ok(()) };
        let Some(bank) = &round.bank else { return Ok(()) };
        let banking = &self.posting.book().banking;
        if banking.cover != Cover::All {
            return Ok(());
        }
        let dealer = if banking.plays_dealer { self.config.dealer_wager_cents } else { 0 };
        let base = round.wagers.iter().filter(|((_, wager), _)| wager == BASE_GAME);
        let needed = base.map(|(_, placed)| placed.cents).sum::<u64>() + dealer;
        if needed > bank.cents {
            return Err(TableRefusal::CoverExceeded { covers: bank.cents, needed });
        }
        Ok(())
    }
}
