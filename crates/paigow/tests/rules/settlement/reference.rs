//! A reference implementation of settlement, slow and written directly from the rules.
//!
//! It does not produce lines one after another. The net result of each party is a sum of small functions that are
//! recomputed on every use, and the cover left for a wager is a sum over the wagers before it. The strengths
//! of hands and the classes of seven cards have tests of their own. They come from [`paigow::Evaluator`] and
//! [`paigow::Holdings`].

use paigow::rulebook::{
    BankerCommission, CopyWinner, Cover, CoverUse, DecidingCards, Direction, Fee, FeeTiming, PayoutScope,
    PaysFrom, Rounding, Rulebook, SettledBy,
};
use paigow::{
    Amount, Bank, BySeat, Category, Dealer, HandClass, Holdings, Outcome, PayRow, Pays, Paytable, PlayedHand,
    Player, Refusal, Seat, Setting, SevenCards, Showdown, SideStake, TableRules, WinsOn,
};
use std::collections::BTreeMap;

/// A round before it is settled.
#[derive(Clone)]
pub(crate) struct Round<'a> {
    pub(crate) table_rules: &'a TableRules,
    pub(crate) bank: Bank,
    pub(crate) first: Seat,
    pub(crate) players: BySeat<Option<Player>>,
    pub(crate) dealer: Option<Dealer>,
}

/// The party of a settlement line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum LineParty {
    Seat(u8),
    Dealer,
    Banker,
}

/// Kind of a settlement line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum LineKind {
    Played,
    Returned,
    Envy,
    /// An envy bonus that is not paid. The stake is the unpaid amount.
    Unpaid,
    Commission,
    Collection,
}

/// Key of a line: the party, the index of the side wager (`None` for the base game), and the kind.
pub(crate) type LineKey = (LineParty, Option<usize>, LineKind);

/// Amounts of the lines with the same key, in cents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LineAmounts {
    /// Outcome of a wager that was played. `None` for the other kinds.
    pub(crate) outcome: Option<Outcome>,
    /// Stake that was played or returned.
    pub(crate) stake: i64,
    /// Net result of the party.
    pub(crate) net: i64,
    /// Commission withheld from a win.
    pub(crate) fee: i64,
}

/// A settlement as the rules require it, in cents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ReferenceSettlement {
    pub(crate) seats: BySeat<i64>,
    pub(crate) banker: i64,
    pub(crate) house: i64,
    pub(crate) lines: BTreeMap<LineKey, LineAmounts>,
}

/// A wager on the base game.
struct BaseWager {
    party: LineParty,
    stake: i64,
    /// Outcome of the wager if it is in action.
    outcome: Outcome,
    /// Part of the stake that is in action.
    action: i64,
}

/// The part of a side wager that is in action, and its net result.
#[derive(Clone, Copy)]
struct SideResult {
    action: i64,
    net: i64,
}

/// The results that depend on the remaining funds of a banking seat, computed in the order of payment.
struct Results {
    bases: Vec<BaseWager>,
    sides: BTreeMap<(u8, usize), SideResult>,
    /// Envy bonuses by seat and side wager: the amount paid and the amount unpaid.
    envies: BTreeMap<(u8, usize), (i64, i64)>,
}

/// Outcome of a side wager before any maximum payout.
#[derive(Clone, Copy)]
enum SideOutcome {
    Loses,
    Pushes,
    Pays(i64),
}

impl<'a> Round<'a> {
    /// Validates the round against the rules.
    pub(crate) fn showdown(&self) -> Result<Showdown<'a>, Vec<Refusal>> {
        Showdown::new(self.table_rules, self.bank, self.first, self.players, self.dealer)
    }

    fn book(&self) -> &Rulebook {
        self.table_rules.book()
    }

    fn banking_seat(&self) -> Option<Seat> {
        match self.bank {
            Bank::Dealer => None,
            Bank::Seat { seat, .. } => Some(seat),
        }
    }

    fn player(&self, seat: Seat) -> Option<&Player> {
        self.players[seat.index()].as_ref()
    }

    /// The seats in the order of settlement.
    fn order(&self) -> Vec<Seat> {
        let mut seats: Vec<Seat> = Seat::up_to(self.book().seats.players).collect();
        if self.book().dealing.order == Direction::CounterClockwise {
            seats.reverse();
        }
        let from = seats.iter().position(|&seat| seat == self.first).unwrap_or(0);
        seats.rotate_left(from);
        seats
    }

    /// Stake of a seat on the base game.
    fn stake(&self, seat: Seat) -> i64 {
        self.player(seat).map_or(0, |player| cents(player.stakes.pai_gow))
    }

    fn side_stake(&self, seat: Seat, wager: usize) -> Option<SideStake> {
        self.player(seat)?.stakes.sides[wager]
    }

    fn side_wagers(&self) -> std::ops::Range<usize> {
        0..self.book().wagers.len()
    }
}

