//! A table's round as the rules of the game have it.

use super::{BASE_GAME, InvalidEvent, RoundState, Table};
use crate::Time;
use crate::event::SetBy;
use paigow::rulebook::Spots;
use paigow::{Action, Amount, BankHistory, Card, Color, Owners, Round, Seat, Shuffle, WagerRef, parse_cards};
use std::collections::BTreeMap;
use std::sync::LazyLock;

impl Table {
    /// Who banked before as the rules ask for it: by the seat the person has now.
    fn banked_before(&self) -> Option<BankHistory> {
        let last = self.last_bank.as_ref()?;
        let (seat, _) = self.players().find(|(_, player)| **player == last.player)?;
        Some(BankHistory { seat: Seat::new(seat)?, rounds: last.rounds })
    }

    /// Which seats are one player's.
    pub(crate) fn owners(&self) -> Owners {
        Owners::by_name(|seat| self.seats.get(&seat.number()).map(|sitting| &sitting.player))
    }

    /// Whether a seat is one of the player who banks.
    pub(crate) fn is_bankers(&self, round: &RoundState, seat: u8) -> bool {
        let player = |seat: u8| self.seats.get(&seat).map(|sitting| &sitting.player);
        round.bank.as_ref().is_some_and(|bank| {
            bank.seat == seat || player(seat).is_some() && player(seat) == player(bank.seat)
        })
    }

    /// The round by the rules as it would stand with these wagers and this bank, before the deal.
    pub(crate) fn rules(&self, round: &RoundState) -> Result<Round, paigow::Refusal> {
        let owes = |index: usize| round.wagers_from.is_some_and(|at| self.owes_time(index as u8 + 1, at));
        let mut rules = Round::new(self.table_rules.clone(), self.banked_before())
            .with_owners(self.owners())
            .with_time_due(std::array::from_fn(owes));
        let seat = |number: u8| {
            let seats = self.table_rules.book().seats.players;
            Seat::new(number).ok_or(paigow::Refusal::SeatOutOfRange { seat: number, seats })
        };
        if let Some(bank) = &round.bank {
            let covers = Some(Amount::from_cents(bank.cents));
            rules.apply(&Action::TakeBank { seat: seat(bank.seat)?, covers })?;
            let dealer = self.config.dealer_wager_cents;
            if dealer > 0 && self.table_rules.book().banking.plays_dealer {
                rules.apply(&Action::DealerWager { amount: Amount::from_cents(dealer) })?;
            }
        }
        // The base wager first: side wagers need it.
        let base = |wager: &str| wager != BASE_GAME;
        let mut wagers: Vec<_> = round.wagers.iter().collect();
        wagers.sort_by_key(|((number, wager), _)| (*number, base(wager)));
        for ((number, wager), placed) in wagers {
            let wager = self.wager(wager)?;
            rules.apply(&Action::Wager {
                seat: seat(*number)?,
                wager,
                amount: Amount::from_cents(placed.cents),
                color: placed.color.map(Color::from),
            })?;
        }
        Ok(rules)
    }

    /// Whether a seat owes the fee for playing time when wagers are opened at this time: it has not paid since it was taken, or long enough ago.
    pub(crate) fn owes_time(&self, seat: u8, at: Time) -> bool {
        let time = self.table_rules.book().collection.as_ref().and_then(|collection| collection.time);
        let (Some(time), Some(sitting)) = (time, self.seats.get(&seat)) else { return false };
        sitting.time_paid.is_none_or(|paid| at >= paid.plus(u64::from(time.minutes) * 60_000))
    }

    /// The wager of a name.
    pub(crate) fn wager(&self, name: &str) -> Result<WagerRef, paigow::Refusal> {
        if name == BASE_GAME {
            return Ok(WagerRef::PaiGow);
        }
        Ok(WagerRef::Side(self.table_rules.place(name)? as u8))
    }

    /// How many piles there can be to pick from; none where the book has nobody pick.
    pub(crate) fn piles_max(&self) -> u8 {
        let book = self.table_rules.book();
        if book.dealing.action_pile { book.seats.players + u8::from(book.seats.dealer_hand) } else { 0 }
    }

    /// The pile that was picked. Where only seats that play are dealt to there may be fewer than when it was: then counting goes on
    /// from the first.
    pub(crate) fn picked(&self, round: &RoundState) -> Option<u8> {
        let book = self.table_rules.book();
        let piles = match book.dealing.spots {
            Spots::Every => self.piles_max(),
            Spots::Active => {
                let wagered = round.wagers.keys().filter(|(_, wager)| wager == BASE_GAME).count() as u8;
                wagered + u8::from(round.bank.is_some()) + u8::from(book.seats.dealer_hand)
            }
        };
        round.pile.map(|pile| 1 + pile.saturating_sub(1) % piles.max(1))
    }
}

/// What setting a hand is by the rules.
pub(crate) fn set_action(seat: u8, front: &str, by: SetBy) -> Result<Action, InvalidEvent> {
    let seat = Seat::new(seat).ok_or_else(|| InvalidEvent(format!("there is no seat {seat}")))?;
    match by {
        SetBy::HouseWay | SetBy::Clock => Ok(Action::HouseWay { seat }),
        SetBy::Player => {
            let front = parse_cards(front, Some(2)).map_err(|faults| InvalidEvent(faults.to_string()))?;
            Ok(Action::Set { seat, front })
        }
    }
}

/// Every card by how it is stored. Many shuffles are read when tables come back.
static STORED: LazyLock<BTreeMap<String, Card>> =
    LazyLock::new(|| Card::deck().map(|card| (card.to_string(), card)).collect());

/// A shuffle as it is stored: its cards in order.
pub(crate) fn cards_of(shuffle: &Shuffle) -> String {
    let cards: Vec<String> = shuffle.cards().iter().map(ToString::to_string).collect();
    cards.join(" ")
}

pub(super) fn shuffle_of(text: &str) -> Result<Shuffle, InvalidEvent> {
    let misfit = || InvalidEvent("no shuffle".to_owned());
    let cards: Option<Vec<Card>> = text.split(' ').map(|card| STORED.get(card).copied()).collect();
    let cards: [Card; 53] = cards.and_then(|cards| cards.try_into().ok()).ok_or_else(misfit)?;
    Shuffle::new(cards).map_err(|_| misfit())
}
