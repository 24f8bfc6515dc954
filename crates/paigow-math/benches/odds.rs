//! Time of the exact odds, compared with a plain enumeration: the census of a book's side wagers, the base game, one
//! hand's best setting, the best strategy for all hands, and the prices of house ways.
//!
//! The plain enumeration is a loop on one core that evaluates, sets and compares every hand or every pair of hands. It
//! would take too long, so its time is extrapolated from a stated sample. The ratio of the two times is the gain.
//!
//! `cargo bench -p paigow-math --bench odds`, or with names of parts after `--`: `census`, `base-game`, `best`,
//! `strategy`, `worth` (the table of worths), `price` (a house way by that table).

// A benchmark reads the clock and prints seconds and ratios.
#![allow(clippy::disallowed_methods, clippy::float_arithmetic, clippy::cast_precision_loss)]

use paigow::rulebook::{BuiltIn, CopyWinner, DecidingCards};
use paigow::{Card, Evaluator, Holdings, HouseWay, PartialHand, SevenCards};
use paigow_math::{
    BaseGame, BestSetting, Census, DEALER_HANDS, DEALS, Matchup, Opposition, QUIET, Strategy, TableSide,
    Valuation, WagerOdds, WorthTable,
};
use paigow_testkit::{Rng, hand, rulebook};
use std::hint::black_box;
use std::time::{Duration, Instant};

fn main() {
    let selected: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let is_selected = |part: &str| selected.is_empty() || selected.iter().any(|selected| selected == part);
    let parts: [Part; 6] = [
        ("census", census),
        ("base-game", base_game),
        ("best", best),
        ("strategy", strategy),
        ("worth", worth),
        ("price", price),
    ];
    println!("{:<10} {:>10} {:>10} {:>22} {:>16}", "", "time", "memory", "plain loop, one core", "ratio");
    for (name, measure) in parts.into_iter().filter(|(name, _)| is_selected(name)) {
        let Measurement { time, plain, sample } = measure();
        let memory = peak_memory().map_or("unknown".to_owned(), |kib| format!("{} MiB", kib / 1024));
        println!(
            "{name:<10} {:>8.3} s {memory:>10} {:>20.0} s {:>16.0}   from {sample}",
            time.as_secs_f64(),
            plain,
            plain / time.as_secs_f64(),
        );
    }
}

type Part = (&'static str, fn() -> Measurement);

/// Number of hands or deals in the sample of the plain enumeration.
const SAMPLE: usize = 1 << 20;

/// A measured time and the time of the plain enumeration.
struct Measurement {
    time: Duration,
    /// Time of the plain enumeration in seconds, extrapolated from the sample.
    plain: f64,
    /// Description of the sample.
    sample: String,
}

/// Peak memory of the process in KiB, if the system reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed(), result)
}

/// The shortest of several runs.
fn best_of(runs: usize, mut work: impl FnMut()) -> Duration {
    (0..runs).map(|_| timed(&mut work).0).min().unwrap_or_default()
}

/// Deals two hands.
fn deal(rng: &mut Rng, deck: &mut [Card]) -> [SevenCards; 2] {
    rng.shuffle_front(deck, 14);
    let hand =
        |cards: &[Card]| cards.iter().fold(PartialHand::EMPTY, |hand, card| hand.with(*card)).complete();
    [hand(&deck[..7]), hand(&deck[7..14])]
}

/// Every paytable of the side wagers of the EZ book, which has the most side wagers.
fn census() -> Measurement {
    let book = rulebook("ez", &[]);
    let odds = || {
        let census = Census::compute(book.ranking.joker);
        for wager in &book.wagers {
            for table in &wager.paytables {
                assert_eq!(table.joker, book.ranking.joker);
                let no_game = || unreachable!("no wager of the book depends on two hands");
                black_box(WagerOdds::of(wager, table, &census, no_game).edge());
            }
        }
    };
    let time = best_of(5, odds);

    // The plain enumeration looks up each hand in each paytable.
    let hands = hands(SAMPLE);
    let holdings = Holdings::of(book.ranking.joker);
    let plain = best_of(3, || {
        for hand in &hands {
            let classes = holdings.classes_of(*hand);
            for wager in book.wagers.iter().filter(|wager| wager.looks_at != DecidingCards::Color) {
                for table in &wager.paytables {
                    black_box(table.best(classes));
                }
            }
        }
    });
    Measurement {
        time,
        plain: plain.as_secs_f64() * Census::HANDS as f64 / SAMPLE as f64,
        sample: format!("{SAMPLE} hands of 154,143,080"),
    }
}

