//! Events as viewers see them, for the live feed.
//!
//! [`Table::seen`] converts a [`TableEvent`] for a viewer. The variants have the same names. Hidden data and ids of
//! holds are omitted. A client keeps a [`View`](crate::View) up to date by applying the seen events to it
//! ([`View::apply`](crate::View::apply)). Most viewers see the same value as a watcher, so a server serializes it once.
//! [`Table::seats_with_private_view`] returns the seats that see a different one.

use crate::event::seen_event;
use crate::table::RoundState;
use crate::view::{dealer_of, hand_of, nets_of};
use crate::{BankView, HandView, PlantedFault, SeenEvent, Table, TableEvent, Viewer, planted};
use paigow::Round;
use std::collections::BTreeMap;

impl Table {
    fn current_bank(&self) -> Option<BankView> {
        self.round.as_ref().and_then(|round| self.bank_view(round))
    }

    /// Returns an event as a viewer sees it. The event must be the last one applied to the table.
    pub fn seen(&self, event: &TableEvent, viewer: &Viewer) -> SeenEvent {
        let sees_all = *viewer == Viewer::Auditor;
        seen_event!(event.clone(), {
            TableEvent::Opened { .. } => SeenEvent::Opened {
                table: self.id().clone(),
                book: self.table_rules.book().id.clone(),
                currency: self.config.currency.to_string(),
                facts: self.facts(),
            },
            TableEvent::RoundOpened { round, commitment, derived, .. } => SeenEvent::RoundOpened {
                round,
                protocol: self.round.as_ref().map_or(1, RoundState::protocol),
                commitment,
                opened_at: derived.map(|derived| derived.at),
                key: derived.map(|derived| derived.key),
                signature: derived.map(|derived| derived.signature),
                secret: self.round.as_ref().and_then(|round| round.secret).filter(|_| sees_all),
            },
            TableEvent::BankTaken { seat, cents, .. } => {
                SeenEvent::BankTaken { seat, cents, bank: self.current_bank() }
            }
            TableEvent::Wagered { seat, wager, cents, color, .. } => {
                let button = self.earns_button(&wager, cents);
                SeenEvent::Wagered { seat, wager, cents, color, button, bank: self.current_bank() }
            }
            TableEvent::Cleared { seat, wager } => {
                SeenEvent::Cleared { seat, wager, bank: self.current_bank() }
            }
            TableEvent::Dealt { dice, until, .. } => {
                let own = self.seats_of_viewer(viewer);
                let shown = sees_all || planted(PlantedFault::ShowHandInFeed);
                let hands = self.hands(|seat| shown || own.contains(&seat));
                let seats = hands.keys().copied().collect();
                let cards = hands.into_iter().filter_map(|(seat, hand)| Some((seat, hand.cards?)));
                let dealer = self.round.as_ref().and_then(|round| dealer_of(round, sees_all));
                let dealer = dealer.and_then(|hand| hand.cards);
                let silent = self.round.as_ref().map(RoundState::silent).unwrap_or_default();
                SeenEvent::Dealt { dice, until, seats, silent, hands: cards.collect(), dealer }
            }
            TableEvent::HandSet { seat, by, .. } => {
                let shown = sees_all || self.seats_of_viewer(viewer).contains(&seat);
                let hand = self.round.as_ref().and_then(|round| hand_of(round, seat, shown));
                let HandView { low, high, foul, .. } = hand.unwrap_or_default();
                SeenEvent::HandSet { seat, by, low, high, foul }
            }
            TableEvent::Settled { secret, settlement, until } => SeenEvent::Settled {
                secret,
                settlement: self.lines(&settlement),
                settled_at: until.minus(self.config.clocks.between),
                steps: self.round.as_ref().map(|round| self.steps(round)).unwrap_or_default(),
                until,
                hands: self.hands(|_| true),
                dealer: self.round.as_ref().and_then(|round| dealer_of(round, true)),
                net_cents: self.round.as_ref().and_then(nets_of).unwrap_or_default(),
                last_bank: self.last_bank_view(),
            },
            TableEvent::RoundVoided { secret, reason, by, until } => {
                let dealer = self.round.as_ref().and_then(|round| dealer_of(round, true));
                // Players who sat down after the settlement were dealt none of its hands.
                let mut hands = self.hands(|_| true);
                hands.retain(|seat, _| {
                    self.seats.get(seat).is_none_or(|state| state.first_round <= self.rounds)
                });
                let last_bank = self.last_bank_view();
                SeenEvent::RoundVoided { secret, reason, by, until, hands, dealer, last_bank }
            }
        })
    }

    /// Returns the seats whose players see more of an event than a watcher. All other viewers, except an auditor, see
    /// the same as a watcher.
    pub fn seats_with_private_view(&self, event: &TableEvent) -> Vec<u8> {
        match event {
            TableEvent::Dealt { .. } => self.hands(|_| false).into_keys().collect(),
            TableEvent::HandSet { seat, .. } => vec![*seat],
            _ => Vec::new(),
        }
    }

    /// Returns the hands of the round, with the cards of the shown ones.
    fn hands(&self, shown: impl Fn(u8) -> bool) -> BTreeMap<u8, HandView> {
        let Some(round) = &self.round else { return BTreeMap::new() };
        let Some(deal) = round.dealt.as_ref().and_then(Round::deal) else { return BTreeMap::new() };
        let seats = (1..).zip(deal.hands).filter(|(_, hand)| hand.is_some()).map(|(seat, _)| seat);
        seats.filter_map(|seat| Some((seat, hand_of(round, seat, shown(seat))?))).collect()
    }
}
