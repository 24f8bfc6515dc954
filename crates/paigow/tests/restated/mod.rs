//! The settlement, said a second time: slowly, and straight from the rules.
//!
//! Nothing here goes through a round line by line. What each party wins is a sum of small functions that are worked out
//! again wherever they are needed, and the cover that is left for a wager is a sum over the wagers before it. How strong
//! five or two cards are, and what classes seven contain, are questions of their own with tests of their own: those
//! answers are taken from [`paigow::Evaluator`] and [`paigow::Holdings`].

use paigow::rulebook::{
    BankerCommission, Copies, Cover, CoverUse, Direction, Fee, LooksAt, PaysFrom, Per, Rounding, Rulebook,
    SettledBy, Taken,
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

/// Whose money a line is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Who {
    Seat(u8),
    Dealer,
    Banker,
}

/// What kind of line it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    Played,
    Returned,
    Envy,
    /// An envy bonus that is not paid; the stake is what is missing.
    Unpaid,
    Commission,
    Collection,
}

/// Who, on which side wager (none for the base game), and what for.
pub(crate) type Key = (Who, Option<usize>, Kind);

/// What comes of it, in cents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// Only of what was played for.
    pub(crate) outcome: Option<Outcome>,
    /// What was played for, or goes back.
    pub(crate) stake: i64,
    /// What the party has more or less of.
    pub(crate) net: i64,
    /// What was kept back from a win.
    pub(crate) fee: i64,
}

/// A round as the rules have it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Restated {
    pub(crate) seats: BySeat<i64>,
    pub(crate) banker: i64,
    pub(crate) house: i64,
    pub(crate) entries: BTreeMap<Key, Entry>,
}

/// A wager on the base game: what it would come to, and how much of it is in action.
struct Base {
    who: Who,
    stake: i64,
    fate: Outcome,
    action: i64,
}

/// A side wager: how much of it is in action, and what that wins.
#[derive(Clone, Copy)]
struct Reach {
    action: i64,
    net: i64,
}

/// Everything that depends on what a banking seat still has, worked out in the order it pays.
struct Paid {
    bases: Vec<Base>,
    sides: BTreeMap<(u8, usize), Reach>,
    /// Envy bonuses that are paid, and those that are not.
    envies: BTreeMap<(u8, usize), (i64, i64)>,
}

/// What a side wager comes to before any maximum.
#[derive(Clone, Copy)]
enum Side {
    Loses,
    Pushes,
    Pays(i64),
}

impl<'a> Round<'a> {
    /// The round, checked by the rules.
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

    /// The seats in the order of settling.
    fn order(&self) -> Vec<Seat> {
        let mut seats: Vec<Seat> = Seat::first(self.book().seats.players).collect();
        if self.book().dealing.order == Direction::CounterClockwise {
            seats.reverse();
        }
        let from = seats.iter().position(|&seat| seat == self.first).unwrap_or(0);
        seats.rotate_left(from);
        seats
    }

    /// What a seat has on the base game.
    fn stake(&self, seat: Seat) -> i64 {
        self.player(seat).map_or(0, |player| cents(player.stakes.pai_gow))
    }

    fn side_stake(&self, seat: Seat, place: usize) -> Option<SideStake> {
        self.player(seat)?.stakes.sides[place]
    }

    fn places(&self) -> std::ops::Range<usize> {
        0..self.book().wagers.len()
    }
}

/// The round, settled.
pub(crate) fn restate(round: &Round<'_>) -> Restated {
    let paid = paid(round);
    Restated {
        seats: std::array::from_fn(|index| {
            Seat::new(index as u8 + 1).map_or(0, |seat| seat_net(round, &paid, seat))
        }),
        banker: banker_net(round, &paid),
        house: house_net(round, &paid),
        entries: entries(round, &paid),
    }
}

fn cents(amount: Amount) -> i64 {
    amount.cents().cast_signed()
}

// What each party has in the end.

fn seat_net(round: &Round<'_>, paid: &Paid, seat: Seat) -> i64 {
    let own = paid.bases.iter().filter(|base| base.who == Who::Seat(seat.number()));
    let base: i64 = own.map(|base| base.won() - player_commission(round, base)).sum();
    let sides: i64 = round.places().map(|place| side_won(paid, seat, place)).sum();
    base + sides - player_fees(round, paid, seat)
}

fn banker_net(round: &Round<'_>, paid: &Paid) -> i64 {
    if round.banking_seat().is_none() {
        return 0;
    }
    let base: i64 = paid.bases.iter().map(Base::won).sum();
    -base - side_total(round, paid, true) - banker_commission(round, &paid.bases) - banker_fees(round, paid)
}

