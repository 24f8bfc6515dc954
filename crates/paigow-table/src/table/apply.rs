//! How events change a table. Nothing else does.

use super::rules::set_action;
use super::{
    BASE_GAME, BankHold, InvalidEvent, LastBank, PlacedWager, RoundState, RulesMatch, SeatState, Table,
    TablePhase,
};
use crate::line_record::records_of;
use crate::{LineRecord, Secret, TableEvent};
use paigow::Action;

impl Table {
    /// Takes over what has happened.
    ///
    /// # Errors
    /// It does not fit what came before. The table is not to be used then.
    pub fn apply(&mut self, event: &TableEvent) -> Result<(), InvalidEvent> {
        match event {
            TableEvent::Opened { .. } => return Err(InvalidEvent("a table is opened once".to_owned())),
            TableEvent::Sat { seat, player } => {
                let first_round = self.rounds + u64::from(self.round.as_ref().is_none_or(|round| round.over));
                let changes = self.gone.remove(player).unwrap_or(0).saturating_add(1);
                let player = player.clone();
                let sitting = SeatState {
                    player,
                    out: false,
                    leaving: false,
                    missed: 0,
                    first_round,
                    changes,
                    time_paid: None,
                };
                if self.seats.insert(*seat, sitting).is_some() {
                    return Err(InvalidEvent(format!("seat {seat} was taken")));
                }
            }
            TableEvent::Leaving { seat } => self.sitting(*seat)?.leaving = true,
            TableEvent::Stood { seat } => {
                self.sitting(*seat)?;
                if let Some(sitting) = self.seats.remove(seat).filter(|sitting| sitting.changes > 0) {
                    let gone = self.gone.entry(sitting.player).or_default();
                    *gone = gone.saturating_add(sitting.changes);
                }
                // Whoever sits down there next has not said anything yet.
                if let Some(round) = self.round.as_mut().filter(|round| !round.over) {
                    round.ready.retain(|ready| ready != seat);
                    if round.closed.is_none() {
                        round.commitments.remove(seat);
                    }
                }
            }
            TableEvent::SatOut { seat, .. } => {
                let sitting = self.sitting(*seat)?;
                sitting.out = true;
                sitting.change();
            }
            TableEvent::Returned { seat } => {
                let sitting = self.sitting(*seat)?;
                sitting.out = false;
                sitting.missed = 0;
                sitting.change();
            }
            TableEvent::Paused { .. } => self.paused = true,
            TableEvent::Resumed { .. } => self.paused = false,
            TableEvent::Closing { .. } => self.closing = true,
            TableEvent::Closed => {
                self.closed = true;
                self.phase = TablePhase::Waiting;
            }
            TableEvent::Rested => self.phase = TablePhase::Waiting,
            TableEvent::Noticed { .. } => {}
            _ => self.apply_to_round(event)?,
        }
        Ok(())
    }

    fn sitting(&mut self, seat: u8) -> Result<&mut SeatState, InvalidEvent> {
        self.seats.get_mut(&seat).ok_or_else(|| InvalidEvent(format!("nobody sits at seat {seat}")))
    }

