//! A round: wagers, then the deal, then settings, then the settlement.
//!
//! An [`Action`] is a request to change a round. [`Round::check`] tests whether the rules allow it and [`Round::apply`]
//! applies it. Both use the same function, which turns an action into [`RoundEvent`]s or a [`Refusal`] and has no side
//! effects. Steps of the dealer are actions too, so the events of a round are its complete history.

mod dealing;
mod expected_settlement;
mod owners;
mod refusal;
mod round_file;
mod seat;
mod showdown;

use crate::rulebook::{Banker, BankerFoul, Cover};
use crate::settlement::check_reserve;
use crate::{Amount, Arrangement, CardSet, Color, Foul, Setting, Settlement, TableRules, WagerRef};
use showdown::check_dealer_wager;
use std::sync::Arc;

pub use dealing::{Deal, DealingRules, PacketOwner, Shuffle};
pub use expected_settlement::{ExpectedSettlement, SettlementDifference};
pub use owners::Owners;
pub use refusal::{Refusal, RefusalCode};
pub use round_file::{ROUND_SPEC, RoundFile};
pub use seat::{BySeat, Seat};
pub(crate) use showdown::check_stakes;
pub use showdown::{Bank, Dealer, PlayedHand, Player, Showdown, SideStake, Stakes};

/// A request to change a round.
///
/// # Examples
///
/// ```
/// use paigow::{Action, Round, Seat};
/// # use paigow::{Rulebook, TableRules, rulebook::BuiltIn};
/// # use std::sync::Arc;
/// # let name = BuiltIn::book_names().next().expect("at least one built-in book");
/// # let book = Arc::new(Rulebook::built_in(name)?);
/// # let table_rules = Arc::new(TableRules::new(book, &[]).expect("the default paytables can be posted"));
///
/// let round = Round::new(table_rules, None);
/// // No hand can be set before the deal.
/// let refusal = round.check(&Action::HouseWay { seat: Seat::FIRST }).unwrap_err();
/// assert_eq!(refusal.to_string(), "setting a hand is not allowed before the deal");
/// # Ok::<(), paigow::rulebook::LoadError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A seat takes the bank and states the amount it covers.
    TakeBank {
        /// The banking seat.
        seat: Seat,
        /// Amount covered; `None` to cover every wager.
        covers: Option<Amount>,
    },
    /// A seat places a wager.
    Wager {
        /// The wagering seat.
        seat: Seat,
        /// The base game or a side wager.
        wager: WagerRef,
        /// Amount of the wager.
        amount: Amount,
        /// Chosen color, for a color wager.
        color: Option<Color>,
    },
    /// The house wagers against a seat that banks.
    DealerWager {
        /// Amount of the wager.
        amount: Amount,
    },
    /// Wagers close and hands are dealt.
    Deal {
        /// Order of the cards.
        shuffle: Box<Shuffle>,
        /// Number of the spot that the dice chose.
        dice: u8,
        /// Pile that the banker picked, if the book has an action pile.
        action_pile: Option<u8>,
    },
    /// A seat sets its hand.
    Set {
        /// The seat that sets.
        seat: Seat,
        /// The two cards of the low hand.
        low: CardSet,
    },
    /// A seat asks for the house way.
    HouseWay {
        /// The seat whose hand is set.
        seat: Seat,
    },
    /// The remaining hands and the dealer's hand are set the house way, and all wagers are settled.
    Settle,
}

/// A change of a round.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // as in `Action`
pub enum RoundEvent {
    BankTaken {
        seat: Seat,
        covers: Option<Amount>,
    },
    Wagered {
        seat: Seat,
        wager: WagerRef,
        stake: SideStake,
        envy_button: bool,
    },
    DealerWagered {
        amount: Amount,
    },
    Dealt {
        deal: Box<Deal>,
    },
    /// `reset` is the foul that the house way replaced.
    HandSet {
        seat: Seat,
        played: PlayedHand,
        by_house_way: bool,
        reset: Option<Foul>,
    },
    DealerSet {
        setting: Setting,
    },
    Settled {
        settlement: Settlement,
    },
}

