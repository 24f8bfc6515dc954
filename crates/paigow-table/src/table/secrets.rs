//! Secret of a round: derived from a key while the round is open, and later read from the event that reveals it.

use super::rules::set_action;
use super::{InvalidEvent, RoundState, Table};
use crate::{Actor, Command, Contributions, FairDeal, RoundKeys, Secret, TableEvent};
use paigow::{Action, CardSet, Shuffle, parse_cards};
use std::borrow::Cow;
use std::sync::Arc;

impl Table {
    /// Sets the source of keys for the secrets of rounds. New rounds use version 2 of the fair-deal protocol with keys,
    /// and version 1 without.
    ///
    /// # Errors
    /// The secret of the open round does not match its commitment.
    pub fn with_keys(mut self, keys: Option<Arc<dyn RoundKeys>>) -> Result<Table, InvalidEvent> {
        self.keys = keys;
        if let Some(mut round) = self.round.take_if(|round| round.secret.is_none()) {
            let derived = self.derive_secret(&mut round);
            self.round = Some(round);
            derived?;
        }
        Ok(self)
    }

    /// Keys that new rounds are opened with.
    pub(crate) fn keys(&self) -> Option<&Arc<dyn RoundKeys>> {
        self.keys.as_ref()
    }

    /// Derives the secret of a round, if its key is available.
    pub(super) fn derive_secret(&self, round: &mut RoundState) -> Result<(), InvalidEvent> {
        let (Some(keys), Some(derived)) = (&self.keys, &round.derived) else { return Ok(()) };
        match keys.secret(&derived.key, self.id(), round.number, &derived.nonce) {
            Some(secret) => self.learn_secret(round, secret),
            None => Ok(()),
        }
    }

    /// Stores the secret of a round. Deals and sets the hands now if that happened while the secret was unknown.
    pub(super) fn learn_secret(&self, round: &mut RoundState, secret: Secret) -> Result<(), InvalidEvent> {
        match round.secret {
            Some(known) if known == secret => return Ok(()),
            Some(_) => {
                return Err(InvalidEvent("the revealed secret is not the secret of the round".to_owned()));
            }
            None => {}
        }
        round.secret = Some(secret);
        let expected = self.fair_deal(round, secret).commitment();
        if expected != round.commitment {
            return Err(InvalidEvent("the secret does not match the commitment".to_owned()));
        }
        if round.dice == 0 {
            return Ok(());
        }
        self.deal(round, "", round.dice)?;
        for (seat, by) in round.set_by.clone() {
            let low = round.positions.get(&seat).map(|positions| round.cards_at(seat, *positions));
            let low = low.transpose()?.unwrap_or_default();
            let action = set_action(seat, &low.to_string(), by)?;
            let rules = round.dealt.as_mut().ok_or_else(|| InvalidEvent("no hands are dealt".to_owned()))?;
            rules.apply(&action).map_err(|refusal| InvalidEvent(refusal.to_string()))?;
        }
        Ok(())
    }

    /// Returns the inputs of the deal of a round.
    pub(crate) fn fair_deal<'a>(&'a self, round: &'a RoundState, secret: Secret) -> FairDeal<'a> {
        let seats = if round.derived.is_some() {
            let (rules, commitments) = (self.opening_rules_digest(), &round.commitments);
            Contributions::Committed { rules, commitments, revealed: &round.bytes }
        } else {
            Contributions::Added(&round.bytes)
        };
        FairDeal { secret, table: self.id(), round: round.number, seats }
    }

    /// Deals the hands of a round from the stored cards, or from the shuffle derived from the secret. Does nothing
    /// while the secret is unknown.
    pub(super) fn deal(&self, round: &mut RoundState, cards: &str, dice: u8) -> Result<(), InvalidEvent> {
        if round.derived.is_some() && !cards.is_empty() {
            return Err(InvalidEvent(
                "the event contains cards, but the deal is derived from a key".to_owned(),
            ));
        }
        let shuffle = match (cards, round.secret) {
            ("", Some(secret)) => {
                let fair = self.fair_deal(round, secret);
                let seats = &self.table_rules.book().seats;
                if fair.dice(seats.players + u8::from(seats.dealer_hand)) != dice {
                    return Err(InvalidEvent("the dice do not follow from the secret".to_owned()));
                }
                let shuffle = Arc::new(fair.shuffle());
                round.shuffle = Some(shuffle.clone());
                Shuffle::clone(&shuffle)
            }
            ("", None) => return Ok(()),
            (cards, _) => super::rules::shuffle_of(cards)?,
        };
        let refused = |refusal: paigow::Refusal| InvalidEvent(refusal.to_string());
        let mut rules = self.rules(round).map_err(refused)?;
        let action = Action::Deal { shuffle: Box::new(shuffle), dice, action_pile: self.picked(round) };
        rules.apply(&action).map_err(refused)?;
        round.dealt = Some(rules);
        Ok(())
    }
}

