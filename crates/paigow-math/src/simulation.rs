//! Simulation of random rounds, as an independent check of the exact odds.
//!
//! A [`Simulation`] is a table at which every seat stakes every wager. Every round is shuffled, dealt, set the house
//! way, checked, and settled by the same [`Settlement`] as a real round. `simulation/tally.rs` adds up the wins and
//! losses in whole cents, and `simulation/comparison.rs` compares them with the exact odds.
//!
//! The caller supplies a source of random words for each block of rounds. Blocks have a fixed size and their tallies
//! can be added in any order, so the same sources give the same tallies on any number of threads.

mod comparison;
mod tally;

pub use comparison::Comparison;
pub use tally::Tallies;

use crate::Progress;
use paigow::rulebook::{BankerCommission, DecidingCards, Spots};
use paigow::{
    Amount, Bank, BySeat, Card, Color, Deal, Dealer, HouseWay, Line, PlayedHand, Player, Refusal, Seat,
    Setting, SevenCards, Shuffle, SideStake, Stakes, TableRules,
};
use paigow::{Settlement, Showdown, rulebook::Banker};
use rayon::prelude::*;

/// A table that plays random rounds.
///
/// # Examples
///
/// ```
/// use paigow_math::{QUIET, Simulation};
/// # use paigow::{Rulebook, TableRules, rulebook::BuiltIn};
/// # use std::sync::Arc;
/// # let name = BuiltIn::book_names().next().expect("at least one built-in book");
/// # let book = Arc::new(Rulebook::built_in(name)?);
/// # let table_rules = TableRules::new(book, &[]).expect("the default paytables can be posted");
///
/// let house_way = &table_rules.book().house_way;
/// let simulation = Simulation::new(&table_rules, house_way, 2, None).expect("two seats can play");
/// // A linear congruential generator for each block of rounds. Real simulations use a better generator.
/// let source = |block: u64| {
///     let mut state = block;
///     move || {
///         state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
///         state
///     }
/// };
/// assert_eq!(simulation.play(1_000, source, QUIET).rounds(), 1_000);
/// # Ok::<(), paigow::rulebook::LoadError>(())
/// ```
pub struct Simulation<'a> {
    table_rules: &'a TableRules,
    /// House way of the seats. The dealer uses the house way of the book.
    way: &'a HouseWay,
    bank: Bank,
    /// Stakes of the occupied seats. A banking seat stakes nothing.
    stakes: BySeat<Option<Stakes>>,
    base_stake: Amount,
    /// Wager of the dealer's hand against a banking seat.
    dealer_wager: Amount,
}

/// A wager that is tallied separately and compared with its exact odds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TalliedWager {
    /// The base game of the seats that play against the banker.
    PaiGow,
    /// The base game of the banking seat.
    Banking {
        /// Whether the banker's commission is included. A commission on the net win of a round has exact odds only
        /// against a single hand.
        commission: bool,
    },
    /// A side wager without envy bonuses, by its index among the offered ones.
    Side(usize),
    /// A side wager with the envy bonuses that the seats' hands earn for the other seats, by its index among the
    /// offered ones.
    SideWithEnvy(usize),
}

/// Stake on the base game if the limits allow it. All usual commissions on it are whole cents.
const BASE_STAKE: Amount = Amount::from_cents(10_000);

/// Number of cards in the deck.
const CARDS: usize = 53;

impl<'a> Simulation<'a> {
    /// Number of rounds that share one source of random words.
    pub const BLOCK: u64 = 1 << 14;