fn house_net(round: &Round<'_>, paid: &Paid) -> i64 {
    let bases = &paid.bases;
    let own_hand: i64 = bases.iter().filter(|base| base.who == Who::Dealer).map(Base::won).sum();
    let as_banker: i64 = bases.iter().filter(|_| round.banking_seat().is_none()).map(Base::won).sum();
    let commissions: i64 = bases.iter().map(|base| player_commission(round, base)).sum();
    let fees: i64 = Seat::first(7).map(|seat| player_fees(round, paid, seat)).sum();
    own_hand - as_banker - side_total(round, paid, false)
        + commissions
        + banker_commission(round, bases)
        + fees
        + banker_fees(round, paid)
}

/// What a seat wins on a side wager and in its envy bonuses.
fn side_won(paid: &Paid, seat: Seat, place: usize) -> i64 {
    let key = (seat.number(), place);
    paid.sides.get(&key).map_or(0, |side| side.net) + paid.envies.get(&key).map_or(0, |envy| envy.0)
}

/// What all seats win on the side wagers and in envy bonuses that the banker settles, or the house.
fn side_total(round: &Round<'_>, paid: &Paid, by_banker: bool) -> i64 {
    let places = round.places().filter(|&place| by_banker == banker_settles(round, place));
    places.flat_map(|place| Seat::first(7).map(move |seat| side_won(paid, seat, place))).sum()
}

fn banker_settles(round: &Round<'_>, place: usize) -> bool {
    round.banking_seat().is_some() && round.book().wagers[place].settled_by == SettledBy::Banker
}

// What a banking seat pays with.

fn paid(round: &Round<'_>) -> Paid {
    let bases = bases(round);
    let once_in_all = round.book().banking.cover_use == CoverUse::OnceInAll;
    // What a wager uses of the money that is put up.
    let uses = |won: i64| if once_in_all { won.abs() } else { won.max(0) };
    let base_used: i64 = bases.iter().map(|base| uses(base.won())).sum();
    let mut rest = match round.bank {
        Bank::Seat { covers: Some(covers), .. } if round.book().banking.pays_from != PaysFrom::Guaranteed => {
            Some(cents(covers) - base_used)
        }
        _ => None,
    };
    let mut sides = BTreeMap::new();
    for seat in round.order() {
        for place in round.places() {
            let Some(stake) = round.side_stake(seat, place) else { continue };
            let whole = Reach { action: cents(stake.amount), net: side_net(round, seat, place) };
            let left = rest.as_mut().filter(|_| banker_settles(round, place));
            let reach = left.map_or(whole, |left| {
                let reach = reached(round, seat, place, whole, *left);
                *left -= uses(reach.net);
                reach
            });
            sides.insert((seat.number(), place), reach);
        }
    }
    let mut envies = BTreeMap::new();
    for place in round.places() {
        for seat in round.order() {
            if sides.get(&(seat.number(), place)).is_none_or(|side| side.action == 0) {
                continue;
            }
            for bonus in envy_bonuses(round, seat, place) {
                let most = rest.filter(|_| banker_settles(round, place)).unwrap_or(i64::MAX);
                let now = bonus.min(most);
                if banker_settles(round, place) {
                    rest = rest.map(|rest| rest - now);
                }
                let sum: &mut (i64, i64) = envies.entry((seat.number(), place)).or_default();
                *sum = (sum.0 + now, sum.1 + bonus - now);
            }
        }
    }
    Paid { bases, sides, envies }
}

/// How much of a side wager is in action with so much left to pay it with, and what that wins.
fn reached(round: &Round<'_>, seat: Seat, place: usize, whole: Reach, left: i64) -> Reach {
    if left == 0 {
        return Reach { action: 0, net: 0 };
    }
    if whole.net < 0 {
        // No more can be lost than is left to pay with.
        let action = whole.action.min(left);
        return Reach { action, net: -action };
    }
    let times = match winning_row(round, seat, place).map(|row| row.pays) {
        Some(Pays::ToOne(times)) if whole.net > left => i64::from(times),
        _ => return whole,
    };
    let action = left / times;
    Reach { action, net: action * times }
}

// The base game.

impl Base {
    /// What it wins before any commission.
    fn won(&self) -> i64 {
        match self.fate {
            Outcome::Win => self.action,
            Outcome::Lose | Outcome::Foul => -self.action,
            _ => 0,
        }
    }
}

