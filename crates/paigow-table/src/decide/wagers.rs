//! Placing wagers and taking them back.

use super::{Decider, WORD_MAX, check_amount};
use crate::table::{BASE_GAME, PlacedWager, RoundState, TablePhase};
use crate::{ColorName, PlayerId, Purpose, Stake, Table, TableEvent, TableRefusal};
use paigow::rulebook::{Collection, Cover, SettledBy, Taken};
use paigow::{Amount, Color, Refusal, Seat, SideStake, Stakes, WagerRef};
use std::collections::BTreeMap;

impl Decider<'_> {
    pub(super) fn must_wager(&self) -> Result<(), TableRefusal> {
        match self.table.phase {
            TablePhase::Wagers { until } if self.moment.now < until => Ok(()),
            _ => Err(TableRefusal::NotNow),
        }
    }

    pub(super) fn ready(&mut self, seat: u8) -> Result<(), TableRefusal> {
        self.must_wager()?;
        if self.round()?.ready.contains(&seat) {
            return Ok(());
        }
        self.emit(TableEvent::Ready { seat });
        self.deal_if_all_are_ready()
    }

    pub(super) fn wager(
        &mut self,
        seat: u8,
        player: &PlayerId,
        wager: &str,
        cents: u64,
        color: Option<ColorName>,
    ) -> Result<(), TableRefusal> {
        self.must_wager()?;
        check_amount(cents)?;
        self.may_wager(seat)?;
        let name = self.name_of(wager)?;
        if let Some(before) = self.round()?.wagers.get(&(seat, name.clone())).cloned() {
            self.void(player, &before.hold, before.held(), Purpose::Returned);
        }
        self.place(seat, player, name, cents, color);
        // The rules are asked about the round as it would be. Where they refuse, nothing of this has happened.
        self.table.rules(self.round()?)?;
        self.table.covered()
    }

    /// Makes a seat's wagers exactly these.
    pub(super) fn wagers(
        &mut self,
        seat: u8,
        player: &PlayerId,
        stakes: &[Stake],
        ready: bool,
    ) -> Result<(), TableRefusal> {
        self.must_wager()?;
        let most = 1 + self.table.table_rules.side_wagers();
        if stakes.len() > most {
            return Err(TableRefusal::TooManyWagers { most });
        }
        if !stakes.is_empty() {
            self.may_wager(seat)?;
        }
        let asked = self.asked(seat, stakes)?;
        let lie = self.round()?.wagers.iter().filter(|((other, _), _)| *other == seat);
        let lie: Vec<(String, PlacedWager)> =
            lie.map(|((_, wager), placed)| (wager.clone(), placed.clone())).collect();
        let stays = |wager: &str, placed: &PlacedWager| {
            asked.get(wager).is_some_and(|stake| (stake.cents, stake.color) == (placed.cents, placed.color))
        };
        // What goes back comes first: it may be what the new wagers are made with.
        for (wager, placed) in lie.iter().filter(|(wager, placed)| !stays(wager, placed)) {
            self.void(player, &placed.hold, placed.held(), Purpose::Returned);
            if !asked.contains_key(wager.as_str()) {
                self.emit(TableEvent::Cleared { seat, wager: wager.clone() });
            }
        }
        let (base, sides): (Vec<_>, Vec<_>) = asked.iter().partition(|(wager, _)| *wager == BASE_GAME);
        for (wager, stake) in base.into_iter().chain(sides) {
            if !lie.iter().any(|(name, placed)| name == wager && stays(name, placed)) {
                self.place(seat, player, wager.clone(), stake.cents, stake.color);
            }
        }
        if let Err(refusal) = self.table.rules(self.round()?) {
            let faults = self.table.faults(seat, &asked);
            return Err(TableRefusal::all(faults).err().unwrap_or(TableRefusal::Rules(refusal)));
        }
        self.table.covered()?;
        if ready { self.ready(seat) } else { Ok(()) }
    }

    /// What is asked for by the names wagers have, if each has one and is there once.
    fn asked<'s>(&self, seat: u8, stakes: &'s [Stake]) -> Result<BTreeMap<String, &'s Stake>, TableRefusal> {
        let (mut asked, mut faults) = (BTreeMap::new(), Vec::new());
        for stake in stakes {
            if stake.wager.len() > WORD_MAX {
                faults.push(TableRefusal::BadText { most: WORD_MAX });
                continue;
            }
            faults.extend(check_amount(stake.cents).err());
            match self.name_of(&stake.wager) {
                Ok(wager) => {
                    if asked.insert(wager.clone(), stake).is_some() {
                        let seat = Seat::new(seat).unwrap_or(Seat::FIRST);
                        faults.push(TableRefusal::Rules(Refusal::WagerTwice { seat, wager }));
                    }
                }
                Err(refusal) => faults.push(refusal.into()),
            }
        }
        TableRefusal::all(faults).map(|()| asked)
    }

    fn name_of(&self, wager: &str) -> Result<String, Refusal> {
        Ok(match self.table.wager(wager)? {
            WagerRef::PaiGow => BASE_GAME.to_owned(),
            WagerRef::Side(place) => self.table.table_rules.wager(usize::from(place)).name.clone(),
        })
    }

    fn may_wager(&self, seat: u8) -> Result<(), TableRefusal> {
        let sitting = &self.table.seats[&seat];
        if sitting.leaving {
            return Err(TableRefusal::Leaving);
        }
        if sitting.out { Err(TableRefusal::SittingOut) } else { Ok(()) }
    }

    fn place(&mut self, seat: u8, player: &PlayerId, wager: String, cents: u64, color: Option<ColorName>) {
        let mut fee_cents = self.table.fee_to_hold(&wager, cents);
        if wager == BASE_GAME {
            fee_cents += self.time_fee_to_hold(seat);
        }
        let hold = self.hold(player, cents + fee_cents, Purpose::Wager);
        self.emit(TableEvent::Wagered { seat, wager, cents, fee_cents, color, hold });
    }

    /// How many cents are held for playing time: the fee if the seat owes it, else nothing.
    pub(super) fn time_fee_to_hold(&self, seat: u8) -> u64 {
        // Taking an offered bank opens the wagers.
        let opened = self.table.round.as_ref().and_then(|round| round.wagers_from);
        let owes = self.table.owes_time(seat, opened.unwrap_or(self.moment.now));
        let time = self.table.table_rules.book().collection.as_ref().and_then(|collection| collection.time);
        time.filter(|_| owes).map_or(0, |time| time.player.cents())
    }

    pub(super) fn clear(
        &mut self,
        seat: u8,
        player: &PlayerId,
        wager: Option<&str>,
    ) -> Result<(), TableRefusal> {
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

    pub(super) fn clear_all(&mut self, seat: u8, player: &PlayerId) {
        let Ok(round) = self.round() else { return };
        let theirs = round.wagers.keys().filter(|(other, _)| *other == seat);
        let names: Vec<String> = theirs.map(|(_, wager)| wager.clone()).collect();
        for wager in names {
            // It is there: it was just listed.
            let _ = self.clear_one(seat, player, &wager);
        }
    }

    pub(super) fn clear_one(&mut self, seat: u8, player: &PlayerId, wager: &str) -> Result<(), TableRefusal> {
        let placed = self.round()?.wagers.get(&(seat, wager.to_owned())).cloned();
        let placed = placed.ok_or_else(|| TableRefusal::NoSuchWager { wager: wager.to_owned() })?;
        self.void(player, &placed.hold, placed.held(), Purpose::Returned);
        self.emit(TableEvent::Cleared { seat, wager: wager.to_owned() });
        Ok(())
    }
}

