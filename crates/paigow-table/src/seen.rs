//! What a viewer may see of something that has happened: the base of a live feed.
//!
//! [`Table::seen`] makes it. Who has a [`View`](crate::View) and lets what was seen since happen to it
//! ([`View::apply`](crate::View::apply)) has the view of now. Names are those of [`TableEvent`]; what is hidden is left out, and so are the
//! names of holds. What no viewer but some may see in part is the same value for all others as for a watcher, so that
//! a server writes it once for them: [`Table::see_more`] names the seats for which there is another.

use crate::command::ColorName;
use crate::event::SetBy;
use crate::table::RoundState;
use crate::view::{dealer_of, hand_of, is_false, nets_of};
use crate::{
    Actor, BankView, Commitment, HandView, KeyId, LastBankView, LineView, PlantedFault, PlayerId, SeatBytes,
    Secret, Signature, StepView, Table, TableEvent, TableFacts, TableId, Time, Viewer, VoidReason, planted,
};
use paigow::Round;
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// What a viewer sees of something that has happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(missing_docs)] // as in `TableEvent`
pub enum SeenEvent {
    Opened {
        table: TableId,
        book: String,
        currency: String,
        facts: TableFacts,
    },
    Sat {
        seat: u8,
        player: PlayerId,
    },
    Leaving {
        seat: u8,
    },
    Stood {
        seat: u8,
    },
    SatOut {
        seat: u8,
        by: Actor,
    },
    Returned {
        seat: u8,
    },
    /// With the secret for an auditor. Time, key and signature are those of version 2 of fair deals.
    RoundOpened {
        round: u64,
        /// The version of fair deals: 1 or 2.
        protocol: u8,
        commitment: Commitment,
        #[serde(skip_serializing_if = "Option::is_none")]
        opened_at: Option<Time>,
        #[serde(skip_serializing_if = "Option::is_none")]
        key: Option<KeyId>,
        #[serde(skip_serializing_if = "Option::is_none")]
        signature: Option<Signature>,
        #[serde(skip_serializing_if = "Option::is_none")]
        secret: Option<Secret>,
    },
    BankOffered {
        seat: u8,
        until: Time,
    },
    BankPassed {
        seat: u8,
        by: Actor,
    },
    /// With the bank as it is now.
    BankTaken {
        seat: u8,
        cents: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        bank: Option<BankView>,
    },
    BankGivenBack {
        seat: u8,
    },
    PilePicked {
        seat: u8,
        pile: u8,
    },
    WagersOpened {
        until: Time,
    },
    /// With the bank as it is now, where a seat has it.
    Wagered {
        seat: u8,
        wager: String,
        cents: u64,
        #[schema(required)]
        color: Option<ColorName>,
        /// Whether the dealer places an Envy button beside it; left out where not.
        #[serde(skip_serializing_if = "is_false")]
        button: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        bank: Option<BankView>,
    },
    /// With the bank as it is now, where a seat has it.
    Cleared {
        seat: u8,
        wager: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        bank: Option<BankView>,
    },
    BytesAdded {
        seat: u8,
        bytes: SeatBytes,
    },
    Committed {
        seat: u8,
        commitment: Commitment,
    },
    /// The commitments of the seats that play, which reveal their bytes until then.
    WagersClosed {
        commitments: BTreeMap<u8, Commitment>,
        signature: Signature,
        until: Time,
    },
    Revealed {
        seat: u8,
        bytes: SeatBytes,
    },
    Ready {
        seat: u8,
    },
    /// Each of these seats has a hand; the cards only of those the viewer may see. Silent seats have committed to bytes and not revealed them.
    Dealt {
        dice: u8,
        until: Time,
        seats: Vec<u8>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        silent: Vec<u8>,
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        hands: BTreeMap<u8, String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        dealer: Option<String>,
    },
    /// How it lies only for whom the hand is.
    HandSet {
        seat: u8,
        by: SetBy,
        #[serde(skip_serializing_if = "Option::is_none")]
        low: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        high: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        foul: Option<bool>,
    },
    /// All hands, and who has banked by now.
    Settled {
        secret: Secret,
        settlement: Vec<LineView>,
        settled_at: Time,
        steps: Vec<StepView>,
        until: Time,
        hands: BTreeMap<u8, HandView>,
        #[schema(required)]
        dealer: Option<HandView>,
        net_cents: BTreeMap<u8, i64>,
        #[schema(required)]
        last_bank: Option<LastBankView>,
    },
    /// The hands that were dealt by then, and who had banked before: of a settled round nothing counts any more.
    RoundVoided {
        #[schema(required)]
        secret: Option<Secret>,
        reason: VoidReason,
        by: Actor,
        until: Time,
        hands: BTreeMap<u8, HandView>,
        #[schema(required)]
        dealer: Option<HandView>,
        #[schema(required)]
        last_bank: Option<LastBankView>,
    },
    /// No hand was dealt.
    RoundAbandoned {
        secret: Secret,
        until: Time,
    },
    Rested,
    Paused {
        by: Actor,
    },
    Resumed {
        by: Actor,
    },
    Closing {
        by: Actor,
    },
    Closed,
    Noticed {
        text: String,
        by: Actor,
    },
}

impl Table {
    fn bank_now(&self) -> Option<BankView> {
        self.round.as_ref().and_then(|round| self.bank_view(round))
    }