/// The wagers on the base game as they are settled: the seats in order, then the dealer's hand against a seat that banks.
fn bases(round: &Round<'_>) -> Vec<Base> {
    let mut bases: Vec<Base> = Vec::new();
    for seat in round.order() {
        if let Some(player) = round.player(seat).filter(|_| round.stake(seat) > 0) {
            let fate = fate(round, player.laid);
            bases.push(Base { who: Who::Seat(seat.number()), stake: round.stake(seat), fate, action: 0 });
        }
    }
    if let Some(dealer) = round.dealer.filter(|dealer| dealer.wager > Amount::ZERO)
        && round.banking_seat().is_some()
    {
        let fate = fate(round, PlayedHand::Set(dealer.setting));
        bases.push(Base { who: Who::Dealer, stake: cents(dealer.wager), fate, action: 0 });
    }
    for place in 0..bases.len() {
        bases[place].action = in_action(&bases[place], cover_left(round, &bases[..place]));
    }
    bases
}

fn in_action(base: &Base, left: Option<i64>) -> i64 {
    match left {
        None => base.stake,
        Some(0) => 0,
        Some(_) if base.fate == Outcome::Push => base.stake,
        Some(left) => base.stake.min(left),
    }
}

/// What is left of the cover after these wagers; nothing is said where all is covered.
fn cover_left(round: &Round<'_>, before: &[Base]) -> Option<i64> {
    let Bank::Seat { covers: Some(covers), .. } = round.bank else { return None };
    if round.book().banking.cover == Cover::All {
        return None;
    }
    let uses = |base: &&Base| match round.book().banking.cover_use {
        CoverUse::EachDollarOnce | CoverUse::OnceInAll => base.fate != Outcome::Push,
        CoverUse::LossesOnly => base.fate == Outcome::Win,
    };
    // Whole stakes: one that is not covered whole leaves nothing either way.
    let used: i64 = before.iter().filter(uses).map(|base| base.stake).sum();
    Some((cents(covers) - used).max(0))
}

/// What becomes of a base wager on a hand laid so, if it is covered.
fn fate(round: &Round<'_>, laid: PlayedHand) -> Outcome {
    let saves_fouls = round.book().base_game.dealer_push_fouls;
    let foul = matches!(laid, PlayedHand::Foul(_));
    if round.banking_seat().is_none() && dealer_push(round) && (saves_fouls || !foul) {
        return Outcome::Push;
    }
    let PlayedHand::Set(own) = laid else { return Outcome::Foul };
    let Some(banker) = banker_setting(round) else { panic!("the banker's hand is set") };
    let evaluator = round.table_rules.evaluator();
    let copies = round.book().base_game.copies;
    let behind = better(&evaluator.high(own.high), &evaluator.high(banker.high), copies);
    let front = better(&evaluator.low(own.low), &evaluator.low(banker.low), copies);
    match (behind, front) {
        (true, true) => Outcome::Win,
        (false, false) => Outcome::Lose,
        _ => Outcome::Push,
    }
}

fn better<T: Ord>(own: &T, banker: &T, copies: Copies) -> bool {
    own > banker || own == banker && copies == Copies::Player
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
        Some(seat) => match round.player(seat)?.laid {
            PlayedHand::Set(setting) => Some(setting),
            PlayedHand::Foul(_) => None,
        },
    }
}

// Commission and fees.

/// The commission on so much, rounded as the book says; rounding up never takes more than there is.
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

/// What a seat pays on a base wager it wins. The house pays itself nothing.
fn player_commission(round: &Round<'_>, base: &Base) -> i64 {
    match (base.who, base.fate) {
        (Who::Seat(_), Outcome::Win) => commission(round.book(), base.action),
        _ => 0,
    }
}

