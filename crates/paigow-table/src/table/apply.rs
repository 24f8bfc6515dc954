//! Applying events, the only way to change a table.

use super::rules::set_action;
use super::{
    BASE_GAME, BankHold, InvalidEvent, LastBank, PlacedWager, RoundState, RulesMatch, SeatState, Table,
    TablePhase,
};
use crate::line_record::records_of;
use crate::{LineRecord, Secret, TableEvent};
use paigow::Action;

impl Table {
    /// Applies an event.
    ///
    /// # Errors
    /// The event does not fit the state of the table. The table must not be used afterwards.
    pub fn apply(&mut self, event: &TableEvent) -> Result<(), InvalidEvent> {
        match event {
            TableEvent::Opened { .. } => return Err(InvalidEvent("the table is open already".to_owned())),
            TableEvent::Sat { seat, player } => {
                let first_round = self.rounds + u64::from(self.round.as_ref().is_none_or(|round| round.over));
                let changes = self.departed_changes.remove(player).unwrap_or(0).saturating_add(1);
                let player = player.clone();
                let state = SeatState {
                    player,
                    out: false,
                    leaving: false,
                    next: false,
                    missed: 0,
                    first_round,
                    changes,
                    time_paid: None,
                };
                if self.seats.insert(*seat, state).is_some() {
                    return Err(InvalidEvent(format!("seat {seat} was taken")));
                }
            }
            TableEvent::Leaving { seat } => self.seat_mut(*seat)?.leaving = true,
            TableEvent::Stood { seat } => {
                self.seat_mut(*seat)?;
                if let Some(state) = self.seats.remove(seat).filter(|state| state.changes > 0) {
                    let changes = self.departed_changes.entry(state.player).or_default();
                    *changes = changes.saturating_add(state.changes);
                }
                // The next player at the seat is neither ready nor committed.
                if let Some(round) = self.round.as_mut().filter(|round| !round.over) {
                    round.ready.retain(|ready| ready != seat);
                    if round.closed.is_none() {
                        round.commitments.remove(seat);
                    }
                }
            }
            TableEvent::SatOut { seat, .. } => {
                let state = self.seat_mut(*seat)?;
                state.out = true;
                state.count_change();
            }
            TableEvent::Returned { seat } => {
                let state = self.seat_mut(*seat)?;
                state.out = false;
                state.missed = 0;
                state.count_change();
            }
            TableEvent::Paused { .. } => self.paused = true,
            TableEvent::Resumed { .. } => self.paused = false,
            TableEvent::Closing { .. } => self.closing = true,
            TableEvent::Closed => {
                self.closed = true;
                self.phase = TablePhase::Waiting;
            }
            TableEvent::Ready { seat } if matches!(self.phase, TablePhase::Between { .. }) => {
                let state = self.seat_mut(*seat)?;
                state.next = true;
                state.count_change();
            }
            TableEvent::Rested => {
                self.phase = TablePhase::Waiting;
                self.forget_next_round();
            }
            TableEvent::Noticed { .. } => {}
            _ => self.apply_to_round(event)?,
        }
        Ok(())
    }

    fn seat_mut(&mut self, seat: u8) -> Result<&mut SeatState, InvalidEvent> {
        self.seats.get_mut(&seat).ok_or_else(|| InvalidEvent(format!("seat {seat} is empty")))
    }

    fn apply_to_round(&mut self, event: &TableEvent) -> Result<(), InvalidEvent> {
        if let TableEvent::RoundOpened { round, secret, commitment, derived } = event {
            let is_next = self.rounds.checked_add(1) == Some(*round);
            if !is_next || self.round.as_ref().is_some_and(|round| !round.over) {
                return Err(InvalidEvent(format!("round {round} opens out of sequence")));
            }
            self.rounds = *round;
            if secret.is_some() == derived.is_some() {
                return Err(InvalidEvent(format!(
                    "round {round} must have either a secret or its derivation"
                )));
            }
            // Without this check, a writer of the store without the key could choose the deal by opening a round of
            // version 1.
            if derived.is_none() && self.protocol == 2 {
                return Err(InvalidEvent(format!(
                    "round {round} is of version 1, after a round of version 2"
                )));
            }
            let mut opened = RoundState::new(*round, *secret, *commitment, *derived);
            self.derive_secret(&mut opened)?;
            self.protocol = opened.protocol();
            self.round = Some(opened);
            self.seats.values_mut().for_each(|state| state.changes = 0);
            self.forget_next_round();
            self.departed_changes.clear();
            return Ok(());
        }
        let Some(mut round) = self.round.take() else {
            return Err(InvalidEvent("there is no round".to_owned()));
        };
        let may_be_voided = matches!(event, TableEvent::RoundVoided { .. }) && round.is_settled();
        let applied = if round.over && !may_be_voided {
            Err(InvalidEvent(format!("round {} is over", round.number)))
        } else {
            let learned =
                event.shown_secret().map_or(Ok(()), |secret| self.learn_revealed(&mut round, secret));
            learned.and_then(|()| self.apply_to(&mut round, event))
        };
        self.round = Some(round);
        applied
    }