impl RoundState {
    /// Returns the cards at two positions of a seat's packet, from 1, in the order of the shuffle.
    pub(crate) fn cards_at(&self, seat: u8, positions: [u8; 2]) -> Result<CardSet, InvalidEvent> {
        let packet = self.packet(seat).ok_or_else(|| InvalidEvent(format!("seat {seat} has no hand")))?;
        let card = |position: u8| packet.get(usize::from(position).wrapping_sub(1)).copied();
        match (card(positions[0]), card(positions[1])) {
            (Some(one), Some(other)) if one != other => Ok([one, other].into_iter().collect()),
            _ => Err(InvalidEvent("the positions must be two different numbers from 1 to 7".to_owned())),
        }
    }

    /// Returns the positions of two cards in a seat's packet, ascending, or `None` if they are not in it.
    pub(crate) fn positions_of(&self, seat: u8, cards: CardSet) -> Option<[u8; 2]> {
        let packet = self.packet(seat)?;
        let mut found =
            (1..).zip(&packet).filter(|(_, card)| cards.contains(**card)).map(|(position, _)| position);
        match (found.next(), found.next(), found.next()) {
            (Some(one), Some(other), None) if cards.len() == 2 => Some([one, other]),
            _ => None,
        }
    }

    /// Returns the seven cards of a seat in the order of the shuffle.
    fn packet(&self, seat: u8) -> Option<Vec<paigow::Card>> {
        let seat = paigow::Seat::new(seat)?;
        let hand = self.dealt.as_ref()?.deal()?.hands[seat.index()]?.cards();
        Some(self.shuffle.as_ref()?.cards().iter().copied().filter(|card| hand.contains(*card)).collect())
    }
}

impl Table {
    /// Returns whether the secret of the round is unknown: neither revealed nor derivable with the available keys.
    pub fn awaits_secret(&self) -> bool {
        self.round.as_ref().is_some_and(|round| round.secret.is_none())
    }

    /// Returns a command in its stored form, in which a `Set` has positions in the packet instead of cards. Other
    /// commands, and those that the table refuses, are unchanged.
    pub fn stored_form<'c>(&self, by: &Actor, command: &'c Command) -> Cow<'c, Command> {
        self.positions_form(by, command).map_or(Cow::Borrowed(command), Cow::Owned)
    }

    fn positions_form(&self, by: &Actor, command: &Command) -> Option<Command> {
        let (Actor::Player(player), (named, Command::Set { low })) = (by, command.at_seat()) else {
            return None;
        };
        let seat = named.or_else(|| self.seats_of(player).next())?;
        let low = parse_cards(low, Some(2)).ok()?;
        let positions = self.round.as_ref()?.positions_of(seat, low)?;
        let set = Command::SetPositions { positions };
        Some(match named {
            Some(seat) => Command::At { seat, command: Box::new(set) },
            None => set,
        })
    }
}

impl Command {
    /// Returns whether this stored command may be the stored form of `given`, a command that sets a hand. The positions
    /// are not compared with the cards, because only the table knows the cards.
    pub fn may_be_stored_form_of(&self, given: &Command) -> bool {
        let (stored, given) = (self.at_seat(), given.at_seat());
        matches!((stored.1, given.1), (Command::SetPositions { .. }, Command::Set { .. }))
            && stored.0 == given.0
    }
}

impl TableEvent {
    /// Secret that the event reveals, if any.
    pub fn shown_secret(&self) -> Option<Secret> {
        match self {
            TableEvent::Settled { secret, .. } | TableEvent::RoundAbandoned { secret, .. } => Some(*secret),
            TableEvent::RoundVoided { secret, .. } => *secret,
            _ => None,
        }
    }
}