/// What a seat that banks pays on the base game.
fn banker_commission(round: &Round<'_>, bases: &[Base]) -> i64 {
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

/// How much a seat has in action on a wager.
fn seat_action(paid: &Paid, seat: Seat, place: Option<usize>) -> i64 {
    let who = Who::Seat(seat.number());
    match place {
        None => paid.bases.iter().filter(|base| base.who == who).map(|base| base.action).sum(),
        Some(place) => paid.sides.get(&(seat.number(), place)).map_or(0, |side| side.action),
    }
}

fn player_fee(round: &Round<'_>, paid: &Paid, seat: Seat, place: Option<usize>) -> i64 {
    let Some(collection) = &round.book().collection else { return 0 };
    let wager = match (collection.taken, place) {
        (Taken::First, _) => seat_action(paid, seat, place),
        (Taken::Last, None) => round.stake(seat),
        (Taken::Last, Some(_)) => 0,
    };
    fee(if place.is_some() { &collection.bonus } else { &collection.schedule }, wager, |fee| fee.player)
}

fn banker_fee(round: &Round<'_>, paid: &Paid, place: Option<usize>) -> i64 {
    let Some(collection) = &round.book().collection else { return 0 };
    if round.banking_seat().is_none() {
        return 0;
    }
    let dealer = round.dealer.map_or(0, |dealer| cents(dealer.wager));
    let wager = match (collection.taken, place) {
        (Taken::First, None) => paid.bases.iter().map(|base| base.action).sum(),
        (Taken::First, Some(place)) if banker_settles(round, place) => {
            Seat::first(7).map(|seat| seat_action(paid, seat, Some(place))).sum()
        }
        (Taken::Last, None) => Seat::first(7).map(|seat| round.stake(seat)).sum::<i64>() + dealer,
        (_, Some(_)) => 0,
    };
    fee(if place.is_some() { &collection.bonus } else { &collection.schedule }, wager, |fee| fee.banker)
}

fn wagers(round: &Round<'_>) -> impl Iterator<Item = Option<usize>> + use<> {
    std::iter::once(None).chain(round.places().map(Some))
}

fn player_fees(round: &Round<'_>, paid: &Paid, seat: Seat) -> i64 {
    wagers(round).map(|place| player_fee(round, paid, seat, place)).sum()
}

fn banker_fees(round: &Round<'_>, paid: &Paid) -> i64 {
    wagers(round).map(|place| banker_fee(round, paid, place)).sum()
}

/// The fee of the last row that does not begin above the wager.
fn fee(schedule: &[Fee], wager: i64, who: fn(&Fee) -> Amount) -> i64 {
    let row = schedule.iter().rev().find(|row| cents(row.wager_from) <= wager);
    row.filter(|_| wager > 0).map_or(0, |row| cents(who(row)))
}

// Side wagers.

/// What a seat wins or loses on a side wager, envy aside.
fn side_net(round: &Round<'_>, seat: Seat, place: usize) -> i64 {
    match side(round, seat, place) {
        None | Some(Side::Pushes) => 0,
        Some(Side::Loses) => -round.side_stake(seat, place).map_or(0, |stake| cents(stake.amount)),
        Some(Side::Pays(_)) => payout(round, seat, place),
    }
}

fn side(round: &Round<'_>, seat: Seat, place: usize) -> Option<Side> {
    let stake = round.side_stake(seat, place)?;
    Some(match winning_row(round, seat, place).map(|row| row.pays) {
        None => Side::Loses,
        Some(Pays::Push) => Side::Pushes,
        Some(Pays::ToOne(times)) => Side::Pays(cents(stake.amount) * i64::from(times)),
    })
}

/// The row by which a side wager of this seat is paid.
fn winning_row<'p>(round: &Round<'p>, seat: Seat, place: usize) -> Option<&'p PayRow> {
    let table = round.table_rules.paytable(place);
    let player = round.player(seat)?;
    match round.table_rules.wager(place).looks_at {
        LooksAt::PlayerHand => class_row(table, player.hand),
        LooksAt::DealerHand => class_row(table, round.dealer?.hand),
        LooksAt::Color => {
            let color = round.side_stake(seat, place)?.color;
            let of_color = player.hand.cards().iter().filter(|card| card.color() == color).count();
            table.rows.iter().find(|row| row.wins_on == WinsOn::Cards(of_color as u8))
        }
        LooksAt::DealerFiveCards => {
            let evaluator = round.table_rules.evaluator();
            let dealers = evaluator.high(round.dealer?.setting.high);
            let shape = evaluator.shape(dealers);
            let beaten = match player.laid {
                PlayedHand::Set(own) => evaluator.high(own.high) > dealers,
                PlayedHand::Foul(_) => false,
            };
            if shape.category != Category::HighCard
                || round.table_rules.wager(place).player_must_beat && !beaten
            {
                return None;
            }
            let highest = shape.ranks.into_iter().max().and_then(HandClass::of_high_card)?;
            table.rows.iter().find(|row| row.wins_on == WinsOn::Class(highest))
        }
    }
}