/// Settles a round.
pub(crate) fn reference_settlement(round: &Round<'_>) -> ReferenceSettlement {
    let results = results(round);
    ReferenceSettlement {
        seats: std::array::from_fn(|index| {
            Seat::new(index as u8 + 1).map_or(0, |seat| seat_net(round, &results, seat))
        }),
        banker: banker_net(round, &results),
        house: house_net(round, &results),
        lines: lines(round, &results),
    }
}

fn cents(amount: Amount) -> i64 {
    amount.cents().cast_signed()
}

// Net results of the parties.

fn seat_net(round: &Round<'_>, results: &Results, seat: Seat) -> i64 {
    let own = results.bases.iter().filter(|base| base.party == LineParty::Seat(seat.number()));
    let base: i64 = own.map(|base| base.won() - player_commission(round, base)).sum();
    let sides: i64 = round.side_wagers().map(|wager| side_won(results, seat, wager)).sum();
    base + sides - player_fees(round, results, seat)
}

fn banker_net(round: &Round<'_>, results: &Results) -> i64 {
    if round.banking_seat().is_none() {
        return 0;
    }
    let base: i64 = results.bases.iter().map(BaseWager::won).sum();
    -base
        - side_total(round, results, true)
        - banker_commission(round, &results.bases)
        - banker_fees(round, results)
}

fn house_net(round: &Round<'_>, results: &Results) -> i64 {
    let bases = &results.bases;
    let own_hand: i64 = bases.iter().filter(|base| base.party == LineParty::Dealer).map(BaseWager::won).sum();
    let as_banker: i64 = bases.iter().filter(|_| round.banking_seat().is_none()).map(BaseWager::won).sum();
    let commissions: i64 = bases.iter().map(|base| player_commission(round, base)).sum();
    let fees: i64 = Seat::up_to(7).map(|seat| player_fees(round, results, seat)).sum();
    own_hand - as_banker - side_total(round, results, false)
        + commissions
        + banker_commission(round, bases)
        + fees
        + banker_fees(round, results)
}

/// Net result of a seat on a side wager, including its envy bonuses.
fn side_won(results: &Results, seat: Seat, wager: usize) -> i64 {
    let key = (seat.number(), wager);
    results.sides.get(&key).map_or(0, |side| side.net) + results.envies.get(&key).map_or(0, |envy| envy.0)
}

/// Net result of all seats on the side wagers that the banker settles, or those that the house settles.
fn side_total(round: &Round<'_>, results: &Results, by_banker: bool) -> i64 {
    let wagers = round.side_wagers().filter(|&wager| by_banker == banker_settles(round, wager));
    wagers.flat_map(|wager| Seat::up_to(7).map(move |seat| side_won(results, seat, wager))).sum()
}

fn banker_settles(round: &Round<'_>, wager: usize) -> bool {
    round.banking_seat().is_some() && round.book().wagers[wager].settled_by == SettledBy::Banker
}

// Funds of a banking seat.

fn results(round: &Round<'_>) -> Results {
    let bases = bases(round);
    let once_in_all = round.book().banking.cover_use == CoverUse::OnceInAll;
    // Amount of the banker's funds that a wager uses.
    let uses = |won: i64| if once_in_all { won.abs() } else { won.max(0) };
    let base_used: i64 = bases.iter().map(|base| uses(base.won())).sum();
    let mut funds = match round.bank {
        Bank::Seat { covers: Some(covers), .. } if round.book().banking.pays_from != PaysFrom::Guaranteed => {
            Some(cents(covers) - base_used)
        }
        _ => None,
    };
    let mut sides = BTreeMap::new();
    for seat in round.order() {
        for wager in round.side_wagers() {
            let Some(stake) = round.side_stake(seat, wager) else { continue };
            let whole = SideResult { action: cents(stake.amount), net: side_net(round, seat, wager) };
            let left = funds.as_mut().filter(|_| banker_settles(round, wager));
            let result = left.map_or(whole, |left| {
                let result = limit_to_funds(round, seat, wager, whole, *left);
                *left -= uses(result.net);
                result
            });
            sides.insert((seat.number(), wager), result);
        }
    }
    let mut envies = BTreeMap::new();
    for wager in round.side_wagers() {
        for seat in round.order() {
            if sides.get(&(seat.number(), wager)).is_none_or(|side| side.action == 0) {
                continue;
            }
            for bonus in envy_bonuses(round, seat, wager) {
                let max = funds.filter(|_| banker_settles(round, wager)).unwrap_or(i64::MAX);
                let paid = bonus.min(max);
                if banker_settles(round, wager) {
                    funds = funds.map(|funds| funds - paid);
                }
                let sum: &mut (i64, i64) = envies.entry((seat.number(), wager)).or_default();
                *sum = (sum.0 + paid, sum.1 + bonus - paid);
            }
        }
    }
    Results { bases, sides, envies }
}

