//! Rounds played at random, to check the exact answers from the outside.
//!
//! A [`Simulation`] is a table that plays by what is posted: every seat stakes every wager, every round is shuffled, dealt, set
//! the house way, checked and settled by the one settlement. What it wins and loses is added up in whole cents
//! (`simulation/tally.rs`) and held against the exact odds (`simulation/comparison.rs`).
//!
//! Chance comes from the caller, as a source of random words for each block of rounds. Blocks are of one size and add
//! up in any order, so the same sources give the same tallies on any number of cores.

mod comparison;
mod tally;

pub use comparison::Comparison;
pub use tally::Tallies;

use crate::Progress;
use paigow::rulebook::{BankerCommission, LooksAt, Spots};
use paigow::{
    Amount, Bank, BySeat, Card, Color, Deal, Dealer, HouseWay, Line, PlayedHand, Player, Refusal, Seat,
    Setting, SevenCards, Shuffle, SideStake, Stakes, TableRules,
};
use paigow::{Settlement, Showdown, rulebook::Banker};
use rayon::prelude::*;

/// A table that plays rounds at random.
pub struct Simulation<'a> {
    table_rules: &'a TableRules,
    /// How the seats set; the dealer sets by the book.
    way: &'a HouseWay,
    bank: Bank,
    /// The wagers of the seats that play; a seat that banks has none.
    stakes: BySeat<Option<Stakes>>,
    base_stake: Amount,
    /// What the house wagers against a seat that banks.
    dealer_wager: Amount,
}

/// What is added up by itself and held against an exact answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TalliedWager {
    /// The base game of the seats that play against the banker.
    PaiGow,
    /// The base game of the seat that banks.
    Banking {
        /// Whether its commission is counted: where it is taken on the net win of a round, it can be told only of one hand.
        commission: bool,
    },
    /// A side wager, by its place in the book, without the envy bonuses.
    Side(usize),
    /// The same with the envy bonuses that the seats' hands earn the others.
    SideWithEnvy(usize),
}

/// The stake on the base game where the limits allow it: any usual commission on it is a whole number of cents.
const BASE_STAKE: Amount = Amount::from_cents(10_000);

/// The cards a deal takes are shuffled, the others stay where they are.
const CARDS: usize = 53;

impl<'a> Simulation<'a> {
    /// How many rounds have a source of random words of their own.
    pub const BLOCK: u64 = 1 << 14;

