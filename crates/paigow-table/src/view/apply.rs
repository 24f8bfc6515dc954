//! A view that goes on by what its viewer sees. A program that shows a table does the same.

use super::{HandView, PhaseName, RoundView, SeatView, View, WagerView};
use crate::SeenEvent;
use std::collections::BTreeMap;

impl View {
    /// Lets something that was seen happen. The view is then what [`Table::view`](crate::Table::view) makes after the event.
    pub fn apply(&mut self, seen: &SeenEvent) {
        match seen {
            SeenEvent::Opened { table, book, currency, facts } => {
                (self.table, self.book) = (table.clone(), book.clone());
                (self.currency, self.facts) = (currency.clone(), facts.clone());
            }
            SeenEvent::Sat { seat, player } => {
                let at = self.seats.partition_point(|sitting| sitting.seat < *seat);
                self.seats.insert(at, SeatView::new(*seat, player.clone()));
                if self.player.as_ref() == Some(player) {
                    let at = self.yours.partition_point(|other| other < seat);
                    self.yours.insert(at, *seat);
                    self.you = self.yours.first().copied();
                }
            }
            SeenEvent::Leaving { seat } => self.at(*seat, |sitting| sitting.leaving = true),
            SeenEvent::Stood { seat } => {
                self.seats.retain(|sitting| sitting.seat != *seat);
                self.yours.retain(|own| own != seat);
                self.you = self.yours.first().copied();
                if matches!(self.phase, PhaseName::Offering | PhaseName::Wagers) {
                    self.in_round(|round| round.commitments.retain(|other, _| other != seat));
                }
            }
            SeenEvent::SatOut { seat, .. } => self.at(*seat, |sitting| sitting.out = true),
            SeenEvent::Returned { seat } => self.at(*seat, |sitting| sitting.out = false),
            SeenEvent::Rested => self.goes_on(PhaseName::Waiting, None),
            SeenEvent::Paused { .. } => self.paused = true,
            SeenEvent::Resumed { .. } => self.paused = false,
            SeenEvent::Closing { .. } => self.closing = true,
            SeenEvent::Closed => {
                self.closed = true;
                self.goes_on(PhaseName::Waiting, None);
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
            | SeenEvent::Ready { .. } => self.before_the_deal(seen),
            _ => self.round_goes_on(seen),
        }
    }

    fn before_the_deal(&mut self, seen: &SeenEvent) {
        match seen {
            SeenEvent::BankOffered { seat, until } => {
                self.goes_on(PhaseName::Offering, Some(*until));
                self.offered = Some(*seat);
            }
            SeenEvent::BankPassed { seat, .. } => self.in_round(|round| round.passed.push(*seat)),
            SeenEvent::BankTaken { bank, .. } => self.in_round(|round| round.bank.clone_from(bank)),
            SeenEvent::BankGivenBack { .. } => {
                self.in_round(|round| (round.bank, round.pile) = (None, None));
                self.seats.iter_mut().for_each(|sitting| sitting.ready = false);
            }
            SeenEvent::PilePicked { pile, .. } => self.in_round(|round| round.pile = Some(*pile)),
            SeenEvent::WagersOpened { until } => self.goes_on(PhaseName::Wagers, Some(*until)),
            SeenEvent::Wagered { seat, wager, cents, color, button, bank } => {
                self.at(*seat, |sitting| {
                    let placed = WagerView { cents: *cents, color: *color, button: *button };
                    sitting.wagers.insert(wager.clone(), placed);
                    sitting.ready = false;
                });
                self.in_round(|round| round.bank.clone_from(bank));
            }
            SeenEvent::Cleared { seat, wager, bank } => {
                self.at(*seat, |sitting| {
                    sitting.wagers.remove(wager);
                    sitting.ready = false;
                });
                self.in_round(|round| round.bank.clone_from(bank));
            }
            SeenEvent::Committed { seat, commitment } => {
                self.in_round(|round| round.commitments.extend([(*seat, *commitment)]));
            }
            SeenEvent::WagersClosed { commitments, signature, until } => {
                self.goes_on(PhaseName::Revealing, Some(*until));
                self.in_round(|round| {
                    round.commitments.clone_from(commitments);
                    round.closed_signature = Some(*signature);
                });
            }
            SeenEvent::BytesAdded { seat, bytes } | SeenEvent::Revealed { seat, bytes } => {
                self.in_round(|round| drop(round.bytes.insert(*seat, bytes.clone())));
            }
            SeenEvent::Ready { seat } => self.at(*seat, |sitting| sitting.ready = true),
            _ => {}
        }
    }

    fn round_goes_on(&mut self, seen: &SeenEvent) {
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
                for sitting in &mut self.seats {
                    *sitting = SeatView {
                        out: sitting.out,
                        leaving: sitting.leaving,
                        ..SeatView::new(sitting.seat, sitting.player.clone())
                    };
                }
            }
            SeenEvent::Dealt { dice, until, seats, silent, hands, dealer } => {
                self.goes_on(PhaseName::Settings, Some(*until));
                for seat in seats {
                    let hand = HandView { cards: hands.get(seat).cloned(), ..HandView::default() };
                    self.at(*seat, |sitting| sitting.hand = Some(hand));
                }
                let dealer_hand = self.facts.dealer_hand;
                self.in_round(|round| {
                    round.dice = Some(*dice);
                    round.silent.clone_from(silent);
                    round.dealer =
                        dealer_hand.then(|| HandView { cards: dealer.clone(), ..HandView::default() });
                });
            }
            SeenEvent::HandSet { seat, by, low, high, foul } => self.at(*seat, |sitting| {
                let cards = sitting.hand.take().and_then(|hand| hand.cards);
                let (low, high) = (low.clone(), high.clone());
                sitting.hand = Some(HandView { cards, low, high, foul: *foul, set: true, by: Some(*by) });
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
                self.is_over(Some(*secret), *until, hands, dealer.as_ref());
                self.last_bank.clone_from(last_bank);
                self.in_round(|round| {
                    round.lines = Some(settlement.clone());
                    round.net_cents = Some(net_cents.clone());
                    (round.settled_at, round.steps) = (Some(*settled_at), steps.clone());
                });
            }
            SeenEvent::RoundVoided { secret, until, hands, dealer, reason, last_bank, .. } => {
                self.is_over(*secret, *until, hands, dealer.as_ref());
                self.last_bank.clone_from(last_bank);
                self.in_round(|round| {
                    round.voided = Some(reason.clone());
                    (round.lines, round.net_cents) = (None, None);
                    (round.settled_at, round.steps) = (None, Vec::new());
                });
            }
            SeenEvent::RoundAbandoned { secret, until } => {
                self.is_over(Some(*secret), *until, &BTreeMap::new(), None);
            }
            _ => {}
        }
    }

    /// The round is over: everything of it is shown.
    fn is_over(
        &mut self,
        secret: Option<crate::Secret>,
        until: crate::Time,
        hands: &BTreeMap<u8, HandView>,
        dealer: Option<&HandView>,
    ) {
        self.goes_on(PhaseName::Between, Some(until));
        for sitting in &mut self.seats {
            sitting.hand = hands.get(&sitting.seat).cloned();
        }
        self.in_round(|round| {
            round.secret = secret;
            round.dealer = dealer.cloned();
        });
    }

    fn goes_on(&mut self, phase: PhaseName, until: Option<crate::Time>) {
        (self.phase, self.until, self.offered) = (phase, until, None);
    }

    fn at(&mut self, seat: u8, change: impl FnOnce(&mut SeatView)) {
        if let Some(sitting) = self.seats.iter_mut().find(|sitting| sitting.seat == seat) {
            change(sitting);
        }
    }

    fn in_round(&mut self, change: impl FnOnce(&mut RoundView)) {
        if let Some(round) = &mut self.round {
            change(round);
        }
    }
}
