//! A table: its state, and how events change it. Nothing else does.

use crate::command::ColorWord;
use crate::event::Setter;
use crate::{Commitment, Config, Event, Owner, PlayerId, SeatBytes, Secret, TableId, Time, TransferId};
use paigow::rulebook::Spots;
use paigow::{
    Action, Amount, BankedBefore, Card, Color, Posting, Round, Seat, Shuffle, WagerRef, parse_cards,
};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// A table.
#[derive(Clone)]
pub struct Table {
    pub(crate) config: Arc<Config>,
    pub(crate) posting: Arc<Posting>,
    opened_with: OpenedWith,
    pub(crate) seats: BTreeMap<u8, Sitting>,
    /// How much those have changed since the last round began who have got up again.
    pub(crate) gone: BTreeMap<PlayerId, u16>,
    pub(crate) phase: Phase,
    pub(crate) round: Option<RoundState>,
    /// How many rounds have begun.
    pub(crate) rounds: u64,
    /// How many holds were ever placed: their names go on from there.
    pub(crate) holds: u64,
    pub(crate) last_bank: Option<LastBank>,
    pub(crate) paused: bool,
    pub(crate) closing: bool,
    pub(crate) closed: bool,
}

/// The rules a table was opened with.
#[derive(Clone, PartialEq, Eq, Debug)]
struct OpenedWith {
    digest: String,
    /// Whether they are others by now.
    changed: bool,
}

/// A player at a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sitting {
    pub(crate) player: PlayerId,
    pub(crate) out: bool,
    pub(crate) leaving: bool,
    /// For how many rounds running it has wagered nothing.
    pub(crate) missed: u8,
    /// The first round it can take part in: what lies at the seat from before is not its own.
    pub(crate) first_round: u64,
    /// How much it has changed since the last round began.
    pub(crate) changes: u16,
}

/// Who banked in the round settled last. It is a person who may not bank too long (CA-7), and a place from which the bank goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LastBank {
    pub(crate) player: PlayerId,
    pub(crate) seat: u8,
    /// For how many rounds running. It stays at the most it can count: the limits of books are far below.
    pub(crate) rounds: u8,
}

/// How far a table has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Nobody plays.
    Waiting,
    /// The bank is offered.
    Offering {
        /// To whom.
        seat: u8,
        /// Until when.
        until: Time,
    },
    /// Wagers are open.
    Wagers {
        /// Until when.
        until: Time,
    },
    /// Hands are being set.
    Settings {
        /// Until when.
        until: Time,
    },
    /// The round is over.
    Between {
        /// When the next one begins.
        until: Time,
    },
}

/// A round at a table.
#[derive(Clone)]
pub(crate) struct RoundState {
    pub(crate) number: u64,
    pub(crate) secret: Secret,
    pub(crate) commitment: Commitment,
    /// Seats the bank was offered to in vain.
    pub(crate) passed: Vec<u8>,
    pub(crate) bank: Option<BankHeld>,
    /// The pile the bank has picked.
    pub(crate) pile: Option<u8>,
    pub(crate) wagers: BTreeMap<(u8, String), Placed>,
    pub(crate) bytes: BTreeMap<u8, SeatBytes>,
    pub(crate) ready: Vec<u8>,
    /// The round by the rules, once hands are dealt.
    pub(crate) dealt: Option<Round>,
    pub(crate) dice: u8,
    pub(crate) set_by: BTreeMap<u8, Setter>,
    pub(crate) over: bool,
}

/// The bank a seat has taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BankHeld {
    pub(crate) seat: u8,
    pub(crate) cents: u64,
    pub(crate) hold: TransferId,
}

/// A wager that lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Placed {
    pub(crate) cents: u64,
    pub(crate) color: Option<ColorWord>,
    pub(crate) hold: TransferId,
}

/// A stored event that does not fit what came before it: the log is not what this table wrote.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the event does not fit: {0}")]
pub struct Misfit(pub String);

/// The name of the base game among wagers.
pub(crate) const BASE_GAME: &str = "pai-gow";

impl Sitting {
    fn change(&mut self) {
        self.changes = self.changes.saturating_add(1);
    }
}

impl From<ColorWord> for Color {
    fn from(color: ColorWord) -> Color {
        match color {
            ColorWord::Red => Color::Red,
            ColorWord::Black => Color::Black,
        }
    }
}