fn hands(count: usize) -> Vec<SevenCards> {
    let mut rng = Rng::new(1);
    let mut deck: Vec<Card> = Card::deck().collect();
    (0..count).map(|_| deal(&mut rng, &mut deck)[0]).collect()
}

fn way() -> HouseWay {
    HouseWay::load("foxwoods", &BuiltIn).unwrap_or_else(|error| panic!("{error}"))
}

/// Time of a deal in seconds, with `hands_set` of its two hands set and `compared` comparisons of the player's hand.
fn plain_deal(way: &HouseWay, hands_set: usize, compared: usize) -> f64 {
    let evaluator = Evaluator::of(way.ranking());
    let mut rng = Rng::new(2);
    let mut deck: Vec<Card> = Card::deck().collect();
    let deals: Vec<[SevenCards; 2]> = (0..SAMPLE).map(|_| deal(&mut rng, &mut deck)).collect();
    let fixed = way.decide(deals[0][0], evaluator);
    let time = best_of(3, || {
        for [player, dealer] in &deals {
            let dealer = way.decide(*dealer, evaluator);
            let player = if hands_set == 2 { way.decide(*player, evaluator) } else { fixed };
            for _ in 0..compared {
                let (player, dealer) = (player.setting, dealer.setting);
                let high = black_box(player.high_strength) > dealer.high_strength;
                black_box((high, black_box(player.low_strength) > dealer.low_strength));
            }
        }
    });
    time.as_secs_f64() / SAMPLE as f64
}

fn base_game() -> Measurement {
    let way = way();
    let matchup = Matchup { player: &way, dealer: &way, ranking: way.ranking(), dealer_push: &[] };
    let (time, game) = timed(|| BaseGame::count(&matchup, QUIET));
    assert_eq!(game.compared.as_flattened().iter().sum::<i128>(), DEALS);
    let plain = plain_deal(&way, 2, 1) * DEALS as f64;
    Measurement { time, plain, sample: format!("{SAMPLE} deals of 8,250,459,031,214,400") }
}

fn against(way: &HouseWay) -> Opposition<'_> {
    Opposition {
        dealer: way,
        ranking: way.ranking(),
        dealer_push: &[],
        copies: CopyWinner::Banker,
        commission: 500,
    }
}

fn best() -> Measurement {
    let way = way();
    let hand = hand("As Kd Tc 9h 7s 2d 2c");
    let time = best_of(5, || drop(black_box(BestSetting::of(hand, &against(&way)))));
    // Only the dealer's hand is set per deal. Every setting of the player's hand is compared with it.
    let settings = BestSetting::of(hand, &against(&way)).settings.len();
    let plain = plain_deal(&way, 1, settings) * DEALER_HANDS as f64;
    Measurement { time, plain, sample: format!("{SAMPLE} dealer's hands of 53,524,680") }
}

fn strategy() -> Measurement {
    let way = way();
    let (time, strategy) = timed(|| Strategy::of(&against(&way), &[&way], QUIET));
    assert_eq!(strategy.len(), 6_972_147);
    // Every candidate setting of each class of hands is compared with each dealer's hand.
    let settings = strategy.settings().div_ceil(strategy.len());
    let plain = plain_deal(&way, 1, settings) * strategy.len() as f64 * DEALER_HANDS as f64;
    Measurement {
        time,
        plain,
        sample: format!("{SAMPLE} dealer's hands of 6,972,147 × 53,524,680, {settings} settings"),
    }
}

/// The table of worths. The plain loop compares every setting of each class of hands with each dealer's hand.
fn worth() -> Measurement {
    let (way, book) = (way(), rulebook("washington", &[]));
    let (time, table) = timed(|| WorthTable::build(&Valuation::of(&book, TableSide::Player, &way), QUIET));
    black_box(table.best_outcomes());
    let (classes, settings) = (6_972_147, 14);
    let plain = plain_deal(&way, 1, settings) * f64::from(classes) * DEALER_HANDS as f64;
    Measurement {
        time,
        plain,
        sample: format!("{SAMPLE} dealer's hands of 6,972,147 × 53,524,680, {settings} settings"),
    }
}

/// Price of a house way with all its clauses, by a table of worths that is built before.
fn price() -> Measurement {
    let (way, book) = (way(), rulebook("washington", &[]));
    let table = WorthTable::build(&Valuation::of(&book, TableSide::Player, &way), QUIET);
    let time = best_of(5, || drop(black_box(table.price(&way, &table.decide(&way)))));
    let plain = plain_deal(&way, 2, 1) * DEALS as f64;
    Measurement { time, plain, sample: format!("{SAMPLE} deals of 8,250,459,031,214,400") }
}
