//! Decisions: the effects of a command, or the reason that it is refused.
//!
//! This module has all rules of a table. [`paigow::Round`] has the rules of the game.

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

/// External state that a decision depends on.
#[derive(Clone, Copy)]
pub struct DecisionContext<'a> {
    /// Current time.
    pub now: Time,
    /// 32 random bytes, used if the command opens a round.
    pub entropy: [u8; 32],
    /// Balances of players, and the transfers of earlier rounds.
    pub funds: &'a dyn Funds,
}

/// Effects of a command. They are committed together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// Events of the table.
    pub events: Vec<TableEvent>,
    /// Transfers of money.
    pub transfers: Vec<Transfer>,
}

/// Maximum number of events that a player may cause between the opening of one round and the next. Ordinary play stays
/// far below it. The limit keeps a single client from growing a table's log without bound.
const CHANGES_MAX: u16 = 200;
/// Maximum length, in bytes, of a player's short inputs: the name of a wager, two cards. Responses do not repeat longer
/// ones.
pub(crate) const INPUT_BYTES_MAX: usize = 64;
/// Maximum number of characters of a reason or a notice.
pub(crate) const TEXT_MAX: usize = 500;

impl Table {
    /// Decides on a command and returns its effects. The table does not change.
    ///
    /// # Errors
    /// The command is refused.
    pub fn decide(
        &self,
        by: &Actor,
        command: &Command,
        context: &DecisionContext<'_>,
    ) -> Result<Effects, TableRefusal> {
        if self.closed {
            return Err(TableRefusal::Closed);
        }
        if self.rules_have_changed() && !self.ends_table(by, command) {
            return Err(TableRefusal::RulesChanged);
        }
        let mut decider =
            Decider { table: self.clone(), context, effects: Effects::default(), pause_is_over: false };
        match by {
            // Any actor may fire an expired deadline.
            _ if *command == Command::Tick => decider.tick(by)?,
            Actor::Operator(_) if command.is_operator_command() => decider.operate(by, command)?,
            Actor::Player(_) if command.is_operator_command() => return Err(TableRefusal::OperatorsOnly),
            Actor::Player(player) => {
                decider.play(player, command)?;
                decider.check_change_limit(player, command)?;
            }
            Actor::Operator(_) | Actor::Clock => return Err(TableRefusal::PlayersOnly),
        }
        decider.advance();
        Ok(decider.effects)
    }
}

impl Table {
    /// Returns whether a command helps to close the table and needs no rules. Such commands are allowed after the rules
    /// have changed.
    fn ends_table(&self, by: &Actor, command: &Command) -> bool {
        match command {
            Command::Void { .. } | Command::Close => matches!(by, Actor::Operator(_)),
            Command::Tick => self.only_closes(),
            _ => false,
        }
    }
}

/// A decision in progress: a copy of the table with the events decided so far applied.
struct Decider<'a> {
    table: Table,
    context: &'a DecisionContext<'a>,
    effects: Effects,
    /// A tick ended the pause between two rounds, possibly before a deadline that was out of reach. The pause also ends
    /// once all seats have asked for the next round.
    pause_is_over: bool,
}

impl Decider<'_> {
    /// Applies an event and adds it to the effects.
    ///
    /// # Panics
    /// The event is invalid, which is a bug in this module.
    fn emit(&mut self, event: TableEvent) {
        if let Err(InvalidEvent(why)) = self.table.apply(&event) {
            panic!("decided on an invalid event: {why}: {event:?}");
        }
        self.effects.events.push(event);
    }

    /// Returns the deadline of a clock that starts now.
    fn until(&self, clock: u64) -> Time {
        self.context.now.plus(clock)
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

    /// Holds a player's money and returns the id of the hold.
    fn hold(&mut self, player: &PlayerId, cents: u64, purpose: Purpose) -> TransferId {
        let number = self.table.holds + 1;
        let id = transfer_id(&self.table, &format!("h{number}"));
        let escrow = self.table.escrow();
        self.transfer(id.clone(), TransferKind::Hold, Owner::Player(player.clone()), escrow, cents, purpose);
        id
    }

    /// Returns a whole hold to its player.
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

    /// Returns the named seat, or the player's only seat if none is named.
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
        self.table.seats.get(&seat).map(|state| state.player.clone())
    }

    /// Returns the round in progress.
    fn round(&self) -> Result<&RoundState, TableRefusal> {
        self.table.round.as_ref().filter(|round| !round.over).ok_or(TableRefusal::NotNow)
    }

    /// Refuses if a player has caused too many events, at all seats together. Leaving a seat is always allowed.
    fn check_change_limit(&self, player: &PlayerId, command: &Command) -> Result<(), TableRefusal> {
        let (_, command) = command.at_seat();
        if *command != Command::Stand && self.table.changes_of(player) > CHANGES_MAX {
            return Err(TableRefusal::TooManyChanges { max: CHANGES_MAX });
        }
        Ok(())
    }

    fn play(&mut self, player: &PlayerId, command: &Command) -> Result<(), TableRefusal> {
        if let Command::Sit { seat } = command {
            return self.sit(player, *seat);
        }
        let (named, command) = command.at_seat();
        let input = match command {
            Command::Wager { wager, .. } | Command::Clear { wager: Some(wager) } => wager,
            Command::Set { low } => low,
            _ => "",
        };
        if input.len() > INPUT_BYTES_MAX {
            return Err(TableRefusal::InputTooLong { max: INPUT_BYTES_MAX });
        }
        let seat = self.seat_of(player, named)?;
        match command {
            Command::Stand => self.stand(seat, player),
            Command::SitOut => self.sit_out(seat, player, Actor::Player(player.clone())),
            Command::Return => self.return_to_play(seat),
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
            Command::NextRound => self.ask_for_next_round(seat),
            Command::Set { low } => {
                let cards = parse_cards(low, Some(2))
                    .map_err(|faults| TableRefusal::BadLowHand { faults: faults.to_string() })?;
                self.set(seat, &cards.to_string(), SetBy::Player)
            }
            Command::SetPositions { positions } => {
                let cards = self.round()?.cards_at(seat, *positions);
                let cards = cards.map_err(|InvalidEvent(faults)| TableRefusal::BadLowHand { faults })?;
                self.set(seat, &cards.to_string(), SetBy::Player)
            }
            Command::HouseWay => self.set(seat, "", SetBy::HouseWay),
            _ => Err(TableRefusal::OperatorsOnly),
        }
    }
}

/// Returns the id of a transfer of the current round, with the given last part.
pub(crate) fn transfer_id(table: &Table, rest: &str) -> TransferId {
    let text = format!("{}/{}/{rest}", table.id(), table.rounds);
    // A table's id has at most 40 characters, a number at most 20.
    text.parse().unwrap_or_else(|_| panic!("invalid transfer id: {text}"))
}

fn check_amount(cents: u64) -> Result<(), TableRefusal> {
    let max = Amount::MAX.cents();
    if cents == 0 || cents > max { Err(TableRefusal::BadAmount { max }) } else { Ok(()) }
}

fn check_text(text: &str) -> Result<(), TableRefusal> {
    let count = text.chars().count();
    if count == 0 || count > TEXT_MAX || text.chars().any(char::is_control) {
        return Err(TableRefusal::BadText { max: TEXT_MAX });
    }
    Ok(())
}