    /// Restores the values that the settlement of a round changed.
    fn undo_settlement(&mut self, round: &mut RoundState) {
        self.last_bank = round.bank_before.take();
        for (seat, paid) in std::mem::take(&mut round.time_paid_before) {
            if let Some(state) = self.seats.get_mut(&seat) {
                state.time_paid = paid;
            }
        }
    }

    /// Clears the seats' requests for the next round.
    fn forget_next_round(&mut self) {
        self.seats.values_mut().for_each(|state| state.next = false);
    }

    fn apply_to(&mut self, round: &mut RoundState, event: &TableEvent) -> Result<(), InvalidEvent> {
        if let TableEvent::BankTaken { seat, .. }
        | TableEvent::BankGivenBack { seat }
        | TableEvent::PilePicked { seat, .. }
        | TableEvent::Wagered { seat, .. }
        | TableEvent::Cleared { seat, .. }
        | TableEvent::BytesAdded { seat, .. }
        | TableEvent::Committed { seat, .. }
        | TableEvent::Ready { seat } = event
            && let Some(state) = self.seats.get_mut(seat)
        {
            state.count_change();
        }
        match event {
            TableEvent::BankOffered { seat, until } => {
                round.wagers_from = None;
                self.phase = TablePhase::Offering { seat: *seat, until: *until };
            }
            TableEvent::BankPassed { seat, .. } => round.passed.push(*seat),
            TableEvent::BankTaken { seat, cents, fee_cents, hold } => {
                self.holds += 1;
                let (seat, cents, fee_cents) = (*seat, *cents, *fee_cents);
                round.bank = Some(BankHold { seat, cents, fee_cents, hold: hold.clone() });
            }
            TableEvent::BankGivenBack { .. } => {
                (round.bank, round.pile) = (None, None);
                round.ready.clear();
            }
            TableEvent::PilePicked { pile, .. } => round.pile = Some(*pile),
            TableEvent::WagersOpened { until } => {
                // The event has the time at which wagers close. They opened one `clocks.wagers` earlier.
                round.wagers_from = Some(until.minus(self.config.clocks.wagers));
                self.phase = TablePhase::Wagers { until: *until };
            }
            TableEvent::Wagered { seat, wager, cents, fee_cents, color, hold } => {
                self.holds += 1;
                let (cents, fee_cents) = (*cents, *fee_cents);
                let placed = PlacedWager { cents, fee_cents, color: *color, hold: hold.clone() };
                round.wagers.insert((*seat, wager.clone()), placed);
                round.ready.retain(|ready| ready != seat);
            }
            TableEvent::Cleared { seat, wager } => {
                round.wagers.remove(&(*seat, wager.clone()));
                round.ready.retain(|ready| ready != seat);
            }
            TableEvent::BytesAdded { seat, bytes } | TableEvent::Revealed { seat, bytes } => {
                round.bytes.insert(*seat, bytes.clone());
            }
            TableEvent::Committed { seat, commitment } => round.commitments.extend([(*seat, *commitment)]),
            TableEvent::WagersClosed { commitments, signature, until } => {
                round.commitments.clone_from(commitments);
                round.closed = Some(*signature);
                self.phase = TablePhase::Revealing { until: *until };
            }
            TableEvent::Ready { seat } => round.ready.push(*seat),
            TableEvent::Dealt { dice, until, .. } => {
                self.apply_by_rules(round, event)?;
                round.dice = *dice;
                self.phase = TablePhase::Settings { until: *until };
                self.count_missed(round);
            }
            TableEvent::HandSet { seat, by, positions, .. } => {
                self.apply_by_rules(round, event)?;
                round.set_by.insert(*seat, *by);
                round.positions.extend(positions.map(|positions| (*seat, positions)));
            }
            TableEvent::Settled { until, settlement, .. } => {
                self.apply_by_rules(round, event)?;
                round.lines = Some(settlement.as_slice().into());
                // The event has the time at which the next round opens. The settlement was one `clocks.between`
                // earlier.
                round.settled_at = Some(until.minus(self.config.clocks.between));
                round.bank_before.clone_from(&self.last_bank);
                self.record_time_fees(round);
                self.last_bank = round.bank.as_ref().and_then(|bank| {
                    let (player, seat) = (self.seats.get(&bank.seat)?.player.clone(), bank.seat);
                    let before = self.last_bank.as_ref().filter(|before| before.player == player);
                    let rounds = before.map_or(1, |before| before.rounds.saturating_add(1));
                    Some(LastBank { player, seat, rounds })
                });
                round.over = true;
                self.phase = TablePhase::Between { until: *until };
            }
            TableEvent::RoundVoided { until, reason, .. } => {
                if round.is_settled() {
                    self.undo_settlement(round);
                }
                round.voided = Some(reason.clone());
                self.forget_next_round();
                round.over = true;
                self.phase = TablePhase::Between { until: *until };
            }
            TableEvent::RoundAbandoned { until, .. } => {
                self.count_missed(round);
                round.over = true;
                self.phase = TablePhase::Between { until: *until };
            }
            _ => return Err(InvalidEvent("not an event of a round".to_owned())),
        }
        Ok(())
    }