/// Limits a side wager to the funds that are left.
fn limit_to_funds(round: &Round<'_>, seat: Seat, wager: usize, whole: SideResult, left: i64) -> SideResult {
    if left == 0 {
        return SideResult { action: 0, net: 0 };
    }
    if whole.net < 0 {
        // A player cannot lose more than the banker has left to pay with.
        let action = whole.action.min(left);
        return SideResult { action, net: -action };
    }
    let times = match winning_row(round, seat, wager).map(|row| row.pays) {
        Some(Pays::ToOne(times)) if whole.net > left => i64::from(times),
        _ => return whole,
    };
    let action = left / times;
    SideResult { action, net: action * times }
}

// The base game.

impl BaseWager {
    /// Net result before commission.
    fn won(&self) -> i64 {
        match self.outcome {
            Outcome::Win => self.action,
            Outcome::Lose | Outcome::Foul => -self.action,
            _ => 0,
        }
    }
}

/// The wagers on the base game in the order of settlement: the seats, then the dealer's wager against a banking seat.
fn bases(round: &Round<'_>) -> Vec<BaseWager> {
    let mut bases: Vec<BaseWager> = Vec::new();
    for seat in round.order() {
        if let Some(player) = round.player(seat).filter(|_| round.stake(seat) > 0) {
            let outcome = base_outcome(round, player.played);
            let party = LineParty::Seat(seat.number());
            bases.push(BaseWager { party, stake: round.stake(seat), outcome, action: 0 });
        }
    }
    if let Some(dealer) = round.dealer.filter(|dealer| dealer.wager > Amount::ZERO)
        && round.banking_seat().is_some()
    {
        let outcome = base_outcome(round, PlayedHand::Set(dealer.setting));
        bases.push(BaseWager { party: LineParty::Dealer, stake: cents(dealer.wager), outcome, action: 0 });
    }
    for index in 0..bases.len() {
        bases[index].action = in_action(&bases[index], cover_left(round, &bases[..index]));
    }
    bases
}

fn in_action(base: &BaseWager, left: Option<i64>) -> i64 {
    match left {
        None => base.stake,
        Some(0) => 0,
        Some(_) if base.outcome == Outcome::Push => base.stake,
        Some(left) => base.stake.min(left),
    }
}

/// Cover left after these wagers, or `None` if every wager is covered.
fn cover_left(round: &Round<'_>, before: &[BaseWager]) -> Option<i64> {
    let Bank::Seat { covers: Some(covers), .. } = round.bank else { return None };
    if round.book().banking.cover == Cover::All {
        return None;
    }
    let uses = |base: &&BaseWager| match round.book().banking.cover_use {
        CoverUse::EachDollarOnce | CoverUse::OnceInAll => base.outcome != Outcome::Push,
        CoverUse::LossesOnly => base.outcome == Outcome::Win,
    };
    // Whole stakes count, because a wager that is covered in part uses up all the cover.
    let used: i64 = before.iter().filter(uses).map(|base| base.stake).sum();
    Some((cents(covers) - used).max(0))
}

/// Outcome of a base wager on a played hand, if the wager is in action.
fn base_outcome(round: &Round<'_>, played: PlayedHand) -> Outcome {
    let fouls_push = round.book().base_game.dealer_push_fouls;
    let foul = matches!(played, PlayedHand::Foul(_));
    if round.banking_seat().is_none() && dealer_push(round) && (fouls_push || !foul) {
        return Outcome::Push;
    }
    let PlayedHand::Set(own) = played else { return Outcome::Foul };
    let Some(banker) = banker_setting(round) else { panic!("the banker's hand is set") };
    let evaluator = round.table_rules.evaluator();
    let copies = round.book().base_game.copies;
    let high = better(&evaluator.high(own.high), &evaluator.high(banker.high), copies);
    let low = better(&evaluator.low(own.low), &evaluator.low(banker.low), copies);
    match (high, low) {
        (true, true) => Outcome::Win,
        (false, false) => Outcome::Lose,
        _ => Outcome::Push,
    }
}

