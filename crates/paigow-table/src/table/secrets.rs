//! The secret of a round: derived from a key while the round is open, read from the event that shows it afterwards.

use super::rules::set_action;
use super::{InvalidEvent, RoundState, Table};
use crate::{Actor, Command, Contributions, FairDeal, RoundKeys, Secret, TableEvent};
use paigow::{Action, CardSet, Shuffle, parse_cards};
use std::borrow::Cow;
use std::sync::Arc;

impl Table {
    /// The same table with these keys for the secrets of its rounds. New rounds are then of version 2 of fair deals; without keys, of
    /// version 1.
    ///
    /// # Errors
    /// The secret of the open round is not the one committed to.
    pub fn with_keys(mut self, keys: Option<Arc<dyn RoundKeys>>) -> Result<Table, InvalidEvent> {
        self.keys = keys;
        if let Some(mut round) = self.round.take_if(|round| round.secret.is_none()) {
            let found = self.derive_secret(&mut round);
            self.round = Some(round);
            found?;
        }
        Ok(self)
    }

    /// The keys that its rounds are opened with.
    pub(crate) fn keys(&self) -> Option<&Arc<dyn RoundKeys>> {
        self.keys.as_ref()
    }

    /// Derives the secret of a round whose key is at hand.
    pub(super) fn derive_secret(&self, round: &mut RoundState) -> Result<(), InvalidEvent> {
        let (Some(keys), Some(derived)) = (&self.keys, &round.derived) else { return Ok(()) };
        match keys.secret(&derived.key, self.id(), round.number, &derived.nonce) {
            Some(secret) => self.learn_secret(round, secret),
            None => Ok(()),
        }
    }

    /// Takes over the secret of a round. If hands were dealt while it was not known, deals them now.
    pub(super) fn learn_secret(&self, round: &mut RoundState, secret: Secret) -> Result<(), InvalidEvent> {
        match round.secret {
            Some(known) if known == secret => return Ok(()),
            Some(_) => return Err(InvalidEvent("another secret than that of the round is shown".to_owned())),
            None => {}
        }
        round.secret = Some(secret);
        let expected = self.fair_deal(round, secret).commitment();
        if expected != round.commitment {
            return Err(InvalidEvent("the commitment is not that of the secret".to_owned()));
        }
        if round.dice == 0 {
            return Ok(());
        }
        self.deal(round, "", round.dice)?;
        for (seat, by) in round.set_by.clone() {
            let front = round.positions.get(&seat).map(|positions| round.cards_at(seat, *positions));
            let front = front.transpose()?.unwrap_or_default();
            let action = set_action(seat, &front.to_string(), by)?;
            let rules = round.dealt.as_mut().ok_or_else(|| InvalidEvent("no hand is dealt".to_owned()))?;
            rules.apply(&action).map_err(|refusal| InvalidEvent(refusal.to_string()))?;
        }
        Ok(())
    }

    /// All that decides the deal of a round.
    pub(crate) fn fair_deal<'a>(&'a self, round: &'a RoundState, secret: Secret) -> FairDeal<'a> {
        let seats = if round.derived.is_some() {
            let (rules, commitments) = (self.opened_with(), &round.commitments);
            Contributions::Committed { rules, commitments, revealed: &round.bytes }
        } else {
            Contributions::Added(&round.bytes)
        };
        FairDeal { secret, table: self.id(), round: round.number, seats }
    }

    /// Deals the hands of a round: cards that are stored, or the shuffle that follows from the secret. Nothing is dealt while the secret is
    /// not known.
    pub(super) fn deal(&self, round: &mut RoundState, cards: &str, dice: u8) -> Result<(), InvalidEvent> {
        if round.derived.is_some() && !cards.is_empty() {
            return Err(InvalidEvent("cards are stored with a deal that follows from a key".to_owned()));
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
    /// The cards at two positions of a seat's packet, from 1, in the order of the shuffle.
    pub(crate) fn cards_at(&self, seat: u8, positions: [u8; 2]) -> Result<CardSet, InvalidEvent> {
        let packet = self.packet(seat).ok_or_else(|| InvalidEvent(format!("seat {seat} has no hand")))?;
        let card = |position: u8| packet.get(usize::from(position).wrapping_sub(1)).copied();
        match (card(positions[0]), card(positions[1])) {
            (Some(one), Some(other)) if one != other => Ok([one, other].into_iter().collect()),
            _ => Err(InvalidEvent("two positions from 1 to 7 are needed".to_owned())),
        }
    }

    /// The positions of two cards in a seat's packet, ascending, if they are in it.
    pub(crate) fn positions_of(&self, seat: u8, cards: CardSet) -> Option<[u8; 2]> {
        let packet = self.packet(seat)?;
        let mut found = (1..).zip(&packet).filter(|(_, card)| cards.contains(**card)).map(|(place, _)| place);
        match (found.next(), found.next(), found.next()) {
            (Some(one), Some(other), None) if cards.len() == 2 => Some([one, other]),
            _ => None,
        }
    }

    /// The seven cards of a seat in the order of the shuffle.
    fn packet(&self, seat: u8) -> Option<Vec<paigow::Card>> {
        let seat = paigow::Seat::new(seat)?;
        let hand = self.dealt.as_ref()?.deal()?.hands[seat.index()]?.cards();
        Some(self.shuffle.as_ref()?.cards().iter().copied().filter(|card| hand.contains(*card)).collect())
    }
}

impl Table {
    /// Whether the secret of the open round is neither shown nor derivable with the keys at hand.
    pub fn awaits_secret(&self) -> bool {
        self.round.as_ref().is_some_and(|round| round.secret.is_none())
    }

    /// A command in the form in which it is stored while the round is open: the cards of a set hand as positions in the packet. Other
    /// commands, and those that the table refuses, are unchanged.
    pub fn stored_form<'c>(&self, by: &Actor, command: &'c Command) -> Cow<'c, Command> {
        self.positions_form(by, command).map_or(Cow::Borrowed(command), Cow::Owned)
    }

    fn positions_form(&self, by: &Actor, command: &Command) -> Option<Command> {
        let (Actor::Player(player), (named, Command::Set { front })) = (by, command.at_seat()) else {
            return None;
        };
        let seat = named.or_else(|| self.seats_of(player).next())?;
        let front = parse_cards(front, Some(2)).ok()?;
        let positions = self.round.as_ref()?.positions_of(seat, front)?;
        let set = Command::SetPositions { positions };
        Some(match named {
            Some(seat) => Command::At { seat, command: Box::new(set) },
            None => set,
        })
    }
}

impl Command {
    /// Whether this stored command may be what is stored of a command that sets a hand: which cards were at the positions is known at the
    /// table alone.
    pub fn may_store(&self, given: &Command) -> bool {
        let (stored, given) = (self.at_seat(), given.at_seat());
        matches!((stored.1, given.1), (Command::SetPositions { .. }, Command::Set { .. }))
            && stored.0 == given.0
    }
}

impl TableEvent {
    /// The secret that the event shows.
    pub fn shown_secret(&self) -> Option<Secret> {
        match self {
            TableEvent::Settled { secret, .. } | TableEvent::RoundAbandoned { secret, .. } => Some(*secret),
            TableEvent::RoundVoided { secret, .. } => *secret,
            _ => None,
        }
    }
}
