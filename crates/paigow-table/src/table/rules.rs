//! Conversion of a table's round to a [`Round`] of the rules of the game.

use super::{BASE_GAME, InvalidEvent, RoundState, Table};
use crate::Time;
use crate::event::SetBy;
use paigow::rulebook::Spots;
use paigow::{Action, Amount, BankHistory, Card, Color, Owners, Round, Seat, Shuffle, WagerRef, parse_cards};
use std::collections::BTreeMap;
use std::sync::LazyLock;

impl Table {
    /// Returns the last banker, by the player's current seat.
    fn bank_history(&self) -> Option<BankHistory> {
        let last = self.last_bank.as_ref()?;
        let (seat, _) = self.players().find(|(_, player)| **player == last.player)?;
        Some(BankHistory { seat: Seat::new(seat)?, rounds: last.rounds })
    }

    /// Returns which seats belong to the same player.
    pub(crate) fn owners(&self) -> Owners {
        Owners::by_name(|seat| self.seats.get(&seat.number()).map(|state| &state.player))
    }

    /// Returns whether a seat belongs to the player who banks.
    pub(crate) fn is_bankers(&self, round: &RoundState, seat: u8) -> bool {
        let player = |seat: u8| self.seats.get(&seat).map(|state| &state.player);
        round.bank.as_ref().is_some_and(|bank| {
            bank.seat == seat || player(seat).is_some() && player(seat) == player(bank.seat)
        })
    }

    /// Creates the round by the rules with these wagers and this bank, before the deal.
    pub(crate) fn rules(&self, round: &RoundState) -> Result<Round, paigow::Refusal> {
        let owes = |index: usize| round.wagers_from.is_some_and(|at| self.owes_time(index as u8 + 1, at));
        let mut rules = Round::new(self.table_rules.clone(), self.bank_history())
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
        // The base wager comes first, because side wagers need it.
        let is_side = |wager: &str| wager != BASE_GAME;
        let mut wagers: Vec<_> = round.wagers.iter().collect();
        wagers.sort_by_key(|((number, wager), _)| (*number, is_side(wager)));
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

    /// Returns whether a seat owes the fee for playing time if wagers open at this time. It does if its player has not
    /// paid yet at this seat, or if the paid time has run out.
    pub(crate) fn owes_time(&self, seat: u8, at: Time) -> bool {
        let time = self.table_rules.book().collection.as_ref().and_then(|collection| collection.time);
        let (Some(time), Some(state)) = (time, self.seats.get(&seat)) else { return false };
        state.time_paid.is_none_or(|paid| at >= paid.plus(u64::from(time.minutes) * 60_000))
    }

    /// Returns the wager with this name.
    pub(crate) fn wager(&self, name: &str) -> Result<WagerRef, paigow::Refusal> {
        if name == BASE_GAME {
            return Ok(WagerRef::PaiGow);
        }
        Ok(WagerRef::Side(self.table_rules.side_wager_index(name)? as u8))
    }

    /// Maximum number of piles to pick from. 0 if the book has no action pile.
    pub(crate) fn piles_max(&self) -> u8 {
        let book = self.table_rules.book();
        if book.dealing.action_pile { book.seats.players + u8::from(book.seats.dealer_hand) } else { 0 }
    }

    /// Returns the picked pile. If only playing seats are dealt to, there may be fewer piles than the picked number.
    /// Counting then wraps around to the first pile.
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

/// Returns the action of the rules that sets a hand.
pub(crate) fn set_action(seat: u8, low: &str, by: SetBy) -> Result<Action, InvalidEvent> {
    let seat = Seat::new(seat).ok_or_else(|| InvalidEvent(format!("there is no seat {seat}")))?;
    match by {
        SetBy::HouseWay | SetBy::Clock => Ok(Action::HouseWay { seat }),
        SetBy::Player => {
            let low = parse_cards(low, Some(2)).map_err(|faults| InvalidEvent(faults.to_string()))?;
            Ok(Action::Set { seat, low })
        }
    }
}

/// Cards by their stored text. A map, because loading tables parses many shuffles.
static STORED: LazyLock<BTreeMap<String, Card>> =
    LazyLock::new(|| Card::deck().map(|card| (card.to_string(), card)).collect());

/// Returns the stored form of a shuffle: its cards in order.
pub(crate) fn cards_of(shuffle: &Shuffle) -> String {
    let cards: Vec<String> = shuffle.cards().iter().map(ToString::to_string).collect();
    cards.join(" ")
}

/// Parses a stored shuffle.
pub(super) fn shuffle_of(text: &str) -> Result<Shuffle, InvalidEvent> {
    let invalid = || InvalidEvent("the cards are not a shuffle of the deck".to_owned());
    let cards: Option<Vec<Card>> = text.split(' ').map(|card| STORED.get(card).copied()).collect();
    let cards: [Card; 53] = cards.and_then(|cards| cards.try_into().ok()).ok_or_else(invalid)?;
    Shuffle::new(cards).map_err(|_| invalid())
}
