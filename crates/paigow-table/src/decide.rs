//! What a command makes happen, or why it is refused: the one place where a table's rules are. The rules of the game itself are
//! asked of [`paigow::Round`].

mod banking;
mod clock;
mod fair;
mod hands;
mod operating;
mod seats;
mod voids;
mod wagers;

use crate::event::SetBy;
use crate::payout::Funds;
use crate::table::{InvalidEvent, RoundState};
use crate::{
    Account, Actor, Command, Owner, PlayerId, Purpose, Table, TableEvent, TableRefusal, Time, Transfer,
    TransferId, TransferKind,
};
use paigow::{Amount, parse_cards};

/// What the world is like when a command is decided.
#[derive(Clone, Copy)]
pub struct DecisionContext<'a> {
    /// The time.
    pub now: Time,
    /// 32 random bytes, for a round that may begin.
    pub entropy: [u8; 32],
    /// What players have, and what a round has moved.
    pub funds: &'a dyn Funds,
}

/// What a command makes happen: all of it, or nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// What happens at the table.
    pub events: Vec<TableEvent>,
    /// What happens to money.
    pub transfers: Vec<Transfer>,
}

/// How many events of its own choosing a player may leave between one round's beginning and the next. Nobody who plays comes near it; it keeps
/// one client from growing a table's log without end.
const CHANGES_MAX: u16 = 200;
/// The most bytes of a word a player gives: a wager's name, two cards. What is longer is not repeated in an answer.
pub(crate) const WORD_MAX: usize = 64;
/// The most characters of a reason or a notice.
pub(crate) const TEXT_MAX: usize = 500;

impl Table {
    /// What a command makes happen.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn decide(
        &self,
        by: &Actor,
        command: &Command,
        moment: &DecisionContext<'_>,
    ) -> Result<Effects, TableRefusal> {
        if self.closed {
            return Err(TableRefusal::Closed);
        }
        if self.rules_have_changed() && !self.may_end(by, command) {
            return Err(TableRefusal::RulesChanged);
        }
        let mut deciding =
            Decider { table: self.clone(), moment, effects: Effects::default(), rest_is_over: false };
        match by {
            // What is due is due whoever says so.
            _ if *command == Command::Tick => deciding.tick(by)?,
            Actor::Operator(_) if command.is_operators() => deciding.operate(by, command)?,
            Actor::Player(_) if command.is_operators() => return Err(TableRefusal::OperatorsOnly),
            Actor::Player(player) => {
                deciding.play(player, command)?;
                deciding.keep_within(player, command)?;
            }
            Actor::Operator(_) | Actor::Clock => return Err(TableRefusal::PlayersOnly),
        }
        deciding.go_on();
        Ok(deciding.effects)
    }
}

impl Table {
    /// Whether a command is one of those that bring a table to its end, which no rules are asked about.
    fn may_end(&self, by: &Actor, command: &Command) -> bool {
        match command {
            Command::Void { .. } | Command::Close => matches!(by, Actor::Operator(_)),
            Command::Tick => self.only_closes(),
            _ => false,
        }
    }
}

/// A command being decided: the table as it would be by now.
struct Decider<'a> {
    table: Table,
    moment: &'a DecisionContext<'a>,
    effects: Effects,
    /// A tick ended the time between two rounds before its deadline, which was out of reach.
    rest_is_over: bool,
}