fn better<T: Ord>(own: &T, banker: &T, copies: CopyWinner) -> bool {
    own > banker || own == banker && copies == CopyWinner::Player
}

fn dealer_push(round: &Round<'_>) -> bool {
    let Some(dealer) = round.dealer else { return false };
    let joker = round.table_rules.evaluator().ranking().joker;
    let classes = Holdings::of(joker).classes_of(dealer.hand);
    round.book().base_game.dealer_push.iter().any(|&class| classes.contains(class))
}

fn banker_setting(round: &Round<'_>) -> Option<Setting> {
    match round.banking_seat() {
        None => round.dealer.map(|dealer| dealer.setting),
        Some(seat) => match round.player(seat)?.played {
            PlayedHand::Set(setting) => Some(setting),
            PlayedHand::Foul(_) => None,
        },
    }
}

// Commission and fees.

/// Commission on a win, rounded as the book says, and at most the win.
fn commission(book: &Rulebook, won: i64) -> i64 {
    let parts = i128::from(won) * i128::from(book.commission.basis_points);
    let unit = i128::from(cents(book.commission.unit));
    let whole = unit * 10_000;
    let below = parts / whole;
    let over = parts % whole;
    let up = match book.commission.rounding {
        Rounding::Down => false,
        Rounding::Up => over > 0,
        Rounding::Nearest => 2 * over >= whole,
    };
    let rounded = ((below + i128::from(up)) * unit) as i64;
    rounded.min(won)
}

/// Commission of a seat on a base wager that it wins. The dealer's hand pays none.
fn player_commission(round: &Round<'_>, base: &BaseWager) -> i64 {
    match (base.party, base.outcome) {
        (LineParty::Seat(_), Outcome::Win) => commission(round.book(), base.action),
        _ => 0,
    }
}

/// Commission of a banking seat on the base game.
fn banker_commission(round: &Round<'_>, bases: &[BaseWager]) -> i64 {
    if round.banking_seat().is_none() {
        return 0;
    }
    let wins = bases.iter().map(|base| -base.won());
    match round.book().commission.banker {
        BankerCommission::EachWin => {
            wins.filter(|&win| win > 0).map(|win| commission(round.book(), win)).sum()
        }
        BankerCommission::NetWin => commission(round.book(), wins.sum::<i64>().max(0)),
    }
}

/// Amount that a seat has in action on a wager.
fn seat_action(results: &Results, seat: Seat, wager: Option<usize>) -> i64 {
    let party = LineParty::Seat(seat.number());
    match wager {
        None => results.bases.iter().filter(|base| base.party == party).map(|base| base.action).sum(),
        Some(wager) => results.sides.get(&(seat.number(), wager)).map_or(0, |side| side.action),
    }
}

fn player_fee(round: &Round<'_>, results: &Results, seat: Seat, wager: Option<usize>) -> i64 {
    let Some(collection) = &round.book().collection else { return 0 };
    let amount = match (collection.taken, wager) {
        (FeeTiming::First, _) => seat_action(results, seat, wager),
        (FeeTiming::Last, None) => round.stake(seat),
        (FeeTiming::Last, Some(_)) => 0,
    };
    fee(if wager.is_some() { &collection.bonus } else { &collection.schedule }, amount, |fee| fee.player)
}

fn banker_fee(round: &Round<'_>, results: &Results, wager: Option<usize>) -> i64 {
    let Some(collection) = &round.book().collection else { return 0 };
    if round.banking_seat().is_none() {
        return 0;
    }
    let dealer = round.dealer.map_or(0, |dealer| cents(dealer.wager));
    let amount = match (collection.taken, wager) {
        (FeeTiming::First, None) => results.bases.iter().map(|base| base.action).sum(),
        (FeeTiming::First, Some(wager)) if banker_settles(round, wager) => {
            Seat::up_to(7).map(|seat| seat_action(results, seat, Some(wager))).sum()
        }
        (FeeTiming::Last, None) => Seat::up_to(7).map(|seat| round.stake(seat)).sum::<i64>() + dealer,
        (_, Some(_)) => 0,
    };
    fee(if wager.is_some() { &collection.bonus } else { &collection.schedule }, amount, |fee| fee.banker)
}

