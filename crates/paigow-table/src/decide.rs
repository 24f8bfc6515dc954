//! What a command makes happen, or why it is refused: the one place where a table's rules are. The rules of the game itself are
//! asked of [`paigow::Round`].

use crate::event::{LineRecord, Setter};
use crate::payout::{Funds, Payout};
use crate::table::{BASE_GAME, Misfit, Phase, RoundState, cards_of, set_action};
use crate::{
    Account, Actor, Command, Event, FairDeal, Kind, Owner, PlayerId, Purpose, Secret, Table, TableRefusal,
    Time, Transfer, TransferId,
};
use paigow::rulebook::{Banker, Cover};
use paigow::{Action, Amount, Seat, parse_cards};

/// What the world is like when a command is decided.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// The time.
    pub now: Time,
    /// 32 bytes nobody knows, for a round that may begin.
    pub entropy: [u8; 32],
    /// What players have.
    pub funds: &'a dyn Funds,
}

/// What a command makes happen: all of it, or nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// What happens at the table.
    pub events: Vec<Event>,
    /// What happens to money.
    pub transfers: Vec<Transfer>,
}

/// For how many rounds a seat may wager nothing before it sits out.
const MISSED_MAX: u8 = 3;
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
        moment: &Moment<'_>,
    ) -> Result<Effects, TableRefusal> {
        if self.closed {
            return Err(TableRefusal::Closed);
        }
        let mut deciding = Deciding { table: self.clone(), moment, effects: Effects::default() };
        match by {
            // What is due is due whoever says so.
            _ if *command == Command::Tick => deciding.tick()?,
            Actor::Operator(_) if command.is_operators() => deciding.operate(by, command)?,
            Actor::Player(_) if command.is_operators() => return Err(TableRefusal::OperatorsOnly),
            Actor::Player(player) => deciding.play(player, command)?,
            Actor::Operator(_) | Actor::Clock => return Err(TableRefusal::PlayersOnly),
        }
        deciding.go_on();
        Ok(deciding.effects)
    }
}

/// A command being decided: the table as it would be by now.
struct Deciding<'a> {
    table: Table,
    moment: &'a Moment<'a>,
    effects: Effects,
}