/// Phase of a round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RoundPhase {
    /// Wagers are open.
    Wagers,
    /// Hands are dealt and being set.
    Settings,
    /// The round is over.
    Settled,
}

impl RoundPhase {
    const fn description(self) -> &'static str {
        match self {
            RoundPhase::Wagers => "before the deal",
            RoundPhase::Settings => "after the deal",
            RoundPhase::Settled => "after the settlement",
        }
    }
}

/// The last banker and the number of consecutive rounds of that bank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BankHistory {
    /// Seat of the last banker.
    pub seat: Seat,
    /// Number of consecutive rounds.
    pub rounds: u8,
}

/// One round at a table.
///
/// # Examples
///
/// ```
/// use paigow::{Action, Card, Round, Seat, Shuffle, WagerRef};
/// # use paigow::rulebook::{Banker, BuiltIn};
/// # use paigow::{Rulebook, TableRules};
/// # use std::sync::Arc;
/// # let mut books = BuiltIn::book_names().filter_map(|name| Rulebook::built_in(name).ok());
/// # let book = books.find(|book| book.banking.bankers.contains(&Banker::Dealer));
/// # let book = Arc::new(book.expect("a book in which the dealer banks"));
/// # let amount = book.base_game.limits.min;
/// # let table_rules = Arc::new(TableRules::new(book, &[]).expect("the default paytables can be posted"));
/// # let mut deck = Card::deck();
/// # let cards = std::array::from_fn(|_| deck.next().expect("53 cards"));
///
/// let mut round = Round::new(table_rules, None);
/// round.apply(&Action::Wager { seat: Seat::FIRST, wager: WagerRef::PaiGow, amount, color: None })?;
/// let shuffle = Box::new(Shuffle::new(cards)?);
/// round.apply(&Action::Deal { shuffle, dice: 1, action_pile: None })?;
/// round.apply(&Action::Settle)?;
/// assert_eq!(round.settlement().map(|settlement| settlement.nets().sum()), Some(0));
/// # Ok::<(), paigow::Refusal>(())
/// ```
#[derive(Clone)]
pub struct Round {
    table_rules: Arc<TableRules>,
    banked_before: Option<BankHistory>,
    owners: Owners,
    owe_time: BySeat<bool>,
    bank: Bank,
    stakes: BySeat<Stakes>,
    dealer_wager: Amount,
    deal: Option<Deal>,
    played: BySeat<Option<PlayedHand>>,
    reset: BySeat<Option<Foul>>,
    dealer_setting: Option<Setting>,
    settlement: Option<Settlement>,
}

impl Round {
    /// Creates a round without wagers.
    pub fn new(table_rules: Arc<TableRules>, banked_before: Option<BankHistory>) -> Round {
        Round {
            table_rules,
            banked_before,
            owners: Owners::default(),
            owe_time: [false; Seat::COUNT_MAX],
            bank: Bank::Dealer,
            stakes: [Stakes::default(); Seat::COUNT_MAX],
            dealer_wager: Amount::ZERO,
            deal: None,
            played: [None; Seat::COUNT_MAX],
            reset: [None; Seat::COUNT_MAX],
            dealer_setting: None,
            settlement: None,
        }
    }

    /// Sets which seats belong to the same player.
    #[must_use]
    pub fn with_owners(mut self, owners: Owners) -> Round {
        self.owners = owners;
        self
    }

    /// Sets the seats that owe a fee for playing time if they play.
    #[must_use]
    pub fn with_time_due(mut self, owe_time: BySeat<bool>) -> Round {
        self.owe_time = owe_time;
        self
    }

