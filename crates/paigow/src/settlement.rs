//! Settlement of a round: who is paid, how much, by whom, and why.
//!
//! Play, adjudication, simulation and audit all use this module. A [`Settlement`] is a list of [`Line`]s in the order
//! in which a dealer settles: fees, base wagers and side wagers in the order of the book, the banker's commission, and
//! envy bonuses last (SD-5). Every line moves money between two parties, so the nets sum to zero.
//! [`Settlement::settle`] asserts it.
//!
//! A banking seat pays from the amount it has put up: base wagers, then side wagers (`bank.rs`), then envy bonuses,
//! each in the order of settling. Wagers beyond that amount have no action.
//!
//! A line stores its reason as a value. `reason.rs` formats it as a sentence on demand.

mod bank;
mod citation;
mod fees;
mod line;
mod reason;
mod reserve;
mod steps;

use crate::rulebook::{
    BankerCommission, BonusOrder, Commission, Cover, CoverUse, DecidingCards, FeeTiming, PayoutMax,
    PayoutScope, Rounding, SettledBy, SideWager,
};
use crate::{
    Amount, Bank, BySeat, Category, HandClass, Holding, PayRow, Pays, PlayedHand, Player, Seat, Setting,
    Showdown, SideStake, TableRules, WinsOn,
};

pub use citation::{LineSource, citation};
pub use line::{HandComparison, Line, Net, Nets, Outcome, Party, Reason, WagerRef};
pub(crate) use reserve::check_reserve;
pub use steps::{EnvyButton, SettlementStep, StepPart};

/// A settled round.
///
/// # Examples
///
/// ```
/// use paigow::document::Source;
/// use paigow::rulebook::BuiltIn;
/// use paigow::{RoundFile, Settlement};
/// # use paigow::{Rulebook, rulebook::Banker};
/// # let mut books = BuiltIn::book_names().filter_map(|name| Rulebook::built_in(name).ok());
/// # let book = books.find(|book| book.banking.bankers.contains(&Banker::Dealer));
/// # let book = book.expect("a book in which the dealer banks");
/// # let (book, wager) = (book.id, book.base_game.limits.min);
/// # let dealer = r#"dealer = { cards = "Kd Ks 9c 8h 7d 4s 2c" }"#;
/// # let seat = format!("seat = 1\ncards = \"As Ac Ad Kh 9d 6d 2s\"\nwagers = {{ pai-gow = \"{wager}\" }}");
/// # let text = format!("book = \"{book}\"\n{dealer}\n[[seats]]\n{seat}\n");
///
/// let round = RoundFile::parse(&Source::new("round.toml", text), &BuiltIn).map_err(|all| all[0].to_string())?;
/// let showdown = round.showdown().expect("a parsed round follows the rules");
/// let settlement = Settlement::of(&showdown);
/// for line in settlement.lines() {
///     println!("{}", line.because(&showdown));
/// }
/// assert_eq!(settlement.nets().sum(), 0);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settlement {
    lines: Vec<Line>,
    nets: Nets,
}

impl Settlement {
    /// Settles a round.
    pub fn of(showdown: &Showdown<'_>) -> Settlement {
        let mut settlement = Settlement::default();
        settlement.settle(showdown);
        settlement
    }

    /// Settles a round and replaces the previous settlement, whose allocation is reused.
    ///
    /// # Panics
    /// If the nets do not sum to zero, or a banking seat pays more than it has put up. Either is a bug.
    pub fn settle(&mut self, showdown: &Showdown<'_>) {
        self.lines.clear();
        Settler::new(showdown, &mut self.lines).settle();
        self.nets = Nets::of(&self.lines);
        assert_eq!(self.nets.sum(), 0, "the nets do not sum to zero");
        if let Some(put_up) = showdown.put_up() {
            let paid = bank::paid(&self.lines);
            assert!(paid <= put_up.cents(), "a bank of {put_up} pays {paid} cents");
        }
    }

    /// Lines in the order of settling.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Net result of each party.
    pub fn nets(&self) -> &Nets {
        &self.nets
    }
}

