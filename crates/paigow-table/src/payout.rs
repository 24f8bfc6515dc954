//! Transfers of a settlement: every hold is posted or voided, and every win is paid.

use crate::decide::transfer_id;
use crate::table::{BASE_GAME, RoundState};
use crate::{
    Account, Owner, PlantedFault, PlayerId, Purpose, Table, TableId, Transfer, TransferId, TransferKind,
    planted,
};
use paigow::rulebook::FeeTiming;
use paigow::{Line, Outcome, Party, Settlement, WagerRef};
use std::collections::BTreeMap;

/// Balances of players, and transfers of rounds.
pub trait Funds {
    /// Balance of an account in cents, without its holds.
    fn cents(&self, account: &Account) -> i64;

    /// Returns the transfers of a table's round from the journal. Called when a settled round is voided.
    fn round_transfers(&self, table: &TableId, round: u64) -> Vec<Transfer>;
}

/// Builder of the transfers of a settlement.
pub(crate) struct Payout<'a> {
    table: &'a Table,
    round: &'a RoundState,
    funds: &'a dyn Funds,
    transfers: Vec<Transfer>,
    /// Changes of balances by the transfers so far.
    changes: BTreeMap<Owner, i64>,
    /// Cents left of each hold.
    left: BTreeMap<TransferId, u64>,
}