impl Table {
    /// The table of a first event and the rules it names.
    ///
    /// # Errors
    /// The event is another.
    pub fn open(first: &Event, posting: Arc<Posting>) -> Result<Table, Misfit> {
        let Event::Opened { config, rules, .. } = first else {
            return Err(Misfit("a table begins with being opened".to_owned()));
        };
        Ok(Table {
            config: Arc::new(config.clone()),
            posting,
            opened_with: OpenedWith { digest: rules.clone(), changed: false },
            seats: BTreeMap::new(),
            gone: BTreeMap::new(),
            phase: Phase::Waiting,
            round: None,
            rounds: 0,
            holds: 0,
            last_bank: None,
            paused: false,
            closing: false,
            closed: false,
        })
    }

    /// Holds the rules against those the table was opened with, by their digest ([`rules_digest`](crate::rules_digest)). Where they are others
    /// the table is not played at, and they are not asked about what has happened there: the house may void the round and
    /// close it, so that everybody has their money back.
    #[must_use]
    pub fn held_to(mut self, digest: &str) -> Table {
        self.opened_with.changed = self.opened_with.digest != digest;
        self
    }

    /// Whether the rules are others than those it was opened with.
    pub fn rules_have_changed(&self) -> bool {
        self.opened_with.changed
    }

    /// Its name.
    pub fn id(&self) -> &TableId {
        &self.config.table
    }

    /// What it was opened with.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The rules it plays by.
    pub fn posting(&self) -> &Arc<Posting> {
        &self.posting
    }

    /// How far it has come.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Whether it is closed.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Who sits where.
    pub fn players(&self) -> impl Iterator<Item = (u8, &PlayerId)> {
        self.seats.iter().map(|(seat, sitting)| (*seat, &sitting.player))
    }

    /// The number of the round that goes on or was the last.
    pub fn round_number(&self) -> u64 {
        self.rounds
    }

    /// The holds that are open: what the table's escrow must have.
    pub fn open_holds(&self) -> impl Iterator<Item = (&TransferId, u64)> {
        let round = self.round.iter().filter(|round| !round.over);
        round.flat_map(|round| {
            let wagers = round.wagers.values().map(|placed| (&placed.hold, placed.cents));
            wagers.chain(round.bank.iter().map(|bank| (&bank.hold, bank.cents)))
        })
    }

    /// When something is due that the clock must see to.
    pub fn due(&self) -> Option<Time> {
        if self.rules_have_changed() && !self.only_closes() {
            return None;
        }
        match self.phase {
            Phase::Waiting => None,
            Phase::Offering { until, .. }
            | Phase::Wagers { until }
            | Phase::Settings { until }
            | Phase::Between { until } => Some(until),
        }
    }

    /// Whether nothing is left to do at the table but to close it.
    pub(crate) fn only_closes(&self) -> bool {
        self.closing && matches!(self.phase, Phase::Waiting | Phase::Between { .. })
    }

    /// The seats that take part in rounds.
    pub(crate) fn active(&self) -> impl Iterator<Item = u8> {
        self.seats.iter().filter(|(_, sitting)| !sitting.out && !sitting.leaving).map(|(seat, _)| *seat)
    }

    pub(crate) fn escrow(&self) -> Owner {
        Owner::Escrow(self.config.table.clone())
    }

    /// Who banked before as the rules ask for it: by the seat the person has now.
    fn banked_before(&self) -> Option<BankedBefore> {
        let last = self.last_bank.as_ref()?;
        let (seat, _) = self.players().find(|(_, player)| **player == last.player)?;
        Some(BankedBefore { seat: Seat::new(seat)?, rounds: last.rounds })
    }