/// The row that pays seven cards most, the first of equals.
fn class_row(table: &Paytable, hand: SevenCards) -> Option<&PayRow> {
    let classes = Holdings::of(table.joker).classes_of(hand);
    let worth = |row: &PayRow| match row.pays {
        Pays::Push => -1,
        Pays::ToOne(times) => i64::from(times),
    };
    let held = |row: &&PayRow| matches!(row.wins_on, WinsOn::Class(class) if classes.contains(class));
    let most = table.rows.iter().filter(held).map(worth).max()?;
    table.rows.iter().filter(held).find(|row| worth(row) == most)
}

/// What a seat that wins a side wager is paid, the maximum considered.
fn payout(round: &Round<'_>, seat: Seat, place: usize) -> i64 {
    let full = |seat: Seat| match side(round, seat, place) {
        Some(Side::Pays(pays)) => pays,
        _ => 0,
    };
    let limit = round.book().wagers[place].payout_max.as_ref().and_then(|max| Some((max.per, max.amount?)));
    match limit {
        None => full(seat),
        Some((Per::Hand, most)) => full(seat).min(cents(most)),
        Some((Per::Round, most)) => {
            let most = cents(most);
            let winners: Vec<Seat> = round.order().into_iter().filter(|&seat| full(seat) > 0).collect();
            let total: i64 = winners.iter().map(|&seat| full(seat)).sum();
            if total <= most {
                return full(seat);
            }
            let share = |seat: Seat| (i128::from(full(seat)) * i128::from(most) / i128::from(total)) as i64;
            let over = most - winners.iter().map(|&seat| share(seat)).sum::<i64>();
            let before = winners.iter().take_while(|&&winner| winner != seat).count();
            share(seat) + i64::from((before as u64) < over.unsigned_abs())
        }
    }
}

/// The envy bonuses of a seat on a side wager, one for each hand that earns one.
fn envy_bonuses(round: &Round<'_>, seat: Seat, place: usize) -> Vec<i64> {
    let (Some(envy), Some(stake)) = (&round.table_rules.wager(place).envy, round.side_stake(seat, place))
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
        .filter_map(|other| class_row(round.table_rules.paytable(place), round.player(other)?.hand)?.envy)
        .map(cents)
        .collect()
}

// The same by wager.

fn entries(round: &Round<'_>, paid: &Paid) -> BTreeMap<Key, Entry> {
    let mut entries = BTreeMap::new();
    let returned = |stake: i64| Entry { outcome: None, stake, net: 0, fee: 0 };
    for base in &paid.bases {
        let fee = player_commission(round, base);
        if base.action > 0 {
            let (outcome, net) = (Some(base.fate), base.won() - fee);
            entries.insert((base.who, None, Kind::Played), Entry { outcome, stake: base.action, net, fee });
        }
        if base.stake > base.action {
            entries.insert((base.who, None, Kind::Returned), returned(base.stake - base.action));
        }
    }
    let mut plain = |who: Who, place: Option<usize>, kind: Kind, net: i64| {
        if net != 0 {
            entries.insert((who, place, kind), Entry { outcome: None, stake: 0, net, fee: 0 });
        }
    };
    plain(Who::Banker, None, Kind::Commission, -banker_commission(round, &paid.bases));
    for place in wagers(round) {
        plain(Who::Banker, place, Kind::Collection, -banker_fee(round, paid, place));
        for seat in Seat::first(7) {
            let fee = player_fee(round, paid, seat, place);
            plain(Who::Seat(seat.number()), place, Kind::Collection, -fee);
        }
    }
    for (&(seat, place), &(envy, unpaid)) in &paid.envies {
        let who = Who::Seat(seat);
        if envy > 0 {
            let entry = Entry { outcome: None, stake: 0, net: envy, fee: 0 };
            entries.insert((who, Some(place), Kind::Envy), entry);
        }
        if unpaid > 0 {
            entries.insert((who, Some(place), Kind::Unpaid), returned(unpaid));
        }
    }
    for (&(number, place), &Reach { action, net }) in &paid.sides {
        let Some(seat) = Seat::new(number) else { continue };
        let (Some(stake), Some(side)) = (round.side_stake(seat, place), side(round, seat, place)) else {
            continue;
        };
        let outcome = match side {
            Side::Loses => Outcome::Lose,
            Side::Pushes => Outcome::Push,
            Side::Pays(_) => Outcome::Win,
        };
        let back = cents(stake.amount) - action;
        if action > 0 {
            entries.insert(
                (Who::Seat(number), Some(place), Kind::Played),
                Entry { outcome: Some(outcome), stake: action, net, fee: 0 },
            );
        }
        if back > 0 {
            entries.insert((Who::Seat(number), Some(place), Kind::Returned), returned(back));
        }
    }
    entries
}
