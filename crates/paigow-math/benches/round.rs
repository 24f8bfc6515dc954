//! Throughput of whole rounds: six seats with every wager of the EZ book, shuffled, dealt, set and settled.
//!
//! All hands are set the house way. The same run also times the setting of seven hands per round alone. The ratio of
//! the two shows the cost of shuffling, dealing and settling, independently of the machine.
//!
//! `cargo bench -p paigow-math --bench round`

// A benchmark reads the clock and prints seconds and ratios.
#![allow(clippy::disallowed_methods, clippy::float_arithmetic, clippy::cast_precision_loss)]

use paigow::rulebook::DecidingCards;
use paigow::{
    Amount, Bank, BySeat, Card, Color, Deal, Dealer, PlayedHand, Player, Seat, Setting, TableRules,
};
use paigow::{Settlement, SevenCards, Showdown, Shuffle, SideStake, Stakes};
use paigow_testkit::{Rng, table_rules};
use std::fmt::Debug;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Number of timed rounds.
const ROUNDS: usize = 1 << 18;
/// Number of rounds in which allocations are counted.
const COUNTED_ROUNDS: usize = 1 << 12;
/// Number of occupied seats.
const SEATS: u8 = 6;
/// Number of timed runs. The shortest counts, because other load on the machine disturbs it least.
const RUNS: usize = 9;

/// A random number below `count`. A multiplication takes less of the measured time than the remainder of
/// [`Rng::below`].
fn below(rng: &mut Rng, count: usize) -> usize {
    (((rng.next() >> 32) * count as u64) >> 32) as usize
}

/// A table that plays rounds and reuses its buffers.
struct Table<'a> {
    table_rules: &'a TableRules,
    stakes: Stakes,
    /// With a fixed seed, every run plays the same rounds.
    rng: Rng,
    cards: [Card; 53],
    settlement: Settlement,
}

impl Table<'_> {
    fn new(table_rules: &TableRules, seed: u64) -> Table<'_> {
        let mut stakes = Stakes { pai_gow: Amount::from_cents(25_00), ..Stakes::default() };
        for wager in 0..table_rules.side_wager_count() {
            let color = (table_rules.wager(wager).looks_at == DecidingCards::Color).then_some(Color::Red);
            stakes.sides[wager] = Some(SideStake { amount: Amount::from_cents(5_00), color });
        }
        let mut deck = Card::deck();
        let cards = std::array::from_fn(|_| deck.next().unwrap_or(Card::JOKER));
        let settlement = Settlement::default();
        Table { table_rules, stakes, rng: Rng::new(seed), cards, settlement }
    }

    /// Shuffles the 49 cards that are dealt, rolls the dice and deals.
    fn deal(&mut self) -> Deal {
        for i in 0..49 {
            let from = i + below(&mut self.rng, 53 - i);
            self.cards.swap(i, from);
        }
        let shuffle = expect_ok(Shuffle::new(self.cards));
        let dice = below(&mut self.rng, usize::from(SEATS) + 1) as u8 + 1;
        let plays = std::array::from_fn(|index| index < usize::from(SEATS));
        expect_ok(Deal::new(self.table_rules.book(), &shuffle, dice, None, plays, None))
    }

    fn set(&self, hand: SevenCards) -> Setting {
        self.table_rules.house_way_setting(hand)
    }

    /// Plays a round and returns the net result of the house in cents.
    fn play(&mut self) -> i64 {
        let deal = self.deal();
        let mut players: BySeat<Option<Player>> = [None; Seat::COUNT_MAX];
        for (player, hand) in players.iter_mut().zip(&deal.hands) {
            *player = hand.map(|hand| Player {
                hand,
                played: PlayedHand::Set(self.set(hand)),
                stakes: self.stakes,
            });
        }
        let dealer = deal.dealer.map(|hand| Dealer { hand, setting: self.set(hand), wager: Amount::ZERO });
        let showdown = expect_ok(Showdown::new(self.table_rules, Bank::Dealer, deal.first, players, dealer));
        self.settlement.settle(&showdown);
        self.settlement.nets().house.cents()
    }

    fn play_many(&mut self, rounds: usize) {
        for _ in 0..rounds {
            black_box(self.play());
        }
    }
}

fn expect_ok<T, E: Debug>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| panic!("{error:?}"))
}

/// Time of all rounds, distributed over `cores` threads.
fn on_cores(table_rules: &TableRules, cores: usize) -> Duration {
    let mut tables: Vec<Table<'_>> = (0..cores).map(|core| Table::new(table_rules, core as u64)).collect();
    let start = Instant::now();
    std::thread::scope(|scope| {
        for table in &mut tables {
            scope.spawn(move || table.play_many(ROUNDS / cores));
        }
    });
    start.elapsed()
}

/// Time to set the hands of all rounds alone.
fn setting_alone(table: &Table<'_>, hands: &[SevenCards]) -> Duration {
    let start = Instant::now();
    for &hand in hands {
        black_box(table.set(hand));
    }
    start.elapsed()
}

fn main() {
    let table_rules = table_rules("ez", &[], &[]);
    assert_eq!(table_rules.book().seats.players, SEATS);
    let mut table = Table::new(&table_rules, 0x5EED);
    let wagers = 1 + table_rules.side_wager_count();

    // The first rounds grow the buffer to the largest number of lines, which depends on envy bonuses.
    table.play_many(COUNTED_ROUNDS);
    assert!(table.settlement.lines().len() >= wagers * usize::from(SEATS), "a line for every wager");
    let allocations = allocation_counter::measure(|| table.play_many(COUNTED_ROUNDS)).count_total;

    let mut hands = Vec::with_capacity(7 * ROUNDS);
    for _ in 0..ROUNDS {
        let deal = table.deal();
        hands.extend(deal.hands.into_iter().flatten().chain(deal.dealer));
    }
    assert_eq!(hands.len(), 7 * ROUNDS);

    // The three measurements alternate, so that other load on the machine affects all of them.
    let mut best = [Duration::MAX; 3];
    for _ in 0..RUNS {
        let times = [setting_alone(&table, &hands), on_cores(&table_rules, 1), on_cores(&table_rules, 2)];
        best = std::array::from_fn(|i| best[i].min(times[i]));
    }
    let [alone, one, two] = best.map(|time| time.as_secs_f64());
    let rate = |time: f64| ROUNDS as f64 / time / 1e6;
    println!(
        "rounds of six seats with {wagers} wagers each, shuffled, dealt, set and settled, {ROUNDS} rounds:"
    );
    println!(
        "  one core   {:>6.2} M rounds/s   {:.2} × the time of setting the seven hands alone",
        rate(one),
        one / alone
    );
    println!("  two cores  {:>6.2} M rounds/s   {:.2} × the rate of one", rate(two), one / two);
    println!(
        "  {allocations} allocations in {COUNTED_ROUNDS} rounds, {:.1} a round",
        allocations as f64 / COUNTED_ROUNDS as f64
    );
}