    /// Creates a table at which the first `seats` seats play and set by a house way.
    ///
    /// If `banker` is `None`, the dealer banks if the book allows it, and else the first seat.
    ///
    /// # Errors
    /// All refusals of the rules for such a round.
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
        for seat in Seat::up_to(seats) {
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
            // The exact odds assume that every win is paid in full, so the bank covers the highest possible payouts.
            let action = base_stake.times(simulation.opponents() as u32);
            let reserve = table_rules.reserve(&stakes.map(Option::unwrap_or_default));
            let covers = Amount::from_cents(action.cents().saturating_add(reserve.cents()));
            simulation.bank = Bank::Seat { seat, covers: Some(covers) };
        }
        // All rounds have the same wagers, so the rules either refuse all rounds or none. One fixed round decides.
        let deal = simulation.deal(&deck(), 1, None).map_err(|refusal| vec![refusal])?;
        simulation.showdown(&deal)?;
        Ok(simulation)
    }

    /// The rules of the table.
    pub fn table_rules(&self) -> &'a TableRules {
        self.table_rules
    }

    /// The banking seat, or `None` if the dealer banks.
    pub fn banker(&self) -> Option<Seat> {
        match self.bank {
            Bank::Dealer => None,
            Bank::Seat { seat, .. } => Some(seat),
        }
    }

    /// Number of seats that play against the banker.
    pub fn players(&self) -> u8 {
        self.stakes.iter().flatten().filter(|stakes| stakes.pai_gow > Amount::ZERO).count() as u8
    }

    /// Number of hands that play against the banker: the seats' hands, and the dealer's if it plays against a seat.
    fn opponents(&self) -> u8 {
        self.players() + u8::from(self.dealer_wager > Amount::ZERO)
    }

    /// The wagers that are tallied and compared.
    pub fn tallied_wagers(&self) -> Vec<TalliedWager> {
        let each_win = self.table_rules.book().commission.banker == BankerCommission::EachWin;
        let mut wagers = vec![TalliedWager::PaiGow];
        if self.banker().is_some() {
            wagers.push(TalliedWager::Banking { commission: each_win || self.opponents() == 1 });
        }
        for index in 0..self.table_rules.side_wager_count() {
            wagers.push(TalliedWager::Side(index));
            let envy = &self.table_rules.wager(index).envy;
            if self.players() > 1 && envy.as_ref().is_some_and(|envy| envy.from <= self.side_stake(index)) {
                wagers.push(TalliedWager::SideWithEnvy(index));
            }
        }
        wagers
    }

    /// Number of hands per round that a tallied wager covers, and the stake of each hand.
    fn hands_and_stake(&self, wager: TalliedWager) -> (u8, Amount) {
        match wager {
            TalliedWager::PaiGow => (self.players(), self.base_stake),
            TalliedWager::Banking { .. } => (self.opponents(), self.base_stake),
            TalliedWager::Side(index) | TalliedWager::SideWithEnvy(index) => {
                (self.players(), self.side_stake(index))
            }
        }
    }

    /// Stake of every seat on a side wager, given by its index among the offered ones.
    fn side_stake(&self, index: usize) -> Amount {
        side_stake(self.table_rules, index)
    }

    /// Plays rounds in parallel.
    ///
    /// `source` returns the source of random words for a block, given the index of the block. Progress is reported in
    /// rounds.
    pub fn play<R: FnMut() -> u64>(
        &self,
        rounds: u64,
        source: impl Fn(u64) -> R + Sync,
        progress: Progress<'_>,
    ) -> Tallies {
        (0..rounds.div_ceil(Simulation::BLOCK))
            .into_par_iter()
            // Without the fuse, a cancelled simulation would visit all remaining blocks.
            .panic_fuse()
            .map(|block| {
                progress(0);
                let size = Simulation::BLOCK.min(rounds - block * Simulation::BLOCK);
                let tallies = self.play_block(size, source(block));
                progress(size);
                tallies
            })
            .reduce(Tallies::default, |one, other| one + other)
    }

    /// Plays rounds on the current thread. Buffers are allocated before the first round and reused for all rounds.
    ///
    /// # Panics
    /// If the rules refuse a round, which [`Simulation::new`] rules out.
    pub fn play_block(&self, rounds: u64, random: impl FnMut() -> u64) -> Tallies {
        let mut table =
            SimulatedTable { simulation: self, random, cards: deck(), settlement: Settlement::default() };
        let mut tallies = Tallies::default();
        let commission = self.tallied_wagers().contains(&TalliedWager::Banking { commission: true });
        for _ in 0..rounds {
            tallies.add_round(table.play(), self.table_rules.side_wager_count(), commission);
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
                *player = Some(Player { hand, played: PlayedHand::Set(self.set(self.way, hand)), stakes });
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

    /// Number of spots that the dice choose from.
    fn spots(&self) -> u8 {
        let seats = &self.table_rules.book().seats;
        seats.players + u8::from(seats.dealer_hand)
    }

    /// Number of packets dealt.
    fn packets(&self) -> u8 {
        let book = self.table_rules.book();
        match book.dealing.spots {
            Spots::Every => self.spots(),
            Spots::Active => self.stakes.iter().flatten().count() as u8 + u8::from(book.seats.dealer_hand),
        }
    }
}

/// Stakes of a seat on every wager of a book.
///
/// Side stakes are the smallest that earn envy bonuses, because the bonuses are fixed amounts and not odds. Colors
/// alternate from seat to seat.
fn all_wagers(table_rules: &TableRules, pai_gow: Amount, seat: Seat) -> Stakes {
    let mut stakes = Stakes { pai_gow, ..Stakes::default() };
    for index in 0..table_rules.side_wager_count() {
        let color = if seat.number() % 2 == 1 { Color::Red } else { Color::Black };
        let color = (table_rules.wager(index).looks_at == DecidingCards::Color).then_some(color);
        stakes.sides[index] = Some(SideStake { amount: side_stake(table_rules, index), color });
    }
    stakes
}

fn side_stake(table_rules: &TableRules, index: usize) -> Amount {
    let wager = table_rules.wager(index);
    let least = wager.envy.as_ref().map_or(wager.limits.min, |envy| envy.from);
    least.max(wager.limits.min).min(wager.limits.max)
}

fn deck() -> [Card; CARDS] {
    let mut deck = Card::deck();
    std::array::from_fn(|_| deck.next().unwrap_or(Card::JOKER))
}

/// State of the table while a block of rounds is played.
struct SimulatedTable<'a, R> {
    simulation: &'a Simulation<'a>,
    random: R,
    cards: [Card; CARDS],
    settlement: Settlement,
}