/// Settlement in progress.
struct Settler<'a> {
    showdown: &'a Showdown<'a>,
    table_rules: &'a TableRules,
    lines: &'a mut Vec<Line>,
    /// Party that the base game is played against.
    bank: Party,
    /// Remaining cover in cents; `None` if cover is unlimited.
    cover: Option<u64>,
    /// Cents that a banking seat has left for side wagers and envy bonuses; `None` if unlimited.
    rest: Option<u64>,
    holdings: BySeat<Option<Holding>>,
    dealer_holding: Option<Holding>,
}

impl<'a> Settler<'a> {
    fn new(showdown: &'a Showdown<'a>, lines: &'a mut Vec<Line>) -> Settler<'a> {
        let table_rules = showdown.table_rules();
        let (bank, covers) = match showdown.bank() {
            Bank::Dealer => (Party::House, None),
            Bank::Seat { covers, .. } => (Party::Banker, covers),
        };
        let limited = table_rules.book().banking.cover == Cover::SomeOrAll;
        let mut holdings = [None; Seat::COUNT_MAX];
        for seat in showdown.seats() {
            holdings[seat.index()] = showdown.player(seat).map(|player| table_rules.holding(player.hand));
        }
        let cover = covers.filter(|_| limited).map(Amount::cents);
        let dealer_holding = showdown.dealer().map(|dealer| table_rules.holding(dealer.hand));
        Settler { showdown, table_rules, lines, bank, cover, rest: None, holdings, dealer_holding }
    }

    fn settle(&mut self) {
        let book = self.table_rules.book();
        let taken = book.collection.as_ref().map(|collection| collection.taken);
        if taken == Some(FeeTiming::Last) {
            self.collect_by_wager();
        }
        let Some(banker) = self.showdown.banker_setting() else { return };
        let dealer_push = match self.bank {
            Party::House => self.dealer_holding.and_then(|holding| self.table_rules.dealer_push(holding)),
            _ => None,
        };
        for seat in self.showdown.seats() {
            if let Some(player) = self.playing(seat) {
                self.settle_base(
                    Party::Seat(seat),
                    player.played,
                    player.stakes.pai_gow,
                    banker,
                    dealer_push,
                );
            }
            self.settle_sides(seat, banker, true);
        }
        if let (Party::Banker, Some(dealer)) = (self.bank, self.showdown.dealer())
            && dealer.wager > Amount::ZERO
        {
            self.settle_base(Party::Dealer, PlayedHand::Set(dealer.setting), dealer.wager, banker, None);
        }
        for seat in self.showdown.seats() {
            self.settle_sides(seat, banker, false);
        }
        self.share_round_limits();
        self.pay_from_put_up();
        self.take_banker_commission();
        self.pay_envy();
        if taken == Some(FeeTiming::First) {
            self.collect_by_action();
        }
    }

    /// Returns the player of a seat, if the seat has a base wager.
    fn playing(&self, seat: Seat) -> Option<&'a Player> {
        self.showdown.player(seat).filter(|player| player.stakes.pai_gow > Amount::ZERO)
    }