    /// Applies an event to the round by the rules of the game, unless they differ from those that the table was opened
    /// with. Unverified rules are used until an event contradicts them.
    fn apply_by_rules(&mut self, round: &mut RoundState, event: &TableEvent) -> Result<(), InvalidEvent> {
        match self.rules_match() {
            RulesMatch::Same | RulesMatch::Retired => self.apply_to_rules(round, event),
            RulesMatch::Unverified => {
                if self.apply_to_rules(round, event).is_err() || !self.settlement_agrees(round, event) {
                    self.opened_with.rules = RulesMatch::Different;
                    self.opened_with.contradicted = true;
                    round.dealt = None;
                }
                Ok(())
            }
            RulesMatch::Different => Ok(()),
        }
    }

    /// Stores a revealed secret. Deals no hands with it if the rules are different or unverified.
    fn learn_revealed(&self, round: &mut RoundState, secret: Secret) -> Result<(), InvalidEvent> {
        match self.rules_match() {
            RulesMatch::Same | RulesMatch::Retired => self.learn_secret(round, secret),
            RulesMatch::Unverified | RulesMatch::Different => {
                round.secret = Some(secret);
                Ok(())
            }
        }
    }

    /// Returns whether the settlement by the rules has the same lines as the stored event. Other events always agree.
    fn settlement_agrees(&self, round: &RoundState, event: &TableEvent) -> bool {
        let TableEvent::Settled { settlement: stored, .. } = event else { return true };
        let lines = round.dealt.as_ref().and_then(records_of);
        lines.is_some_and(|lines| LineRecord::all_agree(&lines, stored, self.rules_form()))
    }

    fn apply_to_rules(&self, round: &mut RoundState, event: &TableEvent) -> Result<(), InvalidEvent> {
        let invalid = |refusal: paigow::Refusal| InvalidEvent(refusal.to_string());
        let action = match event {
            TableEvent::Dealt { cards, dice, .. } => return self.deal(round, cards, *dice),
            // `learn_secret` sets the hands once the secret is known.
            _ if round.secret.is_none() => return Ok(()),
            TableEvent::HandSet { seat, positions: Some(positions), by, .. } => {
                set_action(*seat, &round.cards_at(*seat, *positions)?.to_string(), *by)?
            }
            TableEvent::HandSet { seat, low, by, .. } => set_action(*seat, low, *by)?,
            _ => Action::Settle,
        };
        let rules = round.dealt.as_mut().ok_or_else(|| InvalidEvent("no hands are dealt".to_owned()))?;
        rules.apply(&action).map_err(invalid)?;
        Ok(())
    }

    /// Records the seats that paid the fee for playing time in a round.
    fn record_time_fees(&mut self, round: &mut RoundState) {
        let owing: Vec<u8> = round.wagers_from.map_or(Vec::new(), |at| {
            let plays = |seat: &u8| round.plays(*seat) && self.owes_time(*seat, at);
            self.seats.keys().copied().filter(plays).collect()
        });
        for seat in owing {
            if let Some(state) = self.seats.get_mut(&seat) {
                round.time_paid_before.push((seat, state.time_paid));
                state.time_paid = round.wagers_from;
            }
        }
    }

    /// Counts the consecutive rounds in which each seat had no base wager.
    fn count_missed(&mut self, round: &RoundState) {
        // The banker's other seats cannot wager.
        let bankers: Vec<u8> =
            self.seats.keys().copied().filter(|seat| self.is_bankers(round, *seat)).collect();
        for (seat, state) in &mut self.seats {
            let plays = round.wagers.contains_key(&(*seat, BASE_GAME.to_owned())) || bankers.contains(seat);
            state.missed = if plays { 0 } else { state.missed.saturating_add(1) };
        }
    }
}