    fn apply_to_round(&mut self, event: &TableEvent) -> Result<(), InvalidEvent> {
        if let TableEvent::RoundOpened { round, secret, commitment, derived } = event {
            let is_next = self.rounds.checked_add(1) == Some(*round);
            if !is_next || self.round.as_ref().is_some_and(|round| !round.over) {
                return Err(InvalidEvent(format!("round {round} opens out of turn")));
            }
            self.rounds = *round;
            if secret.is_some() == derived.is_some() {
                return Err(InvalidEvent(format!("round {round} has no secret, or two")));
            }
            // A writer of the store without the key could otherwise choose the deal by opening a round of version 1.
            if derived.is_none() && self.round.as_ref().is_some_and(|round| round.derived.is_some()) {
                return Err(InvalidEvent(format!(
                    "round {round} is of version 1, and the one before it of version 2"
                )));
            }
            let mut opened = RoundState::new(*round, *secret, *commitment, *derived);
            self.derive_secret(&mut opened)?;
            self.round = Some(opened);
            self.seats.values_mut().for_each(|sitting| sitting.changes = 0);
            self.gone.clear();
            return Ok(());
        }
        let Some(mut round) = self.round.take() else {
            return Err(InvalidEvent("there is no round".to_owned()));
        };
        let may_be_voided = matches!(event, TableEvent::RoundVoided { .. }) && round.is_settled();
        let applied = if round.over && !may_be_voided {
            Err(InvalidEvent(format!("round {} is over", round.number)))
        } else {
            let learned = event.shown_secret().map_or(Ok(()), |secret| self.learn_shown(&mut round, secret));
            learned.and_then(|()| self.apply_to(&mut round, event))
        };
        self.round = Some(round);
        applied
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
            && let Some(sitting) = self.seats.get_mut(seat)
        {
            sitting.change();
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
                // The event has the time at which wagers are closed: so much later than they were opened.
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
                // The event has the time at which the next round begins: so much later than it was settled.
                round.settled_at = Some(until.minus(self.config.clocks.between));
                round.bank_before.clone_from(&self.last_bank);
                self.pay_for_time(round);
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
                    self.last_bank = round.bank_before.take();
                    for (seat, paid) in std::mem::take(&mut round.time_paid_before) {
                        if let Some(sitting) = self.seats.get_mut(&seat) {
                            sitting.time_paid = paid;
                        }
                    }
                }
                round.voided = Some(reason.clone());
                round.over = true;
                self.phase = TablePhase::Between { until: *until };
            }
            TableEvent::RoundAbandoned { until, .. } => {
                self.count_missed(round);
                round.over = true;
                self.phase = TablePhase::Between { until: *until };
            }
            _ => return Err(InvalidEvent("no event of a round".to_owned())),
        }
        Ok(())
    }

    /// Plays an event by the rules of the game, unless they are others than those the table was opened with. Unverified rules are
    /// used until an event contradicts them.
    fn apply_by_rules(&mut self, round: &mut RoundState, event: &TableEvent) -> Result<(), InvalidEvent> {
        match self.rules_match() {
            RulesMatch::Same | RulesMatch::Retired => self.play(round, event),
            RulesMatch::Unverified => {
                if self.play(round, event).is_err() || !self.is_settled_so(round, event) {
                    self.opened_with.rules = RulesMatch::Different;
                    round.dealt = None;
                }
                Ok(())
            }
            RulesMatch::Different => Ok(()),
        }
    }

    /// Takes over a secret that is shown. Where the rules are others, no hands are dealt by it.
    fn learn_shown(&self, round: &mut RoundState, secret: Secret) -> Result<(), InvalidEvent> {
        match self.rules_match() {
            RulesMatch::Same | RulesMatch::Retired => self.learn_secret(round, secret),
            RulesMatch::Unverified | RulesMatch::Different => {
                round.secret = Some(secret);
                Ok(())
            }
        }
    }

    /// Whether a round that was settled by the rules has the lines that are stored.
    fn is_settled_so(&self, round: &RoundState, event: &TableEvent) -> bool {
        let TableEvent::Settled { settlement: stored, .. } = event else { return true };
        let lines = round.dealt.as_ref().and_then(records_of);
        lines.is_some_and(|lines| LineRecord::all_agree(&lines, stored, self.rules_form()))
    }

    fn play(&self, round: &mut RoundState, event: &TableEvent) -> Result<(), InvalidEvent> {
        let misfit = |refusal: paigow::Refusal| InvalidEvent(refusal.to_string());
        let action = match event {
            TableEvent::Dealt { cards, dice, .. } => return self.deal(round, cards, *dice),
            // The hands are set when the secret is known.
            _ if round.secret.is_none() => return Ok(()),
            TableEvent::HandSet { seat, positions: Some(positions), by, .. } => {
                set_action(*seat, &round.cards_at(*seat, *positions)?.to_string(), *by)?
            }
            TableEvent::HandSet { seat, front, by, .. } => set_action(*seat, front, *by)?,
            _ => Action::Settle,
        };
        let rules = round.dealt.as_mut().ok_or_else(|| InvalidEvent("no hand is dealt".to_owned()))?;
        rules.apply(&action).map_err(misfit)?;
        Ok(())
    }

    /// Notes which seats have paid for playing time in a round.
    fn pay_for_time(&mut self, round: &mut RoundState) {
        let owing: Vec<u8> = round.wagers_from.map_or(Vec::new(), |at| {
            let plays = |seat: &u8| round.plays(*seat) && self.owes_time(*seat, at);
            self.seats.keys().copied().filter(plays).collect()
        });
        for seat in owing {
            if let Some(sitting) = self.seats.get_mut(&seat) {
                round.time_paid_before.push((seat, sitting.time_paid));
                sitting.time_paid = round.wagers_from;
            }
        }
    }

    /// Counts for how many rounds running each seat has wagered nothing.
    fn count_missed(&mut self, round: &RoundState) {
        // The other seats of the player who banks cannot wager.
        let bankers: Vec<u8> =
            self.seats.keys().copied().filter(|seat| self.is_bankers(round, *seat)).collect();
        for (seat, sitting) in &mut self.seats {
            let plays = round.wagers.contains_key(&(*seat, BASE_GAME.to_owned())) || bankers.contains(seat);
            sitting.missed = if plays { 0 } else { sitting.missed.saturating_add(1) };
        }
    }
}