impl Decider<'_> {
    /// Lets an event happen. One that does not fit is our own mistake.
    fn emit(&mut self, event: TableEvent) {
        if let Err(InvalidEvent(why)) = self.table.apply(&event) {
            panic!("decided on what does not fit: {why}: {event:?}");
        }
        self.effects.events.push(event);
    }

    fn until(&self, clock: u64) -> Time {
        self.moment.now.plus(clock)
    }

    fn account(&self, owner: Owner) -> Account {
        Account { owner, currency: self.table.config.currency.clone() }
    }

    fn transfer(
        &mut self,
        id: TransferId,
        kind: TransferKind,
        debit: Owner,
        credit: Owner,
        cents: u64,
        purpose: Purpose,
    ) {
        let (debit, credit) = (self.account(debit), self.account(credit));
        self.effects.transfers.push(Transfer { id, kind, debit, credit, cents, purpose });
    }

    /// Holds a player's money, and gives the hold's name.
    fn hold(&mut self, player: &PlayerId, cents: u64, purpose: Purpose) -> TransferId {
        let number = self.table.holds + 1;
        let id = transfer_id(&self.table, &format!("h{number}"));
        let escrow = self.table.escrow();
        self.transfer(id.clone(), TransferKind::Hold, Owner::Player(player.clone()), escrow, cents, purpose);
        id
    }

    /// Gives a hold back whole.
    fn void(&mut self, player: &PlayerId, hold: &TransferId, cents: u64, purpose: Purpose) {
        let id = transfer_id(&self.table, &format!("v{}", hold.as_str().rsplit('/').next().unwrap_or("")));
        let escrow = self.table.escrow();
        self.transfer(
            id,
            TransferKind::Void(hold.clone()),
            escrow,
            Owner::Player(player.clone()),
            cents,
            purpose,
        );
    }

    /// The seat a player means: the one that is named, or the only one.
    fn seat_of(&self, player: &PlayerId, named: Option<u8>) -> Result<u8, TableRefusal> {
        let mut seats = self.table.seats_of(player);
        let player = || player.clone();
        match (named, seats.next()) {
            (_, None) => Err(TableRefusal::NotSeated { player: player() }),
            (None, Some(only)) if seats.next().is_none() => Ok(only),
            (None, Some(_)) => Err(TableRefusal::WhichSeat { player: player() }),
            (Some(seat), Some(first)) if seat == first || seats.any(|other| other == seat) => Ok(seat),
            (Some(seat), Some(_)) => Err(TableRefusal::NotYourSeat { seat, player: player() }),
        }
    }

    fn player_at(&self, seat: u8) -> Option<PlayerId> {
        self.table.seats.get(&seat).map(|sitting| sitting.player.clone())
    }

    fn round(&self) -> Result<&RoundState, TableRefusal> {
        self.table.round.as_ref().filter(|round| !round.over).ok_or(TableRefusal::NotNow)
    }

    /// Whether a player has not changed too much, at all seats together. Getting up is always allowed.
    fn keep_within(&self, player: &PlayerId, command: &Command) -> Result<(), TableRefusal> {
        let (_, command) = command.at_seat();
        if *command != Command::Stand && self.table.changes_of(player) > CHANGES_MAX {
            return Err(TableRefusal::TooManyChanges { most: CHANGES_MAX });
        }
        Ok(())
    }

    fn play(&mut self, player: &PlayerId, command: &Command) -> Result<(), TableRefusal> {
        if let Command::Sit { seat } = command {
            return self.sit(player, *seat);
        }
        let (named, command) = command.at_seat();
        let word = match command {
            Command::Wager { wager, .. } | Command::Clear { wager: Some(wager) } => wager,
            Command::Set { front } => front,
            _ => "",
        };
        if word.len() > WORD_MAX {
            return Err(TableRefusal::BadText { most: WORD_MAX });
        }
        let seat = self.seat_of(player, named)?;
        match command {
            Command::Stand => self.stand(seat, player),
            Command::SitOut => self.sit_out(seat, player),
            Command::Return => self.come_back(seat),
            Command::Wager { wager, cents, color } => self.wager(seat, player, wager, *cents, *color),
            Command::Wagers { wagers, ready, commitment } => {
                if let Some(commitment) = commitment {
                    self.commit(seat, *commitment)?;
                }
                self.wagers(seat, player, wagers, *ready)
            }
            Command::Clear { wager } => self.clear(seat, player, wager.as_deref()),
            Command::AddBytes { bytes } => self.add_bytes(seat, bytes),
            Command::Commit { commitment } => self.commit(seat, *commitment),
            Command::Reveal { bytes } => self.reveal(seat, bytes),
            Command::TakeBank { cents } => self.take_bank(seat, player, *cents),
            Command::PassBank => self.pass_bank(seat, player),
            Command::GiveBankBack => self.give_bank_back(seat, player),
            Command::PickPile { pile } => self.pick_pile(seat, *pile),
            Command::Ready => self.ready(seat),
            Command::Set { front } => {
                let cards = parse_cards(front, Some(2))
                    .map_err(|faults| TableRefusal::BadFront { faults: faults.to_string() })?;
                self.set(seat, &cards.to_string(), SetBy::Player)
            }
            Command::SetPositions { positions } => {
                let cards = self.round()?.cards_at(seat, *positions);
                let cards = cards.map_err(|InvalidEvent(faults)| TableRefusal::BadFront { faults })?;
                self.set(seat, &cards.to_string(), SetBy::Player)
            }
            Command::HouseWay => self.set(seat, "", SetBy::HouseWay),
            _ => Err(TableRefusal::OperatorsOnly),
        }
    }
}

/// The name of a transfer of the round that goes on.
pub(crate) fn transfer_id(table: &Table, rest: &str) -> TransferId {
    let text = format!("{}/{}/{rest}", table.id(), table.rounds);
    // A table's name is at most 40 characters, a number at most 20.
    text.parse().unwrap_or_else(|_| panic!("no name for a transfer: {text}"))
}

fn check_amount(cents: u64) -> Result<(), TableRefusal> {
    let most = Amount::MAX.cents();
    if cents == 0 || cents > most { Err(TableRefusal::BadAmount { most }) } else { Ok(()) }
}

fn check_text(text: &str) -> Result<(), TableRefusal> {
    let count = text.chars().count();
    if count == 0 || count > TEXT_MAX || text.chars().any(char::is_control) {
        return Err(TableRefusal::BadText { most: TEXT_MAX });
    }
    Ok(())
}