impl Deciding<'_> {
    /// Lets an event happen. One that does not fit is our own mistake.
    fn emit(&mut self, event: Event) {
        if let Err(Misfit(why)) = self.table.apply(&event) {
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
        kind: Kind,
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
        self.transfer(id.clone(), Kind::Hold, Owner::Player(player.clone()), escrow, cents, purpose);
        id
    }

    /// Gives a hold back whole.
    fn void(&mut self, player: &PlayerId, hold: &TransferId, cents: u64, purpose: Purpose) {
        let id = transfer_id(&self.table, &format!("v{}", hold.as_str().rsplit('/').next().unwrap_or("")));
        let escrow = self.table.escrow();
        self.transfer(id, Kind::Void(hold.clone()), escrow, Owner::Player(player.clone()), cents, purpose);
    }

    fn seat_of(&self, player: &PlayerId) -> Result<u8, TableRefusal> {
        let mut seats = self.table.players().filter(|(_, other)| *other == player).map(|(seat, _)| seat);
        seats.next().ok_or_else(|| TableRefusal::NotSeated { player: player.clone() })
    }

    fn player_at(&self, seat: u8) -> Option<PlayerId> {
        self.table.seats.get(&seat).map(|sitting| sitting.player.clone())
    }

    fn round(&self) -> Result<&RoundState, TableRefusal> {
        self.table.round.as_ref().filter(|round| !round.over).ok_or(TableRefusal::NotNow)
    }

    fn play(&mut self, player: &PlayerId, command: &Command) -> Result<(), TableRefusal> {
        if let Command::Sit { seat } = command {
            return self.sit(player, *seat);
        }
        let word = match command {
            Command::Wager { wager, .. } | Command::Clear { wager: Some(wager) } => wager,
            Command::Set { front } => front,
            _ => "",
        };
        if word.len() > WORD_MAX {
            return Err(TableRefusal::BadText { most: WORD_MAX });
        }
        let seat = self.seat_of(player)?;
        match command {
            Command::Stand => self.stand(seat, player),
            Command::SitOut => {
                if self.table.seats[&seat].out {
                    return Err(TableRefusal::SittingOut);
                }
                self.emit(Event::SatOut { seat, by: Actor::Player(player.clone()) });
                self.pass_if_offered(seat, player);
                self.deal_if_all_are_ready()
            }
            Command::Return => {
                let sitting = &self.table.seats[&seat];
                if sitting.leaving {
                    return Err(TableRefusal::Leaving);
                }
                if !sitting.out {
                    return Err(TableRefusal::NotSittingOut);
                }
                self.emit(Event::Returned { seat });
                Ok(())
            }
            Command::Wager { wager, cents, color } => self.wager(seat, player, wager, *cents, *color),
            Command::Clear { wager } => self.clear(seat, player, wager.as_deref()),
            Command::AddBytes { bytes } => {
                self.must_wager()?;
                self.emit(Event::BytesAdded { seat, bytes: bytes.clone() });
                Ok(())
            }
            Command::TakeBank { cents } => self.take_bank(seat, player, *cents),
            Command::PassBank => match self.table.phase {
                Phase::Offering { seat: offered, until } if offered == seat => {
                    if self.moment.now >= until {
                        return Err(TableRefusal::NotNow);
                    }
                    self.pass_if_offered(seat, player);
                    Ok(())
                }
                _ => Err(TableRefusal::BankNotOffered),
            },
            Command::Ready => {
                self.must_wager()?;
                if self.round()?.ready.contains(&seat) {
                    return Ok(());
                }
                self.emit(Event::Ready { seat });
                self.deal_if_all_are_ready()
            }
            Command::Set { front } => {
                let cards = parse_cards(front, Some(2))
                    .map_err(|faults| TableRefusal::BadFront { faults: faults.to_string() })?;
                self.set(seat, &cards.to_string(), Setter::Player)
            }
            Command::HouseWay => self.set(seat, "", Setter::HouseWay),
            _ => Err(TableRefusal::OperatorsOnly),
        }
    }

    fn sit(&mut self, player: &PlayerId, seat: u8) -> Result<(), TableRefusal> {
        if seat == 0 || seat > self.table.posting.book().seats.players {
            return Err(TableRefusal::NoSuchSeat { seat });
        }
        if self.table.closing {
            return Err(TableRefusal::AlreadyClosing);
        }
        if self.seat_of(player).is_ok() {
            return Err(TableRefusal::AlreadySeated { player: player.clone() });
        }
        if self.table.seats.contains_key(&seat) {
            return Err(TableRefusal::SeatTaken { seat });
        }
        self.emit(Event::Sat { seat, player: player.clone() });
        Ok(())
    }

    /// Gets up: at once where nothing of the seat's is at stake, otherwise when the round is over.
    fn stand(&mut self, seat: u8, player: &PlayerId) -> Result<(), TableRefusal> {
        if self.table.seats[&seat].leaving {
            return Err(TableRefusal::Leaving);
        }
        // Once wagers are closed they stay, though hands are not dealt yet.
        if self.must_wager().is_ok() {
            self.clear_all(seat, player);
        }
        self.pass_if_offered(seat, player);
        let at_stake = self.round().is_ok_and(|round| {
            round.wagers.keys().any(|(other, _)| *other == seat)
                || round.bank.as_ref().is_some_and(|bank| bank.seat == seat)
        });
        self.emit(if at_stake { Event::Leaving { seat } } else { Event::Stood { seat } });
        self.deal_if_all_are_ready()
    }

    /// Whoever gets up or sits out does not keep the others waiting for the bank.
    fn pass_if_offered(&mut self, seat: u8, player: &PlayerId) {
        if let Phase::Offering { seat: offered, .. } = self.table.phase
            && offered == seat
        {
            self.emit(Event::BankPassed { seat, by: Actor::Player(player.clone()) });
            self.offer_bank_on();
        }
    }

    fn banks(&self, seat: u8) -> bool {
        self.round().is_ok_and(|round| round.bank.as_ref().is_some_and(|bank| bank.seat == seat))
    }

    fn must_wager(&self) -> Result<(), TableRefusal> {
        match self.table.phase {
            Phase::Wagers { until } if self.moment.now < until => Ok(()),
            _ => Err(TableRefusal::NotNow),
        }
    }

    fn wager(
        &mut self,
        seat: u8,
        player: &PlayerId,
        wager: &str,
        cents: u64,
        color: Option<crate::ColorWord>,
    ) -> Result<(), TableRefusal> {
        self.must_wager()?;
        check_amount(cents)?;
        let sitting = &self.table.seats[&seat];
        if sitting.leaving {
            return Err(TableRefusal::Leaving);
        }
        if sitting.out {
            return Err(TableRefusal::SittingOut);
        }
        let name = match self.table.wager(wager)? {
            paigow::WagerRef::PaiGow => BASE_GAME.to_owned(),
            paigow::WagerRef::Side(place) => self.table.posting.wager(usize::from(place)).name.clone(),
        };
        let hold = transfer_id(&self.table, &format!("h{}", self.table.holds + 1));
        let event = Event::Wagered { seat, wager: name.clone(), cents, color, hold: hold.clone() };
        // The rules are asked about the round as it would be.
        let mut would_be = self.table.clone();
        if let Err(Misfit(why)) = would_be.apply(&event) {
            panic!("a wager that was checked does not fit: {why}");
        }
        let round = would_be.round.as_ref().ok_or(TableRefusal::NotNow)?;
        would_be.rules(round)?;
        would_be.covered()?;

        let before = self.round()?.wagers.get(&(seat, name)).cloned();
        if let Some(before) = before {
            self.void(player, &before.hold, before.cents, Purpose::Returned);
        }
        self.hold(player, cents, Purpose::Wager);
        self.emit(event);
        Ok(())
    }

    fn clear(&mut self, seat: u8, player: &PlayerId, wager: Option<&str>) -> Result<(), TableRefusal> {
        self.must_wager()?;
        match wager {
            // Side wagers need the base wager beside them.
            None | Some(BASE_GAME) => {
                self.clear_all(seat, player);
                Ok(())
            }
            Some(wager) => self.clear_one(seat, player, wager),
        }
    }

    fn clear_all(&mut self, seat: u8, player: &PlayerId) {
        let Ok(round) = self.round() else { return };
        let theirs = round.wagers.keys().filter(|(other, _)| *other == seat);
        let names: Vec<String> = theirs.map(|(_, wager)| wager.clone()).collect();
        for wager in names {
            // It is there: it was just listed.
            let _ = self.clear_one(seat, player, &wager);
        }
    }

    fn clear_one(&mut self, seat: u8, player: &PlayerId, wager: &str) -> Result<(), TableRefusal> {
        let placed = self.round()?.wagers.get(&(seat, wager.to_owned())).cloned();
        let placed = placed.ok_or_else(|| TableRefusal::NoSuchWager { wager: wager.to_owned() })?;
        self.void(player, &placed.hold, placed.cents, Purpose::Returned);
        self.emit(Event::Cleared { seat, wager: wager.to_owned() });
        Ok(())
    }

    /// Takes the bank: where it is offered, or where a seat may take it while wagers are made.
    fn take_bank(&mut self, seat: u8, player: &PlayerId, cents: u64) -> Result<(), TableRefusal> {
        let offered = match self.table.phase {
            Phase::Offering { seat: offered, until } if self.moment.now < until => {
                if offered != seat {
                    return Err(TableRefusal::BankNotOffered);
                }
                true
            }
            Phase::Wagers { .. } => {
                self.must_wager()?;
                if self.table.must_be_offered() {
                    return Err(TableRefusal::BankNotOffered);
                }
                false
            }
            _ => return Err(TableRefusal::NotNow),
        };
        check_amount(cents)?;
        if self.table.seats[&seat].out || self.table.seats[&seat].leaving {
            return Err(TableRefusal::SittingOut);
        }
        if self.round()?.bank.is_some() {
            return Err(TableRefusal::Rules(paigow::Refusal::BankTaken {
                seat: self
                    .round()?
                    .bank
                    .as_ref()
                    .and_then(|bank| Seat::new(bank.seat))
                    .unwrap_or(Seat::FIRST),
            }));
        }
        let hold = transfer_id(&self.table, &format!("h{}", self.table.holds + 1));
        let event = Event::BankTaken { seat, cents, hold };
        let mut would_be = self.table.clone();
        if let Err(Misfit(why)) = would_be.apply(&event) {
            panic!("a bank that was checked does not fit: {why}");
        }
        let round = would_be.round.as_ref().ok_or(TableRefusal::NotNow)?;
        would_be.rules(round)?;
        would_be.covered()?;
        self.hold(player, cents, Purpose::Cover);
        self.emit(event);
        if offered {
            self.emit(Event::WagersOpened { until: self.until(self.table.config.clocks.wagers) });
        }
        Ok(())
    }

    fn set(&mut self, seat: u8, front: &str, by: Setter) -> Result<(), TableRefusal> {
        match self.table.phase {
            Phase::Settings { until } if self.moment.now < until => {}
            _ => return Err(TableRefusal::NotNow),
        }
        let action =
            set_action(seat, front, by).map_err(|Misfit(faults)| TableRefusal::BadFront { faults })?;
        let rules = self.round()?.dealt.as_ref().ok_or(TableRefusal::NotNow)?;
        rules.check(&action)?;
        self.emit(Event::HandSet { seat, front: front.to_owned(), by });
        if self.round()?.unset().is_empty() {
            self.settle()?;
        }
        Ok(())
    }

    fn operate(&mut self, by: &Actor, command: &Command) -> Result<(), TableRefusal> {
        let by = by.clone();
        match command {
            Command::Pause if self.table.paused => Err(TableRefusal::AlreadyPaused),
            Command::Pause => {
                self.emit(Event::Paused { by });
                Ok(())
            }
            Command::Resume if !self.table.paused => Err(TableRefusal::NotPaused),
            Command::Resume => {
                self.emit(Event::Resumed { by });
                Ok(())
            }
            Command::Close if self.table.closing => Err(TableRefusal::AlreadyClosing),
            Command::Close => {
                self.emit(Event::Closing { by });
                Ok(())
            }
            Command::Void { reason } => {
                check_text(reason)?;
                if self.round().is_err() {
                    return Err(TableRefusal::NoRound);
                }
                self.give_all_back();
                let (secret, until) = (self.round()?.secret, self.until(self.table.config.clocks.between));
                self.emit(Event::RoundVoided { secret, reason: reason.clone(), by, until });
                Ok(())
            }
            Command::Notice { text } => {
                check_text(text)?;
                self.emit(Event::Noticed { text: text.clone(), by });
                Ok(())
            }
            _ => Err(TableRefusal::PlayersOnly),
        }
    }

    /// Gives every hold of the round back.
    fn give_all_back(&mut self) {
        let Ok(round) = self.round() else { return };
        let wagers =
            round.wagers.iter().map(|((seat, _), placed)| (*seat, placed.hold.clone(), placed.cents));
        let bank = round.bank.iter().map(|bank| (bank.seat, bank.hold.clone(), bank.cents));
        let holds: Vec<(u8, TransferId, u64)> = wagers.chain(bank).collect();
        for (seat, hold, cents) in holds {
            // Who has something at stake keeps the seat until the round is over.
            if let Some(player) = self.player_at(seat) {
                self.void(&player, &hold, cents, Purpose::Voided);
            }
        }
    }

    /// Sees to what is due.
    fn tick(&mut self) -> Result<(), TableRefusal> {
        let now = self.moment.now;
        match self.table.phase {
            Phase::Offering { seat, until } if until <= now => {
                self.emit(Event::BankPassed { seat, by: Actor::Clock });
                self.offer_bank_on();
                Ok(())
            }
            Phase::Wagers { until } if until <= now => self.close_wagers(),
            Phase::Settings { until } if until <= now => {
                for seat in self.round()?.unset() {
                    self.emit(Event::HandSet { seat, front: String::new(), by: Setter::Clock });
                }
                self.settle()
            }
            Phase::Between { until } if until <= now => Ok(()),
            _ => Err(TableRefusal::NothingDue),
        }
    }

    fn deal_if_all_are_ready(&mut self) -> Result<(), TableRefusal> {
        if !matches!(self.table.phase, Phase::Wagers { .. }) {
            return Ok(());
        }
        let round = self.round()?;
        let all = self.table.active().all(|seat| round.ready.contains(&seat) || self.banks(seat));
        if all && !round.wagers.is_empty() { self.close_wagers() } else { Ok(()) }
    }

    /// Wagers close: hands are dealt, or there is nothing to deal for.
    fn close_wagers(&mut self) -> Result<(), TableRefusal> {
        let round = self.round()?;
        if !round.wagers.keys().any(|(_, wager)| wager == BASE_GAME) {
            return self.abandon();
        }
        let book = self.table.posting.book();
        let places = book.seats.players + u8::from(book.seats.dealer_hand);
        let deal = FairDeal {
            secret: round.secret,
            table: self.table.id(),
            round: round.number,
            bytes: &round.bytes,
        };
        let (cards, dice) = (cards_of(&deal.shuffle()), deal.dice(places));
        self.emit(Event::Dealt { cards, dice, until: self.until(self.table.config.clocks.settings) });
        Ok(())
    }

    fn abandon(&mut self) -> Result<(), TableRefusal> {
        self.give_all_back();
        let (secret, until) = (self.round()?.secret, self.until(self.table.config.clocks.between));
        self.emit(Event::RoundAbandoned { secret, until });
        Ok(())
    }

    fn settle(&mut self) -> Result<(), TableRefusal> {
        let round = self.round()?;
        let mut rules = round.dealt.clone().ok_or(TableRefusal::NotNow)?;
        rules.apply(&Action::Settle)?;
        let (Ok(showdown), Some(settlement)) = (rules.showdown(), rules.settlement()) else {
            return Err(TableRefusal::NotNow);
        };
        let settlement_lines: Vec<LineRecord> =
            settlement.lines().iter().map(|line| LineRecord::of(line, &showdown)).collect();
        let transfers = Payout::new(&self.table, round, self.moment.funds).transfers(settlement);
        let secret = round.secret;
        self.effects.transfers.extend(transfers);
        let until = self.until(self.table.config.clocks.between);
        self.emit(Event::Settled { secret, settlement: settlement_lines, until });
        Ok(())
    }

    /// Whatever follows by itself once a command is done: seats that leave, rounds that begin, a table that closes.
    fn go_on(&mut self) {
        let rest = match self.table.phase {
            Phase::Waiting => true,
            Phase::Between { until } => until <= self.moment.now,
            _ => return,
        };
        if !rest {
            return;
        }
        let sittings: Vec<(u8, bool, bool)> = self
            .table
            .seats
            .iter()
            .map(|(seat, sitting)| (*seat, sitting.leaving, !sitting.out && sitting.missed >= MISSED_MAX))
            .collect();
        for (seat, leaving, missing) in sittings {
            if leaving || self.table.closing {
                self.emit(Event::Stood { seat });
            } else if missing {
                self.emit(Event::SatOut { seat, by: Actor::Clock });
            }
        }
        if self.table.closing {
            self.emit(Event::Closed);
            return;
        }
        let needed = if self.table.must_be_offered() { 2 } else { 1 };
        if self.table.paused || self.table.active().count() < needed {
            if self.table.phase != Phase::Waiting {
                self.emit(Event::Rested);
            }
            return;
        }
        let round = self.table.rounds + 1;
        let secret = Secret(self.moment.entropy);
        let commitment = secret.commitment(self.table.id(), round);
        self.emit(Event::RoundOpened { round, secret, commitment });
        if self.table.must_be_offered() {
            self.offer_bank_on();
        } else {
            self.emit(Event::WagersOpened { until: self.until(self.table.config.clocks.wagers) });
        }
    }

    /// Offers the bank to the next seat that has not passed and may bank, clockwise from the last banker (CA-7); with none left
    /// there is no round.
    fn offer_bank_on(&mut self) {
        let Ok(round) = self.round() else { return };
        let next = self.table.bank_order().into_iter().find(|seat| !round.passed.contains(seat));
        match next {
            Some(seat) => {
                let until = self.until(self.table.config.clocks.bank);
                self.emit(Event::BankOffered { seat, until });
            }
            // A round that was open can be abandoned.
            None => drop(self.abandon()),
        }
    }
}

