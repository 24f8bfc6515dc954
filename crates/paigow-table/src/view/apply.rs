//! Applying seen events to a view. Clients do the same.

use super::{HandView, PhaseName, RoundView, SeatView, View, WagerView};
use crate::SeenEvent;
use std::collections::BTreeMap;

impl View {
    /// Applies a seen event. The result equals [`Table::view`](crate::Table::view) after the event.
    pub fn apply(&mut self, seen: &SeenEvent) {
        match seen {
            SeenEvent::Opened { table, book, currency, facts } => {
                (self.table, self.book) = (table.clone(), book.clone());
                (self.currency, self.facts) = (currency.clone(), facts.clone());
            }
            SeenEvent::Sat { seat, player } => {
                let index = self.seats.partition_point(|state| state.seat < *seat);
                self.seats.insert(index, SeatView::new(*seat, player.clone()));
                if self.player.as_ref() == Some(player) {
                    let index = self.yours.partition_point(|other| other < seat);
                    self.yours.insert(index, *seat);
                    self.you = self.yours.first().copied();
                }
            }
            SeenEvent::Leaving { seat } => self.update_seat(*seat, |state| state.leaving = true),
            SeenEvent::Stood { seat } => {
                self.seats.retain(|state| state.seat != *seat);
                self.yours.retain(|own| own != seat);
                self.you = self.yours.first().copied();
                if matches!(self.phase, PhaseName::Offering | PhaseName::Wagers) {
                    self.update_round(|round| round.commitments.retain(|other, _| other != seat));
                }
            }
            SeenEvent::SatOut { seat, .. } => self.update_seat(*seat, |state| state.out = true),
            SeenEvent::Returned { seat } => self.update_seat(*seat, |state| state.out = false),
            SeenEvent::Rested => {
                self.enter_phase(PhaseName::Waiting, None);
                self.seats.iter_mut().for_each(|state| state.next = false);
            }
            SeenEvent::Paused { .. } => self.paused = true,
            SeenEvent::Resumed { .. } => self.paused = false,
            SeenEvent::Closing { .. } => self.closing = true,
            SeenEvent::Closed => {
                self.closed = true;
                self.enter_phase(PhaseName::Waiting, None);
            }
            SeenEvent::Noticed { .. } => {}
            SeenEvent::BankOffered { .. }
            | SeenEvent::BankPassed { .. }
            | SeenEvent::BankTaken { .. }
            | SeenEvent::BankGivenBack { .. }
            | SeenEvent::PilePicked { .. }
            | SeenEvent::WagersOpened { .. }
            | SeenEvent::Wagered { .. }
            | SeenEvent::Cleared { .. }
            | SeenEvent::BytesAdded { .. }
            | SeenEvent::Committed { .. }
            | SeenEvent::WagersClosed { .. }
            | SeenEvent::Revealed { .. }
            | SeenEvent::Ready { .. } => self.apply_before_deal(seen),
            _ => self.apply_to_round(seen),
        }
    }

    fn apply_before_deal(&mut self, seen: &SeenEvent) {
        match seen {
            SeenEvent::BankOffered { seat, until } => {
                self.enter_phase(PhaseName::Offering, Some(*until));
                self.offered = Some(*seat);
            }
            SeenEvent::BankPassed { seat, .. } => self.update_round(|round| round.passed.push(*seat)),
            SeenEvent::BankTaken { bank, .. } => self.update_round(|round| round.bank.clone_from(bank)),
            SeenEvent::BankGivenBack { .. } => {
                self.update_round(|round| (round.bank, round.pile) = (None, None));
                self.seats.iter_mut().for_each(|state| state.ready = false);
            }
            SeenEvent::PilePicked { pile, .. } => self.update_round(|round| round.pile = Some(*pile)),
            SeenEvent::WagersOpened { until } => self.enter_phase(PhaseName::Wagers, Some(*until)),
            SeenEvent::Wagered { seat, wager, cents, color, button, bank } => {
                self.update_seat(*seat, |state| {
                    let placed = WagerView { cents: *cents, color: *color, button: *button };
                    state.wagers.insert(wager.clone(), placed);
                    state.ready = false;
                });
                self.update_round(|round| round.bank.clone_from(bank));
            }
            SeenEvent::Cleared { seat, wager, bank } => {
                self.update_seat(*seat, |state| {
                    state.wagers.remove(wager);
                    state.ready = false;
                });
                self.update_round(|round| round.bank.clone_from(bank));
            }
            SeenEvent::Committed { seat, commitment } => {
                self.update_round(|round| round.commitments.extend([(*seat, *commitment)]));
            }
            SeenEvent::WagersClosed { commitments, signature, until } => {
                self.enter_phase(PhaseName::Revealing, Some(*until));
                self.update_round(|round| {
                    round.commitments.clone_from(commitments);
                    round.closed_signature = Some(*signature);
                });
            }
            SeenEvent::BytesAdded { seat, bytes } | SeenEvent::Revealed { seat, bytes } => {
                self.update_round(|round| drop(round.bytes.insert(*seat, bytes.clone())));
            }
            SeenEvent::Ready { seat } if self.phase == PhaseName::Between => {
                self.update_seat(*seat, |state| state.next = true);
            }
            SeenEvent::Ready { seat } => self.update_seat(*seat, |state| state.ready = true),
            _ => {}
        }
    }