impl Table {
    /// The fees that are taken before wagers are settled, if there are any.
    fn fees_taken_first(&self) -> Option<&Collection> {
        self.table_rules.book().collection.as_ref().filter(|collection| collection.taken == Taken::First)
    }

    /// How many cents are held beside a stake for the house's fee: the most it can come to.
    fn fee_to_hold(&self, wager: &str, cents: u64) -> u64 {
        let Some((collection, wager)) = self.fees_taken_first().zip(self.wager(wager).ok()) else { return 0 };
        collection.player_fee_max(wager, Amount::from_cents(cents)).cents()
    }

    /// How many cents are held beside what a bank puts up for its fees: the most they can come to.
    pub(super) fn banker_fee_to_hold(&self) -> u64 {
        let Some(collection) = self.fees_taken_first() else { return 0 };
        let sides = (0..self.table_rules.side_wagers())
            .filter(|place| self.table_rules.wager(*place).settled_by == SettledBy::Banker)
            .map(|place| WagerRef::Side(place as u8));
        let wagers = std::iter::once(WagerRef::PaiGow).chain(sides);
        wagers.map(|wager| collection.banker_fee_max(wager).cents()).sum()
    }

    /// Everything the rules have against a seat that would wager this.
    fn faults(&self, number: u8, asked: &BTreeMap<String, &Stake>) -> Vec<TableRefusal> {
        let Some(seat) = Seat::new(number) else { return Vec::new() };
        let mut faults = Vec::new();
        let bank = self.round.as_ref().and_then(|round| round.bank.as_ref());
        let banks = bank.is_some_and(|bank| bank.seat == number);
        let banker = bank.and_then(|bank| Seat::new(bank.seat)).filter(|banker| *banker != seat);
        if let Some(banker) = banker.filter(|banker| self.owners().same(*banker, seat)) {
            faults.push(Refusal::OwnBank { seat, banker });
        }
        let mut stakes = Stakes::default();
        for (wager, stake) in asked {
            let amount = Amount::from_cents(stake.cents);
            let color = stake.color.map(Color::from);
            match self.wager(wager) {
                Ok(WagerRef::PaiGow) => {
                    stakes.pai_gow = amount;
                    if color.is_some() {
                        faults.push(Refusal::ColorUnexpected { seat, wager: wager.clone() });
                    }
                }
                Ok(WagerRef::Side(place)) => {
                    stakes.sides[usize::from(place)] = Some(SideStake { amount, color });
                }
                Err(refusal) => faults.push(refusal),
            }
        }
        faults.extend(stakes.faults(seat, &self.table_rules, banks));
        faults.into_iter().map(TableRefusal::Rules).collect()
    }

    /// What is wagered against the bank in the base game, by the house too.
    pub(crate) fn action(&self, round: &RoundState) -> u64 {
        let plays_dealer = self.table_rules.book().banking.plays_dealer;
        let dealer = if plays_dealer { self.config.dealer_wager_cents } else { 0 };
        let base = round.wagers.iter().filter(|((_, wager), _)| wager == BASE_GAME);
        // Stored events may hold any amount.
        base.map(|(_, placed)| placed.cents).fold(dealer, u64::saturating_add)
    }

    /// Whether the bank covers all wagers, where it must.
    pub(super) fn covered(&self) -> Result<(), TableRefusal> {
        let Some(round) = &self.round else { return Ok(()) };
        let Some(bank) = &round.bank else { return Ok(()) };
        let banking = &self.table_rules.book().banking;
        if banking.cover != Cover::All {
            return Ok(());
        }
        let needed = self.action(round);
        if needed > bank.cents {
            return Err(TableRefusal::CoverExceeded { covers: bank.cents, needed });
        }
        Ok(())
    }
}