impl Table {
    /// Whether rounds begin with offering the bank: where the dealer may not bank.
    pub(crate) fn must_be_offered(&self) -> bool {
        !self.posting.book().banking.bankers.contains(&Banker::Dealer)
    }

    /// The seats the bank is offered to, in order.
    fn bank_order(&self) -> Vec<u8> {
        let most = self.posting.book().banking.rounds_running_max;
        let last = self.last_bank.as_ref();
        let is_last = |seat: u8| last.is_some_and(|last| self.seats[&seat].player == last.player);
        let worn_out =
            |seat: u8| is_last(seat) && last.zip(most).is_some_and(|(last, most)| last.rounds >= most);
        let from = last.map_or(0, |last| last.seat);
        let mut seats: Vec<u8> = self.active().filter(|seat| !worn_out(*seat)).collect();
        // Who banked last goes on as long as it may; then the others in turn. Seats are numbered clockwise.
        seats.sort_by_key(|seat| (!(*seat == from && is_last(*seat)), *seat <= from, *seat));
        seats
    }

    /// Whether the bank covers all wagers, where it must.
    fn covered(&self) -> Result<(), TableRefusal> {
        let Some(round) = &self.round else { return Ok(()) };
        let Some(bank) = &round.bank else { return Ok(()) };
        let banking = &self.posting.book().banking;
        if banking.cover != Cover::All {
            return Ok(());
        }
        let dealer = if banking.plays_dealer { self.config.dealer_wager_cents } else { 0 };
        let base = round.wagers.iter().filter(|((_, wager), _)| wager == BASE_GAME);
        let needed = base.map(|(_, placed)| placed.cents).sum::<u64>() + dealer;
        if needed > bank.cents {
            return Err(TableRefusal::CoverExceeded { covers: bank.cents, needed });
        }
        Ok(())
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
