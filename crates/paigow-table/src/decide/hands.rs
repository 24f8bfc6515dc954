//! Hands: dealing and setting them, and settling the round.

use super::Decider;
use crate::event::SetBy;
use crate::line_record::records_of;
use crate::payout::Payout;
use crate::table::{BASE_GAME, InvalidEvent, TablePhase, cards_of, set_action};
use crate::{TableEvent, TableRefusal};
use paigow::Action;

impl Decider<'_> {
    /// Closes wagers early if every active seat is ready or belongs to the banker, and at least one wager is placed.
    pub(super) fn close_wagers_if_all_ready(&mut self) -> Result<(), TableRefusal> {
        if !matches!(self.table.phase, TablePhase::Wagers { .. }) {
            return Ok(());
        }
        let round = self.round()?;
        let all_ready =
            self.table.active().all(|seat| round.ready.contains(&seat) || self.table.is_bankers(round, seat));
        if all_ready && !round.wagers.is_empty() { self.close_wagers() } else { Ok(()) }
    }

    /// Closes wagers. Seats then reveal their bytes, or hands are dealt. Abandons the round if there is no base wager.
    pub(super) fn close_wagers(&mut self) -> Result<(), TableRefusal> {
        let round = self.round()?;
        if !round.wagers.keys().any(|(_, wager)| wager == BASE_GAME) {
            return self.abandon();
        }
        if round.derived.is_some() { self.close_commitments() } else { self.deal() }
    }

    /// Deals the hands derived from the secret and the seats' bytes. Only in protocol version 1 does the event contain
    /// the cards.
    pub(super) fn deal(&mut self) -> Result<(), TableRefusal> {
        let (round, secret) = (self.round()?, self.secret()?);
        let book = self.table.table_rules.book();
        let spots = book.seats.players + u8::from(book.seats.dealer_hand);
        let deal = self.table.fair_deal(round, secret);
        let cards = if round.derived.is_some() { String::new() } else { cards_of(&deal.shuffle()) };
        let dice = deal.dice(spots);
        self.emit(TableEvent::Dealt { cards, dice, until: self.until(self.table.config.clocks.settings) });
        Ok(())
    }

    /// Sets the hand of a seat, and settles the round if it was the last.
    pub(super) fn set(&mut self, seat: u8, low: &str, by: SetBy) -> Result<(), TableRefusal> {
        match self.table.phase {
            TablePhase::Settings { until } if self.context.now < until => {}
            _ => return Err(TableRefusal::NotNow),
        }
        let action =
            set_action(seat, low, by).map_err(|InvalidEvent(faults)| TableRefusal::BadLowHand { faults })?;
        // Without the round's key the hands are unknown.
        self.secret()?;
        let round = self.round()?;
        let rules = round.dealt.as_ref().ok_or(TableRefusal::NotNow)?;
        rules.check(&action)?;
        let positions = match (&action, &round.shuffle) {
            (Action::Set { low, .. }, Some(_)) => round.positions_of(seat, *low),
            _ => None,
        };
        let low = if positions.is_some() { String::new() } else { low.to_owned() };
        self.emit(TableEvent::HandSet { seat, low, positions, by });
        if self.round()?.unset().is_empty() {
            self.settle()?;
        }
        Ok(())
    }

    pub(super) fn settle(&mut self) -> Result<(), TableRefusal> {
        let secret = self.secret()?;
        let round = self.round()?;
        let mut rules = round.dealt.clone().ok_or(TableRefusal::NotNow)?;
        rules.apply(&Action::Settle)?;
        let (Some(lines), Some(settlement)) = (records_of(&rules), rules.settlement()) else {
            return Err(TableRefusal::NotNow);
        };
        let transfers = Payout::new(&self.table, round, self.context.funds).transfers(settlement);
        self.effects.transfers.extend(transfers);
        let until = self.until(self.table.config.clocks.between);
        self.emit(TableEvent::Settled { secret, settlement: lines, until });
        Ok(())
    }
}