    /// A table at which the first so many seats play, set by a house way. Who banks where nothing is said: the dealer if it may,
    /// the first seat otherwise.
    ///
    /// # Errors
    /// Everything the rules have against such a round.
    pub fn new(
        table_rules: &'a TableRules,
        way: &'a HouseWay,
        seats: u8,
        banker: Option<Seat>,
    ) -> Result<Simulation<'a>, Vec<Refusal>> {
        let book = table_rules.book();
        if seats > book.seats.players {
            return Err(vec![Refusal::SeatOutOfRange { seat: seats, seats: book.seats.players }]);
        }
        let dealer_may = book.banking.bankers.contains(&Banker::Dealer);
        let banker = banker.or((!dealer_may).then_some(Seat::FIRST));
        let limits = &book.base_game.limits;
        let base_stake = BASE_STAKE.max(limits.min).min(limits.max);
        let mut stakes: BySeat<Option<Stakes>> = [None; Seat::COUNT_MAX];
        for seat in Seat::first(seats) {
            let own = if banker == Some(seat) {
                Stakes::default()
            } else {
                all_wagers(table_rules, base_stake, seat)
            };
            stakes[seat.index()] = Some(own);
        }
        let house_plays = banker.is_some() && book.banking.plays_dealer && book.seats.dealer_hand;
        let dealer_wager = if house_plays { base_stake } else { Amount::ZERO };
        let mut simulation =
            Simulation { table_rules, way, bank: Bank::Dealer, stakes, base_stake, dealer_wager };
        if simulation.players() == 0 {
            return Err(vec![Refusal::NoWagers]);
        }
        if let Some(seat) = banker {
            // The odds are those of wagers that are always paid: the bank has what the highest payments come to.
            let action = base_stake.times(simulation.opponents() as u32);
            let reserve = table_rules.reserve(&stakes.map(Option::unwrap_or_default));
            let covers = Amount::from_cents(action.cents().saturating_add(reserve.cents()));
            simulation.bank = Bank::Seat { seat, covers: Some(covers) };
        }
        // One round that is not left to chance shows whether the rules have anything against them all.
        let deal = simulation.deal(&deck(), 1, None).map_err(|refusal| vec![refusal])?;
        simulation.showdown(&deal)?;
        Ok(simulation)
    }

    /// What is posted.
    pub fn table_rules(&self) -> &'a TableRules {
        self.table_rules
    }

    /// The seat that banks, if one does.
    pub fn banker(&self) -> Option<Seat> {
        match self.bank {
            Bank::Dealer => None,
            Bank::Seat { seat, .. } => Some(seat),
        }
    }

    /// How many seats play against the banker.
    pub fn players(&self) -> u8 {
        self.stakes.iter().flatten().filter(|stakes| stakes.pai_gow > Amount::ZERO).count() as u8
    }

    /// How many hands play against the banker: the seats', and the dealer's against a seat that banks.
    fn opponents(&self) -> u8 {
        self.players() + u8::from(self.dealer_wager > Amount::ZERO)
    }

    /// Everything that is added up and compared.
    pub fn accounts(&self) -> Vec<TalliedWager> {
        let each_win = self.table_rules.book().commission.banker == BankerCommission::EachWin;
        let mut accounts = vec![TalliedWager::PaiGow];
        if self.banker().is_some() {
            accounts.push(TalliedWager::Banking { commission: each_win || self.opponents() == 1 });
        }
        for place in 0..self.table_rules.side_wagers() {
            accounts.push(TalliedWager::Side(place));
            let envy = &self.table_rules.wager(place).envy;
            if self.players() > 1 && envy.as_ref().is_some_and(|envy| envy.from <= self.side_stake(place)) {
                accounts.push(TalliedWager::SideWithEnvy(place));
            }
        }
        accounts
    }

    /// How many hands of a round an account is about, and what each has at stake.
    fn staked(&self, account: TalliedWager) -> (u8, Amount) {
        match account {
            TalliedWager::PaiGow => (self.players(), self.base_stake),
            TalliedWager::Banking { .. } => (self.opponents(), self.base_stake),
            TalliedWager::Side(place) | TalliedWager::SideWithEnvy(place) => {
                (self.players(), self.side_stake(place))
            }
        }
    }

    /// What every seat stakes on a side wager.
    fn side_stake(&self, place: usize) -> Amount {
        side_stake(self.table_rules, place)
    }

    /// Plays rounds on all cores. A block takes its words from its own source, by its number from 0; progress is told in
    /// rounds.
    pub fn play<R: FnMut() -> u64>(
        &self,
        rounds: u64,
        source: impl Fn(u64) -> R + Sync,
        progress: Progress<'_>,
    ) -> Tallies {
        (0..rounds.div_ceil(Simulation::BLOCK))
            .into_par_iter()
            .map(|block| {
                let size = Simulation::BLOCK.min(rounds - block * Simulation::BLOCK);
                let tallies = self.play_block(size, source(block));
                progress(size);
                tallies
            })
            .reduce(Tallies::default, |one, other| one + other)
    }

    /// Plays rounds one after the other. What a round needs is made before the first, and nothing is allocated after it.
    ///
    /// # Panics
    /// If the rules refuse a round: then we are wrong.
    pub fn play_block(&self, rounds: u64, random: impl FnMut() -> u64) -> Tallies {
        let mut table =
            SimulatedTable { simulation: self, random, cards: deck(), settlement: Settlement::default() };
        let mut tallies = Tallies::default();
        let commission = self.accounts().contains(&TalliedWager::Banking { commission: true });
        for _ in 0..rounds {
            tallies.add_round(table.play(), self.table_rules.side_wagers(), commission);
        }
        tallies
    }

    fn deal(&self, cards: &[Card; CARDS], dice: u8, pile: Option<u8>) -> Result<Deal, Refusal> {
        let shuffle = Shuffle::new(*cards)?;
        let plays = self.stakes.map(|stakes| stakes.is_some());
        Deal::new(self.table_rules.book(), &shuffle, dice, pile, plays, self.banker())
    }

    fn showdown(&self, deal: &Deal) -> Result<Showdown<'a>, Vec<Refusal>> {
        let mut players: BySeat<Option<Player>> = [None; Seat::COUNT_MAX];
        for ((player, hand), stakes) in players.iter_mut().zip(deal.hands).zip(self.stakes) {
            if let (Some(hand), Some(stakes)) = (hand, stakes) {
                *player = Some(Player { hand, laid: PlayedHand::Set(self.set(self.way, hand)), stakes });
            }
        }
        let house_way = &self.table_rules.book().house_way;
        let dealer = deal.dealer.map(|hand| Dealer {
            hand,
            setting: self.set(house_way, hand),
            wager: self.dealer_wager,
        });
        Showdown::new(self.table_rules, self.bank, deal.first, players, dealer)
    }

    fn set(&self, way: &HouseWay, hand: SevenCards) -> Setting {
        way.decide(hand, self.table_rules.evaluator()).setting
    }

    /// How many places the dice choose from.
    fn places(&self) -> u8 {
        let seats = &self.table_rules.book().seats;
        seats.players + u8::from(seats.dealer_hand)
    }

    /// How many hands are dealt.
    fn piles(&self) -> u8 {
        let book = self.table_rules.book();
        match book.dealing.spots {
            Spots::Every => self.places(),
            Spots::Active => self.stakes.iter().flatten().count() as u8 + u8::from(book.seats.dealer_hand),
        }
    }
}