impl<R: FnMut() -> u64> SimulatedTable<'_, R> {
    /// Plays a round and returns the lines of its settlement.
    fn play(&mut self) -> &[Line] {
        let simulation = self.simulation;
        let packets = simulation.packets();
        // Only the cards that are dealt need to be shuffled.
        for packet in 0..usize::from(packets) {
            let counts: [u64; 7] = std::array::from_fn(|i| (CARDS - 7 * packet - i) as u64);
            for (i, offset) in random_below_each(&mut self.random, counts).into_iter().enumerate() {
                let index = 7 * packet + i;
                self.cards.swap(index, index + offset as usize);
            }
        }
        let mut one_of = |count: u8| {
            let [number] = random_below_each(&mut self.random, [u64::from(count)]);
            number as u8 + 1
        };
        let dice = one_of(simulation.spots());
        let pile = simulation.table_rules.book().dealing.action_pile.then(|| one_of(packets));
        let showdown = simulation
            .deal(&self.cards, dice, pile)
            .map_err(|refusal| vec![refusal])
            .and_then(|deal| simulation.showdown(&deal));
        match showdown {
            Ok(showdown) => self.settlement.settle(&showdown),
            Err(refusals) => panic!("the rules refuse a round that was checked before: {refusals:?}"),
        }
        self.settlement.lines()
    }
}

/// Draws one uniform number below each of `counts`, from a single random word.
///
/// The upper half of a word times the product of the counts is a number below that product. Multiplying by one count
/// after another gives the digits of this number in mixed radix. The few words that would introduce bias are rejected,
/// and another word is drawn. See Lemire, "Fast random integer generation in an interval", 2019, and Brackett-Rozinsky
/// and Lemire, "Batched ranged random integer generation", 2024.
fn random_below_each<const N: usize>(random: &mut impl FnMut() -> u64, counts: [u64; N]) -> [u64; N] {
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
    use super::random_below_each;

    #[test]
    fn biased_words_are_rejected() {
        // 2^64 is one more than a multiple of 3, so exactly one word, 0, is rejected.
        let drawn = |words: &[u64]| {
            let mut words = words.iter().copied();
            let [number] = random_below_each(&mut || words.next().unwrap(), [3]);
            (number, words.count())
        };
        assert_eq!(drawn(&[0, u64::MAX]), (2, 0));
        assert_eq!(drawn(&[1, u64::MAX]), (0, 1));
        assert_eq!(drawn(&[u64::MAX / 3]), (0, 0));
        assert_eq!(drawn(&[u64::MAX / 3 + 1]), (1, 0));
        assert_eq!(drawn(&[u64::MAX]), (2, 0));
    }

    #[test]
    fn batched_numbers_are_mixed_radix_digits() {
        let counts = [53, 52, 51, 50, 49, 48, 47];
        let all = counts.iter().product::<u64>();
        // None of these words is near one that is rejected.
        for word in (1..2_000).map(|i| u64::MAX / 2_000 * i) {
            let mut number = ((u128::from(word) * u128::from(all)) >> 64) as u64;
            let mut digits = [0; 7];
            for (digit, count) in digits.iter_mut().zip(counts).rev() {
                *digit = number % count;
                number /= count;
            }
            assert_eq!(random_below_each(&mut || word, counts), digits);
        }
    }
}