/// The base game (`None`) and the indices of the side wagers.
fn wagers(round: &Round<'_>) -> impl Iterator<Item = Option<usize>> + use<> {
    std::iter::once(None).chain(round.side_wagers().map(Some))
}

fn player_fees(round: &Round<'_>, results: &Results, seat: Seat) -> i64 {
    wagers(round).map(|wager| player_fee(round, results, seat, wager)).sum()
}

fn banker_fees(round: &Round<'_>, results: &Results) -> i64 {
    wagers(round).map(|wager| banker_fee(round, results, wager)).sum()
}

/// Fee of the last row that does not start above the amount. `payer` selects the player's or the banker's fee.
fn fee(schedule: &[Fee], amount: i64, payer: fn(&Fee) -> Amount) -> i64 {
    let row = schedule.iter().rev().find(|row| cents(row.wager_from) <= amount);
    row.filter(|_| amount > 0).map_or(0, |row| cents(payer(row)))
}

// Side wagers.

/// Net result of a seat on a side wager, without envy bonuses.
fn side_net(round: &Round<'_>, seat: Seat, wager: usize) -> i64 {
    match side_outcome(round, seat, wager) {
        None | Some(SideOutcome::Pushes) => 0,
        Some(SideOutcome::Loses) => -round.side_stake(seat, wager).map_or(0, |stake| cents(stake.amount)),
        Some(SideOutcome::Pays(_)) => payout(round, seat, wager),
    }
}

fn side_outcome(round: &Round<'_>, seat: Seat, wager: usize) -> Option<SideOutcome> {
    let stake = round.side_stake(seat, wager)?;
    Some(match winning_row(round, seat, wager).map(|row| row.pays) {
        None => SideOutcome::Loses,
        Some(Pays::Push) => SideOutcome::Pushes,
        Some(Pays::ToOne(times)) => SideOutcome::Pays(cents(stake.amount) * i64::from(times)),
    })
}

/// The paytable row that pays a side wager of this seat.
fn winning_row<'p>(round: &Round<'p>, seat: Seat, wager: usize) -> Option<&'p PayRow> {
    let table = round.table_rules.paytable(wager);
    let player = round.player(seat)?;
    match round.table_rules.wager(wager).looks_at {
        DecidingCards::PlayerHand => class_row(table, player.hand),
        DecidingCards::DealerHand => class_row(table, round.dealer?.hand),
        DecidingCards::Color => {
            let color = round.side_stake(seat, wager)?.color;
            let of_color = player.hand.cards().iter().filter(|card| card.color() == color).count();
            table.rows.iter().find(|row| row.wins_on == WinsOn::Cards(of_color as u8))
        }
        DecidingCards::DealerFiveCards => {
            let evaluator = round.table_rules.evaluator();
            let dealers = evaluator.high(round.dealer?.setting.high);
            let shape = evaluator.shape(dealers);
            let beaten = match player.played {
                PlayedHand::Set(own) => evaluator.high(own.high) > dealers,
                PlayedHand::Foul(_) => false,
            };
            if shape.category != Category::HighCard
                || round.table_rules.wager(wager).player_must_beat && !beaten
            {
                return None;
            }
            let highest = shape.ranks.into_iter().max().and_then(HandClass::of_high_card)?;
            table.rows.iter().find(|row| row.wins_on == WinsOn::Class(highest))
        }
    }
}

/// The row with the highest payout for seven cards, the first of equals.
fn class_row(table: &Paytable, hand: SevenCards) -> Option<&PayRow> {
    let classes = Holdings::of(table.joker).classes_of(hand);
    let payout = |row: &PayRow| match row.pays {
        Pays::Push => -1,
        Pays::ToOne(times) => i64::from(times),
    };
    let held = |row: &&PayRow| matches!(row.wins_on, WinsOn::Class(class) if classes.contains(class));
    let highest = table.rows.iter().filter(held).map(payout).max()?;
    table.rows.iter().filter(held).find(|row| payout(row) == highest)
}