/// Every wager of a book. Side wagers are as small as they may be and still earn envy bonuses, which are amounts and not odds;
/// colors alternate from seat to seat.
fn all_wagers(table_rules: &TableRules, pai_gow: Amount, seat: Seat) -> Stakes {
    let mut stakes = Stakes { pai_gow, ..Stakes::default() };
    for place in 0..table_rules.side_wagers() {
        let color = if seat.number() % 2 == 1 { Color::Red } else { Color::Black };
        let color = (table_rules.wager(place).looks_at == LooksAt::Color).then_some(color);
        stakes.sides[place] = Some(SideStake { amount: side_stake(table_rules, place), color });
    }
    stakes
}

fn side_stake(table_rules: &TableRules, place: usize) -> Amount {
    let wager = table_rules.wager(place);
    let least = wager.envy.as_ref().map_or(wager.limits.min, |envy| envy.from);
    least.max(wager.limits.min).min(wager.limits.max)
}

fn deck() -> [Card; CARDS] {
    let mut deck = Card::deck();
    std::array::from_fn(|_| deck.next().unwrap_or(Card::JOKER))
}

/// What a block of rounds is played with.
struct SimulatedTable<'a, R> {
    simulation: &'a Simulation<'a>,
    random: R,
    cards: [Card; CARDS],
    settlement: Settlement,
}

impl<R: FnMut() -> u64> SimulatedTable<'_, R> {
    /// Plays a round, and gives the lines of its settlement.
    fn play(&mut self) -> &[Line] {
        let simulation = self.simulation;
        let piles = simulation.piles();
        for packet in 0..usize::from(piles) {
            let counts: [u64; 7] = std::array::from_fn(|i| (CARDS - 7 * packet - i) as u64);
            for (i, from) in below_each(&mut self.random, counts).into_iter().enumerate() {
                let place = 7 * packet + i;
                self.cards.swap(place, place + from as usize);
            }
        }
        let mut one_of = |count: u8| {
            let [number] = below_each(&mut self.random, [u64::from(count)]);
            number as u8 + 1
        };
        let dice = one_of(simulation.places());
        let pile = simulation.table_rules.book().dealing.action_pile.then(|| one_of(piles));
        let showdown = simulation
            .deal(&self.cards, dice, pile)
            .map_err(|refusal| vec![refusal])
            .and_then(|deal| simulation.showdown(&deal));
        match showdown {
            Ok(showdown) => self.settlement.settle(&showdown),
            Err(refusals) => panic!("a round like all others is refused: {refusals:?}"),
        }
        self.settlement.lines()
    }
}

/// Numbers below others, all sets of them equally likely, from one random word.
///
/// A word times the product of the counts has in its upper half a number below that product; multiplied by one count after
/// the other, it gives that number's digits. In the few cases that would make some sets likelier another word is drawn. (Lemire,
/// "Fast random integer generation in an interval", 2019; with Brackett-Rozinsky, "Batched ranged random integer generation", 2024.)
fn below_each<const N: usize>(random: &mut impl FnMut() -> u64, counts: [u64; N]) -> [u64; N] {
    let all: u64 = counts.iter().product();
    loop {
        let mut rest = random();
        let numbers = counts.map(|count| {
            let product = u128::from(rest) * u128::from(count);
            rest = product as u64;
            (product >> 64) as u64
        });
        if rest >= all || rest >= all.wrapping_neg() % all {
            return numbers;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::below_each;

    #[test]
    fn numbers_are_drawn_again_where_some_would_be_likelier() {
        // 2^64 is one more than a multiple of 3: of all words, 0 alone must be drawn again.
        let drawn = |words: &[u64]| {
            let mut words = words.iter().copied();
            let [number] = below_each(&mut || words.next().unwrap(), [3]);
            (number, words.count())
        };
        assert_eq!(drawn(&[0, u64::MAX]), (2, 0));
        assert_eq!(drawn(&[1, u64::MAX]), (0, 1));
        assert_eq!(drawn(&[u64::MAX / 3]), (0, 0));
        assert_eq!(drawn(&[u64::MAX / 3 + 1]), (1, 0));
        assert_eq!(drawn(&[u64::MAX]), (2, 0));
    }

    #[test]
    fn several_numbers_are_the_digits_of_one() {
        let counts = [53, 52, 51, 50, 49, 48, 47];
        let all = counts.iter().product::<u64>();
        // Far from where a word is drawn again.
        for word in (1..2_000).map(|i| u64::MAX / 2_000 * i) {
            let mut number = ((u128::from(word) * u128::from(all)) >> 64) as u64;
            let mut digits = [0; 7];
            for (digit, count) in digits.iter_mut().zip(counts).rev() {
                *digit = number % count;
                number /= count;
            }
            assert_eq!(below_each(&mut || word, counts), digits);
        }
    }
}