    fn apply_to_round(&mut self, seen: &SeenEvent) {
        match seen {
            SeenEvent::RoundOpened { round, protocol, commitment, opened_at, key, signature, secret } => {
                self.round = Some(RoundView {
                    protocol: *protocol,
                    opened_at: *opened_at,
                    key: *key,
                    signature: *signature,
                    secret: *secret,
                    ..RoundView::new(*round, *commitment)
                });
                for state in &mut self.seats {
                    *state = SeatView {
                        out: state.out,
                        leaving: state.leaving,
                        ..SeatView::new(state.seat, state.player.clone())
                    };
                }
            }
            SeenEvent::Dealt { dice, until, seats, silent, hands, dealer } => {
                self.enter_phase(PhaseName::Settings, Some(*until));
                for seat in seats {
                    let hand = HandView { cards: hands.get(seat).cloned(), ..HandView::default() };
                    self.update_seat(*seat, |state| state.hand = Some(hand));
                }
                let dealer_hand = self.facts.dealer_hand;
                self.update_round(|round| {
                    round.dice = Some(*dice);
                    round.silent.clone_from(silent);
                    round.dealer =
                        dealer_hand.then(|| HandView { cards: dealer.clone(), ..HandView::default() });
                });
            }
            SeenEvent::HandSet { seat, by, low, high, foul } => self.update_seat(*seat, |state| {
                let cards = state.hand.take().and_then(|hand| hand.cards);
                let (low, high) = (low.clone(), high.clone());
                state.hand = Some(HandView { cards, low, high, foul: *foul, set: true, by: Some(*by) });
            }),
            SeenEvent::Settled {
                secret,
                settlement,
                settled_at,
                steps,
                until,
                hands,
                dealer,
                net_cents,
                last_bank,
            } => {
                self.end_round(Some(*secret), *until, hands, dealer.as_ref());
                self.last_bank.clone_from(last_bank);
                self.update_round(|round| {
                    round.lines = Some(settlement.clone());
                    round.net_cents = Some(net_cents.clone());
                    (round.settled_at, round.steps) = (Some(*settled_at), steps.clone());
                });
            }
            SeenEvent::RoundVoided { secret, until, hands, dealer, reason, last_bank, .. } => {
                self.seats.iter_mut().for_each(|state| state.next = false);
                self.end_round(*secret, *until, hands, dealer.as_ref());
                self.last_bank.clone_from(last_bank);
                self.update_round(|round| {
                    round.voided = Some(reason.clone());
                    (round.lines, round.net_cents) = (None, None);
                    (round.settled_at, round.steps) = (None, Vec::new());
                });
            }
            SeenEvent::RoundAbandoned { secret, until } => {
                self.end_round(Some(*secret), *until, &BTreeMap::new(), None);
            }
            _ => {}
        }
    }

    /// Ends the round and shows its secret and all hands.
    fn end_round(
        &mut self,
        secret: Option<crate::Secret>,
        until: crate::Time,
        hands: &BTreeMap<u8, HandView>,
        dealer: Option<&HandView>,
    ) {
        self.enter_phase(PhaseName::Between, Some(until));
        for state in &mut self.seats {
            state.hand = hands.get(&state.seat).cloned();
        }
        self.update_round(|round| {
            round.secret = secret;
            round.dealer = dealer.cloned();
        });
    }

    fn enter_phase(&mut self, phase: PhaseName, until: Option<crate::Time>) {
        (self.phase, self.until, self.offered) = (phase, until, None);
    }

    fn update_seat(&mut self, seat: u8, change: impl FnOnce(&mut SeatView)) {
        if let Some(state) = self.seats.iter_mut().find(|state| state.seat == seat) {
            change(state);
        }
    }

    fn update_round(&mut self, change: impl FnOnce(&mut RoundView)) {
        if let Some(round) = &mut self.round {
            change(round);
        }
    }
}