/// Payout of a seat that wins a side wager, under the maximum payout.
fn payout(round: &Round<'_>, seat: Seat, wager: usize) -> i64 {
    let full = |seat: Seat| match side_outcome(round, seat, wager) {
        Some(SideOutcome::Pays(pays)) => pays,
        _ => 0,
    };
    let limit = round.book().wagers[wager].payout_max.as_ref().and_then(|max| Some((max.per, max.amount?)));
    match limit {
        None => full(seat),
        Some((PayoutScope::Hand, max)) => full(seat).min(cents(max)),
        Some((PayoutScope::Round, max)) => {
            let max = cents(max);
            let winners: Vec<Seat> = round.order().into_iter().filter(|&seat| full(seat) > 0).collect();
            let total: i64 = winners.iter().map(|&seat| full(seat)).sum();
            if total <= max {
                return full(seat);
            }
            let share = |seat: Seat| (i128::from(full(seat)) * i128::from(max) / i128::from(total)) as i64;
            let over = max - winners.iter().map(|&seat| share(seat)).sum::<i64>();
            let before = winners.iter().take_while(|&&winner| winner != seat).count();
            share(seat) + i64::from((before as u64) < over.unsigned_abs())
        }
    }
}

/// Envy bonuses of a seat on a side wager, one for each hand that earns one.
fn envy_bonuses(round: &Round<'_>, seat: Seat, wager: usize) -> Vec<i64> {
    let (Some(envy), Some(stake)) = (&round.table_rules.wager(wager).envy, round.side_stake(seat, wager))
    else {
        return Vec::new();
    };
    if stake.amount < envy.from {
        return Vec::new();
    }
    let counts = |other: &Seat| {
        if round.banking_seat() == Some(*other) { envy.banker_hand } else { round.stake(*other) > 0 }
    };
    let others = round.order().into_iter().filter(|other| *other != seat).filter(counts);
    others
        .filter_map(|other| class_row(round.table_rules.paytable(wager), round.player(other)?.hand)?.envy)
        .map(cents)
        .collect()
}

// Lines by wager.

fn lines(round: &Round<'_>, results: &Results) -> BTreeMap<LineKey, LineAmounts> {
    let mut lines = BTreeMap::new();
    let returned = |stake: i64| LineAmounts { outcome: None, stake, net: 0, fee: 0 };
    for base in &results.bases {
        let fee = player_commission(round, base);
        if base.action > 0 {
            let (outcome, net) = (Some(base.outcome), base.won() - fee);
            let amounts = LineAmounts { outcome, stake: base.action, net, fee };
            lines.insert((base.party, None, LineKind::Played), amounts);
        }
        if base.stake > base.action {
            lines.insert((base.party, None, LineKind::Returned), returned(base.stake - base.action));
        }
    }
    let mut add_net = |party: LineParty, wager: Option<usize>, kind: LineKind, net: i64| {
        if net != 0 {
            lines.insert((party, wager, kind), LineAmounts { outcome: None, stake: 0, net, fee: 0 });
        }
    };
    add_net(LineParty::Banker, None, LineKind::Commission, -banker_commission(round, &results.bases));
    for wager in wagers(round) {
        add_net(LineParty::Banker, wager, LineKind::Collection, -banker_fee(round, results, wager));
        for seat in Seat::up_to(7) {
            let fee = player_fee(round, results, seat, wager);
            add_net(LineParty::Seat(seat.number()), wager, LineKind::Collection, -fee);
        }
    }
    for (&(seat, wager), &(envy, unpaid)) in &results.envies {
        let party = LineParty::Seat(seat);
        if envy > 0 {
            let amounts = LineAmounts { outcome: None, stake: 0, net: envy, fee: 0 };
            lines.insert((party, Some(wager), LineKind::Envy), amounts);
        }
        if unpaid > 0 {
            lines.insert((party, Some(wager), LineKind::Unpaid), returned(unpaid));
        }
    }
    for (&(number, wager), &SideResult { action, net }) in &results.sides {
        let Some(seat) = Seat::new(number) else { continue };
        let outcome = side_outcome(round, seat, wager);
        let (Some(stake), Some(outcome)) = (round.side_stake(seat, wager), outcome) else {
            continue;
        };
        let outcome = match outcome {
            SideOutcome::Loses => Outcome::Lose,
            SideOutcome::Pushes => Outcome::Push,
            SideOutcome::Pays(_) => Outcome::Win,
        };
        let back = cents(stake.amount) - action;
        if action > 0 {
            lines.insert(
                (LineParty::Seat(number), Some(wager), LineKind::Played),
                LineAmounts { outcome: Some(outcome), stake: action, net, fee: 0 },
            );
        }
        if back > 0 {
            lines.insert((LineParty::Seat(number), Some(wager), LineKind::Returned), returned(back));
        }
    }
    lines
}