    /// Phase of the round.
    pub fn phase(&self) -> RoundPhase {
        match (&self.deal, &self.settlement) {
            (None, _) => RoundPhase::Wagers,
            (Some(_), None) => RoundPhase::Settings,
            (Some(_), Some(_)) => RoundPhase::Settled,
        }
    }

    /// The deal; `None` until hands are dealt.
    pub fn deal(&self) -> Option<&Deal> {
        self.deal.as_ref()
    }

    /// Hand of a seat as played; `None` until it is set.
    pub fn played(&self, seat: Seat) -> Option<PlayedHand> {
        self.played[seat.index()]
    }

    /// Setting of the dealer's hand; `None` until it is set.
    pub fn dealer_setting(&self) -> Option<Setting> {
        self.dealer_setting
    }

    /// The settlement; `None` until the round is settled.
    pub fn settlement(&self) -> Option<&Settlement> {
        self.settlement.as_ref()
    }

    /// Returns the showdown of the round, in which every hand is set.
    ///
    /// # Errors
    /// Hands are not dealt or not set, or the showdown violates the rules.
    pub fn showdown(&self) -> Result<Showdown<'_>, Vec<Refusal>> {
        let Some(deal) = &self.deal else { return Err(vec![self.wrong_phase("settling")]) };
        let unset = Seat::up_to(Seat::COUNT_MAX as u8)
            .filter(|seat| deal.hands[seat.index()].is_some() && self.played[seat.index()].is_none());
        let unset: Vec<Refusal> = unset.map(|seat| Refusal::NotSet { seat }).collect();
        if !unset.is_empty() {
            return Err(unset);
        }
        let player = |index: usize| {
            let (hand, played) = deal.hands[index].zip(self.played[index])?;
            let stakes = Stakes { owes_time: self.owe_time[index], ..self.stakes[index] };
            let plays = stakes.pai_gow > Amount::ZERO
                || self.banking_seat().is_some_and(|banker| banker.index() == index);
            Some(Player { hand, played, stakes: if plays { stakes } else { self.stakes[index] } })
        };
        let dealer = deal.dealer.zip(self.dealer_setting);
        let dealer = dealer.map(|(hand, setting)| Dealer { hand, setting, wager: self.dealer_wager });
        let players = std::array::from_fn(player);
        let showdown =
            Showdown::with_owners(&self.table_rules, self.bank, deal.first, players, dealer, self.owners)?;
        Ok(showdown.with_resets(self.reset))
    }

    /// Checks whether the rules allow an action now.
    ///
    /// # Errors
    /// The refusal, if the rules do not allow it.
    pub fn check(&self, action: &Action) -> Result<(), Refusal> {
        self.decide(action).map(|_| ())
    }

    /// Applies an action and returns its events.
    ///
    /// # Errors
    /// The refusal, if the rules do not allow the action. The round is unchanged then.
    pub fn apply(&mut self, action: &Action) -> Result<Vec<RoundEvent>, Refusal> {
        let events = self.decide(action)?;
        for event in &events {
            self.apply_event(event);
        }
        Ok(events)
    }

    /// Applies an event. Nothing else changes a round.
    pub fn apply_event(&mut self, event: &RoundEvent) {
        match event {
            RoundEvent::BankTaken { seat, covers } => self.bank = Bank::Seat { seat: *seat, covers: *covers },
            RoundEvent::Wagered { seat, wager, stake, .. } => {
                let stakes = &mut self.stakes[seat.index()];
                match wager {
                    WagerRef::PaiGow => stakes.pai_gow = stake.amount,
                    WagerRef::Side(index) => stakes.sides[usize::from(*index)] = Some(*stake),
                }
            }
            RoundEvent::DealerWagered { amount } => self.dealer_wager = *amount,
            RoundEvent::Dealt { deal } => self.deal = Some(**deal),
            RoundEvent::HandSet { seat, played, reset, .. } => {
                self.played[seat.index()] = Some(*played);
                self.reset[seat.index()] = *reset;
            }
            RoundEvent::DealerSet { setting } => self.dealer_setting = Some(*setting),
            RoundEvent::Settled { settlement } => self.settlement = Some(settlement.clone()),
        }
    }

    /// Returns the events of an action. All rules of a round are checked here.
    fn decide(&self, action: &Action) -> Result<Vec<RoundEvent>, Refusal> {
        match action {
            Action::TakeBank { seat, covers } => self.take_bank(*seat, *covers).map(|event| vec![event]),
            Action::Wager { seat, wager, amount, color } => self
                .wager(*seat, *wager, SideStake { amount: *amount, color: *color })
                .map(|event| vec![event]),
            Action::DealerWager { amount } => {
                self.check_phase(RoundPhase::Wagers, "wagering")?;
                let plays = self.table_rules.book().banking.plays_dealer && self.bank != Bank::Dealer;
                if !plays || self.dealer_wager > Amount::ZERO {
                    return Err(Refusal::DealerWagerUnexpected);
                }
                if let Some(refusal) = check_dealer_wager(*amount, &self.table_rules.book().base_game.limits)
                {
                    return Err(refusal);
                }
                self.check_reserve(self.bank, &self.stakes, *amount)?;
                Ok(vec![RoundEvent::DealerWagered { amount: *amount }])
            }
            Action::Deal { shuffle, dice, action_pile } => self.deal_hands(shuffle, *dice, *action_pile),
            Action::Set { seat, low } => self.set(*seat, *low).map(|event| vec![event]),
            Action::HouseWay { seat } => {
                self.unset_hand(*seat)?;
                self.house_way(*seat, None).map(|event| vec![event])
            }
            Action::Settle => self.settle(),
        }
    }

    fn check_phase(&self, phase: RoundPhase, doing: &'static str) -> Result<(), Refusal> {
        if self.phase() == phase { Ok(()) } else { Err(self.wrong_phase(doing)) }
    }

    fn wrong_phase(&self, doing: &'static str) -> Refusal {
        Refusal::WrongPhase { doing, phase: self.phase().description() }
    }

    fn check_seat(&self, seat: Seat) -> Result<(), Refusal> {
        let seats = self.table_rules.book().seats.players;
        if seat.number() > seats {
            Err(Refusal::SeatOutOfRange { seat: seat.number(), seats })
        } else {
            Ok(())
        }
    }

    fn banking_seat(&self) -> Option<Seat> {
        match self.bank {
            Bank::Dealer => None,
            Bank::Seat { seat, .. } => Some(seat),
        }
    }

    fn take_bank(&self, seat: Seat, covers: Option<Amount>) -> Result<RoundEvent, Refusal> {
        self.check_phase(RoundPhase::Wagers, "taking the bank")?;
        self.check_seat(seat)?;
        let banking = &self.table_rules.book().banking;
        if !banking.seats_may_bank() {
            return Err(Refusal::BankerNotAllowed { banker: seat.to_string() });
        }
        if let (Some(before), Some(max)) = (self.banked_before, banking.rounds_running_max)
            && self.owners.same(before.seat, seat)
            && before.rounds >= max
        {
            return Err(Refusal::BankedTooLong { seat, rounds: before.rounds });
        }
        if !self.stakes[seat.index()].allowed_to_banker(&self.table_rules) {
            return Err(Refusal::BankerWagers { seat });
        }
        let wagers = |other: &Seat| *other != seat && self.stakes[other.index()] != Stakes::default();
        if let Some(other) = self.owners.seats_of(seat).find(wagers) {
            return Err(Refusal::OwnBank { seat: other, banker: seat });
        }
        // The banking seat may change the amount it covers.
        if let Some(holder) = self.banking_seat().filter(|holder| *holder != seat) {
            return Err(Refusal::BankTaken { seat: holder });
        }
        if banking.cover == Cover::SomeOrAll && covers.is_none_or(|covers| covers == Amount::ZERO) {
            return Err(Refusal::CoverMissing { seat });
        }
        self.check_reserve(Bank::Seat { seat, covers }, &self.stakes, self.dealer_wager)?;
        Ok(RoundEvent::BankTaken { seat, covers })
    }

    fn check_reserve(
        &self,
        bank: Bank,
        stakes: &BySeat<Stakes>,
        dealer_wager: Amount,
    ) -> Result<(), Refusal> {
        check_reserve(&self.table_rules, bank, stakes, dealer_wager).map_or(Ok(()), Err)
    }

    fn wager(&self, seat: Seat, wager: WagerRef, stake: SideStake) -> Result<RoundEvent, Refusal> {
        self.check_phase(RoundPhase::Wagers, "wagering")?;
        self.check_seat(seat)?;
        let banks = self.banking_seat() == Some(seat);
        let banker_may = match wager {
            WagerRef::PaiGow => false,
            WagerRef::Side(index) => {
                let index = usize::from(index);
                index < self.table_rules.side_wager_count() && self.table_rules.wager(index).banker_wagers
            }
        };
        if banks && !banker_may {
            return Err(Refusal::BankerWagers { seat });
        }
        if let Some(banker) =
            self.banking_seat().filter(|banker| *banker != seat && self.owners.same(*banker, seat))
        {
            return Err(Refusal::OwnBank { seat, banker });
        }
        let mut stakes = self.stakes[seat.index()];
        let (name, exists) = match wager {
            WagerRef::PaiGow => ("pai-gow".to_owned(), stakes.pai_gow > Amount::ZERO),
            WagerRef::Side(index) => {
                let index = usize::from(index);
                if index >= self.table_rules.side_wager_count() {
                    return Err(Refusal::UnknownWager { wager: format!("number {}", index + 1) });
                }
                (self.table_rules.wager(index).name.clone(), stakes.sides[index].is_some())
            }
        };
        if exists {
            return Err(Refusal::WagerTwice { seat, wager: name });
        }
        let envy_button = match wager {
            WagerRef::PaiGow if stake.color.is_some() => {
                return Err(Refusal::ColorUnexpected { seat, wager: name });
            }
            WagerRef::PaiGow => {
                let min = self.table_rules.book().base_game.limits.min;
                if stake.amount == Amount::ZERO {
                    return Err(Refusal::BelowMinimum { seat, wager: name, amount: stake.amount, min });
                }
                stakes.pai_gow = stake.amount;
                false
            }
            WagerRef::Side(index) => {
                stakes.sides[usize::from(index)] = Some(stake);
                let envy = &self.table_rules.wager(usize::from(index)).envy;
                envy.as_ref().is_some_and(|envy| stake.amount >= envy.from)
            }
        };
        let mut refusals = Vec::new();
        check_stakes(seat, &stakes, &self.table_rules, banks, &mut refusals);
        let mut all = self.stakes;
        all[seat.index()] = stakes;
        refusals.extend(check_reserve(&self.table_rules, self.bank, &all, self.dealer_wager));
        match refusals.into_iter().next() {
            Some(refusal) => Err(refusal),
            None => Ok(RoundEvent::Wagered { seat, wager, stake, envy_button }),
        }
    }

    fn deal_hands(
        &self,
        shuffle: &Shuffle,
        dice: u8,
        action_pile: Option<u8>,
    ) -> Result<Vec<RoundEvent>, Refusal> {
        self.check_phase(RoundPhase::Wagers, "dealing")?;
        let book = self.table_rules.book();
        let action = self.stakes.iter().map(|stakes| stakes.pai_gow.cents()).sum::<u64>();
        if action == 0 {
            return Err(Refusal::NoWagers);
        }
        match self.bank {
            Bank::Dealer if !book.banking.bankers.contains(&Banker::Dealer) => {
                return Err(Refusal::BankerNotAllowed { banker: "the dealer".to_owned() });
            }
            Bank::Seat { covers: Some(covers), .. } if book.banking.cover == Cover::All => {
                let needed = Amount::from_cents(action + self.dealer_wager.cents());
                if covers < needed {
                    return Err(Refusal::CoverShort { needed, covers });
                }
            }
            _ => {}
        }
        let banker = self.banking_seat();
        let plays: BySeat<bool> = std::array::from_fn(|index| {
            self.stakes[index].pai_gow > Amount::ZERO || banker.is_some_and(|seat| seat.index() == index)
        });
        let deal = Deal::new(book, shuffle, dice, action_pile, plays, banker)?;
        Ok(vec![RoundEvent::Dealt { deal: Box::new(deal) }])
    }

    /// Returns the hand of a seat, if the seat may set it now.
    fn unset_hand(&self, seat: Seat) -> Result<crate::SevenCards, Refusal> {
        self.check_phase(RoundPhase::Settings, "setting a hand")?;
        let hand =
            self.deal.as_ref().and_then(|deal| deal.hands[seat.index()]).ok_or(Refusal::NoHand { seat })?;
        if self.played[seat.index()].is_some() {
            return Err(Refusal::AlreadySet { seat });
        }
        Ok(hand)
    }

    fn set(&self, seat: Seat, low: CardSet) -> Result<RoundEvent, Refusal> {
        let hand = self.unset_hand(seat)?;
        let owner = seat.to_string();
        if self.banking_seat() != Some(seat) {
            let played = self.table_rules.played_hand(hand, low, &owner)?;
            // The book may have fouls set the house way.
            let by_house_way = matches!(played, PlayedHand::Set(setting) if setting.low.cards() != low);
            let reset = if by_house_way { self.table_rules.foul(hand, low) } else { None };
            return Ok(RoundEvent::HandSet { seat, played, by_house_way, reset });
        }
        let offered = Arrangement::new(hand, low).ok_or(Refusal::NotTheirCards { owner })?;
        match (offered.set(self.table_rules.evaluator()), self.table_rules.book().setting.banker) {
            (Ok(setting), _) => Ok(RoundEvent::HandSet {
                seat,
                played: PlayedHand::Set(setting),
                by_house_way: false,
                reset: None,
            }),
            (Err(foul), BankerFoul::HouseWay) => self.house_way(seat, Some(foul)),
            (Err(_), BankerFoul::SetAgain) => Err(Refusal::SetAgain { seat }),
        }
    }

    /// Returns the event of a hand set the house way. `reset` is the foul that it replaces.
    fn house_way(&self, seat: Seat, reset: Option<Foul>) -> Result<RoundEvent, Refusal> {
        let hand = self.deal.as_ref().and_then(|deal| deal.hands[seat.index()]);
        let setting = self.table_rules.house_way_setting(hand.ok_or(Refusal::NoHand { seat })?);
        Ok(RoundEvent::HandSet { seat, played: PlayedHand::Set(setting), by_house_way: true, reset })
    }

    fn settle(&self) -> Result<Vec<RoundEvent>, Refusal> {
        self.check_phase(RoundPhase::Settings, "settling")?;
        let Some(deal) = &self.deal else { return Err(self.wrong_phase("settling")) };
        let mut events = Vec::new();
        for seat in Seat::up_to(self.table_rules.book().seats.players) {
            if deal.hands[seat.index()].is_some() && self.played[seat.index()].is_none() {
                events.push(self.house_way(seat, None)?);
            }
        }
        if let Some(setting) = deal.dealer.map(|hand| self.table_rules.house_way_setting(hand)) {
            events.push(RoundEvent::DealerSet { setting });
        }
        let mut all_set = self.clone();
        for event in &events {
            all_set.apply_event(event);
        }
        let settlement = match all_set.showdown() {
            Ok(showdown) => Settlement::of(&showdown),
            Err(refusals) => return Err(refusals.into_iter().next().unwrap_or(Refusal::NoWagers)),
        };
        events.push(RoundEvent::Settled { settlement });
        Ok(events)
    }
}