    /// The round by the rules as it would stand with these wagers and this bank, before the deal.
    pub(crate) fn rules(&self, round: &RoundState) -> Result<Round, paigow::Refusal> {
        let mut rules = Round::new(self.posting.clone(), self.banked_before());
        let seat = |number: u8| {
            let seats = self.posting.book().seats.players;
            Seat::new(number).ok_or(paigow::Refusal::SeatOutOfRange { seat: number, seats })
        };
        if let Some(bank) = &round.bank {
            let covers = Some(Amount::from_cents(bank.cents));
            rules.apply(&Action::TakeBank { seat: seat(bank.seat)?, covers })?;
            let dealer = self.config.dealer_wager_cents;
            if dealer > 0 && self.posting.book().banking.plays_dealer {
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

    /// The wager of a name.
    pub(crate) fn wager(&self, name: &str) -> Result<WagerRef, paigow::Refusal> {
        if name == BASE_GAME {
            return Ok(WagerRef::PaiGow);
        }
        let place = self.posting.place(name);
        let place = place.ok_or_else(|| paigow::Refusal::UnknownWager { wager: name.to_owned() })?;
        Ok(WagerRef::Side(place as u8))
    }

    /// Takes over what has happened.
    ///
    /// # Errors
    /// It does not fit what came before. The table is not to be used then.
    pub fn apply(&mut self, event: &Event) -> Result<(), Misfit> {
        match event {
            Event::Opened { .. } => return Err(Misfit("a table is opened once".to_owned())),
            Event::Sat { seat, player } => {
                let first_round = self.rounds + u64::from(self.round.as_ref().is_none_or(|round| round.over));
                let changes = self.gone.remove(player).unwrap_or(0).saturating_add(1);
                let player = player.clone();
                let sitting = Sitting { player, out: false, leaving: false, missed: 0, first_round, changes };
                if self.seats.insert(*seat, sitting).is_some() {
                    return Err(Misfit(format!("seat {seat} was taken")));
                }
            }
            Event::Leaving { seat } => self.sitting(*seat)?.leaving = true,
            Event::Stood { seat } => {
                self.sitting(*seat)?;
                if let Some(sitting) = self.seats.remove(seat).filter(|sitting| sitting.changes > 0) {
                    self.gone.insert(sitting.player, sitting.changes);
                }
                // Whoever sits down there next has not said anything yet.
                if let Some(round) = self.round.as_mut().filter(|round| !round.over) {
                    round.ready.retain(|ready| ready != seat);
                }
            }
            Event::SatOut { seat, .. } => {
                let sitting = self.sitting(*seat)?;
                sitting.out = true;
                sitting.change();
            }
            Event::Returned { seat } => {
                let sitting = self.sitting(*seat)?;
                sitting.out = false;
                sitting.missed = 0;
                sitting.change();
            }
            Event::Paused { .. } => self.paused = true,
            Event::Resumed { .. } => self.paused = false,
            Event::Closing { .. } => self.closing = true,
            Event::Closed => {
                self.closed = true;
                self.phase = Phase::Waiting;
            }
            Event::Rested => self.phase = Phase::Waiting,
            Event::Noticed { .. } => {}
            _ => self.apply_to_round(event)?,
        }
        Ok(())
    }

    fn sitting(&mut self, seat: u8) -> Result<&mut Sitting, Misfit> {
        self.seats.get_mut(&seat).ok_or_else(|| Misfit(format!("nobody sits at seat {seat}")))
    }

    fn apply_to_round(&mut self, event: &Event) -> Result<(), Misfit> {
        if let Event::RoundOpened { round, secret, commitment } = event {
            let is_next = self.rounds.checked_add(1) == Some(*round);
            if !is_next || self.round.as_ref().is_some_and(|round| !round.over) {
                return Err(Misfit(format!("round {round} opens out of turn")));
            }
            self.rounds = *round;
            self.round = Some(RoundState::new(*round, *secret, *commitment));
            self.seats.values_mut().for_each(|sitting| sitting.changes = 0);
            self.gone.clear();
            return Ok(());
        }
        let Some(mut round) = self.round.take() else {
            return Err(Misfit("there is no round".to_owned()));
        };
        let applied = if round.over {
            Err(Misfit(format!("round {} is over", round.number)))
        } else {
            self.apply_to(&mut round, event)
        };
        self.round = Some(round);
        applied
    }

    fn apply_to(&mut self, round: &mut RoundState, event: &Event) -> Result<(), Misfit> {
        let misfit = |refusal: paigow::Refusal| Misfit(refusal.to_string());
        if let Event::BankTaken { seat, .. }
        | Event::BankGivenBack { seat }
        | Event::PilePicked { seat, .. }
        | Event::Wagered { seat, .. }
        | Event::Cleared { seat, .. }
        | Event::BytesAdded { seat, .. }
        | Event::Ready { seat } = event
            && let Some(sitting) = self.seats.get_mut(seat)
        {
            sitting.change();
        }
        match event {
            Event::BankOffered { seat, until } => {
                self.phase = Phase::Offering { seat: *seat, until: *until };
            }
            Event::BankPassed { seat, .. } => round.passed.push(*seat),
            Event::BankTaken { seat, cents, hold } => {
                self.holds += 1;
                round.bank = Some(BankHeld { seat: *seat, cents: *cents, hold: hold.clone() });
            }
            Event::BankGivenBack { .. } => {
                (round.bank, round.pile) = (None, None);
                round.ready.clear();
            }
            Event::PilePicked { pile, .. } => round.pile = Some(*pile),
            Event::WagersOpened { until } => self.phase = Phase::Wagers { until: *until },
            Event::Wagered { seat, wager, cents, color, hold } => {
                self.holds += 1;
                let placed = Placed { cents: *cents, color: *color, hold: hold.clone() };
                round.wagers.insert((*seat, wager.clone()), placed);
                round.ready.retain(|ready| ready != seat);
            }
            Event::Cleared { seat, wager } => {
                round.wagers.remove(&(*seat, wager.clone()));
                round.ready.retain(|ready| ready != seat);
            }
            Event::BytesAdded { seat, bytes } => drop(round.bytes.insert(*seat, bytes.clone())),
            Event::Ready { seat } => round.ready.push(*seat),
            Event::Dealt { cards, dice, until } => {
                if !self.rules_have_changed() {
                    let mut rules = self.rules(round).map_err(misfit)?;
                    let shuffle = Box::new(shuffle_of(cards)?);
                    let action_pile = self.picked(round);
                    rules.apply(&Action::Deal { shuffle, dice: *dice, action_pile }).map_err(misfit)?;
                    round.dealt = Some(rules);
                }
                round.dice = *dice;
                self.phase = Phase::Settings { until: *until };
                self.count_missed(round);
            }
            Event::HandSet { seat, front, by } => {
                if !self.rules_have_changed() {
                    let action = set_action(*seat, front, *by)?;
                    let rules = round.dealt.as_mut().ok_or_else(|| Misfit("no hand is dealt".to_owned()))?;
                    rules.apply(&action).map_err(misfit)?;
                }
                round.set_by.insert(*seat, *by);
            }
            Event::Settled { until, .. } => {
                if !self.rules_have_changed() {
                    let rules = round.dealt.as_mut().ok_or_else(|| Misfit("no hand is dealt".to_owned()))?;
                    rules.apply(&Action::Settle).map_err(misfit)?;
                }
                self.last_bank = round.bank.as_ref().and_then(|bank| {
                    let (player, seat) = (self.seats.get(&bank.seat)?.player.clone(), bank.seat);
                    let before = self.last_bank.as_ref().filter(|before| before.player == player);
                    let rounds = before.map_or(1, |before| before.rounds.saturating_add(1));
                    Some(LastBank { player, seat, rounds })
                });
                round.over = true;
                self.phase = Phase::Between { until: *until };
            }
            Event::RoundVoided { until, .. } => {
                round.over = true;
                self.phase = Phase::Between { until: *until };
            }
            Event::RoundAbandoned { until, .. } => {
                self.count_missed(round);
                round.over = true;
                self.phase = Phase::Between { until: *until };
            }
            _ => return Err(Misfit("no event of a round".to_owned())),
        }
        Ok(())
    }

    /// How many piles there can be to pick from; none where the book has nobody pick.
    pub(crate) fn piles_max(&self) -> u8 {
        let book = self.posting.book();
        if book.dealing.action_pile { book.seats.players + u8::from(book.seats.dealer_hand) } else { 0 }
    }

    /// The pile that was picked. Where only seats that play are dealt to there may be fewer than when it was: then counting goes on
    /// from the first.
    fn picked(&self, round: &RoundState) -> Option<u8> {
        let book = self.posting.book();
        let piles = match book.dealing.spots {
            Spots::Every => self.piles_max(),
            Spots::Active => {
                let wagered = round.wagers.keys().filter(|(_, wager)| wager == BASE_GAME).count() as u8;
                wagered + u8::from(round.bank.is_some()) + u8::from(book.seats.dealer_hand)
            }
        };
        round.pile.map(|pile| 1 + pile.saturating_sub(1) % piles.max(1))
    }

    /// Counts for how many rounds running each seat has wagered nothing.
    fn count_missed(&mut self, round: &RoundState) {
        for (seat, sitting) in &mut self.seats {
            let plays = round.wagers.contains_key(&(*seat, BASE_GAME.to_owned()))
                || round.bank.as_ref().is_some_and(|bank| bank.seat == *seat);
            sitting.missed = if plays { 0 } else { sitting.missed.saturating_add(1) };
        }
    }
}

/// The same table in the same state: what a replay is held against.
impl PartialEq for Table {
    fn eq(&self, other: &Table) -> bool {
        let Table {
            config,
            posting: _,
            opened_with,
            seats,
            gone,
            phase,
            round,
            rounds,
            holds,
            last_bank,
            paused,
            closing,
            closed,
        } = self;
        // The rules follow from the configuration.
        *config == other.config
            && *opened_with == other.opened_with
            && (seats, gone) == (&other.seats, &other.gone)
            && *phase == other.phase
            && *round == other.round
            && (*rounds, *holds) == (other.rounds, other.holds)
            && *last_bank == other.last_bank
            && (*paused, *closing, *closed) == (other.paused, other.closing, other.closed)
    }
}

impl PartialEq for RoundState {
    fn eq(&self, other: &RoundState) -> bool {
        let RoundState {
            number,
            secret,
            commitment,
            passed,
            bank,
            pile,
            wagers,
            bytes,
            ready,
            dealt,
            dice,
            set_by,
            over,
        } = self;
        // What a round by the rules was dealt with is here as well: the bank and the wagers.
        let same_rules = |one: &Round, other: &Round| {
            one.phase() == other.phase()
                && one.deal() == other.deal()
                && one.dealer_setting() == other.dealer_setting()
                && one.settlement() == other.settlement()
                && Seat::first(Seat::COUNT_MAX as u8).all(|seat| one.laid(seat) == other.laid(seat))
        };
        let same_dealt = match (dealt, &other.dealt) {
            (Some(one), Some(other)) => same_rules(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        same_dealt
            && (*number, *secret, *commitment) == (other.number, other.secret, other.commitment)
            && (passed, ready, bank) == (&other.passed, &other.ready, &other.bank)
            && (wagers, bytes, set_by) == (&other.wagers, &other.bytes, &other.set_by)
            && (*dice, *pile, *over) == (other.dice, other.pile, other.over)
    }
}

impl RoundState {
    fn new(number: u64, secret: Secret, commitment: Commitment) -> RoundState {
        RoundState {
            number,
            secret,
            commitment,
            passed: Vec::new(),
            bank: None,
            pile: None,
            wagers: BTreeMap::new(),
            bytes: BTreeMap::new(),
            ready: Vec::new(),
            dealt: None,
            dice: 0,
            set_by: BTreeMap::new(),
            over: false,
        }
    }

    /// The seats that were dealt a hand and have not set it.
    pub(crate) fn unset(&self) -> Vec<u8> {
        let Some(deal) = self.dealt.as_ref().and_then(Round::deal) else { return Vec::new() };
        let dealt = (1..).zip(deal.hands).filter(|(_, hand)| hand.is_some()).map(|(seat, _)| seat);
        dealt.filter(|seat| !self.set_by.contains_key(seat)).collect()
    }
}

/// What setting a hand is by the rules.
pub(crate) fn set_action(seat: u8, front: &str, by: Setter) -> Result<Action, Misfit> {
    let seat = Seat::new(seat).ok_or_else(|| Misfit(format!("there is no seat {seat}")))?;
    match by {
        Setter::HouseWay | Setter::Clock => Ok(Action::HouseWay { seat }),
        Setter::Player => {
            let front = parse_cards(front, Some(2)).map_err(|faults| Misfit(faults.to_string()))?;
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

fn shuffle_of(text: &str) -> Result<Shuffle, Misfit> {
    let misfit = || Misfit("no shuffle".to_owned());
    let cards: Option<Vec<Card>> = text.split(' ').map(|card| STORED.get(card).copied()).collect();
    let cards: [Card; 53] = cards.and_then(|cards| cards.try_into().ok()).ok_or_else(misfit)?;
    Shuffle::new(cards).map_err(|_| misfit())
}