    /// Returns the player of a seat whose side wagers count: a seat with a base wager, or the banking seat.
    fn wagering(&self, seat: Seat) -> Option<&'a Player> {
        if self.showdown.banking_seat() == Some(seat) {
            return self.showdown.player(seat);
        }
        self.playing(seat)
    }

    /// Returns whether a side wager is settled right after the base wager of its seat.
    ///
    /// A banking seat that pays from the amount it has put up pays all base wagers before any side wager.
    fn follows_base(&self, index: usize) -> bool {
        let book = self.table_rules.book();
        let base_first = self.payer(index) == Party::Banker && !book.banking.is_guaranteed();
        book.base_game.bonus_wagers_settled == BonusOrder::SeatBySeat && !base_first
    }

    /// Settles the side wagers of a seat: those that follow its base wager, or the others.
    fn settle_sides(&mut self, seat: Seat, banker: Setting, after_base: bool) {
        let Some(player) = self.wagering(seat) else { return };
        for index in 0..self.table_rules.side_wager_count() {
            if let Some(stake) = player.stakes.sides[index]
                && self.follows_base(index) == after_base
            {
                self.settle_side(seat, player, index, stake, banker);
            }
        }
    }

    fn settle_base(
        &mut self,
        who: Party,
        played: PlayedHand,
        stake: Amount,
        banker: Setting,
        dealer_push: Option<HandClass>,
    ) {
        let saves_fouls = self.table_rules.book().base_game.dealer_push_fouls;
        let (outcome, reason) = match (dealer_push, played) {
            (Some(class), played) if saves_fouls || matches!(played, PlayedHand::Set(_)) => {
                (Outcome::Push, Reason::DealerPush(class))
            }
            (_, PlayedHand::Foul(_)) => (Outcome::Foul, Reason::Foul),
            (_, PlayedHand::Set(player)) => {
                let high = HandComparison::of(&player.high_strength, &banker.high_strength);
                let low = HandComparison::of(&player.low_strength, &banker.low_strength);
                let outcome = self.table_rules.book().base_game.copies.outcome(high, low);
                (outcome, Reason::Compared { high, low })
            }
        };
        let covered = self.cover_for(outcome, stake);
        let line = |stake, outcome, net, fee, reason, against| Line {
            who,
            wager: WagerRef::PaiGow,
            stake,
            outcome,
            net,
            fee,
            against,
            reason,
        };
        if covered > Amount::ZERO {
            // The house pays no commission on its own hand.
            let fee = match (outcome, who) {
                (Outcome::Win, Party::Seat(_)) => self.table_rules.book().commission.amount_on(covered),
                _ => Amount::ZERO,
            };
            let net = match outcome {
                Outcome::Win => Net(Net::won(covered).0 - fee.cents().cast_signed()),
                Outcome::Push => Net(0),
                _ => Net::lost(covered),
            };
            self.lines.push(line(covered, outcome, net, fee, reason, self.bank));
        }
        if covered < stake {
            let rest = Amount::from_cents(stake.cents() - covered.cents());
            self.lines.push(line(
                rest,
                Outcome::NoAction,
                Net(0),
                Amount::ZERO,
                Reason::NotCovered,
                self.bank,
            ));
        }
    }

    /// Returns the covered part of a stake and reduces the remaining cover (CA-4).
    fn cover_for(&mut self, outcome: Outcome, stake: Amount) -> Amount {
        let Some(left) = &mut self.cover else { return stake };
        if outcome == Outcome::Push {
            // A push moves no money, so it uses no cover. Without any cover left the wager has no action.
            return if *left > 0 { stake } else { Amount::ZERO };
        }
        let covered = stake.cents().min(*left);
        let used = match (self.table_rules.book().banking.cover_use, outcome) {
            (CoverUse::EachDollarOnce | CoverUse::OnceInAll, _) | (CoverUse::LossesOnly, Outcome::Win) => {
                covered
            }
            (CoverUse::LossesOnly, _) => 0,
        };
        *left -= used;
        Amount::from_cents(covered)
    }

    fn settle_side(&mut self, seat: Seat, player: &Player, index: usize, stake: SideStake, banker: Setting) {
        let table_rules = self.table_rules;
        let wager = table_rules.wager(index);
        let (row, reason) = match wager.looks_at {
            DecidingCards::PlayerHand => row_and_reason(
                self.holdings[seat.index()].and_then(|holding| table_rules.row_for(index, holding)),
            ),
            DecidingCards::DealerHand => {
                row_and_reason(self.dealer_holding.and_then(|holding| table_rules.row_for(index, holding)))
            }
            DecidingCards::Color => {
                let cards = stake.color.map_or(0, |color| player.hand.cards().count_color(color) as u8);
                row_and_reason(row_index(table_rules, index, |row| row.wins_on == WinsOn::Cards(cards)))
            }
            DecidingCards::DealerFiveCards => {
                let dealer = self.showdown.dealer().map_or(banker, |dealer| dealer.setting);
                match (self.row_for_five(index, dealer), player.played) {
                    (None, _) => (None, Reason::NoRow),
                    (Some(row), _) if !wager.player_must_beat => (Some(row), Reason::Row(row)),
                    (Some(_), PlayedHand::Foul(_)) => (None, Reason::Foul),
                    (Some(row), PlayedHand::Set(setting)) if setting.high_strength > dealer.high_strength => {
                        (Some(row), Reason::Row(row))
                    }
                    (Some(row), PlayedHand::Set(_)) => (None, Reason::NotBeaten(row)),
                }
            }
        };
        let (outcome, net, reason) = match row.map(|row| (row, table_rules.row(index, row).pays)) {
            None => (Outcome::Lose, Net::lost(stake.amount), reason),
            Some((_, Pays::Push)) => (Outcome::Push, Net(0), reason),
            Some((row, Pays::ToOne(times))) => {
                let (full, paid) = (stake.amount.times(times), wager.payout(times, stake.amount));
                (Outcome::Win, Net::won(paid), if paid < full { Reason::Limited(row) } else { reason })
            }
        };
        self.lines.push(Line {
            who: Party::Seat(seat),
            wager: WagerRef::Side(index as u8),
            stake: stake.amount,
            outcome,
            net,
            fee: Amount::ZERO,
            against: self.payer(index),
            reason,
        });
    }

    /// Returns the row for the highest card of a high hand without a pair.
    fn row_for_five(&self, index: usize, setting: Setting) -> Option<u8> {
        if setting.high_strength.category() != Category::HighCard {
            return None;
        }
        let highest = self.table_rules.evaluator().shape(setting.high_strength).ranks[0];
        let class = HandClass::of_high_card(highest)?;
        row_index(self.table_rules, index, |row| row.wins_on == WinsOn::Class(class))
    }

    /// Party that pays and collects a side wager.
    fn payer(&self, index: usize) -> Party {
        match self.table_rules.wager(index).settled_by {
            SettledBy::House => Party::House,
            SettledBy::Banker => self.bank,
        }
    }

    /// Reduces payouts that together exceed the maximum for a round.
    ///
    /// Each wager gets a share of the maximum in proportion to its full payout. Cents that do not divide go to the
    /// wagers settled first (WA-2).
    fn share_round_limits(&mut self) {
        for index in 0..self.table_rules.side_wager_count() {
            let Some(PayoutMax { amount: Some(max), per: PayoutScope::Round, .. }) =
                self.table_rules.wager(index).payout_max
            else {
                continue;
            };
            let wager = WagerRef::Side(index as u8);
            let is_payout = |line: &&mut Line| line.wager == wager && line.outcome == Outcome::Win;
            let full: i128 = self.lines.iter_mut().filter(is_payout).map(|line| i128::from(line.net.0)).sum();
            let max = i128::from(max.cents());
            if full <= max {
                continue;
            }
            let mut left = max;
            for line in self.lines.iter_mut().filter(is_payout) {
                let share = i128::from(line.net.0) * max / full;
                left -= share;
                line.net = Net(share as i64);
                if let Reason::Row(row) = line.reason {
                    line.reason = Reason::Limited(row);
                }
            }
            for line in self.lines.iter_mut().filter(is_payout).take(usize::try_from(left).unwrap_or(0)) {
                line.net.0 += 1;
            }
        }
    }

    /// Takes the commission of a banking seat on its winnings at the base game (SB-7).
    fn take_banker_commission(&mut self) {
        if self.bank != Party::Banker {
            return;
        }
        let commission = &self.table_rules.book().commission;
        let base =
            self.lines.iter().filter(|line| line.against == Party::Banker && line.wager == WagerRef::PaiGow);
        // The banker pays a winning wager in full. The player's commission is deducted from that payment.
        let results = base.map(|line| -line.net.0 - line.fee.cents().cast_signed());
        let (on, fee) = match commission.banker {
            BankerCommission::NetWin => {
                let won = Amount::from_cents(results.sum::<i64>().max(0).cast_unsigned());
                (won, commission.amount_on(won))
            }
            BankerCommission::EachWin => {
                let wins = results.filter(|won| *won > 0).map(|won| Amount::from_cents(won.cast_unsigned()));
                wins.fold((Amount::ZERO, Amount::ZERO), |(on, fee), won| {
                    (
                        Amount::from_cents(on.cents() + won.cents()),
                        Amount::from_cents(fee.cents() + commission.amount_on(won).cents()),
                    )
                })
            }
        };
        if fee > Amount::ZERO {
            self.lines.push(Line {
                who: Party::Banker,
                wager: WagerRef::PaiGow,
                stake: on,
                outcome: Outcome::Commission,
                net: Net::lost(fee),
                fee: Amount::ZERO,
                against: Party::House,
                reason: Reason::BankerCommission,
            });
        }
    }

    /// Pays envy bonuses (SD-5, CA-6).
    ///
    /// A bonus is paid for each qualifying hand of another player, never for a hand of the same player, and for the
    /// banker's hand only if the book says so. A wager without any action earns none.
    fn pay_envy(&mut self) {
        for index in 0..self.table_rules.side_wager_count() {
            let Some(envy) = &self.table_rules.wager(index).envy else { continue };
            // In most rounds no hand has an envy bonus.
            let bonuses: BySeat<Option<(u8, Amount)>> = std::array::from_fn(|seat| {
                let row = self.table_rules.row_for(index, self.holdings[seat]?)?;
                Some((row, self.table_rules.row(index, row).envy?))
            });
            if bonuses.iter().all(Option::is_none) {
                continue;
            }
            for holder in self.showdown.seats() {
                let stake = self.wagering(holder).and_then(|player| player.stakes.sides[index]);
                let Some(stake) = stake.filter(|stake| stake.amount >= envy.from) else { continue };
                if !self.has_action(holder, index) {
                    continue;
                }
                for other in
                    self.showdown.seats().filter(|other| !self.showdown.owners().same(*other, holder))
                {
                    let counts = if self.showdown.banking_seat() == Some(other) {
                        envy.banker_hand
                    } else {
                        self.playing(other).is_some()
                    };
                    if let Some((row, amount)) = bonuses[other.index()].filter(|_| counts) {
                        self.pay_envy_bonus(holder, index, stake.amount, amount, (other, row));
                    }
                }
            }
        }
    }
}