    /// What somebody sees of an event that has just happened: the table is as it is after it.
    pub fn seen(&self, event: &TableEvent, viewer: &Viewer) -> SeenEvent {
        let everything = *viewer == Viewer::Auditor;
        match event.clone() {
            TableEvent::Opened { .. } => SeenEvent::Opened {
                table: self.id().clone(),
                book: self.table_rules.book().id.clone(),
                currency: self.config.currency.to_string(),
                facts: self.facts(),
            },
            TableEvent::Sat { seat, player } => SeenEvent::Sat { seat, player },
            TableEvent::Leaving { seat } => SeenEvent::Leaving { seat },
            TableEvent::Stood { seat } => SeenEvent::Stood { seat },
            TableEvent::SatOut { seat, by } => SeenEvent::SatOut { seat, by },
            TableEvent::Returned { seat } => SeenEvent::Returned { seat },
            TableEvent::RoundOpened { round, commitment, derived, .. } => SeenEvent::RoundOpened {
                round,
                protocol: self.round.as_ref().map_or(1, RoundState::protocol),
                commitment,
                opened_at: derived.map(|derived| derived.at),
                key: derived.map(|derived| derived.key),
                signature: derived.map(|derived| derived.signature),
                secret: self.round.as_ref().and_then(|round| round.secret).filter(|_| everything),
            },
            TableEvent::BankOffered { seat, until } => SeenEvent::BankOffered { seat, until },
            TableEvent::BankPassed { seat, by } => SeenEvent::BankPassed { seat, by },
            TableEvent::BankTaken { seat, cents, .. } => {
                SeenEvent::BankTaken { seat, cents, bank: self.bank_now() }
            }
            TableEvent::BankGivenBack { seat } => SeenEvent::BankGivenBack { seat },
            TableEvent::PilePicked { seat, pile } => SeenEvent::PilePicked { seat, pile },
            TableEvent::WagersOpened { until } => SeenEvent::WagersOpened { until },
            TableEvent::Wagered { seat, wager, cents, color, .. } => {
                let button = self.earns_button(&wager, cents);
                SeenEvent::Wagered { seat, wager, cents, color, button, bank: self.bank_now() }
            }
            TableEvent::Cleared { seat, wager } => SeenEvent::Cleared { seat, wager, bank: self.bank_now() },
            TableEvent::BytesAdded { seat, bytes } => SeenEvent::BytesAdded { seat, bytes },
            TableEvent::Committed { seat, commitment } => SeenEvent::Committed { seat, commitment },
            TableEvent::WagersClosed { commitments, signature, until } => {
                SeenEvent::WagersClosed { commitments, signature, until }
            }
            TableEvent::Revealed { seat, bytes } => SeenEvent::Revealed { seat, bytes },
            TableEvent::Ready { seat } => SeenEvent::Ready { seat },
            TableEvent::Dealt { dice, until, .. } => {
                let own = self.seats_of_viewer(viewer);
                let shown = everything || planted(PlantedFault::ShowHandInFeed);
                let hands = self.hands(|seat| shown || own.contains(&seat));
                let seats = hands.keys().copied().collect();
                let cards = hands.into_iter().filter_map(|(seat, hand)| Some((seat, hand.cards?)));
                let dealer = self.round.as_ref().and_then(|round| dealer_of(round, everything));
                let dealer = dealer.and_then(|hand| hand.cards);
                let silent = self.round.as_ref().map(RoundState::silent).unwrap_or_default();
                SeenEvent::Dealt { dice, until, seats, silent, hands: cards.collect(), dealer }
            }
            TableEvent::HandSet { seat, by, .. } => {
                let shown = everything || self.seats_of_viewer(viewer).contains(&seat);
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
                    self.seats.get(seat).is_none_or(|sitting| sitting.first_round <= self.rounds)
                });
                let last_bank = self.last_bank_view();
                SeenEvent::RoundVoided { secret, reason, by, until, hands, dealer, last_bank }
            }
            TableEvent::RoundAbandoned { secret, until } => SeenEvent::RoundAbandoned { secret, until },
            TableEvent::Rested => SeenEvent::Rested,
            TableEvent::Paused { by } => SeenEvent::Paused { by },
            TableEvent::Resumed { by } => SeenEvent::Resumed { by },
            TableEvent::Closing { by } => SeenEvent::Closing { by },
            TableEvent::Closed => SeenEvent::Closed,
            TableEvent::Noticed { text, by } => SeenEvent::Noticed { text, by },
        }
    }

    /// The seats whose players see more of an event than a watcher does. For everybody else, but for an auditor, what is seen is
    /// what a watcher sees.
    pub fn see_more(&self, event: &TableEvent) -> Vec<u8> {
        match event {
            TableEvent::Dealt { .. } => self.hands(|_| false).into_keys().collect(),
            TableEvent::HandSet { seat, .. } => vec![*seat],
            _ => Vec::new(),
        }
    }

    /// The hands of the round, the cards of those that are shown.
    fn hands(&self, shown: impl Fn(u8) -> bool) -> BTreeMap<u8, HandView> {
        let Some(round) = &self.round else { return BTreeMap::new() };
        let Some(deal) = round.dealt.as_ref().and_then(Round::deal) else { return BTreeMap::new() };
        let seats = (1..).zip(deal.hands).filter(|(_, hand)| hand.is_some()).map(|(seat, _)| seat);
        seats.filter_map(|seat| Some((seat, hand_of(round, seat, shown(seat))?))).collect()
    }
}