impl<'a> Payout<'a> {
    pub(crate) fn new(table: &'a Table, round: &'a RoundState, funds: &'a dyn Funds) -> Payout<'a> {
        let left = table.open_holds().map(|(hold, cents)| (hold.clone(), cents)).collect();
        Payout { table, round, funds, transfers: Vec::new(), changes: BTreeMap::new(), left }
    }

    /// Returns the transfers of a settlement: collection fees that are taken first, then wagers, each in the order of
    /// the lines. A win against a bank is paid from the amount that the bank put up. The rest of each hold is returned
    /// at the end.
    pub(crate) fn transfers(mut self, settlement: &Settlement) -> Vec<Transfer> {
        let lines = settlement.lines();
        if self.taken_first() {
            for line in lines {
                self.collect(line);
            }
        }
        if self.guaranteed() {
            self.pay_guaranteed(lines);
        } else {
            for line in lines {
                self.stakes(line);
                self.win(line);
                self.fees(line);
            }
        }
        self.return_holds();
        assert!(
            self.left.values().all(|left| *left == 0),
            "a hold is neither posted nor voided: {:?}",
            self.left
        );
        self.transfers
    }

    /// Makes the transfers as releases before 0.2.0 did. First wagers, paid from the amount that the bank put up. Then
    /// the rest of that amount is returned. Then payments without a hold: side wagers against a bank, bonuses and fees.
    fn pay_guaranteed(&mut self, lines: &[Line]) {
        for line in lines {
            self.stakes(line);
        }
        for line in lines.iter().filter(|line| line.wager == WagerRef::PaiGow) {
            self.win(line);
        }
        self.return_bank();
        for line in lines.iter().filter(|line| line.wager != WagerRef::PaiGow) {
            self.win(line);
        }
        for line in lines {
            self.fees(line);
        }
    }

    /// Returns whether the house guarantees banks, as books of releases before 0.2.0 did.
    fn guaranteed(&self) -> bool {
        self.table.table_rules().book().banking.is_guaranteed()
    }

    /// Returns whether collection fees are taken before wagers are settled.
    fn taken_first(&self) -> bool {
        let collection = &self.table.table_rules().book().collection;
        collection.as_ref().is_some_and(|collection| collection.taken == FeeTiming::First)
    }

    /// Posts a collection fee from the money held for it.
    fn collect(&mut self, line: &Line) {
        let hold = match line.who {
            Party::Banker => self.round.bank.as_ref().map(|bank| bank.hold.clone()),
            _ => self.hold_of(line).map(|(hold, _)| hold),
        };
        if let (Outcome::Collection, Some(hold)) = (line.outcome, hold) {
            self.post(&hold, Owner::Collection, line.net.cents().unsigned_abs(), Purpose::Collection);
        }
    }

    /// Returns the rest of every hold: fees that are not due, and the part of the bank that was not paid out.
    fn return_holds(&mut self) {
        let round = self.round;
        for ((seat, _), placed) in &round.wagers {
            if let Some(player) = self.player(*seat) {
                self.return_rest(&placed.hold, player);
            }
        }
        self.return_bank();
    }

    fn return_bank(&mut self) {
        if let Some(bank) = &self.round.bank
            && let Some(player) = self.player(bank.seat)
        {
            self.return_rest(&bank.hold, player);
        }
    }

    fn return_rest(&mut self, hold: &TransferId, player: PlayerId) {
        let left = self.left.get(hold).copied().unwrap_or(0);
        self.void(hold, Owner::Player(player), left, Purpose::Returned);
    }

    /// Returns or posts the stake of a line.
    fn stakes(&mut self, line: &Line) {
        let stake = line.stake.cents();
        let Some((hold, owner)) = self.hold_of(line) else {
            // The house's dealer has no hold, so it pays its losses directly.
            if line.who == Party::Dealer && matches!(line.outcome, Outcome::Lose | Outcome::Foul) {
                let to = self.owner(line.against);
                self.plain(Owner::House, to, stake, Purpose::Lost);
            }
            return;
        };
        match line.outcome {
            Outcome::Win | Outcome::Push | Outcome::NoAction => {
                self.void(&hold, owner, stake, Purpose::Returned);
            }
            Outcome::Lose | Outcome::Foul => {
                let to = self.owner(line.against);
                self.post(&hold, to, stake, Purpose::Lost);
            }
            Outcome::Envy | Outcome::Collection | Outcome::Commission => {}
        }
    }

    /// Pays the win of a line, and takes the commission on it.
    fn win(&mut self, line: &Line) {
        let purpose = match line.outcome {
            Outcome::Win => Purpose::Won,
            Outcome::Envy => Purpose::Envy,
            _ => return,
        };
        let (to, fee) = (self.owner(line.who), line.fee.cents());
        let won = line.net.cents().unsigned_abs() + fee;
        self.pay(line, to.clone(), won, purpose);
        if planted(PlantedFault::PayTwice) {
            self.pay(line, to.clone(), won, purpose);
        }
        self.plain(to, Owner::Commission, fee, Purpose::Commission);
    }

    /// Charges a fee that is not taken first.
    fn fees(&mut self, line: &Line) {
        let (to, purpose) = match line.outcome {
            Outcome::Collection if !self.taken_first() => (Owner::Collection, Purpose::Collection),
            Outcome::Commission => (Owner::Commission, Purpose::Commission),
            _ => return,
        };
        self.charge(self.owner(line.who), to, line.net.cents().unsigned_abs(), purpose);
    }

    /// Pays the win of a line: from the house's account, or from the amount that the bank put up. A guaranteed bank
    /// pays only the base game from that amount, and the rest from its player's account.
    fn pay(&mut self, line: &Line, to: Owner, cents: u64, purpose: Purpose) {
        let from = self.owner(line.against);
        let Owner::Player(_) = from else { return self.plain(from, to, cents, purpose) };
        if planted(PlantedFault::HousePaysForBank) {
            return self.plain(Owner::House, to, cents, purpose);
        }
        let mut owed = cents;
        if let Some(bank) = &self.round.bank
            && (line.wager == WagerRef::PaiGow || !self.guaranteed())
        {
            let covered = owed.min(self.left.get(&bank.hold).copied().unwrap_or(0));
            self.post(&bank.hold, to.clone(), covered, purpose);
            owed -= covered;
        }
        assert!(owed == 0 || self.guaranteed(), "a bank owes {owed} cents more than it put up");
        self.charge(from, to, owed, purpose);
    }

    /// Charges a player. With a guarantee, the operator pays the part that the player does not have, so no player's
    /// account goes below zero and every win is paid. Without one, a player always has the amount: it is the commission
    /// on a win just paid.
    fn charge(&mut self, from: Owner, to: Owner, cents: u64, purpose: Purpose) {
        if !self.guaranteed() {
            return self.plain(from, to, cents, purpose);
        }
        let account = Account { owner: from.clone(), currency: self.table.config.currency.clone() };
        let has = self.funds.cents(&account) + self.changes.get(&from).copied().unwrap_or(0);
        let paid = cents.min(u64::try_from(has).unwrap_or(0));
        self.plain(from, to.clone(), paid, purpose);
        self.plain(Owner::Guarantee, to, cents - paid, Purpose::Guarantee);
    }

    /// Returns the hold of a line's wager and its owner.
    fn hold_of(&self, line: &Line) -> Option<(TransferId, Owner)> {
        let Party::Seat(seat) = line.who else { return None };
        let wager = match line.wager {
            WagerRef::PaiGow => BASE_GAME,
            WagerRef::Side(index) => &self.table.table_rules().wager(usize::from(index)).name,
        };
        let placed = self.round.wagers.get(&(seat.number(), wager.to_owned()))?;
        Some((placed.hold.clone(), Owner::Player(self.player(seat.number())?)))
    }

    fn player(&self, seat: u8) -> Option<PlayerId> {
        self.table.seats.get(&seat).map(|state| state.player.clone())
    }

    fn owner(&self, party: Party) -> Owner {
        let player = match party {
            Party::Seat(seat) => self.player(seat.number()),
            Party::Banker => self.round.bank.as_ref().and_then(|bank| self.player(bank.seat)),
            Party::Dealer | Party::House => None,
        };
        player.map_or(Owner::House, Owner::Player)
    }

    fn plain(&mut self, debit: Owner, credit: Owner, cents: u64, purpose: Purpose) {
        self.push(TransferKind::Plain, debit, credit, cents, purpose);
    }

    fn post(&mut self, hold: &TransferId, credit: Owner, cents: u64, purpose: Purpose) {
        self.spend(hold, cents);
        self.push(TransferKind::Post(hold.clone()), self.table.escrow(), credit, cents, purpose);
    }

    fn void(&mut self, hold: &TransferId, credit: Owner, cents: u64, purpose: Purpose) {
        self.spend(hold, cents);
        self.push(TransferKind::Void(hold.clone()), self.table.escrow(), credit, cents, purpose);
    }

    fn spend(&mut self, hold: &TransferId, cents: u64) {
        let left = self.left.entry(hold.clone()).or_default();
        assert!(*left >= cents, "{cents} cents are spent of a hold with {left} cents left");
        *left -= cents;
    }

    fn push(&mut self, kind: TransferKind, debit: Owner, credit: Owner, cents: u64, purpose: Purpose) {
        if cents == 0 || debit == credit {
            return;
        }
        let id = transfer_id(self.table, &format!("s{}", self.transfers.len() + 1));
        // Amounts at a table are far below the limits of the type.
        *self.changes.entry(debit.clone()).or_default() -= cents.cast_signed();
        *self.changes.entry(credit.clone()).or_default() += cents.cast_signed();
        let account = |owner| Account { owner, currency: self.table.config.currency.clone() };
        let (debit, credit) = (account(debit), account(credit));
        self.transfers.push(Transfer { id, kind, debit, credit, cents, purpose });
    }
}