fn row_and_reason(row: Option<u8>) -> (Option<u8>, Reason) {
    (row, row.map_or(Reason::NoRow, Reason::Row))
}

/// Returns the index of the first row of a posted paytable that matches.
fn row_index(table_rules: &TableRules, index: usize, matches: impl Fn(&PayRow) -> bool) -> Option<u8> {
    table_rules.paytable(index).rows.iter().position(matches).map(|row| row as u8)
}

impl SideWager {
    /// Returns the smallest wager that earns a button, or `None` if no wager within the limits does.
    pub fn min_envy_stake(&self) -> Option<Amount> {
        let min = self.envy.as_ref()?.from.max(self.limits.min);
        (min <= self.limits.max && min > Amount::ZERO).then_some(min)
    }

    /// Returns whether a wager of this amount earns an Envy button.
    pub fn earns_button(&self, amount: Amount) -> bool {
        self.envy.as_ref().is_some_and(|envy| amount >= envy.from)
    }

    /// Returns the payout of a stake at `times` to one, up to the payout maximum per hand.
    ///
    /// A maximum per round does not apply here.
    pub fn payout(&self, times: u32, stake: Amount) -> Amount {
        let max =
            self.payout_max.as_ref().filter(|max| max.per == PayoutScope::Hand).and_then(|max| max.amount);
        max.map_or(stake.times(times), |max| max.min(stake.times(times)))
    }

    /// Returns the payout if no other hand of the round is paid, so that a maximum per round also applies to this hand.
    pub fn single_payout(&self, times: u32, stake: Amount) -> Amount {
        let max = self.payout_max.as_ref().and_then(|max| max.amount);
        max.map_or(stake.times(times), |max| max.min(stake.times(times)))
    }
}

impl Commission {
    /// Returns whether the commission on an amount is a multiple of the unit, so that it is not rounded.
    pub fn is_exact_for(&self, won: Amount) -> bool {
        let exact = u128::from(won.cents()) * u128::from(self.basis_points);
        exact.is_multiple_of(10_000 * u128::from(self.unit.cents()))
    }

    /// Returns the commission on an amount won, rounded by the rules of the book.
    pub fn amount_on(&self, won: Amount) -> Amount {
        let (exact, unit) =
            (u128::from(won.cents()) * u128::from(self.basis_points), u128::from(self.unit.cents()));
        let whole = 10_000 * unit;
        let units = match self.rounding {
            Rounding::Down => exact / whole,
            Rounding::Up => exact.div_ceil(whole),
            Rounding::Nearest => (exact + whole / 2) / whole,
        };
        Amount::from_cents((units * unit).min(u128::from(won.cents())) as u64)
    }
}
