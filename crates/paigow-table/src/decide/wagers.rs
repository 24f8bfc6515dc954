//! Placing wagers and taking them back.

use super::{Decider, INPUT_BYTES_MAX, check_amount};
use crate::table::{BASE_GAME, PlacedWager, RoundState, TablePhase};
use crate::{ColorName, PlayerId, Purpose, Stake, Table, TableEvent, TableRefusal};
use paigow::rulebook::{Collection, Cover, FeeTiming, SettledBy};
use paigow::{Amount, Color, Refusal, Seat, SideStake, Stakes, WagerRef};
use std::collections::BTreeMap;

impl Decider<'_> {
    /// Refuses unless wagers are open.
    pub(super) fn check_wagers_open(&self) -> Result<(), TableRefusal> {
        match self.table.phase {
            TablePhase::Wagers { until } if self.context.now < until => Ok(()),
            _ => Err(TableRefusal::NotNow),
        }
    }

    pub(super) fn ready(&mut self, seat: u8) -> Result<(), TableRefusal> {
        self.check_wagers_open()?;
        if self.round()?.ready.contains(&seat) {
            return Ok(());
        }
        self.emit(TableEvent::Ready { seat });
        self.close_wagers_if_all_ready()
    }

    pub(super) fn wager(
        &mut self,
        seat: u8,
        player: &PlayerId,
        wager: &str,
        cents: u64,
        color: Option<ColorName>,
    ) -> Result<(), TableRefusal> {
        self.check_wagers_open()?;
        check_amount(cents)?;
        self.check_may_wager(seat)?;
        let name = self.name_of(wager)?;
        if let Some(before) = self.round()?.wagers.get(&(seat, name.clone())).cloned() {
            self.void(player, &before.hold, before.held(), Purpose::Returned);
        }
        self.place_wager(seat, player, name, cents, color);
        // The rules check the resulting round. If they refuse, the decision is discarded.
        self.table.rules(self.round()?)?;
        self.table.check_cover()
    }

    /// Replaces all wagers of a seat.
    pub(super) fn wagers(
        &mut self,
        seat: u8,
        player: &PlayerId,
        stakes: &[Stake],
        ready: bool,
    ) -> Result<(), TableRefusal> {
        self.check_wagers_open()?;
        let max = 1 + self.table.table_rules.side_wager_count();
        if stakes.len() > max {
            return Err(TableRefusal::TooManyWagers { max });
        }
        if !stakes.is_empty() {
            self.check_may_wager(seat)?;
        }
        let requested = self.requested(seat, stakes)?;
        let current = self.round()?.wagers.iter().filter(|((other, _), _)| *other == seat);
        let current: Vec<(String, PlacedWager)> =
            current.map(|((_, wager), placed)| (wager.clone(), placed.clone())).collect();
        let is_unchanged = |wager: &str, placed: &PlacedWager| {
            requested
                .get(wager)
                .is_some_and(|stake| (stake.cents, stake.color) == (placed.cents, placed.color))
        };
        // Money is returned first, because the new wagers may need it.
        for (wager, placed) in current.iter().filter(|(wager, placed)| !is_unchanged(wager, placed)) {
            self.void(player, &placed.hold, placed.held(), Purpose::Returned);
            if !requested.contains_key(wager.as_str()) {
                self.emit(TableEvent::Cleared { seat, wager: wager.clone() });
            }
        }
        let (base, sides): (Vec<_>, Vec<_>) = requested.iter().partition(|(wager, _)| *wager == BASE_GAME);
        for (wager, stake) in base.into_iter().chain(sides) {
            if !current.iter().any(|(name, placed)| name == wager && is_unchanged(name, placed)) {
                self.place_wager(seat, player, wager.clone(), stake.cents, stake.color);
            }
        }
        if let Err(refusal) = self.table.rules(self.round()?) {
            let faults = self.table.faults(seat, &requested);
            return Err(TableRefusal::all(faults).err().unwrap_or(TableRefusal::Rules(refusal)));
        }
        self.table.check_cover()?;
        if ready { self.ready(seat) } else { Ok(()) }
    }

    /// Returns the requested stakes by the names of their wagers. Refuses unknown wagers, duplicates and bad amounts.
    fn requested<'s>(
        &self,
        seat: u8,
        stakes: &'s [Stake],
    ) -> Result<BTreeMap<String, &'s Stake>, TableRefusal> {
        let (mut requested, mut faults) = (BTreeMap::new(), Vec::new());
        for stake in stakes {
            if stake.wager.len() > INPUT_BYTES_MAX {
                faults.push(TableRefusal::InputTooLong { max: INPUT_BYTES_MAX });
                continue;
            }
            faults.extend(check_amount(stake.cents).err());
            match self.name_of(&stake.wager) {
                Ok(wager) => {
                    if requested.insert(wager.clone(), stake).is_some() {
                        let seat = Seat::new(seat).unwrap_or(Seat::FIRST);
                        faults.push(TableRefusal::Rules(Refusal::WagerTwice { seat, wager }));
                    }
                }
                Err(refusal) => faults.push(refusal.into()),
            }
        }
        TableRefusal::all(faults).map(|()| requested)
    }

    /// Returns the canonical name of a wager.
    fn name_of(&self, wager: &str) -> Result<String, Refusal> {
        Ok(match self.table.wager(wager)? {
            WagerRef::PaiGow => BASE_GAME.to_owned(),
            WagerRef::Side(index) => self.table.table_rules.wager(usize::from(index)).name.clone(),
        })
    }

    fn check_may_wager(&self, seat: u8) -> Result<(), TableRefusal> {
        let state = &self.table.seats[&seat];
        if state.leaving {
            return Err(TableRefusal::Leaving);
        }
        if state.out { Err(TableRefusal::SittingOut) } else { Ok(()) }
    }

    fn place_wager(
        &mut self,
        seat: u8,
        player: &PlayerId,
        wager: String,
        cents: u64,
        color: Option<ColorName>,
    ) {
        let mut fee_cents = self.table.fee_to_hold(&wager, cents);
        if wager == BASE_GAME {
            fee_cents += self.time_fee_to_hold(seat);
        }
        let hold = self.hold(player, cents + fee_cents, Purpose::Wager);
        self.emit(TableEvent::Wagered { seat, wager, cents, fee_cents, color, hold });
    }

    /// Returns the cents held for playing time: the fee if the seat owes it, or 0.
    pub(super) fn time_fee_to_hold(&self, seat: u8) -> u64 {
        // If wagers are not open yet, the seat is taking an offered bank, which opens them now.
        let opened = self.table.round.as_ref().and_then(|round| round.wagers_from);
        let owes = self.table.owes_time(seat, opened.unwrap_or(self.context.now));
        let time = self.table.table_rules.book().collection.as_ref().and_then(|collection| collection.time);
        time.filter(|_| owes).map_or(0, |time| time.player.cents())
    }

    pub(super) fn clear(
        &mut self,
        seat: u8,
        player: &PlayerId,
        wager: Option<&str>,
    ) -> Result<(), TableRefusal> {
        self.check_wagers_open()?;
        match wager {
            // Side wagers need a base wager.
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
            // The wager was just listed, so it exists.
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
    /// Returns the collection fees, if they are taken before wagers are settled.
    fn fees_taken_first(&self) -> Option<&Collection> {
        self.table_rules.book().collection.as_ref().filter(|collection| collection.taken == FeeTiming::First)
    }

    /// Returns the cents held with a stake for the collection fee: its maximum.
    fn fee_to_hold(&self, wager: &str, cents: u64) -> u64 {
        let Some((collection, wager)) = self.fees_taken_first().zip(self.wager(wager).ok()) else { return 0 };
        collection.player_fee_max(wager, Amount::from_cents(cents)).cents()
    }

    /// Returns the cents held with the banker's cover for collection fees: their maximum.
    pub(super) fn banker_fee_to_hold(&self) -> u64 {
        let Some(collection) = self.fees_taken_first() else { return 0 };
        let sides = (0..self.table_rules.side_wager_count())
            .filter(|index| self.table_rules.wager(*index).settled_by == SettledBy::Banker)
            .map(|index| WagerRef::Side(index as u8));
        let wagers = std::iter::once(WagerRef::PaiGow).chain(sides);
        wagers.map(|wager| collection.banker_fee_max(wager).cents()).sum()
    }

    /// Returns every violation of the rules by these wagers of a seat.
    fn faults(&self, number: u8, requested: &BTreeMap<String, &Stake>) -> Vec<TableRefusal> {
        let Some(seat) = Seat::new(number) else { return Vec::new() };
        let mut faults = Vec::new();
        let bank = self.round.as_ref().and_then(|round| round.bank.as_ref());
        let banks = bank.is_some_and(|bank| bank.seat == number);
        let banker = bank.and_then(|bank| Seat::new(bank.seat)).filter(|banker| *banker != seat);
        if let Some(banker) = banker.filter(|banker| self.owners().same(*banker, seat)) {
            faults.push(Refusal::OwnBank { seat, banker });
        }
        let mut stakes = Stakes::default();
        for (wager, stake) in requested {
            let amount = Amount::from_cents(stake.cents);
            let color = stake.color.map(Color::from);
            match self.wager(wager) {
                Ok(WagerRef::PaiGow) => {
                    stakes.pai_gow = amount;
                    if color.is_some() {
                        faults.push(Refusal::ColorUnexpected { seat, wager: wager.clone() });
                    }
                }
                Ok(WagerRef::Side(index)) => {
                    stakes.sides[usize::from(index)] = Some(SideStake { amount, color });
                }
                Err(refusal) => faults.push(refusal),
            }
        }
        faults.extend(stakes.violations(seat, &self.table_rules, banks));
        faults.into_iter().map(TableRefusal::Rules).collect()
    }

    /// Returns the total of base wagers against the bank, including the dealer's.
    pub(crate) fn action(&self, round: &RoundState) -> u64 {
        let plays_dealer = self.table_rules.book().banking.plays_dealer;
        let dealer = if plays_dealer { self.config.dealer_wager_cents } else { 0 };
        let base = round.wagers.iter().filter(|((_, wager), _)| wager == BASE_GAME);
        // Saturating, because stored events may contain any amount.
        base.map(|(_, placed)| placed.cents).fold(dealer, u64::saturating_add)
    }

    /// Refuses if the book requires the bank to cover all wagers and it does not.
    pub(super) fn check_cover(&self) -> Result<(), TableRefusal> {
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
