//! Deadlines, and the events that follow from a command: seats freed, rounds opened, the table closed.

use super::Decider;
use crate::event::SetBy;
use crate::table::TablePhase;
use crate::{Actor, Derivation, Nonce, PlayerId, Secret, TableEvent, TableRefusal, Time, opened_statement};
use std::collections::BTreeSet;

/// Number of consecutive rounds without a base wager or the bank after which a seat sits out.
const MISSED_MAX: u8 = 3;

impl Decider<'_> {
    /// Ends the phase if its deadline has passed. Only the clock may also end a phase whose deadline is out of reach: a
    /// player whose request reaches a process with a slow clock must not end a phase early.
    pub(super) fn tick(&mut self, by: &Actor) -> Result<(), TableRefusal> {
        let now = self.context.now;
        let is_clock = *by == Actor::Clock;
        let is_due = |until: Time| until <= now || (is_clock && self.table.is_out_of_reach(until, now));
        match self.table.phase {
            TablePhase::Offering { seat, until } if is_due(until) => {
                self.emit(TableEvent::BankPassed { seat, by: Actor::Clock });
                self.offer_bank_on();
                Ok(())
            }
            TablePhase::Wagers { until } if is_due(until) => self.close_wagers(),
            TablePhase::Revealing { until } if is_due(until) => self.deal(),
            TablePhase::Settings { until } if is_due(until) => {
                for seat in self.round()?.unset() {
                    self.emit(TableEvent::HandSet {
                        seat,
                        low: String::new(),
                        positions: None,
                        by: SetBy::Clock,
                    });
                }
                self.settle()
            }
            TablePhase::Between { until } if is_due(until) => {
                self.pause_is_over = true;
                Ok(())
            }
            _ => Err(TableRefusal::NothingDue),
        }
    }

    /// Abandons the round: returns all holds and reveals the secret.
    pub(super) fn abandon(&mut self) -> Result<(), TableRefusal> {
        let secret = self.secret()?;
        self.return_all_holds();
        let until = self.until(self.table.config.clocks.between);
        self.emit(TableEvent::RoundAbandoned { secret, until });
        Ok(())
    }

    /// Records that a seat has asked for the next round. [`Decider::advance`] opens it once every active seat has.
    pub(super) fn ask_for_next_round(&mut self, seat: u8) -> Result<(), TableRefusal> {
        let has_asked = self.table.seats.get(&seat).is_some_and(|state| state.next);
        match self.table.phase {
            TablePhase::Between { .. } if has_asked => Ok(()),
            TablePhase::Between { .. } => {
                self.emit(TableEvent::Ready { seat });
                Ok(())
            }
            _ => Err(TableRefusal::NotNow),
        }
    }

    /// Whether there are active seats and all of them have asked for the next round.
    fn all_have_asked(&self) -> bool {
        let has_asked = |seat: u8| self.table.seats.get(&seat).is_some_and(|state| state.next);
        self.table.active().next().is_some() && self.table.active().all(has_asked)
    }

    /// Emits the events that follow from a command between rounds: frees seats, makes inactive seats sit out, opens
    /// the next round, rests or closes the table.
    pub(super) fn advance(&mut self) {
        let may_advance = match self.table.phase {
            TablePhase::Waiting => true,
            TablePhase::Between { until } => {
                until <= self.context.now || self.pause_is_over || self.all_have_asked()
            }
            _ => return,
        };
        if !may_advance {
            return;
        }
        let seats: Vec<(u8, bool, bool)> = self
            .table
            .seats
            .iter()
            .map(|(seat, state)| (*seat, state.leaving, !state.out && state.missed >= MISSED_MAX))
            .collect();
        for (seat, leaving, inactive) in seats {
            if leaving || self.table.closing {
                self.emit(TableEvent::Stood { seat });
            } else if inactive {
                self.emit(TableEvent::SatOut { seat, by: Actor::Clock });
            }
        }
        if self.table.closing {
            self.emit(TableEvent::Closed);
            return;
        }
        let needed = if self.table.must_be_offered() { 2 } else { 1 };
        // A player may not play against their own bank, so several seats of one player count once.
        let players: BTreeSet<&PlayerId> =
            self.table.active().filter_map(|seat| Some(&self.table.seats.get(&seat)?.player)).collect();
        if self.table.paused || players.len() < needed {
            if self.table.phase != TablePhase::Waiting {
                self.emit(TableEvent::Rested);
            }
            return;
        }
        let Some(opened) = self.opening(self.table.rounds + 1) else { return };
        self.emit(opened);
        if self.table.must_be_offered() {
            self.offer_bank_on();
        } else {
            self.emit(TableEvent::WagersOpened { until: self.until(self.table.config.clocks.wagers) });
        }
    }

    /// Returns the event that opens a round: with a derived secret if the table has keys, with a stored one if not.
    /// `None` if the key is not available.
    fn opening(&self, round: u64) -> Option<TableEvent> {
        let (table, entropy, at) = (self.table.id(), self.context.entropy, self.context.now);
        let Some(keys) = self.table.keys() else {
            let secret = Secret(entropy);
            let commitment = secret.commitment(table, round);
            return Some(TableEvent::RoundOpened { round, secret: Some(secret), commitment, derived: None });
        };
        let (key, nonce, rules) = (keys.key_for(round)?, Nonce(entropy), self.table.opening_rules_digest());
        let commitment = keys.commitment(&key, table, round, &nonce, rules)?;
        let signature = keys.sign(&key, &opened_statement(table, round, rules, &commitment, at))?;
        let derived = Some(Derivation { key, nonce, at, signature });
        Some(TableEvent::RoundOpened { round, secret: None, commitment, derived })
    }
}
